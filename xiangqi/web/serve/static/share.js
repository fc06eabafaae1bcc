/* Saving and sharing: PGN, links and pictures. */

import { addElement, SVG } from "./board.js";
import { attempt, callApi, notation } from "./requests.js";
import { onClick, page, saveAs, setText, word } from "./page.js";
import { showGame } from "./shell.js";
import { described, game, update } from "./state.js";
import { goTo, readGame, setUp } from "./steps.js";
import { withEvaluation } from "./tree.js";

/* Add the page's evaluations to the comments of a game's data. */
function withEvaluations({ nodes, ...data }, tree) {
  const copied = (node, id) => {
    const text = tree.nodes[id].evaluation?.written;
    return text ? { ...node, comment: withEvaluation(node.comment, text) } : node;
  };
  return { ...data, nodes: nodes.map(copied) };
}

/* Fetch the game as PGN, or in another format or notation. */
function fetchPgn(options = {}) {
  const { tree } = game.history;
  const data = tree.data();
  const full = page("save-evaluations").checked ? withEvaluations(data, tree) : data;
  return callApi("pgn", { ...full, ...options });
}

async function saveGame(suffix, options = {}) {
  saveAs(`game.${suffix}`, await (await fetchPgn(options)).blob());
}

/* Links to a position or a game.
 *
 *   #fen=FEN                      position
 *   #game=PGN                     game: its PGN, deflated, in base64url
 *   ...&rules=wxf&notation=wxf    rule set and notation; optional
 *   ...&at=12                     shown position of a game: number of main line moves
 */

const MAX_LINK_LENGTH = 8000; // characters; many programs truncate longer links
const MAX_PGN = 1 << 20; // bytes of an unpacked game

/* Pipe bytes through a stream; throws RangeError for more than `most` bytes of output. */
async function through(stream, bytes, most = Infinity) {
  const pieces = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > most) throw new RangeError();
    pieces.push(read.value);
  }
  return new Blob(pieces);
}

async function pack(text) {
  const packed = await through(new CompressionStream("deflate-raw"), text);
  const letters = String.fromCharCode(...new Uint8Array(await packed.arrayBuffer()));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(letters) {
  try {
    const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return await (await through(new DecompressionStream("deflate-raw"), bytes, MAX_PGN)).text();
  } catch {
    throw new Error(word("badLink"));
  }
}

async function copy(text) {
  await navigator.clipboard.writeText(text);
  setText("copied", word("copied"));
  setTimeout(() => setText("copied", ""), 2000);
}

async function copyLink(parts) {
  const { origin, pathname, search } = location;
  const fragment = new URLSearchParams({ ...parts, rules: game.rules, notation: notation() });
  const link = `${origin}${pathname}${search}#${fragment}`;
  if (link.length > MAX_LINK_LENGTH) throw new Error(word("longLink"));
  await copy(link);
}

async function copyGameLink() {
  const { tree, node } = game.history;
  const line = tree.line(0);
  const at = String(tree.path(node).filter((id) => line.includes(id)).length);
  await copyLink({ game: await pack(await (await fetchPgn()).text()), at });
}

/* Set a field to a value of a link; throws an Error if it has no such option. */
function chooseOf(id, value) {
  if (value === null) return;
  if (![...page(id).options].some((option) => option.value === value)) {
    throw new Error(`${word("badLink")} ${id}=${value.slice(0, 40)}`);
  }
  page(id).value = value;
}

/* Open the game or position of the address; a bad link leaves the current game. */
async function follow() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!link.has("fen") && !link.has("game")) return;
  history.replaceState(null, "", location.pathname + location.search); // keep the game on reload
  if (location.href.length + String(link).length > MAX_LINK_LENGTH) throw new Error(word("badLink"));
  const chosen = [page("rules").value, page("notation").value];
  try {
    chooseOf("notation", link.get("notation"));
    if (link.has("game")) await readGame(await unpack(link.get("game")));
    else await setUp(link.get("fen"));
    chooseOf("rules", link.get("rules"));
  } catch (error) {
    [page("rules").value, page("notation").value] = chosen;
    throw error;
  }
  game.rules = page("rules").value;
  const { tree } = game.history;
  const at = Number(link.get("at") ?? NaN);
  if (link.has("game") && at >= 0) goTo([0, ...tree.line(0)][at]);
  update();
  await showGame();
}

export function followFragment() {
  return attempt(follow);
}

onClick("copy-fen", () => attempt(() => copy(described.view?.position ?? page("fen").value)));
onClick("copy-pgn", () => attempt(async () => copy(await (await fetchPgn()).text())));
onClick("link-position", () => attempt(() => copyLink({ fen: page("fen").value })));
onClick("link-game", () => attempt(copyGameLink));
addEventListener("hashchange", followFragment);

/* The board as a picture, SVG or PNG. */

const SCALE = 2; // pixels of a PNG per unit of the drawing
const INPUT_LAYERS = '[data-layer="marks"], [data-layer="cursor"]';

/* Copy the board without the chosen piece's marks and the cursor. */
function boardCopy() {
  const copy = page("table").cloneNode(true);
  copy.querySelectorAll(INPUT_LAYERS).forEach((layer) => layer.remove());
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

onClick("download", () => attempt(() => saveGame("pgn")));
onClick("save-chinese", () => attempt(() => saveGame("pgn", { notation: "chinese" })));
onClick("save-xqf", () => attempt(() => saveGame("xqf", { format: "xqf" })));
onClick("save-dhtmlxq", () => attempt(() => saveGame("dhtmlxq", { format: "dhtmlxq" })));
onClick("save-svg", () => attempt(saveSvg));
onClick("save-png", () => attempt(savePng));

/* Painting of an SVG drawing on a canvas, limited to the elements and attributes of the board.
 * (The page's security policy does not allow blob or data images.) */

const INHERITED = [
  "fill", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size",
  "font-family", "font-weight", "text-anchor", "dominant-baseline",
];
const NUMBER = /-?[\d.]+/g;

const number = (element, name) => Number(element.getAttribute(name) ?? 0);

const outlines = {
  path: (element) => new Path2D(element.getAttribute("d")),
  rect(element) {
    const outline = new Path2D();
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => number(element, name));
    outline.roundRect(x, y, width, height, number(element, "rx"));
    return outline;
  },
  circle(element) {
    const outline = new Path2D();
    outline.arc(number(element, "cx"), number(element, "cy"), number(element, "r"), 0, 2 * Math.PI);
    return outline;
  },
};

/* Paint an element and its children; `style` has the inherited attributes. */
export function paint(canvas, element, style = { fill: "#000", "stroke-width": 1 }) {
  const own = { ...style };
  for (const name of INHERITED) own[name] = element.getAttribute(name) ?? style[name];
  canvas.save();
  canvas.globalAlpha *= Number(element.getAttribute("opacity") ?? 1);
  applyTransform(canvas, element.getAttribute("transform") ?? "");
  const name = element.localName;
  if (name === "use") paintCopy(canvas, element, own);
  else if (name === "text") paintText(canvas, element, own);
  else if (name in outlines) paintOutline(canvas, outlines[name](element), own);
  else if (name === "g" || name === "svg") {
    for (const child of element.children) paint(canvas, child, own);
  }
  canvas.restore();
}

function applyTransform(canvas, transform) {
  for (const [, kind, values] of transform.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x, y] = values.match(NUMBER).map(Number);
    if (kind === "translate") canvas.translate(x, y ?? 0);
    else if (kind === "rotate") canvas.rotate((x * Math.PI) / 180);
    else if (kind === "scale") canvas.scale(x, y ?? x);
    else throw new Error(`transform: ${kind}`);
  }
}

function paintCopy(canvas, element, style) {
  canvas.translate(number(element, "x"), number(element, "y"));
  paint(canvas, document.querySelector(element.getAttribute("href")), style);
}

function paintOutline(canvas, outline, style) {
  if (style.fill && style.fill !== "none") {
    canvas.save();
    canvas.globalAlpha *= Number(style["fill-opacity"] ?? 1);
    canvas.fillStyle = style.fill;
    canvas.fill(outline, style["fill-rule"] ?? "nonzero");
    canvas.restore();
  }
  if (!style.stroke || style.stroke === "none") return;
  canvas.strokeStyle = style.stroke;
  canvas.lineWidth = Number(style["stroke-width"]);
  canvas.setLineDash((style["stroke-dasharray"]?.match(NUMBER) ?? []).map(Number));
  canvas.stroke(outline);
}

function paintText(canvas, element, style) {
  canvas.fillStyle = style.fill;
  canvas.font = `${style["font-weight"]} ${style["font-size"]}px ${style["font-family"]}`;
  canvas.textAlign = style["text-anchor"] === "middle" ? "center" : "start";
  canvas.fillText(element.textContent, number(element, "x"), number(element, "y"));
}
