/* Games between two players, people or engines, with or without clocks. `match` is that of the game on
 * the board, null if it is none:
 *   {id, settings, tree, node, players: {red, black}, clocks, scores, result, reason}
 * `node` is its last position, which need not be the shown one. A player is {name, engine, level};
 * `engine` is empty for a person. `scores` are those of the engine's last moves, for itself. A match
 * waits while another game is on the board. */

import { Clocks } from "./clocks.js";
import { acceptsDraw } from "./draw_offers.js";
import { setText, word } from "./page.js";
import { enterPhase } from "./phases.js";
import { attempt, callApi, newName, persist } from "./requests.js";
import { game, redraw, watch } from "./state.js";
import { beginGame, play, undo } from "./steps.js";
import { MoveTree } from "./tree.js";

const DRAW_S = 0.3; // search time for a draw offer
const ENGINES_MS = 400; // minimum time of a move between engines without clocks
const LEVEL_MS = { least: 350, most: 1300, share: 0.02 }; // time of a level's move; share of its clock
const LOSS = { red: "0-1", black: "1-0" };

export let match = null;
const matches = new Map(); // by tree
let search = null; // running engine request: {name, control: AbortController, wake: end its pause}
let isLost = false; // is the connection lost?
let version = 0; // number of changes of the match, to drop outdated responses

export const isLive = () => match !== null && match.result === null;
export const sideToMove = () => (match.tree.position(match.node).turn === "w" ? "red" : "black");
export const isEngine = (side) => match.players[side].engine !== "";
export const personsSides = () => ["red", "black"].filter((side) => !isEngine(side));

/** State of the match on the board: who is to move, or why nothing happens.
 * @returns {"none" | "over" | "person" | "thinking" | "lost" | "failed"} */
export function matchState() {
  if (!match) return "none";
  if (match.result !== null) return "over";
  if (isLost) return "lost";
  if (!isEngine(sideToMove())) return "person";
  return match.isFailed ? "failed" : "thinking";
}

const requestAt = (node) => ({ fen: match.tree.fen, moves: match.tree.moves(match.tree.path(node)) });

/* Begin a match. `settings` are {fen, players, clock, seconds, turns}: `clock` are the rules of the
 * clocks or null, `turns` turns the board to the side to move. */
export function beginMatch(settings) {
  suspend();
  const { fen, players, clock } = settings;
  const headers = { Red: players.red.name, Black: players.black.name, Date: today() };
  if (clock) headers.TimeControl = timeControl(clock);
  const tree = new MoveTree({ fen, headers });
  const clocks = clock ? new Clocks(clock) : null;
  const id = newName();
  match = { id, settings, tree, node: 0, players, clocks, scores: [], result: null, reason: "" };
  admit(match);
  beginGame(tree, { engine: "nobody", flip: personsSides().join() === "black" });
  clocks?.start(sideToMove());
  proceed();
}

/* Add a match to those of the page. */
function admit(added) {
  matches.set(added.tree, added);
  enterPhase(added.tree, "match", () => added.node);
  if (added.result !== null) enterPhase(added.tree, "over");
}

/* Format the time of a side as PGN does: main time and increment, in seconds. */
const timeControl = ({ main, increment }) => `${Math.round(main / 1000)}+${increment / 1000}`;

function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join(".");
}

/* Begin the match again with sides swapped. */
export function rematch() {
  const { red, black } = match.players;
  beginMatch({ ...match.settings, players: { red: black, black: red } });
}

/* Go on after a move: end the game, or request an engine's move. Without a connection the clocks
 * stand, and the request is repeated. */
function proceed() {
  const mine = ++version;
  abortSearch();
  match.isFailed = false;
  if (match.settings.turns) game.flip = sideToMove() === "black";
  const isCurrent = () => mine === version && isLive();
  return attempt(() => persist(async () => {
    const view = await (await callApi("position", requestAt(match.node))).json();
    if (!isCurrent()) return;
    setLost(false);
    if (view.outcome) finish(view.outcome.result, view.status, "");
    else if (isEngine(view.turn)) await requestMove(match.players[view.turn], isCurrent);
  }, { isCurrent, onLost: () => setLost(true) }));
}

function setLost(isSo) {
  if (isSo === isLost) return;
  isLost = isSo;
  if (isSo) match.clocks?.stop();
  else match.clocks?.start(sideToMove());
  redraw();
}

async function requestMove({ engine, level }, isCurrent) {
  search = { name: newName(), control: new AbortController() };
  const time = match.clocks ? match.clocks.data() : { seconds: match.settings.seconds };
  const request = { ...requestAt(match.node), ...time, engine, search: search.name };
  if (level) request.level = level;
  redraw();
  try {
    const answering = callApi("engine", request, search.control.signal);
    const [answer] = await Promise.all([answering, pause(level)]);
    const found = await answer.json();
    if (!isCurrent()) return;
    search = null;
    match.scores.push(found.score);
    if (found.move) playAtEnd(found.move);
  } catch (error) {
    if (!isCurrent() || error.name === "AbortError") return;
    search = null;
    if (!error.isOffline) {
      match.isFailed = true;
      match.clocks?.stop(); // until the user retries
    }
    throw error;
  } finally {
    redraw();
  }
}

/* Wait for the minimum time of a move. */
function pause(level) {
  return new Promise((resolve) => {
    search.wake = resolve;
    setTimeout(resolve, pauseMs(level));
  });
}

/* Minimum time of a move: engines without clocks would be too fast to follow, and a level takes time
 * like a person, as far as its clock allows. */
function pauseMs(level) {
  if (!personsSides().length) return match.clocks ? 0 : ENGINES_MS;
  if (!level) return 0;
  const { least, most, share } = LEVEL_MS;
  const wanted = least + (most - least) * Math.random();
  return match.clocks ? Math.min(wanted, share * match.clocks.untilFlag(sideToMove())) : wanted;
}

/* Play the engine's move in the match's last position, also while another one is shown. */
function playAtEnd(move) {
  game.history.goTo(match.node);
  play(move, personsSides().length > 0);
}

/* Go on after `suspend`, an engine's failure or a lost connection. */
export function resume() {
  isLost = false;
  match.clocks?.start(sideToMove());
  proceed();
}

/* Data of a match for storage, without its tree. */
export function matchData({ id, settings, node, players, clocks, scores, result, reason }) {
  return { id, settings, node, players, clocks: clocks?.saved() ?? null, scores, result, reason };
}

/* Data of all matches that undo and redo can reach, with the indices of their trees. */
export function matchesData() {
  const { trees } = game.history;
  return trees.flatMap((tree, place) =>
    (matches.has(tree) ? [{ ...matchData(matches.get(tree)), tree: place }] : []));
}

/* Game of a match of this page, or undefined. */
export const treeOfMatch = (id) => [...matches.values()].find((one) => one.id === id)?.tree;

/* Take a stored match over; `tree` is its game. */
export function restoreMatch(data, tree) {
  if (!tree?.nodes[data.node]) return;
  admit({ ...data, tree, clocks: data.clocks && Clocks.from(data.clocks) });
  if (tree === game.history.tree) followPosition();
}

/* Stop the clocks and the search while the page is hidden, or another game is on the board. */
export function suspend() {
  if (!isLive()) return;
  version++;
  abortSearch();
  match.clocks?.stop();
}

function abortSearch() {
  search?.control.abort();
  search = null;
}

/* Make the engine play its best move so far. */
export function moveNow() {
  if (!search) return;
  search.wake();
  attempt(() => callApi("stop", { search: search.name }));
}

/* End the match: `reason` in words, `termination` for the PGN header. */
export function finish(result, reason, termination) {
  version++;
  abortSearch();
  match.clocks?.stop();
  const { tree } = match;
  const headers = { ...tree.headers, Result: result };
  if (termination) headers.Termination = termination;
  Object.assign(match, { result, reason });
  Object.assign(tree, { headers, end: tree.line(0).at(-1) ?? 0, version: tree.version + 1 });
  enterPhase(tree, "over");
  redraw();
}

export function resign() {
  const persons = personsSides();
  const loser = persons.length === 1 ? persons[0] : sideToMove();
  finish(LOSS[loser], word("matchResigned"), "resignation");
}

export function agreeDraw() {
  finish("1/2-1/2", word("matchAgreed"), "draw agreed");
}

/* Offer an engine a draw; it agrees if it is losing, or late in the game after some even moves. */
export async function offerDraw() {
  const mine = version;
  const side = ["red", "black"].find(isEngine);
  const request = { ...requestAt(match.node), seconds: DRAW_S, engine: match.players[side].engine };
  const found = await (await callApi("engine", request)).json();
  if (mine !== version || !isLive()) return;
  const score = sideToMove() === side ? found.score : -found.score;
  const round = Math.floor((match.tree.path(match.node).length + match.tree.offset) / 2) + 1;
  if (acceptsDraw([...match.scores, score], round)) agreeDraw();
  else setText("match-note", word("matchDeclined"));
}

/* Take back the last move, and the engine's reply with it. */
export function takeBack() {
  abortSearch();
  game.history.goTo(match.node);
  undo();
}

function checkFlag() {
  const side = isLive() ? match.clocks?.expiredSide : null;
  if (side) finish(LOSS[side], word("matchTime"), "time forfeit");
}

/* Update the match when the shown position changes: another game, a new move, or one taken back. */
function followPosition() {
  const { tree, node } = game.history;
  if (tree !== match?.tree) {
    suspend();
    isLost = false;
    match = matches.get(tree) ?? null;
    if (isLive()) resume();
  }
  if (!isLive()) return;
  if (match.node && !tree.isIn(match.node)) {
    match.node = node;
    match.clocks?.start(sideToMove());
    proceed();
  } else if (node && tree.nodes[node].parent === match.node) {
    match.node = node;
    match.clocks?.press();
    proceed();
  }
}

watch("position", followPosition);
setInterval(checkFlag, 50);
