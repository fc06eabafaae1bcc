/* Moves on the board: the chosen square, the keyboard cursor, dragged pieces. */

import { addElement, FILES, squareCentre } from "./board.js";
import { attempt, callApi, whenDescribed } from "./requests.js";
import { all, page, word } from "./page.js";
import { isEngine, isLive, match, personsSides, sideToMove } from "./match.js";
import { showBoardNote } from "./shell.js";
import { currentMoves, described, game, redraw, watch } from "./state.js";
import { play, returnToPlay } from "./steps.js";
import { drag, drawLayer, pieceOn, release, squareUnder } from "./table.js";
import { isOwn } from "./tree.js";

/* `premove` is a move to be played after the engine's: {move, at: node where it was chosen}. */
export const hand = { chosen: null, cursor: "e0", premove: null };

/* Legal targets of the piece on a square. */
export function targetsOf(view, square) {
  return targetsAmong(view.legal, square);
}

/* Targets that the repetition rules bar. */
export function barredOf(view, square) {
  return targetsAmong(Object.keys(view.barred), square);
}

function targetsAmong(moves, square) {
  return moves.filter((move) => move.startsWith(square)).map((move) => move.slice(2));
}

/* Can the piece on a square be chosen? Before the server's description, any of the side to move. */
export function isMovable(square) {
  if (isWaiting()) return isOfPerson(square);
  const { view } = described;
  const { tree, node } = game.history;
  if (!view) return isOwn(tree.position(node), square);
  return targetsOf(view, square).length > 0 || barredOf(view, square).length > 0;
}

export function setChosen(square) {
  hand.chosen = square;
  redraw();
}

/* Play a move if it is legal, else show the reason; returns whether it was played. */
export async function tryMove(tail, head) {
  if (!described.view) await attempt(whenDescribed);
  const move = tail + head;
  if (described.view?.legal.includes(move)) {
    play(move);
    return true;
  }
  showBoardNote(await whyNot(move));
  return false;
}

/* Reason why a move is illegal, from the referee; empty if the target is another own piece. */
async function whyNot(move) {
  const { tree, node } = game.history;
  const { view } = described;
  if (!view || isOwn(tree.position(node), move.slice(2))) return "";
  if (view.barred[move]) return view.barred[move];
  return callApi("move", { ...currentMoves(), text: move }).then(() => "", ({ message }) => message);
}

/* Show why a piece cannot be chosen. */
function explainUnmovable(square) {
  const { tree, node } = game.history;
  const { view } = described;
  if (!view || !tree.position(node).pieces.has(square)) return;
  if (view.outcome) showBoardNote(view.status);
  else if (!isOwn(tree.position(node), square)) showBoardNote(view.status);
  else showBoardNote(`${view.pieces[square]}: ${word("cannotMove")}`);
}

/* In a match or a task earlier positions are only shown: go to the one where play goes on. */
function leavePast() {
  const wasPast = returnToPlay();
  if (wasPast) showBoardNote(word("matchHere"));
  return wasPast;
}

/* Handle the choice of a square: a piece to move, or its target. */
export async function choose(square) {
  const { chosen } = hand;
  hand.cursor = square;
  if (isWaiting()) {
    if (chosen && !isOfPerson(square)) setPremove(chosen, square);
    else setChosen(square !== chosen && isOfPerson(square) ? square : null);
    return;
  }
  if (chosen && chosen !== square && (await tryMove(chosen, square))) return;
  if (!chosen && !isMovable(square)) explainUnmovable(square);
  setChosen(square !== chosen && isMovable(square) ? square : null);
}

/* Moves chosen in advance, while the engine is to move. */

const isWaiting = () => isLive() && personsSides().length === 1 && isEngine(sideToMove());

/* Is there a piece of the person on a square? */
function isOfPerson(square) {
  const letter = match.tree.position(match.node).pieces.get(square);
  const isRed = personsSides()[0] === "red";
  return letter !== undefined && (letter === letter.toUpperCase()) === isRed;
}

function dropPremove() {
  hand.premove = null;
  redraw();
}

function setPremove(tail, head) {
  hand.premove = { move: tail + head, at: match.node };
  setChosen(null);
}

/* Play the move chosen in advance, if the engine's move was the one that it waited for. */
function playPremove() {
  const { premove } = hand;
  if (!premove || isWaiting()) return;
  hand.premove = null;
  const { tree, node } = game.history;
  if (!isLive() || tree.nodes[node].parent !== premove.at) return;
  setTimeout(() => { // after all have seen the answer
    if (game.history.node === node) tryMove(premove.move.slice(0, 2), premove.move.slice(2));
  });
}

watch("answer", playPremove);
watch("phase", () => { hand.premove = null; });
watch("position", () => { hand.chosen = null; });
watch("answer", () => {
  if (hand.chosen && !isMovable(hand.chosen)) setChosen(null);
});

/* Marks of the choice, and the keyboard cursor. */

function drawChoice() {
  const { tree, node } = game.history;
  const { view } = described;
  const position = tree.position(node);
  const square = hand.chosen;
  const targets = view && square && !isWaiting() ? [...marksOf(view, position, square)] : [];
  const planned = hand.premove ? [hand.premove.move.slice(0, 2), hand.premove.move.slice(2)] : [];
  const chosen = square && (view || isWaiting()) ? [["chosen", square, 30]] : [];
  const marks = [...chosen, ...targets, ...planned.map((one) => ["premove", one, 30])];
  drawLayer("marks", marks, (layer) => {
    for (const mark of marks) addMark(layer, ...mark);
  });
}

/* Yield the marks of the chosen piece's legal and barred targets. */
function* marksOf(view, { pieces }, square) {
  for (const target of targetsOf(view, square)) {
    yield pieces.has(target) ? ["target taken", target, 30] : ["target", target, 10];
  }
  for (const target of barredOf(view, square)) yield ["target barred", target, 10];
}

function addMark(layer, kind, square, radius) {
  const at = squareCentre(square, game.flip);
  addElement(layer, "circle", { class: kind, cx: at.x, cy: at.y, r: radius, "data-mark": square });
}

watch("draw", () => {
  drawChoice();
  drawLayer("cursor", hand.cursor, (layer) => addMark(layer, "cursor", hand.cursor, 31));
});

/* Pointer on the board: drag a piece, or choose it and then its target. */

const SLACK = 6; // pixels that the pointer may move in a click

let press = null; // current press: its start, and the dragged piece
function onDown(event) {
  if (event.button !== 0 || press) return;
  event.preventDefault();
  all(":focus").forEach((element) => element.blur());
  const square = squareUnder(event);
  if (!square || leavePast()) return;
  const { pointerId, clientX: x, clientY: y } = event;
  press = { pointerId, square, wasChosen: hand.chosen === square, x, y, use: null };
  page("table").setPointerCapture(pointerId);
  hand.premove = null;
  if ((hand.chosen && !press.wasChosen) || !isMovable(square)) choose(square);
  else setChosen(square);
}

function onMove({ pointerId, clientX, clientY }) {
  if (press?.pointerId !== pointerId) return;
  const [right, down] = [clientX - press.x, clientY - press.y];
  const isFar = Math.hypot(right, down) > SLACK;
  if (!press.use && isFar && hand.chosen === press.square) press.use = pieceOn(press.square);
  const { a } = page("table").getScreenCTM().inverse();
  if (press.use) drag(press.use, right * a, down * a);
}

async function onUp(event) {
  if (press?.pointerId !== event.pointerId) return;
  const { square, wasChosen, use } = press;
  press = null;
  if (!use) {
    if (wasChosen && hand.chosen === square) setChosen(null);
    return;
  }
  const target = squareUnder(event);
  if (target && isWaiting()) {
    release(use);
    if (target !== square) choose(target);
    return;
  }
  const isPlayed = target && target !== square && (await tryMove(square, target));
  if (!isPlayed) release(use);
}

function cancelDrag() {
  if (press?.use) release(press.use);
  press = null;
}

/* Prevent scrolling when a finger drags a piece. */
function onTouch(event) {
  if (press && pieceOn(press.square)) event.preventDefault();
}

page("table").addEventListener("touchstart", onTouch, { passive: false });
page("table").addEventListener("pointerdown", onDown);
page("table").addEventListener("pointermove", onMove);
page("table").addEventListener("pointerup", onUp);
page("table").addEventListener("pointercancel", cancelDrag);
watch("position", cancelDrag);

/* Keyboard on the board. */

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function moveCursor(key) {
  const [right, up] = STEPS[key];
  const sign = game.flip ? -1 : 1;
  const file = FILES.indexOf(hand.cursor[0]) + sign * right;
  const rank = Number(hand.cursor[1]) + sign * up;
  if (file >= 0 && file < 9 && rank >= 0 && rank < 10) hand.cursor = FILES[file] + rank;
  redraw();
  page("here").textContent = described.view?.pieces[hand.cursor] || hand.cursor; // screen readers
}

function onBoardKey(event) {
  if (event.key in STEPS) moveCursor(event.key);
  else if (event.key === "Enter" || event.key === " ") leavePast() || choose(hand.cursor);
  else if (event.key === "Escape" && hand.premove) dropPremove();
  else if (event.key === "Escape" && hand.chosen) choose(hand.chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

page("table").addEventListener("keydown", onBoardKey);
