/* The questions that the page sends to the server. */

import { LANG, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { game } from "./state.js";

export const notation = () => page("notation").value;

/* The end of the name of the board's labels, which are those of the notation. */
export const labelsOfBoard = () => (notation() === "iccs" ? "" : `-${notation()}`);

/* Name of this page: a newer request to an engine ends the one before. */
const PAGE = crypto.getRandomValues(new Uint32Array(4)).join("-");

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
