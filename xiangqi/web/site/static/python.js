/* Starts Python (Pyodide, https://pyodide.org) from packs, in a browser or a program for JavaScript.
 *
 * A pack is a gzip stream. python.pack has Pyodide's WebAssembly, the others are tar archives. The
 * first of these has a memory snapshot of a Python that has imported the package: in place of
 * starting Python, its memory is restored. The compiled modules are one library, which is loaded
 * at the same address as when the snapshot was made, before the memory is restored. */

const MEMORY = "memory"; // file with the changed parts of the memory
const STATE = "memory.json"; // file with their places

/* A response with the decompressed content of a pack, given as a stream. */
export function inflate(stream) {
  return makeResponse(stream.pipeThrough(new DecompressionStream("gzip")));
}

/* A response with the content of a pack. */
export function makeResponse(content) {
  return new Response(content, { headers: { "Content-Type": "application/wasm" } });
}

/* Fetch a pack; `count` is called with the number of bytes of each piece that arrives. */
export async function fetchPack(url, count) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cannot load ${url}: ${answer.status} ${answer.statusText}`);
  return inflate(answer.body.pipeThrough(new TransformStream({
    transform(piece, stream) {
      count(piece.length);
      stream.enqueue(piece);
    },
  })));
}

async function compile(response) {
  if (WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/* Read the tar archive in a response; return a map of paths to contents. */
async function readFiles(response) {
  const archive = new Uint8Array(await response.arrayBuffer());
  const decoder = new TextDecoder();
  const text = (at, length) => decoder.decode(archive.subarray(at, at + length)).replace(/\0.*$/s, "");
  const files = new Map();
  for (let at = 0; archive[at];) {
    const name = [text(at + 345, 155), text(at, 100)].filter(Boolean).join("/"); // prefix and name
    const size = parseInt(text(at + 124, 12), 8);
    files.set(name, archive.subarray(at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return files;
}

/* Write files into Pyodide's file system. */
function writeFiles({ FS }, files) {
  const made = new Set();
  for (const [name, content] of files) {
    if (name === MEMORY || name === STATE) continue;
    const parent = `/${name.slice(0, name.lastIndexOf("/"))}`;
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(`/${name}`, content, { canOwn: true });
  }
}

/* Settings of Pyodide. All that a snapshot depends on is the same everywhere: the environment and
 * the name of the program, which are in the memory, and the table of functions, in which Pyodide
 * has one more (PyEM_CountArgs) if the engine of JavaScript has garbage collection for WebAssembly. */
function makeSettings(wasm, files, { library, size, makesSnapshot }) {
  const env = { HOME: "/home", LANG: "en_US.UTF-8" };
  return {
    API: {
      config: {
        jsglobals: globalThis, env, args: [], packages: [], indexURL: "/", packageCacheDir: "/",
        enableRunUntilComplete: true, BUILD_ID: "0".repeat(64), _makeSnapshot: makesSnapshot,
      },
    },
    arguments: [],
    thisProgram: "python",
    noImageDecoding: true,
    noAudioDecoding: true,
    noInitialRun: size !== undefined,
    INITIAL_MEMORY: size,
    quit(_, error) { throw error; },
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(wasm, imports).then((instance) => receive(instance, wasm));
      return {};
    },
    preRun: [async (module) => {
      module.addRunDependency("files");
      Object.assign(module.ENV, env);
      module.FS.mkdirTree(env.HOME);
      module.FS.chdir(env.HOME);
      writeFiles(module, files);
      await null; // Pyodide's own preparations come first
      if (!module._PyEM_CountArgsPtr) module.wasmTable.grow(1);
      if (library) {
        const flags = { global: false, nodelete: true, loadAsync: true, fs: module.FS };
        await module.loadDynamicLibrary(library, flags, {});
      }
      module.removeRunDependency("files");
    }],
  };
}

/* Finish the start of Pyodide, with the state of a restored memory if there is one. */
function finish(settings, restored) {
  const python = settings.API.finalizeBootstrap(restored);
  settings.API._pyodide.set_excepthook();
  settings.API.initializeStreams();
  return python;
}

/* Start Python, without a snapshot; `options` has the path of a library to load. `create` is
 * Pyodide's function that makes its module. Used when packs are made. */
export async function startPython(create, wasm, files, options) {
  const settings = makeSettings(wasm, files, options);
  await create(settings);
  return finish(settings);
}

/* The memory into which a snapshot of this size is restored. */
export async function readBareMemory(create, wasm, files, options) {
  return (await create(makeSettings(wasm, files, options))).HEAPU8;
}

/* Restore the snapshot among the files of a pack; return Pyodide. */
async function restorePython(create, wasm, files) {
  const { library, size, parts, hiwire } = JSON.parse(new TextDecoder().decode(files.get(STATE)));
  const settings = makeSettings(wasm, files, { library, size });
  const module = await create(settings);
  const saved = files.get(MEMORY);
  let at = 0;
  for (const [place, length] of parts) {
    module.HEAPU8.set(saved.subarray(at, at + length), place);
    at += length;
  }
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET / 4];
  module.HEAP32[(module.__PyRuntime + offset) / 4] = module._PyEM_CountArgsPtr;
  const python = finish(settings, hiwire);
  python.pyimport("random").seed(); // else each start would draw the same numbers
  return python;
}

/* Start Python from python.pack and the first pack of a product, given as promises of responses. */
export async function loadPython(create, python, pack) {
  const [wasm, files] = await Promise.all([python.then(compile), pack.then(readFiles)]);
  return restorePython(create, wasm, files);
}

/* Add the files of one more pack, a promise of a response. */
export async function addPack(python, pack) {
  writeFiles(python, await pack.then(readFiles));
}
