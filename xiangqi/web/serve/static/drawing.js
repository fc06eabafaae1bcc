/* Arrows and circles drawn by the user: with the right mouse button, or in the drawing mode for
 * touch and keyboard. They are stored in the comment of the position. */

import { hand } from "./hand.js";
import { onClick, onKey, page, word } from "./page.js";
import { currentNode, game, redraw, watch } from "./state.js";
import { annotate } from "./steps.js";
import { drawLayer, drawShape, squareUnder } from "./table.js";
import { readRemark, setDatum, withShapes } from "./tree.js";


/* The colours differ by dashes, too. */
const STYLES = {
  G: { stroke: "#0d5c13", dashes: "none" },
  R: { stroke: "#b3121f", dashes: "14 5" },
  B: { stroke: "#1d4ea8", dashes: "4 5" },
  Y: { stroke: "#7d4d00", dashes: "20 5 4 5" },
};

let drawing = null; // unfinished shape: {pointerId, color, from, to}
let anchor = null; // start square of a shape drawn by keyboard

const isDrawing = () => page("draw").getAttribute("aria-pressed") === "true";

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
