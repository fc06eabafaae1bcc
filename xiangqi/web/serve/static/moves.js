/* The list of moves: the main line in two columns, variations and comments below the moves. */

import { notation } from "./asking.js";
import { printMarks } from "./edits.js";
import { make, page } from "./page.js";
import { cycleOf } from "./referee.js";
import { readRemark } from "./remarks.js";
import { game, told, watch } from "./state.js";
import { goTo } from "./steps.js";

let drawn = ""; // what the list shows
let drawnTree = null;
let centred = null; // the node to which the list was scrolled

function drawMoves(tree, notation, onChoose) {
  const state = `${tree.version} ${notation}`;
  if (tree === drawnTree && state === drawn) return;
  if (tree !== drawnTree) centred = null;
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

/* Variations of a move of the main line. */
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
  /** @param {import("./tree.js").MoveTree} tree
   * @param {string} notation
   * @param {(id: number) => void} onChoose */
  constructor(tree, notation, onChoose) {
    this.tree = tree;
    this.notation = notation;
    this.onChoose = onChoose;
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
    button.dataset.node = String(id);
    button.dataset.ply = String(this.place(id) + 1 - this.tree.offset);
    button.addEventListener("click", () => this.onChoose(id));
    return button;
  }

  /* A variation with those inside it, however deep they lie: texts and buttons with what stands
   * between them. */
  *variation(first) {
    /** @type {string | HTMLElement} */
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

/* Mark the present move, and those of the cycle in its line, each with what it does; `cycle` is two
 * places in the line, `evidence` the ruling's marks of its moves. */
function markMoves(line, node, cycle, evidence) {
  const list = page("moves");
  const round = new Set(cycle ? line.slice(cycle[0], cycle[1] + 1) : []);
  const conducts = new Map(evidence.map(({ ply, mark, name }) => [line[ply - 1], [mark, name]]));
  for (const button of list.querySelectorAll("button")) {
    const id = Number(button.dataset.node);
    button.classList.toggle("cycle", round.has(id));
    markConduct(button, conducts.get(id));
    markPresent(button, id === node);
  }
  if (node === centred || !list.clientHeight) return; // a list that the user has scrolled stays so
  centred = node;
  const present = list.querySelector("[aria-current]");
  const middle = present ? present.offsetTop - list.offsetTop + present.offsetHeight / 2 : 0;
  const isSeen = middle >= list.scrollTop && middle <= list.scrollTop + list.clientHeight;
  if (!isSeen) list.scrollTop = middle - list.clientHeight / 2;
}

function markPresent(button, isPresent) {
  if (isPresent) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
}

function markConduct(button, conduct) {
  if (conduct?.[0] === button.dataset.conduct) return;
  if (conduct) [button.dataset.conduct, button.dataset.conductName] = conduct;
  else delete button.dataset.conduct;
}

/* The line that is shown, in one line of text, where the window is upright. */
const isUpright = matchMedia("(max-aspect-ratio: 1/1)");
let stripShown = "";
let stripCentred = null;

function drawStrip({ tree, node }) {
  if (!isUpright.matches) return;
  const strip = page("strip");
  const line = tree.line(node);
  const state = `${tree.version} ${notation()} ${line}`;
  if (state !== stripShown) {
    stripShown = state;
    stripCentred = null;
    const writer = new MoveWriter(tree, notation(), goTo);
    strip.replaceChildren(...line.map((id, place) => stripItem(writer, id, place === 0)));
  }
  let present = null;
  for (const button of strip.querySelectorAll("button")) {
    const isPresent = Number(button.dataset.node) === node;
    markPresent(button, isPresent);
    if (isPresent) present = button;
  }
  if (node === stripCentred || !strip.clientWidth) return;
  stripCentred = node;
  strip.scrollLeft = present ? present.offsetLeft - strip.offsetLeft - strip.clientWidth / 2 : 0;
}

function stripItem(writer, id, isFirst) {
  const place = writer.place(id);
  const item = listItem("", "");
  if (isFirst || place % 2 === 0) {
    const sign = place % 2 ? "…" : ".";
    item.append(make("span", { className: "number", textContent: `${Math.floor(place / 2) + 1}${sign}` }));
  }
  item.append(writer.button(id));
  return item;
}

/* The last move, to be read out. */
function speakMove({ tree, node }) {
  if (!node) page("spoken").textContent = "";
  else page("spoken").textContent = `${tree.number(node)} ${tree.name(node, notation())}`;
}

watch("draw", () => {
  const { tree, node } = game.history;
  drawMoves(tree, notation(), goTo);
  markMoves(tree.line(node), node, cycleOf(told.ruling), told.ruling.evidence ?? []);
  drawStrip(game.history);
});
watch("answer", () => speakMove(game.history));
isUpright.addEventListener("change", () => drawStrip(game.history));
