/* The board by mouse, pen and finger: a piece is dragged, or chosen and its target after it. */

import { choose, hand, hold, isMovable, tryMove } from "./hand.js";
import { page } from "./page.js";
import { drag, release } from "./pieces.js";
import { watch } from "./state.js";
import { pieceOn, squareUnder } from "./table.js";

const SLACK = 6; // pixels that a click may wander

let press = null; // the press that goes on: where it began, and the piece that is dragged

/* Not "click": what begins on one square and ends on another is a drag. */
function onDown(event) {
  if (event.button !== 0 || press) return;
  event.preventDefault();
  document.activeElement.blur();
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
