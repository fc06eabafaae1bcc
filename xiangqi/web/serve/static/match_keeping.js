/* Keeping a match: it goes on where it stood when its page is opened or shown again. Its clocks
 * stand while the page is not there. */

import { askAgain, interrupt, isLive, matchData, takeUp } from "./match.js";
import { watch } from "./state.js";

const KEPT = "meihua-kept-match";
const kept = readKept(); // before anything is drawn, and kept anew

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
  if (kept) takeUp(kept);
}

watch("draw", keepMatch);
addEventListener("pagehide", () => {
  keepMatch();
  interrupt();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && isLive()) askAgain();
});
