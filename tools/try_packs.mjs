/* Loads the packs of the site in Node.js, imports every compiled module and rules on a game:
 * node tools/try_packs.mjs FOLDER */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const RULING = `
import sys
from importlib import import_module
from xiangqi import Board
for finder in sys.meta_path:
    for name in getattr(finder, "names", ()):  # of the compiled modules, in libraries
        import_module(name)
board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
    board.push_iccs(move)
board.judge().verdict.value
`;
const folder = process.argv[2];
const load = (name) => import(pathToFileURL(join(folder, name)));

try {
  const { default: create } = await load("pyodide.js");
  const { addPack, loadPython, makeResponse } = await load("python.js");
  const read = async (name) => makeResponse(gunzipSync(readFileSync(join(folder, `${name}.pack`))));
  const python = await loadPython(create, read("python"), read("board"));
  await addPack(python, read("rest"));
  const verdict = python.runPython(RULING);
  if (verdict !== "black_wins") throw new Error(`ruled ${verdict}, expected black_wins`);
  process.exit(0); // Python would keep Node.js running
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
