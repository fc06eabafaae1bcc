/* The dialog of a new match: players, sides, clocks, handicap. */

import { beginMatch } from "./match.js";
import { LANG, onClick, page, word } from "./page.js";
import { reach } from "./reach.js";

const KEPT = "meihua-match";
const FIELDS = [...page("match-form").querySelectorAll("select, input")];
const CLOCK_FIELDS = ["match-minutes", "match-increment", "match-step", "match-last"];
const PERSON = { name: "", engine: "", level: 0 };

/* Add the server's engines to the lists; the built-in one is always there. */
async function listEngines() {
  const answer = await reach("api/engines").catch(() => null);
  const found = answer?.ok ? await answer.json() : [];
  const names = Array.isArray(found) ? found : found.engines;
  for (const field of page("match-form").querySelectorAll("[data-engines]")) {
    const known = [...field.options].map(({ value }) => value);
    field.append(...names.filter((name) => !known.includes(name)).map((name) => new Option(name)));
  }
}

/* Only the built-in engine has levels. */
const nameOf = (engine, level) => (level ? word("level").replace("#", level) : engine);

/* Engine chosen for a side; only the built-in one, first in the list, has levels. */
function engineOf(color) {
  const { value: engine, text, index } = page(`match-engine-${color}`).selectedOptions[0];
  const level = index === 0 ? Number(page(`match-level-${color}`).value) : 0;
  return { name: nameOf(text, level), engine, level };
}

/* Players chosen in the dialog. */
function choosePlayers() {
  const person = (side) => ({ ...PERSON, name: word(side) });
  const kind = page("match-kind").value;
  if (kind === "people") return { red: person("red"), black: person("black") };
  if (kind === "engines") return { red: engineOf("red"), black: engineOf("black") };
  return againstEngine(page("match-side").value, engineOf("red"));
}

/* Players of a match of the user, on `side` or at random, against an engine. */
function againstEngine(side, engine) {
  const own = side === "random" ? ["red", "black"][Math.floor(Math.random() * 2)] : side;
  const user = { ...PERSON, name: word("matchYou") };
  return own === "red" ? { red: user, black: engine } : { red: engine, black: user };
}

/* Begin a match against the built-in engine without a clock, at the start panel's level. */
export function beginQuick(state, fen, side) {
  const level = Number(page("start-level").value);
  const { value: engine, text } = page("match-engine-red").options[0];
  beginMatch(state, {
    fen, players: againstEngine(side, { name: nameOf(text, level), engine, level }),
    clock: null, seconds: Number(page("seconds").value) || 1, turns: false,
  });
}

function number(id, least, most) {
  const value = page(id).valueAsNumber;
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, least), most);
}

/* Rules of the clocks; null without clocks. */
function chooseClock() {
  const [minutes, increment, step, byMove] = CLOCK_FIELDS.map((id) => number(id, 0, 600));
  const last = minutes ? byMove : byMove || step; // without time for the game each move has its own
  if (!minutes && !last) return null;
  return { main: minutes * 60_000, increment: increment * 1000, step: step * 1000, last: last * 1000 };
}

/* Set the fields of the clocks by the chosen preset. */
function applyPreset() {
  const numbers = page("match-preset").value.split(" ");
  if (numbers.length < CLOCK_FIELDS.length) return; // "other"
  CLOCK_FIELDS.forEach((id, place) => { page(id).value = numbers[place]; });
}

/* Choose the preset that has the numbers of the fields. */
function findPreset() {
  const numbers = CLOCK_FIELDS.map((id) => Number(page(id).value)).join(" ");
  const preset = page("match-preset");
  preset.value = numbers;
  if (preset.selectedIndex < 0) preset.value = "other";
}

function begin(state, event) {
  event.preventDefault();
  page("match-dialog").close();
  keep();
  beginMatch(state, {
    fen: page("match-handicap").value,
    players: choosePlayers(),
    clock: chooseClock(),
    seconds: Number(page("seconds").value) || 1,
    turns: page("match-kind").value === "people" && page("match-turns").checked,
  });
}

/* Show only the settings of the chosen kind of match. */
function showKind() {
  const kind = page("match-kind").value;
  for (const part of page("match-form").querySelectorAll("[data-kinds]")) {
    part.hidden = !part.dataset.kinds.split(" ").includes(kind);
  }
}

/* Store the choices by field id, which does not depend on other fields. */
function keep() {
  const chosen = Object.fromEntries(
    FIELDS.map((field) => [field.id, field.type === "checkbox" ? field.checked : field.value]));
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    return; // not stored
  }
}

function applyKept() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    for (const field of FIELDS.filter(({ id }) => Object.hasOwn(kept, id))) {
      const value = kept[field.id];
      if (field.type === "checkbox") field.checked = value;
      else if (field.tagName !== "SELECT" || [...field.options].some((one) => one.value === value)) {
        field.value = value;
      }
    }
  } catch {
    page("match-form").reset();
  }
}

export function mount(state) {
  page("match-form").lang = LANG;
  page("match-form").addEventListener("submit", (event) => begin(state, event));
  page("match-kind").addEventListener("change", showKind);
  page("match-preset").addEventListener("change", applyPreset);
  for (const id of CLOCK_FIELDS) page(id).addEventListener("input", findPreset);
  onClick("match-open", () => {
    listEngines();
    page("match-dialog").showModal();
  });
  applyKept();
  findPreset();
  showKind();
}
