/* Makes the packs of a product: node tools/packs.mjs FOLDER
 *
 * FOLDER has plan.json (see packs.py), python.js, and the files of the two packs in base/ and more/.
 * Writes pyodide.js, and the contents of the packs into packed/. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = "lib/python3.12/";
const PACKAGES = `${ROOT}site-packages/`;
const GAP = 256; // equal bytes between two parts of the memory that are saved apart

const [folder] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));
const read = (name) => readFileSync(join(plan.runtime, name));
const { startPython, readBareMemory } = await import(pathToFileURL(join(folder, "python.js")));
const asBytes = (text) => new TextEncoder().encode(text);

/* Turn Pyodide's script into a module, without the functions that wrap exports and are never used,
 * and without imports of Node's modules, which bundlers for browsers cannot resolve. In Node.js it
 * needs `require` and `__dirname`. */
function makeModule(script) {
  const count = new Map();
  for (const [word] of script.matchAll(/[\w$]+/g)) count.set(word, (count.get(word) ?? 0) + 1);
  const wrapper =
    /var (_\w+)=Module\["\1"\]=(?:\w+|\([\w,]*\))=>\(\1=Module\["\1"\]=wasmExports\["\w+"\]\)\([\w,]*\);/g;
  const kept = script.replace(wrapper, (text, name) => count.get(name) === 4 ? "" : text)
    .replace(/\bimport\("(node:[\w/]+|ws)"\)/g, 'require("$1")');
  return [
    "const require = (name) => process.getBuiltinModule(name);",
    'const __dirname = "/";',
    kept,
    "export default _createPyodideModule;\n",
  ].join("\n");
}

/* Files of a folder: paths in it, and contents. */
function listFiles(place) {
  const paths = readdirSync(place, { recursive: true }).map((name) => join(place, name));
  const files = paths.filter((path) => statSync(path).isFile()).sort();
  return files.map((path) => [relative(place, path).replaceAll("\\", "/"), new Uint8Array(readFileSync(path))]);
}

/* The parts of a memory that differ from the bare one, as [place, length], and their bytes. */
function findParts(memory, bare) {
  const parts = [];
  for (let at = 0; at < memory.length; at += 1) {
    if (memory[at] === (bare[at] ?? 0)) continue;
    const last = parts.at(-1);
    if (last && at - last[0] - last[1] < GAP) last[1] = at + 1 - last[0];
    else parts.push([at, 1]);
  }
  return [parts, Buffer.concat(parts.map(([at, length]) => memory.subarray(at, at + length)))];
}

/* Write files into a folder for packs.py. */
function writeFiles(place, files) {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
  }
}

/* Call a function of inside.py. */
function call(python, name, ...data) {
  python.runPython(readFileSync(plan.inside, "utf8"), { filename: "inside.py" });
  return python.globals.get(name)(...data.map((one) => python.toPy(one)));
}

/* List the needed modules of the standard library, and compile them and the product's modules;
 * return the files of both packs. */
async function compileAll(create, wasm) {
  const own = { base: listFiles(join(folder, "base")), more: listFiles(join(folder, "more")) };
  const sources = [...own.base, ...own.more].filter(([name]) => name.endsWith(".py"));
  const whole = await startPython(create, wasm, new Map([
    ["lib/python312.zip", read("python_stdlib.zip")],
    ...sources.map(([name, content]) => [PACKAGES + name, content]),
  ]), {});
  const compile = (place, [name, content]) => name.endsWith(".py")
    ? [`${place}${name}c`, call(whole, "compile_module", content, name).toJs()]
    : [place + name, content];
  const listed = new Set();
  return Object.entries(own).map(([, files]) => {
    const library = JSON.parse(call(whole, "read_library", files.map(([path]) => path)));
    const missing = library.filter(([name]) => !listed.has(name));
    for (const [name] of missing) listed.add(name);
    return [
      ...missing.map(([name, source]) => compile(ROOT, [name, asBytes(source)])),
      ...files.map((file) => compile(PACKAGES, file)),
    ];
  });
}

/* Load the modules of the plan in a Python; return its memory, as python.js restores it, and the
 * names of all loaded modules. */
async function saveMemory(create, wasm, files) {
  const path = (name) => `/${PACKAGES}${name}`;
  const library = path(plan.first);
  const python = await startPython(create, wasm, files, { library, makesSnapshot: true });
  const libraries = Object.entries(plan.libraries).map(([name, names]) => [path(name), names]);
  const loaded = JSON.parse(
    call(python, "load_modules", plan.roots, Object.fromEntries(libraries), library, plan.program),
  );
  const hiwire = python._api.serializeHiwireState();
  const memory = python._module.HEAPU8;
  const size = memory.length;
  const bare = await readBareMemory(create, wasm, files, { library, size });
  const [parts, saved] = findParts(memory, bare);
  const state = asBytes(JSON.stringify({ library, size, parts, hiwire }));
  return [[["memory.json", state], ["memory", saved]], new Set(loaded)];
}

/* Name of the module in a compiled file. */
function moduleOf(path) {
  const name = path.replace(PACKAGES, "").replace(ROOT, "");
  return name.replace(/(\/__init__)?\.pyc$/, "").replaceAll("/", ".");
}

async function main() {
  writeFileSync(join(folder, "pyodide.js"), makeModule(read("pyodide.asm.js").toString()));
  const { default: create } = await import(pathToFileURL(join(folder, "pyodide.js")));
  const wasm = await WebAssembly.compile(read("pyodide.asm.wasm"));
  const [base, more] = await compileAll(create, wasm);
  const [memory, loaded] = await saveMemory(create, wasm, new Map(base));
  const left = base.filter(([path]) => !(path.endsWith(".pyc") && loaded.has(moduleOf(path))));
  writeFiles(join(folder, "packed/base"), [...memory, ...left]);
  writeFiles(join(folder, "packed/more"), more);
}

try {
  await main();
  process.exit(0); // the Pythons would keep Node.js running
} catch (error) {
  console.error(String(error.stack ?? error).slice(-2000));
  process.exit(1);
}
