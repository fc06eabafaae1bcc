/* The ruling sheet: a document of its own in a new tab, to print, to sign or to save. */

import { attempt, callApi } from "./requests.js";
import { onClick, page, saveAs } from "./page.js";

/* Fetch the sheet of the shown line.
 * @returns {Promise<Blob>} */
async function fetchSheet(state) {
  const { tree, node } = state.history;
  const { html } = await (await callApi(state, "sheet", {
    fen: tree.fen, moves: tree.moves(tree.line(node)), headers: tree.headers, lettering: page("pieces").value,
  })).json();
  return new Blob([html], { type: "text/html" });
}

/* Show the sheet in a tab; without one (a blocker of pop-ups), save it. */
async function showSheet(state, tab) {
  try {
    const sheet = await fetchSheet(state);
    if (tab) tab.location = URL.createObjectURL(sheet);
    else saveAs("sheet.html", sheet);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

export function mount(state) {
  onClick("sheet", () => {
    const tab = open("", "_blank"); // at once: later it would be no answer to the click
    attempt(() => showSheet(state, tab));
  });
}
