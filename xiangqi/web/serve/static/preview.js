/* A small board at a move of a line under the pointer. An element with `data-preview="node move ..."`
 * shows the position after these moves from a node of the game. */

import { drawBoard } from "./board.js";
import { page } from "./page.js";
import { labelsOfBoard } from "./requests.js";

const GAP = 8; // pixels between the element and the board

function showBoard(state, element) {
  const [node, ...moves] = element.dataset.preview.split(" ");
  const { tree } = state.history;
  if (!tree.nodes[node]) return;
  const position = moves.reduce((before, move) => before.play(move), tree.position(Number(node)));
  const { flip } = state;
  drawBoard(page("preview-board"), position.fen, { lastMove: moves.at(-1), flip, labels: labelsOfBoard() });
  const preview = page("preview");
  preview.hidden = false;
  const { left, top, bottom } = element.getBoundingClientRect();
  const { width, height } = preview.getBoundingClientRect();
  const isBelow = bottom + GAP + height <= innerHeight;
  preview.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  preview.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - height)}px`;
}

function hide() {
  page("preview").hidden = true;
}

export function mount(state) {
  page("panel").addEventListener("pointerover", ({ target, pointerType }) => {
    const element = pointerType === "mouse" ? target.closest("[data-preview]") : null;
    if (element) showBoard(state, element);
    else hide();
  });
  page("panel").addEventListener("pointerleave", hide);
  state.watch("position", hide);
}
