/* The evaluation over the line that is shown, as far as it is known. */

import { evaluationOf, shareOf } from "./analysis_lines.js";
import { page } from "./page.js";
import { game, watch } from "./state.js";
import { goTo } from "./steps.js";

const HEIGHT = 100;
let drawn = "";
let line = [0]; // the nodes of the graph from left to right

function drawGraph() {
  const { tree, node } = game.history;
  line = [0, ...tree.line(node)];
  const known = line.map((id) => evaluationOf(tree.nodes[id]));
  const points = known.flatMap((found, place) => (found ? [[place, shareOf(found.red)]] : []));
  const state = JSON.stringify([points, line.length, line.indexOf(node)]);
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
  addElement(page("graph"), "path", { class: "now", d: `M${line.indexOf(node)} 0V${HEIGHT}` });
}

page("graph").addEventListener("click", ({ clientX }) => {
  const { left, width } = page("graph").getBoundingClientRect();
  const place = Math.round(((clientX - left) / width) * (line.length - 1));
  goTo(line[Math.min(Math.max(place, 0), line.length - 1)]);
});
watch("draw", drawGraph);
