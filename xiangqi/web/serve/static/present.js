/* What the page shows: the game, what the server has told about it, and who wants to hear of it.
 *
 *   watch("position", f)  another position is shown, or the line around it is another one
 *   watch("answer", f)    the server has told about it: `told` has news
 *   watch("draw", f)      the page shall show what has changed; once a frame, however much it is
 */

export const game = { history: null, rules: "", engine: "nobody", flip: false };

/* The answers of the server: `view` about the present position, null until it is there, `ruling`
 * about the line that it stands in. */
export const told = { view: null, ruling: { arrows: {} } };

const watchers = { position: [], answer: [], draw: [] };
let frame = 0; // the screen's next picture, where the present one is drawn already
let isDue = false;

export function watch(event, listener) {
  watchers[event].push(listener);
}

export function tell(event, detail) {
  for (const listener of watchers[event]) listener(detail);
}

/* Have it drawn: at once, but where it has just been drawn with the next picture of the screen. */
export function redraw() {
  isDue = frame !== 0;
  if (isDue) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    if (isDue) redraw();
  });
  tell("draw");
}

/* The position, or the line around it, has changed. `wakes` tells whether the engine may answer
 * where the game goes on already. */
export function update({ wakes = false } = {}) {
  told.view = null;
  tell("position", { wakes });
  redraw();
}

/* The present node of the tree, with its data. */
export function presentNode() {
  const { tree, node } = game.history;
  return tree.nodes[node];
}

/* The question about the present position that every part of the page asks. */
export function presentMoves() {
  const { tree, node } = game.history;
  return { fen: tree.fen, moves: tree.moves(tree.path(node)) };
}
