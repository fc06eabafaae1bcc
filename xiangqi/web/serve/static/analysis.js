/* The analysis on a switch: the engine looks at whatever position is shown, for as long as it is.
 *
 * `found` is what has come last of an answer of /api/analyse, a stream of JSON lines: {depth,
 * seldepth, nodes, nps, lines: [{score, red, words, iccs, chinese, wxf}], final}. It is null while
 * nothing is known. */

import { ask, attempt, notation } from "./asking.js";
import { make, makeButton, onClick, onKey, page, setText, word } from "./page.js";
import { think } from "./players.js";
import { reach } from "./reach.js";
import { showMode } from "./shell.js";
import { described, game, presentMoves, presentNode, redraw, watch } from "./state.js";
import { goTo, play } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";
import { readRemark } from "./tree.js";

const MAX_SOLDIERS = 99.99; // a win by rule is written as the greatest score
const PATIENCE = 60; // milliseconds: who steps on sooner has not looked at the position

export const analysis = { isOn: false, isThreat: false, found: null };

let search = null; // what breaks the search off that goes on
let waiting = 0;
let shown = {}; // the position that is looked at, if any is

function stop() {
  clearTimeout(waiting);
  search?.abort();
  search = null;
}

/* Look at the present position, and forget the one before. */
function restart() {
  stop();
  analysis.found = null;
  if (analysis.isOn) waiting = setTimeout(look, PATIENCE);
  redraw();
}

async function look() {
  const mine = (search = new AbortController());
  setText("analysis-note", "");
  const node = presentNode();
  const lines = Number(page("lines-wanted").value);
  const question = { ...presentMoves(), lines, endless: true, threats: analysis.isThreat };
  try {
    for await (const found of lookAt(question, mine.signal)) {
      if (mine !== search) return;
      analysis.found = found;
      if (!analysis.isThreat) keepEvaluation(node, found);
      redraw();
    }
  } catch (error) {
    if (mine === search && error.name !== "AbortError") setText("analysis-note", error.message);
  }
}

/* Analysis of a position by the chosen engine, shown as it comes. */
export async function* lookAt(question, signal) {
  const answer = await ask("analyse", { engine: page("engines").value, ...question }, signal);
  for await (const found of jsonLines(answer.body)) {
    if (found.error) throw new Error(found.error);
    if (found.lines?.length) yield found;
  }
}

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

/* A node keeps what the deepest search has found about it. */
export function keepEvaluation(node, { depth, lines: [{ red, score, words }] }) {
  if (node.evaluation?.depth > depth) return;
  const text = sayScore(score, red);
  node.evaluation = { red, text, words: words || text, depth, written: writeScore(score, red) };
}

/* A score as the comments of PGN have it, from Red's side; nothing where the game is over. */
function writeScore(score, red) {
  const sign = red < 0 ? "-" : "";
  if (score?.mate !== undefined) return score.mate && `#${sign}${Math.abs(score.mate)}`;
  const soldiers = score?.rule === undefined ? Math.abs(red) / 100 : Infinity;
  return sign + Math.min(soldiers, MAX_SOLDIERS).toFixed(2);
}

/* A score in a few letters, from Red's side. */
export function sayScore(score, red) {
  const sign = red < 0 ? "−" : "+";
  if (score?.mate !== undefined) return `${sign}#${Math.abs(score.mate)}`;
  if (score?.rule !== undefined) return `${sign}§`;
  return `${sign}${(Math.abs(red) / 100).toFixed(2)}`;
}

/* The first move of the best line, where there is one of the side to move. */
export function bestMove() {
  return analysis.isThreat ? undefined : analysis.found?.lines[0].iccs[0];
}

export function switchTo(isOn, isThreat = false) {
  Object.assign(analysis, { isOn, isThreat });
  page("analyse").setAttribute("aria-pressed", isOn);
  page("threats").setAttribute("aria-pressed", isThreat);
  if (isOn) {
    nameEngines();
    showMode("analyse");
  }
  restart();
}

let areNamed = false;

/* The engines to choose from; there is always ours. */
async function nameEngines() {
  if (areNamed) return;
  areNamed = true;
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
  if (!isSame) restart(); // else only its words change
});
addEventListener("pagehide", stop);
addEventListener("pageshow", ({ persisted }) => { if (persisted) restart(); });

/* Results of the analysis: lines, the bar beside the board, arrows for the best moves. */

const MAX_MOVES = 14; // of a line that are shown
const SCALE_CP = 500;
const THREAT = { stroke: "#b3121f", dashes: "3 6" };

/* Make the first moves of a line part of the game, and go to the last of them. */
function playLine(moves) {
  for (const move of moves) play(move);
}

function lineItem(line) {
  const names = line[notation()];
  const item = make("li", {},
    make("b", { textContent: sayScore(line.score, line.red), title: line.words }), " ");
  item.firstChild.className = line.red < 0 ? "score black" : "score red";
  for (const [place, name] of names.slice(0, MAX_MOVES).entries()) {
    const moves = line.iccs.slice(0, place + 1);
    const move = analysis.isThreat
      ? make("span", { textContent: name }) : makeButton(name, () => playLine(moves));
    item.append(move, " ");
  }
  return item;
}

let drawn = null; // what the lines show

function drawLines() {
  const { found, isOn } = analysis;
  page("analysis").hidden = !isOn;
  page("lines").dataset.count = page("lines-wanted").value;
  const state = found && [found, notation()].map((part) => JSON.stringify(part)).join();
  if (state === drawn) return;
  drawn = state;
  page("lines").replaceChildren(...(found?.lines ?? []).map(lineItem));
  page("depth").textContent = found ? sayEffort(found) : isOn ? word("thinking") : "";
}

function sayEffort({ depth, seldepth, nodes, nps }) {
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

/* Evaluation of a node, by the analysis or by its comment. */
export function evaluationOf(node) {
  if (node.evaluation) return node.evaluation;
  const { evaluation } = readRemark(node.comment);
  if (!evaluation) return null;
  const { red, mate } = evaluation;
  const text = sayScore(mate === null ? {} : { mate }, red);
  return { red, text, words: text };
}

/* Red's share of the bar and of the graph, 0 to 1; the curve of a game's page has the same scale
 * (pages/game_page.py). It is a scale to draw by: chances by the engine's model are "wdl". */
export function shareOf(red) {
  return (1 + Math.tanh(red / SCALE_CP)) / 2;
}

function drawBar() {
  const known = evaluationOf(presentNode());
  const isShown = Boolean(analysis.isOn || known);
  page("bar").hidden = page("bar-score").hidden = !isShown;
  const share = shareOf(known?.red ?? 0);
  page("bar-red").style.height = `${100 * share}%`;
  page("bar").classList.toggle("flipped", game.flip);
  page("bar").setAttribute("aria-label", known?.words ?? "");
  page("bar-score").textContent = known?.text ?? "";
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

/* The evaluation over the line that is shown, as far as it is known. */

const HEIGHT = 100;
const FAULTS = { 2: "mistake", 4: "blunder", 6: "inaccuracy" }; // marks by their numbers in PGN
let graphDrawn = "";
let graphLine = [0]; // the nodes of the graph from left to right

function drawGraph() {
  const { tree, node } = game.history;
  graphLine = [0, ...tree.line(node)];
  const known = graphLine.map((id) => evaluationOf(tree.nodes[id]));
  const points = known.flatMap((found, place) => (found ? [[place, shareOf(found.red)]] : []));
  const faults = graphLine.flatMap((id, place) => {
    const nag = tree.nodes[id].nags?.find((one) => one in FAULTS);
    return nag ? [[place, FAULTS[nag]]] : [];
  });
  const state = JSON.stringify([faults, points, graphLine.length, graphLine.indexOf(node)]);
  if (state === graphDrawn) return;
  graphDrawn = state;
  page("graph").toggleAttribute("hidden", points.length < 2);
  if (points.length < 2) return;
  const width = Math.max(1, graphLine.length - 1);
  page("graph").setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  const path = points.map(([x, share]) => `${x} ${(HEIGHT * (1 - share)).toFixed(1)}`);
  const [first, last] = [points[0][0], points.at(-1)[0]];
  page("graph").replaceChildren();
  const area = `M${first} ${HEIGHT / 2}L${path.join("L")}L${last} ${HEIGHT / 2}Z`;
  addElement(page("graph"), "path", { class: "area", d: area });
  addElement(page("graph"), "path", { class: "even", d: `M0 ${HEIGHT / 2}H${width}` });
  addElement(page("graph"), "path", { class: "curve", d: `M${path.join("L")}` });
  for (const [place, name] of faults) {
    addElement(page("graph"), "path", { class: `fault ${name}`, d: `M${place} 0V${HEIGHT}` });
  }
  addElement(page("graph"), "path", { class: "now", d: `M${graphLine.indexOf(node)} 0V${HEIGHT}` });
}

page("graph").addEventListener("click", ({ clientX }) => {
  const { left, width } = page("graph").getBoundingClientRect();
  const place = Math.round(((clientX - left) / width) * (graphLine.length - 1));
  goTo(graphLine[Math.min(Math.max(place, 0), graphLine.length - 1)]);
});
watch("draw", drawGraph);

/* A short look at every position of the line that is shown: the graph of the game. */

const SECONDS = 0.3; // for a position

let survey = null; // what breaks it off while it goes on

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
    const question = {
      fen: tree.fen, moves: tree.moves(tree.path(id)), lines: 1, seconds: SECONDS, threats: false,
    };
    for await (const found of lookAt(question, mine.signal)) keepEvaluation(tree.nodes[id], found);
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
  if (survey && analysis.isOn) endSurvey();
});
addEventListener("pagehide", endSurvey);

/* Book moves of the present position. */

/* `book` is a part of an answer of /api/position, null where there is no book. */
function drawBook(book, onChoose) {
  if (!book) return;
  const { moves, error } = book;
  setText("book-error", error);
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
