/* Phase of the game on the board: the only state from which styles (`data-phase` of the game) and
 * scripts derive what shows. An element with `data-phases` shows in the phases that it lists.
 *
 *   start   no move has been played from the starting position
 *   match   a match is played
 *   over    the match has ended
 *   task    a task is to be solved
 *   solved  it has been solved, or its solution has been shown
 *   review  any other game: opened, set up, or played without an opponent */

import { page, word } from "./page.js";
import { game, notify, watch } from "./state.js";

/** @typedef {"start" | "match" | "over" | "task" | "solved" | "review"} Phase */

/* Phases that a game may have next; a game enters its first one from `start` or `review`. */
const NEXT = { match: ["over"], over: [], task: ["solved", "review"], solved: ["review"], review: [] };

/** @type {WeakMap<object, {phase: Phase, place: () => number | undefined}>} */
const entered = new WeakMap();

/** Set the phase of a game. `place` returns the node where play goes on in `match` and `task`.
 * @param {object} tree
 * @param {Phase} phase
 * @param {() => number | undefined} [place] */
export function enterPhase(tree, phase, place = () => undefined) {
  const before = entered.get(tree)?.phase;
  if (before && !NEXT[before].includes(phase)) throw new Error(`phase: ${before} -> ${phase}`);
  entered.set(tree, { phase, place });
  notify("phase");
}

/** Phase of a game, of the one on the board by default.
 * @returns {Phase} */
export function phaseOf(tree = game.history.tree) {
  const known = entered.get(tree);
  if (known) return known.phase;
  return tree.nodes[0].next.length || tree.fen !== word("start") ? "review" : "start";
}

/* Would an engine's advice be unfair, or give a solution away? */
export const isUnaided = () => ["match", "task"].includes(phaseOf());

/* Node where play goes on; undefined if moves may be played at every node. */
export const placeOfPlay = () => entered.get(game.history.tree)?.place();

watch("draw", () => { page("game").dataset.phase = phaseOf(); });
