/* The moves of a ruling's cycle with their reasons; equal moves of several rounds are one item. */

import { notation } from "./requests.js";
import { make, makeButton, page, word } from "./page.js";
import { goTo } from "./steps.js";

/** @typedef {import("./state.js").CycleMove} CycleMove */

/** @type {CycleMove[] | null} */
let shown = null;

/* List the moves of the cycle; a click shows a move or an attack on the board.
 * @param {CycleMove[]} moves */
export function drawEvidence(state, moves) {
  if (moves !== shown) {
    shown = moves;
    page("evidence").replaceChildren(...moves.map((move) => evidenceItem(state, move)));
  }
  const { tree, node } = state.history;
  const ply = tree.path(node).length - 1;
  for (const button of page("evidence").querySelectorAll("button")) {
    const { plies, arrows } = button.dataset;
    const isPlayed = plies.split(" ").includes(String(ply));
    if (isPlayed && (arrows ?? "") === state.focus.join()) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

/* Show a move of the cycle, the last one of equal moves unless another is shown, and its arrows. */
function show(state, plies, arrows) {
  const { tree, node } = state.history;
  const line = tree.line(node);
  const now = line.indexOf(node);
  goTo(state, line[plies.includes(now) ? now : plies.at(-1)]);
  state.focus = arrows;
  state.redraw();
}

/** @param {any} state
 * @param {CycleMove} move */
function evidenceItem(state, { plies, rounds, mark, name, sentences }) {
  const { tree, node } = state.history;
  const id = tree.line(node)[plies[0]];
  const choose = (text, arrows) => {
    const button = makeButton(text, () => show(state, plies, arrows));
    button.dataset.plies = plies.join(" ");
    if (arrows.length) button.dataset.arrows = arrows.join();
    return button;
  };
  const items = (wanted) => sentences.filter(({ weighs }) => weighs === wanted).map(({ text, arrows }) => {
    const sentence = text.charAt(0).toUpperCase() + text.slice(1);
    return make("li", {}, arrows.length ? choose(sentence, arrows) : sentence);
  });
  const [weighty, others] = [items(true), items(false)];
  const rest = others.length && make("details", { className: "quiet small" },
    make("summary", { textContent: `${word("otherAttacks")}${others.length}` }), make("ul", {}, ...others));
  const conduct = make("span", { className: "conduct", textContent: name });
  conduct.dataset.conduct = mark;
  const head = make("p", {}, choose(tree.name(id, notation()), []), conduct,
    make("small", { className: "quiet", textContent: rounds }));
  return make("li", {}, head, make("ul", {}, ...weighty), rest || "");
}
