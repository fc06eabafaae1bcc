/* Analysis of the shown position, while switched on.
 *
 * `found` is the last result of /api/analyse, a stream of JSON lines: {depth, seldepth, nodes, nps,
 * lines: [{score, red, words, iccs, chinese, wxf}], final}. It is null before the first result. */

import { think } from "./assistant.js";
import { attempt, callApi, notation } from "./requests.js";
import { evaluationOf, formatScore, keepEvaluation, shareOf } from "./evaluations.js";
import { make, makeButton, onClick, onKey, page, setText, word } from "./page.js";
import { isUnaided } from "./phases.js";
import { reach } from "./reach.js";
import { showMode } from "./shell.js";
import { currentMoves, currentNode, described, game, redraw, watch } from "./state.js";
import { play } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";

const DELAY_MS = 60; // before a search, so that fast stepping starts none

/* `isHeld`: the analysis waits for that of the whole game. */
export const analysis = { isOn: false, isThreat: false, isHeld: false, found: null };

let search = null; // AbortController of the running search
let timer = 0;
let shown = {}; // the analysed position

function stop() {
  clearTimeout(timer);
  search?.abort();
  search = null;
}

/* Analyse the current position. */
function restart() {
  stop();
  analysis.found = null;
  if (analysis.isOn && !analysis.isHeld && !isUnaided()) timer = setTimeout(runAnalysis, DELAY_MS);
  redraw();
}

async function runAnalysis() {
  const mine = (search = new AbortController());
  setText("analysis-note", "");
  const node = currentNode();
  const lines = Number(page("lines-wanted").value);
  const request = { ...currentMoves(), lines, endless: true, threats: analysis.isThreat };
  try {
    for await (const found of analysePosition(request, mine.signal)) {
      if (mine !== search) return;
      analysis.found = found;
      if (!analysis.isThreat) keepEvaluation(node, found);
      redraw();
    }
  } catch (error) {
    if (mine === search && error.name !== "AbortError") setText("analysis-note", error.message);
  }
}

/* Yield results of the chosen engine's search of a position. */
export async function* analysePosition(request, signal) {
  const answer = await callApi("analyse", { engine: page("engines").value, ...request }, signal);
  for await (const found of jsonLines(answer.body)) {
    if (found.error) throw new Error(found.error.message);
    if (found.lines?.length) yield found;
  }
}

/* Yield the values of a stream of JSON lines. */
export async function* jsonLines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean).map((line) => JSON.parse(line));
  }
  if (rest.trim()) yield JSON.parse(rest);
}

/* First move of the best line; undefined while threats are shown. */
export function bestMove() {
  return analysis.isThreat ? undefined : analysis.found?.lines[0].iccs[0];
}

export function switchTo(isOn, isThreat = false) {
  Object.assign(analysis, { isOn, isThreat });
  page("analyse").setAttribute("aria-pressed", isOn);
  page("threats").setAttribute("aria-pressed", isThreat);
  if (isOn) {
    listEngines();
    showMode("analyse");
  }
  restart();
}

/* Let the analysis wait while another search runs, or go on. */
export function hold(isHeld) {
  analysis.isHeld = isHeld;
  restart();
}

let hasEngineList = false;

/* Add the server's engines to the list, once; the built-in one is always there. */
async function listEngines() {
  if (hasEngineList) return;
  hasEngineList = true;
  const answer = await reach("api/engines").catch(() => null);
  const { engines } = answer?.ok ? await answer.json() : { engines: [] };
  const others = engines.filter((name) => name !== page("engines").value);
  page("engines").append(...others.map((name) => new Option(name)));
  page("engines-label").hidden = others.length === 0;
}

onClick("analyse", () => switchTo(!analysis.isOn));
onKey("a", () => switchTo(!analysis.isOn));
onClick("threats", () => switchTo(true, !analysis.isThreat));
onKey("t", () => switchTo(true, !analysis.isThreat));
for (const id of ["lines-wanted", "engines"]) page(id).addEventListener("change", restart);
watch("position", () => {
  const { history: { tree, node }, rules } = game;
  const isSame = shown.tree === tree && shown.node === node && shown.rules === rules;
  shown = { tree, node, rules };
  if (!isSame) restart(); // else only the notation has changed
});
watch("phase", restart);
addEventListener("pagehide", stop);
addEventListener("pageshow", ({ persisted }) => { if (persisted) restart(); });

/* Results of the analysis: lines, the bar beside the board, arrows for the best moves. */

const MAX_MOVES = 14; // of a shown line
const THREAT = { stroke: "#b3121f", dashes: "3 6" };

/* Add moves of a line to the game, and go to the last of them. */
function playLine(moves) {
  for (const move of moves) play(move);
}

function lineItem(line) {
  const names = line[notation()];
  const item = make("li", {},
    make("b", { textContent: formatScore(line.score, line.red), title: line.words }), " ");
  item.firstChild.className = line.red < 0 ? "score black" : "score red";
  for (const [place, name] of names.slice(0, MAX_MOVES).entries()) {
    const moves = line.iccs.slice(0, place + 1);
    const move = analysis.isThreat
      ? make("span", { textContent: name }) : makeButton(name, () => playLine(moves));
    if (!analysis.isThreat) move.dataset.preview = [game.history.node, ...moves].join(" ");
    item.append(move, " ");
  }
  return item;
}

let drawn = null; // state of the drawn lines

function drawLines() {
  const { found, isOn } = analysis;
  page("analysis").hidden = !isOn;
  page("lines-empty").hidden = isOn;
  page("lines-place").hidden = !isOn && Boolean(game.history.tree.review);
  page("lines").style.setProperty("--count", page("lines-wanted").value);
  const state = found && [found, notation()].map((part) => JSON.stringify(part)).join();
  if (state === drawn) return;
  drawn = state;
  page("lines").replaceChildren(...(found?.lines ?? []).map(lineItem));
  page("depth").textContent = found ? formatEffort(found) : isOn && !analysis.isHeld ? word("thinking") : "";
}

function formatEffort({ depth, seldepth, nodes, nps }) {
  const depths = seldepth > depth ? `${depth}/${seldepth}` : `${depth}`;
  const thousands = (count) => `${Math.round(count / 1000)}k`;
  const speed = nps ? ` (${thousands(nps)}/s)` : "";
  return `${word("depth")} ${depths}, ${thousands(nodes)}${speed}`;
}

function drawBest() {
  const { found, isThreat } = analysis;
  const moves = (found?.lines ?? []).map(({ iccs }) => iccs[0]).filter(Boolean);
  drawLayer("best", [moves, isThreat], (layer) => {
    for (const [rank, move] of [...moves.entries()].reverse()) {
      const shape = { color: "best", from: move.slice(0, 2), to: move.slice(2, 4) };
      const title = `${word(isThreat ? "threat" : "best")} ${rank + 1}`;
      drawShape(layer, shape, { ...(isThreat ? THREAT : ADVICE), width: rank ? 3.5 : 8, title });
    }
  });
}

/* Shorten a score to the width of the bar: "+0.3", "−12". */
function shorten(text) {
  return text.replace(/(\d+)\.(\d)\d/, (_, whole, tenth) => (whole.length > 1 ? whole : `${whole}.${tenth}`));
}

function drawBar() {
  const known = evaluationOf(currentNode());
  const isShown = !isUnaided() && Boolean(analysis.isOn || known);
  page("bar").hidden = page("bar-score").hidden = !isShown;
  const share = shareOf(known?.red ?? 0);
  page("bar-red").style.height = `${100 * share}%`;
  page("bar").classList.toggle("flipped", game.flip);
  page("bar").setAttribute("aria-label", known?.words ?? "");
  page("bar-score").textContent = known ? shorten(known.text) : "";
  page("bar-score").title = known?.words ?? "";
}

onKey(" ", () => {
  const best = described.view?.outcome ? undefined : bestMove();
  if (best) play(best);
  else think();
});
watch("draw", () => {
  drawLines();
  drawBest();
  drawBar();
});

/* Survey: a short search of each position of the shown line, for the graph. */

const SECONDS = 0.3; // per position

let survey = null; // AbortController of the running survey

function endSurvey() {
  survey?.abort();
  survey = null;
  page("survey").setAttribute("aria-pressed", "false");
  setText("surveyed", "");
}

async function beginSurvey() {
  if (analysis.isOn) switchTo(false); // one search at a time
  const mine = (survey = new AbortController());
  page("survey").setAttribute("aria-pressed", "true");
  const { tree, node } = game.history;
  const line = [0, ...tree.line(node)];
  for (const [place, id] of line.entries()) {
    if (mine !== survey) return;
    if (evaluationOf(tree.nodes[id])) continue;
    setText("surveyed", `${place} / ${line.length - 1}`);
    const request = {
      fen: tree.fen, moves: tree.moves(tree.path(id)), lines: 1, seconds: SECONDS, threats: false,
    };
    for await (const found of analysePosition(request, mine.signal)) {
      keepEvaluation(tree.nodes[id], found);
    }
    redraw();
  }
}

onClick("survey", async () => {
  const isOver = !survey;
  endSurvey();
  if (!isOver) return;
  await attempt(beginSurvey);
  endSurvey();
});
watch("draw", () => {
  if (survey && (analysis.isOn || isUnaided())) endSurvey();
});
addEventListener("pagehide", endSurvey);

/* Book moves of the current position. */

/* `book` is part of a response of /api/position, null without a book. */
function drawBook(book, onChoose) {
  if (!book) return;
  const { moves, error } = book;
  setText("book-error", error?.message ?? "");
  page("no-book-moves").hidden = moves.length > 0 || Boolean(error);
  page("book").hidden = moves.length === 0;
  page("book").tBodies[0].replaceChildren(...moves.map((found) => bookRow(found, onChoose)));
}

function bookRow(found, onChoose) {
  const row = document.createElement("tr");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = found.name;
  button.addEventListener("click", () => onChoose(found.move));
  row.insertCell().append(button);
  const counts = found.counts.some(Boolean) ? found.counts : ["", "", ""];
  for (const text of [found.weight, ...counts, found.note]) row.insertCell().textContent = text;
  if (!found.playable) {
    row.className = "unplayable";
    row.title = page("book").dataset.unplayable;
  }
  return row;
}

watch("draw", () => {
  if (described.view) drawBook(described.view.book, play);
});
