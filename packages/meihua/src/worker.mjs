/* Worker: runs the referee or the engine. */

import { BYTES, VERSION } from "./build.js";
import create from "./pyodide.js";
import { addPack, fetchPack, loadPython, makeResponse } from "./python.js";

const isNode = typeof process === "object" && Boolean(process.versions?.node);
const builtin = (name) => process.getBuiltinModule(`node:${name}`);
const port = isNode ? builtin("worker_threads").parentPort : globalThis;
const send = (message) => port.postMessage(message);

let loaded = 0; // bytes of all packs
let starting = null; // Promise of the message handler, set by the first message

async function receive(message) {
  if (!starting) {
    starting = start(message);
    starting.then(() => send({ isReady: true }), (error) => send({ loadFailure: String(error) }));
    return;
  }
  (await starting.catch(() => null))?.(message);
}

if (isNode) port.on("message", receive);
else port.addEventListener("message", ({ data }) => receive(data));

async function start({ name, version, pack }) {
  checkVersion(`the script of the ${name}`, version);
  const total = BYTES + (pack?.bytes ?? 0);
  const read = isNode ? readPack : (url) => fetchPack(url, countBytes(total));
  const base = [new URL("./python.pack", import.meta.url), new URL("./referee.pack", import.meta.url)];
  const more = pack ? read(new URL(pack.url)) : null;
  more?.catch(() => {}); // reported below
  const python = await loadPython(create, ...base.map(read));
  if (more) await addPack(python, more);
  const handle = more ? startEngine(python) : startReferee(python);
  send({ progress: { loaded: total, total } });
  return handle;
}

/* Throw an error unless a script or pack has the version of this worker and the packs beside it. */
function checkVersion(name, version) {
  if (version === VERSION) return;
  throw new Error(
    `${name} is of version ${version}, the worker of meihua of ${VERSION}: ` +
    "install the same version of meihua and meihua-engine, and run meihua-copy again",
  );
}

function startReferee(python) {
  const { answer } = python.pyimport("xiangqi.web.calls");
  return ({ number, name, text }) => {
    try {
      send({ number, text: answer(name, text) });
    } catch (error) {
      send({ number, failure: String(error) });
    }
  };
}

function startEngine(python) {
  checkVersion("engine.pack", python.pyimport("xiangqi.engine.packed").VERSION);
  const conversation = python.pyimport("xiangqi.engine.slices").Conversation((line) => send({ line }));
  return async ({ line }) => {
    if (await conversation.receive(line)) return;
    send({ hasQuit: true });
    port.close();
  };
}

/* Read a pack in Node.js. */
async function readPack(url) {
  const content = await builtin("fs").promises.readFile(url);
  return makeResponse(await builtin("util").promisify(builtin("zlib").gunzip)(content));
}

/* A function that reports the progress when it is called with the number of bytes of a piece. */
function countBytes(total) {
  return (length) => {
    loaded += length;
    send({ progress: { loaded: Math.min(loaded, total), total } });
  };
}
