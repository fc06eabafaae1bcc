/* Games between two players, people or engines, with or without clocks. `state.match` is that of the
 * game on the board; a match waits while another game is there. */

import { Clocks } from "./clocks.js";
import { acceptsDraw } from "./draw_offers.js";
import { setText, word } from "./page.js";
import { attempt, callApi, newName, persist } from "./requests.js";
import { beginGame, play, undo } from "./steps.js";
import { MoveTree } from "./tree.js";

const DRAW_S = 0.3; // search time for a draw offer
const ENGINES_MS = 400; // minimum time of a move between engines without clocks
const LEVEL_MS = { least: 350, most: 1300, share: 0.02 }; // time of a level's move; share of its clock
const LOSS = { red: "0-1", black: "1-0" };

const matches = new Map(); // by tree
let search = null; // running engine request: {name, control: AbortController, wake: end its pause}
let isLost = false; // is the connection lost?
let version = 0; // number of changes of the match, to drop outdated responses

export const isLive = (match) => match !== null && match.result === null;
export const sideToMove = ({ tree, node }) => (tree.position(node).turn === "w" ? "red" : "black");
export const isEngine = ({ players }, side) => players[side].engine !== "";
export const personsSides = (match) => ["red", "black"].filter((side) => !isEngine(match, side));

/** Name the player to move in the match on the board, or why nothing happens.
 * @returns {"none" | "over" | "person" | "thinking" | "lost" | "failed"} */
export function matchState(state) {
  const { match } = state;
  if (!match) return "none";
  if (match.result !== null) return "over";
  if (isLost) return "lost";
  if (!isEngine(match, sideToMove(match))) return "person";
  return match.isFailed ? "failed" : "thinking";
}

/* The last position of a match as the fields of a request. */
const lastMoves = ({ tree, node }) => ({ fen: tree.fen, moves: tree.moves(tree.path(node)) });

/* Begin a match. `settings` are {fen, players, clock, seconds, turns}: `clock` are the rules of the
 * clocks or null, `turns` turns the board to the side to move. */
export function beginMatch(state, settings) {
  suspend(state);
  const { fen, players, clock } = settings;
  const headers = { Red: players.red.name, Black: players.black.name, Date: today() };
  if (clock) headers.TimeControl = timeControl(clock);
  const tree = new MoveTree({ fen, headers });
  const clocks = clock ? new Clocks(clock) : null;
  const id = newName();
  state.match = { id, settings, tree, node: 0, players, clocks, scores: [], result: null, reason: "" };
  admit(state, state.match);
  beginGame(state, tree, { engine: "nobody", flip: personsSides(state.match).join() === "black" });
  clocks?.start(sideToMove(state.match));
  proceed(state);
}

/* Add a match to those of the page. */
function admit(state, added) {
  matches.set(added.tree, added);
  if (added.clocks) added.clocks.onTick = () => tick(state);
  state.enterPhase(added.tree, "match", () => added.node);
  if (added.result !== null) state.enterPhase(added.tree, "over");
}

/* Format the time of a side as PGN does: main time and increment, in seconds. */
const timeControl = ({ main, increment }) => `${Math.round(main / 1000)}+${increment / 1000}`;

function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join(".");
}

/* Begin the match again with sides swapped. */
export function rematch(state) {
  const { match } = state;
  const { red, black } = match.players;
  beginMatch(state, { ...match.settings, players: { red: black, black: red } });
}

/* Go on after a move: end the game, or request an engine's move. Without a connection the clocks
 * stand, and the request is repeated. */
function proceed(state) {
  const { match } = state;
  const mine = ++version;
  abortSearch();
  match.isFailed = false;
  if (match.settings.turns) state.flip = sideToMove(match) === "black";
  const isCurrent = () => mine === version && isLive(match);
  return attempt(() => persist(async () => {
    const view = await (await callApi(state, "position", lastMoves(match))).json();
    if (!isCurrent()) return;
    setLost(state, false);
    if (view.outcome) finish(state, view.outcome.result, view.status, "");
    else if (isEngine(match, view.turn)) await requestMove(state, match.players[view.turn], isCurrent);
  }, { isCurrent, onLost: () => setLost(state, true) }));
}

function setLost(state, isSo) {
  const { match } = state;
  if (isSo === isLost) return;
  isLost = isSo;
  if (isSo) match.clocks?.stop();
  else match.clocks?.start(sideToMove(match));
  state.redraw();
}

async function requestMove(state, { engine, level }, isCurrent) {
  const { match } = state;
  search = { name: newName(), control: new AbortController() };
  const time = match.clocks ? match.clocks.data() : { seconds: match.settings.seconds };
  const chosen = level ? { engine, level } : { engine };
  const request = { ...lastMoves(match), ...time, ...chosen, search: search.name };
  state.redraw();
  try {
    const answering = callApi(state, "engine", request, search.control.signal);
    const [answer] = await Promise.all([answering, pause(state, level)]);
    const found = await answer.json();
    if (!isCurrent()) return;
    search = null;
    match.scores.push(found.score);
    if (found.move) playAtEnd(state, found.move);
  } catch (error) {
    if (!isCurrent() || error.name === "AbortError") return;
    search = null;
    if (!error.isOffline) {
      match.isFailed = true;
      match.clocks?.stop(); // until the user retries
    }
    throw error;
  } finally {
    state.redraw();
  }
}

/* Wait for the minimum time of a move. */
function pause(state, level) {
  return new Promise((resolve) => {
    search.wake = resolve;
    setTimeout(resolve, pauseMs(state, level));
  });
}

/* Minimum time of a move: engines without clocks would be too fast to follow, and a level takes time
 * like a person, as far as its clock allows. */
function pauseMs(state, level) {
  const { match } = state;
  if (!personsSides(match).length) return match.clocks ? 0 : ENGINES_MS;
  if (!level) return 0;
  const { least, most, share } = LEVEL_MS;
  const wanted = least + (most - least) * Math.random();
  return match.clocks ? Math.min(wanted, share * match.clocks.untilFlag(sideToMove(match))) : wanted;
}

/* Play the engine's move in the match's last position, also while another one is shown. */
function playAtEnd(state, move) {
  const { match } = state;
  state.history.goTo(match.node);
  play(state, move, personsSides(match).length > 0);
}

/* Go on after `suspend`, an engine's failure or a lost connection. */
export function resume(state) {
  const { match } = state;
  isLost = false;
  match.clocks?.start(sideToMove(match));
  proceed(state);
}

/* Data of a match for storage, without its tree. */
export function matchData({ id, settings, node, players, clocks, scores, result, reason }) {
  return { id, settings, node, players, clocks: clocks?.saved() ?? null, scores, result, reason };
}

/* Data of all matches that undo and redo can reach, with the indices of their trees. */
export function matchesData(state) {
  const { trees } = state.history;
  return trees.flatMap((tree, place) =>
    (matches.has(tree) ? [{ ...matchData(matches.get(tree)), tree: place }] : []));
}

/* Game of a match of this page, or undefined. */
export const treeOfMatch = (id) => [...matches.values()].find((one) => one.id === id)?.tree;

/* Take a stored match over; `tree` is its game. */
export function restoreMatch(state, data, tree) {
  if (!tree?.nodes[data.node]) return;
  admit(state, { ...data, tree, clocks: data.clocks && Clocks.from(data.clocks) });
  if (tree === state.history.tree) followPosition(state);
}

/* Stop the clocks and the search while the page is hidden, or another game is on the board. */
export function suspend(state) {
  if (!isLive(state.match)) return;
  version++;
  abortSearch();
  state.match.clocks?.stop();
}

function abortSearch() {
  search?.control.abort();
  search = null;
}

/* Make the engine play its best move so far. */
export function moveNow(state) {
  if (!search) return;
  search.wake();
  attempt(() => callApi(state, "stop", { search: search.name }));
}

/* End the match: `reason` in words, `termination` for the PGN header. */
export function finish(state, result, reason, termination) {
  version++;
  abortSearch();
  state.match.clocks?.stop();
  const { tree } = state.match;
  const why = termination ? { Termination: termination } : {};
  const headers = { ...tree.headers, Result: result, ...why };
  Object.assign(state.match, { result, reason });
  Object.assign(tree, { headers, end: tree.line(0).at(-1) ?? 0, version: tree.version + 1 });
  state.enterPhase(tree, "over");
  state.redraw();
}

export function resign(state) {
  const { match } = state;
  const persons = personsSides(match);
  const loser = persons.length === 1 ? persons[0] : sideToMove(match);
  finish(state, LOSS[loser], word("matchResigned"), "resignation");
}

export function agreeDraw(state) {
  finish(state, "1/2-1/2", word("matchAgreed"), "draw agreed");
}

/* Offer an engine a draw; it agrees if it is losing, or late in the game after some even moves. */
export async function offerDraw(state) {
  const { match } = state;
  const mine = version;
  const side = ["red", "black"].find((side) => isEngine(match, side));
  const request = { ...lastMoves(match), seconds: DRAW_S, engine: match.players[side].engine };
  const found = await (await callApi(state, "engine", request)).json();
  if (mine !== version || !isLive(match)) return;
  const score = sideToMove(match) === side ? found.score : -found.score;
  const round = Math.floor((match.tree.path(match.node).length + match.tree.offset) / 2) + 1;
  if (acceptsDraw([...match.scores, score], round)) agreeDraw(state);
  else setText("match-note", word("matchDeclined"));
}

/* Take back the last move, and the engine's reply with it. */
export function takeBack(state) {
  abortSearch();
  state.history.goTo(state.match.node);
  undo(state);
}

/* While a clock runs: report it, and end the match if its flag has fallen. */
function tick(state) {
  state.notify("tick");
  const side = state.match.clocks.expiredSide;
  if (side) finish(state, LOSS[side], word("matchTime"), "time forfeit");
}

/* Update the match when the shown position changes: another game, a new move, or one taken back. */
function followPosition(state) {
  const { tree, node } = state.history;
  if (tree !== state.match?.tree) {
    suspend(state);
    isLost = false;
    state.match = matches.get(tree) ?? null;
    if (isLive(state.match)) resume(state);
  }
  const { match } = state;
  if (!isLive(match)) return;
  if (match.node && !tree.isIn(match.node)) {
    match.node = node;
    match.clocks?.start(sideToMove(match));
    proceed(state);
  } else if (node && tree.nodes[node].parent === match.node) {
    match.node = node;
    match.clocks?.press();
    proceed(state);
  }
}

export function mount(state) {
  state.watch("position", () => followPosition(state));
}
