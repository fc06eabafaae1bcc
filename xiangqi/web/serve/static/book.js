/* Book moves of the current position. */

import { makeButton, page, setText } from "./page.js";
import { playListed } from "./steps.js";

let shown = { book: null, tree: null, node: 0 }; // the answer that is listed, and its position

function drawBook(state) {
  const { tree, node } = state.history;
  const book = state.view?.book;
  if (!book) return; // the server has no book, or has not answered yet
  if (book === shown.book && tree === shown.tree && node === shown.node) return;
  shown = { book, tree, node };
  const { moves, error } = book;
  setText("book-error", error?.message ?? "");
  page("no-book-moves").hidden = moves.length > 0 || Boolean(error);
  page("book").hidden = moves.length === 0;
  page("book").tBodies[0].replaceChildren(...moves.map((found) => bookRow(state, shown, found)));
}

function bookRow(state, place, found) {
  const row = document.createElement("tr");
  row.insertCell().append(makeButton(found.name, () => playListed(state, place, [found.move])));
  const counts = found.counts.some(Boolean) ? found.counts : ["", "", ""];
  for (const text of [found.weight, ...counts, found.note]) row.insertCell().textContent = text;
  if (!found.playable) {
    row.className = "unplayable";
    row.title = page("book").dataset.unplayable;
  }
  return row;
}

export function mount(state) {
  state.watch("draw", () => drawBook(state));
}
