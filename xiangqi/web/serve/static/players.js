/* Controls and clocks of matches. */

import {
  agreeDraw, finish, isEngine, isLive, match, matchState, moveNow, offerDraw, personsSides, rematch,
  resign, resume, sideToMove, takeBack,
} from "./match.js";
import { formatTime } from "./clocks.js";
import { onClick, page, setText, word } from "./page.js";
import { attempt, callApi } from "./requests.js";
import { playSound } from "./settings.js";
import { currentMoves, game, redraw, watch } from "./state.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";

const HINT = { ...ADVICE, width: 8 };
const LOW_MS = 10_000; // a clock below it warns
const SURE_MS = 4000; // time for the second press of the button that resigns

let hint = null; // move suggested by the engine
let isOffered = false; // has one person offered the other a draw?
let wasLow = false; // was the running clock low?
let sure = 0; // timer while the next press resigns; 0 if it does not

function drawClocks() {
  for (const [place, isUpper] of [["upper", true], ["lower", false]]) {
    const side = isUpper === game.flip ? "red" : "black";
    const clock = page(`${place}-clock`);
    const clocks = match?.clocks;
    clock.textContent = clocks ? formatClock(clocks, side) : "";
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

function drawMatch() {
  drawLayer("hint", hint, (layer) => {
    const shape = { color: "best", from: hint?.slice(0, 2), to: hint?.slice(2) };
    if (hint) drawShape(layer, shape, { ...HINT, title: word("best") });
  });
  drawClocks();
  const live = isLive();
  const persons = live ? personsSides() : [];
  page("match-abandon").hidden = !persons.length;
  if (!match) return;
  const state = matchState();
  const isPersons = live && !isEngine(sideToMove());
  const shown = {
    "take-back": persons.length, "offer-draw": isPersons, resign: persons.length, hint: isPersons,
    "match-hurry": live && persons.length < 2, "match-end": live && !persons.length,
    "match-again": state === "lost" || state === "failed",
  };
  for (const [id, is] of Object.entries(shown)) page(id).hidden = !is;
  page("match-hurry").disabled = state !== "thinking";
  page("take-back").disabled = match.node === 0;
  page("offer").hidden = !(live && isOffered);
  const resigning = page("resign");
  resigning.querySelector("span").textContent = resigning.dataset[sure ? "sure" : "name"];
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

/* Resign at the second press. */
function askToResign() {
  const isSure = sure !== 0;
  unask();
  if (isSure) resign();
  else sure = setTimeout(() => { unask(); redraw(); }, SURE_MS);
  redraw();
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

watch("position", forget);
watch("phase", forget);
watch("draw", drawMatch);
setInterval(drawClocks, 100);
onClick("take-back", takeBack);
onClick("offer-draw", offer);
onClick("accept", () => answerOffer(true));
onClick("decline", () => answerOffer(false));
onClick("resign", askToResign);
onClick("hint", () => attempt(showHint));
onClick("match-hurry", moveNow);
onClick("match-again", resume);
for (const id of ["match-end", "match-abandon"]) onClick(id, () => finish("*", "", "abandoned"));
onClick("rematch", rematch);
