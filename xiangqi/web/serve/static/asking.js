/* Questions to the server: those of every part of the page, and the conversation about the present
 * position. */

import { LANG, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { described, game, redraw, tell, watch } from "./state.js";

export const notation = () => page("notation").value;

/* The end of the name of the board's labels, which are those of the notation. */
export const labelsOfBoard = () => (notation() === "iccs" ? "" : `-${notation()}`);

/* Name of this page: a newer request to an engine ends the one before. */
const PAGE = newName();

/* A name that no other page or search has. */
export function newName() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

const LONG = 8; // moves: a shorter beginning is sent again
let sent = { name: "", fen: "", moves: [] }; // the line that the server got last
let lines = 0;

/* Ask; of a line that the server knows the beginning of, only the rest is sent. */
export async function ask(path, data, signal) {
  const usual = { lang: LANG, notation: notation(), rules: game.rules, page: PAGE };
  const question = { ...usual, ...data };
  if (!data.moves) return post(path, question, signal);
  const name = String(++lines);
  const named = { ...question, as: name };
  const answer = await post(path, shorten(named), signal).catch((error) => {
    if (error.status !== 409) throw error;
    return post(path, named, signal); // the server has forgotten it
  });
  sent = { name, fen: data.fen, moves: data.moves };
  return answer;
}

function shorten(question) {
  const { fen, moves } = question;
  const differs = moves.findIndex((move, place) => move !== sent.moves[place]);
  const keep = differs < 0 ? moves.length : differs;
  if (fen !== sent.fen || keep < LONG || keep > sent.moves.length) return question;
  return { ...question, of: sent.name, keep, moves: moves.slice(keep) };
}

function post(path, data, signal) {
  return send(`api/${path}`, JSON.stringify(data), "application/json", signal);
}

export async function send(path, body, kind, signal) {
  let answer;
  try {
    answer = await reach(path, {
      method: "POST", headers: { "Content-Type": kind }, body, signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(word("offline"));
  }
  if (answer.ok) return answer;
  throw Object.assign(new Error((await answer.json()).error), { status: answer.status });
}

/* Do something with the server's help; errors are shown at a place of the page. */
export async function attempt(action, at = "error") {
  setText(at, "");
  try {
    await action();
  } catch (error) {
    if (error.name !== "AbortError") setText(at, error.message);
  }
}

/* The conversation with the server about the present position. */

let ruled = ""; // the line that the ruling is about
let turn = 0; // grows with everything the user does: answers to older questions are dropped
let asking = null; // the questions that are not answered yet

/* Waits until the server has described the present position. */
export function known() {
  if (!described.view && !asking) asking = converse().finally(() => { asking = null; });
  return asking ?? Promise.resolve();
}

/* One question after the other, always the last one. */
async function converse() {
  while (!described.view) {
    const now = turn;
    try {
      const answers = await describe(game.history);
      if (now === turn) learn(answers);
    } catch (error) {
      if (now === turn) throw error;
    }
  }
}

/* The answers about the present position and its line; the line's one is requested once. */
async function describe({ tree, node }) {
  const line = tree.moves(tree.line(node));
  const key = JSON.stringify([game.rules, notation(), tree.fen, line]);
  const data = async (question, moves) => (await ask(question, { fen: tree.fen, moves })).json();
  const [position, found] = await Promise.all([
    askPosition(tree, node),
    key === ruled ? described.ruling : data("ruling", line),
  ]);
  return { position, found, key };
}

/* Description of a position; the moves before it are named that have no names yet. */
export async function askPosition(tree, node) {
  const path = tree.path(node);
  const unnamed = path.findIndex((id) => !tree.nodes[id].wxf);
  const named = unnamed < 0 ? path.length : unnamed;
  const found = await (await ask("position", { fen: tree.fen, moves: tree.moves(path), named })).json();
  path.slice(named).forEach((id, place) => {
    tree.nameMove(id, { chinese: found.chinese[place], wxf: found.wxf[place] });
  });
  return found;
}

function learn({ position, found, key }) {
  Object.assign(described, { view: position, ruling: found });
  ruled = key;
  tell("answer");
  redraw();
}

watch("position", () => {
  turn++;
  attempt(known);
});
