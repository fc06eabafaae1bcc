/* The games of a file as a list beside the board, with a search; a click opens a game. */

import { make, makeButton, onClick, page, setText } from "./page.js";
import { reach } from "./reach.js";
import { attempt } from "./requests.js";
import { closeDialogs, openDialog, showGame } from "./shell.js";
import { fetchGame } from "./steps.js";
import { visit } from "./visit.js";

/** A game of a file; `reason` says in a word or two why it ended.
 * @typedef {{red: string, black: string, event: string, date: string, result: string, rounds: number,
 *   repetition: boolean, reason: string}} Chapter */

const STEP = 200; // games that are drawn at once
const POLL_MS = 500; // between two looks at a file that is being read
const LINK = 'a[href^="games/"][href$="/index.html"]:not([data-pages])';

const shown = {
  path: "", // address of the file's list
  number: 0, // of the game on the board
  most: STEP,
  /** @type {Chapter[]} */
  games: [],
  isRead: true,
};

/* Open the list of a file by the address of its page. */
export async function openChapters(state, address, name) {
  const path = address.replace(/^\//, "");
  if (path !== shown.path) Object.assign(shown, { path, number: 0, games: [], isRead: false });
  closeDialogs();
  setText("chapters-error", "");
  page("chapters-title").textContent = name;
  page("chapters-pages").href = path;
  openDialog("chapters-dialog", { isModal: false });
  page("game").dataset.covered = "";
  drawChapters(state);
  await readOn(state, path);
}

/* Fetch the list until the file is read, or another list is shown. */
async function readOn(state, path) {
  while (!shown.isRead && path === shown.path && page("chapters-dialog").open) {
    const answer = await reach(path.replace("index.html", "index.json"));
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error.message);
    if (path !== shown.path) return;
    Object.assign(shown, found);
    setText("chapters-error", found.problems.join("\n"));
    drawChapters(state);
    if (!shown.isRead) await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
}

/* Numbers of the games that match the search, from 1. */
function chosenNumbers() {
  const words = page("chapters-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const result = page("chapters-result").value;
  const isRepeated = page("chapters-repetition").checked;
  return shown.games.flatMap((game, place) => {
    const text = `${game.red} ${game.black} ${game.event} ${game.date}`.toLowerCase();
    const fits = words.every((one) => text.includes(one)) && (!result || game.result === result)
      && (!isRepeated || game.repetition);
    return fits ? [place + 1] : [];
  });
}

function drawChapters(state) {
  const { reading } = page("chapters-dialog").dataset;
  const numbers = chosenNumbers();
  const counts = `${numbers.length} / ${shown.games.length}`;
  page("chapters-count").textContent = shown.isRead ? counts : `${counts} ${reading}`;
  const items = numbers.slice(0, shown.most).map((number) => chapterItem(state, number));
  page("chapters").replaceChildren(...items);
  page("chapters-more").hidden = numbers.length <= shown.most;
}

function chapterItem(state, number) {
  const { red, black, event, date, result, repetition, reason } = shown.games[number - 1];
  const button = makeButton("", () => attempt(() => openChapter(state, number), "chapters-error"));
  const players = `${number}. ${red || "?"} \u2013 ${black || "?"}`;
  const about = [event, date].filter(Boolean).join(", ");
  button.append(make("b", { textContent: players }), make("span", { textContent: result }),
    make("small", { className: "quiet", textContent: about }));
  if (repetition) button.append(make("small", { className: "conduct", textContent: reason }));
  if (number === shown.number) button.setAttribute("aria-current", "true");
  return make("li", {}, button);
}

/* Put a game of the list on the board, and close the list. */
async function openChapter(state, number) {
  const name = String(number).padStart(6, "0");
  await fetchGame(state, shown.path.replace("games/", "").replace("index.html", name));
  shown.number = number;
  page("chapters-dialog").close();
  await showGame(state);
}

function onSearch(state) {
  shown.most = STEP;
  drawChapters(state);
}

export function mount(state) {
  page("chapters-search").addEventListener("input", () => onSearch(state));
  for (const id of ["chapters-result", "chapters-repetition"]) {
    page(id).addEventListener("change", () => onSearch(state));
  }
  onClick("chapters-more", () => {
    shown.most += STEP;
    drawChapters(state);
  });
  onClick("chapters-pages", (event) => {
    event.preventDefault();
    attempt(() => visit(shown.path, (place) => fetchGame(state, place)));
  });
  page("chapters-dialog").addEventListener("close", () => { delete page("game").dataset.covered; });
  /* Links to the list of a file open it here; its pages have a link of their own. */
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.(LINK);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation(); // the static site would show the page
    attempt(() => openChapters(state, link.getAttribute("href"), link.textContent));
  }, true);
}
