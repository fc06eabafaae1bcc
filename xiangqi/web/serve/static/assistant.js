/* The engine outside of matches: it plays a side, or moves for the user. */

import { onClick, page, setText, word } from "./page.js";
import { attempt, callApi, newName, notation } from "./requests.js";
import { play } from "./steps.js";

let thinking = null; // running search: {name, control: AbortController}
let isReplyAllowed = false; // may the engine move where the game has a next move already?

function isEngineToMove(state) {
  const { tree, node } = state.history;
  const isOpen = isReplyAllowed || !tree.nodes[node].next.length;
  return isOpen && state.view?.turn === state.engine && !state.view.outcome;
}

/* Make the engine play a side, or neither, and turn the board to the other side. */
function setEngineSide(state, side) {
  state.engine = side;
  state.flip = side === "red";
  state.update();
}

function abortSearch() {
  if (!thinking) return;
  thinking.control.abort();
  endThinking("");
}

/* Make the engine play its best move so far. */
function stopThinking(state) {
  page("stop").hidden = true;
  if (thinking) attempt(() => callApi(state, "stop", { search: thinking.name }));
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
export async function think(state) {
  abortSearch();
  if (state.isUnaided()) return;
  const mine = (thinking = { name: newName(), control: new AbortController() });
  setText("thought", word("thinking"));
  page("stop").hidden = false;
  const isReply = state.view?.turn === state.engine;
  /** @type {any} */
  let found = null;
  await attempt(async () => {
    const request = { ...state.currentMoves(), seconds: readSeconds(), search: mine.name };
    found = await (await callApi(state, "engine", request, mine.control.signal)).json();
  });
  if (thinking !== mine) return;
  endThinking(found ? formatThought(found) : "");
  if (found?.move) play(state, found.move, isReply);
}

function formatThought(found) {
  const line = found[notation()].join(" ");
  return line ? `${found.words} (${found.depth})${word("colon")}${line}` : "";
}

export function mount(state) {
  state.watch("position", ({ allowsReply }) => {
    abortSearch();
    isReplyAllowed = allowsReply;
  });
  state.watch("answer", () => {
    if (isEngineToMove(state)) think(state);
  });
  state.watch("draw", () => { page("engine").value = state.engine; });
  onClick("engine-move", () => think(state));
  onClick("stop", () => stopThinking(state));
  page("seconds").addEventListener("change", ({ target }) => {
    if (target.value || target.validity.badInput) readSeconds();
  });
  page("engine").addEventListener("change", () => setEngineSide(state, page("engine").value));
}
