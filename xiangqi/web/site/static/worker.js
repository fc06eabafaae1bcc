/* Web worker that runs the package in Pyodide (https://pyodide.org). */

import create from "./pyodide.js";
import { addPack, fetchPack, loadPython } from "./python.js";
import { SIZE } from "./size.js";

const REST_MS = 300; // delay from the first response to loading the rest of the package
const abandoned = new Set(); // numbers of requests that wait for it
let arrived = 0; // bytes of the packs of board and referee
let rest = null; // promise of the rest
const starting = start();

/* Report the progress of loading, from 0 to 1. */
function reportProgress(loaded) {
  postMessage({ loaded });
}

function load(name, count) {
  return fetchPack(new URL(`./${name}.pack`, import.meta.url), count);
}

/* Start Python with board and referee. */
async function start() {
  reportProgress(0);
  const count = (length) => {
    arrived += length;
    reportProgress(0.9 * Math.min(1, arrived / SIZE));
  };
  const python = await loadPython(create, load("python", count), load("board", count));
  const backend = python.pyimport("xiangqi.web.site.backend").Backend();
  reportProgress(1);
  return { python, backend };
}

/* Load the rest of the package, once. */
function loadRest() {
  rest ??= starting.then(async ({ python, backend }) => {
    await addPack(python, load("rest", () => {}));
    backend.prepare();
  });
  return rest;
}

/* Response messages of a request: status and type, then pieces, then the number alone. */
addEventListener("message", async ({ data: { number, isAbandoned, method, path, body } }) => {
  const { backend } = await starting;
  if (isAbandoned) {
    abandoned.add(number);
    backend.abandon(number);
    return;
  }
  if (backend.needs_all(path)) await loadRest();
  if (abandoned.delete(number)) return;
  const begin = (status, kind) => postMessage({ number, status, kind });
  const write = (piece) => postMessage({ number, piece: piece.toJs() });
  await backend.answer(number, method, path, new Uint8Array(body), begin, write);
  abandoned.delete(number);
  postMessage({ number });
  setTimeout(loadRest, REST_MS);
});
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason; // so that the page gets an error event
});
