/* The user's matches, kept in the browser: a list of them, and going on with one. */

import { put, readAll, remove } from "./database.js";
import { matchData, restoreMatch, treeOfMatch } from "./match.js";
import { make, makeButton, onClick, page, word } from "./page.js";
import { attempt } from "./requests.js";
import { openDialog, showMode } from "./shell.js";
import { beginGame, goTo } from "./steps.js";
import { MoveTree } from "./tree.js";

const MOST = 200; // matches; the oldest ones are removed
const CLOCKS_MS = 3000; // between two times of running clocks that are stored

let kept = ""; // state of the match that was stored last
let keptAt = 0; // time at which running clocks were stored last

/* Store the match on the board when it has changed; without moves it is not worth it. */
function keepMatch(state) {
  const { match, rules } = state;
  if (!match?.node) return;
  const { id, tree, node, result } = match;
  const content = JSON.stringify([id, tree.version, node, result, rules]);
  if (content === kept) return;
  kept = content;
  const { fen, headers, nodes, review } = tree;
  const record = {
    saved: Date.now(), game: { fen, headers, nodes, review }, match: matchData(match), rules,
  };
  attempt(() => put("games", id, JSON.parse(JSON.stringify(record))), "warning");
}

/* All stored matches, the latest first. */
export async function readMatches() {
  const found = [...(await readAll("games")).values()].sort((a, b) => b.saved - a.saved);
  for (const { match: { id } } of found.splice(MOST)) await remove("games", id);
  return found;
}

function open(state, { match: data, game: stored, rules }) {
  page("games-dialog").close();
  showMode(state, "play");
  const known = treeOfMatch(data.id);
  if (known === state.history.tree) return;
  const tree = known ?? new MoveTree(stored);
  if (!known) restoreMatch(state, data, tree);
  const persons = ["red", "black"].filter((side) => !data.players[side].engine);
  beginGame(state, tree, { engine: "nobody", flip: persons.join() === "black", rules: rules ?? state.rules });
  goTo(state, data.node);
}

function item(state, record, redrawList) {
  const { match: data, game: stored, saved } = record;
  const { red, black } = data.players;
  const plies = new MoveTree(stored).path(data.node).length;
  const when = new Date(saved).toLocaleDateString(document.documentElement.lang);
  const outcome = data.result === "*" ? word("matchEnded") : data.result ?? word("gamesLive");
  const facts = `${when} · ${word("gamesPlies")} ${plies} · ${outcome}`;
  const about = make("small", { className: "quiet", textContent: facts });
  const name = `${red.name} – ${black.name}`;
  const button = makeButton("", () => open(state, record), { className: "wide" });
  button.append(make("b", { textContent: name }), " ", about);
  const close = makeButton("×", async () => {
    await remove("games", data.id);
    redrawList();
  }, { className: "icon", ariaLabel: `${word("gamesRemove")} ${name}`, title: word("gamesRemove") });
  return make("li", {}, button, close);
}

async function drawList(state) {
  const found = await readMatches();
  page("no-kept-games").hidden = found.length > 0;
  page("kept-games").replaceChildren(...found.map((record) => item(state, record, () => drawList(state))));
  drawContinue(state, found);
}

/* Offer to continue the latest match that has no result, where a person plays. */
function drawContinue(state, found) {
  const isOpen = ({ match: { result, players: { red, black } } }) =>
    result === null && !(red.engine && black.engine);
  const latest = found.find(isOpen);
  page("continue-game").hidden = !latest;
  page("start-play").classList.toggle("primary", !latest);
  page("continue-game").onclick = () => open(state, latest);
  if (!latest) return;
  const { red, black } = latest.match.players;
  page("continue-what").textContent = `${red.name} – ${black.name}`;
}

let phase = "";

export function mount(state) {
  state.watch("draw", () => {
    keepMatch(state);
    const now = state.phase;
    if (now === phase) return;
    phase = now;
    if (phase === "start") attempt(async () => drawContinue(state, await readMatches()), "warning");
  });
  state.watch("tick", () => {
    if (performance.now() - keptAt < CLOCKS_MS) return;
    keptAt = performance.now();
    kept = ""; // its clocks have gone on
    keepMatch(state);
  });
  onClick("games-open", () => {
    page("menu-game").hidePopover();
    openDialog("games-dialog");
    attempt(() => drawList(state), "warning");
  });
}
