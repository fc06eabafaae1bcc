#!/usr/bin/env node
/* Copies the package into a folder that a web server serves: FOLDER/meihua. */

import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SERVED = /\.(m?js|pack)$|^LICENSE/;
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Usage: meihua-copy FOLDER");
  process.exit(2);
}
const source = dirname(fileURLToPath(import.meta.url));
const target = join(folder, "meihua");
mkdirSync(target, { recursive: true });
for (const file of readdirSync(source).filter((one) => SERVED.test(one))) {
  cpSync(join(source, file), join(target, file));
}
console.log(target);
