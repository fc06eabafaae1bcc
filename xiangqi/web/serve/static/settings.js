/* Look and sound of the board; the choices are stored in this browser. */

import { all, page } from "./page.js";
import { described, game, watch } from "./state.js";

const KEPT = { pieces: "meihua-pieces", wood: "meihua-board", sounds: "meihua-sounds" };

/* Colours of the board's parts as drawing makes them, and those of the other board. */
const JADE = {
  "#e3bf86": "#a9c2b0", "#f2dcb0": "#dbe8de", "#6b4423": "#31524a", "#c99a55": "#8fae9c",
};
const COLORED = "#empty-board *, [id^=labels-], [id^=labels-] *";

/* WXF names horse and elephant by other letters than FEN; moves on the page are WXF. */
const WESTERN = { N: "H", n: "h", B: "E", b: "e" };

/* Every piece that is drawn is a copy of a part, so that to change the part changes them all. */
function takePieces(name) {
  for (const letter of "KABNRCPkabnrcp") {
    const chosen = page(`${name}-${letter}`).cloneNode(true);
    for (const text of chosen.querySelectorAll("text")) {
      text.textContent = WESTERN[text.textContent] ?? text.textContent;
    }
    document.getElementById(`piece-${letter}`).replaceChildren(...chosen.childNodes);
  }
}

/* Attributes are changed, not styles, so that saved pictures show the same board. */
function takeBoard(name) {
  for (const element of all(COLORED)) {
    for (const key of ["fill", "stroke"]) {
      element.dataset[key] ??= element.getAttribute(key) ?? "";
      const usual = element.dataset[key];
      if (usual) element.setAttribute(key, name === "jade" ? JADE[usual] ?? usual : usual);
    }
  }
}

function keptChoice(id) {
  try {
    return localStorage.getItem(KEPT[id]);
  } catch {
    return null; // the browser keeps nothing
  }
}

function keep(id, value) {
  try {
    localStorage.setItem(KEPT[id], value);
  } catch {
    return; // it is a choice for now
  }
}

/* Use a list's choice now and whenever it changes; what was kept comes first. */
function begin(id, usual, take) {
  const kept = keptChoice(id);
  if ([...page(id).options].some(({ value }) => value === kept)) page(id).value = kept;
  if (page(id).value !== usual) take(page(id).value);
  page(id).addEventListener("change", ({ target }) => {
    take(target.value);
    keep(id, target.value);
  });
}

begin("pieces", page("pieces").dataset.usual, takePieces);
begin("wood", "wood", takeBoard);
page("sounds").checked = keptChoice("sounds") !== "off";
page("sounds").addEventListener("change", ({ target }) => keep("sounds", target.checked ? "on" : "off"));

/* Sounds of a move, a capture, a check and the end, made by the browser without files. */

/* Each is a row of knocks: pitch in hertz, when it begins and how long it lasts in seconds, volume. */
const SOUNDS = {
  move: [[320, 0, 0.07, 0.5]],
  capture: [[260, 0, 0.06, 0.6], [180, 0.05, 0.1, 0.6]],
  check: [[520, 0, 0.09, 0.4], [660, 0.1, 0.12, 0.4]],
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

/* Browsers let a page sound only after its user has touched it. */
function play(name) {
  if (!page("sounds").checked || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const one of SOUNDS[name]) knock(...one);
  page("game").dataset.sounded = name;
}

/* One step on is a move, played or shown again. */
function onPosition() {
  const { tree, node } = game.history;
  const isStep = tree === before.tree && node && tree.nodes[node].parent === before.node;
  if (isStep) {
    const count = (id) => tree.position(id).pieces.size;
    play(count(node) < count(before.node) ? "capture" : "move");
  }
  before = { ...before, tree, node, isStep };
}

watch("position", onPosition);
watch("answer", () => {
  const { view } = described;
  if (before.isStep && view.outcome) play("end");
  else if (before.isStep && view.check) play("check");
  before.isStep = false;
});
