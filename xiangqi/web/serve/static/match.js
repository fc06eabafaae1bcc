/* A game between two players, people or engines, by the clock or without: who moves, what the
 * clocks say, and how it ends. `match` is the one that is played, or was played last:
 *   {settings, tree, node, players: {red, black}, clocks, result, reason}
 * `node` is its position, whatever position is shown. A player is {name, engine, level}, where a
 * person has no engine. */

import { ask, attempt, newName } from "./asking.js";
import { page, setText, word } from "./page.js";
import { game, redraw, watch } from "./state.js";
import { beginGame, play, undo } from "./steps.js";
import { MoveTree } from "./tree.js";

const EVEN = 15; // centipawns by which an engine may be better and still agree to a draw
const GLANCE = 0.3; // seconds that an engine thinks about an offer
const LOOK = 400; // milliseconds for a position between engines, so that one can look on
const THOUGHT = { least: 350, most: 1300, share: 0.02 }; // of a level against a person, of its clock
const LOSS = { red: "0-1", black: "1-0" };

export let match = null;
let search = null; // the question to an engine that goes on: name, what breaks it off, ends its pause
let turn = 0; // grows with every move of the match: answers to older questions are dropped

export const isLive = () => match !== null && match.result === null;
export const sideToMove = () => (match.tree.position(match.node).turn === "w" ? "red" : "black");
export const isEngine = (side) => match.players[side].engine !== "";
export const personsSides = () => ["red", "black"].filter((side) => !isEngine(side));
export const isThinking = () => search !== null;

const questionAt = (node) => ({ fen: match.tree.fen, moves: match.tree.moves(match.tree.path(node)) });

/* Begin: `settings` are {fen, players, minutes, increment, seconds, turns}, where `turns` has the
 * board turned to the side to move. */
export function beginMatch(settings) {
  leave();
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

/* The same again, with the sides changed. */
export function rematch() {
  const { red, black } = match.players;
  beginMatch({ ...match.settings, players: { red: black, black: red } });
}

/* After a move: has the game ended, and does an engine move? */
function proceed() {
  const mine = ++turn;
  breakOff();
  if (match.settings.turns) game.flip = sideToMove() === "black";
  return attempt(async () => {
    const view = await (await ask("position", questionAt(match.node))).json();
    if (mine !== turn || !isLive()) return;
    if (view.outcome) finish(view.outcome.result, view.status, "");
    else if (isEngine(view.turn)) await askEngine(match.players[view.turn], mine);
  });
}

async function askEngine({ engine, level }, mine) {
  search = { name: newName(), control: new AbortController() };
  const time = match.clocks ? match.clocks.data() : { seconds: match.settings.seconds };
  const question = { ...questionAt(match.node), ...time, engine, search: search.name };
  if (level) question.level = level;
  redraw();
  try {
    const [answer] = await Promise.all([ask("engine", question, search.control.signal), pause(level)]);
    const found = await answer.json();
    if (mine !== turn || !isLive()) return;
    search = null;
    if (found.move) playAtEnd(found.move);
  } catch (error) {
    if (mine !== turn || error.name === "AbortError") return;
    search = null;
    match.clocks?.stop(); // it is nobody's fault: the button requests again
    throw error;
  } finally {
    redraw();
  }
}

/* Minimum time of a move. Engines that play each other without clocks would be over before one has
 * seen it; a level that plays a person takes a person's time, as far as its clock allows. */
function pause(level) {
  return new Promise((resolve) => {
    search.wake = resolve;
    setTimeout(resolve, pauseMs(level));
  });
}

function pauseMs(level) {
  if (!personsSides().length) return match.clocks ? 0 : LOOK;
  if (!level) return 0;
  const { least, most, share } = THOUGHT;
  const wanted = least + (most - least) * Math.random();
  return match.clocks ? Math.min(wanted, share * match.clocks.remaining(sideToMove())) : wanted;
}

/* Play the engine's move where the game stands, also when another position is shown. */
function playAtEnd(move) {
  if (game.history.tree !== match.tree) return;
  game.history.goTo(match.node);
  play(move, personsSides().length > 0);
}

export function askAgain() {
  match.clocks?.start(sideToMove());
  proceed();
}

/* The match as data, with its tree by the number among those of the history; null if there is none
 * to go on with. */
export function matchData() {
  const tree = match ? game.history.trees.indexOf(match.tree) : -1;
  return tree < 0 ? null : { ...match, tree, clocks: match.clocks?.kept() ?? null };
}

/* Go on with a match that was kept as data, if the history is still the one with its tree. */
export function takeUp(data) {
  const tree = game.history.trees[data.tree];
  if (!tree?.nodes[data.node]) return;
  match = { ...data, tree, clocks: data.clocks && Clocks.from(data.clocks) };
  if (isLive()) askAgain();
  redraw();
}

/* Nobody is at the page: the clocks stand, and nobody thinks. */
export function interrupt() {
  if (!isLive()) return;
  turn++;
  breakOff();
  match.clocks?.stop();
}

function breakOff() {
  search?.control.abort();
  search = null;
}

/* Let the engine play what it has found so far. */
export function hurry() {
  if (!search) return;
  search.wake();
  attempt(() => ask("stop", { search: search.name }));
}

/* Another game is shown: this one is over, without a result. */
function leave() {
  if (!isLive()) return;
  turn++;
  breakOff();
  match.clocks?.stop();
  match.result = "*";
}

/* It ends: `reason` in words, `termination` as in a header of PGN. */
export function finish(result, reason, termination) {
  turn++;
  breakOff();
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

export function agree() {
  finish("1/2-1/2", word("matchAgreed"), "draw agreed");
}

/* Offer an engine a draw: it agrees unless it stands better. Whether it did. */
export async function offerDraw() {
  const mine = turn;
  const side = ["red", "black"].find(isEngine);
  const question = { ...questionAt(match.node), seconds: GLANCE, engine: match.players[side].engine };
  const found = await (await ask("engine", question)).json();
  if (mine !== turn || !isLive()) return false;
  const score = sideToMove() === side ? found.score : -found.score;
  if (score <= EVEN) agree();
  else setText("match-note", word("matchDeclined"));
  return score <= EVEN;
}

/* Take the last move back, and an engine's answer with it. */
export function takeBack() {
  breakOff();
  game.history.goTo(match.node);
  undo();
}

function checkFlag() {
  const side = isLive() ? match.clocks?.fallen : null;
  if (side) finish(LOSS[side], word("matchTime"), "time forfeit");
}

/* The position that is shown has changed: was that a move of the match, or one taken back? */
function follow() {
  if (!isLive()) return;
  const { tree, node } = game.history;
  if (tree !== match.tree) leave();
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

watch("position", follow);
setInterval(checkFlag, 50);

/* Two clocks of which one runs. Times are in milliseconds. */

export class Clocks {
  constructor(milliseconds, increment, now = () => performance.now()) {
    this.left = { red: milliseconds, black: milliseconds };
    this.increment = increment;
    this.now = now;
    this.running = null; // the side whose clock runs
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

  /* A move was made: its player gets the increment, and the other clock runs. */
  press() {
    const mover = this.running;
    if (!mover) return;
    this.stop();
    this.left[mover] += this.increment;
    this.start(mover === "red" ? "black" : "red");
  }

  /* Side whose time is up, or null. */
  get fallen() {
    return this.running && this.remaining(this.running) <= 0 ? this.running : null;
  }

  /* Clocks as saved while the page is closed, when both are stopped; and back. */
  kept() {
    return { red: this.remaining("red"), black: this.remaining("black"), increment: this.increment };
  }

  static from({ red, black, increment }) {
    return Object.assign(new Clocks(0, increment), { left: { red, black } });
  }

  /* Clocks as an engine needs them. */
  data() {
    const [red, black] = [this.remaining("red"), this.remaining("black")];
    return {
      red_ms: Math.round(red), black_ms: Math.round(black),
      red_increment_ms: this.increment, black_increment_ms: this.increment,
    };
  }
}

/* Minutes and seconds; tenths where there is little left. */
export function sayTime(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(left)}:${two(rest)}` : `${left}:${two(rest)}`;
}
