/* The board as a picture, SVG or PNG, made by the page alone. */

import { attempt } from "./asking.js";
import { saveAs } from "./files.js";
import { onClick, page } from "./page.js";
import { paint } from "./painting.js";

const SCALE = 2; // pixels of a PNG for a unit of the drawing
const HANDS = '[data-layer="marks"], [data-layer="cursor"]'; // not part of the position

/* What the board shows, without what the user is about to do. */
function boardCopy() {
  const copy = page("table").cloneNode(true);
  copy.querySelectorAll(HANDS).forEach((layer) => layer.remove());
  return copy;
}

function saveSvg() {
  const board = boardCopy();
  const picture = addElement(board.cloneNode(false), "svg", {
    xmlns: SVG, viewBox: board.getAttribute("viewBox"),
  });
  const defs = addElement(picture, "defs", {});
  const parts = new Set([...board.querySelectorAll("use")].map((use) => use.getAttribute("href")));
  for (const part of parts) defs.append(document.querySelector(part).cloneNode(true));
  picture.append(...board.children);
  const text = new XMLSerializer().serializeToString(picture);
  saveAs("board.svg", new Blob([text], { type: "image/svg+xml" }));
}

function savePng() {
  const { width, height } = page("table").viewBox.baseVal;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * SCALE, height: height * SCALE });
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  paint(context, boardCopy());
  canvas.toBlob((blob) => saveAs("board.png", blob));
}

onClick("save-svg", () => attempt(saveSvg));
onClick("save-png", () => attempt(savePng));
