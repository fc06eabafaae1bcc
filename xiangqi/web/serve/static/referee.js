/* What the rules say of the position, and of the line that it stands in. */

import { ask, attempt } from "./asking.js";
import { make, onClick, page, setText } from "./page.js";
import { game, presentMoves, told, update, watch } from "./present.js";
import { goTo } from "./steps.js";

/* The first and the last place of a ruling's cycle in its line, if there is one. */
export function cycleOf(ruling) {
  return ruling?.ruling?.window;
}

function drawRuling({ view, ruling }) {
  setText("status", view.status);
  setText("warning", view.warning);
  const isDecided = Boolean(ruling && ruling.result);
  page("ruling").hidden = !isDecided;
  if (!isDecided) return;
  setText("verdict", ruling.ply === view.ply ? "" : ruling.verdict);
  setText("case", ruling.case);
  page("cycle").hidden = page("case-details").hidden = !ruling.ruling;
}

/* Every rule book's view of the present position, where somebody looks at it. */
function compareBooks() {
  if (!page("books-details").open) return;
  attempt(async () => {
    const { view } = told;
    const found = await (await ask("books", presentMoves())).json();
    if (view === told.view) drawBooks(found);
  });
}

/* What every rule book says: an answer of /api/books. */
function drawBooks({ head, rows, differences }) {
  const line = (kind, cells) => make("tr", {}, ...cells.map((text) => withText(kind, text)));
  page("books").replaceChildren(line("th", head), ...rows.map((cells) => line("td", cells)));
  page("differences").replaceChildren(...differences.map((text) => withText("li", text)));
}

function withText(kind, text) {
  return make(kind, { textContent: text });
}

watch("answer", compareBooks);
watch("draw", () => {
  if (told.view) drawRuling(told);
});
onClick("cycle", () => {
  const { tree, node } = game.history;
  goTo([0, ...tree.line(node)][cycleOf(told.ruling)[0]]);
});
onClick("copy", () => attempt(() => navigator.clipboard.writeText(told.ruling.case)));
page("rules").addEventListener("change", () => {
  game.rules = page("rules").value;
  update();
});
page("notation").addEventListener("change", () => update());
page("books-details").addEventListener("toggle", compareBooks);
