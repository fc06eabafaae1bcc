/* What the user does on the page. */
"use strict";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/* A square is chosen: a piece to move, its target, or neither. */
function choose(square) {
  game.cursor = square;
  if (game.chosen && targetsOf(view, game.chosen).includes(square)) {
    play(game.chosen + square);
    return;
  }
  game.chosen = square !== game.chosen && targetsOf(view, square).length ? square : null;
  draw();
}

function moveCursor(key) {
  const [right, up] = STEPS[key];
  const sign = game.flip ? -1 : 1;
  const file = FILES.indexOf(game.cursor[0]) + sign * right;
  const rank = Number(game.cursor[1]) + sign * up;
  if (file >= 0 && file < 9 && rank >= 0 && rank < 10) game.cursor = FILES[file] + rank;
  draw();
  page("here").textContent = view.pieces[game.cursor] || game.cursor; // to be read out
}

function onBoardKey(event) {
  if (event.key in STEPS) moveCursor(event.key);
  else if (event.key === "Enter" || event.key === " ") choose(game.cursor);
  else if (event.key === "Escape" && game.chosen) choose(game.chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/* Elsewhere on the page the arrow keys step through the game, unless they belong to a field. */
function onPageKey(event) {
  if (event.target.closest("input, select, textarea, summary") || event.altKey || event.ctrlKey) return;
  const steps = {
    ArrowLeft: game.ply - 1, ArrowRight: game.ply + 1, Home: 0, End: game.moves.length,
  };
  if (!(event.key in steps)) return;
  event.preventDefault();
  goTo(steps[event.key]);
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

page("table").addEventListener("click", (event) => {
  const square = squareAt(page("table"), event.clientX, event.clientY, game.flip);
  if (square) choose(square);
});
page("table").addEventListener("keydown", onBoardKey);
document.addEventListener("keydown", onPageKey);

onClick("first", () => goTo(0));
onClick("previous", () => goTo(game.ply - 1));
onClick("next", () => goTo(game.ply + 1));
onClick("last", () => goTo(game.moves.length));
onClick("undo", undo);
onClick("flip", () => {
  game.flip = !game.flip;
  keepGame();
  draw();
});
onClick("new-game", () => attempt(() => setUp(page("game").dataset.start)));
onClick("cycle", () => goTo(cycleOf(ruling)[0]));
onClick("copy", () => attempt(() => navigator.clipboard.writeText(ruling.case)));
onClick("download", () => attempt(savePgn));
onClick("engine-move", think);
onClick("stop", stopThinking);
page("arrows").addEventListener("change", draw);
page("notation").addEventListener("change", draw);
page("rules").addEventListener("change", () =>
  attempt(() => setGame({ rules: page("rules").value })),
);
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
  try {
    await setGame({ fen: start, rules, ...keptGame() });
  } catch {
    await setGame({ fen: start, rules, moves: [], ply: 0 }); // what was kept is no game here
  }
  if (!place) return;
  history.replaceState(null, "", `?lang=${LANG}`); // a reload shows what has become of the game
  await fetchGame(place);
});
