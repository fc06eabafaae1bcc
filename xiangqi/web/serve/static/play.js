/* Entry point: loads all modules, restores the stored game, and keeps it stored. */

import "./referee.js";
import "./table.js";
import "./hand.js";
import "./drawing.js";
import "./files.js";
import "./moves.js";
import "./opening.js";
import "./phases.js";
import "./shell.js";
import "./editor.js";
import "./settings.js";
import "./status.js";
import "./players.js";
import "./match_dialog.js";
import "./my_games.js";
import "./pictures.js";
import "./preview.js";
import "./taken.js";
import "./assistant.js";
import "./analysis.js";
import "./graph.js";
import "./review.js";
import "./lessons.js";
import "./sheet.js";
import "./openings.js";
import { GameHistory } from "./history.js";
import { isLive, matchesData, restoreMatch, resume, suspend } from "./match.js";
import { setText, word } from "./page.js";
import { followFragment } from "./share.js";
import { game, watch } from "./state.js";
import { followAddress, startGame } from "./steps.js";

/* Game and match are kept in sessionStorage, so that they survive reloading and a change of the
 * language. */

const KEPT_GAME = "meihua-game"; // the history, stored when it changes
const KEPT_PLACE = "meihua-place"; // the shown position and settings, stored at every step
let keptState = "";

function keepGame() {
  const { history, rules, engine, flip, mode } = game;
  const { tree, node } = history;
  const state = [history.done.length, history.undone.length, history.version];
  try {
    if (keptState !== String(state)) {
      sessionStorage.setItem(KEPT_GAME, JSON.stringify(history.data()));
      keptState = String(state);
    }
    const place = { node, tree: history.trees.indexOf(tree), rules, engine, flip, mode };
    sessionStorage.setItem(KEPT_PLACE, JSON.stringify(place));
  } catch {
    setText("warning", word("notKept")); // storage is full
  }
}

/* Read the stored game; an empty object if there is none or it is invalid. */
function keptGame() {
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

/* A match goes on when its page is opened or shown again; meanwhile its clocks are stopped. */

const KEPT = "meihua-kept-matches";
const keptMatches = readKept(); // before drawing, which stores them again

function readKept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

function keepMatches() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(matchesData()));
  } catch {
    return; // storage is full: keepGame warns
  }
}

watch("draw", keepMatches);
addEventListener("pagehide", () => {
  keepMatches();
  suspend();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && isLive()) resume();
});

/* Start. */

const kept = keptGame();
startGame(kept);
const { trees } = game.history; // those that were stored, if any
if (kept.history) for (const one of keptMatches) restoreMatch(one, trees[one.tree]);
followAddress();
followFragment();
