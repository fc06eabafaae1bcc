/* Stepping through the game, and changing it. */

import { ask, attempt } from "./asking.js";
import { GameHistory } from "./history.js";
import { page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { game, presentMoves, redraw, update } from "./state.js";
import { MoveTree } from "./tree.js";

export function goTo(node) {
  if (node === undefined || node === game.history.node) return;
  game.history.goTo(node);
  update();
}

export const STEPPING = {
  first: () => 0,
  previous: ({ tree, node }) => tree.nodes[node].parent,
  next: ({ tree, node }) => tree.nodes[node].next[0],
  last: ({ tree, node }) => tree.line(node).at(-1),
  above: (place) => sibling(place, -1),
  below: (place) => sibling(place, 1),
};

/* Variations. */
function sibling({ tree, node }, step) {
  const siblings = node ? tree.nodes[tree.nodes[node].parent].next : [];
  return siblings[siblings.indexOf(node) + step];
}

export function step(where) {
  goTo(STEPPING[where](game.history));
}

export function play(move, isAnswer = false) {
  game.history.play(move, isAnswer);
  update({ wakes: true });
}

export function undo() {
  game.history.undo();
  update();
}

export function redo() {
  game.history.redo();
  update();
}

/* Change the lines of the tree by changes as tree.js makes them. */
export function edit(changes, node) {
  game.history.edit(changes, node);
  update();
}

/* Change what is said of the game and its moves: position and lines stay as they are. */
export function annotate(changes) {
  game.history.edit(changes);
  redraw();
}

export async function typeMove(text) {
  const found = await (await ask("move", { ...presentMoves(), text })).json();
  play(found.move);
}

/* Begin another game; the one before can be had back. */
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
  const position = await (await ask("position", { fen })).json();
  beginGame(new MoveTree({ fen: position.fen }));
}

export async function readGame(text) {
  setText("error", "");
  const found = await (await ask("parse", { text })).json();
  takeGame(found);
  return found;
}

/* Show a game that the server has read. */
export function takeGame(found) {
  beginGame(new MoveTree(found), { engine: "nobody", ...rulesOf(found) });
  const remarks = found.errors.concat(found.more ? [word("moreGames")] : []);
  if (remarks.length) setText("error", remarks.join("\n"));
}

/* Take over a game of a file from its page, whose address is in that of this one. */
export async function fetchGame(place) {
  const answer = await reach(`games/${place}.json`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  const [file] = place.split("/");
  const found = await answer.json();
  beginGame(new MoveTree({ ...found, file }), { engine: "nobody", ...rulesOf(found) });
}

/* The rules that a game's headers name, where the page has them to choose. */
function rulesOf({ headers }) {
  const isKnown = [...page("rules").options].some(({ value }) => value === headers.Rules);
  return isKnown ? { rules: headers.Rules } : {};
}

/* The game that is there when the page is opened: the one that was kept, or a new one. */
export function startGame(kept) {
  const { start, rules } = page("game").dataset;
  const fresh = new GameHistory(new MoveTree({ fen: start }));
  Object.assign(game, { history: fresh, rules }, kept);
  page("rules").value = game.rules;
  game.rules = page("rules").value || rules;
  update();
}

/* A page of a file sends its game here by this one's address. */
export function followAddress() {
  const place = new URLSearchParams(location.search).get("game");
  if (!place) return;
  history.replaceState(null, "", `?lang=${document.documentElement.lang}`);
  attempt(() => fetchGame(place));
}
