/* Board editor. Problems of the position are shown while it is set up. */

import { addElement, addPart, drawBoard, FILES, readPieces, squareAt, squareCentre, writePieces } from "./board.js";
import { callApi, labelsOfBoard } from "./requests.js";
import { make, onClick, page, setText, word } from "./page.js";
import { showMode } from "./shell.js";
import { beginGame } from "./steps.js";
import { MoveTree } from "./tree.js";

const EMPTY = "9/9/9/9/9/9/9/9/9/9";
const SLACK = 6; // pixels that the pointer may move in a click

let pieces = new Map(); // letters by square
let flip = false;
let brush = null; // letter that a click puts down, "" to remove pieces, null for none
let cursor = "e0";
let press = null; // current press: letter, square of origin, and dragged piece
let checked = Promise.resolve(); // the newest check of the position; outdated ones are dropped
let playable = null; // FEN of the position shown, once it is known that it can be played

const board = page("editor-board");
const buttons = [...page("editor").querySelectorAll("[data-letter]")];
const turns = [...page("editor").querySelectorAll("[name=editor-turn]")];

const swapCase = (letter) =>
  letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
const turnOf = () => turns.find(({ checked }) => checked).value;
const fenOf = () => `${writePieces(pieces)} ${turnOf()} - - 0 1`;

function setTurn(turn) {
  for (const one of turns) one.checked = one.value === turn;
}

/* Draw the position and check it. */
function show(state, { keepsText = false } = {}) {
  drawBoard(board, writePieces(pieces), { flip, labels: labelsOfBoard() });
  const at = squareCentre(cursor, flip);
  addElement(board, "circle", { class: "cursor", cx: at.x, cy: at.y, r: 31 });
  if (!keepsText) page("editor-fen").value = fenOf();
  checkText(state, page("editor-fen").value);
}

/* Request the problems of the text in the field, which may not be a FEN. */
function checkText(state, text) {
  playable = null;
  const mine = callApi(state, "problems", { fen: text })
    .then((answer) => answer.json())
    .then((found) => { if (mine === checked) showProblems(found); })
    .catch(({ message }) => { if (mine === checked) setText("editor-status", message); });
  checked = mine;
}

function showProblems({ fen, problems, playable: isPlayable, status }) {
  playable = isPlayable ? fen : null;
  markSquares(problems.flatMap((text) => text.match(/\b[a-i][0-9]/g) ?? []));
  const items = problems.map((textContent) => make("li", { textContent }));
  page("problems").replaceChildren(...items);
  setText("editor-status", status || (isPlayable && problems.length ? word("editorPlayable") : ""));
  page("editor-play").disabled = page("editor-analyse").disabled = !isPlayable;
  page("editor-fen").setAttribute("aria-invalid", String(fen === null));
}

/* Draw rings around the squares named in problems. */
function markSquares(squares) {
  for (const old of board.querySelectorAll(".wrong")) old.remove();
  for (const square of new Set(squares)) {
    const { x, y } = squareCentre(square, flip);
    addElement(board, "circle", { class: "wrong", cx: x, cy: y, r: 33, "data-mark": square });
  }
}

function put(state, square, letter) {
  if (letter) pieces.set(square, letter);
  else pieces.delete(square);
  show(state);
}

/* Choose a brush, or put it down if it is chosen already. */
function choose(letter) {
  brush = brush === letter ? null : letter;
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.letter === brush));
  }
}

/* Dragging: from the tray, from square to square, and off the board. */

function begin(event, letter, square) {
  if (event.button !== 0 || press) return;
  event.preventDefault();
  event.target.releasePointerCapture?.(event.pointerId);
  const { pointerId: id, clientX: x, clientY: y } = event;
  press = { id, letter, square, x, y, ghost: null };
}

function follow(event) {
  if (press?.id !== event.pointerId || !press.letter) return;
  const { clientX, clientY } = event;
  if (!press.ghost && Math.hypot(clientX - press.x, clientY - press.y) > SLACK) {
    press.ghost = addElement(page("editor"), "svg", { class: "ghost", viewBox: "-32 -32 64 64" });
    addPart(press.ghost, `piece-${press.letter}`, { x: 0, y: 0 });
  }
  if (press.ghost) Object.assign(press.ghost.style, { left: `${clientX}px`, top: `${clientY}px` });
}

function drop(state, event) {
  if (press?.id !== event.pointerId) return;
  const { letter, square, ghost } = press;
  press = null;
  ghost?.remove();
  const target = squareAt(board, event.clientX, event.clientY, flip);
  if (ghost) {
    if (square) pieces.delete(square);
    if (target) pieces.set(target, letter);
    show(state);
  } else if (square) clickSquare(state, square);
}

function clickSquare(state, square) {
  cursor = square;
  if (brush === null) show(state);
  else put(state, square, pieces.get(square) === brush ? "" : brush);
}

function onBoardDown(event) {
  const square = squareAt(board, event.clientX, event.clientY, flip);
  if (square) begin(event, brush === null ? pieces.get(square) : null, square);
}

/* Keyboard on the board: arrows, a piece's letter (capitals for Red), Delete. */
function onKey(state, event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const sign = flip ? -1 : 1;
  const letter = { h: "n", e: "b" }[event.key.toLowerCase()] ?? event.key.toLowerCase();
  if (steps[event.key]) {
    const [right, up] = steps[event.key];
    const file = FILES.indexOf(cursor[0]) + sign * right;
    const rank = Number(cursor[1]) + sign * up;
    if (file >= 0 && file < 9 && rank >= 0 && rank < 10) cursor = FILES[file] + rank;
    show(state);
  } else if (letter.length === 1 && "kabnrcp".includes(letter)) {
    const isRed = event.shiftKey || event.key !== event.key.toLowerCase();
    put(state, cursor, isRed ? letter.toUpperCase() : letter);
  } else if (["Delete", "Backspace"].includes(event.key)) put(state, cursor, "");
  else if ([" ", "Enter"].includes(event.key)) clickSquare(state, cursor);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/* Changes of the whole position */

function setPosition(fen) {
  const [, turn] = fen.split(" ");
  pieces = new Map(readPieces(fen));
  if (turn) setTurn(/^b/i.test(turn) ? "b" : "w");
}

function transform(toSquare, toLetter) {
  pieces = new Map([...pieces].map(([square, letter]) => [toSquare(square), toLetter(letter)]));
}

const COMMANDS = {
  clear: () => setPosition(EMPTY),
  start: () => setPosition(word("start")),
  present: (state) => setPosition(currentFen(state)),
  mirror: () => transform(([file, rank]) => FILES[8 - FILES.indexOf(file)] + rank, (letter) => letter),
  swap: () => {
    transform(([file, rank]) => FILES[8 - FILES.indexOf(file)] + (9 - rank), swapCase);
    setTurn(turnOf() === "w" ? "b" : "w");
  },
  flip: () => { flip = !flip; },
};

function currentFen(state) {
  const { tree, node } = state.history;
  return tree.position(node).fen;
}

function open(state) {
  setPosition(currentFen(state));
  flip = state.flip;
  for (const button of buttons) {
    if (!button.dataset.letter || button.children.length) continue;
    const drawing = addElement(button, "svg", { viewBox: "-32 -32 64 64" });
    addPart(drawing, `piece-${button.dataset.letter}`, { x: 0, y: 0 });
  }
  choose(brush);
  page("editor").showModal();
  show(state);
}

/* Close the editor and begin a game from its position, once it has been checked. */
async function leave(state, afterwards) {
  await checked;
  if (!playable || !page("editor").open) return;
  page("editor").close();
  beginGame(state, new MoveTree({ fen: playable }), { engine: "nobody" });
  afterwards?.();
}

export function mount(state) {
  for (const [name, action] of Object.entries(COMMANDS)) {
    onClick(`editor-${name}`, () => {
      action(state);
      show(state);
    });
  }
  for (const button of buttons) {
    button.addEventListener("click", () => choose(button.dataset.letter));
    if (button.dataset.letter) {
      button.addEventListener("pointerdown", (event) => begin(event, button.dataset.letter, null));
    }
  }
  for (const turn of turns) turn.addEventListener("change", () => show(state));
  board.addEventListener("pointerdown", onBoardDown);
  board.addEventListener("keydown", (event) => onKey(state, event));
  board.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const square = squareAt(board, event.clientX, event.clientY, flip);
    if (square) put(state, square, "");
  });
  addEventListener("pointermove", follow);
  addEventListener("pointerup", (event) => drop(state, event));
  addEventListener("pointercancel", () => {
    press?.ghost?.remove();
    press = null;
  });
  page("editor-fen").addEventListener("input", ({ target }) => {
    const fen = target.value.replace(/^[\s\uFEFF"'“‘`]+/, "").replaceAll("_", " ");
    if (/^[a-z0-9]+(\/[a-z0-9]+){9}/i.test(fen)) setPosition(fen);
    show(state, { keepsText: true });
  });
  onClick("edit-position", () => open(state));
  onClick("editor-play", () => leave(state, () => showMode(state, "play")));
  onClick("editor-analyse", () => leave(state, () => {
    showMode(state, "analyse");
    if (page("analyse").getAttribute("aria-pressed") !== "true") page("analyse").click();
  }));
}
