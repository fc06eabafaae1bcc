/* Pages of files of games on the static site: they have no URL, and are shown in an iframe. */

import { reach } from "./reach.js";
import { attempt } from "./requests.js";
import { fetchGame } from "./steps.js";

let frame = null; // iframe with a page of a file of games
let shown = ""; // path of that page

/* Show a page of a file of games: it has no URL, and is written into an iframe over the board. */
export async function visit(path) {
  const answer = await reach(path);
  shown = new URL(path, location.origin).pathname;
  window.reportPage = await answer.text(); // read by report.html
  frame?.remove();
  frame = document.createElement("iframe");
  Object.assign(frame, { className: "report", title: document.title, src: "report.html" });
  document.body.append(frame);
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
