/* Puts what the server says of a game on the page. All texts are set as text, never as markup. */
"use strict";

const page = (id) => document.getElementById(id);

function setText(id, text) {
  page(id).textContent = text || "";
  page(id).hidden = !text;
}

/* The board: `view` is an answer of /api/position, `arrows` what to draw, `hand` what the user has
 * chosen ({square, cursor}), null where nothing may be moved. */
function drawTable(view, arrows, hand, flip) {
  const svg = page("table");
  drawBoard(svg, view.position, {
    lastMove: view.last && view.last.join(""),
    check: view.check,
    arrows,
    flip,
  });
  svg.setAttribute("aria-busy", hand ? "false" : "true");
  if (!hand) return;
  if (hand.square) drawChoice(svg, view, hand.square, flip);
  addMark(svg, "cursor", hand.cursor, 31, flip);
}

function drawChoice(svg, view, square, flip) {
  addMark(svg, "chosen", square, 30, flip);
  const taken = new Set(readPieces(view.position).map(([at]) => at));
  for (const target of targetsOf(view, square)) {
    const isTaken = taken.has(target);
    addMark(svg, isTaken ? "target taken" : "target", target, isTaken ? 30 : 10, flip);
  }
}

function addMark(svg, kind, square, radius, flip) {
  const at = squareCentre(square, flip);
  addElement(svg, "circle", { class: kind, cx: at.x, cy: at.y, r: radius, "data-mark": square });
}

/* The squares to which the piece on a square may move. */
function targetsOf(view, square) {
  return view.legal.filter((move) => move.startsWith(square)).map((move) => move.slice(2));
}

function drawMoves(view, notation, cycle, onChoose) {
  const texts = notation === "iccs" ? view.moves : view[notation];
  const blackBegins = view.fen.split(" ")[1] === "b";
  page("no-moves").hidden = texts.length > 0;
  const items = [];
  texts.forEach((text, index) => {
    const ply = index + 1;
    const place = index + (blackBegins ? 1 : 0);
    if (place % 2 === 0 || index === 0) items.push(numberItem(Math.floor(place / 2) + 1));
    if (index === 0 && blackBegins) items.push(document.createElement("li"));
    items.push(moveItem(text, ply, view.ply === ply, cycle, onChoose));
  });
  const list = page("moves");
  list.replaceChildren(...items);
  const present = list.querySelector("[aria-current]");
  if (present) list.scrollTop = present.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function numberItem(number) {
  const item = document.createElement("li");
  item.className = "number";
  item.textContent = `${number}.`;
  return item;
}

function moveItem(text, ply, isPresent, cycle, onChoose) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.dataset.ply = ply;
  if (isPresent) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => onChoose(ply));
  if (cycle && cycle[0] < ply && ply <= cycle[1] + 1) item.className = "cycle";
  item.append(button);
  return item;
}

/* `ruling` is an answer of /api/ruling. */
function drawRuling(view, ruling) {
  setText("status", view.status);
  setText("warning", view.warning);
  const isDecided = Boolean(ruling && ruling.result);
  page("ruling").hidden = !isDecided;
  if (!isDecided) return;
  setText("verdict", ruling.ply === view.ply ? "" : ruling.verdict);
  setText("case", ruling.case);
  page("cycle").hidden = page("case-details").hidden = !ruling.ruling;
}

function cycleOf(ruling) {
  return ruling && ruling.ruling && ruling.ruling.window;
}
