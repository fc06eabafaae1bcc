/* A short look at every position of the line that is shown: the graph of the game. */

import { analysis, keepEvaluation, lookAt, switchTo } from "./analysis.js";
import { evaluationOf } from "./analysis_lines.js";
import { attempt } from "./asking.js";
import { onClick, page, setText } from "./page.js";
import { game, redraw, watch } from "./state.js";

const SECONDS = 0.3; // for a position

let survey = null; // what breaks it off while it goes on

function end() {
  survey?.abort();
  survey = null;
  page("survey").setAttribute("aria-pressed", "false");
  setText("surveyed", "");
}

async function begin() {
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
  end();
  if (!isOver) return;
  await attempt(begin);
  end();
});
watch("draw", () => {
  if (survey && analysis.isOn) end();
});
addEventListener("pagehide", end);
