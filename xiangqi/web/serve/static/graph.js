/* The evaluation over the line that is shown, as far as it is known. */

import { analysis, evaluationOf, keepEvaluation, lookAt, shareOf, switchTo } from "./analysis.js";
import { attempt } from "./asking.js";
import { onClick, page, setText } from "./page.js";
import { game, redraw, watch } from "./state.js";
import { goTo } from "./steps.js";

const HEIGHT = 100;
const FAULTS = { 2: "mistake", 4: "blunder", 6: "inaccuracy" }; // marks by their numbers in PGN
let drawn = "";
let line = [0]; // the nodes of the graph from left to right

function drawGraph() {
  const { tree, node } = game.history;
  line = [0, ...tree.line(node)];
  const known = line.map((id) => evaluationOf(tree.nodes[id]));
  const points = known.flatMap((found, place) => (found ? [[place, shareOf(found.red)]] : []));
  const faults = line.flatMap((id, place) => {
    const nag = tree.nodes[id].nags?.find((one) => one in FAULTS);
    return nag ? [[place, FAULTS[nag]]] : [];
  });
  const state = JSON.stringify([faults, points, line.length, line.indexOf(node)]);
  if (state === drawn) return;
  drawn = state;
  page("graph").toggleAttribute("hidden", points.length < 2);
  if (points.length < 2) return;
  const width = Math.max(1, line.length - 1);
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
  addElement(page("graph"), "path", { class: "now", d: `M${line.indexOf(node)} 0V${HEIGHT}` });
}

page("graph").addEventListener("click", ({ clientX }) => {
  const { left, width } = page("graph").getBoundingClientRect();
  const place = Math.round(((clientX - left) / width) * (line.length - 1));
  goTo(line[Math.min(Math.max(place, 0), line.length - 1)]);
});
watch("draw", drawGraph);

/* A short look at every position of the line that is shown: the graph of the game. */

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
