/* Analysis of a whole game: evaluations, marks, accuracy, and remarks on each move.
 *
 * `review` of a tree is {sides: {red, black}, plies}, stored with the game: accuracy and losses of both
 * sides, and remarks by node: {side, mark, loss, notes, better, demands, before}. Remarks are shown for
 * the move under the pointer, else for the current one. */

import { hold, jsonLines } from "./analysis.js";
import { keepEvaluation } from "./evaluations.js";
import { attempt, callApi, notation } from "./requests.js";
import { startMistakes } from "./lessons.js";
import { all, make, makeButton, onClick, page, word } from "./page.js";
import { showMode } from "./shell.js";
import { annotate, goTo, playListed } from "./steps.js";
import { drawLayer, drawShape } from "./table.js";
import { setDatum, SIGNS } from "./tree.js";

const DEPTH = 99; // nominal depth, so that a review's evaluations replace all others
const SHOWN_LOSS = 0.02; // of expected score, of a move for which a better one is shown
const TRAINED = ["??", "?"]; // marks of moves offered for training
const BETTER = { stroke: "#0c5529", dashes: "none", width: 7 };
const NAGS = new Map([...SIGNS].map(([nag, sign]) => [sign, nag]));

const words = page("review").dataset;
let search = null; // AbortController of the running analysis
let pointed = 0; // node under the pointer, 0 for none
let shown = { tree: null, content: "" }; // the remarks that are listed, and their game

function end(state) {
  search?.abort();
  search = null;
  page("review-progress").hidden = true;
  hold(state, false);
  page("review-game").textContent = words.game;
}

async function begin(state) {
  const { tree, node } = state.history;
  const line = tree.line(node);
  if (!line.length) throw new Error(words.empty);
  const mine = (search = new AbortController());
  hold(state, true);
  page("review-progress").hidden = false;
  page("review-progress").removeAttribute("value");
  page("review-game").textContent = words.stop;
  const nodes = Number(page("review-nodes").value);
  const request = { fen: tree.fen, moves: tree.moves(line), nodes };
  const answer = await callApi(state, "review", request, mine.signal);
  for await (const part of jsonLines(answer.body)) {
    if (part.searched !== undefined) page("review-progress").value = part.searched / part.positions;
    if (part.review) applyReview(state, tree, line, part.review);
  }
}

/* Store a review; its marks become part of the game, like marks set by hand. */
function applyReview(state, tree, line, review) {
  const { red, black } = review;
  const plies = Object.fromEntries(review.plies.map((ply, place) => [line[place], ply]));
  tree.keepReview({ sides: { red, black }, plies });
  if (review.first) keep(tree.nodes[0], review.first);
  const changes = [];
  for (const [key, { evaluation, mark }] of Object.entries(plies)) {
    const id = Number(key);
    if (evaluation) keep(tree.nodes[id], evaluation);
    const others = (tree.nodes[id].nags ?? []).filter((nag) => !SIGNS.has(nag));
    const nags = mark ? [NAGS.get(mark), ...others] : others;
    changes.push(...setDatum(tree, id, "nags", nags.length ? nags : undefined));
  }
  if (tree === state.history.tree) annotate(state, changes);
  state.redraw();
}

function keep(node, { red, score }) {
  keepEvaluation(node, { depth: DEPTH, lines: [{ red, score, words: "" }] });
}

export const isFault = ({ mark, demands }) => TRAINED.includes(mark)
  || (demands ?? []).some(({ kind }) => ["lost", "must_change"].includes(kind));

/* Mistakes of a side, as training positions. */
function faultsOf({ tree }, { plies }, side) {
  const faults = Object.keys(plies).map(Number).filter((id) => {
    const ply = plies[id];
    return ply.side === side && ply.better && isFault(ply);
  });
  return faults.map((id) => [id, plies[id]]).map(([id, { better, notes, before }]) => ({
    fen: tree.fen,
    moves: tree.moves(tree.path(tree.nodes[id].parent)),
    played: tree.nodes[id].move,
    name: tree.name(id, notation()),
    side, better, notes, before,
  }));
}

function drawSides(state, { sides: found, plies }) {
  const cells = {
    accuracy: ({ accuracy }) => (accuracy === null ? "-" : `${accuracy.toFixed(1)} %`),
    average_loss: (side) => (side.average_loss / 100).toFixed(2),
    marks: ({ marks }) => ["?!", "?", "??"].map((sign) => marks[sign]).join(" / "),
    mates_missed: (side) => side.mates_missed,
    rule_faults: (side) => side.rule_faults,
  };
  const sides = ["red", "black"];
  for (const [key, format] of Object.entries(cells)) {
    const [head, ...values] = all(`#reviewed [data-column="${key}"]`);
    values.forEach((cell, place) => { cell.textContent = format(found[sides[place]]); });
    head.hidden = values.every(({ textContent }) => textContent === "0");
    for (const cell of values) cell.hidden = head.hidden;
  }
  for (const side of sides) {
    const faults = faultsOf(state.history, { plies }, side);
    const button = page(`train-${side}`);
    button.hidden = faults.length === 0;
    button.textContent = words.train.replace("{count}", faults.length);
    button.ariaLabel = word(side) + word("colon") + button.textContent;
    button.onclick = () => startMistakes(state, faults);
  }
}

/* Elements with the remarks on a move, and the better line as buttons. */
function remarks(state, tree, id, { notes, better, mark, loss }) {
  const name = make("b", { textContent: `${tree.name(id, notation())}${mark ?? ""}` });
  const parts = [make("p", {}, name, " ", notes.join(" ") || words.noNotes)];
  if (better && loss >= SHOWN_LOSS) {
    const line = make("p", { title: words.better }, "→ ");
    better[notation()].forEach((text, place) => {
      const moves = better.iccs.slice(0, place + 1);
      const button = makeButton(text, () => {
        const node = tree.nodes[id].parent;
        goTo(state, node);
        playListed(state, { tree, node }, moves);
      });
      button.dataset.preview = [tree.nodes[id].parent, ...moves].join(" ");
      line.append(button, " ");
    });
    parts.push(line);
  }
  return parts;
}

/* Better move to draw: in place of the current move, or of the one under the pointer that follows. */
function betterMove(tree, known, node) {
  const isNext = pointed && tree.nodes[pointed]?.parent === node;
  const found = known?.plies[isNext ? pointed : node];
  return found?.loss >= SHOWN_LOSS ? found.better?.iccs[0] ?? null : null;
}

function drawReview(state) {
  const { tree, node } = state.history;
  const known = tree.review;
  page("reviewed").hidden = !known;
  const id = known?.plies[pointed] ? pointed : node;
  const found = known?.plies[id];
  const content = JSON.stringify([tree.version, id, found, notation()]);
  const best = state.mode === "analyse" ? betterMove(tree, known, node) : null;
  drawLayer(state, "better", best, (layer) => {
    const shape = { color: "best", from: best?.slice(0, 2), to: best?.slice(2, 4) };
    if (best) drawShape(state, layer, shape, BETTER);
  });
  page("review-notes").hidden = !known;
  if (!known || (tree === shown.tree && content === shown.content)) return;
  shown = { tree, content };
  drawSides(state, known);
  page("review-notes").replaceChildren(...(found ? remarks(state, tree, id, found) : []));
}

async function toggleReview(state) {
  const isOver = !search;
  end(state);
  if (!isOver) return;
  await attempt(() => begin(state), "review-error");
  end(state);
}

export function mount(state) {
  onClick("review-game", () => toggleReview(state));
  onClick("review-now", () => {
    showMode(state, "analyse");
    if (!search && !state.history.tree.review) toggleReview(state);
  });
  page("moves").addEventListener("pointerover", ({ target }) => {
    pointed = Number(target.closest("[data-node]")?.dataset.node ?? 0);
    state.redraw();
  });
  page("moves").addEventListener("pointerleave", () => {
    pointed = 0;
    state.redraw();
  });
  state.watch("draw", () => drawReview(state));
  addEventListener("pagehide", () => end(state));
}
