/* State of the page, and its listeners.
 *
 *   watch("position", f)  the shown position or its line has changed
 *   watch("answer", f)    the server has described it: `described` has changed
 *   watch("phase", f)     the phase of a game has changed (phases.js)
 *   watch("draw", f)      draw all changes; at most once a frame
 *
 * Modules share nothing but `game` and `described`.
 */

/** @typedef {"red" | "black"} Side */
/** @typedef {"play" | "analyse" | "referee"} Mode */
/** A square such as "e0".
 * @typedef {string} Square */
/** A move by its squares, such as "h2e2".
 * @typedef {string} Move */

/** An arrow on the board; `title` is its tooltip.
 * @typedef {{from: Square, to: Square, kind: string, title?: string}} Arrow */

/** Rounds of an offence by a side, and the number that the rules allow.
 * @typedef {{side: Side, offence: string, rounds: number, allowed: number, text: string}} Counter */

/** Evaluation of a position: centipawns for Red, as text and in words, the depth of the search, and
 * its form in PGN.
 * @typedef {{red: number, text: string, words: string, depth?: number, written?: string | 0}} Evaluation */

/** A node of a game's tree; `chinese`, `wxf` and `vietnamese` are its move's names, if known.
 * @typedef {{
 *   move?: Move, parent?: number, next: number[], comment?: string, nags?: number[],
 *   chinese?: string, wxf?: string, vietnamese?: string, evaluation?: Evaluation,
 * }} TreeNode */

/** Description of a position by the server.
 * @typedef {{
 *   fen: string, position: string, ply: number, turn: Side, moves: Move[],
 *   chinese: string[], wxf: string[], vietnamese: string[], pieces: Record<Square, string>,
 *   legal: Move[], barred: Record<Move, string>, last: Square[] | null, check: Square | null,
 *   occurrences: number, arrows: Arrow[], book: Book | null,
 *   outcome: {result: string, termination: string} | null,
 *   status: string, warning: string | null, counters: Counter[],
 * }} View */

/** Book moves of a position.
 * @typedef {{moves: {move: Move, name: string, weight: number, counts: number[], note: string,
 *   playable: boolean}[], error: string}} Book */

/** A sentence about a move of a cycle: `weighs` if it names an offence; its arrows ("e0e8").
 * @typedef {{text: string, weighs: boolean, arrows: string[]}} Sentence */

/** A move of a cycle: its plies from 0, their rounds in words, its mark ("chase") and its name.
 * @typedef {{plies: number[], rounds: string, side: Side, mark: string, name: string, sentences: Sentence[]}} CycleMove */

/** Outcome of the shown line: without `result` there is none, with `ruling` it is by a repetition.
 * @typedef {{
 *   result?: string | null, ply?: number, verdict?: string, explanation?: {text: string, moves: CycleMove[]} | null,
 *   ruling?: {window: [number, number], offender: Side | null, verdict: string} | null,
 *   arrows: Record<number, Arrow[]>,
 * }} Ruling */

/** The shown game: `history` has its tree and current node, `engine` is the side that the engine
 * plays outside of matches, `focus` the only arrows to show (all if empty).
 * @typedef {{
 *   history: import("./history.js").GameHistory, rules: string, engine: Side | "nobody",
 *   flip: boolean, mode: Mode, focus: string[],
 * }} Game */

/** @type {Game} */
export const game = {
  history: /** @type {any} */ (null), // set by startGame
  rules: "",
  engine: "nobody",
  flip: false,
  mode: "play",
  focus: [],
};

/** Responses of the server: `view` describes the current position (null until it is there),
 * `ruling` the shown line.
 * @type {{view: View | null, ruling: Ruling}} */
export const described = { view: null, ruling: { arrows: {} } };

/** @type {Record<"position" | "answer" | "phase" | "draw", ((detail?: any) => void)[]>} */
const watchers = { position: [], answer: [], phase: [], draw: [] };
let frame = 0; // the requested animation frame; 0 if nothing was drawn in this frame
let isDue = false;

/** @param {keyof typeof watchers} event
 * @param {(detail?: any) => void} listener */
export function watch(event, listener) {
  watchers[event].push(listener);
}

/** @param {keyof typeof watchers} event
 * @param {any} [detail] */
export function notify(event, detail) {
  for (const listener of watchers[event]) listener(detail);
}

/* Draw the page: at once, or in the next frame if this frame has been drawn. */
export function redraw() {
  isDue = frame !== 0;
  if (isDue) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    if (isDue) redraw();
  });
  notify("draw");
}

/* Report a change of the position or its line. With `allowsReply` the engine may move even where the
 * game has a next move. */
export function update({ allowsReply = false } = {}) {
  described.view = null;
  notify("position", { allowsReply });
  redraw();
}

/** Current node of the tree.
 * @returns {TreeNode} */
export function currentNode() {
  const { tree, node } = game.history;
  return tree.nodes[node];
}

/** Current position as the fields of a request.
 * @returns {{fen: string, moves: Move[]}} */
export function currentMoves() {
  const { tree, node } = game.history;
  return { fen: tree.fen, moves: tree.moves(tree.path(node)) };
}
