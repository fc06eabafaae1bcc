/* Rulings on the shown position and line. */

import { attempt, callApi, notation } from "./requests.js";
import { make, makeButton, onClick, page, setText, word } from "./page.js";
import { openDialog } from "./shell.js";
import { described, game, redraw, update, watch } from "./state.js";
import { goTo } from "./steps.js";

/* First and last index of a ruling's cycle in its line; undefined without a cycle. */
export function cycleOf(ruling) {
  return ruling?.ruling?.window;
}

let shownEvidence = null;

function drawRuling({ view, ruling }) {
  const isDecided = Boolean(ruling?.result);
  const isHere = isDecided && ruling.ply === view.ply;
  const offender = ruling?.ruling?.offender ?? "";
  const isRuled = Boolean(view.outcome && ruling?.ruling);
  page("status").parentElement.dataset.offender = isRuled ? offender || "none" : "";
  setText("warning", view.counters.length ? "" : view.warning);
  drawCounters(view.counters);
  page("no-ruling").hidden = isDecided;
  page("ruling").hidden = !isDecided;
  if (!isDecided) return;
  page("badge").dataset.side = offender;
  setText("badge", ruling.ruling && word(offender ? `${offender}Changes` : "nobodyChanges"));
  setText("verdict", isHere ? "" : ruling.verdict);
  setText("case", ruling.case);
  page("cycle").hidden = page("copy").hidden = page("case-details").hidden = !ruling.ruling;
  drawEvidence(ruling.evidence);
}

/* Show the rounds of each offence as a meter, up to the number allowed. */
function drawCounters(counters) {
  page("counters").hidden = !counters.length;
  page("counters").replaceChildren(...counters.map(({ text, rounds, allowed }) => make("li", {},
    make("span", { textContent: text }),
    make("meter", { min: 0, max: allowed, value: rounds, high: allowed * 0.7, optimum: 0, ariaLabel: text }))));
}

/* List the moves of the cycle with their attacks; a click shows a move or an attack on the board. */
function drawEvidence(evidence) {
  if (evidence !== shownEvidence) {
    shownEvidence = evidence;
    page("evidence").replaceChildren(...evidence.map(evidenceItem));
  }
  const { tree, node } = game.history;
  const ply = tree.path(node).length;
  for (const button of page("evidence").querySelectorAll("button")) {
    const { ply: own, arrows } = button.dataset;
    const isShown = Number(own) === ply && (arrows ?? "") === game.focus.join();
    if (isShown) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

function evidenceItem({ ply, mark, name, lines }) {
  const { tree, node } = game.history;
  const id = tree.line(node)[ply - 1];
  const show = (arrows) => () => {
    goTo([0, ...tree.line(game.history.node)][ply]);
    game.focus = arrows;
    redraw();
  };
  const move = makeButton(tree.name(id, notation()), show([]));
  move.dataset.ply = ply;
  const items = (wanted) => lines.filter(({ weighs }) => weighs === wanted).map(({ text, arrows }) => {
    if (!arrows.length) return make("li", { textContent: text });
    const button = makeButton(text, show(arrows));
    Object.assign(button.dataset, { ply, arrows: arrows.join() });
    return make("li", {}, button);
  });
  const [weighty, others] = [items(true), items(false)];
  const rest = others.length && make("details", { className: "quiet small" },
    make("summary", { textContent: `${word("otherAttacks")}${others.length}` }), make("ul", {}, ...others));
  const conduct = make("span", { className: "conduct", textContent: name });
  conduct.dataset.conduct = mark;
  return make("li", {}, make("span", { className: "quiet", textContent: tree.number(id) }), move,
    make("div", {}, conduct, make("ul", {}, ...weighty), rest || ""));
}

/* Compare the rulings of all rule sets, while their dialog is open. */
function compareBooks() {
  if (!page("books-dialog").open) return;
  attempt(async () => {
    const { view } = described;
    const { tree, node } = game.history;
    const line = { fen: tree.fen, moves: tree.moves(tree.line(node)) };
    const found = await (await callApi("books", line)).json();
    if (view === described.view) drawBooks(found);
  });
}

/* Draw a response of /api/books as a table; rule sets have their titles and names. */
function drawBooks({ head, rows, names, differences }) {
  const cells = (kind, texts) => texts.map((textContent) => make(kind, { textContent }));
  page("books").replaceChildren(make("tr", {}, ...cells("th", head)), ...rows.map((texts, place) => {
    const line = make("tr", { className: place ? "" : "own" }, ...cells("td", texts));
    line.cells[0].append(" ", make("small", { className: "quiet", textContent: names[place] }));
    return line;
  }));
  page("differences-title").hidden = !differences.length;
  page("differences").replaceChildren(...cells("li", differences));
}

watch("position", () => {
  game.focus = [];
  setText("case-copied", "");
});
watch("answer", compareBooks);
watch("draw", () => {
  if (described.view) drawRuling(described);
});
onClick("cycle", () => {
  const { tree, node } = game.history;
  goTo([0, ...tree.line(node)][cycleOf(described.ruling)[0]]);
});
onClick("copy", () => attempt(async () => {
  await navigator.clipboard.writeText(described.ruling.case);
  setText("case-copied", word("copied"));
}));
onClick("books-open", () => {
  openDialog("books-dialog", { isModal: false });
  page("game").dataset.covered = "";
  compareBooks();
});
page("books-dialog").addEventListener("close", () => { delete page("game").dataset.covered; });
page("rules").addEventListener("change", () => {
  game.rules = page("rules").value;
  update();
});
page("notation").addEventListener("change", () => update());
