#!/usr/bin/env node
/* Copies the package and Pyodide into a folder that a web server serves: FOLDER/meihua, FOLDER/pyodide. */

import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FILES = {
  meihua: [dirname(fileURLToPath(import.meta.url)), /\.(m?js|zip)$|^LICENSE/],
  pyodide: [
    dirname(createRequire(import.meta.url).resolve("pyodide/package.json")),
    /^(pyodide\.mjs|pyodide\.asm\.(js|wasm)|python_stdlib\.zip|pyodide-lock\.json)$/,
  ],
};
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Usage: meihua-copy FOLDER");
  process.exit(2);
}
for (const [name, [from, pattern]] of Object.entries(FILES)) {
  mkdirSync(join(folder, name), { recursive: true });
  for (const file of readdirSync(from).filter((one) => pattern.test(one))) {
    cpSync(join(from, file), join(folder, name, file));
  }
  console.log(join(folder, name));
}
