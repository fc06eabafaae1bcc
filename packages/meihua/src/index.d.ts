import type { BarredMove, Judged, Language, Notation, Outcome, RuleSet } from "./answers.js";
import { MeihuaError } from "./errors.js";

export { MeihuaError };
export * from "./answers.js";

/** Start the referee in a worker. Rejects with a MeihuaError of code "load", or "bad_field" for a wrong option. */
export function load(options?: LoadOptions): Promise<Meihua>;

export interface LoadOptions {
  /** Browsers: the folder written by `meihua-copy`, for bundled scripts: "/vendor/". */
  folder?: string;
  onProgress?: (progress: Progress) => void;
}

/** Progress of loading in bytes of the packs; in Node.js there is one report, at the end. */
export interface Progress {
  loaded: number;
  total: number;
}

/** The ruling of `judge`, with all evidence. */
export type Ruling =
  & Required<Omit<Judged, "counters" | "explanation" | "tables">>
  & Pick<Judged, "counters">;

/** A game: its starting position and moves. */
export interface Game {
  /** Position before the first move; default: the starting position of the game. */
  fen?: string;
  /** Moves in any notation, with ranks from 0 or from 1: a list or one text. */
  moves?: readonly string[] | string;
  /** The game as a command of UCI or UCCI, "position startpos moves h2e2", in place of both. */
  position?: string;
}

export interface RuledGame extends Game {
  /** Default: "wxf". */
  rules?: RuleSet;
  /** Number of occurrences of a position that leads to a ruling, from 2; default: by the rules. */
  occurrences?: number;
}

export interface Words {
  /** Language of sentences and errors; default: "en". */
  language?: Language;
  /** Notation of moves in sentences; default: "iccs" in English, "chinese" in Chinese. */
  notation?: Notation;
}

/**
 * The referee. Each call takes one request, or an array of requests, which resolves to an array of
 * results in the same order; a bad request in an array results in a MeihuaError and does not reject.
 */
export interface Meihua {
  /** The ruling on the last position, with all evidence, and the outcome of the game. */
  judge(game: RuledGame & Words): Promise<Ruling>;
  judge(games: readonly (RuledGame & Words)[]): Promise<(Ruling | MeihuaError)[]>;
  /** The ruling in words, move by move: `xiangqi judge --explain`. */
  explain(game: RuledGame & Words): Promise<string>;
  explain(games: readonly (RuledGame & Words)[]): Promise<(string | MeihuaError)[]>;
  /** Outcome of the game, by mate, repetition or another rule; null while it is undecided. */
  outcome(game?: RuledGame & Words): Promise<Outcome | null>;
  outcome(games: readonly (RuledGame & Words)[]): Promise<(Outcome | null | MeihuaError)[]>;
  /** The legal moves in coordinates, including those barred by the repetition rules. */
  legalMoves(game?: Game): Promise<string[]>;
  legalMoves(games: readonly Game[]): Promise<(string[] | MeihuaError)[]>;
  /** The legal moves that are barred by the repetition rules. */
  barredMoves(game: RuledGame & Words): Promise<BarredMove[]>;
  barredMoves(games: readonly (RuledGame & Words)[]): Promise<(BarredMove[] | MeihuaError)[]>;
  /** The FEN after the moves. */
  fenAfter(game?: Game): Promise<string>;
  fenAfter(games: readonly Game[]): Promise<(string | MeihuaError)[]>;
  /** Read a game in any notation or text format. */
  parseMoves(request: ParseRequest): Promise<ParsedGame>;
  parseMoves(requests: readonly ParseRequest[]): Promise<(ParsedGame | MeihuaError)[]>;
  /** Write the moves in a notation; default: "wxf". */
  formatMoves(game: FormatRequest): Promise<string[]>;
  formatMoves(games: readonly FormatRequest[]): Promise<(string[] | MeihuaError)[]>;
  /** The last position as SVG; a repetition with arrows for its checks, chases and protections. */
  draw(game?: RuledGame): Promise<string>;
  draw(games: readonly RuledGame[]): Promise<(string | MeihuaError)[]>;

  /** Terminate the worker. */
  terminate(): void;
}

export interface ParseRequest {
  text: string;
  /** Starting position, if the text has none. */
  fen?: string;
  language?: Language;
}

export interface ParsedGame {
  fen: string;
  moves: string[];
}

export interface FormatRequest extends Game {
  notation?: Notation | "san";
}
