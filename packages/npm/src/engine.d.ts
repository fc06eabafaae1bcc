import { MeihuaError } from "./errors.js";
import type { RuleSet } from "./index.js";

export { MeihuaError };

/** Start an engine in a worker of its own; commands wait until it is loaded. */
export function engine(options?: LoadOptions): Engine;

/** Analyse with an engine of its own, which is terminated at the end. */
export function analyse(request?: AnalysisRequest, options?: LoadOptions): AsyncGenerator<Info, void, void>;

export interface LoadOptions {
  /** The folder that `meihua-copy` has written, in browsers, for scripts that were bundled: "/vendor/". */
  folder?: string;
  /** The folder of Pyodide's files, in browsers, if it is neither in `folder` nor beside the package. */
  runtime?: string;
  onProgress?: (progress: Progress) => void;
}

/** Bytes, unpacked; of what a browser fetches. */
export interface Progress {
  loaded: number;
  total: number;
}

export interface AnalysisRequest {
  fen?: string;
  /** Coordinates as in "h2e2". */
  moves?: string[] | string;
  /** "wxf" if left out. */
  rules?: RuleSet;
  /** How many lines of play; 1 if left out. */
  lines?: number;
  /** Limits; without any the search goes on until the loop is left. */
  depth?: number;
  nodes?: number;
  movetime?: number;
  signal?: AbortSignal;
}

/** Centipawns, or moves to a mate; from the side to move. */
export type Score = { cp: number } | { mate: number };

/** A line of play. */
export interface Info {
  depth: number;
  seldepth: number;
  /** 1 for the best line. */
  line: number;
  score: Score;
  bound: "exact" | "lower" | "upper";
  nodes: number;
  milliseconds: number;
  moves: string[];
}

/** A UCI engine that is used like a worker. */
export class Engine extends EventTarget {
  constructor(options?: LoadOptions);
  /** Resolves when the engine is loaded. */
  readonly ready: Promise<unknown>;
  /** Gets each line of the engine as `data`. */
  onmessage: ((event: MessageEvent<string>) => void) | null;
  /** The engine could not be loaded or has failed. */
  onerror: ((event: Event & { message: string; error: MeihuaError }) => void) | null;
  postMessage(command: string): void;
  /**
   * Yield the lines of a search as they are found. Searches wait for one another. Throws a
   * MeihuaError, of code "closed" after `terminate` or the command `quit`.
   */
  analyse(request?: AnalysisRequest): AsyncGenerator<Info, void, void>;
  terminate(): void;
}
