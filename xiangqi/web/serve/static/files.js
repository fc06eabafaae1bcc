/* The files that are open, and those to open and to save. */

import { ask, attempt, send } from "./asking.js";
import { LANG, onClick, page, setText, word } from "./page.js";
import { game, watch } from "./state.js";
import { visit } from "./reach.js";
import { askPgn } from "./saving.js";

/* The files that are open are a list in the page; the game's own one has its link above, too. */
export function drawFiles() {
  const { file } = game.history.tree;
  const own = page("files").querySelector(`[data-file="${file}"] a`);
  setText("source", own?.textContent);
  page("source").href = `games/${file}/${LANG}/index.html`;
  page("no-files").hidden = page("files").children.length > 0;
}

export async function openFile(file) {
  if (file.size > Number(word("mostUpload"))) throw new Error(word("tooLarge"));
  const path = `api/report?lang=${LANG}&name=${encodeURIComponent(file.name)}`;
  const found = await (await send(path, file, "application/octet-stream")).json();
  visit(found.location);
}

async function closeFile(item) {
  await ask("close", { file: Number(item.dataset.file) });
  item.remove();
  drawFiles();
}

/* Have the browser put something down as a file. */
export function saveAs(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function savePgn() {
  saveAs("game.pgn", await (await askPgn()).blob());
}

onClick("download", () => attempt(savePgn));
page("files").addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (event.target.closest("button")) attempt(() => closeFile(item));
});
page("file").addEventListener("change", () => {
  const [file] = page("file").files;
  if (file) attempt(() => openFile(file), "file-error");
});
watch("draw", drawFiles);
