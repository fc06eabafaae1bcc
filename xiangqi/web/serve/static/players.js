/* Controls and clocks of matches. */

import {
  agreeDraw, finish, isEngine, isLive, matchState, moveNow, offerDraw, personsSides, rematch, resign,
  resume, sideToMove, takeBack,
} from "./match.js";
import { formatTime } from "./clocks.js";
import { onClick, page, setText, word } from "./page.js";
import { attempt, callApi } from "./requests.js";
import { playSound } from "./sounds.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";

const HINT = { ...ADVICE, width: 8 };
const LOW_MS = 10_000; // a clock below it warns
const SURE_MS = 4000; // time for the second press of the button that resigns

let hint = null; // move suggested by the engine
let isOffered = false; // has one person offered the other a draw?
let wasLow = false; // was the running clock low?
let sure = 0; // timer while the next press resigns; 0 if it does not

function drawClocks(state) {
  for (const [place, isUpper] of [["upper", true], ["lower", false]]) {
    const side = isUpper === state.flip ? "red" : "black";
    const clock = page(`${place}-clock`);
    const clocks = state.match?.clocks;
    const time = clocks ? formatClock(clocks, side) : "";
    if (clock.textContent !== time) clock.textContent = time;
    const isRunning = clocks?.running === side;
    const isLow = isRunning && clocks.untilFlag(side) < LOW_MS;
    if (isLow && !wasLow) playSound("low");
    wasLow = isRunning ? isLow : wasLow;
    clock.className = `clock${isRunning ? " running" : ""}${isLow ? " low" : ""}`;
  }
}

/* Format a side's time, with that for the move where moves are limited one by one. */
function formatClock(clocks, side) {
  const time = formatTime(clocks.remaining(side));
  return clocks.countsMoves ? `${time} (${formatTime(clocks.untilFlag(side))})` : time;
}

function drawMatch(state) {
  const { match } = state;
  drawLayer(state, "hint", hint, (layer) => {
    const shape = { color: "best", from: hint?.slice(0, 2), to: hint?.slice(2) };
    if (hint) drawShape(state, layer, shape, { ...HINT, title: word("best") });
  });
  drawClocks(state);
  const live = isLive(match);
  const persons = live ? personsSides(match) : [];
  page("match-abandon").hidden = !persons.length;
  if (!match) return;
  const now = matchState(state);
  const isPersons = live && !isEngine(match, sideToMove(match));
  const shown = {
    "take-back": persons.length, "offer-draw": isPersons, resign: persons.length, hint: isPersons,
    "match-hurry": live && persons.length < 2, "match-end": live && !persons.length,
    "match-again": now === "lost" || now === "failed",
  };
  for (const [id, is] of Object.entries(shown)) page(id).hidden = !is;
  page("match-hurry").disabled = now !== "thinking";
  page("take-back").disabled = match.node === 0;
  page("offer").hidden = !(live && isOffered);
  const resigning = page("resign");
  resigning.querySelector("span").textContent = resigning.dataset[sure ? "sure" : "name"];
}

async function showHint(state) {
  const moves = state.currentMoves();
  const found = await (await callApi(state, "engine", { ...moves, seconds: 1 })).json();
  if (JSON.stringify(moves) !== JSON.stringify(state.currentMoves()) || !found.move) return;
  hint = found.move;
  state.redraw();
}

function offer(state) {
  setText("match-note", "");
  if (personsSides(state.match).length === 1) attempt(() => offerDraw(state));
  else isOffered = true;
  state.redraw();
}

function answerOffer(state, isAgreed) {
  isOffered = false;
  if (isAgreed) agreeDraw(state);
  else setText("match-note", word("matchDeclined"));
  state.redraw();
}

/* Resign at the second press. */
function askToResign(state) {
  const isSure = sure !== 0;
  unask();
  if (isSure) resign(state);
  else sure = setTimeout(() => { unask(); state.redraw(); }, SURE_MS);
  state.redraw();
}

function unask() {
  clearTimeout(sure);
  sure = 0;
}

/* Forget what belonged to the position or the match before. */
function forget() {
  hint = null;
  isOffered = false;
  unask();
  setText("match-note", "");
}

export function mount(state) {
  state.watch("position", forget);
  state.watch("phase", forget);
  state.watch("draw", () => drawMatch(state));
  state.watch("tick", () => drawClocks(state));
  const abandon = () => finish(state, "*", "", "abandoned");
  /** @type {Record<string, () => void>} */
  const actions = {
    "take-back": () => takeBack(state),
    "offer-draw": () => offer(state),
    accept: () => answerOffer(state, true),
    decline: () => answerOffer(state, false),
    resign: () => askToResign(state),
    hint: () => attempt(() => showHint(state)),
    "match-hurry": () => moveNow(state),
    "match-again": () => resume(state),
    "match-end": abandon,
    "match-abandon": abandon,
  };
  for (const [id, action] of Object.entries(actions)) {
    onClick(id, () => { if (isLive(state.match)) action(); }); // a button stays until the next frame
  }
  onClick("rematch", () => rematch(state));
}
