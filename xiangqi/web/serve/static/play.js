/* What the user does on the page. */
"use strict";

const PAGE_KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
const FIELDS = "input:not([type=checkbox], [type=file]), select, textarea";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/* A square is chosen: a piece to move, its target, or neither. */
async function choose(square) {
  game.cursor = square;
  if (!view) await attempt(known);
  if (!view) return; // it could not be asked for
  if (game.chosen && targetsOf(view, game.chosen).includes(square)) {
    play(game.chosen + square);
    return;
  }
  const why = view.barred[game.chosen + square];
  if (why) setText("error", why);
  const hasMoves = targetsOf(view, square).length || barredOf(view, square).length;
  game.chosen = square !== game.chosen && hasMoves ? square : null;
  draw();
}

function moveCursor(key) {
  const [right, up] = STEPS[key];
  const sign = game.flip ? -1 : 1;
  const file = FILES.indexOf(game.cursor[0]) + sign * right;
  const rank = Number(game.cursor[1]) + sign * up;
  if (file >= 0 && file < 9 && rank >= 0 && rank < 10) game.cursor = FILES[file] + rank;
  draw();
  page("here").textContent = view?.pieces[game.cursor] || game.cursor; // to be read out
}

/* Whoever came to the board by keyboard moves a frame on it; a click on it does not bring focus. */
function onBoardKey(event) {
  if (event.key in STEPS) moveCursor(event.key);
  else if (event.key === "Enter" || event.key === " ") choose(game.cursor);
  else if (event.key === "Escape" && game.chosen) choose(game.chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/* Elsewhere on the page they step through the game, unless they belong to a field. */
function onPageKey(event) {
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!isPlain || !(event.key in PAGE_KEYS) || event.target.closest(FIELDS)) return;
  event.preventDefault();
  step(PAGE_KEYS[event.key]);
}

function onClick(id, action) {
  page(id).addEventListener("click", action);
}

function onSubmit(id, action) {
  page(id).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(action);
  });
}

/* Not "click": that is lost where the board is drawn anew before the button is let go. */
page("table").addEventListener("mousedown", (event) => {
  if (event.button !== 0) return;
  event.preventDefault();
  document.activeElement.blur();
  const square = squareAt(page("table"), event.clientX, event.clientY, game.flip);
  if (square) choose(square);
});
page("table").addEventListener("keydown", onBoardKey);
document.addEventListener("keydown", onPageKey);

for (const where of Object.keys(STEPPING)) onClick(where, () => step(where));
onClick("undo", undo);
onClick("redo", redo);
onClick("flip", () => {
  game.flip = !game.flip;
  keepGame();
  draw();
});
onClick("new-game", () => attempt(() => setUp(page("game").dataset.start)));
onClick("cycle", () => {
  const { tree, node } = game.history;
  goTo([0, ...tree.line(node)][cycleOf(ruling)[0]]);
});
onClick("copy", () => attempt(() => navigator.clipboard.writeText(ruling.case)));
onClick("download", () => attempt(savePgn));
onClick("engine-move", think);
onClick("stop", hurry);
page("arrows").addEventListener("change", draw);
page("notation").addEventListener("change", () => {
  draw();
  update();
});
page("rules").addEventListener("change", () => {
  game.rules = page("rules").value;
  update();
});
page("books-details").addEventListener("toggle", compareBooks);
page("seconds").addEventListener("change", ({ target }) => {
  if (target.value || target.validity.badInput) readSeconds();
});
page("files").addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (event.target.closest("button")) attempt(() => closeFile(item));
});
page("engine").addEventListener("change", () => seatEngine(page("engine").value));
onSubmit("move-form", async () => {
  await typeMove(page("move").value);
  page("move").value = "";
});
onSubmit("fen-form", () => setUp(page("fen").value));
onSubmit("paste-form", () => readGame(page("paste").value));
page("file").addEventListener("change", () => {
  const [file] = page("file").files;
  if (file) attempt(() => openFile(file));
});

attempt(async () => {
  const { start, rules } = page("game").dataset;
  const place = new URLSearchParams(location.search).get("game");
  const fresh = new GameHistory(new MoveTree({ fen: start }));
  Object.assign(game, { history: fresh, rules }, keptGame());
  page("rules").value = game.rules;
  game.rules = page("rules").value || rules;
  await update();
  if (!place) return;
  history.replaceState(null, "", `?lang=${LANG}`); // a reload shows what has become of the game
  await fetchGame(place);
});
