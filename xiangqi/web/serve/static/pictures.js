/* Pictures of the board, SVG or PNG, and of the game, an animated GIF. They have the light colours of
 * the board, which are attributes of its elements. */

import { addElement, drawBoard, SVG } from "./board.js";
import { choosePalette, Gif } from "./gif.js";
import { onClick, page, saveAs } from "./page.js";
import { attempt, labelsOfBoard } from "./requests.js";

const PNG_SCALE = 2; // pixels of a PNG per unit of the drawing
const GIF_WIDTH = 480; // pixels
const MOVE_TIME = 100; // hundredths of a second that a move of a GIF is shown
const END_TIME = 400;
const INPUT_LAYERS = '[data-layer="marks"], [data-layer="cursor"]';

/* Copy the board without the chosen piece's marks and the cursor. */
function boardCopy() {
  const copy = page("table").cloneNode(true);
  copy.querySelectorAll(INPUT_LAYERS).forEach((layer) => layer.remove());
  return copy;
}

/* File with a drawn board and the parts of the sprite that it uses. */
function pictureOf(board) {
  const viewBox = page("table").getAttribute("viewBox");
  const { width, height } = page("table").viewBox.baseVal;
  const picture = addElement(board.cloneNode(false), "svg", { xmlns: SVG, viewBox, width, height });
  const defs = addElement(picture, "defs", {});
  const parts = new Set([...board.querySelectorAll("use")].map((use) => use.getAttribute("href")));
  for (const part of parts) defs.append(document.querySelector(part).cloneNode(true));
  picture.append(...board.children);
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

/* Paint a drawn board on a canvas of its size. */
async function paint(canvas, board) {
  const image = new Image();
  image.src = URL.createObjectURL(pictureOf(board));
  try {
    await image.decode();
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

function makeCanvas(width) {
  const box = page("table").viewBox.baseVal;
  const height = Math.round((width * box.height) / box.width);
  return Object.assign(document.createElement("canvas"), { width, height });
}

async function savePng() {
  const canvas = makeCanvas(PNG_SCALE * page("table").viewBox.baseVal.width);
  await paint(canvas, boardCopy());
  canvas.toBlob((blob) => saveAs("board.png", blob));
}

/* Save the main line as an animation. */
async function saveGif(state) {
  const { flip, history: { tree } } = state;
  const canvas = makeCanvas(GIF_WIDTH);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const nodes = [0, ...tree.line(0)];
  async function frameAt(id) {
    const board = document.createElementNS(SVG, "svg");
    drawBoard(board, tree.position(id).fen, { lastMove: tree.nodes[id].move, flip, labels: labelsOfBoard() });
    await paint(canvas, board);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  }
  const gif = new Gif(canvas.width, canvas.height, choosePalette(await frameAt(nodes.at(-1))));
  for (const id of nodes) gif.add(await frameAt(id), id === nodes.at(-1) ? END_TIME : MOVE_TIME);
  saveAs("game.gif", gif.finish());
}

export function mount(state) {
  onClick("save-svg", () => attempt(() => saveAs("board.svg", pictureOf(boardCopy()))));
  onClick("save-png", () => attempt(savePng));
  onClick("save-gif", () => attempt(() => saveGif(state)));
}
