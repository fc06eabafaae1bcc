/* Requests to the server, and the description of the current position. */

import { LANG, page, setText, word } from "./page.js";
import { reach } from "./reach.js";

export const notation = () => page("notation").value;

/* Suffix of the sprite part with the board's labels, which follow the notation. */
const LABELS = { iccs: "", chinese: "-chinese", wxf: "-wxf", vietnamese: "-wxf" };
export const labelsOfBoard = () => LABELS[notation()];

/* Notations of moves other than coordinates. */
const NAMES = ["chinese", "wxf", "vietnamese"];

/* Identifier of this page, whose new searches stop its earlier ones. */
const PAGE = newName();

/* Make a unique name for a page or a search. */
export function newName() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

const MIN_SHARED = 8; // moves; a shorter common prefix is sent again
let sent = { name: "", fen: "", moves: [] }; // the last line sent to the server
let lines = 0;

/** POST data to an API path. Moves that the server has cached are left out.
 * @param {AbortSignal} [signal] */
export async function callApi(state, path, data, signal) {
  const defaults = { lang: LANG, notation: notation(), rules: state.rules, page: PAGE };
  const request = { ...defaults, ...data };
  if (!data.moves) return postJson(path, request, signal);
  const name = String(++lines);
  const named = { ...request, as: name };
  const answer = await postJson(path, shorten(named), signal).catch((error) => {
    if (error.status !== 409) throw error;
    return postJson(path, named, signal); // no longer cached
  });
  sent = { name, fen: data.fen, moves: data.moves };
  return answer;
}

function shorten(request) {
  const { fen, moves } = request;
  const differs = moves.findIndex((move, place) => move !== sent.moves[place]);
  const keep = differs < 0 ? moves.length : differs;
  if (fen !== sent.fen || keep < MIN_SHARED || keep > sent.moves.length) return request;
  return { ...request, of: sent.name, keep, moves: moves.slice(keep) };
}

function postJson(path, data, signal) {
  return send(`api/${path}`, JSON.stringify(data), "application/json", signal);
}

/* POST a body; throws an Error with the server's message and the `status`, or one with `isOffline`
 * without a connection. */
export async function send(path, body, kind, signal) {
  let answer;
  try {
    answer = await reach(path, {
      method: "POST", headers: { "Content-Type": kind }, body, signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw Object.assign(new Error(word("offline")), { isOffline: true });
  }
  if (answer.ok) return answer;
  throw Object.assign(new Error((await answer.json()).error.message), { status: answer.status });
}

/* Run an action; show its error in an element. */
export async function attempt(action, at = "error") {
  setText(at, "");
  try {
    await action();
  } catch (error) {
    if (error.name !== "AbortError") setText(at, error.message);
  }
}

const RETRY_MS = { first: 1000, most: 15_000 };

/* Run an action; without a connection call `onLost`, and try again while `isCurrent()`. */
export async function persist(action, { isCurrent, onLost }) {
  for (let wait = RETRY_MS.first; ; wait = Math.min(2 * wait, RETRY_MS.most)) {
    try {
      return await action();
    } catch (error) {
      if (!error.isOffline) throw error;
    }
    if (isCurrent()) onLost();
    await connection(wait);
    if (!isCurrent()) return undefined;
  }
}

/* Wait until the browser reports a connection, at most for some milliseconds. */
function connection(most) {
  return new Promise((resolve) => {
    addEventListener("online", resolve, { once: true });
    setTimeout(resolve, most);
  });
}

/* Description of the current position. */

let ruled = ""; // key of the line of the current ruling
let version = 0; // number of position changes, to drop outdated responses
let pending = null; // Promise of the running requests

/* Wait until the server has described the current position. */
export function whenDescribed(state) {
  if (!state.view && !pending) {
    pending = describeCurrent(state).finally(() => { pending = null; });
  }
  return pending ?? Promise.resolve();
}

/* Request descriptions, one at a time, until that of the current position is there. */
async function describeCurrent(state) {
  while (!state.view) {
    const requested = version;
    try {
      const found = await fetchDescription(state);
      if (requested === version) apply(state, found);
    } catch (error) {
      if (requested === version) throw error;
    }
  }
}

/* Fetch the description of a position and, if it has changed, the ruling on its line. */
async function fetchDescription(state) {
  const { tree, node } = state.history;
  const line = tree.moves(tree.line(node));
  const key = JSON.stringify([state.rules, notation(), tree.fen, line]);
  const data = async (path, moves) => (await callApi(state, path, { fen: tree.fen, moves })).json();
  const [position, found] = await Promise.all([
    fetchPosition(state, tree, node),
    key === ruled ? state.ruling : data("ruling", line),
  ]);
  return { position, found, key };
}

/* Fetch the description of a position, and the missing names of the moves before it. */
export async function fetchPosition(state, tree, node) {
  const path = tree.path(node);
  const unnamed = path.findIndex((id) => !tree.nodes[id].wxf);
  const named = unnamed < 0 ? path.length : unnamed;
  const data = { fen: tree.fen, moves: tree.moves(path), named };
  const found = await (await callApi(state, "position", data)).json();
  path.slice(named).forEach((id, place) => {
    tree.nameMove(id, Object.fromEntries(NAMES.map((name) => [name, found[name][place]])));
  });
  return found;
}

function apply(state, { position, found, key }) {
  Object.assign(state, { view: position, ruling: found });
  ruled = key;
  state.notify("answer");
  state.redraw();
}

export function mount(state) {
  state.watch("position", () => {
    const mine = ++version;
    attempt(() => persist(() => whenDescribed(state), {
      isCurrent: () => mine === version && !state.view,
      onLost: () => setText("error", word("offline")),
    }));
  });
  state.watch("answer", () => {
    if (page("error").textContent === word("offline")) setText("error", "");
  });
}
