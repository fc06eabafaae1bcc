/* Worker: runs the referee or the engine. */

import create from "./pyodide.js";
import { addPack, fetchPack, loadPython, makeResponse } from "./python.js";
import { SIZES } from "./sizes.js";

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

async function start({ part }) {
  const total = SIZES[part];
  const read = isNode ? readPack : (url) => fetchPack(url, countBytes(total));
  const base = [new URL("./python.pack", import.meta.url), new URL("./referee.pack", import.meta.url)];
  const more = part === "engine" ? read(new URL("./engine.pack", import.meta.url)) : null;
  more?.catch(() => {}); // reported below
  const python = await loadPython(create, ...base.map(read));
  if (more) await addPack(python, more);
  const handle = part === "engine" ? startEngine(python) : startReferee(python);
  send({ progress: { loaded: total, total } });
  return handle;
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
