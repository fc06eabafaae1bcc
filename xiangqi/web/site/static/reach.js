/* Connection to the backend of the static site: a web worker that runs the package. Nothing leaves
 * the machine. */

import { page, word } from "./page.js";

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map(); // pending requests by number
let count = 0;

/* A request whose response is streamed. */
class PendingRequest {
  constructor(number, resolve, reject) {
    Object.assign(this, { number, resolve, reject, pieces: null });
    waiting.set(number, this);
  }

  begin(status, kind) {
    const body = new ReadableStream({
      start: (pieces) => { this.pieces = pieces; },
      cancel: () => this.abandon(),
    });
    this.resolve(new Response(body, { status, headers: { "Content-Type": kind } }));
  }

  end() {
    waiting.delete(this.number);
    this.pieces.close();
  }

  fail(error) {
    waiting.delete(this.number);
    this.reject(error);
    this.pieces?.error(error);
  }

  abandon() {
    waiting.delete(this.number);
    worker.postMessage({ number: this.number, isAbandoned: true });
  }
}

worker.addEventListener("message", ({ data: { loaded, number, status, kind, piece } }) => {
  if (loaded !== undefined) {
    showLoading(loaded);
    return;
  }
  const request = waiting.get(number);
  if (!request) return; // abandoned
  if (status) request.begin(status, kind);
  else if (piece) request.pieces.enqueue(piece);
  else request.end();
});
worker.addEventListener("error", () => {
  for (const request of waiting.values()) request.fail(new TypeError());
});

/* Fetch a path, as `fetch` does: returns a Response, throws an AbortError. */
export async function reach(path, { method = "GET", body = "", signal } = {}) {
  const bytes = await new Response(body).arrayBuffer(); // `body` is a text or a file
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new PendingRequest(count++, resolve, reject);
    const { number } = request;
    worker.postMessage({ number, method, path: `/${path.replace(/^\//, "")}`, body: bytes });
    signal?.addEventListener("abort", () => {
      if (!waiting.has(number)) return;
      request.abandon();
      request.fail(new DOMException("", "AbortError"));
    });
  });
}

/* Show the progress of loading in place of the game's state; at its end keep the site's files. */
function showLoading(loaded) {
  if (loaded === 1) navigator.serviceWorker?.register("offline.js").catch(() => {}); // not over http
  if (page("table").getAttribute("aria-busy") === "false") return;
  page("status").textContent = `${word("loading")} ${Math.round(100 * loaded)} %`;
  page("game").dataset.loaded = String(loaded);
}
showLoading(0);
