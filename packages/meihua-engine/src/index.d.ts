import { MeihuaError, type LoadOptions, type RuleSet } from "meihua";

export { MeihuaError };
export type { LoadOptions, Progress } from "meihua";

/** Start an engine in a worker of its own; commands wait until it is loaded. */
export function engine(options?: LoadOptions): Engine;

/** Analyse with a new engine, which is terminated at the end. */
export function analyse(request?: AnalysisRequest, options?: LoadOptions): AsyncGenerator<Info, void, void>;

export interface AnalysisRequest {
  fen?: string;
  /** Coordinates as in "h2e2". */
  moves?: readonly string[] | string;
  /** Default: "wxf". */
  rules?: RuleSet;
  /** Number of lines of play; default: 1. */
  lines?: number;
  /** Limits; without any the search runs until the loop is left. */
  depth?: number;
  nodes?: number;
  movetime?: number;
  signal?: AbortSignal;
}

/** Centipawns or moves to mate, for the side to move. */
export type Score = { cp: number } | { mate: number };

/** A line of play. */
export interface Info {
  depth: number;
  seldepth: number;
  /** Rank of the line, from 1. */
  line: number;
  score: Score;
  bound: "exact" | "lower" | "upper";
  nodes: number;
  milliseconds: number;
  moves: string[];
}

/** A UCI engine with the interface of a worker. */
export class Engine extends EventTarget {
  constructor(options?: LoadOptions);
  /** Resolves when the engine is loaded. */
  readonly ready: Promise<unknown>;
  /** Called with each line of the engine as `data`. */
  onmessage: ((event: MessageEvent<string>) => void) | null;
  /** Called when the engine cannot be loaded or fails. */
  onerror: ((event: Event & { message: string; error: MeihuaError }) => void) | null;
  postMessage(command: string): void;
  /**
   * Yield the lines of a search as they are found. Searches run one after another. Throws a
   * MeihuaError, with code "closed" after `terminate` or the command `quit`.
   */
  analyse(request?: AnalysisRequest): AsyncGenerator<Info, void, void>;
  terminate(): void;
}
