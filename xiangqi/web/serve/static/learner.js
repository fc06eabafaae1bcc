/* Training progress of the user, stored in the browser's IndexedDB: a card for each task, mistakes of
 * own games, the rating, and the days with the puzzle of the day. It can be exported to a file and
 * imported. */

import { put, readAll } from "./database.js";
import { AGAIN, BEGINNER, countDay, dayOf, daysInRow, NO_DAYS, rate, review } from "./progress.js";

const STORES = ["cards", "own", "solver"];
const FORMAT = "meihua-learning-1";
const NEAREST = 12; // number of candidates for a new task

export const learner = {
  cards: new Map(),
  own: new Map(), // mistakes of own games
  solver: BEGINNER,
  days: NO_DAYS, // on which the puzzle of the day was solved
};

export async function recallLearner() {
  const [cards, own, kept] = await Promise.all(STORES.map(readAll));
  learner.cards = cards;
  learner.own = own;
  learner.solver = kept.get("rating") ?? BEGINNER;
  learner.days = kept.get("days") ?? NO_DAYS;
}

export const isNew = (key) => !learner.cards.has(key);
export const isDue = (key) => learner.cards.get(key)?.due <= Date.now();

/** Choose the task that has been due for longest, else a new one: one of the nearest, or any.
 * @param {[string, any][]} entries @param {(task: any) => number} [nearness]
 * @returns {[string, any] | undefined} */
export function choose(entries, nearness) {
  const due = entries.filter(([key]) => isDue(key));
  due.sort(([a], [b]) => learner.cards.get(a).due - learner.cards.get(b).due);
  if (due.length) return due[0];
  let fresh = entries.filter(([key]) => isNew(key));
  if (nearness) fresh = fresh.sort(([, a], [, b]) => nearness(a) - nearness(b)).slice(0, NEAREST);
  return fresh[Math.floor(Math.random() * fresh.length)];
}

/* Store the grade of a try; only the first try at a puzzle changes the rating. */
export async function keepGrade({ key, rating }, grade) {
  if (rating && isNew(key)) {
    learner.solver = rate(learner.solver, rating, grade !== AGAIN);
    await put("solver", "rating", learner.solver);
  }
  const card = review(learner.cards.get(key), grade, Date.now());
  learner.cards.set(key, card);
  await put("cards", key, card);
}

export async function keepMistake(key, fault) {
  learner.own.set(key, fault);
  await put("own", key, fault);
}

/* Count a day with the puzzle of the day; returns the days in a row. */
export async function keepDay(day) {
  learner.days = countDay(learner.days, day);
  await put("solver", "days", learner.days);
  return learner.days.row;
}

/* Days in a row, and whether today's puzzle is solved. */
export function countDays() {
  const today = dayOf(new Date());
  return { row: daysInRow(learner.days, today), isDone: learner.days.last === today };
}

/* Export all entries as text. */
export async function exportAll() {
  const stores = {};
  for (const name of STORES) stores[name] = Object.fromEntries(await readAll(name));
  return JSON.stringify({ format: FORMAT, ...stores });
}

/* Import entries, replacing those with the same key; returns false for an invalid file. */
export async function importAll(text) {
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    return false;
  }
  if (data?.format !== FORMAT) return false;
  for (const name of STORES) {
    for (const [key, value] of Object.entries(data[name] ?? {})) await put(name, key, value);
  }
  return true;
}
