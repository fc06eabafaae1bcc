/* Controls and clocks of matches, the dialog of a new match, and the engine outside of matches. */

import { attempt, callApi, newName, notation } from "./requests.js";
import {
  agreeDraw, beginMatch, finish, formatTime, isEngine, isLive, isThinking, match, moveNow,
  offerDraw, personsSides, rematch, resign, resume, sideToMove, takeBack,
} from "./match.js";
import { LANG, onClick, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { currentMoves, described, game, redraw, update, watch } from "./state.js";
import { play } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";

const HINT = { ...ADVICE, width: 8 };

let hint = null; // move suggested by the engine
let isOffered = false; // has one person offered the other a draw?

const WON = { "1-0": "matchRedWon", "0-1": "matchBlackWon", "1/2-1/2": "matchDrawn", "*": "matchEnded" };

function drawClocks() {
  const isShown = match?.clocks && game.history.tree === match.tree;
  for (const [place, isUpper] of [["upper", true], ["lower", false]]) {
    const side = isUpper === game.flip ? "red" : "black";
    const clock = page(`${place}-clock`);
    clock.textContent = isShown ? formatTime(match.clocks.remaining(side)) : "";
    clock.className = isShown && match.clocks.running === side ? "clock running" : "clock";
  }
}

function drawMatch() {
  const isHere = match !== null && game.history.tree === match.tree;
  page("match").hidden = !isHere;
  drawLayer("hint", hint, (layer) => {
    const shape = { color: "best", from: hint?.slice(0, 2), to: hint?.slice(2) };
    if (hint) drawShape(layer, shape, { ...HINT, title: word("best") });
  });
  drawClocks();
  if (!isHere) return;
  const live = isLive();
  page("match").dataset.live = live;
  const persons = live ? personsSides() : [];
  const isPersons = live && !isEngine(sideToMove());
  const isIdle = live && !isPersons && !isThinking();
  const shown = {
    "take-back": persons.length, "offer-draw": isPersons, resign: persons.length, hint: isPersons,
    "match-hurry": live && isThinking(), "match-again": isIdle && match.clocks?.running === null,
    "match-end": live, rematch: !live,
  };
  for (const [id, is] of Object.entries(shown)) page(id).hidden = !is;
  page("take-back").disabled = match.node === 0;
  page("offer").hidden = !(live && isOffered);
}

/* Format the state of the match; empty if another position is shown, or by the rules' outcome. */
export function matchState(view) {
  const { tree, node } = game.history;
  if (match?.tree !== tree || match.node !== node || view.outcome) return "";
  if (!isLive()) return `${word(WON[match.result])}${match.reason ? `: ${match.reason}` : ""}`;
  if (isThinking()) return `${match.players[sideToMove()].name}: ${word("thinking")}`;
  return personsSides().length === 1 && !view.check && !isEngine(sideToMove()) ? word("yourMove") : "";
}

async function showHint() {
  const moves = currentMoves();
  const found = await (await callApi("engine", { ...moves, seconds: 1 })).json();
  if (JSON.stringify(moves) !== JSON.stringify(currentMoves()) || !found.move) return;
  hint = found.move;
  redraw();
}

function offer() {
  setText("match-note", "");
  if (personsSides().length === 1) attempt(offerDraw);
  else isOffered = true;
  redraw();
}

function answerOffer(isAgreed) {
  isOffered = false;
  if (isAgreed) agreeDraw();
  else setText("match-note", word("matchDeclined"));
  redraw();
}

watch("position", () => {
  hint = null;
  isOffered = false;
  setText("match-note", "");
});
watch("draw", drawMatch);
setInterval(drawClocks, 100);
onClick("take-back", takeBack);
onClick("offer-draw", offer);
onClick("accept", () => answerOffer(true));
onClick("decline", () => answerOffer(false));
onClick("resign", resign);
onClick("hint", () => attempt(showHint));
onClick("match-hurry", moveNow);
onClick("match-again", resume);
onClick("match-end", () => finish("*", "", "abandoned"));
onClick("rematch", rematch);

/* The dialog of a new match: players, sides, clocks, handicap. */

const KEPT = "meihua-match";
const FIELDS = [...page("match-form").querySelectorAll("select, input")];
const PERSON = { name: "", engine: "", level: 0 };

/* Add the server's engines to the lists; the built-in one is always there. */
async function listEngines() {
  const answer = await reach("api/engines").catch(() => null);
  const found = answer?.ok ? await answer.json() : [];
  const names = Array.isArray(found) ? found : found.engines;
  for (const field of page("match-form").querySelectorAll("[data-engines]")) {
    const known = [...field.options].map(({ value }) => value);
    field.append(...names.filter((name) => !known.includes(name)).map((name) => new Option(name)));
  }
}

const nameOf = (engine, level) => (level ? `${engine}${word("level")}${level}` : engine);

/* Engine chosen for a side; only the built-in one, first in the list, has levels. */
function engineOf(color) {
  const engine = page(`match-engine-${color}`).value;
  const isBuiltIn = engine === page(`match-engine-${color}`).options[0].value;
  const level = isBuiltIn ? Number(page(`match-level-${color}`).value) : 0;
  return { name: nameOf(engine, level), engine, level };
}

/* Players chosen in the dialog. */
function choosePlayers() {
  const person = (side) => ({ ...PERSON, name: word(side) });
  const kind = page("match-kind").value;
  if (kind === "people") return { red: person("red"), black: person("black") };
  if (kind === "engines") return { red: engineOf("red"), black: engineOf("black") };
  return againstEngine(page("match-side").value, engineOf("red"));
}

/* Players of a match of the user, on `side` or at random, against an engine. */
function againstEngine(side, engine) {
  const own = side === "random" ? ["red", "black"][Math.floor(Math.random() * 2)] : side;
  const user = { ...PERSON, name: word("matchYou") };
  return own === "red" ? { red: user, black: engine } : { red: engine, black: user };
}

/* Begin a match against the built-in engine without a clock, at the start panel's level. */
export function beginQuick(fen, side) {
  const level = Number(page("start-level").value);
  const engine = page("match-engine-red").options[0].value;
  beginMatch({
    fen, players: againstEngine(side, { name: nameOf(engine, level), engine, level }),
    minutes: 0, increment: 0, seconds: Number(page("seconds").value) || 1, turns: false,
  });
}

function number(id, least, most) {
  const value = page(id).valueAsNumber;
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, least), most);
}

function begin(event) {
  event.preventDefault();
  page("match-dialog").close();
  keep();
  beginMatch({
    fen: page("match-handicap").value,
    players: choosePlayers(),
    minutes: number("match-minutes", 0, 600),
    increment: number("match-increment", 0, 600),
    seconds: Number(page("seconds").value) || 1,
    turns: page("match-kind").value === "people" && page("match-turns").checked,
  });
}

/* Show only the settings of the chosen kind of match. */
function showKind() {
  const kind = page("match-kind").value;
  for (const part of page("match-form").querySelectorAll("[data-kinds]")) {
    part.hidden = !part.dataset.kinds.split(" ").includes(kind);
  }
}

/* Store the choices by field id, which does not depend on other fields. */
function keep() {
  const chosen = Object.fromEntries(
    FIELDS.map((field) => [field.id, field.type === "checkbox" ? field.checked : field.value]));
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    return; // not stored
  }
}

function applyKept() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    for (const field of FIELDS.filter(({ id }) => Object.hasOwn(kept, id))) {
      const value = kept[field.id];
      if (field.type === "checkbox") field.checked = value;
      else if (field.tagName !== "SELECT" || [...field.options].some((one) => one.value === value)) {
        field.value = value;
      }
    }
  } catch {
    page("match-form").reset();
  }
}

page("match-form").lang = LANG;
page("match-form").addEventListener("submit", begin);
page("match-kind").addEventListener("change", showKind);
onClick("match-open", () => {
  listEngines();
  page("match-dialog").showModal();
});
applyKept();
showKind();

/* The engine outside of matches: it plays a side, or moves for the user. */

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
