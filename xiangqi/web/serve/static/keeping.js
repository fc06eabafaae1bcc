/* Game and matches in sessionStorage, so that they survive reloading and a change of the language. */

import { GameHistory } from "./history.js";
import { isLive, matchesData, restoreMatch, resume, suspend } from "./match.js";
import { setText, word } from "./page.js";
import { startGame } from "./steps.js";

const KEPT_GAME = "meihua-game"; // the history, stored when it changes
const KEPT_PLACE = "meihua-place"; // the shown position and settings, stored at every step
const KEPT_MATCHES = "meihua-kept-matches";
let kept = "";

function keepGame(state) {
  const { history, rules, engine, flip, mode } = state;
  const { tree, node } = history;
  const version = String([history.done.length, history.undone.length, history.version]);
  try {
    if (kept !== version) {
      sessionStorage.setItem(KEPT_GAME, JSON.stringify(history.data()));
      kept = version;
    }
    const place = { node, tree: history.trees.indexOf(tree), rules, engine, flip, mode };
    sessionStorage.setItem(KEPT_PLACE, JSON.stringify(place));
    sessionStorage.setItem(KEPT_MATCHES, JSON.stringify(matchesData(state)));
  } catch {
    setText("warning", word("notKept")); // storage is full
  }
}

/* Read the stored game; an empty object if there is none or it is invalid. */
function readGame() {
  try {
    const { node, tree, ...choices } = JSON.parse(sessionStorage.getItem(KEPT_PLACE));
    const steps = JSON.parse(sessionStorage.getItem(KEPT_GAME));
    return { ...choices, history: GameHistory.from({ ...steps, present: { node, tree } }) };
  } catch {
    return {};
  }
}

function readMatches() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_MATCHES)) ?? [];
  } catch {
    return [];
  }
}

/* Start with the stored game and its matches, or with a new game. */
export function restore(state) {
  const [game, matches] = [readGame(), readMatches()]; // before drawing, which stores them again
  startGame(state, game);
  const { trees } = state.history;
  if (game.history) for (const one of matches) restoreMatch(state, one, trees[one.tree]);
}

export function mount(state) {
  state.watch("draw", () => keepGame(state));
  /* A match goes on when its page is opened or shown again; meanwhile its clocks are stopped. */
  addEventListener("pagehide", () => {
    keepGame(state);
    suspend(state);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && isLive(state.match)) resume(state);
  });
}
