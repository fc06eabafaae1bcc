/* Prepares a site for quick loading, with its own Pyodide: node tools/compile_site.mjs FOLDER.
 * Replaces the Python sources in the archive by bytecode, with fixed times, and saves a memory
 * snapshot of a Python that has imported the modules of the standard library that the site uses. */
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { begin, openSite } from "./try_site.mjs";

const folder = process.argv[2];
const COMPILE = `
import io, tarfile
from pathlib import Path
from py_compile import PycInvalidationMode, compile

source, compiled = Path("/tmp/source.py"), Path("/tmp/source.pyc")
with tarfile.open("/tmp/packed.tar") as packed, tarfile.open(
    "/tmp/compiled.tar", "w", format=tarfile.USTAR_FORMAT
) as out:
    for member in packed:
        name, content = member.name, packed.extractfile(member).read()
        if name.endswith(".py"):
            source.write_bytes(content)
            mode = PycInvalidationMode.UNCHECKED_HASH
            compile(str(source), str(compiled), name, doraise=True, invalidation_mode=mode)
            name, content = f"{name}c", compiled.read_bytes()
        info = tarfile.TarInfo(name)
        info.size = len(content)
        out.addfile(info, io.BytesIO(content))
`;
const OWN_LIBRARY = `
import sys
from xiangqi.web.site.backend import Backend
await Backend().prepare()
" ".join(sorted(name for name, module in sys.modules.items()
    if "/python3" in (place := getattr(module, "__file__", None) or "")
    and "site-packages" not in place))
`;
const IMPORT = (names) => `
import importlib
for name in "${names}".split():
    importlib.import_module(name)
importlib.invalidate_caches()
`;

try {
  const archive = join(folder, "meihua.pack");
  const compiling = await begin(folder);
  runInThisContext(readFileSync(join(folder, "unpack.js"), "utf-8"));
  compiling.FS.writeFile("/tmp/packed.tar", await globalThis.inflate(readFileSync(archive)));
  compiling.runPython(COMPILE);
  writeFileSync(archive, gzipSync(compiling.FS.readFile("/tmp/compiled.tar"), { level: 9 }));
  const names = await (await openSite(folder)).runPythonAsync(OWN_LIBRARY);
  const begun = await begin(folder, { _makeSnapshot: true });
  begun.runPython(IMPORT(names));
  writeFileSync(join(folder, "python.state"), gzipSync(begun.makeMemorySnapshot(), { level: 9 }));
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
