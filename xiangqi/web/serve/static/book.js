/* Book moves of the current position. */

import { makeButton, page, setText } from "./page.js";
import { play } from "./steps.js";

function drawBook(state) {
  if (!state.view?.book) return; // the server has no book
  const { moves, error } = state.view.book;
  setText("book-error", error?.message ?? "");
  page("no-book-moves").hidden = moves.length > 0 || Boolean(error);
  page("book").hidden = moves.length === 0;
  page("book").tBodies[0].replaceChildren(...moves.map((found) => bookRow(state, found)));
}

function bookRow(state, found) {
  const row = document.createElement("tr");
  row.insertCell().append(makeButton(found.name, () => play(state, found.move)));
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
