/* What the opening book has for the present position. */

import { page, setText } from "./page.js";
import { told, watch } from "./state.js";
import { play } from "./steps.js";

/* `book` is a part of an answer of /api/position, null where there is no book. */
function drawBook(book, onChoose) {
  if (!book) return;
  const { moves, error } = book;
  setText("book-error", error);
  page("no-book-moves").hidden = moves.length > 0 || Boolean(error);
  page("book").hidden = moves.length === 0;
  page("book").tBodies[0].replaceChildren(...moves.map((found) => bookRow(found, onChoose)));
}

function bookRow(found, onChoose) {
  const row = document.createElement("tr");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = found.name;
  button.addEventListener("click", () => onChoose(found.move));
  row.insertCell().append(button);
  const counts = found.counts.some(Boolean) ? found.counts : ["", "", ""];
  for (const text of [found.weight, ...counts, found.note]) row.insertCell().textContent = text;
  if (!found.playable) {
    row.className = "unplayable";
    row.title = page("book").dataset.unplayable;
  }
  return row;
}

watch("draw", () => {
  if (told.view) drawBook(told.view.book, play);
});
