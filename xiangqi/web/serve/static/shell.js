/* Tabs, dialogs, the drawer of portrait windows, and the buttons below the board.
 *
 * A mode has the elements `tab-MODE` and `panel-MODE`; the button `NAME-close` closes the dialog
 * `NAME` or `NAME-dialog`. */

import { onKey } from "./keys.js";
import { all, onClick, page, setText } from "./page.js";
import { attempt, whenDescribed } from "./requests.js";
import { goToRuling, newGame, redo, step, undo } from "./steps.js";

const MODES = ["play", "analyse", "referee"];
const NOTE_MS = 4000;
const MENU_GAP = 4; // pixels between a menu and the navigation buttons
const MIN_MENU = 240; // pixels of height below which a menu is of no use
const STEPS = {
  ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below",
  Home: "first", End: "last",
};

/* Buttons of the menu that close it; copying leaves it open for its confirmation. */
const CLOSING = [
  "new-game", "match-abandon", "edit-position", "headers-open", "download", "save-chinese", "save-text",
  "save-xqf", "save-dhtmlxq", "save-png", "save-svg", "save-gif",
];

const tabs = MODES.map((mode) => page(`tab-${mode}`));
let noteEnds = 0;

/* Show a mode, with its layout at once: a later scroll of the move list could move it under a click. */
export function showMode(state, mode) {
  state.mode = mode;
  drawMode(state);
  state.notify("draw");
}

/* Show a note on the board for some seconds. */
export function showBoardNote(text) {
  clearTimeout(noteEnds);
  setText("board-note", text);
  noteEnds = setTimeout(() => setText("board-note", ""), NOTE_MS);
}

/* Show a new game in the Referee tab, where its ruling fell, if a repetition decides it; otherwise
 * in the Analyse tab. */
export async function showGame(state) {
  await attempt(() => whenDescribed(state));
  const { result, ruling } = state.ruling;
  if (result && ruling) goToRuling(state);
  showMode(state, ruling ? "referee" : "analyse");
}

/* Open a dialog; the board can be used beside one that is not modal. */
export function openDialog(id, { isModal = true } = {}) {
  if (page(id).open) return;
  if (isModal) page(id).showModal();
  else page(id).show();
}

export function closeDialogs() {
  for (const dialog of all("dialog[open]")) dialog.close();
}

/* Arrow keys on tabs, as in the ARIA practices: only the chosen tab is in the focus order. */
function onTabKey(state, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const place = (MODES.indexOf(state.mode) + step + MODES.length) % MODES.length;
  showMode(state, MODES[place]);
  tabs[place].focus();
}

function drawMode(state) {
  page("game").dataset.mode = state.mode;
  for (const tab of tabs) {
    const isChosen = tab.dataset.mode === state.mode;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    page(`panel-${tab.dataset.mode}`).hidden = !isChosen;
  }
}

function keepAboveSteps({ target, newState }) {
  if (newState === "open") placeMenu(target);
}

/* Let a menu end above the navigation buttons, if that leaves it enough height; it scrolls by itself. */
function placeMenu(menu) {
  const height = page("first").getBoundingClientRect().top - menu.getBoundingClientRect().top - MENU_GAP;
  menu.style.maxHeight = height >= MIN_MENU ? `${height}px` : "";
}

function toggleDrawer() {
  const isOpen = page("game").dataset.drawer === "open";
  page("game").dataset.drawer = isOpen ? "" : "open";
  page("drawer").setAttribute("aria-expanded", !isOpen);
}

function toggleHelp() {
  if (page("help").open) page("help").close();
  else openDialog("help");
}

/* The buttons below the board. */

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
  for (const tab of tabs) {
    tab.addEventListener("click", () => showMode(state, tab.dataset.mode));
    tab.addEventListener("keydown", (event) => onTabKey(state, event));
  }
  MODES.forEach((mode, place) => onKey(String(place + 1), () => showMode(state, mode)));
  onClick("drawer", toggleDrawer);
  onKey("?", toggleHelp);
  onClick("help-open", () => {
    page("menu-look").hidePopover();
    openDialog("help");
  });
  onClick("headers-open", () => openDialog("headers"));
  for (const id of CLOSING) onClick(id, () => page("menu-game").hidePopover());
  for (const menu of all(".menu")) menu.addEventListener("toggle", keepAboveSteps);
  addEventListener("resize", () => all(".menu:popover-open").forEach(placeMenu));
  for (const dialog of all("dialog")) {
    const close = document.getElementById(`${dialog.id.replace("-dialog", "")}-close`);
    close?.addEventListener("click", () => dialog.close());
  }
  state.watch("position", () => setText("board-note", ""));
  state.watch("draw", () => {
    page("game").dataset.phase = state.phase;
    drawMode(state);
  });
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
    page("undo").disabled = !history.done.length;
    page("redo").disabled = !history.undone.length;
  });
}
