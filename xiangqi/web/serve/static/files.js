/* Files of games: the list of open ones, and opening. */

import { openChapters } from "./chapters.js";
import { LANG, make, page, setText, word } from "./page.js";
import { reach } from "./reach.js";
import { attempt, callApi, send } from "./requests.js";
import { closeDialogs, showGame } from "./shell.js";
import { loadGame } from "./steps.js";

const MAX_TEXT = 1 << 20; // bytes; a larger text is opened as a file of games
const OTHER_PROGRAMS = /\.(xqf|cbr|cbl|gz|bz2|zip)$/i;

/* Show whether files are open, and a link to the file of the current game. */
function drawFiles(state) {
  const { file } = state.history.tree;
  const own = page("files").querySelector(`[data-file="${file}"] a`);
  setText("source", own?.textContent);
  page("source").href = `games/${file}/${LANG}/index.html`;
  page("no-files").hidden = page("files").children.length > 0;
}

/* Add a file to the list of open ones. */
function listFile(state, path, name) {
  const item = make("li", {},
    make("a", { href: path.replace(/^\//, ""), textContent: name }), " ",
    make("button", { type: "button", textContent: word("close") }));
  item.dataset.file = path.split("/").at(-3);
  page("files").append(item);
  drawFiles(state);
}

/* Open a file: a single game on the board, several as a list of games. */
export async function openFile(state, file) {
  if (file.size > Number(word("maxUpload"))) throw new Error(word("tooLarge"));
  const found = await readText(state, file) ?? await sendFile(state, file);
  if (found.location) {
    listFile(state, found.location, file.name);
    await openChapters(state, found.location, file.name);
    return;
  }
  closeDialogs();
  loadGame(state, found);
  await showGame(state);
}

/* Read a text as a single game; null if it is none, or has faults. */
async function readText(state, file) {
  if (file.size > MAX_TEXT || OTHER_PROGRAMS.test(file.name)) return null;
  const text = await file.text();
  const found = await callApi(state, "parse", { text }).then((answer) => answer.json(), () => null);
  return found && !found.more && !found.fault ? found : null;
}

/* Send a file of games: its only game, or the `location` of its list. */
async function sendFile(state, file) {
  const path = `api/report?lang=${LANG}&name=${encodeURIComponent(file.name)}`;
  const { location } = await (await send(path, file, "application/octet-stream")).json();
  const only = await (await reach(location.replace("index.html", "only.json"))).json();
  if (!only.game) return { location };
  await callApi(state, "close", { file: Number(location.split("/")[2]) });
  return only.game;
}

async function closeFile(state, item) {
  const button = item.querySelector("button");
  button.disabled = true; // pressed again, it would name a file that is not there
  try {
    await callApi(state, "close", { file: Number(item.dataset.file) });
  } finally {
    button.disabled = false;
  }
  item.remove();
  drawFiles(state);
}

export function mount(state) {
  page("files").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (event.target.closest("button")) attempt(() => closeFile(state, item));
  });
  page("file").addEventListener("change", () => {
    const [file] = page("file").files;
    if (file) attempt(() => openFile(state, file), "file-error");
  });
  state.watch("draw", () => drawFiles(state));
}
