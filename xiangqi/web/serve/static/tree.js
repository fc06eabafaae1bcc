/* A game as a tree of moves. Independent of the page and the server. */

import { readPieces, writePieces } from "./board.js";

/* A tree is a list of nodes, identified by their indices; 0 is the starting position. A node has its
 * `move` (except the root), the `next` nodes, the main line first, and its `parent`; it may have
 * `comment`, `nags`, and the move's names `chinese` and `wxf`. A node removed from the tree stays in
 * the list, so that it can be restored. */
export class MoveTree {
  /** @type {Map<number, Position>} */
  #positions = new Map(); // cache, by node

  /** @param {{fen: string, headers?: Record<string, string>,
   *   nodes?: import("./state.js").TreeNode[], file?: string | null, end?: number, review?: any}} data */
  constructor({ fen, headers = {}, nodes = [{ next: [] }], file = null, end, review = null }) {
    this.fen = fen;
    this.headers = headers;
    this.nodes = nodes;
    this.file = file;
    this.review = review; // analysis of the whole game, see review.js
    nodes.forEach((node, id) => {
      for (const child of node.next) nodes[child].parent = id;
    });
    this.end = end ?? this.line(0).at(-1) ?? 0; // where the main line ended when it was read
    this.version = 0; // grows with every change
  }

  /* Nodes from the root, exclusive, to a node, inclusive. */
  path(id) {
    const path = [];
    for (let at = id; at; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /* The path to a node, continued by its main line. */
  line(id) {
    const line = this.path(id);
    for (let at = id; this.nodes[at].next.length; line.push(at)) [at] = this.nodes[at].next;
    return line;
  }

  /* Name of a node's move in a notation. */
  name(id, notation) {
    return this.nodes[id][notation] ?? this.nodes[id].move;
  }

  moves(ids) {
    return ids.map((id) => this.nodes[id].move);
  }

  find(id, move) {
    return this.nodes[id].next.find((child) => this.nodes[child].move === move);
  }

  /* Add a move after a node, at an index among its next nodes; returns the new node. */
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

  /* Apply a change of a datum of a node, or of the tree if `node` is null. A change of `place` moves
   * a node among its siblings; null removes it from the tree. */
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

  /* Format the move number of a node: "3." for Red's move, "3…" for Black's. */
  number(id) {
    const place = this.path(id).length - 1 + this.offset;
    return `${Math.floor(place / 2) + 1}${place % 2 ? "…" : "."}`;
  }

  keepReview(review) {
    this.review = review;
    this.version++;
  }

  nameMove(id, names) {
    Object.assign(this.nodes[id], names);
    this.version++;
  }

  /* Number of plies before the first move, by the FEN's move number. */
  get offset() {
    const [, turn, , , , round] = this.fen.split(" ");
    return 2 * Math.max(0, Number(round) - 1) + (turn === "b" ? 1 : 0);
  }

  /* Position after a node; cached, as the moves before a node never change. */
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

  /* Data for the server. Result and ruling are left out if the main line has changed. */
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

/* An immutable position. Legality of moves is checked by the server. */
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

/* Is there a piece of the side to move on a square? */
export function isOwn(position, square) {
  const letter = position.pieces.get(square);
  return letter !== undefined && (letter === letter.toUpperCase()) === (position.turn === "w");
}

/* Edits: functions that return lists of changes for GameHistory.edit. */

export const SIGNS = new Map([[1, "!"], [2, "?"], [3, "!!"], [4, "??"], [5, "!?"], [6, "?!"]]);

/* Format the marks of a move: "!?", or "$10" for a NAG without a sign. */
export function printMarks(nags = []) {
  return nags.map((nag) => SIGNS.get(nag) ?? ` $${nag}`).join("");
}

/* Set a datum of a node, or of the tree if `node` is null; no change if it has the value. */
export function setDatum(tree, node, key, to) {
  const from = (node === null ? tree : tree.nodes[node])[key];
  return JSON.stringify(from ?? "") === JSON.stringify(to ?? "") ? [] : [{ node, key, from, to }];
}

/* Set a mark of a move, replacing other marks with a sign, or remove it. */
export function toggleMark(tree, node, nag) {
  const nags = tree.nodes[node].nags ?? [];
  const others = nags.filter((other) => !SIGNS.has(other));
  return setDatum(tree, node, "nags", nags.includes(nag) ? others : [nag, ...others]);
}

/* Last node on the path to a node with `isTurning(index, number of siblings)`; 0 if none. */
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

/* Promote the variation of a node by one. */
export function promote(tree, node) {
  const at = turningPoint(tree, node, (place) => place > 0);
  return at ? replace(tree, at, -1) : [];
}

/* Demote the line of a node by one. */
export function demote(tree, node) {
  const at = turningPoint(tree, node, (place, count) => place < count - 1);
  return at ? replace(tree, at, 1) : [];
}

/* Remove a move and all that follow. */
export function remove(tree, node) {
  return node ? [{ node, key: "place", from: placeOf(tree, node), to: null }] : [];
}

/* Commands in PGN comments: `[%csl Ra0,Ge4]` circles and `[%cal Gh2e2]` arrows, coloured by the first
 * letters of green, red, yellow and blue; `[%eval -0.35,18]` and `[%eval #3]` evaluations for Red, in
 * soldiers or moves to mate; `[%meihua 1a2b3c4d]` the seal of text that an analysis has added. */

const SHAPES = /\s*\[%(?:csl|cal)\s+([GRYB][a-i0-9]+(?:\s*,\s*[GRYB][a-i0-9]+)*)\s*\]\s*/g;
const EVALUATION = /\s*\[%eval\s+(?:#([+-]?\d{1,6})|([+-]?(?:\d+\.?\d*|\.\d+)))(?:,\d+)?\s*\]\s*/;
const SEAL = /\s*\[%meihua [0-9a-f]{8}(?: \d{1,3})?\]\s*/;
const COMMANDS = new RegExp(`${SHAPES.source}|${EVALUATION.source}|${SEAL.source}`, "g");
const SHAPE = /^([GRYB])([a-i]\d)([a-i]\d)?$/;
const MATE = 30000; // centipawns of a mate, above any other score

/* Split a comment into `words`, `shapes` and `evaluation` (may be null). */
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

/* Replace the words of a comment. */
export function withWords(comment = "", words = "") {
  const commands = [...comment.matchAll(COMMANDS)].map(([command]) => command.trim());
  return [...commands, words].filter(Boolean).join(" ");
}

/* Replace the evaluation of a comment. */
export function withEvaluation(comment = "", text) {
  return [`[%eval ${text}]`, comment.replace(EVALUATION, " ").trim()].filter(Boolean).join(" ");
}

/* Replace the shapes of a comment. */
export function withShapes(comment = "", shapes = []) {
  const write = (name, list) => (list.length ? `[%${name} ${list.join(",")}]` : "");
  const named = (wanted) => shapes.filter(wanted).map(({ color, from, to }) =>
    color + from + (from === to ? "" : to));
  const circles = write("csl", named(({ from, to }) => from === to));
  const arrows = write("cal", named(({ from, to }) => from !== to));
  const rest = comment.replace(SHAPES, " ").trim();
  return [circles + arrows, rest].filter(Boolean).join(" ");
}
