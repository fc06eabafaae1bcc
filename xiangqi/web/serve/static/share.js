/* Saving and sharing: files of games, and links. */

import { attempt, callApi, notation, whenDescribed } from "./requests.js";
import { onClick, page, saveAs, setText, word } from "./page.js";
import { showGame } from "./shell.js";
import { goTo, readGame, setUp } from "./steps.js";
import { withEvaluation } from "./tree.js";

/* Add the page's evaluations to the comments of a game's data. */
function withEvaluations({ nodes, ...data }, tree) {
  const copied = (node, id) => {
    const text = tree.nodes[id].evaluation?.written;
    return text ? { ...node, comment: withEvaluation(node.comment, text) } : node;
  };
  return { ...data, nodes: nodes.map(copied) };
}

/* Fetch the game as PGN, or in another format or notation. */
function fetchPgn(state, options = {}) {
  const { tree } = state.history;
  const data = tree.data();
  const full = page("save-evaluations").checked ? withEvaluations(data, tree) : data;
  return callApi(state, "pgn", { ...full, ...options });
}

async function saveGame(state, suffix, options = {}) {
  saveAs(`game.${suffix}`, await (await fetchPgn(state, options)).blob());
}

/* Links to a position or a game.
 *
 *   #fen=FEN                      position
 *   #game=PGN                     game: its PGN, deflated, in base64url
 *   ...&rules=wxf&notation=wxf    rule set and notation; optional
 *   ...&at=12                     shown position of a game: number of main line moves
 */

const MAX_LINK_LENGTH = 8000; // characters; many programs truncate longer links
const MAX_PGN = 1 << 20; // bytes of an unpacked game

/* Pipe bytes through a stream; throws RangeError for more than `most` bytes of output. */
async function through(stream, bytes, most = Infinity) {
  const pieces = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > most) throw new RangeError();
    pieces.push(read.value);
  }
  return new Blob(pieces);
}

async function pack(text) {
  const packed = await through(new CompressionStream("deflate-raw"), text);
  const letters = String.fromCharCode(...new Uint8Array(await packed.arrayBuffer()));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(letters) {
  try {
    const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return await (await through(new DecompressionStream("deflate-raw"), bytes, MAX_PGN)).text();
  } catch {
    throw new Error(word("badLink"));
  }
}

async function copy(text) {
  await navigator.clipboard.writeText(text);
  setText("copied", word("copied"));
  setTimeout(() => setText("copied", ""), 2000);
}

async function copyLink(state, parts) {
  const { origin, pathname, search } = location;
  const fragment = new URLSearchParams({ ...parts, rules: state.rules, notation: notation() });
  const link = `${origin}${pathname}${search}#${fragment}`;
  if (link.length > MAX_LINK_LENGTH) throw new Error(word("longLink"));
  await copy(link);
}

async function copyGameLink(state) {
  const { tree, node } = state.history;
  const line = tree.line(0);
  const at = String(tree.path(node).filter((id) => line.includes(id)).length);
  await copyLink(state, { game: await pack(await (await fetchPgn(state)).text()), at });
}

/* Set a field to a value of a link; throws an Error if it has no such option. */
function chooseOf(id, value) {
  if (value === null) return;
  if (![...page(id).options].some((option) => option.value === value)) {
    throw new Error(`${word("badLink")} ${id}=${value.slice(0, 40)}`);
  }
  page(id).value = value;
}

/* Open the game or position of the address; a bad link leaves the current game. */
async function follow(state) {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!link.has("fen") && !link.has("game")) return;
  history.replaceState(null, "", location.pathname + location.search); // keep the game on reload
  if (location.href.length + String(link).length > MAX_LINK_LENGTH) throw new Error(word("badLink"));
  const chosen = [page("rules").value, page("notation").value];
  try {
    chooseOf("notation", link.get("notation"));
    if (link.has("game")) await readGame(state, await unpack(link.get("game")));
    else await setUp(state, link.get("fen"));
    chooseOf("rules", link.get("rules"));
  } catch (error) {
    [page("rules").value, page("notation").value] = chosen;
    throw error;
  }
  state.rules = page("rules").value;
  const { tree } = state.history;
  const at = Number(link.get("at") ?? NaN);
  if (link.has("game") && at >= 0) goTo(state, [0, ...tree.line(0)][at]);
  state.update();
  await showGame(state);
}

export function followFragment(state) {
  return attempt(() => follow(state));
}

/* Text of the main line in the notation of the page, a round a line. */
async function movesAsText(state) {
  await whenDescribed(state);
  const { tree } = state.history;
  const words = tree.line(0).map((id, place) => {
    const number = tree.number(id);
    const begins = number.endsWith(".");
    return `${begins || !place ? `${number} ` : ""}${tree.name(id, notation())}${begins ? " " : "\n"}`;
  });
  return `${words.join("").trimEnd()}\n`;
}

async function saveText(state) {
  saveAs("game.txt", new Blob([await movesAsText(state)], { type: "text/plain" }));
}

export function mount(state) {
  onClick("copy-fen", () => attempt(() => copy(state.view?.position ?? page("fen").value)));
  onClick("copy-pgn", () => attempt(async () => copy(await (await fetchPgn(state)).text())));
  onClick("link-position", () => attempt(() => copyLink(state, { fen: page("fen").value })));
  onClick("link-game", () => attempt(() => copyGameLink(state)));
  addEventListener("hashchange", () => followFragment(state));
  onClick("download", () => attempt(() => saveGame(state, "pgn")));
  onClick("save-chinese", () => attempt(() => saveGame(state, "pgn", { notation: "chinese" })));
  onClick("save-xqf", () => attempt(() => saveGame(state, "xqf", { format: "xqf" })));
  onClick("save-dhtmlxq", () => attempt(() => saveGame(state, "dhtmlxq", { format: "dhtmlxq" })));
  onClick("save-text", () => attempt(() => saveText(state)));
}
