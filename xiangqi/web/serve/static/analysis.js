/* Analysis of the shown position, while switched on.
 *
 * `found` is the last result of /api/analyse, a stream of JSON lines: {depth, seldepth, nodes, nps,
 * lines: [{score, red, words, iccs, chinese, wxf}], final}. It is null before the first result. */

import { think } from "./assistant.js";
import { callApi, notation } from "./requests.js";
import { evaluationOf, formatScore, keepEvaluation, shareOf } from "./evaluations.js";
import { onKey } from "./keys.js";
import { make, makeButton, onClick, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { showMode } from "./shell.js";
import { play, playListed } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";

const DELAY_MS = 60; // before a search, so that fast stepping starts none

/* `isHeld`: the analysis waits for that of the whole game. */
export const analysis = { isOn: false, isThreat: false, isHeld: false, found: null };

let search = null; // AbortController of the running search
let timer = 0;
let shown = { tree: null, node: 0, rules: "" }; // the analysed position

function stop() {
  clearTimeout(timer);
  search?.abort();
  search = null;
}

/* Analyse the current position. */
function restart(state) {
  stop();
  analysis.found = null;
  const isWanted = analysis.isOn && !analysis.isHeld && !state.isUnaided();
  if (isWanted) timer = setTimeout(() => runAnalysis(state), DELAY_MS);
  state.redraw();
}

async function runAnalysis(state) {
  const mine = (search = new AbortController());
  setText("analysis-note", "");
  const node = state.currentNode();
  const lines = Number(page("lines-wanted").value);
  const request = { ...state.currentMoves(), lines, endless: true, threats: analysis.isThreat };
  try {
    for await (const found of analysePosition(state, request, mine.signal)) {
      if (mine !== search) return;
      analysis.found = found;
      if (!analysis.isThreat) keepEvaluation(node, found);
      state.redraw();
    }
  } catch (error) {
    if (mine === search && error.name !== "AbortError") setText("analysis-note", error.message);
  }
}

/** Yield results of the chosen engine's search of a position.
 * @param {AbortSignal} [signal] */
export async function* analysePosition(state, request, signal) {
  const answer = await callApi(state, "analyse", { engine: page("engines").value, ...request }, signal);
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

export function switchTo(state, isOn, isThreat = false) {
  Object.assign(analysis, { isOn, isThreat });
  page("analyse").setAttribute("aria-pressed", isOn);
  page("threats").setAttribute("aria-pressed", isThreat);
  if (isOn) {
    listEngines();
    showMode(state, "analyse");
  }
  restart(state);
}

/* Let the analysis wait while another search runs, or go on. */
export function hold(state, isHeld) {
  analysis.isHeld = isHeld;
  restart(state);
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

/* Results of the analysis: lines, the bar beside the board, arrows for the best moves. */

const MAX_MOVES = 14; // of a shown line
const THREAT = { stroke: "#b3121f", dashes: "3 6" };

function lineItem(state, line) {
  const names = line[notation()];
  const place = shown;
  const item = make("li", {},
    make("b", { textContent: formatScore(line.score, line.red), title: line.words }), " ");
  item.firstChild.className = line.red < 0 ? "score black" : "score red";
  for (const [ply, name] of names.slice(0, MAX_MOVES).entries()) {
    const moves = line.iccs.slice(0, ply + 1);
    const move = analysis.isThreat
      ? make("span", { textContent: name }) : makeButton(name, () => playListed(state, place, moves));
    if (!analysis.isThreat) move.dataset.preview = [state.history.node, ...moves].join(" ");
    item.append(move, " ");
  }
  return item;
}

let drawn = null; // state of the drawn lines

function drawLines(state) {
  const { found, isOn } = analysis;
  page("analysis").hidden = !isOn;
  page("lines-empty").hidden = isOn;
  page("lines-place").hidden = !isOn && Boolean(state.history.tree.review);
  page("lines").style.setProperty("--count", page("lines-wanted").value);
  const content = found && [found, notation()].map((part) => JSON.stringify(part)).join();
  if (content === drawn) return;
  drawn = content;
  page("lines").replaceChildren(...(found?.lines ?? []).map((line) => lineItem(state, line)));
  page("depth").textContent = found ? formatEffort(found) : isOn && !analysis.isHeld ? word("thinking") : "";
}

function formatEffort({ depth, seldepth, nodes, nps }) {
  const depths = seldepth > depth ? `${depth}/${seldepth}` : `${depth}`;
  const thousands = (count) => `${Math.round(count / 1000)}k`;
  const speed = nps ? ` (${thousands(nps)}/s)` : "";
  return `${word("depth")} ${depths}, ${thousands(nodes)}${speed}`;
}

function drawBest(state) {
  const { found, isThreat } = analysis;
  const moves = (found?.lines ?? []).map(({ iccs }) => iccs[0]).filter(Boolean);
  drawLayer(state, "best", [moves, isThreat], (layer) => {
    for (const [rank, move] of [...moves.entries()].reverse()) {
      const shape = { color: "best", from: move.slice(0, 2), to: move.slice(2, 4) };
      const title = `${word(isThreat ? "threat" : "best")} ${rank + 1}`;
      drawShape(state, layer, shape, { ...(isThreat ? THREAT : ADVICE), width: rank ? 3.5 : 8, title });
    }
  });
}

/* Round a score to the width of the bar: "+0.31" to "+0.3", "−12.40" to "−12". */
function shorten(text) {
  return text.replace(/\d+\.\d\d$/, (score) => Number(score).toFixed(Number(score) < 9.95 ? 1 : 0));
}

function drawBar(state) {
  const known = evaluationOf(state.currentNode());
  const isShown = !state.isUnaided() && Boolean(analysis.isOn || known);
  page("bar").hidden = page("bar-score").hidden = !isShown;
  const share = shareOf(known?.red ?? 0);
  page("bar-red").style.height = `${100 * share}%`;
  page("bar").classList.toggle("flipped", state.flip);
  page("bar").setAttribute("aria-label", known?.words ?? "");
  page("bar-score").textContent = known ? shorten(known.text) : "";
  page("bar-score").title = known?.words ?? "";
}

export function mount(state) {
  onClick("analyse", () => switchTo(state, !analysis.isOn));
  onKey("a", () => switchTo(state, !analysis.isOn));
  onClick("threats", () => switchTo(state, true, !analysis.isThreat));
  onKey("t", () => switchTo(state, true, !analysis.isThreat));
  for (const id of ["lines-wanted", "engines"]) page(id).addEventListener("change", () => restart(state));
  state.watch("position", () => {
    const { history: { tree, node }, rules } = state;
    const isSame = shown.tree === tree && shown.node === node && shown.rules === rules;
    shown = { tree, node, rules };
    if (!isSame) restart(state); // else only the notation has changed
  });
  state.watch("phase", () => restart(state));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) restart(state); });
  onKey(" ", () => {
    const best = state.view?.outcome ? undefined : bestMove();
    if (best) play(state, best);
    else think(state);
  });
  state.watch("draw", () => {
    drawLines(state);
    drawBest(state);
    drawBar(state);
  });
}
