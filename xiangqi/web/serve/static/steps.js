/* Stepping through the game, playing moves, and opening games. */

import { attempt, callApi } from "./requests.js";
import { GameHistory } from "./history.js";
import { page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { MoveTree } from "./tree.js";

/* Show a node, if the game has it: a list may still be that of another game for a frame. */
export function goTo(state, node) {
  const { history } = state;
  if (!history.tree.nodes[node] || node === history.node) return;
  history.goTo(node);
  state.update();
}

/* Show the position in which the ruling on the shown line fell. */
export function goToRuling(state) {
  const { tree, node } = state.history;
  goTo(state, [0, ...tree.line(node)][state.ruling.ply]);
}

export const STEPPING = {
  first: () => 0,
  previous: ({ tree, node }) => tree.nodes[node].parent,
  next: ({ tree, node }) => tree.nodes[node].next[0],
  last: ({ tree, node }) => tree.line(node).at(-1),
  above: (place) => sibling(place, -1),
  below: (place) => sibling(place, 1),
};

/* Another variation: a sibling of the current node. */
function sibling({ tree, node }, step) {
  const siblings = node ? tree.nodes[tree.nodes[node].parent].next : [];
  return siblings[siblings.indexOf(node) + step];
}

export function step(state, where) {
  goTo(state, STEPPING[where](state.history));
}

export function play(state, move, isReply = false) {
  state.history.play(move, isReply);
  state.update({ allowsReply: true });
}

/* Play moves that are listed for a position, unless another one is shown by now: a list stays until the
 * server has described the next position. */
export function playListed(state, { tree, node }, moves) {
  if (state.history.tree !== tree || state.history.node !== node) return;
  for (const move of moves) play(state, move);
}

export function undo(state) {
  state.history.undo();
  state.update();
}

export function redo(state) {
  state.history.redo();
  state.update();
}

/** Apply changes (see tree.js) of the lines.
 * @param {number} [node]  the node to show */
export function edit(state, changes, node) {
  state.history.edit(changes, node);
  state.update();
}

/* Apply changes of comments, marks or headers, which keep position and lines. */
export function annotate(state, changes) {
  state.history.edit(changes);
  state.redraw();
}

/* Show the node where play goes on, if another one is shown; returns whether it was. */
export function returnToPlay(state) {
  const place = state.placeOfPlay();
  if (place === undefined || place === state.history.node) return false;
  goTo(state, place);
  return true;
}

export async function typeMove(state, text) {
  if (returnToPlay(state)) throw new Error(word("matchHere"));
  const found = await (await callApi(state, "move", { ...state.currentMoves(), text })).json();
  play(state, found.move);
}

/* Begin another game; undo restores the previous one. */
export function beginGame(state, tree, changes = {}) {
  setText("thought", "");
  state.history.begin(tree, tree.end);
  Object.assign(state, changes);
  state.update();
}

export function newGame(state) {
  beginGame(state, new MoveTree({ fen: word("start") }));
}

export async function setUp(state, fen) {
  const position = await (await callApi(state, "position", { fen })).json();
  beginGame(state, new MoveTree({ fen: position.fen }));
}

export async function readGame(state, text) {
  setText("error", "");
  const found = await (await callApi(state, "parse", { text })).json();
  loadGame(state, found);
  return found;
}

/* Begin a game that the server has parsed. */
export function loadGame(state, found) {
  beginGame(state, new MoveTree(found), { engine: "nobody", ...rulesOf(found) });
  const remarks = found.errors.concat(found.more ? [word("moreGames")] : []);
  if (remarks.length) setText("error", remarks.join("\n"));
}

/* Fetch a game of an open file and begin it. */
export async function fetchGame(state, place) {
  const answer = await reach(`games/${place}.json`);
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  const [file] = place.split("/");
  const found = await answer.json();
  beginGame(state, new MoveTree({ ...found, file }), { engine: "nobody", ...rulesOf(found) });
}

/* Rule set named in a game's headers, if the page knows it. */
function rulesOf({ headers }) {
  const isKnown = [...page("rules").options].some(({ value }) => value === headers.Rules);
  return isKnown ? { rules: headers.Rules } : {};
}

/* Start with the stored game, or a new one. */
export function startGame(state, kept) {
  const { start, rules } = page("game").dataset;
  const fresh = new GameHistory(new MoveTree({ fen: start }));
  Object.assign(state, { history: fresh, rules }, kept);
  page("rules").value = state.rules;
  state.rules = page("rules").value || rules;
  state.update();
}

/* Open the game named in the address by a link from a file's page. */
export function followAddress(state) {
  const place = new URLSearchParams(location.search).get("game");
  if (!place) return;
  history.replaceState(null, "", `?lang=${document.documentElement.lang}`);
  attempt(() => fetchGame(state, place));
}
