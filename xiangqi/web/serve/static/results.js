/* The user's results against the engine's levels, from the matches kept in the browser, beside the
 * choices of a level; after some wins in a row the next level is proposed. */

import { readMatches } from "./my_games.js";
import { fill, onClick, page, word } from "./page.js";
import { attempt } from "./requests.js";

const ROW = 3; // wins in a row after which the next level is proposed
const OF_RED = { "1-0": "won", "1/2-1/2": "drawn", "0-1": "lost" };
const OF_BLACK = { "1-0": "lost", "1/2-1/2": "drawn", "0-1": "won" };
const CHOICES = ["start-level", "match-level-red"]; // lists of levels; ID-results is beside each

const engines = page("match-engine-red"); // the first is the package's own, alone with levels
let results = []; // {level, result}, the latest first

/* Level and result of a finished match of the user against the package's engine; null for others,
 * and for those that did not begin at the starting position. */
function resultOf({ game, match: { players, result } }) {
  const persons = ["red", "black"].filter((side) => !players[side].engine);
  const other = players[persons[0] === "red" ? "black" : "red"];
  const counts = persons.length === 1 && game.fen === word("start")
    && other.engine === engines.options[0].value;
  const won = (persons[0] === "red" ? OF_RED : OF_BLACK)[result];
  return counts && won ? { level: String(other.level), result: won } : null;
}

async function readResults() {
  results = (await readMatches()).map(resultOf).filter((one) => one !== null);
}

/* At the start the level of the last match is chosen. */
async function begin() {
  await readResults();
  if (results.length) page("start-level").value = results[0].level;
  draw();
}

function draw() {
  for (const id of CHOICES) drawResults(id);
}

/* Show the results against the level that is chosen in a list. */
function drawResults(id) {
  const levels = page(id);
  const row = page(`${id}-results`);
  const [counts, button] = row.children;
  const own = results.filter(({ level }) => level === levels.value).map(({ result }) => result);
  row.hidden = !own.length || (id !== "start-level" && engines.selectedIndex > 0);
  const count = (kind) => own.filter((one) => one === kind).length;
  const numbers = { won: count("won"), drawn: count("drawn"), lost: count("lost") };
  counts.textContent = fill(counts.dataset.text, numbers);
  const isRow = own.length >= ROW && own.slice(0, ROW).every((one) => one === "won");
  const next = isRow ? levels.options[levels.selectedIndex + 1] : null;
  button.hidden = !next;
  button.textContent = fill(button.dataset.text, { level: next?.text });
}

let phase = "";

export function mount(state) {
  state.watch("draw", () => {
    const before = phase;
    phase = state.phase;
    if (phase === "start" && phase !== before) attempt(begin, "warning");
  });
  onClick("match-open", () => attempt(() => readResults().then(draw), "warning"));
  for (const field of [...CHOICES.map(page), engines]) field.addEventListener("change", draw);
  for (const id of CHOICES) {
    page(`${id}-results`).lastElementChild.addEventListener("click", () => {
      page(id).selectedIndex += 1;
      draw();
    });
  }
}
