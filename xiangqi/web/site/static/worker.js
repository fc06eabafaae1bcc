/* Web worker that runs the package in Pyodide (https://pyodide.org). */
"use strict";

importScripts("unpack.js", "runtime/pyodide.js");

const REST_MS = 300; // delay from the first response to loading the rest of the package
const starting = start();
let isPrepared = false;

/* Report the progress of loading, from 0 to 1. */
function reportProgress(loaded) {
  postMessage({ loaded });
}

function load(name) {
  return fetch(name).then((answer) => inflate(answer.body));
}

/* Start Python, from a memory snapshot if there is one, and load the package. */
async function start() {
  reportProgress(0);
  const [archive, snapshot] = ["meihua.pack", "python.state"].map(load);
  const state = await snapshot;
  reportProgress(0.1);
  const saved = state.length ? { _loadSnapshot: state } : {};
  const runtime = await loadPyodide({ indexURL: "runtime/", ...saved });
  reportProgress(0.5);
  unpack(runtime.FS, await archive, runtime.runPython("import site; site.getsitepackages()[0]"));
  reportProgress(0.6);
  const backend = runtime.pyimport("xiangqi.web.site.backend").Backend();
  reportProgress(1);
  return backend;
}

/* Response messages of a request: status and type, then pieces, then the number alone. */
addEventListener("message", async ({ data: { number, isAbandoned, method, path, body } }) => {
  const backend = await starting;
  if (isAbandoned) {
    backend.abandon(number);
    return;
  }
  const begin = (status, kind) => postMessage({ number, status, kind });
  const write = (piece) => postMessage({ number, piece: piece.toJs() });
  await backend.answer(number, method, path, new Uint8Array(body), begin, write);
  postMessage({ number });
  if (!isPrepared) setTimeout(() => backend.prepare(), REST_MS);
  isPrepared = true;
});
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason; // so that the page gets an error event
});
