/* The board on the page, in layers from the bottom up; board.js has the forms. */

import { notation } from "./asking.js";
import { barredOf, hand, targetsOf } from "./hand.js";
import { page } from "./page.js";
import { placePieces } from "./pieces.js";
import { game, told, watch } from "./state.js";

const LAYERS = [
  "ground", "under", "men", "last-move", "arrows", "best", "hint", "drawn", "marks", "cursor",
];
const ORIGIN = { x: 0, y: 0 };
const layers = {};
const shown = {}; // what a layer shows: it is drawn anew when that changes

for (const name of LAYERS) layers[name] = addElement(page("table"), "g", { "data-layer": name });

/* Draw a layer of the board by `draw(layer)` if what it shows, `what`, has changed. */
export function drawLayer(name, what, draw) {
  const state = JSON.stringify([what, game.flip]);
  if (state === shown[name]) return;
  shown[name] = state;
  layers[name].replaceChildren();
  draw(layers[name]);
}

/* Arrows by board.js: [{from, to, kind, title}]. */
export function drawArrows(name, arrows) {
  drawLayer(name, arrows, (layer) => {
    for (const arrow of arrows) drawArrow(layer, arrow, game.flip);
  });
}

function drawTable() {
  const { tree, node } = game.history;
  const { view, ruling } = told;
  const position = tree.position(node);
  const { move } = tree.nodes[node];
  const { flip } = game;
  const labels = notation() === "iccs" ? "" : `-${notation()}`;
  drawLayer("ground", labels, (layer) => {
    addPart(layer, "empty-board", ORIGIN);
    addPart(layer, `labels-${flip ? "black" : "red"}${labels}`, ORIGIN);
  });
  drawLayer("under", view?.check, (layer) => {
    if (!view?.check) return;
    addPart(layer, "mark-check", squareCentre(view.check, flip), { class: "check" });
  });
  placePieces(layers.men, position.pieces, flip);
  drawLayer("last-move", move, (layer) => {
    for (const end of move ? [move.slice(0, 2), move.slice(2, 4)] : []) {
      addPart(layer, "mark-last", squareCentre(end, flip), { class: "last" });
    }
  });
  drawChoice(view, position);
  const arrows = page("arrows").checked && view ? (ruling.arrows[view.ply] || view.arrows) : [];
  const isMeant = ({ from, to }) => !game.focus.length || game.focus.includes(from + to);
  drawArrows("arrows", arrows.filter(isMeant));
  drawLayer("cursor", hand.cursor, (layer) => addMark(layer, "cursor", hand.cursor, 31));
}

function drawChoice(view, position) {
  const square = view && hand.chosen;
  const marks = square ? [...marksOf(view, position, square)] : [];
  drawLayer("marks", marks, (layer) => {
    for (const mark of marks) addMark(layer, ...mark);
  });
}

/* Where the chosen piece stands, and where it may go. */
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

/* The square at a point of the window. */
export function squareUnder({ clientX, clientY }) {
  return squareAt(page("table"), clientX, clientY, game.flip);
}

/* The piece on a square, as it is drawn. */
export function pieceOn(square) {
  return layers.men.querySelector(`[data-square="${square}"]`);
}

watch("position", () => page("table").setAttribute("aria-busy", "true"));
watch("draw", () => {
  drawTable();
  const { fen } = game.history.tree.position(game.history.node);
  if (fen !== shown.fen) page("fen").value = shown.fen = fen; // the user may be typing there
  if (told.view) page("table").setAttribute("aria-busy", "false");
});
