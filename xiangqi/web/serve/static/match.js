/* Games between two players, people or engines, with or without clocks. `match` is the current or
 * last one:
 *   {settings, tree, node, players: {red, black}, clocks, result, reason}
 * `node` is its last position, which need not be the shown one. A player is {name, engine, level};
 * `engine` is empty for a person. */

import { attempt, callApi, newName } from "./requests.js";
import { page, setText, word } from "./page.js";
import { game, redraw, watch } from "./state.js";
import { beginGame, play, undo } from "./steps.js";
import { MoveTree } from "./tree.js";

const MAX_DRAW_CP = 15; // maximum evaluation at which an engine agrees to a draw
const DRAW_S = 0.3; // search time for a draw offer
const ENGINES_MS = 400; // minimum time of a move between engines without clocks
const LEVEL_MS = { least: 350, most: 1300, share: 0.02 }; // time of a level's move; share of its clock
const LOSS = { red: "0-1", black: "1-0" };

export let match = null;
let search = null; // running engine request: {name, control: AbortController, wake: end its pause}
let version = 0; // number of changes of the match, to drop outdated responses

export const isLive = () => match !== null && match.result === null;
export const sideToMove = () => (match.tree.position(match.node).turn === "w" ? "red" : "black");
export const isEngine = (side) => match.players[side].engine !== "";
export const personsSides = () => ["red", "black"].filter((side) => !isEngine(side));
export const isThinking = () => search !== null;

const requestAt = (node) => ({ fen: match.tree.fen, moves: match.tree.moves(match.tree.path(node)) });

/* Begin a match. `settings` are {fen, players, minutes, increment, seconds, turns}; `turns` turns
 * the board to the side to move. */
export function beginMatch(settings) {
  abandonMatch();
  const { fen, players, minutes, increment } = settings;
  const headers = { Red: players.red.name, Black: players.black.name, Date: today() };
  if (minutes) headers.TimeControl = `${Math.round(minutes * 60)}+${increment}`;
  const tree = new MoveTree({ fen, headers });
  const clocks = minutes ? new Clocks(minutes * 60_000, increment * 1000) : null;
  match = { settings, tree, node: 0, players, clocks, result: null, reason: "" };
  beginGame(tree, { engine: "nobody", flip: personsSides().join() === "black" });
  clocks?.start(sideToMove());
  proceed();
}

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

/* Go on after a move: end the game, or request an engine's move. */
function proceed() {
  const mine = ++version;
  abortSearch();
  if (match.settings.turns) game.flip = sideToMove() === "black";
  return attempt(async () => {
    const view = await (await callApi("position", requestAt(match.node))).json();
    if (mine !== version || !isLive()) return;
    if (view.outcome) finish(view.outcome.result, view.status, "");
    else if (isEngine(view.turn)) await requestMove(match.players[view.turn], mine);
  });
}

async function requestMove({ engine, level }, mine) {
  search = { name: newName(), control: new AbortController() };
  const time = match.clocks ? match.clocks.data() : { seconds: match.settings.seconds };
  const request = { ...requestAt(match.node), ...time, engine, search: search.name };
  if (level) request.level = level;
  redraw();
  try {
    const answering = callApi("engine", request, search.control.signal);
    const [answer] = await Promise.all([answering, pause(level)]);
    const found = await answer.json();
    if (mine !== version || !isLive()) return;
    search = null;
    if (found.move) playAtEnd(found.move);
  } catch (error) {
    if (mine !== version || error.name === "AbortError") return;
    search = null;
    match.clocks?.stop(); // until the user retries
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
  return match.clocks ? Math.min(wanted, share * match.clocks.remaining(sideToMove())) : wanted;
}

/* Play the engine's move in the match's last position, also while another one is shown. */
function playAtEnd(move) {
  if (game.history.tree !== match.tree) return;
  game.history.goTo(match.node);
  play(move, personsSides().length > 0);
}

/* Go on after `suspend` or an engine's failure. */
export function resume() {
  match.clocks?.start(sideToMove());
  proceed();
}

/* Data of the match for storage, with its tree's index in the history; null if there is none. */
export function matchData() {
  const tree = match ? game.history.trees.indexOf(match.tree) : -1;
  return tree < 0 ? null : { ...match, tree, clocks: match.clocks?.saved() ?? null };
}

/* Go on with a stored match, if the history has its tree. */
export function restoreMatch(data) {
  const tree = game.history.trees[data.tree];
  if (!tree?.nodes[data.node]) return;
  match = { ...data, tree, clocks: data.clocks && Clocks.from(data.clocks) };
  if (isLive()) resume();
  redraw();
}

/* Stop the clocks and the search while the page is hidden. */
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

/* End the match without a result, since another game is shown. */
function abandonMatch() {
  if (!isLive()) return;
  suspend();
  match.result = "*";
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

/* Offer an engine a draw; it agrees unless it is better. */
export async function offerDraw() {
  const mine = version;
  const side = ["red", "black"].find(isEngine);
  const request = { ...requestAt(match.node), seconds: DRAW_S, engine: match.players[side].engine };
  const found = await (await callApi("engine", request)).json();
  if (mine !== version || !isLive()) return;
  const score = sideToMove() === side ? found.score : -found.score;
  if (score <= MAX_DRAW_CP) agreeDraw();
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

/* Update the match when the shown position changes: a new move, or one taken back. */
function followPosition() {
  if (!isLive()) return;
  const { tree, node } = game.history;
  if (tree !== match.tree) abandonMatch();
  else if (match.node && !tree.isIn(match.node)) {
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

/* Clocks of both sides, of which at most one runs. Times are in milliseconds. */

export class Clocks {
  constructor(milliseconds, increment, now = () => performance.now()) {
    this.left = { red: milliseconds, black: milliseconds };
    this.increment = increment;
    this.now = now;
    this.running = null; // side whose clock runs
    this.since = 0;
  }

  remaining(side) {
    const used = this.running === side ? this.now() - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  start(side) {
    this.stop();
    this.running = side;
    this.since = this.now();
  }

  stop() {
    if (this.running) this.left[this.running] = this.remaining(this.running);
    this.running = null;
  }

  /* Press the clock after a move: add the increment and start the opponent's clock. */
  press() {
    const mover = this.running;
    if (!mover) return;
    this.stop();
    this.left[mover] += this.increment;
    this.start(mover === "red" ? "black" : "red");
  }

  /* Side that has run out of time, or null. */
  get expiredSide() {
    return this.running && this.remaining(this.running) <= 0 ? this.running : null;
  }

  /* Data for storage. See `from`. */
  saved() {
    return { red: this.remaining("red"), black: this.remaining("black"), increment: this.increment };
  }

  static from({ red, black, increment }) {
    return Object.assign(new Clocks(0, increment), { left: { red, black } });
  }

  /* Clock fields of an engine request. */
  data() {
    const [red, black] = [this.remaining("red"), this.remaining("black")];
    return {
      red_ms: Math.round(red), black_ms: Math.round(black),
      red_increment_ms: this.increment, black_increment_ms: this.increment,
    };
  }
}

/* Format a time: "1:02:03", "2:03", or tenths below ten seconds: "9.5". */
export function formatTime(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(left)}:${two(rest)}` : `${left}:${two(rest)}`;
}
