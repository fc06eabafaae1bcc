/* The package in the browser: Pyodide (https://pyodide.org) runs it, in a thread of its own. */
"use strict";

importScripts("runtime/pyodide.js");

const answering = start();

async function start() {
  const [runtime, packed] = await Promise.all([
    loadPyodide({ indexURL: "runtime/" }),
    fetch("meihua.zip").then((answer) => answer.arrayBuffer()),
  ]);
  runtime.unpackArchive(packed, "wheel");
  return runtime.pyimport("xiangqi.web.site.answers").Answering();
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
