/* Stepping through the game, playing moves, and opening games. */

import { attempt, callApi } from "./requests.js";
import { GameHistory } from "./history.js";
import { page, setText, word } from "./page.js";
import { placeOfPlay } from "./phases.js";
import { reach } from "./reach.js";
import { currentMoves, described, game, redraw, update } from "./state.js";
import { MoveTree } from "./tree.js";

export function goTo(node) {
  if (node === undefined || node === game.history.node) return;
  game.history.goTo(node);
  update();
}

/* Show the position in which the ruling on the shown line fell. */
export function goToRuling() {
  const { tree, node } = game.history;
  goTo([0, ...tree.line(node)][described.ruling.ply]);
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

export function step(where) {
  goTo(STEPPING[where](game.history));
}

export function play(move, isReply = false) {
  game.history.play(move, isReply);
  update({ allowsReply: true });
}

export function undo() {
  game.history.undo();
  update();
}

export function redo() {
  game.history.redo();
  update();
}

/* Apply changes (see tree.js) of the lines. */
export function edit(changes, node) {
  game.history.edit(changes, node);
  update();
}

/* Apply changes of comments, marks or headers, which keep position and lines. */
export function annotate(changes) {
  game.history.edit(changes);
  redraw();
}

/* Show the node where play goes on, if another one is shown; returns whether it was. */
export function returnToPlay() {
  const place = placeOfPlay();
  if (place === undefined || place === game.history.node) return false;
  goTo(place);
  return true;
}

export async function typeMove(text) {
  if (returnToPlay()) throw new Error(word("matchHere"));
  const found = await (await callApi("move", { ...currentMoves(), text })).json();
  play(found.move);
}

/* Begin another game; undo restores the previous one. */
export function beginGame(tree, changes = {}) {
  setText("thought", "");
  game.history.begin(tree, tree.end);
  Object.assign(game, changes);
  update();
}

export function newGame() {
  beginGame(new MoveTree({ fen: word("start") }));
}

export async function setUp(fen) {
  const position = await (await callApi("position", { fen })).json();
  beginGame(new MoveTree({ fen: position.fen }));
}

export async function readGame(text) {
  setText("error", "");
  const found = await (await callApi("parse", { text })).json();
  loadGame(found);
  return found;
}

/* Begin a game that the server has parsed. */
export function loadGame(found) {
  beginGame(new MoveTree(found), { engine: "nobody", ...rulesOf(found) });
  const remarks = found.errors.concat(found.more ? [word("moreGames")] : []);
  if (remarks.length) setText("error", remarks.join("\n"));
}

/* Fetch a game of an open file and begin it. */
export async function fetchGame(place) {
  const answer = await reach(`games/${place}.json`);
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  const [file] = place.split("/");
  const found = await answer.json();
  beginGame(new MoveTree({ ...found, file }), { engine: "nobody", ...rulesOf(found) });
}

/* Rule set named in a game's headers, if the page knows it. */
function rulesOf({ headers }) {
  const isKnown = [...page("rules").options].some(({ value }) => value === headers.Rules);
  return isKnown ? { rules: headers.Rules } : {};
}

/* Start with the stored game, or a new one. */
export function startGame(kept) {
  const { start, rules } = page("game").dataset;
  const fresh = new GameHistory(new MoveTree({ fen: start }));
  Object.assign(game, { history: fresh, rules }, kept);
  page("rules").value = game.rules;
  game.rules = page("rules").value || rules;
  update();
}

/* Open the game named in the address by a link from a file's page. */
export function followAddress() {
  const place = new URLSearchParams(location.search).get("game");
  if (!place) return;
  history.replaceState(null, "", `?lang=${document.documentElement.lang}`);
  attempt(() => fetchGame(place));
}
