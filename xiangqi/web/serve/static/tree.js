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
    const copied = ({ move, comment, nags, next }) => ({ move, comment, nags, next });
    return { fen: this.fen, headers, nodes: this.nodes.map(copied) };
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

/* Edits: lists of changes for history.edit, as tree.js applies them. Knows neither the page nor
 * the server. */

export const SIGNS = new Map([[1, "!"], [2, "?"], [3, "!!"], [4, "??"], [5, "!?"], [6, "?!"]]);

/* The marks of a move as they are printed behind it. */
export function printMarks(nags = []) {
  return nags.map((nag) => SIGNS.get(nag) ?? ` $${nag}`).join("");
}

/* Give a node's datum a value; no change where it has it. */
export function setDatum(tree, node, key, to) {
  const from = (node === null ? tree : tree.nodes[node])[key];
  return JSON.stringify(from ?? "") === JSON.stringify(to ?? "") ? [] : [{ node, key, from, to }];
}

/* Put a mark to a move, instead of the other one with a sign, or take it away. */
export function toggleMark(tree, node, nag) {
  const nags = tree.nodes[node].nags ?? [];
  const others = nags.filter((other) => !SIGNS.has(other));
  return setDatum(tree, node, "nags", nags.includes(nag) ? others : [nag, ...others]);
}

/* The node at which the line of a node leaves one that goes before it, or has one behind it. */
function turningPoint(tree, node, isTurning) {
  const isAt = (id) => isTurning(placeOf(tree, id), siblingsOf(tree, id).length);
  let at = node;
  while (at && !isAt(at)) at = tree.nodes[at].parent;
  return at;
}

function siblingsOf(tree, node) {
  return tree.nodes[tree.nodes[node].parent].next;
}

function placeOf(tree, node) {
  return siblingsOf(tree, node).indexOf(node);
}

function replace(tree, node, step) {
  const from = placeOf(tree, node);
  return [{ node, key: "place", from, to: from + step }];
}

/* Have the line that a node belongs to go before the one that it varies. */
export function promote(tree, node) {
  const at = turningPoint(tree, node, (place) => place > 0);
  return at ? replace(tree, at, -1) : [];
}

/* Have it go behind the next one. */
export function demote(tree, node) {
  const at = turningPoint(tree, node, (place, count) => place < count - 1);
  return at ? replace(tree, at, 1) : [];
}

/* Take a move and all that follows out of the tree. */
export function remove(tree, node) {
  return node ? [{ node, key: "place", from: placeOf(tree, node), to: null }] : [];
}

/* Comments hold more than words: shapes drawn on the board and evaluations, as chess programs
 * write them. `[%csl Ra0,Ge4]` are circles, `[%cal Gh2e2]` arrows, by the first letters of green,
 * red, yellow and blue, on squares as in h2e2; `[%eval -0.35,18]` and `[%eval #3]` are what the
 * position is worth to Red, in soldiers, and in how many moves he mates; `[%meihua 1a2b3c4d]` seals
 * what an analysis has added. */

const SHAPES = /\s*\[%(?:csl|cal)\s+([GRYB][a-i0-9]+(?:\s*,\s*[GRYB][a-i0-9]+)*)\s*\]\s*/g;
const EVALUATION = /\s*\[%eval\s+(?:#([+-]?\d{1,6})|([+-]?(?:\d+\.?\d*|\.\d+)))(?:,\d+)?\s*\]\s*/;
const SEAL = /\s*\[%meihua [0-9a-f]{8}(?: \d{1,3})?\]\s*/;
const COMMANDS = new RegExp(`${SHAPES.source}|${EVALUATION.source}|${SEAL.source}`, "g");
const SHAPE = /^([GRYB])([a-i]\d)([a-i]\d)?$/;
const MATE = 30000; // as far from any other score as any engine has it

/* Split a comment into `words`, `shapes` and, where it has one, the `evaluation`. */
export function readRemark(comment = "") {
  const shapes = [...comment.matchAll(SHAPES)].flatMap(([, list]) =>
    list.split(",").map((text) => SHAPE.exec(text.trim())).filter(Boolean).map(readShape));
  const words = comment.replace(COMMANDS, " ").trim();
  return { words, shapes, evaluation: readEvaluation(comment) };
}

/** @param {string[]} found */
function readShape([, color, from, to = from]) {
  return { color, from, to };
}

function readEvaluation(comment) {
  const found = EVALUATION.exec(comment);
  if (!found) return null;
  const [, mate, soldiers] = found;
  if (mate === undefined) return { red: Math.round(100 * Number(soldiers)), mate: null };
  const moves = Number(mate);
  return { red: mate.startsWith("-") ? -MATE - moves : MATE - moves, mate: moves };
}

/* The comment with other words. */
export function withWords(comment = "", words = "") {
  const commands = [...comment.matchAll(COMMANDS)].map(([command]) => command.trim());
  return [...commands, words].filter(Boolean).join(" ");
}

/* The comment with another evaluation. */
export function withEvaluation(comment = "", text) {
  return [`[%eval ${text}]`, comment.replace(EVALUATION, " ").trim()].filter(Boolean).join(" ");
}

/* The comment with other shapes. */
export function withShapes(comment = "", shapes = []) {
  const write = (name, list) => (list.length ? `[%${name} ${list.join(",")}]` : "");
  const named = (wanted) => shapes.filter(wanted).map(({ color, from, to }) =>
    color + from + (from === to ? "" : to));
  const circles = write("csl", named(({ from, to }) => from === to));
  const arrows = write("cal", named(({ from, to }) => from !== to));
  const rest = comment.replace(SHAPES, " ").trim();
  return [circles + arrows, rest].filter(Boolean).join(" ");
}
