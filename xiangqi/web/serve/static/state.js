/* State of the page, and its listeners. `play.js` makes it and hands it to each part by `mount(state)`;
 * parts share nothing else.
 *
 *   state.watch("position", f)  the shown position or its line has changed
 *   state.watch("answer", f)    the server has described it: `view` and `ruling` have changed
 *   state.watch("phase", f)     the phase of a game has changed
 *   state.watch("draw", f)      draw all changes; at most once a frame
 *   state.watch("tick", f)      a clock of the match is running: draw its time
 *
 * The phase of the game on the board is the only fact from which styles (`data-phase` of the game) and
 * scripts derive what shows. An element with `data-phases` shows in the phases that it lists.
 *
 *   start   no move has been played from the starting position
 *   match   a match is played
 *   over    the match has ended
 *   task    a task is to be solved
 *   solved  it has been solved, or its solution has been shown
 *   review  any other game: opened, set up, or played without an opponent
 */

/** @typedef {"red" | "black"} Side */
/** @typedef {"play" | "analyse" | "referee"} Mode */
/** @typedef {"start" | "match" | "over" | "task" | "solved" | "review"} Phase */
/** @typedef {"position" | "answer" | "phase" | "draw" | "tick"} PageEvent */
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
 *   playable: boolean}[], error: {message: string} | null}} Book */

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

/** A game between two players (match.js): `node` is its last position, which need not be the shown one.
 * A player is {name, engine, level}; `engine` is empty for a person. `scores` are those of the engine's
 * last moves, for itself.
 * @typedef {{
 *   id: string, settings: any, tree: import("./tree.js").MoveTree, node: number,
 *   players: Record<Side, {name: string, engine: string, level: number}>,
 *   clocks: import("./clocks.js").Clocks | null, scores: number[], result: string | null, reason: string,
 *   isFailed?: boolean,
 * }} Match */

/** The user's hand on the board: the chosen square, the keyboard cursor, and a move to be played after
 * the engine's, with the node where it was chosen.
 * @typedef {{chosen: Square | null, cursor: Square, premove: {move: Move, at: number} | null}} Hand */

/* Phases that a game may have next; a game enters its first one from `start` or `review`. */
const NEXT = { match: ["over"], over: [], task: ["solved", "review"], solved: ["review"], review: [] };

export class State {
  /** @type {Record<PageEvent, ((detail?: any) => void)[]>} */
  #watchers = { position: [], answer: [], phase: [], draw: [], tick: [] };

  /** @type {WeakMap<object, {phase: Phase, place: () => number | undefined}>} */
  #entered = new WeakMap();

  #frame = 0; // the requested animation frame; 0 if nothing was drawn in this frame
  #isDue = false;

  /** @param {string} start  FEN of the starting position */
  constructor(start) {
    this.start = start;

    /** Games with the tree and the node on the board; set by startGame.
     * @type {import("./history.js").GameHistory} */
    this.history = /** @type {any} */ (null);
    this.rules = "";

    /** Side that the engine plays outside of matches.
     * @type {Side | "nobody"} */
    this.engine = "nobody";
    this.flip = false;

    /** @type {Mode} */
    this.mode = "play";

    /** The only arrows to show, all if empty.
     * @type {string[]} */
    this.focus = [];

    /** Match of the game on the board, null if it is none.
     * @type {Match | null} */
    this.match = null;

    /** @type {Hand} */
    this.hand = { chosen: null, cursor: "e0", premove: null };

    /** Response of the server on the current position, null until it is there.
     * @type {View | null} */
    this.view = null;

    /** Response on the shown line.
     * @type {Ruling} */
    this.ruling = { arrows: {} };
  }

  /** @param {PageEvent} event
   * @param {(detail?: any) => void} listener */
  watch(event, listener) {
    this.#watchers[event].push(listener);
  }

  /** @param {PageEvent} event
   * @param {any} [detail] */
  notify(event, detail) {
    for (const listener of this.#watchers[event]) listener(detail);
  }

  /* Draw the page: at once, or in the next frame if this frame has been drawn. */
  redraw() {
    this.#isDue = this.#frame !== 0;
    if (this.#isDue) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#isDue) this.redraw();
    });
    this.notify("draw");
  }

  /* Report a change of the position or its line. With `allowsReply` the engine may move even where the
   * game has a next move. */
  update({ allowsReply = false } = {}) {
    this.view = null;
    this.notify("position", { allowsReply });
    this.redraw();
  }

  /** Current node of the tree.
   * @returns {TreeNode} */
  currentNode() {
    const { tree, node } = this.history;
    return tree.nodes[node];
  }

  /** Current position as the fields of a request.
   * @returns {{fen: string, moves: Move[]}} */
  currentMoves() {
    const { tree, node } = this.history;
    return { fen: tree.fen, moves: tree.moves(tree.path(node)) };
  }

  /** Set the phase of a game. `place` returns the node where play goes on in `match` and `task`.
   * @param {object} tree
   * @param {Phase} phase
   * @param {() => number | undefined} [place] */
  enterPhase(tree, phase, place = () => undefined) {
    const before = this.#entered.get(tree)?.phase;
    if (before && !NEXT[before].includes(phase)) throw new Error(`phase: ${before} -> ${phase}`);
    this.#entered.set(tree, { phase, place });
    this.notify("phase");
  }

  /** Phase of the game on the board.
   * @returns {Phase} */
  get phase() {
    const { tree } = this.history;
    const known = this.#entered.get(tree);
    if (known) return known.phase;
    return tree.nodes[0].next.length || tree.fen !== this.start ? "review" : "start";
  }

  /* Would an engine's advice be unfair, or give a solution away? */
  isUnaided() {
    return ["match", "task"].includes(this.phase);
  }

  /* Node where play goes on; undefined if moves may be played at every node. */
  placeOfPlay() {
    return this.#entered.get(this.history.tree)?.place();
  }
}
