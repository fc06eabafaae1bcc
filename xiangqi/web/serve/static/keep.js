/* Keeping: the game lives as long as its tab, also when the language changes. */

import { GameHistory } from "./history.js";
import { setText, word } from "./page.js";
import { game, watch } from "./state.js";

const KEPT_GAME = "meihua-game"; // what was played, kept when it changes
const KEPT_PLACE = "meihua-place"; // and what changes with every step
let kept = "";

function keepGame() {
  const { history, rules, engine, flip, mode } = game;
  const { tree, node } = history;
  const state = [history.done.length, history.undone.length, history.version];
  try {
    if (kept !== String(state)) {
      sessionStorage.setItem(KEPT_GAME, JSON.stringify(history.data()));
      kept = String(state);
    }
    const place = { node, tree: history.trees.indexOf(tree), rules, engine, flip, mode };
    sessionStorage.setItem(KEPT_PLACE, JSON.stringify(place));
  } catch {
    setText("warning", word("notKept")); // there is no room
  }
}

/* What was kept, as far as it is a game. */
export function keptGame() {
  try {
    const { node, tree, ...choices } = JSON.parse(sessionStorage.getItem(KEPT_PLACE));
    const steps = JSON.parse(sessionStorage.getItem(KEPT_GAME));
    return { ...choices, history: GameHistory.from({ ...steps, present: { node, tree } }) };
  } catch {
    return {};
  }
}

watch("draw", keepGame);
addEventListener("pagehide", keepGame);
