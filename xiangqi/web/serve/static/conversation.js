/* The conversation with the server about the present position. */

import { ask, attempt, notation } from "./asking.js";
import { game, redraw, tell, told, watch } from "./state.js";

let ruled = ""; // the line that the ruling is about
let turn = 0; // grows with everything the user does: answers to older questions are dropped
let asking = null; // the questions that are not answered yet

/* Waits until the server has described the present position. */
export function known() {
  if (!told.view && !asking) asking = converse().finally(() => { asking = null; });
  return asking ?? Promise.resolve();
}

/* One question after the other, always the last one. */
async function converse() {
  while (!told.view) {
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
    key === ruled ? told.ruling : data("ruling", line),
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
  Object.assign(told, { view: position, ruling: found });
  ruled = key;
  tell("answer");
  redraw();
}

watch("position", () => {
  turn++;
  attempt(known);
});
