/* What the user has in hand: the chosen square, and the keyboard's place on the board. */

import { ask, attempt } from "./asking.js";
import { known } from "./conversation.js";
import { word } from "./page.js";
import { isOwn } from "./position.js";
import { game, presentMoves, redraw, told, watch } from "./state.js";
import { tellAtBoard } from "./shell.js";
import { play } from "./steps.js";

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

/* May a square's piece be taken in hand? Until the server has told, any of the side to move. */
export function isMovable(square) {
  const { view } = told;
  const { tree, node } = game.history;
  if (!view) return isOwn(tree.position(node), square);
  return targetsOf(view, square).length > 0 || barredOf(view, square).length > 0;
}

export function hold(square) {
  hand.chosen = square;
  redraw();
}

/* Move from one square to another if that is legal; else tell why it is not, where there is a
 * reason to tell. Whether it was played. */
export async function tryMove(tail, head) {
  if (!told.view) await attempt(known);
  const move = tail + head;
  if (told.view?.legal.includes(move)) {
    play(move);
    return true;
  }
  tellAtBoard(await whyNot(move));
  return false;
}

/* Why a move cannot be made, in the words of the referee; nothing where another piece is meant. */
async function whyNot(move) {
  const { tree, node } = game.history;
  const { view } = told;
  if (!view || isOwn(tree.position(node), move.slice(2))) return "";
  if (view.barred[move]) return view.barred[move];
  return ask("move", { ...presentMoves(), text: move }).then(() => "", ({ message }) => message);
}

/* Why a piece cannot be taken in hand. */
function tellUnmovable(square) {
  const { tree, node } = game.history;
  const { view } = told;
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
