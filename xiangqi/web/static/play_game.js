/* The game on the page, and the conversation with the server about it. */
"use strict";

const LANG = document.documentElement.lang;
const KEPT = "meihua-game";
const game = {
  fen: "", moves: [], ply: 0, headers: {}, rules: "", engine: "nobody", flip: false, chosen: null,
  cursor: "e0",
};
let view = null; // the server's answer about the position that is shown
let ruling = null; // and about the whole game
let turn = 0; // grows with everything the user does: answers to older questions are dropped
let thinking = null; // what stops the search that goes on

async function ask(path, data, signal) {
  const body = JSON.stringify({ lang: LANG, rules: game.rules, ...data });
  return send(`api/${path}`, body, "application/json", signal);
}

async function send(path, body, kind, signal) {
  let answer;
  try {
    answer = await fetch(path, {
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

/* Change the game, once the server has said that it is one, and show it. */
async function setGame(changes) {
  stopThinking();
  const now = ++turn;
  const wanted = { ...game, chosen: null, ...changes };
  const { fen, moves, ply, rules } = wanted;
  const [position, ruled] = await Promise.all(
    ["position", "ruling"].map(async (question) =>
      (await ask(question, { fen, moves, rules, ...(question === "position" && { ply }) })).json(),
    ),
  );
  if (now !== turn) return;
  Object.assign(game, wanted, { fen: position.fen });
  [view, ruling] = [position, ruled];
  keepGame();
  draw();
  if (isEngineToMove()) think();
}

function goTo(ply) {
  const wanted = Math.max(0, Math.min(game.moves.length, ply));
  return attempt(() => setGame({ ply: wanted }));
}

function play(move) {
  const moves = [...game.moves.slice(0, game.ply), move];
  const headers = { ...game.headers };
  delete headers.Result; // it was that of the game as it was read
  return attempt(() => setGame({ moves, headers, ply: moves.length }));
}

/* Take back the last move, and with it the engine's answer. */
function undo() {
  const last = view.turn === game.engine || game.engine === "nobody" ? 1 : 2;
  const moves = game.moves.slice(0, Math.max(0, game.ply - last));
  return attempt(() => setGame({ moves, ply: moves.length }));
}

async function typeMove(text) {
  const moves = game.moves.slice(0, game.ply);
  const found = await (await ask("move", { fen: game.fen, moves, text })).json();
  await play(found.move);
}

function setUp(fen) {
  setText("thought", "");
  return setGame({ fen, moves: [], ply: 0, headers: {} });
}

async function readGame(text) {
  const found = await (await ask("parse", { text })).json();
  const { fen, moves, headers } = found;
  await setGame({ fen, moves, headers, ply: moves.length, engine: "nobody" });
  const remarks = found.errors.concat(found.more ? [page("game").dataset.moreGames] : []);
  setText("error", remarks.join("\n"));
}

/* Take over a game of a file from its page, whose address is in that of this one. */
async function fetchGame(place) {
  const answer = await fetch(`games/${place}.json`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  const { fen, moves, headers } = await answer.json();
  await setGame({ fen, moves, headers, ply: moves.length, engine: "nobody" });
}

async function savePgn() {
  const { fen, moves, headers } = game;
  const answer = await ask("pgn", { fen, moves, headers, notation: page("notation").value });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = "game.pgn";
  link.click();
  URL.revokeObjectURL(link.href);
}

async function openFile(file) {
  const { tooLarge, mostUpload } = page("game").dataset;
  if (file.size > Number(mostUpload)) throw new Error(tooLarge);
  const path = `api/report?lang=${LANG}&name=${encodeURIComponent(file.name)}`;
  const found = await (await send(path, file, "application/octet-stream")).json();
  location.assign(found.location);
}

/* The engine */

function isEngineToMove() {
  return view.turn === game.engine && game.ply === game.moves.length && !view.outcome;
}

/* Let the engine play a side, or neither, and show the board from the other one. */
function seatEngine(side) {
  stopThinking();
  game.engine = side;
  game.flip = side === "red";
  keepGame();
  draw();
  if (isEngineToMove()) think();
}

function stopThinking() {
  if (!thinking) return;
  thinking.abort();
  endThinking("");
}

function endThinking(text) {
  thinking = null;
  setText("thought", text);
  page("stop").hidden = true;
}

/* Ask the engine for a move in the position that is shown, and play it. */
async function think() {
  stopThinking();
  const mine = (thinking = new AbortController());
  setText("thought", page("game").dataset.thinking);
  page("stop").hidden = false;
  let found = null;
  await attempt(async () => {
    const moves = game.moves.slice(0, game.ply);
    const question = { fen: game.fen, moves, seconds: Number(page("seconds").value) };
    found = await (await ask("engine", question, mine.signal)).json();
  });
  if (thinking !== mine) return;
  endThinking(found ? sayThought(found) : "");
  if (found && found.move) await play(found.move);
}

function sayThought(found) {
  const line = found[page("notation").value].join(" ");
  return line ? `${found.words} (${found.depth}): ${line}` : "";
}

/* Keeping: the game lives as long as its tab, also when the language changes. */

function keepGame() {
  sessionStorage.setItem(KEPT, JSON.stringify({ ...game, chosen: null }));
}

function keptGame() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

function draw() {
  const decided = ruling.arrows[game.ply];
  const arrows = page("arrows").checked ? (decided || view.arrows) : [];
  drawTable(view, arrows, { square: game.chosen, cursor: game.cursor }, game.flip);
  drawMoves(view, page("notation").value, cycleOf(ruling), goTo);
  drawRuling(view, ruling);
  page("fen").value = view.position;
  page("rules").value = game.rules;
  page("engine").value = game.engine;
  page("first").disabled = page("previous").disabled = page("undo").disabled = game.ply === 0;
  page("next").disabled = page("last").disabled = game.ply === game.moves.length;
}
