/* Moves on the board: the chosen square, the keyboard cursor, dragged pieces. */

import { addElement, FILES, squareCentre } from "./board.js";
import { attempt, callApi, whenDescribed } from "./requests.js";
import { all, page, word } from "./page.js";
import { isEngine, isLive, personsSides, sideToMove } from "./match.js";
import { showBoardNote } from "./shell.js";
import { play, returnToPlay } from "./steps.js";
import { drag, drawLayer, pieceOn, release, squareUnder } from "./table.js";
import { isOwn } from "./tree.js";

/* Legal targets of the piece on a square. */
export function targetsOf(view, square) {
  return targetsAmong(view.legal, square);
}

/* Targets that the repetition rules bar. */
export function barredOf(view, square) {
  return targetsAmong(Object.keys(view.barred), square);
}

function targetsAmong(moves, square) {
  return moves.filter((move) => move.startsWith(square)).map((move) => move.slice(2));
}

/* Can the piece on a square be chosen? Before the server's description, any of the side to move. */
export function isMovable(state, square) {
  if (isWaiting(state)) return isOfPerson(state, square);
  const { view } = state;
  const { tree, node } = state.history;
  if (!view) return isOwn(tree.position(node), square);
  return targetsOf(view, square).length > 0 || barredOf(view, square).length > 0;
}

export function setChosen(state, square) {
  state.hand.chosen = square;
  state.redraw();
}

/* Play a move if it is legal, else show the reason; returns whether it was played. */
export async function tryMove(state, tail, head) {
  if (!state.view) await attempt(() => whenDescribed(state));
  const move = tail + head;
  if (state.view?.legal.includes(move)) {
    play(state, move);
    return true;
  }
  showBoardNote(await whyNot(state, move));
  return false;
}

/* Reason why a move is illegal, from the referee; empty if the target is another own piece. */
async function whyNot(state, move) {
  const { tree, node } = state.history;
  const { view } = state;
  if (!view || isOwn(tree.position(node), move.slice(2))) return "";
  if (view.barred[move]) return view.barred[move];
  return reasonOf(state, move);
}

/* Reason why a move is illegal, or a piece (its square) cannot move, in the words of the notation. */
async function reasonOf(state, move) {
  const answer = callApi(state, "why", { ...state.currentMoves(), move });
  return answer.then((found) => found.json()).then(({ reason }) => reason, ({ message }) => message);
}

/* Show why a piece cannot be chosen. */
async function explainUnmovable(state, square) {
  const { tree, node } = state.history;
  const { view } = state;
  if (!view || !tree.position(node).pieces.has(square)) return;
  if (view.outcome) showBoardNote(view.status);
  else if (!isOwn(tree.position(node), square)) showBoardNote(view.status);
  else showBoardNote(await reasonOf(state, square));
}

/* In a match or a task earlier positions are only shown: go to the one where play goes on. */
function leavePast(state) {
  const wasPast = returnToPlay(state);
  if (wasPast) showBoardNote(word("matchHere"));
  return wasPast;
}

/* Handle the choice of a square: a piece to move, or its target. */
export async function choose(state, square) {
  const { chosen } = state.hand;
  state.hand.cursor = square;
  if (isWaiting(state)) {
    if (chosen && !isOfPerson(state, square)) setPremove(state, chosen, square);
    else setChosen(state, square !== chosen && isOfPerson(state, square) ? square : null);
    return;
  }
  if (chosen && chosen !== square && (await tryMove(state, chosen, square))) return;
  if (!chosen && !isMovable(state, square)) explainUnmovable(state, square);
  setChosen(state, square !== chosen && isMovable(state, square) ? square : null);
}

/* Moves chosen in advance, while the engine is to move. */

function isWaiting({ match }) {
  return isLive(match) && personsSides(match).length === 1 && isEngine(match, sideToMove(match));
}

/* Is there a piece of the person on a square? */
function isOfPerson({ match }, square) {
  const letter = match.tree.position(match.node).pieces.get(square);
  const isRed = personsSides(match)[0] === "red";
  return letter !== undefined && (letter === letter.toUpperCase()) === isRed;
}

function dropPremove(state) {
  state.hand.premove = null;
  state.redraw();
}

function setPremove(state, tail, head) {
  state.hand.premove = { move: tail + head, at: state.match.node };
  setChosen(state, null);
}

/* Play the move chosen in advance, if the engine's move was the one that it waited for. */
function playPremove(state) {
  const { premove } = state.hand;
  if (!premove || isWaiting(state)) return;
  state.hand.premove = null;
  const { tree, node } = state.history;
  if (!isLive(state.match) || tree.nodes[node].parent !== premove.at) return;
  setTimeout(() => { // after all have seen the answer
    if (state.history.node === node) tryMove(state, premove.move.slice(0, 2), premove.move.slice(2));
  });
}

/* Marks of the choice, and the keyboard cursor. */

function drawChoice(state) {
  const { tree, node } = state.history;
  const { view, hand: { chosen: square, premove } } = state;
  const position = tree.position(node);
  const targets = view && square && !isWaiting(state) ? [...marksOf(view, position, square)] : [];
  const planned = premove ? [premove.move.slice(0, 2), premove.move.slice(2)] : [];
  const chosen = square && (view || isWaiting(state)) ? [["chosen", square, 30]] : [];
  const marks = [...chosen, ...targets, ...planned.map((one) => ["premove", one, 30])];
  drawLayer(state, "marks", marks, (layer) => {
    for (const [kind, at, radius] of marks) addMark(state, layer, kind, at, radius);
  });
}

/* Yield the marks of the chosen piece's legal and barred targets. */
function* marksOf(view, { pieces }, square) {
  for (const target of targetsOf(view, square)) {
    yield pieces.has(target) ? ["target taken", target, 30] : ["target", target, 10];
  }
  for (const target of barredOf(view, square)) yield ["target barred", target, 10];
}

function addMark(state, layer, kind, square, radius) {
  const at = squareCentre(square, state.flip);
  addElement(layer, "circle", { class: kind, cx: at.x, cy: at.y, r: radius, "data-mark": square });
}

/* Pointer on the board: drag a piece, or choose it and then its target. */

const SLACK = 6; // pixels that the pointer may move in a click

let press = null; // current press: its start, and the dragged piece
function onDown(state, event) {
  if (event.button !== 0 || press) return;
  event.preventDefault();
  all(":focus").forEach((element) => element.blur());
  const square = squareUnder(state, event);
  if (!square || leavePast(state)) return;
  const { pointerId, clientX: x, clientY: y } = event;
  press = { pointerId, square, wasChosen: state.hand.chosen === square, x, y, use: null };
  page("table").setPointerCapture(pointerId);
  state.hand.premove = null;
  if ((state.hand.chosen && !press.wasChosen) || !isMovable(state, square)) choose(state, square);
  else setChosen(state, square);
}

function onMove(state, { pointerId, clientX, clientY }) {
  if (press?.pointerId !== pointerId) return;
  const [right, down] = [clientX - press.x, clientY - press.y];
  const isFar = Math.hypot(right, down) > SLACK;
  if (!press.use && isFar && state.hand.chosen === press.square) press.use = pieceOn(press.square);
  const { a } = page("table").getScreenCTM().inverse();
  if (press.use) drag(press.use, right * a, down * a);
}

async function onUp(state, event) {
  if (press?.pointerId !== event.pointerId) return;
  const { square, wasChosen, use } = press;
  press = null;
  if (!use) {
    if (wasChosen && state.hand.chosen === square) setChosen(state, null);
    return;
  }
  const target = squareUnder(state, event);
  if (target && isWaiting(state)) {
    release(use);
    if (target !== square) choose(state, target);
    return;
  }
  const isPlayed = target && target !== square && (await tryMove(state, square, target));
  if (!isPlayed) release(use);
}

function cancelDrag() {
  if (press?.use) release(press.use);
  press = null;
}

/* Prevent scrolling when a finger drags a piece. */
function onTouch(event) {
  if (press && pieceOn(press.square)) event.preventDefault();
}

/* Keyboard on the board. */

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function moveCursor(state, key) {
  const { hand } = state;
  const [right, up] = STEPS[key];
  const sign = state.flip ? -1 : 1;
  const file = FILES.indexOf(hand.cursor[0]) + sign * right;
  const rank = Number(hand.cursor[1]) + sign * up;
  if (file >= 0 && file < 9 && rank >= 0 && rank < 10) hand.cursor = FILES[file] + rank;
  state.redraw();
  page("here").textContent = state.view?.pieces[hand.cursor] || hand.cursor; // screen readers
}

function onBoardKey(state, event) {
  if (event.key in STEPS) moveCursor(state, event.key);
  else if (event.key === "Enter" || event.key === " ") leavePast(state) || choose(state, state.hand.cursor);
  else if (event.key === "Escape" && state.hand.premove) dropPremove(state);
  else if (event.key === "Escape" && state.hand.chosen) choose(state, state.hand.chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function mount(state) {
  state.watch("answer", () => playPremove(state));
  state.watch("phase", () => { state.hand.premove = null; });
  state.watch("position", () => { state.hand.chosen = null; });
  state.watch("answer", () => {
    if (state.hand.chosen && !isMovable(state, state.hand.chosen)) setChosen(state, null);
  });
  state.watch("draw", () => {
    drawChoice(state);
    const { cursor } = state.hand;
    drawLayer(state, "cursor", cursor, (layer) => addMark(state, layer, "cursor", cursor, 31));
  });
  page("table").addEventListener("touchstart", onTouch, { passive: false });
  page("table").addEventListener("pointerdown", (event) => onDown(state, event));
  page("table").addEventListener("pointermove", (event) => onMove(state, event));
  page("table").addEventListener("pointerup", (event) => onUp(state, event));
  page("table").addEventListener("pointercancel", cancelDrag);
  state.watch("position", cancelDrag);
  page("table").addEventListener("keydown", (event) => onBoardKey(state, event));
}
