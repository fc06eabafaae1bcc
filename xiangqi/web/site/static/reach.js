/* Connection without a server: a worker of this browser, in which the same package runs. Nothing
 * leaves the machine. */

import { attempt } from "./asking.js";
import { drawFiles } from "./opening.js";
import { page, word } from "./page.js";
import { described } from "./state.js";
import { fetchGame } from "./steps.js";

const worker = new Worker("worker.js");
const waiting = new Map(); // requests not answered in full yet, by number
let asked = 0;
let frame = null; // where the pages of a file of games are shown
let shown = ""; // which of them

/* One question, whose answer begins, comes in pieces, and ends. */
class Question {
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
  const question = waiting.get(number);
  if (!question) return; // nobody waits for it any more
  if (status) question.begin(status, kind);
  else if (piece) question.pieces.enqueue(piece);
  else question.end();
});
worker.addEventListener("error", () => {
  for (const question of waiting.values()) question.fail(new TypeError());
});

/* Interface of fetch: a Response, or an AbortError. */
export async function reach(path, { method = "GET", body = "", signal } = {}) {
  const bytes = await new Response(body).arrayBuffer(); // of a text or a file
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const question = new Question(asked++, resolve, reject);
    const { number } = question;
    worker.postMessage({ number, method, path: `/${path.replace(/^\//, "")}`, body: bytes });
    signal?.addEventListener("abort", () => {
      if (!waiting.has(number)) return;
      question.abandon();
      question.fail(new DOMException("", "AbortError"));
    });
  });
}

/* The pages of a file, which lie nowhere: each is written into an empty one over the board. */
export async function visit(path) {
  const answer = await reach(path);
  shown = new URL(path, location.origin).pathname;
  window.reportPage = await answer.text(); // report.html takes it from there
  frame?.remove();
  frame = document.createElement("iframe");
  Object.assign(frame, { className: "report", title: document.title, src: "report.html" });
  document.body.append(frame);
  listFile();
}

/* The file that is shown has its place in the list of open files. */
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

/* A link to such a page, on the board's page or on one of them; "/" leads back to the board. */
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

/* The pages in the frame report when they are there. */
function onReport(inner) {
  inner.addEventListener("click", follow.bind(inner));
}

document.addEventListener("click", follow.bind(document));
window.onReport = onReport;

/* Progress of the loading, in place of the game's state. */
function showLoading(loaded) {
  if (described.view) return;
  page("status").textContent = `${word("loading")} ${Math.round(100 * loaded)} %`;
  page("game").dataset.loaded = String(loaded);
}
showLoading(0);
