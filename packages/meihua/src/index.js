/* The referee: rulings, moves and notation, computed in a worker. */

import { VERSION } from "./build.js";
import { MeihuaError } from "./errors.js";
import { startWorker } from "./start.js";

export { MeihuaError };

/* Start the referee; see index.d.ts for the options. */
export async function load(options = {}) {
  const meihua = new Meihua(options);
  await meihua.ready;
  return meihua;
}

class Meihua {
  #calls = new Map(); // pending calls: number -> { resolve, reject }
  #count = 0;
  #failure = null; // error that has ended the worker
  #worker;

  constructor(options) {
    this.#worker = startWorker(
      { name: "referee", version: VERSION }, options, (answer) => this.#answer(answer), (error) => this.#end(error),
    );
    this.ready = this.#worker.ready;
    this.ready.then(() => this.#worker.unref(), () => {});
  }

  judge(data) { return this.#call("judge", data); }
  explain(data) { return this.#call("explain", data); }
  outcome(data) { return this.#call("outcome", data); }
  legalMoves(data) { return this.#call("legalMoves", data); }
  barredMoves(data) { return this.#call("barredMoves", data); }
  fenAfter(data) { return this.#call("fenAfter", data); }
  parseMoves(data) { return this.#call("parseMoves", data); }
  formatMoves(data) { return this.#call("formatMoves", data); }
  draw(data) { return this.#call("draw", data); }

  terminate() {
    this.#worker.terminate();
  }

  #call(name, data = {}) {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const number = this.#count++;
      this.#worker.post({ number, name, text: toJson(data) });
      this.#calls.set(number, { resolve, reject });
      this.#worker.ref(); // keep Node running until the response
    });
  }

  #answer({ number, text, failure }) {
    if (!this.#calls.has(number)) return; // already rejected
    const { resolve, reject } = this.#calls.get(number);
    this.#calls.delete(number);
    if (!this.#calls.size) this.#worker.unref();
    if (failure) {
      reject(new MeihuaError({ code: "internal", message: failure }));
      return;
    }
    const answer = JSON.parse(text);
    if (Array.isArray(answer)) resolve(answer.map(({ value, error }) => error ? new MeihuaError(error) : value));
    else if (answer.error) reject(new MeihuaError(answer.error));
    else resolve(answer.value);
  }

  /* Reject all pending and future calls. */
  #end(error) {
    this.#failure = error;
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }
}

/* Convert a request to JSON; throws a MeihuaError if that is impossible. */
function toJson(data) {
  try {
    return JSON.stringify(data);
  } catch ({ message }) {
    throw new MeihuaError({ code: "bad_json", message: `${message}: expected JSON` });
  }
}
