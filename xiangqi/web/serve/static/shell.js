/* Tabs, dialogs, menus, and the drawer of portrait windows.
 *
 * A mode has the elements `tab-MODE` and `panel-MODE`; the button `NAME-close` closes the dialog
 * `NAME` or `NAME-dialog`. */

import { onKey } from "./keys.js";
import { all, onClick, page, setText } from "./page.js";
import { attempt, whenDescribed } from "./requests.js";
import { goToRuling } from "./steps.js";

const MODES = ["play", "analyse", "referee"];
const NOTE_MS = 4000;
const MENU_GAP = 4; // pixels between a menu and the navigation buttons
const MIN_MENU = 240; // pixels of height below which a menu is of no use

/* Buttons of the menu that close it; copying leaves it open for its confirmation. */
const CLOSING = [
  "new-game", "match-abandon", "edit-position", "headers-open", "download", "save-chinese", "save-text",
  "save-xqf", "save-dhtmlxq", "save-png", "save-svg", "save-gif",
];

const tabs = MODES.map((mode) => page(`tab-${mode}`));
let noteEnds = 0;

/* Show a mode, with its layout at once: a later scroll of the move list could move it under a click. */
export function showMode(state, mode) {
  if (mode !== state.mode) showTop();
  state.mode = mode;
  drawMode(state);
  state.notify("draw");
}

/* Scroll the panel to its first line, the state of the game. */
function showTop() {
  for (const part of [page("panel"), ...all(".tab-panel")]) part.scrollTop = 0;
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

/* Let a menu, before it is shown, end above the navigation buttons, if that leaves it enough height;
 * it scrolls by itself. */
function placeMenu(menu) {
  const top = parseFloat(getComputedStyle(menu).top);
  const height = page("first").getBoundingClientRect().top - top - MENU_GAP;
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
  for (const menu of all(".menu")) menu.addEventListener("beforetoggle", () => placeMenu(menu));
  addEventListener("resize", () => all(".menu:popover-open").forEach(placeMenu));
  for (const dialog of all("dialog")) {
    const close = document.getElementById(`${dialog.id.replace("-dialog", "")}-close`);
    close?.addEventListener("click", () => dialog.close());
  }
  state.watch("phase", showTop);
  state.watch("position", () => setText("board-note", ""));
  state.watch("draw", () => {
    page("game").dataset.phase = state.phase;
    drawMode(state);
  });
}
