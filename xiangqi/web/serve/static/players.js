/* Clocks and controls of a game between two players, and the engine as a helper at any board. */

import { ask, attempt, newName, notation } from "./asking.js";
import {
  agree, askAgain, beginMatch, finish, hurry, isEngine, isLive, isThinking, match, offerDraw,
  personsSides, rematch, resign, sayTime, sideToMove, takeBack,
} from "./match.js";
import { LANG, onClick, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { described, game, presentMoves, redraw, update, watch } from "./state.js";
import { play } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";

const HINT = { ...ADVICE, width: 8 };

let hint = null; // the move that an engine would play
let isOffered = false; // a draw, by one person to the other

const WON = { "1-0": "matchRedWon", "0-1": "matchBlackWon", "1/2-1/2": "matchDrawn", "*": "matchEnded" };

function drawClocks() {
  const isShown = match?.clocks && game.history.tree === match.tree;
  for (const [place, isUpper] of [["upper", true], ["lower", false]]) {
    const side = isUpper === game.flip ? "red" : "black";
    const clock = page(`${place}-clock`);
    clock.textContent = isShown ? sayTime(match.clocks.remaining(side)) : "";
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

/* State of the match at the shown position; empty where the rules give it. */
export function matchState(view) {
  const { tree, node } = game.history;
  if (match?.tree !== tree || match.node !== node || view.outcome) return "";
  if (!isLive()) return `${word(WON[match.result])}${match.reason ? `: ${match.reason}` : ""}`;
  if (isThinking()) return `${match.players[sideToMove()].name}: ${word("thinking")}`;
  return personsSides().length === 1 && !view.check && !isEngine(sideToMove()) ? word("yourMove") : "";
}

async function showHint() {
  const asked = presentMoves();
  const found = await (await ask("engine", { ...asked, seconds: 1 })).json();
  if (JSON.stringify(asked) !== JSON.stringify(presentMoves()) || !found.move) return;
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
  if (isAgreed) agree();
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
onClick("match-hurry", hurry);
onClick("match-again", askAgain);
onClick("match-end", () => finish("*", "", "abandoned"));
onClick("rematch", rematch);

/* A new game: against whom, with which side, by which clock, at which odds. */

const KEPT = "meihua-match";
const FIELDS = [...page("match-form").querySelectorAll("select, input")];
const isPerson = { name: "", engine: "", level: 0 };

/* The engines that the server has; there is always ours. */
async function nameEngines() {
  const answer = await reach("api/engines").catch(() => null);
  const found = answer?.ok ? await answer.json() : [];
  const names = Array.isArray(found) ? found : found.engines;
  for (const field of page("match-form").querySelectorAll("[data-engines]")) {
    const known = [...field.options].map(({ value }) => value);
    field.append(...names.filter((name) => !known.includes(name)).map((name) => new Option(name)));
  }
}

const nameOf = (engine, level) => (level ? `${engine}${word("level")}${level}` : engine);

/* The engine chosen for a side. */
function engineOf(color) {
  const engine = page(`match-engine-${color}`).value;
  const isOurs = engine === page(`match-engine-${color}`).options[0].value;
  const level = isOurs ? Number(page(`match-level-${color}`).value) : 0;
  return { name: nameOf(engine, level), engine, level };
}

/* The players chosen for both sides. */
function choosePlayers() {
  const person = (side) => ({ ...isPerson, name: word(side) });
  const kind = page("match-kind").value;
  if (kind === "people") return { red: person("red"), black: person("black") };
  if (kind === "engines") return { red: engineOf("red"), black: engineOf("black") };
  const side = page("match-side").value;
  const mine = side === "random" ? ["red", "black"][Math.floor(Math.random() * 2)] : side;
  const me = { ...isPerson, name: word("matchYou") };
  return mine === "red" ? { red: me, black: engineOf("red") } : { red: engineOf("red"), black: me };
}

/* A game against the engine at once: by what stands at the start, without a clock. */
export function beginQuick(fen, wanted) {
  const level = Number(page("start-level").value);
  const [engine] = [...page("match-engine-red").options].map(({ value }) => value);
  const mine = wanted === "random" ? ["red", "black"][Math.floor(Math.random() * 2)] : wanted;
  const me = { ...isPerson, name: word("matchYou") };
  const other = { name: nameOf(engine, level), engine, level };
  beginMatch({
    fen, players: mine === "red" ? { red: me, black: other } : { red: other, black: me },
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

/* Only settings of this kind of game are shown. */
function showKind() {
  const kind = page("match-kind").value;
  for (const part of page("match-form").querySelectorAll("[data-kinds]")) {
    part.hidden = !part.dataset.kinds.split(" ").includes(kind);
  }
}

/* Choices are kept by the id of their field, so that they survive new fields and another order. */
function keep() {
  const chosen = Object.fromEntries(
    FIELDS.map((field) => [field.id, field.type === "checkbox" ? field.checked : field.value]));
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    return; // they are choices for now
  }
}

function takeKept() {
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
  nameEngines();
  page("match-dialog").showModal();
});
takeKept();
showKind();

/* The engine plays a side at this board, or moves for the user. */

let thinking = null; // the search that goes on: its name, and what breaks it off
let isWoken = false; // may it answer where the game goes on already?

function isEngineToMove() {
  const { tree, node } = game.history;
  const isOpen = isWoken || !tree.nodes[node].next.length;
  return isOpen && described.view?.turn === game.engine && !described.view.outcome;
}

/* Let the engine play a side, or neither, and show the board from the other one. */
function letPlay(side) {
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
function hurryHelper() {
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

/* Ask the engine for a move in the position that is shown, and play it. */
export async function think() {
  breakOff();
  const mine = (thinking = { name: newName(), control: new AbortController() });
  setText("thought", word("thinking"));
  page("stop").hidden = false;
  const isAnswer = described.view?.turn === game.engine;
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
onClick("stop", hurryHelper);
page("seconds").addEventListener("change", ({ target }) => {
  if (target.value || target.validity.badInput) readSeconds();
});
page("engine").addEventListener("change", () => letPlay(page("engine").value));
