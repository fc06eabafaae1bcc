import { Engine, type AnalysisRequest, type Info, type LoadOptions } from "./engine.js";
import { MeihuaError } from "./errors.js";

export { Engine, MeihuaError };
export type { AnalysisRequest, Info, LoadOptions, Progress, Score } from "./engine.js";
export type { ErrorCode } from "./errors.js";

/** Start the referee in a worker. Rejects with a MeihuaError of code "load", or "option" for a wrong option. */
export function load(options?: LoadOptions): Promise<Meihua>;

/** Start an engine in a worker of its own; commands wait until it is loaded. */
export function engine(options?: LoadOptions): Engine;

export type Side = "red" | "black";
export type Language = "en" | "zh";
export type Notation = "iccs" | "wxf" | "chinese" | "vietnamese";
export type RuleSet =
  | "wxf" | "cxa2020" | "cxa2011" | "cxa1999" | "axf" | "fairy-axf" | "taiwan2024" | "vietnam2021"
  | "vietnam2004" | "computer" | "checks-only" | "all-draws" | "superko-positional"
  | "superko-situational" | "tiantian" | "xiangqi.com";

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
  /** The ruling on the last position, with all evidence: `xiangqi judge --json`. */
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

  /** Start an engine in a worker of its own. */
  engine(options?: Pick<LoadOptions, "onProgress">): Engine;
  /** Analyse with an engine that is started by the first call. Leaving the loop stops the search. */
  analyse(request?: AnalysisRequest): AsyncGenerator<Info, void, void>;
  /** Terminate the worker, and the engine of `analyse`. */
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
  /** The result and its reason in a sentence. */
  words: string;
}

export type Conduct = "idle" | "chase" | "light" | "heavy" | "check";
export type Mark = "check" | "kill" | "chase" | "exchange" | "offer" | "block" | "follow" | "idle";

export interface Ruling {
  verdict: "undecided" | "draw" | "red_wins" | "black_wins";
  /** Conduct of each side in the cycle; null without a ruling. */
  red: Conduct | null;
  black: Conduct | null;
  /** Number of occurrences of the position. */
  occurrences: number;
  /** First and last ply of the cycle, from 0. */
  window: [number, number] | null;
  /** The side that must change. */
  offender: Side | null;
  /** The chased piece. */
  victim: Victim | null;
  /** The reason in a sentence. */
  reason: string;
  rules: string;
  /** Only with rule sets that count the rounds of an offence. */
  counters?: OffenceCount[];
  fen: string;
  moves: string[];
  victims: Record<Side, Victim[]>;
  /** Open questions of the rules that decide the verdict. */
  questions: string[];
  /** Plies with an undetermined mark. */
  unsettled: number[];
  /** The offence that has exceeded its number of rounds, if rounds are counted. */
  too_many: OffenceCount | null;
  nine_round_offenders: Side[];
  plies: Ply[];
}

export interface Victim {
  piece: string;
  on: string;
}

/** Rounds of an offence by a side, and the number allowed. */
export interface OffenceCount {
  side: Side;
  offence: "chase" | "check_and_chase" | "check";
  rounds: number;
  allowed: number;
  /** First ply that counts. */
  first: number;
  /** The chased piece. */
  victim: Victim | null;
  /** Squares of the offending pieces. */
  pieces: string[];
}

/** A move of the cycle, with its checks and threats. */
export interface Ply {
  ply: number;
  side: Side;
  /** FEN letter. */
  piece: string;
  move: string;
  conduct: Conduct;
  mark: Mark;
  /** Whether a forbidden move outweighs light ones; null where moves are not weighed. */
  heavy: boolean | null;
  /** Squares of the pieces that give check. */
  checkers: string[];
  threats: Threat[];
  proofs: Proof[];
}

export interface Threat {
  attacker: string;
  from: string;
  victim: string;
  on: string;
  /** Reason why it is a chase, or is not. */
  reason:
    | "uncrossed_pawn" | "king_or_pawn" | "pinned" | "exchange" | "protected" | "stood_before"
    | "line_exempt" | "unanswered" | "chase" | "profit";
  /** Square of the protector. */
  root: string | null;
}

export interface Proof {
  mark: Mark;
  moves: string[];
  victims: Victim[];
  heavy: boolean;
  even: boolean;
  /** Rule by which the proof does not count; null if it counts. */
  clause:
    | "king_reply" | "king_or_soldier" | "losing_root" | "even_chase" | "mated" | "stood_before"
    | "reply" | "own_doing" | "key_point" | null;
  /** Reason why it is light; null if it is heavy. */
  joint: "root" | "false_root" | "mount" | "checks" | null;
  /** The root that could recapture, or the other pieces involved. */
  partners: Victim[];
  /** Line after the same capture before the move, if the move made it good. */
  before: string[];
  /** Pieces that could recapture in form only. */
  false_roots: FalseRoot[];
}

/** A protector that cannot recapture, as that would expose its general. */
export interface FalseRoot extends Victim {
  pinner: Victim | null;
}
