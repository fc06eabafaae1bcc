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

/* Sounds of a move, a capture, a check, the end and a low clock, synthesized by the browser. */

/* Tones of each sound: pitch (Hz), start (s), length (s), volume. */
const SOUNDS = {
  move: [[320, 0, 0.07, 0.5]],
  capture: [[260, 0, 0.06, 0.6], [180, 0.05, 0.1, 0.6]],
  check: [[520, 0, 0.09, 0.4], [660, 0.1, 0.12, 0.4]],
  low: [[880, 0, 0.06, 0.3], [880, 0.15, 0.06, 0.3]],
  end: [[390, 0, 0.14, 0.4], [310, 0.15, 0.14, 0.4], [260, 0.3, 0.3, 0.4]],
};

let context = null;
let before = { tree: null, node: 0, isOver: false };

function knock(pitch, begin, length, volume) {
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  const at = context.currentTime + begin;
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + length);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

/* Play a sound; browsers allow it only after the user has interacted with the page. */
export function playSound(name) {
  if (!page("sounds").checked || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const one of SOUNDS[name]) knock(...one);
  page("game").dataset.sounded = name;
}

/* Play the sound of a move when the position advances by one. */
function onPosition(state) {
  const { tree, node } = state.history;
  const isStep = tree === before.tree && node && tree.nodes[node].parent === before.node;
  if (isStep) {
    const count = (id) => tree.position(id).pieces.size;
    playSound(count(node) < count(before.node) ? "capture" : "move");
  }
  before = { ...before, tree, node, isStep };
}

export function mount(state) {
  begin("pieces", page("pieces").dataset.initial, applyPieces);
  begin("tone", "light", applyTone);
  begin("wood", "wood", applyBoard);
  page("sounds").checked = keptChoice("sounds") !== "off";
  page("sounds").addEventListener("change", ({ target }) => keep("sounds", target.checked ? "on" : "off"));
  state.watch("position", () => onPosition(state));
  state.watch("answer", () => {
    const { view } = state;
    if (before.isStep && view.outcome) playSound("end");
    else if (before.isStep && view.check) playSound("check");
    before.isStep = false;
  });
}
