/* Training: puzzles, repetitions to rule on, and mistakes of the user's own games.
 *
 * A task is a new game on the board; "undo" restores the previous game. `task.node` is the node where
 * the user has to move, `task.step` the number of moves of the solution that have been played. */

import { analysePosition } from "./analysis.js";
import { attempt, callApi, fetchPosition, notation, whenDescribed } from "./requests.js";
import { onClick, page, saveAs, setText } from "./page.js";
import { enterPhase } from "./phases.js";
import { put, readAll } from "./database.js";
import { AGAIN, BEGINNER, exportAll, GOOD, HARD, importAll, rate, review } from "./progress.js";
import { showMode } from "./shell.js";
import { described, game, redraw, update, watch } from "./state.js";
import { beginGame, goTo, undo } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";
import { MoveTree } from "./tree.js";

const REPLY_MS = 400; // delay of the reply to a right move
const CHECK_S = 0.7; // search time to check another move than the solution
const AS_GOOD = 0.05; // expected score that such a move may lose
const HINT = { ...ADVICE, width: 8 };
const NEAREST = 12; // number of candidates for a new puzzle, by rating nearest to the solver's

const words = page("learn").dataset;
let puzzles = null; // Map of all puzzles by key
let cycles = null; // Map of all repetitions by key
let cards = new Map();
let own = new Map();
let solver = BEGINNER;
let task = null;
let next = () => {}; // begins another task of the same kind

const fill = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
const nameSide = (side) => page("game").dataset[side];
const sideOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "red");
const keyOf = (fen) => fen.split(" ").slice(0, 2).join(" ");

// Loading

async function load() {
  const [{ puzzles: rows }, found] = await Promise.all(
    ["puzzles", "cycles"].map((name) => callApi(name, {}).then((answer) => answer.json())),
  );
  puzzles = new Map(rows.map(([fen, moves, goal, mate, rating, themes]) =>
    [keyOf(fen), { fen, moves, goal, mate, rating, themes }]));
  cycles = new Map([
    ...found.who.map((row) => [`who ${keyOf(row.fen)} ${row.moves}`, { ...row, kind: "who" }]),
    ...found.find.map((row) => [`find ${keyOf(row.fen)} ${row.moves}`, { ...row, kind: "find" }]),
  ]);
}

async function recall() {
  [cards, own] = await Promise.all([readAll("cards"), readAll("own")]);
  solver = (await readAll("solver")).get("rating") ?? BEGINNER;
}

async function prepare() {
  if (!puzzles) await load();
  await recall();
  drawState();
}

const isDue = (key) => cards.get(key)?.due <= Date.now();

function drawState() {
  const all = [...(puzzles?.keys() ?? []), ...(cycles?.keys() ?? []), ...own.keys()];
  const due = all.filter(isDue).length;
  const fresh = all.filter((key) => !cards.has(key)).length;
  page("learn-state").textContent = puzzles
    ? fill("state", { rating: Math.round(solver.rating), due, fresh }) : "";
}

/* Choose the task that has been due for longest, else a new one. */
function choose(entries, nearness) {
  const due = entries.filter(([key]) => isDue(key));
  due.sort(([a], [b]) => cards.get(a).due - cards.get(b).due);
  if (due.length) return due[0];
  const fresh = entries.filter(([key]) => !cards.has(key));
  fresh.sort(([, a], [, b]) => nearness(a) - nearness(b));
  const nearest = fresh.slice(0, NEAREST);
  return nearest[Math.floor(Math.random() * nearest.length)];
}

/* Does a puzzle show a theme? "mate-horse" is part of "mate-cannon-horse"; goals are themes, too. */
function shows({ goal, themes }, theme) {
  const [kind, piece] = theme.split("-");
  if (kind !== "mate") return goal === theme || themes.includes(theme);
  return themes.some((one) => one.startsWith("mate-") && one.split("-").includes(piece));
}

// Starting a task

function begin(fen, moves, shown, more) {
  const tree = new MoveTree({ fen });
  let node = 0;
  for (const move of moves.slice(0, shown)) node = tree.add(node, move, 0);
  task = { tree, node, step: 0, hasFailed: false, isHinted: false, isOver: false, ...more };
  const mine = task;
  enterPhase(tree, "task", () => (mine.kind === "who" || mine.isBusy ? undefined : mine.node));
  beginGame(tree, { engine: "nobody", flip: task.side === "black" });
  goTo(task.start ?? node);
  showMode("play");
  showFeedback("");
  page("task-answers").hidden = task.kind !== "who";
  page("task-hint").hidden = !task.solution;
  page("task-solution").hidden = task.kind === "who";
  page("task-why").hidden = true;
  page("task-next").classList.remove("primary");
  page("task-text").textContent = task.text;
  page("task-aside").textContent = task.aside ?? "";
}

async function beginPuzzle() {
  await prepare();
  next = beginPuzzle;
  const nearness = ({ rating }) => Math.abs((rating ?? solver.rating) - solver.rating);
  const theme = page("puzzle-theme").value;
  const all = theme ? [...puzzles].filter(([, puzzle]) => shows(puzzle, theme)) : [...puzzles, ...own];
  const found = choose(all, nearness);
  if (!found) throw new Error(words.none);
  const [key, puzzle] = found;
  if (puzzle.played) beginMistake(key, puzzle);
  else {
    const { fen, moves, goal, mate, rating } = puzzle;
    const side = sideOf(fen);
    const text = fill(`task${goal[0].toUpperCase()}${goal.slice(1)}`, { side: nameSide(side), mate });
    const aside = fill("rated", { rating });
    begin(fen, [], 0, { kind: "puzzle", key, side, text, aside, solution: moves, rating, mate });
  }
}

async function beginCycle() {
  await prepare();
  next = beginCycle;
  const [key, cycle] = choose([...cycles], () => Math.random()) ?? [];
  if (!key) throw new Error(words.none);
  const { kind, fen, moves } = cycle;
  if (kind === "who") {
    const aside = cycle.title && fill("case", { id: cycle.title.split(":")[0] });
    begin(fen, moves, cycle.shown,
      { kind, key, text: words.taskWho, aside, moves, answer: cycle.answer, start: 0 });
    await fetchPosition(task.tree, task.node); // for the names of the moves
    redraw();
    return;
  }
  const side = moves.length % 2 ? { red: "black", black: "red" }[sideOf(fen)] : sideOf(fen);
  const text = fill("taskFind", { side: nameSide(side) });
  begin(fen, moves, moves.length, { kind, key, side, text, holding: cycle.holding });
}

/* Train the mistakes of an analysed game one by one, and add them to the tasks. */
export async function startMistakes(faults) {
  await attempt(prepare, "learn-error");
  const left = [...faults];
  next = async () => {
    const fault = left.shift();
    if (!fault) {
      endTask();
      return;
    }
    const key = `own ${keyOf(fault.fen)} ${fault.moves} ${fault.played}`;
    own.set(key, fault);
    await put("own", key, fault);
    beginMistake(key, fault);
  };
  await attempt(next, "learn-error");
}

function beginMistake(key, { fen, moves, side, name, better, before, played }) {
  const text = fill("taskOwn", { side: nameSide(side), move: name });
  begin(fen, moves, moves.length,
    { kind: "own", key, side, text, solution: better.iccs.slice(0, 1), better, before, played });
}

// The user's moves

/* Judge a move: [is it right?, feedback]. */
async function judge(move, name) {
  if (task.kind === "find") {
    if (task.holding.includes(move)) return [true, fill("holds", { move: name })];
    const { outcome, status } = described.view;
    return [false, `${outcome ? status : ""} ${fill("wrong", { move: name })}`];
  }
  if (move === task.solution[task.step]) return [true, words.right];
  const isMate = task.mate && described.view.outcome?.termination === "checkmate";
  if (isMate) return [true, words.right];
  if (task.kind === "own" && move !== task.played && await isAsGood(move)) {
    return [true, fill("also", { move: name })];
  }
  return [false, fill("wrong", { move: name })];
}

/* Is a move nearly as good as the best, by short searches before and after it? */
async function isAsGood(move) {
  const { tree, node } = task;
  const moves = tree.moves(tree.path(node));
  const points = [];
  for (const line of [moves, [...moves, move]]) {
    const request = { fen: tree.fen, moves: line, lines: 1, seconds: CHECK_S, threats: false };
    let last = null;
    for await (const found of analysePosition(request)) last = found.lines[0];
    if (!last) return false;
    const [win, draw] = last.wdl;
    points.push((win + draw / 2) / 1000);
  }
  const [before, after] = task.side === "red" ? points : points.map((share) => 1 - share);
  return before - after < AS_GOOD;
}

async function onAnswer() {
  const { tree, node } = game.history;
  const isMove = task && !task.isOver && !task.isBusy && task.kind !== "who" && tree === task.tree
    && node !== task.node && tree.nodes[node].parent === task.node;
  if (!isMove) return;
  const mine = task;
  mine.isBusy = true;
  const { move } = tree.nodes[node];
  const [isRight, feedback] = await judge(move, tree.name(node, notation()));
  mine.isBusy = false;
  if (task !== mine) return;
  if (!isRight) {
    await new Promise((resolve) => { setTimeout(resolve); }); // let whenDescribed() end first
    undo();
    showFeedback(feedback, false);
    await fail();
    return;
  }
  showFeedback(feedback, true);
  task.node = node;
  task.step += 1;
  const reply = task.solution?.[task.step];
  if (!reply || described.view.outcome) {
    await finish();
    return;
  }
  setTimeout(() => {
    if (task !== mine || game.history.tree !== task.tree) return;
    game.history.play(reply);
    task.node = game.history.node;
    task.step += 1;
    update();
  }, REPLY_MS);
}

async function fail() {
  if (task.hasFailed) return;
  task.hasFailed = true;
  await keep(AGAIN);
}

async function finish() {
  task.isOver = true;
  enterPhase(task.tree, "solved");
  if (!task.hasFailed) await keep(task.isHinted ? HARD : GOOD);
  const isShown = page("task-said").textContent;
  showFeedback([isShown, task.kind === "puzzle" ? words.solved : ""].filter(Boolean).join(" "), true);
  page("task-hint").hidden = page("task-solution").hidden = true;
  page("task-why").hidden = !["who", "find"].includes(task.kind);
  page("task-next").classList.add("primary");
}

/* Store the grade; only the first try at a puzzle changes the rating. */
async function keep(grade) {
  const { key, rating } = task;
  if (rating && !cards.has(key)) {
    solver = rate(solver, rating, grade !== AGAIN);
    await put("solver", "rating", solver);
  }
  const card = review(cards.get(key), grade, Date.now());
  cards.set(key, card);
  await put("cards", key, card);
  drawState();
}

function showFeedback(text, isRight) {
  setText("task-said", text);
  page("task-said").dataset.is = isRight === undefined ? "" : isRight ? "right" : "wrong";
}

// Buttons

async function answerWho(answer) {
  if (task.isOver) return;
  const isRight = answer === task.answer;
  if (!isRight) await fail();
  const mine = task;
  await finish();
  page("task-answers").hidden = true;
  const { tree } = task;
  let node = tree.line(0).at(-1) ?? 0;
  for (const move of task.moves.slice(tree.line(0).length)) node = tree.add(node, move, 0);
  game.history.goTo(node);
  update();
  await whenDescribed();
  if (task !== mine) return;
  const why = described.view.outcome ? described.view.status : described.ruling.verdict;
  const sentence = why[0].toUpperCase() + why.slice(1);
  showFeedback(`${isRight ? words.answerRight : words.answerWrong} ${sentence}`, isRight);
}

async function solve() {
  if (!task || task.isOver) return;
  await fail();
  const { tree, node, step } = task;
  goTo(node);
  const left = task.solution ? task.solution.slice(step) : task.holding.slice(0, 1);
  task.isOver = true;
  enterPhase(tree, "solved");
  for (const move of left) game.history.play(move);
  update();
  await whenDescribed();
  const ids = tree.line(game.history.node).slice(tree.path(node).length);
  const line = task.better ? task.better[notation()].join(" ")
    : ids.map((id) => tree.name(id, notation())).join(" ");
  showFeedback(fill("was", { line }));
  page("task-hint").hidden = page("task-solution").hidden = true;
  page("task-next").classList.add("primary");
}

function hint() {
  const move = task?.solution?.[task.step];
  if (!move || task.isOver) return;
  task.isHinted = true;
  showFeedback(words.hinted);
  redraw();
}

function endTask() {
  enterPhase(task.tree, "review");
  task = null;
  drawState();
}

async function save() {
  saveAs("meihua-learning.json", new Blob([await exportAll()], { type: "application/json" }));
}

async function read([file]) {
  if (!file) return;
  if (!await importAll(await file.text())) throw new Error(words.badFile);
  await prepare();
}

const onAttempt = (id, action) => onClick(id, () => attempt(action, "learn-error"));

onAttempt("puzzle-begin", beginPuzzle);
onAttempt("cycle-begin", beginCycle);
onAttempt("task-next", () => next());
onAttempt("task-solution", solve);
onAttempt("learn-export", save);
onClick("task-hint", hint);
onClick("task-why", () => showMode("referee"));
onClick("task-end", endTask);
onClick("learn-import", () => page("learn-file").click());
page("learn-file").addEventListener("change", ({ target }) =>
  attempt(() => read(target.files), "learn-error"));
/** @type {NodeListOf<HTMLElement>} */
const answers = document.querySelectorAll("[data-answer]");
for (const button of answers) {
  button.addEventListener("click", () =>
    attempt(() => answerWho(button.dataset.answer), "learn-error"));
}
watch("answer", () => attempt(onAnswer, "learn-error"));
watch("draw", () => {
  const isHere = task?.isHinted && !task.isOver && game.history.node === task.node;
  const square = isHere ? task.solution[task.step].slice(0, 2) : null;
  drawLayer("task-hint", square, (layer) => {
    if (square) drawShape(layer, { color: "best", from: square, to: square }, HINT);
  });
});
