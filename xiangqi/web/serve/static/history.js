/* Undo and redo of changes of games. Independent of the page and the server. */

import { MoveTree } from "./tree.js";

/** @typedef {{tree: MoveTree, node: number}} Place */
/** @typedef {Place & {from: Place, place?: number, isReply?: boolean, changes?: any[]}} Step */

/* The current position, `tree` and `node`, and the steps that led there. A step is a played move, a
 * new game, or an edit: its result (`tree`, `node`), its origin (`from`), for a new move its `place`
 * among its siblings, and for an edit its `changes`. The engine's moves for its side have `isReply`. */
export class GameHistory {
  /** @param {MoveTree} tree */
  constructor(tree, node = 0) {
    this.tree = tree;
    this.node = node;
    /** @type {Step[]} */
    this.done = [];
    /** @type {Step[]} */
    this.undone = [];
  }

  goTo(node) {
    this.node = node;
  }

  /* Begin another game. */
  begin(tree, node) {
    this.keepUndone();
    this.take({ tree, node, from: { tree: this.tree, node: this.node } });
  }

  /* Play a move. Undone moves return to their games; a move played in place of the last undone one
   * becomes its elder sibling, with the undone move as a variation. */
  play(move, isReply = false) {
    const { tree, node } = this;
    const next = this.undone.at(-1);
    const isNext = !next?.changes && next?.tree === tree && next.from.tree === tree
      && next.from.node === node;
    if (isNext && tree.nodes[next.node].move === move) return this.redo();
    this.keepUndone();
    const from = { tree, node };
    const known = tree.find(node, move);
    if (known) return this.take({ tree, node: known, from, isReply });
    const siblings = tree.nodes[node].next;
    const place = isNext ? siblings.indexOf(next.node) : siblings.length;
    return this.take({ tree, node: tree.add(node, move, place), from, place, isReply });
  }

  /* Apply changes to the tree, then go to a node. */
  edit(changes, node = this.node) {
    if (!changes.length) return;
    this.keepUndone();
    const from = { tree: this.tree, node: this.node };
    changes.forEach((change) => this.tree.apply(change));
    this.take({ tree: this.tree, node, from, changes });
  }

  /* Undo the last step; the engine's reply together with the move before it. */
  undo() {
    const step = this.done.pop();
    if (!step) return;
    this.undone.push(step);
    if (step.place !== undefined) step.tree.takeOut(step.node);
    for (const { from, to, ...what } of [...(step.changes ?? [])].reverse()) {
      step.tree.apply({ ...what, from: to, to: from });
    }
    Object.assign(this, step.from);
    const before = this.done.at(-1);
    const isMoveBefore = before?.from.tree === this.tree && before.node === this.node;
    if (step.isReply && isMoveBefore) this.undo();
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return;
    this.putBack(step);
    step.changes?.forEach((change) => step.tree.apply(change));
    this.take(step);
    if (this.undone.at(-1)?.isReply) this.redo();
  }

  take(step) {
    this.done.push(step);
    Object.assign(this, { tree: step.tree, node: step.node });
  }

  putBack(step) {
    if (step.place !== undefined) step.tree.putIn(step.node, step.place);
  }

  /* Return undone moves to their games, as moves not played; undone edits are lost. */
  keepUndone() {
    while (this.undone.length) this.putBack(this.undone.pop());
  }

  /* All games that undo and redo can reach. */
  get trees() {
    const steps = [...this.done, ...this.undone];
    return [...new Set([this.tree, ...steps.flatMap(({ tree, from }) => [tree, from.tree])])];
  }

  /* Grows with every change. */
  get version() {
    return this.trees.map(({ version }) => version).join();
  }

  /* Data for storage; each tree is stored once. See `from`. */
  data() {
    const { trees } = this;
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
