/* Links that hold a position or a game, and copies of both.
 *
 *   #fen=FEN                      a position
 *   #game=PGN                     a game: its PGN, deflated, in the base64 of addresses
 *   ...&rules=wxf&notation=wxf    by what rules, in what notation; may be missing
 *   ...&at=12                     of a game, after how many moves of the main line
 */

import { attempt, notation } from "./asking.js";
import { onClick, page, setText, word } from "./page.js";
import { game, told, update } from "./state.js";
import { askPgn } from "./saving.js";
import { showGame } from "./opening.js";
import { goTo, readGame, setUp } from "./steps.js";

const MAX_LINK_LENGTH = 8000; // characters: what programs that pass links on let through
const MAX_PGN = 1 << 20; // bytes of a game that comes out of a link

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

async function copyLink(parts) {
  const { origin, pathname, search } = location;
  const fragment = new URLSearchParams({ ...parts, rules: game.rules, notation: notation() });
  const link = `${origin}${pathname}${search}#${fragment}`;
  if (link.length > MAX_LINK_LENGTH) throw new Error(word("longLink"));
  await copy(link);
}

async function copyGameLink() {
  const { tree, node } = game.history;
  const line = tree.line(0);
  const at = String(tree.path(node).filter((id) => line.includes(id)).length);
  await copyLink({ game: await pack(await (await askPgn()).text()), at });
}

/* Choose what a link asks for among the options of a field. */
function chooseOf(id, value) {
  if (value === null) return;
  if (![...page(id).options].some((option) => option.value === value)) {
    throw new Error(`${word("badLink")} ${id}=${value.slice(0, 40)}`);
  }
  page(id).value = value;
}

/* Take over what the address holds; a bad link is told, and the game that was there stays. */
async function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("fen") && !asked.has("game")) return;
  history.replaceState(null, "", location.pathname + location.search); // a reload shows the game
  if (location.href.length + String(asked).length > MAX_LINK_LENGTH) throw new Error(word("badLink"));
  const chosen = [page("rules").value, page("notation").value];
  try {
    chooseOf("notation", asked.get("notation"));
    if (asked.has("game")) await readGame(await unpack(asked.get("game")));
    else await setUp(asked.get("fen"));
    chooseOf("rules", asked.get("rules"));
  } catch (error) {
    [page("rules").value, page("notation").value] = chosen;
    throw error;
  }
  game.rules = page("rules").value;
  const { tree } = game.history;
  const at = Number(asked.get("at") ?? NaN);
  if (asked.has("game") && at >= 0) goTo([0, ...tree.line(0)][at]);
  update();
  await showGame();
}

export function followFragment() {
  return attempt(follow);
}

onClick("copy-fen", () => attempt(() => copy(told.view?.position ?? page("fen").value)));
onClick("copy-pgn", () => attempt(async () => copy(await (await askPgn()).text())));
onClick("link-position", () => attempt(() => copyLink({ fen: page("fen").value })));
onClick("link-game", () => attempt(copyGameLink));
addEventListener("hashchange", followFragment);
