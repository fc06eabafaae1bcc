/* What the user has in hand: the chosen square, and the keyboard's place on the board. */

import { attempt } from "./asking.js";
import { known } from "./conversation.js";
import { setText } from "./page.js";
import { isOwn } from "./position.js";
import { game, redraw, told, watch } from "./present.js";
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
  const why = told.view?.barred[move];
  if (why) setText("error", why);
  return false;
}

/* A square is chosen: a piece to move, its target, or neither. */
export async function choose(square) {
  const { chosen } = hand;
  hand.cursor = square;
  if (chosen && chosen !== square && (await tryMove(chosen, square))) return;
  hold(square !== chosen && isMovable(square) ? square : null);
}

watch("position", () => { hand.chosen = null; });
watch("answer", () => {
  if (hand.chosen && !isMovable(hand.chosen)) hold(null);
});
