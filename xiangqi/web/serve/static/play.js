/* The page begins: every part watches the game for itself (state.js), then the game is there. */

import "./referee.js";
import "./table.js";
import "./hand.js";
import "./moves.js";
import "./opening.js";
import "./shell.js";
import "./editor.js";
import "./settings.js";
import "./players.js";
import "./analysis.js";
import "./review.js";
import "./lessons.js";
import { GameHistory } from "./history.js";
import { askAgain, interrupt, isLive, matchData, takeUp } from "./match.js";
import { setText, word } from "./page.js";
import { followFragment } from "./share.js";
import { game, watch } from "./state.js";
import { followAddress, startGame } from "./steps.js";

/* The game and the match live as long as their tab, also when the language changes or the page is
 * loaded again. */

const KEPT_GAME = "meihua-game"; // what was played, kept when it changes
const KEPT_PLACE = "meihua-place"; // and what changes with every step
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
    setText("warning", word("notKept")); // there is no room
  }
}

/* Saved game, if it is valid. */
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
    return; // no room: keepGame warns
  }
}

/* Go on with what was kept, if the game is there that it is about. */
function resumeMatch() {
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

/* The beginning. */

const kept = keptGame();
startGame(kept);
if (kept.history) resumeMatch();
followAddress();
followFragment();
