/* Keeping: the game lives as long as its tab, also when the language changes. */
"use strict";

const KEPT_GAME = "meihua-game"; // what was played, kept when it changes
const KEPT_PLACE = "meihua-place"; // and what changes with every step
let kept = "";

function keepGame() {
  const { history, rules, engine, flip, cursor } = game;
  const { present, ...steps } = history.data();
  const state = [history.done.length, history.undone.length, ...steps.trees.map((t) => t.version)];
  try {
    if (kept !== String(state)) sessionStorage.setItem(KEPT_GAME, JSON.stringify(steps));
    kept = String(state);
    sessionStorage.setItem(KEPT_PLACE, JSON.stringify({ present, rules, engine, flip, cursor }));
  } catch {
    setText("warning", page("game").dataset.notKept); // there is no room
  }
}

/* What was kept, as far as it is a game. */
function keptGame() {
  try {
    const { present, ...place } = JSON.parse(sessionStorage.getItem(KEPT_PLACE));
    const steps = JSON.parse(sessionStorage.getItem(KEPT_GAME));
    return { ...place, history: GameHistory.from({ ...steps, present }) };
  } catch {
    return {};
  }
}
