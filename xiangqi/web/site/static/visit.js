/* Pages of files of games on the static site: they have no URL, and are shown in an iframe. */

import { reach } from "./reach.js";
import { attempt } from "./requests.js";

let frame = null; // iframe with a page of a file of games
let shown = ""; // path of that page
let open = (place) => {}; // opens a game of a page's link on the board

/* Show a page of a file of games: it has no URL, and is written into an iframe over the board.
 * `openGame` opens a game on the board by its place, such as "1/en/000002". */
export async function visit(path, openGame) {
  open = openGame;
  const answer = await reach(path);
  shown = new URL(path, location.origin).pathname;
  window.reportPage = await answer.text(); // read by report.html
  frame?.remove();
  frame = document.createElement("iframe");
  Object.assign(frame, { className: "report", title: document.title, src: "report.html" });
  document.body.append(frame);
}

/* Follow a link of the iframe to a page of a file, or to the board ("/"). */
function follow(event) {
  const href = event.target.closest("a[href]")?.getAttribute("href");
  if (!href || href.startsWith("#")) return;
  event.preventDefault();
  const target = new URL(href, new URL(shown || "/", location.origin));
  if (target.pathname !== "/") {
    attempt(() => visit(target.pathname, open));
    return;
  }
  frame.remove();
  const place = target.searchParams.get("game");
  if (place) attempt(() => open(place));
}

window.onReport = (inner) => inner.addEventListener("click", follow); // by report.js
