/* Headers: players, place, time and result. */

import { all, page, word } from "./page.js";
import { annotate } from "./steps.js";
import { setDatum } from "./tree.js";

const FIELDS = all("#headers [data-header]");

function onChange(state, { target }) {
  const { tree } = state.history;
  const { header } = target.dataset;
  const headers = { ...tree.headers };
  delete headers[header];
  const value = target.value.trim();
  if (value) headers[header] = value;
  const end = tree.line(0).at(-1) ?? 0; // a result holds for the main line as it is now
  annotate(state, [
    ...setDatum(tree, null, "headers", headers),
    ...(header === "Result" ? setDatum(tree, null, "end", end) : []),
  ]);
}

/* Show the players' names above and below the board. */
function drawNames(state) {
  const { headers } = state.history.tree;
  const names = { red: headers.Red || word("red"), black: headers.Black || word("black") };
  for (const [place, isRed] of [["upper", state.flip], ["lower", !state.flip]]) {
    const color = isRed ? "red" : "black";
    page(`${place}-name`).textContent = names[color];
    page(`${place}-name`).className = `name ${color}`;
  }
}

export function mount(state) {
  for (const field of FIELDS) field.addEventListener("change", (event) => onChange(state, event));
  state.watch("draw", () => {
    drawNames(state);
    const { headers } = state.history.tree;
    for (const field of FIELDS) {
      if (field !== document.activeElement) field.value = headers[field.dataset.header] ?? "";
    }
  });
}
