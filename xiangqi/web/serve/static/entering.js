/* A move typed, a position set up, a game pasted. */

import { attempt } from "./asking.js";
import { page } from "./page.js";
import { readGame, setUp, typeMove } from "./steps.js";

function onSubmit(id, action) {
  page(id).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(action);
  });
}

onSubmit("move-form", async () => {
  await typeMove(page("move").value);
  page("move").value = "";
});
onSubmit("fen-form", () => setUp(page("fen").value));
onSubmit("paste-form", () => readGame(page("paste").value));
