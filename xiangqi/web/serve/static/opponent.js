/* The engine as the opponent, and as a helper that moves for the user. */

import { ask, attempt, notation } from "./asking.js";
import { onClick, page, setText, word } from "./page.js";
import { game, presentMoves, told, update, watch } from "./state.js";
import { play } from "./steps.js";

let thinking = null; // the search that goes on: its name, and what breaks it off
let isWoken = false; // may it answer where the game goes on already?

function isEngineToMove() {
  const { tree, node } = game.history;
  const isOpen = isWoken || !tree.nodes[node].next.length;
  return isOpen && told.view?.turn === game.engine && !told.view.outcome;
}

/* Let the engine play a side, or neither, and show the board from the other one. */
function seatEngine(side) {
  game.engine = side;
  game.flip = side === "red";
  update();
}

/* Break a search off and forget it. */
function breakOff() {
  if (!thinking) return;
  thinking.control.abort();
  endThinking("");
}

/* Let the engine play what it has found so far. */
function hurry() {
  page("stop").hidden = true;
  if (thinking) attempt(() => ask("stop", { search: thinking.name }));
}

function endThinking(text) {
  thinking = null;
  setText("thought", text);
  page("stop").hidden = true;
}

/* The seconds for a move; a number outside the range is reported and corrected. */
function readSeconds() {
  const field = page("seconds");
  const asked = field.valueAsNumber;
  const wanted = Number.isNaN(asked) ? field.defaultValue : asked;
  const seconds = Math.min(Math.max(wanted, field.min), field.max);
  setText("seconds-note", seconds === asked ? "" : word("secondsRange"));
  field.valueAsNumber = seconds;
  return seconds;
}

/* A name that no other search has. */
function newName() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/* Ask the engine for a move in the position that is shown, and play it. */
export async function think() {
  breakOff();
  const mine = (thinking = { name: newName(), control: new AbortController() });
  setText("thought", word("thinking"));
  page("stop").hidden = false;
  const isAnswer = told.view?.turn === game.engine;
  /** @type {any} */
  let found = null;
  await attempt(async () => {
    const question = { ...presentMoves(), seconds: readSeconds(), search: mine.name };
    found = await (await ask("engine", question, mine.control.signal)).json();
  });
  if (thinking !== mine) return;
  endThinking(found ? sayThought(found) : "");
  if (found?.move) play(found.move, isAnswer);
}

function sayThought(found) {
  const line = found[notation()].join(" ");
  return line ? `${found.words} (${found.depth}): ${line}` : "";
}

watch("position", ({ wakes }) => {
  breakOff();
  isWoken = wakes;
});
watch("answer", () => {
  if (isEngineToMove()) think();
});
watch("draw", () => { page("engine").value = game.engine; });
onClick("engine-move", think);
onClick("stop", hurry);
page("seconds").addEventListener("change", ({ target }) => {
  if (target.value || target.validity.badInput) readSeconds();
});
page("engine").addEventListener("change", () => seatEngine(page("engine").value));
