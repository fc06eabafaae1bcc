/* Moves at the board: the chosen square, the keyboard's square, pieces that are dragged. */

import { ask, attempt, known } from "./asking.js";
import { all, page, word } from "./page.js";
import { tellAtBoard } from "./shell.js";
import { described, game, presentMoves, redraw, watch } from "./state.js";
import { play } from "./steps.js";
import { drag, pieceOn, release, squareUnder } from "./table.js";
import { isOwn } from "./tree.js";

export const hand = { chosen: null, cursor: "e0" };

/* The squares to which the piece on a square may move. */
export function targetsOf(view, square) {
  return targetsAmong(view.legal, square);
}

/* Those to which it could, if the rules did not bar it. */
export function barredOf(view, square) {
  return targetsAmong(Object.keys(view.barred), square);
}

function targetsAmong(moves, square) {
  return moves.filter((move) => move.startsWith(square)).map((move) => move.slice(2));
}

/* May a square's piece be taken in hand? Until the server has answered, any of the side to move. */
export function isMovable(square) {
  const { view } = described;
  const { tree, node } = game.history;
  if (!view) return isOwn(tree.position(node), square);
  return targetsOf(view, square).length > 0 || barredOf(view, square).length > 0;
}

export function hold(square) {
  hand.chosen = square;
  redraw();
}

/* Move from one square to another if that is legal; else show the reason, if there is one. Whether it was played. */
export async function tryMove(tail, head) {
  if (!described.view) await attempt(known);
  const move = tail + head;
  if (described.view?.legal.includes(move)) {
    play(move);
    return true;
  }
  tellAtBoard(await whyNot(move));
  return false;
}

/* Reason why a move is illegal, in the words of the referee; empty where another piece is meant. */
async function whyNot(move) {
  const { tree, node } = game.history;
  const { view } = described;
  if (!view || isOwn(tree.position(node), move.slice(2))) return "";
  if (view.barred[move]) return view.barred[move];
  return ask("move", { ...presentMoves(), text: move }).then(() => "", ({ message }) => message);
}

/* Reason why a piece cannot be chosen. */
function tellUnmovable(square) {
  const { tree, node } = game.history;
  const { view } = described;
  if (!view || !tree.position(node).pieces.has(square)) return;
  if (view.outcome) tellAtBoard(view.status);
  else if (!isOwn(tree.position(node), square)) tellAtBoard(view.status);
  else tellAtBoard(`${view.pieces[square]}: ${word("cannotMove")}`);
}

/* A square is chosen: a piece to move, its target, or neither. */
export async function choose(square) {
  const { chosen } = hand;
  hand.cursor = square;
  if (chosen && chosen !== square && (await tryMove(chosen, square))) return;
  if (!chosen && !isMovable(square)) tellUnmovable(square);
  hold(square !== chosen && isMovable(square) ? square : null);
}

watch("position", () => { hand.chosen = null; });
watch("answer", () => {
  if (hand.chosen && !isMovable(hand.chosen)) hold(null);
});

/* The board by mouse, pen and finger: a piece is dragged, or chosen and its target after it. */

const SLACK = 6; // pixels that a click may wander

let press = null; // the press that goes on: where it began, and the piece that is dragged

/* Not "click": what begins on one square and ends on another is a drag. */
function onDown(event) {
  if (event.button !== 0 || press) return;
  event.preventDefault();
  all(":focus").forEach((element) => element.blur());
  const square = squareUnder(event);
  if (!square) return;
  const { pointerId, clientX: x, clientY: y } = event;
  press = { pointerId, square, wasChosen: hand.chosen === square, x, y, use: null };
  page("table").setPointerCapture(pointerId);
  if ((hand.chosen && !press.wasChosen) || !isMovable(square)) choose(square);
  else hold(square);
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
    if (wasChosen && hand.chosen === square) hold(null);
    return;
  }
  const target = squareUnder(event);
  const isPlayed = target && target !== square && (await tryMove(square, target));
  if (!isPlayed) release(use);
}

function letGo() {
  if (press?.use) release(press.use);
  press = null;
}

/* A finger on a piece drags it; elsewhere on the board it scrolls the page. */
function onTouch(event) {
  if (press && pieceOn(press.square)) event.preventDefault();
}

page("table").addEventListener("touchstart", onTouch, { passive: false });
page("table").addEventListener("pointerdown", onDown);
page("table").addEventListener("pointermove", onMove);
page("table").addEventListener("pointerup", onUp);
page("table").addEventListener("pointercancel", letGo);
watch("position", letGo);

/* The board by keyboard. */

const FRAME = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function moveCursor(key) {
  const [right, up] = FRAME[key];
  const sign = game.flip ? -1 : 1;
  const file = FILES.indexOf(hand.cursor[0]) + sign * right;
  const rank = Number(hand.cursor[1]) + sign * up;
  if (file >= 0 && file < 9 && rank >= 0 && rank < 10) hand.cursor = FILES[file] + rank;
  redraw();
  page("here").textContent = described.view?.pieces[hand.cursor] || hand.cursor; // to be read out
}

/* A frame follows the keyboard on the board; a click on the board does not focus it. */
function onBoardKey(event) {
  if (event.key in FRAME) moveCursor(event.key);
  else if (event.key === "Enter" || event.key === " ") choose(hand.cursor);
  else if (event.key === "Escape" && hand.chosen) choose(hand.chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

page("table").addEventListener("keydown", onBoardKey);
