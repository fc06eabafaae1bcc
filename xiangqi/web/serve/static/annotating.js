/* What is said about the present move: its marks and its comment; and where its line stands. */

import { demote, promote, remove, setDatum, SIGNS, toggleMark } from "./edits.js";
import { onKey } from "./keyboard.js";
import { makeButton, onClick, page, word } from "./page.js";
import { game, presentNode, watch } from "./state.js";
import { readRemark, withWords } from "./remarks.js";
import { annotate, edit } from "./steps.js";

let commented = null; // whose comment stands in the field: [tree, node, words]

function onMark(nag) {
  const { tree, node } = game.history;
  if (node) annotate(toggleMark(tree, node, nag));
}

/* What was typed belongs to the move that it was typed for, also when another one is shown now. */
export function keepComment() {
  if (!commented) return;
  const [tree, node, words] = commented;
  const typed = page("comment").value.trim();
  if (typed === words) return;
  commented[2] = typed;
  if (tree !== game.history.tree) return;
  annotate(setDatum(tree, node, "comment", withWords(tree.nodes[node].comment, typed)));
}

function drawComment() {
  const { tree, node } = game.history;
  const { words } = readRemark(presentNode().comment);
  const isSame = commented?.[0] === tree && commented[1] === node && commented[2] === words;
  if (isSame) return;
  commented = [tree, node, words];
  page("comment").value = words;
}

function onLine(change) {
  const { tree, node } = game.history;
  edit(change(tree, node));
}

for (const [nag, sign] of SIGNS) {
  const name = `${word("mark")} ${sign}`;
  const button = makeButton(sign, () => onMark(nag), { title: name, ariaLabel: name });
  button.dataset.nag = nag;
  page("marks").append(button);
}
page("comment").addEventListener("change", keepComment);
onKey("c", () => page("comment").focus());
page("comment").addEventListener("keydown", (event) => {
  if (event.key === "Escape") page("comment").blur();
});
onClick("promote", () => onLine(promote));
onClick("demote", () => onLine(demote));
onClick("delete", () => {
  const { tree, node } = game.history;
  edit(remove(tree, node), tree.nodes[node].parent);
});
watch("position", keepComment);
watch("draw", () => {
  const { tree, node } = game.history;
  drawComment();
  for (const button of page("marks").children) {
    const isSet = presentNode().nags?.includes(Number(button.dataset.nag)) ?? false;
    button.setAttribute("aria-pressed", isSet);
    button.disabled = !node;
  }
  page("promote").disabled = !promote(tree, node).length;
  page("demote").disabled = !demote(tree, node).length;
  page("delete").disabled = !node;
});
