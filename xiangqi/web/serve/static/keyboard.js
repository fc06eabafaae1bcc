/* The page by keyboard: keys that work everywhere but in fields, and those of the board. */

import { choose, hand } from "./hand.js";
import { page } from "./page.js";
import { game, redraw, told } from "./state.js";
import { redo, step, undo } from "./steps.js";

const FIELDS = "input:not([type=checkbox], [type=file]), select, textarea";
const FRAME = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const keys = new Map([
  ["ArrowLeft", () => step("previous")],
  ["ArrowRight", () => step("next")],
  ["ArrowUp", () => step("above")],
  ["ArrowDown", () => step("below")],
  ["Home", () => step("first")],
  ["End", () => step("last")],
  ["z", undo],
  ["Z", redo],
]);

/* Have a key do something wherever no field wants it. */
export function onKey(key, action) {
  keys.set(key, action);
}

function moveCursor(key) {
  const [right, up] = FRAME[key];
  const sign = game.flip ? -1 : 1;
  const file = FILES.indexOf(hand.cursor[0]) + sign * right;
  const rank = Number(hand.cursor[1]) + sign * up;
  if (file >= 0 && file < 9 && rank >= 0 && rank < 10) hand.cursor = FILES[file] + rank;
  redraw();
  page("here").textContent = told.view?.pieces[hand.cursor] || hand.cursor; // to be read out
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

/* Actions of the keys; with Ctrl or Command those that every program has. */
function actionOf({ key, altKey, ctrlKey, metaKey }) {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return { z: undo, Z: redo, y: redo }[key];
  return keys.get(key);
}

function onPageKey(event) {
  const action = actionOf(event);
  if (!action || event.target.closest(FIELDS)) return;
  if (event.key === " " && event.target.closest("button, summary, input, a")) return;
  event.preventDefault();
  action();
}

page("table").addEventListener("keydown", onBoardKey);
document.addEventListener("keydown", onPageKey);
