/* State of the game in one sentence, for all phases. */

import { isEngine, match, matchState, personsSides, sideToMove } from "./match.js";
import { setText, word } from "./page.js";
import { described, game, watch } from "./state.js";

const WON = { "1-0": "matchRedWon", "0-1": "matchBlackWon", "1/2-1/2": "matchDrawn", "*": "matchEnded" };

/* Sentence on a match, by its state; by default the referee's on the position. */
const SENTENCES = {
  over: () => `${word(WON[match.result])}${match.reason ? `: ${match.reason}` : ""}`,
  thinking: () => `${match.players[sideToMove()].name}: ${word("thinking")}`,
  lost: () => word("matchLost"),
  person(view) {
    const isAlone = personsSides().length === 1;
    return view && isAlone && !view.check && !isEngine(sideToMove()) ? word("yourMove") : view?.status;
  },
};

/* The sentence; undefined until the server has described the position. */
function sentence({ view }) {
  const isHere = match?.node === game.history.node && !view?.outcome;
  const say = isHere && SENTENCES[matchState()];
  return say ? say(view) : view?.status;
}

watch("draw", () => {
  const text = sentence(described);
  if (text !== undefined) setText("status", text);
});
