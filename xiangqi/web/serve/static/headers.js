/* Who plays where and when, and how it ended. */

import { setDatum } from "./edits.js";
import { page, word } from "./page.js";
import { game, watch } from "./state.js";
import { annotate } from "./steps.js";

const FIELDS = document.querySelectorAll("#headers [data-header]");

function onChange({ target }) {
  const { tree } = game.history;
  const { header } = target.dataset;
  const headers = { ...tree.headers };
  delete headers[header];
  const value = target.value.trim();
  if (value) headers[header] = value;
  const end = tree.line(0).at(-1) ?? 0; // a result is one of the main line as it is now
  annotate([
    ...setDatum(tree, null, "headers", headers),
    ...(header === "Result" ? setDatum(tree, null, "end", end) : []),
  ]);
}

/* The names stand at the board, each on its side. */
function drawNames() {
  const { headers } = game.history.tree;
  const names = { red: headers.Red || word("red"), black: headers.Black || word("black") };
  for (const [place, side] of [["upper", game.flip], ["lower", !game.flip]]) {
    const color = side ? "red" : "black";
    page(`${place}-name`).textContent = names[color];
    page(`${place}-name`).className = `name ${color}`;
  }
}

for (const field of FIELDS) field.addEventListener("change", onChange);
watch("draw", () => {
  drawNames();
  const { headers } = game.history.tree;
  for (const field of FIELDS) {
    if (field !== document.activeElement) field.value = headers[field.dataset.header] ?? "";
  }
});
