/* Marks and comment of the present move, and the headers of the game: players, place, time,
 * result. */

import { demote, promote, remove, setDatum, SIGNS, toggleMark } from "./edits.js";
import { onKey } from "./keyboard.js";
import { all, makeButton, onClick, page, word } from "./page.js";
import { readRemark, withWords } from "./remarks.js";
import { game, presentNode, watch } from "./state.js";
import { annotate, edit } from "./steps.js";

let commented = null; // whose comment stands in the field: [tree, node, words]

function onMark(nag) {
  const { tree, node } = game.history;
  if (node) annotate(toggleMark(tree, node, nag));
}

/* A text belongs to the move that it was typed for, also when another one is shown now. */
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

/* Headers: players, place, time and result. */

const FIELDS = all("#headers [data-header]");

function onChange({ target }) {
  const { tree } = game.history;
  const { header } = target.dataset;
  const headers = { ...tree.headers };
  delete headers[header];
  const value = target.value.trim();
  if (value) headers[header] = value;
  const end = tree.line(0).at(-1) ?? 0; // a result is one of the main line as it is now
  annotate([
    ...setDatum(tree, null, "headers", headers),
    ...(header === "Result" ? setDatum(tree, null, "end", end) : []),
  ]);
}

/* The names stand at the board, each on its side. */
function drawNames() {
  const { headers } = game.history.tree;
  const names = { red: headers.Red || word("red"), black: headers.Black || word("black") };
  for (const [place, side] of [["upper", game.flip], ["lower", !game.flip]]) {
    const color = side ? "red" : "black";
    page(`${place}-name`).textContent = names[color];
    page(`${place}-name`).className = `name ${color}`;
  }
}

for (const field of FIELDS) field.addEventListener("change", onChange);
watch("draw", () => {
  drawNames();
  const { headers } = game.history.tree;
  for (const field of FIELDS) {
    if (field !== document.activeElement) field.value = headers[field.dataset.header] ?? "";
  }
});
