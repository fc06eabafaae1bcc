/* The ruling sheet: a document of its own in a new tab, to print, to sign or to save. */

import { attempt, callApi } from "./requests.js";
import { onClick, page, saveAs } from "./page.js";
import { game } from "./state.js";

/* Fetch the sheet of the shown line.
 * @returns {Promise<Blob>} */
async function fetchSheet() {
  const { tree, node } = game.history;
  const { html } = await (await callApi("sheet", {
    fen: tree.fen, moves: tree.moves(tree.line(node)), headers: tree.headers, lettering: page("pieces").value,
  })).json();
  return new Blob([html], { type: "text/html" });
}

/* Show the sheet in a tab; without one (a blocker of pop-ups), save it. */
async function showSheet(tab) {
  try {
    const sheet = await fetchSheet();
    if (tab) tab.location = URL.createObjectURL(sheet);
    else saveAs("sheet.html", sheet);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

onClick("sheet", () => {
  const tab = open("", "_blank"); // at once: later it would be no answer to the click
  attempt(() => showSheet(tab));
});
