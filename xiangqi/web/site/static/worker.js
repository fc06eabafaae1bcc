/* The package in the browser: Pyodide (https://pyodide.org) runs it, in a thread of its own. */
"use strict";

importScripts("runtime/pyodide.js");

const abandoned = new Set();
const answering = start();

async function start() {
  const [runtime, packed] = await Promise.all([
    loadPyodide({ indexURL: "runtime/" }),
    fetch("meihua.zip").then((answer) => answer.arrayBuffer()),
  ]);
  runtime.unpackArchive(packed, "wheel");
  return runtime.pyimport("xiangqi.web.site.answers").Answering();
}

addEventListener("message", async ({ data: { number, isAbandoned, method, path, body } }) => {
  if (isAbandoned) {
    abandoned.add(number);
    return;
  }
  const bytes = new Uint8Array(body);
  const found = await (await answering).answer(method, path, bytes, () => abandoned.has(number));
  const [status, kind, content] = found.toJs();
  found.destroy();
  abandoned.delete(number);
  postMessage({ number, status, kind, body: content });
});
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason; // so that the page hears of it
});
