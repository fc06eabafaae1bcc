/* The user's results against the engine's levels, from the matches kept in the browser, beside the
 * choice of the level; after some wins in a row the next level is proposed. */

import { readMatches } from "./my_games.js";
import { fill, onClick, page, word } from "./page.js";
import { attempt } from "./requests.js";

const ROW = 3; // wins in a row after which the next level is proposed
const OF_RED = { "1-0": "won", "1/2-1/2": "drawn", "0-1": "lost" };
const OF_BLACK = { "1-0": "lost", "1/2-1/2": "drawn", "0-1": "won" };

let results = []; // {level, result}, the latest first

/* Level and result of a finished match of the user against the package's engine; null for others,
 * and for those that did not begin at the starting position. */
function resultOf({ game, match: { players, result } }) {
  const persons = ["red", "black"].filter((side) => !players[side].engine);
  const other = players[persons[0] === "red" ? "black" : "red"];
  const counts = persons.length === 1 && game.fen === word("start")
    && other.engine === page("match-engine-red").options[0].value;
  const won = (persons[0] === "red" ? OF_RED : OF_BLACK)[result];
  return counts && won ? { level: String(other.level), result: won } : null;
}

/* Read the results, and choose the level of the last match. */
async function readResults() {
  results = (await readMatches()).map(resultOf).filter((one) => one !== null);
  if (results.length) page("start-level").value = results[0].level;
  draw();
}

/* Show the results against the chosen level. */
function draw() {
  const levels = page("start-level");
  const own = results.filter(({ level }) => level === levels.value).map(({ result }) => result);
  const shown = page("level-results");
  const count = (kind) => own.filter((one) => one === kind).length;
  const counts = { won: count("won"), drawn: count("drawn"), lost: count("lost") };
  shown.textContent = fill(shown.dataset.text, counts);
  page("results").hidden = !own.length;
  const isRow = own.length >= ROW && own.slice(0, ROW).every((one) => one === "won");
  const next = isRow ? levels.options[levels.selectedIndex + 1] : null;
  const button = page("next-level");
  button.hidden = !next;
  if (next) button.textContent = fill(button.dataset.text, { level: next.text });
}

let phase = "";

export function mount(state) {
  state.watch("draw", () => {
    const before = phase;
    phase = state.phase;
    if (phase === "start" && phase !== before) attempt(readResults, "warning");
  });
  page("start-level").addEventListener("change", draw);
  onClick("next-level", () => {
    page("start-level").selectedIndex += 1;
    draw();
  });
}
