/* What stands at the board while a game is played: clocks, and what its players may do. */

import { ask, attempt } from "./asking.js";
import { sayTime } from "./clock.js";
import {
  agree, askAgain, finish, hurry, isEngine, isLive, isThinking, match, offerDraw, personsSides,
  rematch, resign, sideToMove, takeBack,
} from "./match.js";
import { onClick, page, setText, word } from "./page.js";
import { game, presentMoves, redraw, watch } from "./state.js";
import { drawShape } from "./shapes.js";
import { drawLayer } from "./table.js";

const HINT = { stroke: "#2f6f9f", dashes: "none", width: 8 };

let hint = null; // the move that an engine would play
let isOffered = false; // a draw, by one person to the other

const WON = { "1-0": "matchRedWon", "0-1": "matchBlackWon", "1/2-1/2": "matchDrawn", "*": "matchEnded" };

function drawClocks() {
  const isShown = match?.clocks && game.history.tree === match.tree;
  for (const [place, isUpper] of [["upper", true], ["lower", false]]) {
    const side = isUpper === game.flip ? "red" : "black";
    const clock = page(`${place}-clock`);
    clock.textContent = isShown ? sayTime(match.clocks.remaining(side)) : "";
    clock.className = isShown && match.clocks.running === side ? "clock running" : "clock";
  }
}

function drawMatch() {
  const isHere = match !== null && game.history.tree === match.tree;
  page("match").hidden = !isHere;
  drawLayer("hint", hint, (layer) => {
    const shape = { color: "best", from: hint?.slice(0, 2), to: hint?.slice(2) };
    if (hint) drawShape(layer, shape, { ...HINT, title: word("best") });
  });
  drawClocks();
  if (!isHere) return;
  const live = isLive();
  const persons = live ? personsSides() : [];
  const isPersons = live && !isEngine(sideToMove());
  const isIdle = live && !isPersons && !isThinking();
  const shown = {
    "take-back": persons.length, "offer-draw": isPersons, resign: persons.length, hint: isPersons,
    "match-hurry": live && isThinking(), "match-again": isIdle && match.clocks?.running === null,
    "match-end": live, rematch: !live,
  };
  for (const [id, is] of Object.entries(shown)) page(id).hidden = !is;
  page("take-back").disabled = match.node === 0;
  page("offer").hidden = !(live && isOffered);
}

/* How the match stands, where it is at the position that is shown; nothing where the rules say it
 * themselves. */
export function matchState(view) {
  const { tree, node } = game.history;
  if (match?.tree !== tree || match.node !== node || view.outcome) return "";
  if (!isLive()) return `${word(WON[match.result])}${match.reason ? `: ${match.reason}` : ""}`;
  if (isThinking()) return `${match.seats[sideToMove()].name}: ${word("thinking")}`;
  return personsSides().length === 1 && !view.check && !isEngine(sideToMove()) ? word("yourMove") : "";
}

async function showHint() {
  const asked = presentMoves();
  const found = await (await ask("engine", { ...asked, seconds: 1 })).json();
  if (JSON.stringify(asked) !== JSON.stringify(presentMoves()) || !found.move) return;
  hint = found.move;
  redraw();
}

function offer() {
  setText("match-note", "");
  if (personsSides().length === 1) attempt(offerDraw);
  else isOffered = true;
  redraw();
}

function answerOffer(isAgreed) {
  isOffered = false;
  if (isAgreed) agree();
  else setText("match-note", word("matchDeclined"));
  redraw();
}

watch("position", () => {
  hint = null;
  isOffered = false;
  setText("match-note", "");
});
watch("draw", drawMatch);
setInterval(drawClocks, 100);
onClick("take-back", takeBack);
onClick("offer-draw", offer);
onClick("accept", () => answerOffer(true));
onClick("decline", () => answerOffer(false));
onClick("resign", resign);
onClick("hint", () => attempt(showHint));
onClick("match-hurry", hurry);
onClick("match-again", askAgain);
onClick("match-end", () => finish("*", "", "abandoned"));
onClick("rematch", rematch);
