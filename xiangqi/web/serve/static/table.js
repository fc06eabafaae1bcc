/* The board, in layers from the bottom up; board.js draws the parts. */

import { addElement, addPart, drawArrow, squareAt, squareCentre } from "./board.js";
import { labelsOfBoard } from "./requests.js";
import { page } from "./page.js";

const LAYERS = [
  "ground", "under", "pieces", "last-move", "arrows", "best", "better", "hint", "task-hint", "drawn",
  "marks", "cursor",
];
const ORIGIN = { x: 0, y: 0 };
const layers = {};
const shown = {}; // state of each drawn layer

/* Redraw a layer by `draw(layer)` if its content has changed. */
export function drawLayer(state, name, content, draw) {
  const drawing = JSON.stringify([content, state.flip]);
  if (drawing === shown[name]) return;
  shown[name] = drawing;
  layers[name].replaceChildren();
  draw(layers[name]);
}

function drawTable(state) {
  const { tree, node } = state.history;
  const { view, ruling } = state;
  const position = tree.position(node);
  const { move } = tree.nodes[node];
  const { flip } = state;
  const labels = labelsOfBoard();
  page("game").dataset.labels = labels;
  drawLayer(state, "ground", labels, (layer) => {
    addPart(layer, "empty-board", ORIGIN);
    addPart(layer, `labels-${flip ? "black" : "red"}${labels}`, ORIGIN);
  });
  drawLayer(state, "under", view?.check, (layer) => {
    if (!view?.check) return;
    addPart(layer, "mark-check", squareCentre(view.check, flip), { class: "check" });
  });
  placePieces(layers.pieces, position.pieces, flip);
  drawLayer(state, "last-move", move, (layer) => {
    for (const end of move ? [move.slice(0, 2), move.slice(2, 4)] : []) {
      addPart(layer, "mark-last", squareCentre(end, flip), { class: "last" });
    }
  });
  const arrows = page("arrows").checked && view ? (ruling.arrows[view.ply] || view.arrows) : [];
  const isShown = ({ from, to, kind }) => (state.mode === "referee" || kind === "check")
    && (!state.focus.length || state.focus.includes(from + to));
  const shownArrows = arrows.filter(isShown);
  drawLayer(state, "arrows", shownArrows, (layer) => {
    for (const arrow of shownArrows) drawArrow(layer, arrow, flip);
  });
}

/* Square at a pointer event. */
export function squareUnder(state, { clientX, clientY }) {
  return squareAt(page("table"), clientX, clientY, state.flip);
}

/* Element of the piece on a square. */
export function pieceOn(square) {
  return layers.pieces.querySelector(`[data-square="${square}"]`);
}

/* The pieces; those that move are animated. */

const GLIDE = { duration: 160, easing: "ease-out" };

/* Update the pieces of a layer to a map from squares to letters. */
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

/* Shift a dragged piece, in units of the drawing. */
export function drag(use, right, down) {
  if (!use.classList.contains("dragged")) use.parentNode.append(use); // above the others
  use.classList.add("dragged");
  use.setAttribute("transform", `translate(${right} ${down})`);
}

/* Return a dragged piece to its square; returns whether it was dragged. */
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
  if (!isAnimated()) return;
  use.parentNode.append(use); // above the others
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  use.animate([{ transform: start }, { transform: "none" }], GLIDE);
}

/* No animation if the user prefers reduced motion, or steps fast. */

const QUICK = 200; // milliseconds between two steps
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
let last = -Infinity;
let isQuick = false;

export function isAnimated() {
  return !isStill.matches && !isQuick;
}

/* Shapes: arrows and circles of the engine and of the user. */

/* Style of the engine's moves. */
export const ADVICE = { stroke: "#1a5583", dashes: "none" };

const WIDTH = 7;
const HEAD = 20;
const GAP = 16; // distance from the centre of the first square

/* Draw an arrow or a circle into a layer, styled by attributes only, for saved pictures. */
export function drawShape(state, layer, { color, from, to }, style) {
  const { stroke, dashes, width = WIDTH, title = "" } = style;
  const [tail, head] = [squareCentre(from, state.flip), squareCentre(to, state.flip)];
  const group = addElement(layer, "g", {
    class: "shape", opacity: 0.85, "data-color": color, "data-from": from, "data-to": to,
  });
  if (title) addElement(group, "title", {}).textContent = title;
  const line = { fill: "none", stroke, "stroke-width": width, "stroke-dasharray": dashes };
  if (from === to) {
    addElement(group, "circle", { cx: tail.x, cy: tail.y, r: 29, ...line });
    return;
  }
  // Drawn along the x axis with the head at the origin, then rotated and moved.
  const [right, down] = [head.x - tail.x, head.y - tail.y];
  const angle = (Math.atan2(down, right) * 180) / Math.PI;
  group.setAttribute("transform", `translate(${head.x} ${head.y}) rotate(${angle})`);
  const side = HEAD / 2 + width / 2;
  addElement(group, "path", { d: `M${GAP - Math.hypot(right, down)} 0H${-HEAD}`, ...line });
  addElement(group, "path", { d: `M-3 0L${-HEAD - 6} ${side}V${-side}Z`, fill: stroke });
}

export function mount(state) {
  for (const name of LAYERS) layers[name] = addElement(page("table"), "g", { "data-layer": name });
  state.watch("position", () => page("table").setAttribute("aria-busy", "true"));
  state.watch("draw", () => {
    drawTable(state);
    const { fen } = state.history.tree.position(state.history.node);
    if (fen !== shown.fen) page("fen").value = shown.fen = fen; // else the user may be typing there
    if (state.view) page("table").setAttribute("aria-busy", "false");
  });
  state.watch("position", () => {
    const now = performance.now();
    isQuick = now - last < QUICK;
    last = now;
  });
}
