/* Move list: the main line in two columns, variations and comments below their moves. */

import { evaluationOf } from "./evaluations.js";
import { notation } from "./requests.js";
import { make, page } from "./page.js";
import { cycleOf } from "./referee.js";
import { goTo } from "./steps.js";
import { printMarks, readRemark } from "./tree.js";

let drawn = ""; // state of the drawn list
let drawnTree = null;
let centred = {}; // node to which the list was scrolled, and height and position of the list then

function drawMoves(tree, notation, onChoose) {
  const content = `${tree.version} ${notation}`;
  if (tree === drawnTree && content === drawn) return;
  if (tree !== drawnTree) centred = {};
  [drawnTree, drawn] = [tree, content];
  page("no-moves").hidden = tree.nodes[0].next.length > 0;
  page("moves").replaceChildren(...listItems(new MoveWriter(tree, notation, onChoose)));
}

function* listItems(writer) {
  const { tree } = writer;
  yield* commentItems(tree, 0);
  let needsNumber = true; // at the start, and after comments and variations
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

/* Variations of a main line move. */
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

  /* Number of plies before a node's move, by the FEN's move number. */
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
    button.textContent = node[this.notation] ?? node.move;
    const marks = printMarks(node.nags);
    if (marks) {
      const sign = make("span", { className: "sign", textContent: marks });
      sign.dataset.is = /^\?+$/.test(marks) ? "bad" : /^!+$/.test(marks) ? "good" : "";
      button.append(sign);
    }
    button.dataset.node = String(id);
    button.dataset.ply = String(this.place(id) + 1 - this.tree.offset);
    button.addEventListener("click", () => this.onChoose(id));
    return button;
  }

  /* Yield a variation with all nested ones: texts and buttons, separated by spaces. */
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

/* Mark the current move and the moves of the cycle; `cycle` has the first and last index in the
 * line, `moves` the moves of the cycle with their marks. */
function markMoves(state, line, node, cycle, moves) {
  const list = page("moves");
  const { nodes } = state.history.tree;
  const round = new Set(cycle ? line.slice(cycle[0], cycle[1] + 1) : []);
  const conducts = new Map(moves.flatMap(({ plies, mark, name }) => (
    plies.map((ply) => [line[ply], [mark, name]]))));
  for (const button of list.querySelectorAll("button")) {
    const id = Number(button.dataset.node);
    button.classList.toggle("cycle", round.has(id));
    markConduct(button, conducts.get(id));
    markEvaluation(button, state.isUnaided() ? null : evaluationOf(nodes[id]));
    markCurrent(button, id === node);
  }
  const height = list.clientHeight;
  const isSame = node === centred.node && height === centred.height;
  if (isSame || !height) return; // keep the user's scroll position
  centred.node = node;
  scrollToCurrent();
}

/* Scroll the list if the current move is not fully visible. */
function scrollToCurrent() {
  const list = page("moves");
  const current = list.querySelector("[aria-current]");
  const top = current ? current.offsetTop - list.offsetTop : 0;
  const end = current ? top + current.offsetHeight : 0;
  const isVisible = top >= list.scrollTop && end <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = (top + end - list.clientHeight) / 2;
  Object.assign(centred, { height: list.clientHeight, top: list.scrollTop });
}

function markCurrent(button, isCurrent) {
  if (isCurrent) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
}

function markConduct(button, conduct) {
  if (conduct?.[0] === button.dataset.conduct) return;
  if (conduct) [button.dataset.conduct, button.dataset.conductName] = conduct;
  else delete button.dataset.conduct;
}

function markEvaluation(button, known) {
  const text = known?.text;
  if (text === button.dataset.evaluation) return;
  if (text) button.dataset.evaluation = text;
  else delete button.dataset.evaluation;
}

/* The shown line in a single row, in portrait windows. */
const isUpright = matchMedia("(max-aspect-ratio: 1/1)");
let stripShown = "";
let stripCentred = null;

function drawStrip(state) {
  const { tree, node } = state.history;
  if (!isUpright.matches) return;
  const strip = page("strip");
  const line = tree.line(node);
  const content = `${tree.version} ${notation()} ${line}`;
  if (content !== stripShown) {
    stripShown = content;
    stripCentred = null;
    const writer = new MoveWriter(tree, notation(), (node) => goTo(state, node));
    strip.replaceChildren(...line.map((id, place) => stripItem(writer, id, place === 0)));
  }
  let current = null;
  for (const button of strip.querySelectorAll("button")) {
    const isCurrent = Number(button.dataset.node) === node;
    markCurrent(button, isCurrent);
    if (isCurrent) current = button;
  }
  if (node === stripCentred || !strip.clientWidth) return;
  stripCentred = node;
  strip.scrollLeft = current ? current.offsetLeft - strip.offsetLeft - strip.clientWidth / 2 : 0;
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

/* Announce the last move to screen readers. */
function speakMove({ tree, node }) {
  if (!node) page("spoken").textContent = "";
  else page("spoken").textContent = `${tree.number(node)} ${tree.name(node, notation())}`;
}

export function mount(state) {
  new ResizeObserver(() => {
    if (page("moves").scrollTop === centred.top) scrollToCurrent(); // else the user has scrolled
  }).observe(page("moves"));
  state.watch("draw", () => {
    const { tree, node } = state.history;
    drawMoves(tree, notation(), (node) => goTo(state, node));
    markMoves(state, tree.line(node), node, cycleOf(state.ruling), state.ruling.explanation?.moves ?? []);
    drawStrip(state);
  });
  state.watch("answer", () => speakMove(state.history));
  new ResizeObserver(() => {
    stripCentred = null;
    drawStrip(state);
  }).observe(page("strip"));
}
