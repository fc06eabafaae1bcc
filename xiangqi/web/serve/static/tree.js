/* A game as a tree of moves. Knows neither the page nor the server. */

/* A tree is a list of nodes, which are named by their places in it; 0 is the starting position.
 * A node has its `move` (no root has one), the `next` nodes, the main line first, its `parent`, and
 * where there are such: `comment`, `nags`, and the move's names for the reader: `chinese`, `wxf`,
 * `marks`. A node that is taken out of the tree stays in the list, so that it can be put back. */
export class MoveTree {
  /** @type {Map<number, Position>} */
  #positions = new Map(); // those that have been shown, by their nodes

  /** @param {{fen: string, headers?: Record<string, string>,
   *   nodes?: import("./state.js").TreeNode[], file?: string | null, end?: number}} data */
  constructor({ fen, headers = {}, nodes = [{ next: [] }], file = null, end }) {
    this.fen = fen;
    this.headers = headers;
    this.nodes = nodes;
    this.file = file;
    nodes.forEach((node, id) => {
      for (const child of node.next) nodes[child].parent = id;
    });
    this.end = end ?? this.line(0).at(-1) ?? 0; // where the main line ended when it was read
    this.version = 0; // grows with every change
  }

  /* The nodes that lead to one, itself included, the root left out. */
  path(id) {
    const path = [];
    for (let at = id; at; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /* The same, and what follows as the main line. */
  line(id) {
    const line = this.path(id);
    for (let at = id; this.nodes[at].next.length; line.push(at)) [at] = this.nodes[at].next;
    return line;
  }

  /* The name of a node's move in a notation. */
  name(id, notation) {
    return this.nodes[id][notation] ?? this.nodes[id].move;
  }

  moves(ids) {
    return ids.map((id) => this.nodes[id].move);
  }

  find(id, move) {
    return this.nodes[id].next.find((child) => this.nodes[child].move === move);
  }

  /* Add a move behind a node, at a place among those that are there; the new node. */
  add(id, move, place) {
    const child = this.nodes.push({ move, parent: id, next: [] }) - 1;
    this.putIn(child, place);
    return child;
  }

  putIn(id, place) {
    this.nodes[this.nodes[id].parent].next.splice(place, 0, id);
    this.version++;
  }

  takeOut(id) {
    const siblings = this.nodes[this.nodes[id].parent].next;
    siblings.splice(siblings.indexOf(id), 1);
    this.version++;
  }

  /* Make a change of a node's data, or of the tree's own where `node` is null. A change of the
   * `place` moves a node among its siblings; null means outside of the tree. */
  apply({ node, key, to }) {
    if (key !== "place") {
      (node === null ? this : this.nodes[node])[key] = to;
      this.version++;
      return;
    }
    if (this.isIn(node)) this.takeOut(node);
    if (to !== null) this.putIn(node, to);
  }

  isIn(id) {
    return this.nodes[this.nodes[id].parent].next.includes(id);
  }

  /* The number of a node's round as it is printed: 3. before Red's move, 3… before Black's. */
  number(id) {
    const place = this.path(id).length - 1 + this.offset;
    return `${Math.floor(place / 2) + 1}${place % 2 ? "…" : "."}`;
  }

  nameMove(id, names) {
    Object.assign(this.nodes[id], names);
    this.version++;
  }

  /* The number of half-moves before the first one, by the number of its round. */
  get offset() {
    const [, turn, , , , round] = this.fen.split(" ");
    return 2 * Math.max(0, Number(round) - 1) + (turn === "b" ? 1 : 0);
  }

  /* The position after a node; each is made once, for the moves that lead to a node stay. */
  position(id) {
    const ahead = [];
    let at = id;
    for (; at && !this.#positions.has(at); at = this.nodes[at].parent) ahead.push(at);
    let position = this.#positions.get(at) ?? Position.of(this.fen);
    while (ahead.length) {
      position = position.play(this.nodes[ahead.at(-1)].move);
      this.#positions.set(ahead.pop(), position);
    }
    return position;
  }

  /* Data for the server. A result is that of the main line as it was read. */
  data() {
    const headers = { ...this.headers };
    if (this.end !== (this.line(0).at(-1) ?? 0)) {
      delete headers.Result;
      delete headers.Ruling;
    }
    const told = ({ move, comment, nags, next }) => ({ move, comment, nags, next });
    return { fen: this.fen, headers, nodes: this.nodes.map(told) };
  }
}

/* Pieces on the board. Moves are made without a test of legality, which is the server's. */

/* A position never changes: playing a move makes another one. */
export class Position {
  /** @param {Map<import("./state.js").Square, string>} pieces
   * @param {string} turn
   * @param {string} between
   * @param {number} clock
   * @param {number} round */
  constructor(pieces, turn, between, clock, round) {
    this.pieces = pieces;
    this.turn = turn;
    this.between = between;
    this.clock = clock;
    this.round = round;
  }

  static of(fen) {
    const [, turn = "w", castling = "-", passing = "-", clock = 0, round = 1] = fen.split(" ");
    const pieces = new Map(readPieces(fen));
    return new Position(pieces, turn, `${castling} ${passing}`, Number(clock), Number(round));
  }

  play(move) {
    const [tail, head] = [move.slice(0, 2), move.slice(2, 4)];
    const pieces = new Map(this.pieces);
    const clock = pieces.has(head) ? 0 : this.clock + 1;
    pieces.set(head, pieces.get(tail));
    pieces.delete(tail);
    const isBlack = this.turn === "b";
    const round = this.round + (isBlack ? 1 : 0);
    return new Position(pieces, isBlack ? "w" : "b", this.between, clock, round);
  }

  get placement() {
    return writePieces(this.pieces);
  }

  get fen() {
    const { placement, turn, between, clock, round } = this;
    return [placement, turn, between, clock, round].join(" ");
  }
}

/* Does a piece, by its letter in a FEN, belong to the side to move? */
export function isOwn(position, square) {
  const letter = position.pieces.get(square);
  return letter !== undefined && (letter === letter.toUpperCase()) === (position.turn === "w");
}
