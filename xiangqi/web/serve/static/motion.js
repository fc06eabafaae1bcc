/* Whether things on the board move, or are there at once. */

import { watch } from "./state.js";

const QUICK = 200; // who steps faster, in milliseconds, has no use for it
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
let last = -Infinity;
let isQuick = false;

export function isLively() {
  return !isStill.matches && !isQuick;
}

watch("position", () => {
  const now = performance.now();
  isQuick = now - last < QUICK;
  last = now;
});
