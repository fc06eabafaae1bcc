/* The engine outside of matches: it plays a side, or moves for the user. */

import { onClick, page, setText, word } from "./page.js";
import { isUnaided } from "./phases.js";
import { attempt, callApi, newName, notation } from "./requests.js";
import { currentMoves, described, game, update, watch } from "./state.js";
import { play } from "./steps.js";

let thinking = null; // running search: {name, control: AbortController}
let isReplyAllowed = false; // may the engine move where the game has a next move already?

function isEngineToMove() {
  const { tree, node } = game.history;
  const isOpen = isReplyAllowed || !tree.nodes[node].next.length;
  return isOpen && described.view?.turn === game.engine && !described.view.outcome;
}

/* Make the engine play a side, or neither, and turn the board to the other side. */
function setEngineSide(side) {
  game.engine = side;
  game.flip = side === "red";
  update();
}

function abortSearch() {
  if (!thinking) return;
  thinking.control.abort();
  endThinking("");
}

/* Make the engine play its best move so far. */
function stopThinking() {
  page("stop").hidden = true;
  if (thinking) attempt(() => callApi("stop", { search: thinking.name }));
}

function endThinking(text) {
  thinking = null;
  setText("thought", text);
  page("stop").hidden = true;
}

/* Read the seconds for a move; correct and report a number outside the range. */
function readSeconds() {
  const field = page("seconds");
  const entered = field.valueAsNumber;
  const wanted = Number.isNaN(entered) ? field.defaultValue : entered;
  const seconds = Math.min(Math.max(wanted, field.min), field.max);
  setText("seconds-note", seconds === entered ? "" : word("secondsRange"));
  field.valueAsNumber = seconds;
  return seconds;
}

/* Have the engine play a move in the shown position. */
export async function think() {
  abortSearch();
  if (isUnaided()) return;
  const mine = (thinking = { name: newName(), control: new AbortController() });
  setText("thought", word("thinking"));
  page("stop").hidden = false;
  const isReply = described.view?.turn === game.engine;
  /** @type {any} */
  let found = null;
  await attempt(async () => {
    const request = { ...currentMoves(), seconds: readSeconds(), search: mine.name };
    found = await (await callApi("engine", request, mine.control.signal)).json();
  });
  if (thinking !== mine) return;
  endThinking(found ? formatThought(found) : "");
  if (found?.move) play(found.move, isReply);
}

function formatThought(found) {
  const line = found[notation()].join(" ");
  return line ? `${found.words} (${found.depth}): ${line}` : "";
}

watch("position", ({ allowsReply }) => {
  abortSearch();
  isReplyAllowed = allowsReply;
});
watch("answer", () => {
  if (isEngineToMove()) think();
});
watch("draw", () => { page("engine").value = game.engine; });
onClick("engine-move", think);
onClick("stop", stopThinking);
page("seconds").addEventListener("change", ({ target }) => {
  if (target.value || target.validity.badInput) readSeconds();
});
page("engine").addEventListener("change", () => setEngineSide(page("engine").value));
