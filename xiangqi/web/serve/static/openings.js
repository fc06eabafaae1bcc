/* The opening of the shown game by name, and, without a book of the user's, how the package's own
 * games went on. */

import { onClick, page } from "./page.js";
import { callApi } from "./requests.js";
import { showBoardNote } from "./shell.js";

const PLIES = 20; // that are named, and that the games have

let known = { key: "", opening: "", book: null };

/* Describe the opening of the shown line; a failure leaves the page without it. */
async function fetchOpening(state) {
  const { fen, moves } = state.currentMoves();
  const key = [fen, page("notation").value, ...moves.slice(0, PLIES)].join(" ");
  if (key === known.key) return;
  known = { key, opening: known.opening, book: null };
  const answer = await callApi(state, "opening", { fen, moves: moves.slice(0, PLIES) }).catch(() => null);
  if (key !== known.key) return; // another position is shown
  known = answer ? { key, ...await answer.json() } : { key: "", opening: "", book: null };
  state.redraw();
}

export function mount(state) {
  state.watch("answer", () => fetchOpening(state));
  onClick("opening", () => showBoardNote(known.opening));
  state.watch("draw", () => {
    const { view } = state;
    page("opening-name").textContent = page("opening").title = known.opening;
    page("opening").disabled = !known.opening;
    if (view && !view.book && known.book) {
      view.book = view.ply < PLIES ? known.book : { moves: [], error: null };
      state.redraw();
    }
  });
}
