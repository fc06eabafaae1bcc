/* Graph of the evaluations over the shown line. A dot on the curve is a fault of Red or of Black; the
 * value under the pointer is shown with its move. */

import { addElement } from "./board.js";
import { evaluationOf, shareOf } from "./evaluations.js";
import { make, page, setText } from "./page.js";
import { notation } from "./requests.js";
import { goTo } from "./steps.js";

const HEIGHT = 100;
const LEVELS = [300, 0, -300]; // centipawns with a line and a label
const ROUNDS = 10; // between two labels of moves
const FAULTS = { 2: "mistake", 4: "blunder", 6: "inaccuracy" }; // by NAG

let shown = "";
let line = [0]; // the nodes of the graph from left to right

const heightOf = (share) => Number((HEIGHT * (1 - share)).toFixed(1));

function drawGraph(state) {
  const { tree, node } = state.history;
  line = [0, ...tree.line(node)];
  const known = line.map((id) => evaluationOf(tree.nodes[id]));
  const points = known.flatMap((found, place) => (found ? [[place, heightOf(shareOf(found.red))]] : []));
  const faults = points.flatMap(([place, height]) => {
    const nag = tree.nodes[line[place]].nags?.find((one) => one in FAULTS);
    const side = (place + tree.offset) % 2 ? "red" : "black";
    return nag ? [[place, height, FAULTS[nag], side]] : [];
  });
  const now = line.indexOf(node);
  const content = JSON.stringify([faults, points, line.length, now, tree.offset]);
  if (content === shown) return;
  shown = content;
  const isShown = points.length >= 2;
  page("graph-chart").hidden = !isShown;
  page("graph-empty").hidden = isShown;
  if (!isShown) return;
  const width = Math.max(1, line.length - 1);
  page("graph").setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  page("graph").replaceChildren();
  const path = points.map((point) => point.join(" ")).join("L");
  const [first, last] = [points[0][0], points.at(-1)[0]];
  const middle = HEIGHT / 2;
  addPath("area", `M${first} ${middle}L${path}L${last} ${middle}Z`);
  for (const level of LEVELS) addPath(level ? "level" : "even", `M0 ${heightOf(shareOf(level))}H${width}`);
  addPath("curve", `M${path}`);
  addPath("now", `M${now} 0V${HEIGHT}`);
  for (const [place, height, name, side] of faults) {
    addPath(`fault ring ${side}`, `M${place} ${height}h0`);
    addPath(`fault ${name} ${side}`, `M${place} ${height}h0`);
  }
  drawLabels(width, tree.offset);
}

function addPath(kind, d) {
  addElement(page("graph"), "path", { class: kind, d });
}

/* Label the levels at the left, and every tenth move below. */
function drawLabels(width, offset) {
  const levels = LEVELS.map((level) => {
    const text = level ? `${level > 0 ? "+" : "−"}${Math.abs(level) / 100}` : "0";
    const label = make("span", { className: "graph-level", textContent: text });
    label.style.top = `${heightOf(shareOf(level))}%`;
    return label;
  });
  const rounds = [];
  for (let round = ROUNDS; 2 * round - 1 - offset < width; round += ROUNDS) {
    const place = 2 * round - 1 - offset;
    if (place < 0) continue;
    const label = make("span", { className: "graph-round", textContent: String(round) });
    label.style.left = `${(100 * place) / width}%`;
    rounds.push(label);
  }
  page("graph-labels").replaceChildren(...levels, ...rounds);
}

/* Place in the line under the pointer. */
function placeAt({ clientX }) {
  const { left, width } = page("graph").getBoundingClientRect();
  const place = Math.round(((clientX - left) / width) * (line.length - 1));
  return Math.min(Math.max(place, 0), line.length - 1);
}

function showValue(state, event) {
  const { tree } = state.history;
  const id = line[placeAt(event)];
  const name = id ? `${tree.number(id)} ${tree.name(id, notation())} ` : "";
  setText("graph-value", name + (evaluationOf(tree.nodes[id])?.text ?? ""));
}

export function mount(state) {
  page("graph").addEventListener("click", (event) => goTo(state, line[placeAt(event)]));
  page("graph").addEventListener("pointermove", (event) => showValue(state, event));
  page("graph").addEventListener("pointerleave", () => setText("graph-value", ""));
  state.watch("draw", () => drawGraph(state));
}
