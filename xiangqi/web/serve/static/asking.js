/* The questions that the page puts to whoever answers it. */

import { LANG, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { game } from "./state.js";

export const notation = () => page("notation").value;

/* Name of this page: a newer request to an engine ends the one before. */
const PAGE = crypto.getRandomValues(new Uint32Array(4)).join("-");

export async function ask(path, data, signal) {
  const usual = { lang: LANG, notation: notation(), rules: game.rules, page: PAGE };
  const body = JSON.stringify({ ...usual, ...data });
  return send(`api/${path}`, body, "application/json", signal);
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
  throw new Error((await answer.json()).error);
}

/* Do something with the server's help; what goes wrong is told at a place of the page. */
export async function attempt(action, at = "error") {
  setText(at, "");
  try {
    await action();
  } catch (error) {
    if (error.name !== "AbortError") setText(at, error.message);
  }
}
