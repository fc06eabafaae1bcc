/* Connection to the backend of the static site: a web worker that runs the package. Nothing leaves
 * the machine. */

import { attempt } from "./requests.js";
import { drawFiles } from "./opening.js";
import { page, word } from "./page.js";
import { described } from "./state.js";
import { fetchGame } from "./steps.js";

const worker = new Worker("worker.js");
const waiting = new Map(); // pending requests by number
let count = 0;
let frame = null; // iframe with a page of a file of games
let shown = ""; // path of that page

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

/* Show a page of a file of games: it has no URL, and is written into an iframe over the board. */
export async function visit(path) {
  const answer = await reach(path);
  shown = new URL(path, location.origin).pathname;
  window.reportPage = await answer.text(); // read by report.html
  frame?.remove();
  frame = document.createElement("iframe");
  Object.assign(frame, { className: "report", title: document.title, src: "report.html" });
  document.body.append(frame);
  listFile();
}

/* Add the file of the shown page to the list of open files. */
function listFile() {
  const [, , file, language] = shown.split("/");
  if (page("files").querySelector(`[data-file="${file}"]`)) return;
  const item = document.createElement("li");
  const link = document.createElement("a");
  const close = document.createElement("button");
  item.dataset.file = file;
  link.href = `games/${file}/${language}/index.html`;
  link.textContent = page("file").files[0]?.name ?? file;
  Object.assign(close, { type: "button", textContent: word("close") });
  item.append(link, " ", close);
  page("files").append(item);
  drawFiles();
}

/* Follow a link to a page of a file, on the board page or in the iframe; "/" is the board. */
function follow(event) {
  const href = event.target.closest("a[href]")?.getAttribute("href");
  if (!href || href.startsWith("#") || !(this !== document || href.startsWith("games/"))) return;
  event.preventDefault();
  const target = new URL(href, new URL(shown || "/", location.origin));
  if (target.pathname !== "/") {
    attempt(() => visit(target.pathname));
    return;
  }
  frame.remove();
  const place = target.searchParams.get("game");
  if (place) attempt(() => fetchGame(place));
}

document.addEventListener("click", follow.bind(document));
window.onReport = (inner) => inner.addEventListener("click", follow.bind(inner)); // by report.js

/* Show the progress of loading in place of the game's state. */
function showLoading(loaded) {
  if (described.view) return;
  page("status").textContent = `${word("loading")} ${Math.round(100 * loaded)} %`;
  page("game").dataset.loaded = String(loaded);
}
showLoading(0);
