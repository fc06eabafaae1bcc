/* Worker: runs the referee or the engine in Pyodide (https://pyodide.org). */

import { SIZES } from "./sizes.js";

const isNode = typeof process === "object" && Boolean(process.versions?.node);
const builtin = (name) => process.getBuiltinModule(`node:${name}`);
const port = isNode ? builtin("worker_threads").parentPort : globalThis;
const send = (message) => port.postMessage(message);

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

async function start({ part, folder, module }) {
  const stopCounting = isNode ? () => {} : countDownloads(SIZES[part]);
  const archives = [new URL("./referee.zip", import.meta.url)]; // in the form that bundlers detect
  if (part === "engine") archives.push(new URL("./engine.zip", import.meta.url));
  const { loadPyodide } = await import(/* webpackIgnore: true */ /* @vite-ignore */ module);
  const [python, ...files] = await Promise.all([
    loadPyodide({ indexURL: isNode ? findPyodide() : folder }),
    ...archives.map(read),
  ]);
  for (const file of files) python.unpackArchive(file, "wheel");
  const handle = part === "engine" ? startEngine(python) : startReferee(python);
  stopCounting();
  send({ progress: { loaded: SIZES[part], total: SIZES[part] } });
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

/* Pyodide's folder in Node; with source maps enabled Pyodide itself looks for its files in a wrong one. */
function findPyodide() {
  const manifest = builtin("module").createRequire(import.meta.url).resolve("pyodide/package.json");
  return builtin("path").dirname(manifest);
}

async function read(url) {
  if (isNode) return new Uint8Array(await builtin("fs").promises.readFile(url));
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cannot load ${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/* Report the bytes of all fetches; returns a function that ends this. */
function countDownloads(total) {
  const plain = globalThis.fetch;
  let loaded = 0;
  globalThis.fetch = async (...request) => {
    const answer = await plain(...request);
    if (!answer.ok || !answer.body) return answer;
    const counter = new TransformStream({
      transform(chunk, stream) {
        loaded += chunk.length;
        send({ progress: { loaded: Math.min(loaded, total), total } });
        stream.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counter), answer);
  };
  return () => { globalThis.fetch = plain; };
}
