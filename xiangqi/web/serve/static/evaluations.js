/* Evaluations of positions: their text, their height in bar and graph, and storage in the game. */

import { word } from "./page.js";
import { readRemark } from "./tree.js";

const MAX_SOLDIERS = 99.99; // also written for a win by rule
const SCALE_CP = 500;

/* Store an evaluation in a node, unless that of a deeper search is there. */
export function keepEvaluation(node, { depth, lines: [{ red, score, words }] }) {
  if (node.evaluation?.depth > depth) return;
  const text = formatScore(score, red);
  node.evaluation = { red, text, words: words || text, depth, written: formatPgnScore(score, red) };
}

/* Format a score for [%eval] in PGN, from Red's side; 0 if the game is over. */
function formatPgnScore(score, red) {
  const sign = red < 0 ? "-" : "";
  if (score?.mate !== undefined) return score.mate && `#${sign}${Math.abs(score.mate)}`;
  const soldiers = score?.rule === undefined ? Math.abs(red) / 100 : Infinity;
  return sign + Math.min(soldiers, MAX_SOLDIERS).toFixed(2);
}

/* Format a score from Red's side: "+1.25", "−#3" (mate), "#" (mated), "+rule" (win by a rule). */
export function formatScore(score, red) {
  const sign = red < 0 ? "−" : "+";
  if (score?.mate !== undefined) return score.mate ? `${sign}#${Math.abs(score.mate)}` : "#";
  if (score?.rule !== undefined) return `${sign}${word("ruleWin")}`;
  return `${sign}${(Math.abs(red) / 100).toFixed(2)}`;
}

/* Evaluation of a node, from the analysis or from its comment; null if unknown. */
export function evaluationOf(node) {
  if (node.evaluation) return node.evaluation;
  const { evaluation } = readRemark(node.comment);
  if (!evaluation) return null;
  const { red, mate } = evaluation;
  const text = formatScore(mate === null ? {} : { mate }, red);
  return { red, text, words: text };
}

/* Height of an evaluation in the bar and the graph, 0 to 1 for Red, on the same scale as in
 * pages/game_page.py. It is no winning chance: those are in "wdl". */
export function shareOf(red) {
  return (1 + Math.tanh(red / SCALE_CP)) / 2;
}
