/* The board, in layers from the bottom up; board.js draws the parts. */

import { labelsOfBoard } from "./requests.js";
import { barredOf, hand, targetsOf } from "./hand.js";
import { onClick, onKey, page, word } from "./page.js";
import { currentNode, described, game, redraw, watch } from "./state.js";
import { annotate } from "./steps.js";
import { readRemark, setDatum, withShapes } from "./tree.js";

const LAYERS = [
  "ground", "under", "pieces", "last-move", "arrows", "best", "better", "hint", "task-hint", "drawn",
  "marks", "cursor",
];
const ORIGIN = { x: 0, y: 0 };
const layers = {};
const shown = {}; // state of each drawn layer

for (const name of LAYERS) layers[name] = addElement(page("table"), "g", { "data-layer": name });

/* Redraw a layer by `draw(layer)` if its content has changed. */
export function drawLayer(name, content, draw) {
  const state = JSON.stringify([content, game.flip]);
  if (state === shown[name]) return;
  shown[name] = state;
  layers[name].replaceChildren();
  draw(layers[name]);
}

function drawTable() {
  const { tree, node } = game.history;
  const { view, ruling } = described;
  const position = tree.position(node);
  const { move } = tree.nodes[node];
  const { flip } = game;
  const labels = labelsOfBoard();
  drawLayer("ground", labels, (layer) => {
    addPart(layer, "empty-board", ORIGIN);
    addPart(layer, `labels-${flip ? "black" : "red"}${labels}`, ORIGIN);
  });
  drawLayer("under", view?.check, (layer) => {
    if (!view?.check) return;
    addPart(layer, "mark-check", squareCentre(view.check, flip), { class: "check" });
  });
  placePieces(layers.pieces, position.pieces, flip);
  drawLayer("last-move", move, (layer) => {
    for (const end of move ? [move.slice(0, 2), move.slice(2, 4)] : []) {
      addPart(layer, "mark-last", squareCentre(end, flip), { class: "last" });
    }
  });
  drawChoice(view, position);
  const arrows = page("arrows").checked && view ? (ruling.arrows[view.ply] || view.arrows) : [];
  const isShown = ({ from, to }) => !game.focus.length || game.focus.includes(from + to);
  const shownArrows = arrows.filter(isShown);
  drawLayer("arrows", shownArrows, (layer) => {
    for (const arrow of shownArrows) drawArrow(layer, arrow, flip);
  });
  drawLayer("cursor", hand.cursor, (layer) => addMark(layer, "cursor", hand.cursor, 31));
}

function drawChoice(view, position) {
  const square = view && hand.chosen;
  const marks = square ? [...marksOf(view, position, square)] : [];
  drawLayer("marks", marks, (layer) => {
    for (const mark of marks) addMark(layer, ...mark);
  });
}

/* Yield the marks of the chosen piece's square, and of its legal and barred targets. */
function* marksOf(view, { pieces }, square) {
  yield ["chosen", square, 30];
  for (const target of targetsOf(view, square)) {
    yield pieces.has(target) ? ["target taken", target, 30] : ["target", target, 10];
  }
  for (const target of barredOf(view, square)) yield ["target barred", target, 10];
}

function addMark(layer, kind, square, radius) {
  const at = squareCentre(square, game.flip);
  addElement(layer, "circle", { class: kind, cx: at.x, cy: at.y, r: radius, "data-mark": square });
}

/* Square at a pointer event. */
export function squareUnder({ clientX, clientY }) {
  return squareAt(page("table"), clientX, clientY, game.flip);
}

/* Element of the piece on a square. */
export function pieceOn(square) {
  return layers.pieces.querySelector(`[data-square="${square}"]`);
}

watch("position", () => page("table").setAttribute("aria-busy", "true"));
watch("draw", () => {
  drawTable();
  const { fen } = game.history.tree.position(game.history.node);
  if (fen !== shown.fen) page("fen").value = shown.fen = fen; // else the user may be typing there
  if (described.view) page("table").setAttribute("aria-busy", "false");
});

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

watch("position", () => {
  const now = performance.now();
  isQuick = now - last < QUICK;
  last = now;
});

/* Arrows and circles drawn by the user: with the right mouse button, or in the drawing mode for
 * touch and keyboard. They are stored in the comment of the position. */

/* Style of the engine's moves. */
export const ADVICE = { stroke: "#1a5583", dashes: "none" };

/* The colours differ by dashes, too. */
const STYLES = {
  G: { stroke: "#0d5c13", dashes: "none" },
  R: { stroke: "#b3121f", dashes: "14 5" },
  B: { stroke: "#1d4ea8", dashes: "4 5" },
  Y: { stroke: "#7d4d00", dashes: "20 5 4 5" },
};
const WIDTH = 7;
const HEAD = 20;
const GAP = 16; // distance from the centre of the first square

let drawing = null; // unfinished shape: {pointerId, color, from, to}
let anchor = null; // start square of a shape drawn by keyboard

export const isDrawing = () => page("draw").getAttribute("aria-pressed") === "true";

function colorOf({ shiftKey, ctrlKey, altKey }) {
  if (altKey) return shiftKey || ctrlKey ? "Y" : "B";
  return shiftKey || ctrlKey ? "R" : page("draw-color").value;
}

/* Add a shape, replace one of another colour, or remove the same one. */
function toggle(shape) {
  const { tree, node } = game.history;
  const { comment } = currentNode();
  const before = readRemark(comment).shapes;
  const others = before.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  const isSame = before.some((old) => JSON.stringify(old) === JSON.stringify(shape));
  const shapes = isSame ? others : [...others, shape];
  annotate(setDatum(tree, node, "comment", withShapes(comment, shapes)));
}

function clear() {
  const { tree, node } = game.history;
  annotate(setDatum(tree, node, "comment", withShapes(currentNode().comment)));
}

function onDown(event) {
  const isWanted = event.button === 2 || (event.button === 0 && isDrawing());
  const square = isWanted && squareUnder(event);
  if (!square) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // choose no piece
  page("table").setPointerCapture(event.pointerId);
  drawing = { pointerId: event.pointerId, color: colorOf(event), from: square, to: square };
  redraw();
}

function onMove(event) {
  const square = drawing?.pointerId === event.pointerId && squareUnder(event);
  if (!square || square === drawing.to) return;
  drawing.to = square;
  redraw();
}

function onUp(event) {
  if (drawing?.pointerId !== event.pointerId) return;
  const { color, from, to } = drawing;
  drawing = null;
  toggle({ color, from, to });
}

/* Begin a shape at the keyboard cursor, or end it there. */
function onFrame() {
  const { cursor } = hand;
  if (!anchor) {
    anchor = cursor;
    page("here").textContent = `${word("drawFrom")} ${cursor}`;
    return;
  }
  toggle({ color: page("draw-color").value, from: anchor, to: cursor });
  anchor = null;
}

/* Draw an arrow or a circle into a layer, styled by attributes only, for saved pictures. */
export function drawShape(layer, { color, from, to }, style) {
  const { stroke, dashes, width = WIDTH, title = "" } = style;
  const [tail, head] = [squareCentre(from, game.flip), squareCentre(to, game.flip)];
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

function drawShapes() {
  const shapes = [...readRemark(currentNode().comment).shapes, ...(drawing ? [drawing] : [])];
  drawLayer("drawn", shapes, (layer) => {
    for (const shape of shapes) drawShape(layer, shape, STYLES[shape.color]);
  });
  page("draw-clear").disabled = !shapes.length;
}

function switchDrawing() {
  page("draw").setAttribute("aria-pressed", !isDrawing());
  page("table").classList.toggle("drawing", isDrawing());
}

page("table").addEventListener("pointerdown", onDown, { capture: true });
page("table").addEventListener("pointermove", onMove);
page("table").addEventListener("pointerup", onUp);
page("table").addEventListener("pointercancel", () => { drawing = null; });
page("table").addEventListener("contextmenu", (event) => event.preventDefault());
onClick("draw", switchDrawing);
onClick("draw-clear", clear);
onKey("d", () => (document.activeElement === page("table") ? onFrame() : switchDrawing()));
watch("draw", drawShapes);
