/* Survey: a short search of each position of the shown line, for the graph. */

import { analysePosition, analysis, switchTo } from "./analysis.js";
import { evaluationOf, keepEvaluation } from "./evaluations.js";
import { onClick, page, setText } from "./page.js";
import { attempt } from "./requests.js";

const SECONDS = 0.3; // per position

let survey = null; // AbortController of the running survey

function endSurvey() {
  survey?.abort();
  survey = null;
  page("survey").setAttribute("aria-pressed", "false");
  setText("surveyed", "");
}

async function beginSurvey(state) {
  if (analysis.isOn) switchTo(state, false); // one search at a time
  const mine = (survey = new AbortController());
  page("survey").setAttribute("aria-pressed", "true");
  const { tree, node } = state.history;
  const line = [0, ...tree.line(node)];
  for (const [place, id] of line.entries()) {
    if (mine !== survey) return;
    if (evaluationOf(tree.nodes[id])) continue;
    setText("surveyed", `${place} / ${line.length - 1}`);
    const request = {
      fen: tree.fen, moves: tree.moves(tree.path(id)), lines: 1, seconds: SECONDS, threats: false,
    };
    for await (const found of analysePosition(state, request, mine.signal)) {
      keepEvaluation(tree.nodes[id], found);
    }
    state.redraw();
  }
}

export function mount(state) {
  onClick("survey", async () => {
    const isOver = !survey;
    endSurvey();
    if (!isOver) return;
    await attempt(() => beginSurvey(state));
    endSurvey();
  });
  state.watch("draw", () => {
    if (survey && (analysis.isOn || state.isUnaided())) endSurvey();
  });
  addEventListener("pagehide", endSurvey);
}
