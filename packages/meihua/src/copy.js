#!/usr/bin/env node
/* Copies the packages into a folder that a web server serves: FOLDER/meihua, and FOLDER/meihua-engine
 * if the project has that package. */

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { VERSION } from "./build.js";

const SERVED = /\.(m?js|pack)$|^LICENSE/;
const OWN = dirname(fileURLToPath(import.meta.url));

/* Folder of the engine's package; null without one. */
function findEngine() {
  try {
    return dirname(createRequire(import.meta.url).resolve("meihua-engine", { paths: [process.cwd(), OWN] }));
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/* Copy a package; browsers find the modules of the other one by their paths. */
function copyPackage(source, target) {
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(source).filter((one) => SERVED.test(one))) {
    const [from, to] = [join(source, file), join(target, file)];
    if (file.endsWith(".js")) writeFileSync(to, readFileSync(from, "utf8").replaceAll(' from "meihua/', ' from "../meihua/'));
    else cpSync(from, to);
  }
  console.log(target);
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Usage: meihua-copy FOLDER");
  process.exit(2);
}
const engine = findEngine();
if (engine) {
  const { version } = JSON.parse(readFileSync(join(engine, "package.json"), "utf8"));
  if (version !== VERSION) {
    console.error(`meihua is of version ${VERSION}, meihua-engine of ${version}: install the same version of both`);
    process.exit(1);
  }
  copyPackage(engine, join(folder, "meihua-engine"));
}
copyPackage(OWN, join(folder, "meihua"));
