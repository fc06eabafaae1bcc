/* State of the page, and its listeners.
 *
 *   watch("position", f)  another position is shown, or the line around it is another one
 *   watch("answer", f)    the server has described it: `described` is new
 *   watch("draw", f)      the page shall show what has changed; once a frame, however much it is
 *
 * Modules are functions over `game` and `described`; nothing else is shared between them.
 */

/** @typedef {"red" | "black"} Side */
/** @typedef {"play" | "analyse" | "referee"} Mode */
/** A square such as "e0".
 * @typedef {string} Square */
/** A move by its squares, such as "h2e2".
 * @typedef {string} Move */

/** An arrow on the board; `title` is what it means.
 * @typedef {{from: Square, to: Square, kind: string, title?: string}} Arrow */

/** Rounds of an offence that a side has used, of those that its rules allow.
 * @typedef {{side: Side, offence: string, rounds: number, allowed: number, text: string}} Counter */

/** Evaluation of a position: centipawns for Red, as text and in words, the depth of the search, and
 * its form in PGN.
 * @typedef {{red: number, text: string, words: string, depth?: number, written?: string | 0}} Evaluation */

/** A node of a game's tree, with its move's names for the reader where they are known.
 * @typedef {{
 *   move?: Move, parent?: number, next: number[], comment?: string, nags?: number[],
 *   chinese?: string, wxf?: string, evaluation?: Evaluation,
 * }} TreeNode */

/** Description of a position by the server.
 * @typedef {{
 *   fen: string, position: string, ply: number, turn: Side, moves: Move[],
 *   chinese: string[], wxf: string[], pieces: Record<Square, string>,
 *   legal: Move[], barred: Record<Move, string>, last: Square[] | null, check: Square | null,
 *   occurrences: number, arrows: Arrow[], book: Book | null,
 *   outcome: {result: string, termination: string} | null,
 *   status: string, warning: string | null, counters: Counter[],
 * }} View */

/** Book moves of a position.
 * @typedef {{moves: {move: Move, name: string, weight: number, counts: number[], note: string,
 *   playable: boolean}[], error: string}} Book */

/** A sentence about a move of a cycle: whether it names an offence, and its arrows ("e0e8").
 * @typedef {{text: string, weighs: boolean, arrows: string[]}} EvidenceLine */

/** A move of a cycle, by the number of moves up to it: its mark, such as "chase", and its name.
 * @typedef {{ply: number, side: Side, mark: string, name: string, lines: EvidenceLine[]}} Evidence */

/** Outcome of the shown line: none where `result` is missing or null; by a repetition where it has
 * a `ruling`.
 * @typedef {{
 *   result?: string | null, ply?: number, verdict?: string, case?: string,
 *   ruling?: {window: [number, number], offender: Side | null, verdict: string} | null,
 *   arrows: Record<number, Arrow[]>, evidence: Evidence[],
 * }} Ruling */

/** The game that is shown: `history` knows its tree and the present node, `engine` is the side that
 * the engine plays outside of matches, `focus` the arrows that alone are shown, all where it is empty.
 * @typedef {{
 *   history: import("./history.js").GameHistory, rules: string, engine: Side | "nobody",
 *   flip: boolean, mode: Mode, focus: string[],
 * }} Game */

/** @type {Game} */
export const game = {
  history: /** @type {any} */ (null), // there is one as soon as the page has begun
  rules: "",
  engine: "nobody",
  flip: false,
  mode: "play",
  focus: [],
};

/** The answers of the server: `view` about the present position, null until it is there, `ruling`
 * about the line that it stands in.
 * @type {{view: View | null, ruling: Ruling}} */
export const described = { view: null, ruling: { arrows: {}, evidence: [] } };

/** @type {Record<"position" | "answer" | "draw", ((detail?: any) => void)[]>} */
const watchers = { position: [], answer: [], draw: [] };
let frame = 0; // the screen's next picture, where the present one is drawn already
let isDue = false;

/** @param {keyof typeof watchers} event
 * @param {(detail?: any) => void} listener */
export function watch(event, listener) {
  watchers[event].push(listener);
}

/** @param {keyof typeof watchers} event
 * @param {any} [detail] */
export function tell(event, detail) {
  for (const listener of watchers[event]) listener(detail);
}

/* Have it drawn: at once, but where it has just been drawn with the next picture of the screen. */
export function redraw() {
  isDue = frame !== 0;
  if (isDue) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    if (isDue) redraw();
  });
  tell("draw");
}

/* The position, or the line around it, has changed. `wakes` is true if the engine may answer
 * where the game goes on already. */
export function update({ wakes = false } = {}) {
  described.view = null;
  tell("position", { wakes });
  redraw();
}

/** The present node of the tree, with its data.
 * @returns {TreeNode} */
export function presentNode() {
  const { tree, node } = game.history;
  return tree.nodes[node];
}

/** The question about the present position of every part of the page.
 * @returns {{fen: string, moves: Move[]}} */
export function presentMoves() {
  const { tree, node } = game.history;
  return { fen: tree.fen, moves: tree.moves(tree.path(node)) };
}
