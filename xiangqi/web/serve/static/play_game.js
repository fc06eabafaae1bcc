/* The game on the page, and the conversation with the server about it. */
"use strict";

const LANG = document.documentElement.lang;
const game = {
  history: null, rules: "", engine: "nobody", flip: false, chosen: null, cursor: "e0",
};
let view = null; // the server's answer about the present position; null until it is there
let ruling = { arrows: {} }; // and about the line that it stands in
let ruled = ""; // which line that is
let turn = 0; // grows with everything the user does: answers to older questions are dropped
let asking = null; // the questions that are not answered yet
let thinking = null; // the search that goes on: its name, and what breaks it off

async function ask(path, data, signal) {
  const notation = page("notation").value;
  const body = JSON.stringify({ lang: LANG, notation, rules: game.rules, ...data });
  return send(`api/${path}`, body, "application/json", signal);
}

async function send(path, body, kind, signal) {
  let answer;
  try {
    answer = await reach(path, {
      method: "POST", headers: { "Content-Type": kind }, body, signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(page("game").dataset.offline);
  }
  if (answer.ok) return answer;
  throw new Error((await answer.json()).error);
}

/* Do something with the server's help; what goes wrong is told on the page. */
async function attempt(action) {
  setText("error", "");
  try {
    await action();
  } catch (error) {
    if (error.name !== "AbortError") setText("error", error.message);
  }
}

/* Show what the page knows of the present position, and ask the server for the rest. `wakes` tells
 * whether the engine may answer where the game goes on already. */
function update({ wakes = false } = {}) {
  breakOff();
  turn++;
  view = null;
  game.chosen = null;
  draw();
  keepGame();
  return attempt(async () => {
    const now = turn;
    await known();
    if (now === turn && isEngineToMove(wakes)) think();
  });
}

/* When the server has told all about the present position. */
function known() {
  if (!view && !asking) asking = converse().finally(() => { asking = null; });
  return asking ?? Promise.resolve();
}

/* One question after the other, always about what is asked for last. */
async function converse() {
  while (!view) {
    const now = turn;
    try {
      const answers = await describe(game.history);
      if (now === turn) learn(answers);
    } catch (error) {
      if (now === turn) throw error;
    }
  }
}

/* The answers about the present position and its line; the line's one is asked for once. */
async function describe({ tree, node }) {
  const line = tree.moves(tree.line(node));
  const key = JSON.stringify([game.rules, page("notation").value, tree.fen, line]);
  const tell = async (question, moves) => (await ask(question, { fen: tree.fen, moves })).json();
  const [position, found] = await Promise.all([
    tell("position", tree.moves(tree.path(node))),
    key === ruled ? ruling : tell("ruling", line),
  ]);
  return { position, found, key };
}

/* Every rule book's view of the present position, where somebody looks at it. */
function compareBooks() {
  if (!page("books-details").open) return;
  attempt(async () => {
    const now = turn;
    const { tree, node } = game.history;
    const question = { fen: tree.fen, moves: tree.moves(tree.path(node)) };
    const found = await (await ask("books", question)).json();
    if (now === turn) drawBooks(found);
  });
}

function learn({ position, found, key }) {
  const { tree, node } = game.history;
  [view, ruling, ruled] = [position, found, key];
  if (node && !tree.nodes[node].wxf) {
    tree.nameMove(node, { chinese: position.chinese.at(-1), wxf: position.wxf.at(-1) });
  }
  draw();
  keepGame();
  compareBooks();
}

/* Stepping, and changing the game */

function goTo(node) {
  if (node === undefined || node === game.history.node) return;
  game.history.goTo(node);
  update();
}

const STEPPING = {
  first: () => 0,
  previous: ({ tree, node }) => tree.nodes[node].parent,
  next: ({ tree, node }) => tree.nodes[node].next[0],
  last: ({ tree, node }) => tree.line(node).at(-1),
};

function step(where) {
  goTo(STEPPING[where](game.history));
}

function play(move, isAnswer = false) {
  game.history.play(move, isAnswer);
  return update({ wakes: true });
}

function undo() {
  game.history.undo();
  return update();
}

function redo() {
  game.history.redo();
  return update();
}

async function typeMove(text) {
  const { tree, node } = game.history;
  const moves = tree.moves(tree.path(node));
  const found = await (await ask("move", { fen: tree.fen, moves, text })).json();
  await play(found.move);
}

function beginGame(tree, changes = {}) {
  setText("thought", "");
  game.history.begin(tree, tree.end);
  Object.assign(game, changes);
  return update();
}

async function setUp(fen) {
  const position = await (await ask("position", { fen })).json();
  await beginGame(new MoveTree({ fen: position.fen }));
}

async function readGame(text) {
  const found = await (await ask("parse", { text })).json();
  await beginGame(new MoveTree(found), { engine: "nobody", ...rulesOf(found) });
  const remarks = found.errors.concat(found.more ? [page("game").dataset.moreGames] : []);
  if (remarks.length) setText("error", remarks.join("\n"));
}

/* Take over a game of a file from its page, whose address is in that of this one. */
async function fetchGame(place) {
  const answer = await reach(`games/${place}.json`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  const [file] = place.split("/");
  const found = await answer.json();
  await beginGame(new MoveTree({ ...found, file }), { engine: "nobody", ...rulesOf(found) });
}

/* The rules that a game's headers name, where the page has them to choose. */
function rulesOf({ headers }) {
  const isKnown = [...page("rules").options].some(({ value }) => value === headers.Rules);
  return isKnown ? { rules: headers.Rules } : {};
}

async function savePgn() {
  const data = game.history.tree.data();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await (await ask("pgn", data)).blob());
  link.download = "game.pgn";
  link.click();
  URL.revokeObjectURL(link.href);
}

async function openFile(file) {
  const { tooLarge, mostUpload } = page("game").dataset;
  if (file.size > Number(mostUpload)) throw new Error(tooLarge);
  const path = `api/report?lang=${LANG}&name=${encodeURIComponent(file.name)}`;
  const found = await (await send(path, file, "application/octet-stream")).json();
  visit(found.location);
}

async function closeFile(item) {
  await ask("close", { file: Number(item.dataset.file) });
  item.remove();
  drawFiles(game.history.tree.file, LANG);
}

/* The engine */

function isEngineToMove(wakes) {
  const { tree, node } = game.history;
  const isOpen = wakes || !tree.nodes[node].next.length;
  return isOpen && view?.turn === game.engine && !view.outcome;
}

/* Let the engine play a side, or neither, and show the board from the other one. */
function seatEngine(side) {
  game.engine = side;
  game.flip = side === "red";
  update();
}

/* Break a search off and forget it. */
function breakOff() {
  if (!thinking) return;
  thinking.control.abort();
  endThinking("");
}

/* Let the engine play what it has found so far. */
function hurry() {
  page("stop").hidden = true;
  if (thinking) attempt(() => ask("stop", { search: thinking.name }));
}

function endThinking(text) {
  thinking = null;
  setText("thought", text);
  page("stop").hidden = true;
}

/* The seconds for a move; a number outside the range is told and corrected. */
function readSeconds() {
  const field = page("seconds");
  const asked = field.valueAsNumber;
  const wanted = Number.isNaN(asked) ? field.defaultValue : asked;
  const seconds = Math.min(Math.max(wanted, field.min), field.max);
  setText("seconds-note", seconds === asked ? "" : page("game").dataset.secondsRange);
  field.valueAsNumber = seconds;
  return seconds;
}

/* A name that no other search has. */
function newName() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/* Ask the engine for a move in the position that is shown, and play it. */
async function think() {
  breakOff();
  const mine = (thinking = { name: newName(), control: new AbortController() });
  setText("thought", page("game").dataset.thinking);
  page("stop").hidden = false;
  const { tree, node } = game.history;
  const isAnswer = view?.turn === game.engine;
  let found = null;
  await attempt(async () => {
    const moves = tree.moves(tree.path(node));
    const question = { fen: tree.fen, moves, seconds: readSeconds(), search: mine.name };
    found = await (await ask("engine", question, mine.control.signal)).json();
  });
  if (thinking !== mine) return;
  endThinking(found ? sayThought(found) : "");
  if (found?.move) await play(found.move, isAnswer);
}

function sayThought(found) {
  const line = found[page("notation").value].join(" ");
  return line ? `${found.words} (${found.depth}): ${line}` : "";
}

function draw() {
  const { tree, node } = game.history;
  const line = tree.line(node);
  const arrows = (page("arrows").checked && view) ? (ruling.arrows[view.ply] || view.arrows) : [];
  const hand = { square: game.chosen, cursor: game.cursor };
  drawTable(tree, node, view, arrows, hand, game.flip);
  drawMoves(tree, page("notation").value, goTo);
  markMoves(line, node, cycleOf(ruling));
  if (view) drawRuling(view, ruling);
  if (view) drawBook(view.book, play);
  drawFiles(tree.file, LANG);
  page("rules").value = game.rules;
  page("engine").value = game.engine;
  page("first").disabled = page("previous").disabled = node === 0;
  page("next").disabled = page("last").disabled = node === (line.at(-1) ?? 0);
  page("undo").disabled = !game.history.done.length;
  page("redo").disabled = !game.history.undone.length;
}
