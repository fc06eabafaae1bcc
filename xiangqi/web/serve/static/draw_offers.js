/* Answer of an engine to the offer of a draw. Independent of the page and the server. */

const EVEN_CP = 15; // maximum score of an even move
const EVEN_MOVES = 4; // number of even moves, the present score included, that are needed
const EVEN_ROUND = 25; // first round in which they count
const LOST_CP = -150; // score at which an engine agrees at once

/** Does an engine agree to a draw? `scores` are those of its moves for itself, the present one last.
 * @param {number[]} scores
 * @param {number} round */
export function acceptsDraw(scores, round) {
  const recent = scores.slice(-EVEN_MOVES);
  const isEven = recent.length === EVEN_MOVES && recent.every((score) => score <= EVEN_CP);
  return scores[scores.length - 1] <= LOST_CP || (round >= EVEN_ROUND && isEven);
}
