/* The engine: UCI by messages, and analysis as an async iterator. */

import { MeihuaError } from "./errors.js";
import { startWorker } from "./start.js";

export { MeihuaError };

export function engine(options = {}) {
  return new Engine(options);
}

/* Analyse with an engine of its own, which is terminated at the end. */
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
  #worker;
  #turn = Promise.resolve(); // ends when the last analysis has ended

  constructor(options = {}) {
    super();
    this.#worker = startWorker("engine", options, ({ line, failure }) => {
      if (failure) this.#fail(failure);
      else this.#tell(new MessageEvent("message", { data: line }), this.onmessage);
    });
    this.ready = this.#worker.ready;
    this.ready.catch(({ message }) => this.#fail(message));
  }

  /* Send a UCI command; commands wait until the engine has been loaded. */
  postMessage(line) {
    this.#worker.post({ line });
  }

  terminate() {
    this.#worker.terminate();
  }

  /* Yield the lines of a search as it goes on; leaving the loop stops the search. */
  async *analyse({ fen, moves = [], rules = "wxf", lines = 1, depth, nodes, movetime, signal } = {}) {
    const before = this.#turn;
    let end;
    this.#turn = new Promise((resolve) => { end = resolve; });
    await before;
    const heard = new Lines(this);
    const stop = () => this.postMessage("stop");
    let isSearching = false;
    try {
      await this.ready;
      const played = typeof moves === "string" ? moves : moves.join(" ");
      this.postMessage(`setoption name MultiPV value ${lines}`);
      this.postMessage(`setoption name Repetition Rule value ${rules}`);
      this.postMessage(`position ${fen ? `fen ${fen}` : "startpos"} moves ${played}`);
      this.postMessage("isready");
      for (let line = await heard.next(); line !== "readyok"; line = await heard.next()) {
        if (line.startsWith("info string cannot do")) {
          throw new MeihuaError({ code: "game", message: line.slice("info string ".length) });
        }
      }
      const limits = Object.entries({ depth, nodes, movetime }).filter(([, value]) => value);
      isSearching = true;
      this.postMessage(limits.length ? `go ${limits.flat().join(" ")}` : "go infinite");
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop);
      while (isSearching) {
        const line = await heard.next();
        isSearching = !line.startsWith("bestmove");
        if (line.startsWith("info depth") && line.includes(" pv ")) yield readInfo(line);
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      if (isSearching) stop();
      while (isSearching) isSearching = !(await heard.next()).startsWith("bestmove");
      heard.close();
      end();
    }
  }

  #fail(message) {
    this.#tell(Object.assign(new Event("error"), { message }), this.onerror);
  }

  #tell(event, handler) {
    handler?.call(this, event);
    this.dispatchEvent(event);
  }
}

/* The lines that an engine sends, one by one. */
class Lines {
  #lines = [];
  #wake = null;
  #engine;
  #failure = null;
  #hear = ({ data }) => { this.#lines.push(data); this.#wake?.(); };
  #fail = ({ message }) => { this.#failure = message; this.#wake?.(); };

  constructor(engine) {
    this.#engine = engine;
    engine.addEventListener("message", this.#hear);
    engine.addEventListener("error", this.#fail);
  }

  async next() {
    while (!this.#lines.length) {
      if (this.#failure) throw new MeihuaError({ code: "internal", message: this.#failure });
      await new Promise((resolve) => { this.#wake = resolve; });
    }
    return this.#lines.shift();
  }

  close() {
    this.#engine.removeEventListener("message", this.#hear);
    this.#engine.removeEventListener("error", this.#fail);
  }
}

/* An "info" line of UCI as data. */
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
