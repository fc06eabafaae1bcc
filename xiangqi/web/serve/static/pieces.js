/* The pieces on the board: whoever stays is left alone, whoever moves glides there. */

import { isLively } from "./motion.js";

const GLIDE = { duration: 160, easing: "ease-out" };

/* Make the pieces in a layer of the board those of a map from squares to letters. */
export function placePieces(layer, pieces, flip) {
  const before = new Map([...layer.children].map((use) => [use.dataset.square, use]));
  const wasFlipped = layer.dataset.flip === "true";
  const stays = (square) => before.get(square)?.dataset.piece === pieces.get(square);
  const leaving = [...before].filter(([square]) => !stays(square)).map(([, use]) => use);
  for (const [square, letter] of pieces) {
    if (stays(square)) {
      if (flip !== wasFlipped) putAt(before.get(square), square, flip);
      continue;
    }
    const mover = leaving.findIndex((use) => use.dataset.piece === letter);
    const use = mover < 0 ? addPiece(layer, letter) : leaving.splice(mover, 1)[0];
    const origin = mover < 0 || flip !== wasFlipped ? null : use.dataset.square;
    const wasDragged = release(use);
    putAt(use, square, flip);
    if (origin && !wasDragged) glide(use, squareCentre(origin, flip), squareCentre(square, flip));
  }
  for (const use of leaving) use.remove();
  layer.dataset.flip = flip;
}

function addPiece(layer, letter) {
  const properties = { class: "piece", "data-piece": letter };
  return addPart(layer, `piece-${letter}`, { x: 0, y: 0 }, properties);
}

/* Have a piece follow the pointer, by so much in the drawing's units. */
export function drag(use, right, down) {
  if (!use.classList.contains("dragged")) use.parentNode.append(use); // above the others
  use.classList.add("dragged");
  use.setAttribute("transform", `translate(${right} ${down})`);
}

/* A piece that was dragged stands on its square again. Whether it was. */
export function release(use) {
  const wasDragged = use.classList.contains("dragged");
  use.classList.remove("dragged");
  use.removeAttribute("transform");
  return wasDragged;
}

function putAt(use, square, flip) {
  const { x, y } = squareCentre(square, flip);
  for (const animation of use.getAnimations()) animation.cancel();
  use.setAttribute("x", x);
  use.setAttribute("y", y);
  use.dataset.square = square;
}

function glide(use, from, to) {
  if (!isLively()) return;
  use.parentNode.append(use); // above the others
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  use.animate([{ transform: start }, { transform: "none" }], GLIDE);
}
