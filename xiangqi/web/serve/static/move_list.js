/* The list of moves: the main line in two columns, variations and comments below the moves. */

import { notation } from "./asking.js";
import { printMarks } from "./edits.js";
import { page } from "./page.js";
import { game, told, watch } from "./present.js";
import { cycleOf } from "./referee.js";
import { readRemark } from "./remarks.js";
import { goTo } from "./steps.js";

let drawn = ""; // what the list shows
let drawnTree = null;

function drawMoves(tree, notation, onChoose) {
  const state = `${tree.version} ${notation}`;
  if (tree === drawnTree && state === drawn) return;
  [drawnTree, drawn] = [tree, state];
  page("no-moves").hidden = tree.nodes[0].next.length > 0;
  page("moves").replaceChildren(...listItems(new MoveWriter(tree, notation, onChoose)));
}

function* listItems(writer) {
  const { tree } = writer;
  yield* commentItems(tree, 0);
  let needsNumber = true; // a number stands before Red's moves, and after what comes between
  for (const id of tree.line(0)) {
    const place = writer.place(id);
    if (needsNumber || place % 2 === 0) yield listItem("number", `${Math.floor(place / 2) + 1}.`);
    if (needsNumber && place % 2) yield listItem("gap", "");
    const item = listItem(place % 2 ? "" : "red-move", "");
    item.append(writer.button(id));
    yield item;
    const between = [...commentItems(tree, id), ...variationItems(writer, id)];
    yield* between;
    needsNumber = between.length > 0;
  }
}

function* commentItems(tree, id) {
  const { words } = readRemark(tree.nodes[id].comment);
  if (words) yield listItem("comment", words);
}

/* What could have been played instead of a move of the main line. */
function* variationItems(writer, id) {
  const { nodes } = writer.tree;
  for (const other of nodes[nodes[id].parent].next.slice(1)) {
    const item = listItem("variation", "");
    item.append(...writer.variation(other));
    yield item;
  }
}

function listItem(kind, text) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = text;
  return item;
}

/* Writes moves as buttons. */
class MoveWriter {
  constructor(tree, notation, onChoose) {
    Object.assign(this, { tree, notation, onChoose });
    this.plies = [0];
  }

  /* The number of half-moves before a node's move. */
  place(id) {
    const { nodes } = this.tree;
    const above = [];
    let at = id;
    for (; this.plies[at] === undefined; at = nodes[at].parent) above.push(at);
    while (above.length) {
      const node = above.pop();
      this.plies[node] = this.plies[nodes[node].parent] + 1;
    }
    return this.plies[id] - 1 + this.tree.offset;
  }

  button(id) {
    const node = this.tree.nodes[id];
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = (node[this.notation] ?? node.move) + printMarks(node.nags);
    button.dataset.node = id;
    button.dataset.ply = this.place(id) + 1 - this.tree.offset;
    button.addEventListener("click", () => this.onChoose(id));
    return button;
  }

  /* A variation with those inside it, however deep they lie: texts and buttons with what stands
   * between them. */
  *variation(first) {
    let last = "(";
    for (const word of this.words(first)) {
      if (last !== "(" && word !== ")") yield " ";
      yield (last = word);
    }
  }

  *words(first) {
    const { nodes } = this.tree;
    const waiting = [")", first, "("];
    let needsNumber = true;
    while (waiting.length) {
      const id = waiting.pop();
      if (typeof id === "string") {
        yield id;
        needsNumber = true;
        continue;
      }
      const place = this.place(id);
      const number = Math.floor(place / 2) + 1;
      if (place % 2 === 0) yield `${number}.`;
      else if (needsNumber) yield `${number}…`;
      yield this.button(id);
      const { comment, next, parent } = nodes[id];
      const { words } = readRemark(comment);
      if (words) yield words;
      needsNumber = Boolean(words);
      if (next.length) waiting.push(next[0]);
      if (id !== first && id === nodes[parent].next[0]) {
        for (const other of nodes[parent].next.slice(1).reverse()) waiting.push(")", other, "(");
      }
    }
  }
}

/* Mark the present move, and those of the cycle in its line; `cycle` is two places in the line. */
function markMoves(line, node, cycle) {
  const list = page("moves");
  const round = new Set(cycle ? line.slice(cycle[0], cycle[1] + 1) : []);
  for (const button of list.querySelectorAll("button")) {
    const id = Number(button.dataset.node);
    button.classList.toggle("cycle", round.has(id));
    if (id === node) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  const present = list.querySelector("[aria-current]");
  list.scrollTop = present ? present.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

watch("draw", () => {
  const { tree, node } = game.history;
  drawMoves(tree, notation(), goTo);
  markMoves(tree.line(node), node, cycleOf(told.ruling));
});
