/* The package in the browser: Pyodide (https://pyodide.org) runs it, in a thread of its own. */
"use strict";

importScripts("unpack.js", "runtime/pyodide.js");

const REST_MS = 300; // after the first answer the rest of the package is loaded
const answering = start();
let isPrepared = false;

/* Report the progress of loading to the page, from 0 to 1. */
function tell(loaded) {
  postMessage({ loaded });
}

function load(name) {
  return fetch(name).then((answer) => inflate(answer.body));
}

/* The state of Python, if there is one, is that after it has begun and imported its own library. */
async function start() {
  tell(0);
  const [packing, begun] = ["meihua.pack", "python.state"].map(load);
  const state = await begun;
  tell(0.1);
  const saved = state.length ? { _loadSnapshot: state } : {};
  const runtime = await loadPyodide({ indexURL: "runtime/", ...saved });
  tell(0.5);
  unpack(runtime.FS, await packing, runtime.runPython("import site; site.getsitepackages()[0]"));
  tell(0.6);
  const answers = runtime.pyimport("xiangqi.web.site.backend").Backend();
  tell(1);
  return answers;
}

/* A question is answered by its status, then by pieces, then by its number alone. */
addEventListener("message", async ({ data: { number, isAbandoned, method, path, body } }) => {
  const answers = await answering;
  if (isAbandoned) {
    answers.abandon(number);
    return;
  }
  const begin = (status, kind) => postMessage({ number, status, kind });
  const write = (piece) => postMessage({ number, piece: piece.toJs() });
  await answers.answer(number, method, path, new Uint8Array(body), begin, write);
  postMessage({ number });
  if (!isPrepared) setTimeout(() => answers.prepare(), REST_MS);
  isPrepared = true;
});
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason; // so that the page hears of it
});
