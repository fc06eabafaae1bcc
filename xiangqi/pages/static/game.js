/* The page of a game: steps through its positions by slider, buttons, keys, table and #ply=12. */
"use strict";

const frames = JSON.parse(document.getElementById("frames")?.textContent ?? "[]");
const toCycle = document.getElementById("to-cycle");
let ply = 0;
let flip = false;

function show(wanted) {
  ply = Math.min(Math.max(wanted, 0), frames.length - 1);
  const frame = frames[ply];
  const board = document.getElementById("board");
  drawBoard(board, frame.fen, { ...frame, flip });
  board.dataset.ply = ply;
  document.getElementById("slider").value = ply;
  document.getElementById("where").textContent = `${ply} / ${frames.length - 1}`;
  for (const name of ["first", "back"]) document.getElementById(name).disabled = ply === 0;
  for (const name of ["on", "last"]) {
    document.getElementById(name).disabled = ply === frames.length - 1;
  }
  document.querySelector("tr[aria-current]")?.removeAttribute("aria-current");
  const row = document.getElementById(`move-${ply}`);
  row?.setAttribute("aria-current", "true");
  const cells = row ? [...row.children].slice(0, 4) : [];
  document.getElementById("now").textContent = cells.map((cell) => cell.textContent.trim()).join(" ");
}

function go(wanted) {
  show(wanted);
  history.replaceState(null, "", `#ply=${ply}`);
}

/* The ply that the address asks for; without one the first move of the cycle. */
function plyOfAddress() {
  const asked = /^#ply=(\d+)$/.exec(location.hash);
  return Number(asked ? asked[1] : (toCycle?.dataset.ply ?? 0));
}

const STEPS = {
  ArrowLeft: () => ply - 1,
  ArrowRight: () => ply + 1,
  Home: () => 0,
  End: () => frames.length - 1,
};
const BUTTONS = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End" };

function listen() {
  for (const [name, key] of Object.entries(BUTTONS)) {
    document.getElementById(name).addEventListener("click", () => go(STEPS[key]()));
  }
  const slider = document.getElementById("slider");
  slider.addEventListener("input", () => go(Number(slider.value)));
  toCycle?.addEventListener("click", () => go(Number(toCycle.dataset.ply)));
  const turn = document.getElementById("flip");
  turn.addEventListener("click", () => {
    flip = !flip;
    turn.setAttribute("aria-pressed", flip);
    show(ply);
  });
  document.getElementById("moves")?.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-ply]");
    if (!row || String(document.getSelection())) return;
    event.preventDefault();
    go(Number(row.dataset.ply));
  });
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || event.target === slider || !(event.key in STEPS)) return;
    event.preventDefault();
    go(STEPS[event.key]());
  });
  window.addEventListener("hashchange", () => show(plyOfAddress()));
}

if (frames.length) {
  listen();
  show(plyOfAddress());
}
