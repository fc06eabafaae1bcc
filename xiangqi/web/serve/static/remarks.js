/* Comments hold more than words: shapes drawn on the board and evaluations, as chess programs
 * write them. `[%csl Ra0,Ge4]` are circles, `[%cal Gh2e2]` arrows, by the first letters of green,
 * red, yellow and blue, on squares as in h2e2; `[%eval -0.35,18]` and `[%eval #3]` are what the
 * position is worth to Red, in soldiers, and in how many moves he mates; `[%meihua 1a2b3c4d]` seals
 * what an analysis has added. */

const SHAPES = /\s*\[%(?:csl|cal)\s+([GRYB][a-i0-9]+(?:\s*,\s*[GRYB][a-i0-9]+)*)\s*\]\s*/g;
const EVALUATION = /\s*\[%eval\s+(?:#([+-]?\d{1,6})|([+-]?(?:\d+\.?\d*|\.\d+)))(?:,\d+)?\s*\]\s*/;
const SEAL = /\s*\[%meihua [0-9a-f]{8}(?: \d{1,3})?\]\s*/;
const COMMANDS = new RegExp(`${SHAPES.source}|${EVALUATION.source}|${SEAL.source}`, "g");
const SHAPE = /^([GRYB])([a-i]\d)([a-i]\d)?$/;
const MATE = 30000; // as far from any other score as any engine has it

/* Split a comment into `words`, `shapes` and, where it has one, the `evaluation`. */
export function readRemark(comment = "") {
  const shapes = [...comment.matchAll(SHAPES)].flatMap(([, list]) =>
    list.split(",").map((text) => SHAPE.exec(text.trim())).filter(Boolean).map(readShape));
  const words = comment.replace(COMMANDS, " ").trim();
  return { words, shapes, evaluation: readEvaluation(comment) };
}

/** @param {string[]} found */
function readShape([, color, from, to = from]) {
  return { color, from, to };
}

function readEvaluation(comment) {
  const found = EVALUATION.exec(comment);
  if (!found) return null;
  const [, mate, soldiers] = found;
  if (mate === undefined) return { red: Math.round(100 * Number(soldiers)), mate: null };
  const moves = Number(mate);
  return { red: mate.startsWith("-") ? -MATE - moves : MATE - moves, mate: moves };
}

/* The comment with other words. */
export function withWords(comment = "", words = "") {
  const commands = [...comment.matchAll(COMMANDS)].map(([command]) => command.trim());
  return [...commands, words].filter(Boolean).join(" ");
}

/* The comment with another evaluation. */
export function withEvaluation(comment = "", text) {
  return [`[%eval ${text}]`, comment.replace(EVALUATION, " ").trim()].filter(Boolean).join(" ");
}

/* The comment with other shapes. */
export function withShapes(comment = "", shapes = []) {
  const write = (name, list) => (list.length ? `[%${name} ${list.join(",")}]` : "");
  const named = (wanted) => shapes.filter(wanted).map(({ color, from, to }) =>
    color + from + (from === to ? "" : to));
  const circles = write("csl", named(({ from, to }) => from === to));
  const arrows = write("cal", named(({ from, to }) => from !== to));
  const rest = comment.replace(SHAPES, " ").trim();
  return [circles + arrows, rest].filter(Boolean).join(" ");
}
