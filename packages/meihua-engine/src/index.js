/* The engine: UCI in messages, and analysis as an async iterator. */

import { checkKeys, MeihuaError, optionError } from "meihua/errors.js";
import { isNode, startWorker } from "meihua/start.js";
import { BYTES, VERSION } from "./build.js";

export { MeihuaError };

const beside = (name) => new URL(name, import.meta.url); // not in the form by which bundlers copy one file
const PART = {
  name: "engine",
  version: VERSION,
  pack: {
    path: "meihua-engine/engine.pack",
    bytes: BYTES,
    beside: () => isNode ? beside("./engine.pack") : new URL("./engine.pack", import.meta.url), // as bundlers expect
  },
};

export function engine(options = {}) {
  return new Engine(options);
}

/* Analyse with a new engine, which is terminated at the end. */
export async function* analyse(request, options = {}) {
  const own = new Engine(options);
  try {
    yield* own.analyse(request);
  } finally {
    own.terminate();
  }
}

export class Engine extends EventTarget {
  onmessage = null;
  onerror = null;
  #failure = null; // error that has ended the engine
  #worker;
  #turn = Promise.resolve(); // resolved when the last analysis has ended

  constructor(options = {}) {
    super();
    const onLine = ({ line }) => this.#emit(new MessageEvent("message", { data: line }), this.onmessage);
    this.#worker = startWorker(PART, options, onLine, (error) => this.#end(error));
    this.ready = this.#worker.ready;
  }

  /* Send a UCI command; commands wait until the engine has been loaded. */
  postMessage(line) {
    this.#worker.post({ line: String(line) });
  }

  terminate() {
    this.#worker.terminate();
  }

  /* Yield the lines of a search as they are found; leaving the loop stops the search. */
  async *analyse(request = {}) {
    const { setup, go, signal } = readRequest(request);
    const before = this.#turn;
    let end;
    this.#turn = new Promise((resolve) => { end = resolve; });
    await before;
    const output = new LineQueue(this);
    const stop = () => this.postMessage("stop");
    let isSearching = false;
    try {
      await this.ready;
      if (this.#failure) throw this.#failure;
      setup.forEach((command) => this.postMessage(command));
      this.postMessage("isready");
      const refusals = [];
      for (let line = await output.next(); line !== "readyok"; line = await output.next()) {
        if (line.startsWith(REFUSED)) refusals.push(line);
      }
      if (refusals.length) throw refusedError(refusals[0]);
      isSearching = true;
      this.postMessage(go);
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop);
      while (isSearching) {
        const line = await output.next();
        if (line.startsWith(`${REFUSED} 'go`)) throw refusedError(line);
        isSearching = !line.startsWith("bestmove");
        if (line.startsWith("info depth") && line.includes(" pv ")) yield readInfo(line);
      }
    } catch (error) {
      isSearching &&= !(error instanceof MeihuaError); // refused, or the engine has ended
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      if (isSearching) {
        stop();
        await output.until("bestmove");
      }
      output.close();
      end();
    }
  }

  #end(error) {
    this.#failure = error;
    const event = Object.assign(new Event("error"), { message: error.message, error });
    this.#emit(event, error.code === "closed" ? null : this.onerror);
  }

  #emit(event, handler) {
    handler?.call(this, event);
    this.dispatchEvent(event);
  }
}

/* Queue of the lines of an engine's output. */
class LineQueue {
  #lines = [];
  #wake = null;
  #engine;
  #error = null;
  #add = ({ data }) => { this.#lines.push(data); this.#wake?.(); };
  #fail = ({ error }) => { this.#error = error; this.#wake?.(); };

  constructor(engine) {
    this.#engine = engine;
    engine.addEventListener("message", this.#add);
    engine.addEventListener("error", this.#fail);
  }

  /* Return the next line; throws a MeihuaError if the engine has ended. */
  async next() {
    while (!this.#lines.length) {
      if (this.#error) throw this.#error;
      await new Promise((resolve) => { this.#wake = resolve; });
    }
    return this.#lines.shift();
  }

  /* Wait for a line with this prefix, or the end of the engine. */
  async until(prefix) {
    try {
      while (!(await this.next()).startsWith(prefix));
    } catch {} // the engine has ended, and the search with it
  }

  close() {
    this.#engine.removeEventListener("message", this.#add);
    this.#engine.removeEventListener("error", this.#fail);
  }
}

const REFUSED = "info string cannot do";
const LIMITS = ["depth", "nodes", "movetime"];
const KEYS = ["fen", "moves", "rules", "lines", ...LIMITS, "signal"];

/* Convert an analysis request to UCI commands; throws a MeihuaError for an invalid request. */
function readRequest(request) {
  checkKeys("analyse", request, KEYS);
  const { fen, moves = [], rules = "wxf", lines = 1, signal } = request;
  const played = Array.isArray(moves) ? moves.join(" ") : moves;
  for (const [name, text] of Object.entries({ fen: fen ?? "", moves: played, rules })) {
    if (typeof text !== "string" || /[\r\n]/.test(text)) throw optionError(name, text, "text of one line");
  }
  const limits = LIMITS.filter((name) => request[name] !== undefined);
  for (const [name, value] of [["lines", lines], ...limits.map((name) => [name, request[name]])]) {
    if (!Number.isSafeInteger(value) || value < 1) throw optionError(name, value, "a whole number from 1");
  }
  return {
    setup: [
      `setoption name MultiPV value ${lines}`,
      `setoption name Repetition Rule value ${rules}`,
      `position ${fen ? `fen ${fen}` : "startpos"} moves ${played}`,
    ],
    go: limits.length ? `go ${limits.map((name) => `${name} ${request[name]}`).join(" ")}` : "go infinite",
    signal,
  };
}

/* Make the error for a command refused by the engine. */
function refusedError(line) {
  const message = line.slice("info string ".length);
  const code = line.includes("'setoption name Repetition")
    ? "bad_rules" : line.includes("'setoption") ? "bad_field" : "bad_input";
  return new MeihuaError({ code, message });
}

/* Parse a UCI "info" line. */
function readInfo(line) {
  const [head, pv] = line.split(" pv ");
  const words = head.split(" ");
  const number = (key) => Number(words[words.indexOf(key) + 1]);
  const bound = ["lowerbound", "upperbound"].find((word) => words.includes(word));
  return {
    depth: number("depth"),
    seldepth: number("seldepth"),
    line: number("multipv"),
    score: words.includes("mate") ? { mate: number("mate") } : { cp: number("cp") },
    bound: bound ? bound.replace("bound", "") : "exact",
    nodes: number("nodes"),
    milliseconds: number("time"),
    moves: pv.split(" "),
  };
}
