/* Sounds of a move, a capture, a check, the end and a low clock, synthesized by the browser. */

import { page } from "./page.js";

/* Tones of each sound: pitch (Hz), start (s), length (s), volume. */
const SOUNDS = {
  move: [[320, 0, 0.07, 0.5]],
  capture: [[260, 0, 0.06, 0.6], [180, 0.05, 0.1, 0.6]],
  check: [[520, 0, 0.09, 0.4], [660, 0.1, 0.12, 0.4]],
  low: [[880, 0, 0.06, 0.3], [880, 0.15, 0.06, 0.3]],
  end: [[390, 0, 0.14, 0.4], [310, 0.15, 0.14, 0.4], [260, 0.3, 0.3, 0.4]],
};

const REST_MS = 30_000; // after the last sound; until then the browser computes silence

let context = null;
let resting = 0; // timer after which the browser computes no sound
let before = { tree: null, node: 0 };

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
  context.resume();
  clearTimeout(resting);
  resting = setTimeout(() => context.suspend(), REST_MS);
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
  state.watch("position", () => onPosition(state));
  state.watch("answer", () => {
    const { view } = state;
    if (before.isStep && view.outcome) playSound("end");
    else if (before.isStep && view.check) playSound("check");
    before.isStep = false;
  });
}
