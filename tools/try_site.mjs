/* Loads a site's Python and core in Node.js, as worker.js does in a browser, imports every compiled
 * module and rules on a game: node tools/try_site.mjs FOLDER */
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const runtimeFolder = join(folder, "runtime/");
const { loadPyodide } = createRequire(import.meta.url)(join(runtimeFolder, "pyodide.js"));
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

try {
  const runtime = await loadPyodide({ indexURL: runtimeFolder });
  runtime.unpackArchive(new Uint8Array(readFileSync(join(folder, "meihua.zip"))), "wheel");
  const verdict = runtime.runPython(RULING);
  if (verdict !== "black_wins") throw new Error(`ruled ${verdict}, expected black_wins`);
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
