/* The page of a game: show its positions by slider, buttons, keys, table of moves and #ply=12;
 * #frame=34 is a position of a variation. */
const frames = JSON.parse(document.getElementById("frames")?.textContent ?? "[]");
const toCycle = document.getElementById("to-cycle");
const slider = document.getElementById("slider");
const last = Number(slider?.max); // of the main line; later frames are those of variations
let shown = 0;
let flip = false;

function show(wanted) {
  shown = Math.min(Math.max(wanted, 0), frames.length - 1);
  const frame = frames[shown];
  const ply = frame.ply ?? shown;
  const board = document.getElementById("board");
  drawBoard(board, frame.fen, { ...frame, flip, labels: board.dataset.labels });
  board.dataset.ply = ply;
  slider.value = ply;
  document.getElementById("where").textContent = `${ply} / ${last}`;
  for (const name of ["first", "back"]) document.getElementById(name).disabled = shown === 0;
  document.getElementById("on").disabled = following() === shown;
  document.getElementById("last").disabled = shown === last;
  markRow();
}

function markRow() {
  for (const old of document.querySelectorAll(":is(#moves, #graph) [aria-current]")) {
    old.removeAttribute("aria-current");
  }
  const cell = document.getElementById(`move-${shown}`);
  const move = cell ?? document.querySelector(`[data-frame="${shown}"]`);
  move?.setAttribute("aria-current", "true");
  document.querySelector(`#graph [href="#ply=${shown}"]`)?.setAttribute("aria-current", "true");
  document.getElementById("now").textContent = cell ? wordsOf(cell) : (move?.textContent ?? "");
}

/* Round, side, move and conduct in a cell of the table. */
function wordsOf(cell) {
  const row = cell.parentElement;
  const side = document.querySelector("#moves thead tr").cells[cell.cellIndex];
  const parts = [row.cells[0], side, ...cell.querySelectorAll(":scope > :not(.other)")];
  return parts.map((part) => part.textContent.trim()).join(" ");
}

/* Scroll the current move into view. */
function reveal() {
  document.querySelector("#moves [aria-current]")?.scrollIntoView({ block: "nearest" });
}

function go(wanted) {
  show(wanted);
  reveal();
  history.replaceState(null, "", `#${shown > last ? "frame" : "ply"}=${shown}`);
}

/* Frame in the URL, by default that of the first move of the cycle. */
function frameOfAddress() {
  const found = /^#(?:ply|frame)=(\d+)$/.exec(location.hash);
  return Number(found ? found[1] : (toCycle?.dataset.ply ?? 0));
}

/* The next frame of the same line. */
function following() {
  return frames[shown].on ?? (shown < last ? shown + 1 : shown);
}

const STEPS = {
  ArrowLeft: () => frames[shown].back ?? shown - 1,
  ArrowRight: following,
  Home: () => 0,
  End: () => last,
};
const BUTTONS = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End" };

function listen() {
  for (const [name, key] of Object.entries(BUTTONS)) {
    document.getElementById(name).addEventListener("click", () => go(STEPS[key]()));
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  toCycle?.addEventListener("click", () => go(Number(toCycle.dataset.ply)));
  const turn = document.getElementById("flip");
  turn.addEventListener("click", () => {
    flip = !flip;
    turn.setAttribute("aria-pressed", flip);
    show(shown);
  });
  document.getElementById("moves")?.addEventListener("click", (event) => {
    const place = event.target.closest("[data-frame], [data-ply]")?.dataset;
    if (!place || String(document.getSelection())) return;
    event.preventDefault();
    go(Number(place.frame ?? place.ply));
  });
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || event.target === slider || !(event.key in STEPS)) return;
    event.preventDefault();
    go(STEPS[event.key]());
  });
  window.addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("#others details")) folded.open = true;
  });
  window.addEventListener("hashchange", () => show(frameOfAddress()));
}

if (frames.length) {
  listen();
  show(frameOfAddress());
}
