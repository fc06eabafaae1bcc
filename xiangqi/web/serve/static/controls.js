/* The buttons below the board. */

import { onKey } from "./keyboard.js";
import { onClick, page } from "./page.js";
import { game, redraw, watch } from "./state.js";
import { newGame, redo, step, undo } from "./steps.js";

function flip() {
  game.flip = !game.flip;
  redraw();
}

for (const where of ["first", "previous", "next", "last"]) onClick(where, () => step(where));
onClick("undo", undo);
onClick("redo", redo);
onClick("flip", flip);
onKey("f", flip);
onClick("new-game", newGame);
page("arrows").addEventListener("change", redraw);

watch("draw", () => {
  const { history } = game;
  const { tree, node } = history;
  page("rules").value = game.rules;
  page("first").disabled = page("previous").disabled = node === 0;
  page("next").disabled = page("last").disabled = !tree.nodes[node].next.length;
  page("undo").disabled = !history.done.length;
  page("redo").disabled = !history.undone.length;
});
