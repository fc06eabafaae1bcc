/* The buttons below the board, their keys, and playing the game through. */

import { onKey } from "./keys.js";
import { onClick, page } from "./page.js";
import { newGame, redo, step, undo } from "./steps.js";

const STEPS = {
  ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below",
  Home: "first", End: "last",
};
const PLAY_MS = 1200; // between two moves
let playing = 0; // timer while the game is played through

/* Play the game through from the shown position on, or stop. */
function toggleAutoplay(state) {
  const wasPlaying = playing;
  stopAutoplay();
  if (wasPlaying || state.isUnaided()) return;
  const { tree, node } = state.history;
  if (!tree.nodes[node].next.length) step(state, "first");
  playing = setInterval(() => advance(state), PLAY_MS);
  page("autoplay").setAttribute("aria-pressed", "true");
}

function advance(state) {
  const { tree, node } = state.history;
  if (tree.nodes[node].next.length) step(state, "next");
  else stopAutoplay();
}

function stopAutoplay() {
  clearInterval(playing);
  playing = 0;
  page("autoplay").setAttribute("aria-pressed", "false");
}

function flip(state) {
  state.flip = !state.flip;
  state.redraw();
}

export function mount(state) {
  onClick("autoplay", () => toggleAutoplay(state));
  onKey("p", () => toggleAutoplay(state));
  state.watch("phase", stopAutoplay);
  for (const where of ["first", "previous", "next", "last"]) onClick(where, () => step(state, where));
  onClick("undo", () => undo(state));
  onClick("redo", () => redo(state));
  onKey("z", () => state.phase !== "match" && undo(state));
  onKey("Z", () => state.phase !== "match" && redo(state));
  for (const [key, where] of Object.entries(STEPS)) onKey(key, () => step(state, where));
  onClick("flip", () => flip(state));
  onKey("f", () => flip(state));
  onClick("new-game", () => newGame(state));
  page("arrows").addEventListener("change", () => state.redraw());
  state.watch("draw", () => {
    const { history } = state;
    const { tree, node } = history;
    page("rules").value = state.rules;
    page("first").disabled = page("previous").disabled = node === 0;
    page("next").disabled = page("last").disabled = !tree.nodes[node].next.length;
    page("autoplay").disabled = !tree.nodes[0].next.length;
    page("undo").disabled = !history.done.length;
    page("redo").disabled = !history.undone.length;
  });
}
