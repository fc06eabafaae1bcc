/* How the page reaches what answers it where there is no server: a worker of this browser, in which
 * the same package runs. Nothing leaves the machine. */

import { attempt } from "./asking.js";
import { drawFiles } from "./files.js";
import { page, word } from "./page.js";
import { fetchGame } from "./steps.js";

const worker = new Worker("worker.js");
const waiting = new Map(); // what is asked for and not answered yet, by number
let asked = 0;
let frame = null; // where the pages of a file of games are shown
let shown = ""; // which of them

function settle(number, settling) {
  const question = waiting.get(number);
  waiting.delete(number);
  if (question) settling(question);
}

worker.addEventListener("message", ({ data: { number, status, kind, body } }) => {
  const answer = () => new Response(body, { status, headers: { "Content-Type": kind } });
  settle(number, ({ resolve }) => resolve(answer()));
});
worker.addEventListener("error", () => {
  for (const number of waiting.keys()) settle(number, ({ reject }) => reject(new TypeError()));
});

/* As fetch does it: the answer as a Response, or an AbortError. */
export async function reach(path, { method = "GET", body = "", signal } = {}) {
  const number = asked++;
  const bytes = await new Response(body).arrayBuffer(); // of a text or a file
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    worker.postMessage({ number, method, path: `/${path.replace(/^\//, "")}`, body: bytes });
    signal?.addEventListener("abort", () => {
      worker.postMessage({ number, isAbandoned: true });
      settle(number, () => reject(new DOMException("", "AbortError")));
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

/* The pages in the frame tell when they are there. */
function onReport(inner) {
  inner.addEventListener("click", follow.bind(inner));
}

document.addEventListener("click", follow.bind(document));
window.onReport = onReport;
page("status").textContent = word("loading");
