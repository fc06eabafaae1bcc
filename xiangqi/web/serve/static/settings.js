/* Pieces, board colours and sounds; the choices are stored in the browser. */

import { all, page } from "./page.js";

const KEPT = { pieces: "meihua-pieces", tone: "meihua-tone", wood: "meihua-board", sounds: "meihua-sounds" };

/* Colours of the jade board by those of the wooden one. */
const JADE = {
  "#e3bf86": "#a9c2b0", "#f2dcb0": "#dbe8de", "#6b4423": "#31524a", "#c99a55": "#8fae9c", "#e9d0a0": "#cbdccf",
};

/* Colours of dark pieces by those of light ones: rim, face, Red's and Black's ink. */
const DARK = {
  "#c99a55": "#2b1a0e", "#7d5527": "#120a05", "#fdf4e0": "#4b2f1a", "#b01c1c": "#ffa08f", "#20242b": "#f6ecd8",
};
const COLORED = "#empty-board *, [id^=labels-], [id^=labels-] *";

/* WXF letters of horse and elephant by those of FEN, as in the moves on the page. */
const WESTERN = { N: "H", n: "h", B: "E", b: "e" };

/* Replace the sprite's pieces, of which all drawn pieces are copies. */
function applyPieces(name) {
  for (const letter of "KABNRCPkabnrcp") {
    const chosen = page(`${name}-${letter}`).cloneNode(true);
    for (const text of chosen.querySelectorAll("text")) {
      text.textContent = WESTERN[text.textContent] ?? text.textContent;
    }
    document.getElementById(`piece-${letter}`).replaceChildren(...chosen.childNodes);
  }
  if (page("tone").value !== "light") applyTone(page("tone").value); // the set has the light colours
}

/* Recolour the pieces. */
function applyTone(name) {
  recolor("[id^=piece-] *", name === "dark" ? DARK : {});
}

/* Recolour the board by attributes, which saved pictures keep (they would lose styles). */
function applyBoard(name) {
  recolor(COLORED, name === "jade" ? JADE : {});
}

/* Set the colours of elements to those that a table has for their initial ones. */
function recolor(selector, colors) {
  for (const element of all(selector)) {
    for (const key of ["fill", "stroke"]) {
      element.dataset[key] ??= element.getAttribute(key) ?? "";
      const initial = element.dataset[key];
      if (initial) element.setAttribute(key, colors[initial] ?? initial);
    }
  }
}

function keptChoice(id) {
  try {
    return localStorage.getItem(KEPT[id]);
  } catch {
    return null; // storage is disabled
  }
}

function keep(id, value) {
  try {
    localStorage.setItem(KEPT[id], value);
  } catch {
    return; // not stored
  }
}

/* Apply and store the choice of a list, beginning with the stored one. */
function begin(id, initial, apply) {
  const kept = keptChoice(id);
  if ([...page(id).options].some(({ value }) => value === kept)) page(id).value = kept;
  if (page(id).value !== initial) apply(page(id).value);
  page(id).addEventListener("change", ({ target }) => {
    apply(target.value);
    keep(id, target.value);
  });
}

export function mount() {
  begin("pieces", page("pieces").dataset.initial, applyPieces);
  begin("tone", "light", applyTone);
  begin("wood", "wood", applyBoard);
  page("sounds").checked = keptChoice("sounds") !== "off";
  page("sounds").addEventListener("change", ({ target }) => keep("sounds", target.checked ? "on" : "off"));
}
