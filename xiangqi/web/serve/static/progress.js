/* Review schedule of tasks, the user's rating, and the puzzle of the day. Independent of the page and
 * the server.
 *
 * The schedule is FSRS 4.5 with its default weights: a memory has a stability S, the days after
 * which it is recalled with 90 %, and a difficulty D from 1 to 10
 * (https://github.com/open-spaced-repetition/fsrs4anki/wiki/The-Algorithm). The rating is Glicko,
 * with the puzzle as the opponent (https://www.glicko.net/glicko/glicko.pdf). */

export const AGAIN = 1; // grades: not solved,
export const HARD = 2; // solved with a hint,
export const GOOD = 3; // solved without help

const W = [0.4872, 1.4003, 3.7145, 13.8206, 5.1618, 1.2298, 0.8975, 0.031, 1.6474, 0.1367, 1.0461,
  2.1072, 0.0793, 0.3246, 1.587, 0.2272, 2.8755];
const FACTOR = 19 / 81;
const DECAY = -0.5;
const DAY_MS = 86_400_000;
const MIN_STABILITY = 0.1; // days

const within = (low, high, number) => Math.min(Math.max(number, low), high);
const firstDifficulty = (grade) => within(1, 10, W[4] - (grade - 3) * W[5]);

/** Probability of recall after some days.
 * @param {number} days @param {number} stability */
export const recall = (days, stability) => (1 + (FACTOR * days) / stability) ** DECAY;

/** Update the memory state after a try; `before` is null at the first one.
 * @param {{stability: number, difficulty: number} | null} before
 * @param {number} grade @param {number} days since the previous try */
export function remember(before, grade, days) {
  if (!before) return { stability: W[grade - 1], difficulty: firstDifficulty(grade) };
  const { stability: s, difficulty: d } = before;
  const r = recall(days, s);
  const stability = grade === AGAIN
    ? Math.min(s, W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * Math.exp(W[14] * (1 - r)))
    : s * (1 + Math.exp(W[8]) * (11 - d) * s ** -W[9] * (Math.exp(W[10] * (1 - r)) - 1)
      * (grade === HARD ? W[15] : 1));
  const moved = d - W[6] * (grade - 3);
  const difficulty = within(1, 10, W[7] * W[4] + (1 - W[7]) * moved);
  return { stability: Math.max(stability, MIN_STABILITY), difficulty };
}

/** Update a puzzle's card after a try: its memory state and the time when it is `due` (ms). A puzzle
 * that was not solved is due after half an hour.
 * @param {{stability: number, difficulty: number, seen: number} | undefined} card
 * @param {number} grade @param {number} now */
export function review(card, grade, now) {
  const days = card ? Math.max(0, now - card.seen) / DAY_MS : 0;
  const memory = remember(card ?? null, grade, days);
  const wait = grade === AGAIN ? DAY_MS / 48 : Math.max(1, Math.round(memory.stability)) * DAY_MS;
  return { ...memory, seen: now, due: now + wait };
}

// The user's rating

export const BEGINNER = { rating: 1200, deviation: 350 };
const Q = Math.log(10) / 400;
const PUZZLE_DEVIATION = 100; // rating deviation of puzzles
const MIN_DEVIATION = 50;

/** Update the user's rating after a puzzle.
 * @param {{rating: number, deviation: number}} solver
 * @param {number} puzzle @param {boolean} isSolved */
export function rate({ rating, deviation }, puzzle, isSolved) {
  const g = 1 / Math.sqrt(1 + (3 * Q ** 2 * PUZZLE_DEVIATION ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-g * (rating - puzzle)) / 400));
  const information = Q ** 2 * g ** 2 * expected * (1 - expected);
  const precision = 1 / deviation ** 2 + information;
  return {
    rating: rating + (Q / precision) * g * (Number(isSolved) - expected),
    deviation: Math.max(MIN_DEVIATION, Math.sqrt(1 / precision)),
  };
}

// The puzzle of the day

const EASY = [900, 1500]; // ratings of such puzzles
const STRIDE = 1009; // a prime: neighbours in the file are from the same game

/** Days on which the puzzle of the day was solved: the `last`, and how many in a `row` until then.
 * @typedef {{last: number, row: number}} Days */
/** @type {Days} */
export const NO_DAYS = { last: 0, row: 0 };

/** Number of a day, by the local clock.
 * @param {Date} date */
export const dayOf = (date) => Math.floor((date.getTime() / 60_000 - date.getTimezoneOffset()) / 1440);

/** Choose the puzzle of a day, the same for everybody; none comes again before all have come.
 * @template {[string, {rating: number}]} T
 * @param {T[]} puzzles @param {number} day @returns {T} */
export function puzzleOfDay(puzzles, day) {
  const easy = puzzles.filter(([, { rating }]) => rating >= EASY[0] && rating < EASY[1]);
  const all = easy.length ? easy : puzzles;
  return all[(day * STRIDE) % all.length];
}

/** Days in a row that still count on a day: of today and yesterday.
 * @param {Days} days @param {number} today */
export const daysInRow = ({ last, row }, today) => (last >= today - 1 ? row : 0);

/** Count a day on which the puzzle was solved, once.
 * @param {Days} days @param {number} day @returns {Days} */
export function countDay(days, day) {
  if (days.last === day) return days;
  return { last: day, row: daysInRow(days, day) + 1 };
}
