/* Arrows and circles drawn by the user: with the right mouse button, or in the drawing mode for
 * touch and keyboard. They are stored in the comment of the position. */

import { onKey } from "./keys.js";
import { onClick, page, word } from "./page.js";
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
function toggle(state, shape) {
  const { tree, node } = state.history;
  const { comment } = state.currentNode();
  const before = readRemark(comment).shapes;
  const others = before.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  const isSame = before.some((old) => JSON.stringify(old) === JSON.stringify(shape));
  const shapes = isSame ? others : [...others, shape];
  annotate(state, setDatum(tree, node, "comment", withShapes(comment, shapes)));
}

function clear(state) {
  const { tree, node } = state.history;
  annotate(state, setDatum(tree, node, "comment", withShapes(state.currentNode().comment)));
}

function onDown(state, event) {
  const isWanted = event.button === 2 || (event.button === 0 && isDrawing());
  const square = isWanted && squareUnder(state, event);
  if (!square) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // choose no piece
  page("table").setPointerCapture(event.pointerId);
  drawing = { pointerId: event.pointerId, color: colorOf(event), from: square, to: square };
  state.redraw();
}

function onMove(state, event) {
  const square = drawing?.pointerId === event.pointerId && squareUnder(state, event);
  if (!square || square === drawing.to) return;
  drawing.to = square;
  state.redraw();
}

function onUp(state, event) {
  if (drawing?.pointerId !== event.pointerId) return;
  const { color, from, to } = drawing;
  drawing = null;
  toggle(state, { color, from, to });
}

/* Begin a shape at the keyboard cursor, or end it there. */
function onFrame(state) {
  const { cursor } = state.hand;
  if (!anchor) {
    anchor = cursor;
    page("here").textContent = `${word("drawFrom")} ${cursor}`;
    return;
  }
  toggle(state, { color: page("draw-color").value, from: anchor, to: cursor });
  anchor = null;
}

function drawShapes(state) {
  const shapes = [...readRemark(state.currentNode().comment).shapes, ...(drawing ? [drawing] : [])];
  drawLayer(state, "drawn", shapes, (layer) => {
    for (const shape of shapes) drawShape(state, layer, shape, STYLES[shape.color]);
  });
  page("draw-clear").disabled = !shapes.length;
}

/* Switch drawing on or off; the open menu would cover the board. */
function switchDrawing() {
  page("draw").setAttribute("aria-pressed", !isDrawing());
  if (isDrawing()) page("menu-look").hidePopover();
  page("table").classList.toggle("drawing", isDrawing());
}

export function mount(state) {
  page("table").addEventListener("pointerdown", (event) => onDown(state, event), { capture: true });
  page("table").addEventListener("pointermove", (event) => onMove(state, event));
  page("table").addEventListener("pointerup", (event) => onUp(state, event));
  page("table").addEventListener("pointercancel", () => { drawing = null; });
  page("table").addEventListener("contextmenu", (event) => event.preventDefault());
  onClick("draw", switchDrawing);
  onClick("draw-clear", () => clear(state));
  onKey("d", () => (document.activeElement === page("table") ? onFrame(state) : switchDrawing()));
  state.watch("draw", () => drawShapes(state));
}
