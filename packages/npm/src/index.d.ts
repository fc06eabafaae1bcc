import { Engine, type AnalysisRequest, type Info, type LoadOptions } from "./engine.js";
import { MeihuaError } from "./errors.js";

export { Engine, MeihuaError };
export type { AnalysisRequest, Info, LoadOptions, Progress, Score } from "./engine.js";
export type { ErrorCode } from "./errors.js";

/** Start the referee in a worker. Rejects with a MeihuaError of code "load". */
export function load(options?: LoadOptions): Promise<Meihua>;

/** Start an engine in a worker of its own; commands wait until it is loaded. */
export function engine(options?: LoadOptions): Engine;

export type Side = "red" | "black";
export type Language = "en" | "zh";
export type Notation = "iccs" | "wxf" | "chinese";
export type RuleSet =
  | "wxf" | "cxa2020" | "cxa2011" | "cxa1999" | "axf" | "fairy-axf" | "taiwan2024" | "vietnam2021"
  | "vietnam2004" | "computer" | "checks-only" | "all-draws" | "superko-positional"
  | "superko-situational" | "tiantian" | "xiangqi.com";

/** A game: where it begins, and its moves. */
export interface Game {
  /** The position before the first move; the usual beginning if left out. */
  fen?: string;
  /** Coordinates as in "h2e2" (files a to i, ranks 0 to 9), or one text in any notation. */
  moves?: string[] | string;
}

export interface RuledGame extends Game {
  /** "wxf" if left out. */
  rules?: RuleSet;
  /** How often a position must occur to be ruled on, 2 or more; as the rules say if left out. */
  occurrences?: number;
}

export interface Words {
  /** Of sentences and of errors; "en" if left out. */
  language?: Language;
  /** Of moves in sentences; "iccs" in English, "chinese" in Chinese if left out. */
  notation?: Notation;
}

/**
 * The referee. Each call takes one request, or an array of them, whose answers come in their order:
 * there an error is a MeihuaError in its place, and does not reject.
 */
export interface Meihua {
  /** The ruling on the last position, with all evidence: `xiangqi judge --json`. */
  judge(game: RuledGame & Words): Promise<Ruling>;
  judge(games: (RuledGame & Words)[]): Promise<(Ruling | MeihuaError)[]>;
  /** The ruling in words, move by move: `xiangqi judge --explain`. */
  explain(game: RuledGame & Words): Promise<string>;
  explain(games: (RuledGame & Words)[]): Promise<(string | MeihuaError)[]>;
  /** How the game has ended, by mate, repetition or another rule; null while it goes on. */
  outcome(game?: RuledGame & Words): Promise<Outcome | null>;
  outcome(games: (RuledGame & Words)[]): Promise<(Outcome | null | MeihuaError)[]>;
  /** The legal moves of the pieces, in coordinates. */
  legalMoves(game?: Game): Promise<string[]>;
  legalMoves(games: Game[]): Promise<(string[] | MeihuaError)[]>;
  /** The legal moves that the rules bar because of a repetition. */
  barredMoves(game: RuledGame & Words): Promise<BarredMove[]>;
  barredMoves(games: (RuledGame & Words)[]): Promise<(BarredMove[] | MeihuaError)[]>;
  /** The FEN after the moves. */
  fenAfter(game?: Game): Promise<string>;
  fenAfter(games: Game[]): Promise<(string | MeihuaError)[]>;
  /** Read a game in any notation or format, as people paste it. */
  parseMoves(request: ParseRequest): Promise<ParsedGame>;
  parseMoves(requests: ParseRequest[]): Promise<(ParsedGame | MeihuaError)[]>;
  /** Write the moves in a notation; "wxf" if left out. */
  formatMoves(game: FormatRequest): Promise<string[]>;
  formatMoves(games: FormatRequest[]): Promise<(string[] | MeihuaError)[]>;
  /** The last position as SVG; of a repetition with its checks, chases and protections as arrows. */
  draw(game?: RuledGame): Promise<string>;
  draw(games: RuledGame[]): Promise<(string | MeihuaError)[]>;

  /** Start an engine in a worker of its own. */
  engine(options?: Pick<LoadOptions, "onProgress">): Engine;
  /** Analyse with an engine that is started at the first call. Leaving the loop stops the search. */
  analyse(request?: AnalysisRequest): AsyncGenerator<Info, void, void>;
  /** End the worker, and the engine of `analyse`. */
  terminate(): void;
}

export interface ParseRequest {
  text: string;
  /** Where a game begins that does not say so. */
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

export interface BarredMove {
  move: string;
  reason: string;
}

export interface Outcome {
  result: "1-0" | "0-1" | "1/2-1/2";
  winner: Side | null;
  termination:
    | "checkmate" | "stalemate" | "perpetual_check" | "perpetual_chase" | "perpetual_strike"
    | "repetition" | "no_capture" | "total_limit" | "no_attackers" | "all_barred" | "barred_move"
    | "illegal_move";
  /** Who has won, and why. */
  words: string;
}

export type Conduct = "idle" | "chase" | "light" | "heavy" | "check";
export type Mark = "check" | "kill" | "chase" | "exchange" | "offer" | "block" | "follow" | "idle";

export interface Ruling {
  verdict: "undecided" | "draw" | "red_wins" | "black_wins";
  /** What each side did in the cycle; null while nothing is decided. */
  red: Conduct | null;
  black: Conduct | null;
  /** How often the position has occurred. */
  occurrences: number;
  /** The first and the last ply of the cycle, counted from 0. */
  window: [number, number] | null;
  /** The side that had to change. */
  offender: Side | null;
  /** The piece that was chased. */
  victim: Victim | null;
  /** The reason in a sentence. */
  reason: string;
  rules: string;
  /** Only under rules that count the rounds of an offence. */
  counters?: OffenceCount[];
  fen: string;
  moves: string[];
  victims: Record<Side, Victim[]>;
  /** Open questions of the rules on which the verdict depends. */
  questions: string[];
  /** Plies whose mark could not be settled. */
  unsettled: number[];
  /** The offence that has gone on for too many rounds, where rounds are counted. */
  too_many: OffenceCount | null;
  pressing: Side[];
  plies: Ply[];
}

export interface Victim {
  piece: string;
  on: string;
}

/** How long a side has gone on with an offence, and how long it may, in rounds. */
export interface OffenceCount {
  side: Side;
  offence: "chase" | "check_and_chase" | "check";
  rounds: number;
  allowed: number;
  /** The first ply that counts. */
  first: number;
  /** The piece that is chased. */
  victim: Victim | null;
  /** The squares of the pieces that took part. */
  pieces: string[];
}

/** What one move of the cycle did. */
export interface Ply {
  ply: number;
  side: Side;
  /** A letter as in a FEN. */
  piece: string;
  move: string;
  conduct: Conduct;
  mark: Mark;
  /** Whether a forbidden move outweighs light ones; null where moves are not weighed. */
  heavy: boolean | null;
  /** The squares of the pieces that give check. */
  checkers: string[];
  threats: Threat[];
  proofs: Proof[];
}

export interface Threat {
  attacker: string;
  from: string;
  victim: string;
  on: string;
  /** Why it is a chase, or is none. */
  reason:
    | "uncrossed_pawn" | "king_or_pawn" | "pinned" | "exchange" | "protected" | "stood_before"
    | "line_exempt" | "unanswered" | "chase" | "profit";
  /** The square of the protector. */
  root: string | null;
}

export interface Proof {
  mark: Mark;
  moves: string[];
  victims: Victim[];
  heavy: boolean;
  even: boolean;
  /** Why it does not count after all. */
  clause:
    | "king_reply" | "king_or_soldier" | "losing_root" | "even_chase" | "mated" | "stood_before"
    | "reply" | "own_doing" | "key_point" | null;
  /** Why it is light; null if it is heavy. */
  joint: "root" | "false_root" | "mount" | "checks" | null;
  /** The root that could take back, or the other pieces that take part. */
  partners: Victim[];
  /** What the same capture would have led to before the move, where the move made it good. */
  before: string[];
  /** The pieces that could take back in form only. */
  false_roots: FalseRoot[];
}

/** A piece that cannot take back: its own general would be hit by the pinner, or see the other one. */
export interface FalseRoot extends Victim {
  pinner: Victim | null;
}
