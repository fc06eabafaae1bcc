/* Compiles the Python of a site's archive with the Python that will load it, so that browsers need
 * not: node tools/compile_site.mjs FOLDER. Sources are left out; times are fixed. */
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const runtimeFolder = join(folder, "runtime/");
const archive = join(folder, "meihua.zip");
const { loadPyodide } = createRequire(import.meta.url)(join(runtimeFolder, "pyodide.js"));
const COMPILE = `
from pathlib import Path
from py_compile import PycInvalidationMode, compile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

source, compiled = Path("/tmp/source.py"), Path("/tmp/source.pyc")
with ZipFile("/tmp/packed.zip") as packed, ZipFile("/tmp/compiled.zip", "w") as out:
    for name in packed.namelist():
        content = packed.read(name)
        if name.endswith(".py"):
            source.write_bytes(content)
            mode = PycInvalidationMode.UNCHECKED_HASH
            compile(str(source), str(compiled), name, doraise=True, invalidation_mode=mode)
            name, content = f"{name}c", compiled.read_bytes()
        out.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, ZIP_DEFLATED)
`;

try {
  const runtime = await loadPyodide({ indexURL: runtimeFolder });
  runtime.FS.writeFile("/tmp/packed.zip", new Uint8Array(readFileSync(archive)));
  runtime.runPython(COMPILE);
  writeFileSync(archive, runtime.FS.readFile("/tmp/compiled.zip"));
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
