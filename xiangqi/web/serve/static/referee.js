/* Rulings on the shown position and line. */

import { attempt, callApi } from "./requests.js";
import { drawEvidence } from "./evidence.js";
import { make, onClick, page, setText, word } from "./page.js";
import { openDialog } from "./shell.js";
import { goTo, goToRuling } from "./steps.js";

/* First and last index of a ruling's cycle in its line; undefined without a cycle. */
export function cycleOf(ruling) {
  return ruling?.ruling?.window;
}

function drawRuling(state) {
  const { view, ruling } = state;
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
  setText("case", ruling.explanation?.text ?? "");
  page("cycle").hidden = page("copy").hidden = page("case-details").hidden = !ruling.ruling;
  drawEvidence(state, ruling.explanation?.moves ?? []);
}

/* Show the rounds of each offence as a meter, up to the number allowed. */
function drawCounters(counters) {
  page("counters").hidden = !counters.length;
  page("counters").replaceChildren(...counters.map(({ text, rounds, allowed }) => make("li", {},
    make("span", { textContent: text }),
    make("meter", { min: 0, max: allowed, value: rounds, high: allowed * 0.7, optimum: 0, ariaLabel: text }))));
}

/* Compare the rulings of all rule sets, while their dialog is open. */
function compareBooks(state) {
  if (!page("books-dialog").open) return;
  attempt(async () => {
    const { view } = state;
    const { tree, node } = state.history;
    const line = { fen: tree.fen, moves: tree.moves(tree.line(node)) };
    const found = await (await callApi(state, "books", line)).json();
    if (view === state.view) drawBooks(found);
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

export function mount(state) {
  state.watch("position", () => {
    state.focus = [];
    setText("case-copied", "");
  });
  state.watch("answer", () => compareBooks(state));
  state.watch("draw", () => {
    if (state.view) drawRuling(state);
  });
  onClick("cycle", () => {
    const { tree, node } = state.history;
    goTo(state, [0, ...tree.line(node)][cycleOf(state.ruling)?.[0]]);
  });
  onClick("to-ruling", () => goToRuling(state));
  onClick("copy", () => attempt(async () => {
    const { explanation } = state.ruling;
    if (!explanation) return; // the button stays until the next frame
    await navigator.clipboard.writeText(explanation.text);
    setText("case-copied", word("copied"));
  }));
  onClick("books-open", () => {
    openDialog("books-dialog", { isModal: false });
    page("game").dataset.covered = "";
    compareBooks(state);
  });
  page("books-dialog").addEventListener("close", () => { delete page("game").dataset.covered; });
  page("rules").addEventListener("change", () => {
    state.rules = page("rules").value;
    state.update();
  });
  page("notation").addEventListener("change", () => state.update());
}
