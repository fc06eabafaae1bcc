/* State of the game in one sentence, for all phases. */

import { isEngine, matchState, personsSides, sideToMove } from "./match.js";
import { setText, word } from "./page.js";

const WON = { "1-0": "matchRedWon", "0-1": "matchBlackWon", "1/2-1/2": "matchDrawn", "*": "matchEnded" };

/* Sentence on a match, by its state; by default the referee's on the position. */
const SENTENCES = {
  over: ({ match: { result, reason } }) => `${word(WON[result])}${reason && word("colon") + reason}`,
  thinking: ({ match }) => match.players[sideToMove(match)].name + word("colon") + word("thinking"),
  lost: () => word("matchLost"),
  person({ match, view }) {
    const isAlone = personsSides(match).length === 1;
    if (!view || !isAlone || isEngine(match, sideToMove(match))) return view?.status;
    return word(view.check ? "yourMoveInCheck" : "yourMove");
  },
};

/* The sentence; undefined until the server has described the position. */
function sentence(state) {
  const { view, match, history } = state;
  const isHere = match?.node === history.node && !view?.outcome;
  const say = isHere && SENTENCES[matchState(state)];
  return say ? say(state) : view?.status;
}

export function mount(state) {
  state.watch("draw", () => {
    const text = sentence(state);
    if (text !== undefined) setText("status", text);
  });
}
