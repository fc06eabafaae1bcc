/* Training: puzzles, repetitions to rule on, openings, and mistakes of the user's own games.
 *
 * A task is a new game on the board; "undo" restores the previous game. `task.node` is the node where
 * the user has to move, `task.step` the number of moves of the solution that have been played. */

import { analysePosition } from "./analysis.js";
import { attempt, callApi, fetchPosition, notation, whenDescribed } from "./requests.js";
import { fill, onClick, page, saveAs, setText } from "./page.js";
import {
  choose, countDays, exportAll, importAll, isDue, isNew, keepDay, keepGrade, keepMistake, learner, recallLearner,
} from "./learner.js";
import { AGAIN, dayOf, GOOD, HARD, puzzleOfDay } from "./progress.js";
import { showMode } from "./shell.js";
import { beginGame, goTo, undo } from "./steps.js";
import { ADVICE, drawLayer, drawShape } from "./table.js";
import { MoveTree } from "./tree.js";

const REPLY_MS = 400; // delay of the reply to a right move
const CHECK_S = 0.7; // search time to check another move than the solution
const AS_GOOD = 0.05; // expected score that such a move may lose
const HINT = { ...ADVICE, width: 8 };

const words = page("learn").dataset;
let puzzles = null; // Map of all puzzles by key
let cycles = null; // Map of all repetitions by key
let openings = null; // Map of all openings by key
let task = null;
let next = () => {}; // begins another task of the same kind

const say = (name, values = {}) => fill(words[name], values);
const nameSide = (side) => page("game").dataset[side];
const sideOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "red");
const keyOf = (fen) => fen.split(" ").slice(0, 2).join(" ");

// Loading

async function load(state) {
  const [{ puzzles: rows }, found, { lines }] = await Promise.all(["puzzles", "cycles", "lines"]
    .map((name) => callApi(state, name, {}).then((answer) => answer.json())));
  puzzles = new Map(rows.map(([fen, moves, goal, mate, rating, themes]) =>
    [keyOf(fen), { fen, moves, goal, mate, rating, themes }]));
  cycles = new Map([
    ...found.who.map((row) => [`who ${keyOf(row.fen)} ${row.moves}`, { ...row, kind: "who" }]),
    ...found.find.map((row) => [`find ${keyOf(row.fen)} ${row.moves}`, { ...row, kind: "find" }]),
  ]);
  openings = new Map(lines.flatMap((row) =>
    ["red", "black"].map((side) => [`opening ${side} ${row.code}`, { ...row, side }])));
}

async function prepare(state) {
  if (!puzzles) await load(state);
  await recallLearner();
  drawState();
}

function drawState() {
  const all = [puzzles, cycles, openings, learner.own].flatMap((tasks) => [...(tasks?.keys() ?? [])]);
  const [due, fresh] = [isDue, isNew].map((holds) => all.filter(holds).length);
  page("learn-state").textContent = puzzles
    ? say("state", { rating: Math.round(learner.solver.rating), due, fresh }) : "";
  const { row, isDone } = countDays();
  page("daily-state").textContent = row ? `${isDone ? "\u2713 " : ""}${say("days", { days: row })}` : "";
}

/* Does a puzzle show a theme? "mate-horse" is part of "mate-cannon-horse"; goals are themes, too. */
function shows({ goal, themes }, theme) {
  const [kind, piece] = theme.split("-");
  if (kind !== "mate") return goal === theme || themes.includes(theme);
  return themes.some((one) => one.startsWith("mate-") && one.split("-").includes(piece));
}

// Starting a task

function begin(state, fen, moves, shown, more) {
  const tree = new MoveTree({ fen });
  let node = 0;
  for (const move of moves.slice(0, shown)) node = tree.add(node, move, 0);
  task = { tree, node, step: 0, hasFailed: false, isHinted: false, isOver: false, ...more };
  const mine = task;
  state.enterPhase(tree, "task", () => (mine.kind === "who" || mine.isBusy ? undefined : mine.node));
  beginGame(state, tree, { engine: "nobody", flip: task.side === "black" });
  goTo(state, task.start ?? node);
  showMode(state, "play");
  showFeedback("");
  page("task-answers").hidden = task.kind !== "who";
  page("task-hint").hidden = !task.solution;
  page("task-solution").hidden = task.kind === "who";
  page("task-why").hidden = true;
  page("task-next").classList.remove("primary");
  page("task-text").textContent = task.text;
  page("task-aside").textContent = task.aside ?? "";
}

async function beginPuzzle(state) {
  await prepare(state);
  next = () => beginPuzzle(state);
  const nearness = ({ rating }) => Math.abs((rating ?? learner.solver.rating) - learner.solver.rating);
  const theme = page("puzzle-theme").value;
  const all = theme ? [...puzzles].filter(([, puzzle]) => shows(puzzle, theme)) : [...puzzles, ...learner.own];
  const found = choose(all, nearness);
  if (!found) throw new Error(words.none);
  const [key, puzzle] = found;
  if (puzzle.played) beginMistake(state, key, puzzle);
  else setPuzzle(state, key, puzzle);
}

/* Set the puzzle that everybody has today; others follow. */
async function beginDaily(state) {
  await prepare(state);
  next = () => beginPuzzle(state);
  const day = dayOf(new Date());
  const [key, puzzle] = puzzleOfDay([...puzzles], day);
  setPuzzle(state, key, puzzle, { day });
}

function setPuzzle(state, key, { fen, moves, goal, mate, rating }, more = {}) {
  const side = sideOf(fen);
  const text = say(`task${goal[0].toUpperCase()}${goal.slice(1)}`, { side: nameSide(side), mate });
  const aside = say("rated", { rating });
  begin(state, fen, [], 0, { kind: "puzzle", key, side, text, aside, solution: moves, rating, mate, ...more });
}

async function beginCycle(state) {
  await prepare(state);
  next = () => beginCycle(state);
  const [key, cycle] = choose([...cycles]) ?? [];
  if (!key) throw new Error(words.none);
  const { kind, fen, moves } = cycle;
  if (kind === "who") {
    const aside = cycle.title && say("case", { id: cycle.title.split(":")[0] });
    begin(state, fen, moves, cycle.shown,
      { kind, key, text: words.taskWho, aside, moves, answer: cycle.answer, start: 0 });
    await fetchPosition(state, task.tree, task.node); // for the names of the moves
    state.redraw();
    return;
  }
  const side = moves.length % 2 ? { red: "black", black: "red" }[sideOf(fen)] : sideOf(fen);
  const text = say("taskFind", { side: nameSide(side) });
  begin(state, fen, moves, moves.length, { kind, key, side, text, holding: cycle.holding });
}

/* Play an opening of the levels' book, with arrows at the first time. */
async function beginOpening(state) {
  await prepare(state);
  next = () => beginOpening(state);
  const [key, opening] = choose([...openings]) ?? [];
  if (!key) throw new Error(words.none);
  const { name, side } = opening;
  const shown = side === "red" ? 0 : 1;
  const lines = opening.moves.map((line) => line.slice(0, line.length - ((line.length - shown + 1) % 2)));
  const line = lines[Math.floor(Math.random() * lines.length)];
  const text = say("taskOpening", { opening: name, side: nameSide(side) });
  begin(state, page("game").dataset.start, line, shown, {
    kind: "opening", key, side, text, lines, shown, solution: line.slice(shown), isGuided: isNew(key),
  });
}

/* Train the mistakes of an analysed game one by one, and add them to the tasks. */
export async function startMistakes(state, faults) {
  await attempt(() => prepare(state), "learn-error");
  const left = [...faults];
  next = async () => {
    const fault = left.shift();
    if (!fault) {
      endTask(state);
      return;
    }
    const key = `own ${keyOf(fault.fen)} ${fault.moves} ${fault.played}`;
    await keepMistake(key, fault);
    beginMistake(state, key, fault);
  };
  await attempt(next, "learn-error");
}

function beginMistake(state, key, { fen, moves, side, name, better, before, played }) {
  const text = say("taskOwn", { side: nameSide(side), move: name });
  begin(state, fen, moves, moves.length,
    { kind: "own", key, side, text, solution: better.iccs.slice(0, 1), better, before, played });
}

// The user's moves

/* Judge a move: [is it right?, feedback]. */
async function judge(state, move, name) {
  if (task.kind === "find") {
    if (task.holding.includes(move)) return [true, say("holds", { move: name })];
    const { outcome, status } = state.view;
    return [false, `${outcome ? status : ""} ${say("wrong", { move: name })}`];
  }
  if (task.kind === "opening") {
    const { tree, node } = state.history;
    const played = tree.moves(tree.path(node));
    const line = task.lines.find((one) => played.every((each, ply) => one[ply] === each));
    task.solution = line?.slice(task.shown) ?? task.solution;
    task.isGuided ||= !line;
    return [Boolean(line), line ? words.right : say("off", { move: name })];
  }
  if (move === task.solution[task.step]) return [true, words.right];
  const isMate = task.mate && state.view.outcome?.termination === "checkmate";
  if (isMate) return [true, words.right];
  if (task.kind === "own" && move !== task.played && await isAsGood(state, move)) {
    return [true, say("also", { move: name })];
  }
  return [false, say("wrong", { move: name })];
}

/* Is a move nearly as good as the best, by short searches before and after it? */
async function isAsGood(state, move) {
  const { tree, node } = task;
  const moves = tree.moves(tree.path(node));
  const points = [];
  for (const line of [moves, [...moves, move]]) {
    const request = { fen: tree.fen, moves: line, lines: 1, seconds: CHECK_S, threats: false };
    let last = null;
    for await (const found of analysePosition(state, request)) last = found.lines[0];
    if (!last) return false;
    const [win, draw] = last.wdl;
    points.push((win + draw / 2) / 1000);
  }
  const [before, after] = task.side === "red" ? points : points.map((share) => 1 - share);
  return before - after < AS_GOOD;
}

async function onAnswer(state) {
  const { tree, node } = state.history;
  const isMove = task && !task.isOver && !task.isBusy && task.kind !== "who" && tree === task.tree
    && node !== task.node && tree.nodes[node].parent === task.node;
  if (!isMove) return;
  const mine = task;
  mine.isBusy = true;
  const { move } = tree.nodes[node];
  const [isRight, feedback] = await judge(state, move, tree.name(node, notation()));
  mine.isBusy = false;
  if (!isOpen(state, mine)) return;
  if (!isRight) {
    await new Promise((resolve) => { setTimeout(resolve); }); // let whenDescribed() end first
    if (!isOpen(state, mine)) return;
    undo(state);
    showFeedback(feedback, false);
    await fail();
    return;
  }
  showFeedback(feedback, true);
  task.node = node;
  task.step += 1;
  const reply = task.solution?.[task.step];
  if (!reply || state.view.outcome) {
    await finish(state);
    return;
  }
  setTimeout(() => {
    if (!isOpen(state, mine)) return;
    state.history.play(reply);
    task.node = state.history.node;
    task.step += 1;
    state.update();
  }, REPLY_MS);
}

/* Is a task still the present one, and on the board? Both may change while something is awaited. */
function isOn(state, mine) {
  return task === mine && state.history.tree === mine.tree;
}

/* Is a task on the board and not yet solved? */
function isOpen(state, mine) {
  return isOn(state, mine) && !mine.isOver;
}

async function fail() {
  if (task.hasFailed) return;
  task.hasFailed = true;
  await keepGrade(task, AGAIN);
  drawState();
}

async function finish(state) {
  const mine = task;
  mine.isOver = true;
  state.enterPhase(mine.tree, "solved");
  const said = [page("task-said").textContent, mine.kind === "puzzle" ? words.solved : ""];
  if (mine.day) said.push(say("days", { days: await keepDay(mine.day) }));
  if (mine.isGuided) said.push(words.again);
  if (!mine.hasFailed) await keepGrade(mine, mine.isGuided ? AGAIN : mine.isHinted ? HARD : GOOD);
  drawState();
  if (task !== mine) return;
  showFeedback(said.filter(Boolean).join(" "), true);
  page("task-answers").hidden = page("task-hint").hidden = page("task-solution").hidden = true;
  page("task-why").hidden = !["who", "find"].includes(mine.kind);
  page("task-next").classList.add("primary");
}

function showFeedback(text, isRight) {
  setText("task-said", text);
  page("task-said").dataset.is = isRight === undefined ? "" : isRight ? "right" : "wrong";
}

// Buttons

async function answerWho(state, answer) {
  if (task?.kind !== "who" || task.isOver) return;
  const mine = task;
  const isRight = answer === mine.answer;
  if (!isRight) await fail();
  if (!isOpen(state, mine)) return;
  await finish(state);
  if (!isOn(state, mine)) return;
  const { tree } = mine;
  let node = tree.line(0).at(-1) ?? 0;
  for (const move of mine.moves.slice(tree.line(0).length)) node = tree.add(node, move, 0);
  state.history.goTo(node);
  state.update();
  await whenDescribed(state);
  if (!isOn(state, mine)) return;
  const why = state.view.outcome ? state.view.status : state.ruling.verdict;
  const sentence = why[0].toUpperCase() + why.slice(1);
  showFeedback(`${isRight ? words.answerRight : words.answerWrong} ${sentence}`, isRight);
}

async function solve(state) {
  if (!task || task.isOver) return;
  const mine = task;
  const { tree, node, step } = mine;
  await fail();
  if (!isOpen(state, mine)) return;
  goTo(state, node);
  const left = mine.solution ? mine.solution.slice(step) : mine.holding.slice(0, 1);
  mine.isOver = true;
  state.enterPhase(tree, "solved");
  for (const move of left) state.history.play(move);
  state.update();
  await whenDescribed(state);
  if (!isOn(state, mine)) return;
  const ids = tree.line(state.history.node).slice(tree.path(node).length);
  const line = mine.better ? mine.better[notation()].join(" ")
    : ids.map((id) => tree.name(id, notation())).join(" ");
  showFeedback(say("was", { line }));
  page("task-hint").hidden = page("task-solution").hidden = true;
  page("task-next").classList.add("primary");
}

function hint(state) {
  const move = task?.solution?.[task.step];
  if (!move || task.isOver) return;
  task.isHinted = true;
  showFeedback(words.hinted);
  state.redraw();
}

function endTask(state) {
  if (!task) return; // the second of two clicks
  state.enterPhase(task.tree, "review");
  task = null;
  drawState();
}

async function save() {
  saveAs("meihua-learning.json", new Blob([await exportAll()], { type: "application/json" }));
}

async function read(state, [file]) {
  if (!file) return;
  if (!await importAll(await file.text())) throw new Error(words.badFile);
  await prepare(state);
}

const onAttempt = (id, action) => onClick(id, () => attempt(action, "learn-error"));

/** @type {NodeListOf<HTMLElement>} */
const answers = document.querySelectorAll("[data-answer]");

export function mount(state) {
  attempt(() => recallLearner().then(drawState), "learn-error");
  onAttempt("daily-begin", () => beginDaily(state));
  onAttempt("puzzle-begin", () => beginPuzzle(state));
  onAttempt("cycle-begin", () => beginCycle(state));
  onAttempt("opening-begin", () => beginOpening(state));
  onAttempt("task-next", () => next());
  onAttempt("task-solution", () => solve(state));
  onAttempt("learn-export", save);
  onClick("task-hint", () => hint(state));
  onClick("task-why", () => showMode(state, "referee"));
  onClick("task-end", () => endTask(state));
  onClick("learn-import", () => page("learn-file").click());
  page("learn-file").addEventListener("change", ({ target }) =>
    attempt(() => read(state, target.files), "learn-error"));
  for (const button of answers) {
    button.addEventListener("click", () =>
      attempt(() => answerWho(state, button.dataset.answer), "learn-error"));
  }
  state.watch("answer", () => attempt(() => onAnswer(state), "learn-error"));
  state.watch("draw", () => {
    const isHere = (task?.isHinted || task?.isGuided) && !task.isOver && state.history.node === task.node;
    const move = isHere ? task.solution[task.step] : "";
    const [from, to] = [move.slice(0, 2), move.slice(task?.isGuided ? 2 : 0).slice(0, 2)];
    drawLayer(state, "task-hint", from + to, (layer) => {
      if (isHere) drawShape(state, layer, { color: "best", from, to }, HINT);
    });
  });
}
