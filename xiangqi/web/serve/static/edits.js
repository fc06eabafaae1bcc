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
