/* Captured pieces beside the names, at the side that took them. */

import { addElement } from "./board.js";
import { page, word } from "./page.js";

const ORDER = "RNCBAPK"; // from the most valuable piece on
const STEP = 34; // units of the drawing between two pieces
const SIZE = 64; // of a piece

let shown = "";

/* Letters of the pieces that have gone since the starting position. */
function lostPieces({ tree, node }) {
  const left = [...tree.position(node).pieces.values()];
  return [...tree.position(0).pieces.values()].filter((letter) => {
    const place = left.indexOf(letter);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

function drawTaken(state) {
  const lost = lostPieces(state.history);
  const content = JSON.stringify([lost, state.flip]);
  if (content === shown) return;
  shown = content;
  const value = (letter) => ORDER.indexOf(letter.toUpperCase());
  lost.sort((a, b) => value(a) - value(b));
  for (const [place, isRed] of [["upper", state.flip], ["lower", !state.flip]]) {
    const taken = lost.filter((letter) => (letter === letter.toLowerCase()) === isRed);
    const svg = page(`${place}-taken`);
    svg.replaceChildren();
    svg.toggleAttribute("hidden", !taken.length);
    svg.setAttribute("viewBox", `0 0 ${SIZE + STEP * Math.max(0, taken.length - 1)} ${SIZE}`);
    svg.setAttribute("aria-label", `${word("taken")} ${taken.length}`);
    taken.forEach((letter, index) => {
      addElement(svg, "use", { href: `#piece-${letter}`, x: SIZE / 2 + STEP * index, y: SIZE / 2 });
    });
  }
}

export function mount(state) {
  state.watch("draw", () => drawTaken(state));
}
