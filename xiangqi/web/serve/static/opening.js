/* Opening games and positions: pasted, dropped, typed, from examples, or from the start panel. */

import { openFile } from "./files.js";
import { sideToMove } from "./match.js";
import { beginQuick } from "./match_dialog.js";
import { all, onClick, page, setText, word } from "./page.js";
import { attempt } from "./requests.js";
import { closeDialogs, openDialog, showGame } from "./shell.js";
import { readGame, setUp, typeMove } from "./steps.js";

function onSubmit(id, action, at) {
  page(id).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(action, at);
  });
}

/* Read a text as a game; show errors at the field, with the faulty word selected. */
async function paste(state, text) {
  clearFaults();
  try {
    const found = await readGame(state, text);
    if (found.fault) showFault(text, found.errors.join("\n"), found.fault.text, found.fault.line);
    else closeDialogs();
    await showGame(state);
  } catch (error) {
    showFault(text, error.message, quotedIn(error.message, text), 1);
  }
}

function clearFaults() {
  for (const id of ["paste-error", "file-error", "fen-error"]) setText(id, "");
  page("paste").removeAttribute("aria-invalid");
}

/* Longest part of a text quoted in a message. */
function quotedIn(message, text) {
  const quoted = [...message.matchAll(/['“"‘]([^'”"’]+)['”"’]/g)].map(([, part]) => part);
  return quoted.filter((part) => text.includes(part)).sort((a, b) => b.length - a.length)[0] ?? "";
}

function showFault(text, message, wrong, line) {
  openDialog("open-dialog");
  const field = page("paste");
  field.value = text;
  field.setAttribute("aria-invalid", "true");
  setText("paste-error", message);
  const before = text.split("\n").slice(0, line - 1).join("\n").length;
  const start = wrong ? text.indexOf(wrong, before) : -1;
  field.focus();
  if (start >= 0) field.setSelectionRange(start, start + wrong.length);
}

function openTransfer(state, { files, getData }, transfer) {
  if (files.length) attempt(() => openFile(state, files[0]), "error");
  else {
    const text = getData.call(transfer, "text/plain").trim();
    if (text) paste(state, text);
  }
}

function openGames() {
  openDialog("open-dialog");
  page("paste").focus();
  page("paste").select();
}

export function mount(state) {
  document.addEventListener("paste", (event) => {
    const target = /** @type {Element} */ (event.target);
    const field = /** @type {any} */ (target.closest?.("input, textarea"));
    if (field?.id === "paste") setTimeout(() => paste(state, field.value));
    else if (!field) openTransfer(state, event.clipboardData, event.clipboardData);
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    openTransfer(state, event.dataTransfer, event.dataTransfer);
  });
  onSubmit("move-form", async () => {
    await typeMove(state, page("move").value);
    page("move").value = "";
  }, "move-error");
  state.watch("position", () => setText("move-error", ""));
  onSubmit("fen-form", async () => {
    await setUp(state, page("fen").value);
    closeDialogs();
  }, "fen-error");
  page("open-dialog").addEventListener("close", clearFaults);
  onSubmit("paste-form", () => paste(state, page("paste").value), "paste-error");
  for (const id of ["open-game", "start-paste", "referee-open"]) onClick(id, openGames);
  onClick("start-editor", () => page("edit-position").click());
  onClick("open-editor", () => {
    closeDialogs();
    page("edit-position").click();
  });
  onClick("start-play", () => beginQuick(state, word("start"), page("start-side").value));
  onClick("start-more", () => page("match-open").click());
  onClick("play-on", () => {
    const { tree, node } = state.history;
    beginQuick(state, tree.position(node).fen, sideToMove(state.history));
  });
  for (const button of all("[data-example]")) {
    button.addEventListener("click", () => paste(state, button.dataset.example));
  }
  state.watch("draw", () => {
    page("play-on").hidden = Boolean(state.view?.outcome);
    page("match-open").classList.toggle("primary", state.phase === "review");
  });
}
