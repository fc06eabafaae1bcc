/* Arrows and circles that the user draws on the board: by the right button, or in a mode for
 * fingers and keyboards. They belong to the position and are kept in its comment. */

import { setDatum } from "./edits.js";
import { hand } from "./hand.js";
import { onKey } from "./keyboard.js";
import { onClick, page, word } from "./page.js";
import { readRemark, withShapes } from "./remarks.js";
import { game, presentNode, redraw, watch } from "./state.js";
import { annotate } from "./steps.js";
import { drawLayer, squareUnder } from "./table.js";

/* Told apart by dashes as well as by colour. */
const STYLES = {
  G: { stroke: "#15781b", dashes: "none" },
  R: { stroke: "#b3121f", dashes: "14 5" },
  B: { stroke: "#1d4ea8", dashes: "4 5" },
  Y: { stroke: "#a86a00", dashes: "20 5 4 5" },
};
const WIDTH = 7;
const HEAD = 20;
const GAP = 16; // from the middle of the first square

let drawing = null; // the shape that is being drawn: its pointer and {color, from, to}
let anchor = null; // the square where one was begun by keyboard

export const isDrawing = () => page("draw").getAttribute("aria-pressed") === "true";

function colorOf({ shiftKey, ctrlKey, altKey }) {
  if (altKey) return shiftKey || ctrlKey ? "Y" : "B";
  return shiftKey || ctrlKey ? "R" : page("draw-color").value;
}

/* Draw a shape where none is, and take it away where the same one is. */
function toggle(shape) {
  const { tree, node } = game.history;
  const { comment } = presentNode();
  const before = readRemark(comment).shapes;
  const others = before.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  const isSame = before.some((old) => JSON.stringify(old) === JSON.stringify(shape));
  const shapes = isSame ? others : [...others, shape];
  annotate(setDatum(tree, node, "comment", withShapes(comment, shapes)));
}

function clear() {
  const { tree, node } = game.history;
  annotate(setDatum(tree, node, "comment", withShapes(presentNode().comment)));
}

function onDown(event) {
  const isWanted = event.button === 2 || (event.button === 0 && isDrawing());
  const square = isWanted && squareUnder(event);
  if (!square) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // it takes no piece in hand
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

/* On the board by keyboard: "d" begins a shape at the frame, and ends it there. */
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

/* Draw an arrow or a circle into a layer; all that it looks like stands in its attributes. */
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
  // It lies along the x axis with its end at the origin, and is turned and moved there.
  const [right, down] = [head.x - tail.x, head.y - tail.y];
  const angle = (Math.atan2(down, right) * 180) / Math.PI;
  group.setAttribute("transform", `translate(${head.x} ${head.y}) rotate(${angle})`);
  const side = HEAD / 2 + width / 2;
  addElement(group, "path", { d: `M${GAP - Math.hypot(right, down)} 0H${-HEAD}`, ...line });
  addElement(group, "path", { d: `M-3 0L${-HEAD - 6} ${side}V${-side}Z`, fill: stroke });
}

function drawShapes() {
  const shapes = [...readRemark(presentNode().comment).shapes, ...(drawing ? [drawing] : [])];
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
