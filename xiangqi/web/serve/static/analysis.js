/* The analysis on a switch: the engine looks at whatever position is shown, for as long as it is.
 *
 * `found` is what has come last of an answer of /api/analyse, a stream of JSON lines: {depth,
 * seldepth, nodes, nps, lines: [{score, red, words, iccs, chinese, wxf}], final}. It is null while
 * nothing is known. */

import { ask } from "./asking.js";
import { onKey } from "./keyboard.js";
import { onClick, page, setText, word } from "./page.js";
import { game, presentMoves, presentNode, redraw, watch } from "./state.js";
import { reach } from "./reach.js";
import { showMode } from "./shell.js";

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

/* Whatever the chosen engine finds about a position, as it comes. */
export async function* lookAt(question, signal) {
  const answer = await ask("analyse", { engine: page("engines").value, ...question }, signal);
  for await (const found of jsonLines(answer.body)) {
    if (found.error) throw new Error(found.error);
    if (found.lines?.length) yield found;
  }
}

async function* jsonLines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean).map((line) => JSON.parse(line));
  }
  if (rest.trim()) yield JSON.parse(rest);
}

/* A node keeps what the deepest search has told of it. */
export function keepEvaluation(node, { depth, lines: [{ red, score, words }] }) {
  if (node.evaluation?.depth > depth) return;
  node.evaluation = { red, text: sayScore(score, red), words, depth, written: writeScore(score, red) };
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
  if (!isSame) restart(); // else it is only told in other words
});
addEventListener("pagehide", stop);
addEventListener("pageshow", ({ persisted }) => { if (persisted) restart(); });
