/* Loads a site's Python and core in Node.js, as worker.js does in a browser, imports every compiled
 * module and rules on a game: node tools/try_site.mjs FOLDER */
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";

const RULING = `
from importlib import import_module
from pkgutil import walk_packages
import xiangqi.core
from xiangqi import Board
for module in walk_packages(xiangqi.core.__path__, "xiangqi.core."):
    import_module(module.name)
board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
    board.push_iccs(move)
board.judge().verdict.value
`;

/* Load the site's Pyodide. */
export async function begin(folder, options = {}) {
  const runtimeFolder = join(folder, "runtime/");
  const { loadPyodide } = createRequire(import.meta.url)(join(runtimeFolder, "pyodide.js"));
  return loadPyodide({ indexURL: runtimeFolder, ...options });
}

/* Load the site's Pyodide with its package, from the memory snapshot if there is one. */
export async function openSite(folder) {
  runInThisContext(readFileSync(join(folder, "unpack.js"), "utf-8"));
  const load = (name) => globalThis.inflate(readFileSync(join(folder, name)));
  const state = await load("python.state");
  const runtime = await begin(folder, state.length ? { _loadSnapshot: state } : {});
  const place = runtime.runPython("import site; site.getsitepackages()[0]");
  globalThis.unpack(runtime.FS, await load("meihua.pack"), place);
  return runtime;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const verdict = (await openSite(process.argv[2])).runPython(RULING);
    if (verdict !== "black_wins") throw new Error(`ruled ${verdict}, expected black_wins`);
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
