/* The package in the browser: Pyodide (https://pyodide.org) runs it, in a thread of its own. */
"use strict";

const answering = start();

/* Report the progress of loading to the page, from 0 to 1. */
function tell(loaded) {
  postMessage({ loaded });
}

async function start() {
  tell(0);
  const packing = fetch("meihua.zip").then((answer) => answer.arrayBuffer());
  importScripts("runtime/pyodide.js");
  tell(0.1);
  const runtime = await loadPyodide({ indexURL: "runtime/" });
  tell(0.6);
  runtime.unpackArchive(await packing, "wheel");
  tell(0.7);
  const answers = runtime.pyimport("xiangqi.web.site.answers").Answering();
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
});
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason; // so that the page hears of it
});
