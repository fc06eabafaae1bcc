/* A game as a tree of moves, and what was done to it. Knows neither the page nor the server. */
"use strict";

/* A tree is a list of nodes, which are named by their places in it; 0 is the starting position.
 * A node has its `move` (no root has one), the `next` nodes, the main line first, its `parent`, and
 * where there are such: `comment`, `nags`, and the move's names for the reader: `chinese`, `wxf`,
 * `marks`. A node that is taken out of the tree stays in the list, so that it can be put back. */
class MoveTree {
  constructor({ fen, headers = {}, nodes = [{ next: [] }], file = null, end }) {
    Object.assign(this, { fen, headers, nodes, file });
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

  nameMove(id, names) {
    Object.assign(this.nodes[id], names);
    this.version++;
  }

  /* The number of half-moves before the first one, as the number of its round tells it. */
  get offset() {
    const [, turn, , , , round] = this.fen.split(" ");
    return 2 * Math.max(0, Number(round) - 1) + (turn === "b" ? 1 : 0);
  }

  /* Where the pieces stand after a node: the first field of a FEN. */
  placement(id) {
    const pieces = new Map(readPieces(this.fen));
    for (const move of this.moves(this.path(id))) {
      pieces.set(move.slice(2), pieces.get(move.slice(0, 2)));
      pieces.delete(move.slice(0, 2));
    }
    return writePieces(pieces);
  }

  /* What the server is sent. A result is that of the main line as it was read. */
  data() {
    const headers = { ...this.headers };
    if (this.end !== (this.line(0).at(-1) ?? 0)) delete headers.Result;
    const told = ({ move, comment, nags, next }) => ({ move, comment, nags, next });
    return { fen: this.fen, headers, nodes: this.nodes.map(told) };
  }
}

/* The present position, `tree` and `node`, and the steps that led there. A step is a move that was
 * played or a game that was begun or read: where it led, where it was made (`from`), and for a move
 * that was new its `place` among its siblings. The engine's moves for its own side are answers. */
class GameHistory {
  constructor(tree, node = 0) {
    Object.assign(this, { tree, node, done: [], undone: [] });
  }

  goTo(node) {
    this.node = node;
  }

  /* Begin another game. */
  begin(tree, node) {
    this.keepUndone();
    this.take({ tree, node, from: { tree: this.tree, node: this.node } });
  }

  /* Play a move. Moves that were taken back stay as a variation where it comes instead of them. */
  play(move, isAnswer = false) {
    const { tree, node, undone } = this;
    const next = undone.at(-1)?.from.tree === tree ? undone.at(-1) : null;
    const isNext = next?.tree === tree && next.from.node === node;
    if (isNext && tree.nodes[next.node].move === move) return this.redo();
    if (next && [0, ...tree.path(next.from.node)].includes(node)) this.keepUndone();
    this.undone = [];
    const from = { tree, node };
    const known = tree.find(node, move);
    if (known) return this.take({ tree, node: known, from, isAnswer });
    const siblings = tree.nodes[node].next;
    const instead = isNext ? siblings.indexOf(next.node) : -1;
    const place = instead < 0 ? siblings.length : instead;
    return this.take({ tree, node: tree.add(node, move, place), from, place, isAnswer });
  }

  /* Take back the last step; an answer of the engine together with the move before it. */
  undo() {
    const step = this.done.pop();
    if (!step) return;
    this.undone.push(step);
    if (step.place !== undefined) step.tree.takeOut(step.node);
    Object.assign(this, step.from);
    const before = this.done.at(-1);
    const isAnswered = before?.from.tree === this.tree && before.node === this.node;
    if (step.isAnswer && isAnswered) this.undo();
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return;
    this.putBack(step);
    this.take(step);
    if (this.undone.at(-1)?.isAnswer) this.redo();
  }

  take(step) {
    this.done.push(step);
    Object.assign(this, { tree: step.tree, node: step.node });
  }

  putBack(step) {
    if (step.place !== undefined) step.tree.putIn(step.node, step.place);
  }

  /* Put back into their games what was taken back. */
  keepUndone() {
    while (this.undone.length) this.putBack(this.undone.pop());
  }

  /* As data, and back; each tree is kept once. */
  data() {
    const trees = [...new Set([this, ...this.done, ...this.undone]
      .flatMap((step) => [step.tree, step.from?.tree ?? step.tree]))];
    const number = (place) => ({ ...place, tree: trees.indexOf(place.tree) });
    const numbered = (step) => ({ ...number(step), from: number(step.from) });
    return {
      trees, done: this.done.map(numbered), undone: this.undone.map(numbered),
      present: number({ tree: this.tree, node: this.node }),
    };
  }

  static from({ trees, done, undone, present }) {
    const read = trees.map((tree) => new MoveTree(tree));
    const place = (data) => ({ ...data, tree: read[data.tree] });
    const step = (data) => ({ ...place(data), from: place(data.from) });
    const { tree, node } = place(present);
    const history = new GameHistory(tree, node);
    return Object.assign(history, { done: done.map(step), undone: undone.map(step) });
  }
}
