/* What the analysis has found: its lines, the bar beside the board, arrows for the best moves. */

import { analysis, bestMove, sayScore } from "./analysis.js";
import { notation } from "./asking.js";
import { onKey } from "./keyboard.js";
import { make, makeButton, page, word } from "./page.js";
import { game, presentNode, told, watch } from "./state.js";
import { think } from "./opponent.js";
import { readRemark } from "./remarks.js";
import { drawShape } from "./shapes.js";
import { goTo, play } from "./steps.js";
import { drawLayer } from "./table.js";

const MAX_MOVES = 14; // of a line that are shown
const SCALE_CP = 500;
const BEST = { stroke: "#2f6f9f", dashes: "none" };
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

let shown = null;

function drawLines() {
  const { found, isOn } = analysis;
  page("analysis").hidden = !isOn;
  page("lines").dataset.count = page("lines-wanted").value;
  const state = found && [found, notation()].map((part) => JSON.stringify(part)).join();
  if (state === shown) return;
  shown = state;
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
      drawShape(layer, shape, { ...(isThreat ? THREAT : BEST), width: rank ? 3.5 : 8, title });
    }
  });
}

/* What is known of a node: by the analysis, or by its comment. */
export function evaluationOf(node) {
  if (node.evaluation) return node.evaluation;
  const { evaluation } = readRemark(node.comment);
  if (!evaluation) return null;
  const { red, mate } = evaluation;
  const text = sayScore(mate === null ? {} : { mate }, red);
  return { red, text, words: text };
}

/* Red's share of the bar and of the graph, 0 to 1; the curve of a game's page has the same scale
 * (pages/graph.py). It is a scale to draw by: chances by the engine's model are "wdl". */
export function shareOf(red) {
  return (1 + Math.tanh(red / SCALE_CP)) / 2;
}

function drawBar() {
  const known = evaluationOf(presentNode());
  const isShown = Boolean(analysis.isOn || known);
  page("bar").hidden = page("bar-score").hidden = !isShown;
  page("game").classList.toggle("evaluated", isShown);
  const share = shareOf(known?.red ?? 0);
  page("bar-red").style.height = `${100 * share}%`;
  page("bar").classList.toggle("flipped", game.flip);
  page("bar").setAttribute("aria-label", known?.words ?? "");
  page("bar-score").textContent = known?.text ?? "";
}

onKey(" ", () => {
  const best = told.view?.outcome ? undefined : bestMove();
  if (best) play(best);
  else think();
});
watch("draw", () => {
  drawLines();
  drawBest();
  drawBar();
});
