/* Marks and comment of the current move, and the order of its variations. */

import { onKey } from "./keys.js";
import { makeButton, onClick, page, word } from "./page.js";
import { annotate, edit } from "./steps.js";
import {
  demote, promote, readRemark, remove, setDatum, SIGNS, toggleMark, withWords,
} from "./tree.js";

let commented = null; // comment in the field: [tree, node, words]

function onMark(state, nag) {
  const { tree, node } = state.history;
  if (node) annotate(state, toggleMark(tree, node, nag));
}

/* Save the typed comment to its move, which need not be the current one any more. */
function keepComment(state) {
  if (!commented) return;
  const [tree, node, words] = commented;
  const typed = page("comment").value.trim();
  if (typed === words) return;
  commented[2] = typed;
  if (tree !== state.history.tree) return;
  annotate(state, setDatum(tree, node, "comment", withWords(tree.nodes[node].comment, typed)));
}

function drawComment(state) {
  const { tree, node } = state.history;
  const { words } = readRemark(state.currentNode().comment);
  const isSame = commented?.[0] === tree && commented[1] === node && commented[2] === words;
  if (isSame) return;
  commented = [tree, node, words];
  page("comment").value = words;
}

function onLine(state, change) {
  const { tree, node } = state.history;
  edit(state, change(tree, node));
}

export function mount(state) {
  for (const [nag, sign] of SIGNS) {
    const name = `${word("mark")} ${sign}`;
    const button = makeButton(sign, () => onMark(state, nag), { title: name, ariaLabel: name });
    button.dataset.nag = nag;
    page("marks").append(button);
  }
  page("comment").addEventListener("change", () => keepComment(state));
  onKey("c", () => page("comment").focus());
  page("comment").addEventListener("keydown", (event) => {
    if (event.key === "Escape") page("comment").blur();
  });
  onClick("promote", () => onLine(state, promote));
  onClick("demote", () => onLine(state, demote));
  onClick("delete", () => {
    const { tree, node } = state.history;
    edit(state, remove(tree, node), tree.nodes[node].parent);
  });
  state.watch("position", () => keepComment(state));
  state.watch("draw", () => {
    const { tree, node } = state.history;
    drawComment(state);
    for (const button of page("marks").children) {
      const isSet = state.currentNode().nags?.includes(Number(button.dataset.nag)) ?? false;
      button.setAttribute("aria-pressed", isSet);
      button.disabled = !node;
    }
    page("promote").disabled = !promote(tree, node).length;
    page("demote").disabled = !demote(tree, node).length;
    page("delete").disabled = !node;
  });
}
