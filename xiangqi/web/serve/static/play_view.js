/* Puts what the server says of a game on the page. All texts are set as text, never as markup. */
"use strict";

const page = (id) => document.getElementById(id);

function setText(id, text) {
  page(id).textContent = text || "";
  page(id).hidden = !text;
}

/* The board: `view` is an answer of /api/position, null until it is there; then only the pieces are
 * shown. `arrows` is what to draw, `hand` what the user has chosen: {square, cursor}. */
function drawTable(tree, node, view, arrows, hand, flip) {
  const svg = page("table");
  drawBoard(svg, tree.placement(node), {
    lastMove: tree.nodes[node].move,
    check: view?.check,
    arrows,
    flip,
  });
  svg.setAttribute("aria-busy", view ? "false" : "true");
  if (view && hand.square) drawChoice(svg, view, hand.square, flip);
  addMark(svg, "cursor", hand.cursor, 31, flip);
}

function drawChoice(svg, view, square, flip) {
  addMark(svg, "chosen", square, 30, flip);
  const taken = new Set(readPieces(view.position).map(([at]) => at));
  for (const target of targetsOf(view, square)) {
    const isTaken = taken.has(target);
    addMark(svg, isTaken ? "target taken" : "target", target, isTaken ? 30 : 10, flip);
  }
  for (const target of barredOf(view, square)) addMark(svg, "target barred", target, 10, flip);
}

function addMark(svg, kind, square, radius, flip) {
  const at = squareCentre(square, flip);
  addElement(svg, "circle", { class: kind, cx: at.x, cy: at.y, r: radius, "data-mark": square });
}

/* The squares to which the piece on a square may move. */
function targetsOf(view, square) {
  return targetsAmong(view.legal, square);
}

/* Those to which it could, if the rules did not bar it. */
function barredOf(view, square) {
  return targetsAmong(Object.keys(view.barred), square);
}

function targetsAmong(moves, square) {
  return moves.filter((move) => move.startsWith(square)).map((move) => move.slice(2));
}

/* The files that are open are a list in the page; the game's own one has its link above, too. */
function drawFiles(file, lang) {
  const own = page("files").querySelector(`[data-file="${file}"] a`);
  setText("source", own?.textContent);
  page("source").href = `games/${file}/${lang}/index.html`;
  page("no-files").hidden = page("files").children.length > 0;
}

/* `ruling` is an answer of /api/ruling. */
function drawRuling(view, ruling) {
  page("fen").value = view.position;
  setText("status", view.status);
  setText("warning", view.warning);
  const isDecided = Boolean(ruling && ruling.result);
  page("ruling").hidden = !isDecided;
  if (!isDecided) return;
  setText("verdict", ruling.ply === view.ply ? "" : ruling.verdict);
  setText("case", ruling.case);
  page("cycle").hidden = page("case-details").hidden = !ruling.ruling;
}

/* What every rule book says: an answer of /api/books. */
function drawBooks({ head, rows, differences }) {
  const line = (kind, cells) => {
    const row = document.createElement("tr");
    for (const text of cells) row.append(withText(kind, text));
    return row;
  };
  page("books").replaceChildren(line("th", head), ...rows.map((cells) => line("td", cells)));
  page("differences").replaceChildren(...differences.map((text) => withText("li", text)));
}

function withText(kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

function cycleOf(ruling) {
  return ruling && ruling.ruling && ruling.ruling.window;
}
