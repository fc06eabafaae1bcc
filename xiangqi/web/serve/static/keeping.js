/* Keeping: the game and the match live as long as their tab, also when the language changes or the
 * page is loaded again. Clocks stand while the page is not there. */

import { GameHistory } from "./history.js";
import { askAgain, interrupt, isLive, matchData, takeUp } from "./match.js";
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

/* Saved game, if it is valid. */
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

/* Keeping a match: it goes on where it stood when its page is opened or shown again. Its clocks
 * stand while the page is not there. */

const KEPT = "meihua-kept-match";
const keptMatch = readKept(); // before anything is drawn, and kept anew

function readKept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

function keepMatch() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(matchData()));
  } catch {
    return; // there is no room, as is told where the game is kept
  }
}

/* Go on with what was kept, if the game is there that it is about. */
export function resumeMatch() {
  if (keptMatch) takeUp(keptMatch);
}

watch("draw", keepMatch);
addEventListener("pagehide", () => {
  keepMatch();
  interrupt();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && isLive()) askAgain();
});
