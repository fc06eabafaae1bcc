/* Made by tools/npm_types.py from xiangqi/contract; a test compares. */

/** A legal move that the repetition rules bar. */
export interface BarredMove {
  move: string;
  reason: string;
}

/** Reason why a threat does not count, where a chase is a gain; the first applicable one. */
export type Clause =
  | "king_reply" | "king_or_soldier" | "losing_root" | "even_chase" | "mated" | "stood_before" | "reply"
  | "own_doing" | "key_point";

/** Conduct of one side over a cycle, the gravest last. No rule book uses all of them. */
export type Conduct = "idle" | "chase" | "light" | "heavy" | "check";

/** A move of the cycle, which may be played in several rounds. */
export interface CycleMove {
  /** From 0. */
  plies: number[];
  /** In the notation of the request. */
  move: string;
  /** Its rounds in words. */
  rounds: string;
  side: Side;
  mark: Mark;
  /** Name of the mark. */
  name: string;
  sentences: Sentence[];
}

export type ErrorCode =
  | "bad_fen" | "impossible_position" | "bad_move" | "illegal_move" | "bad_rules" | "bad_file" | "bad_table"
  | "bad_field" | "bad_option" | "bad_json" | "bad_input" | "load" | "closed" | "internal";

/** An explanation of a ruling in words, with its parts. */
export interface Explanation {
  /** The full text, move by move. */
  text: string;
  /** The moves that are judged; null for an undecided repetition. */
  window: string | null;
  /** Conduct of Red, then of Black; empty without a window. */
  sides: string[];
  /** Current offences, if rounds are counted. */
  counts: string[];
  /** Side that had to change, and sufficient changes. */
  remedies: Remedy[];
  /** Open questions of the rules that decide, and unsettled moves. */
  doubts: string[];
  /** Moves of the window, equal ones joined. */
  moves: CycleMove[];
}

/** A protector that cannot recapture, as that would expose its general. */
export interface FalseRoot {
  /** FEN letter. */
  piece: string;
  /** Square. */
  on: string;
  /** Pinning piece; null if the generals would face. */
  pinner: Victim | null;
}

/** A fact that makes a capture profitable, or a threat new. */
export interface Ground {
  ground: GroundKind;
  /** Protector, moved piece, or victim that cannot take back. */
  piece: Victim | null;
  /** Piece that pins or blocks it. */
  by: Victim | null;
}

/** Fact that makes a capture profitable, or a threat new, where a chase is a capture. */
export type GroundKind =
  | "protected_chariot" | "pinned_victim" | "blocked_leg" | "false_root" | "mount_moved" | "uncovered"
  | "unrooted";

/** Reason why a chase is light (CXA 2020, 26.9). */
export type Joint = "root" | "false_root" | "mount" | "checks";

/** The ruling on the last position of a game, in words too, and the outcome of the game. */
export interface Judged {
  verdict: Verdict;
  /** Conduct of Red in the cycle; null without a ruling. */
  red: Conduct | null;
  /** Conduct of Black in the cycle; null without a ruling. */
  black: Conduct | null;
  /** Occurrences of the last position. */
  occurrences: number;
  /** First and last ply of the cycle, from 0. */
  window: [number, number] | null;
  /** The side that must change. */
  offender: Side | null;
  /** The piece chased perpetually. */
  victim: Victim | null;
  /** The reason in a sentence. */
  reason: string;
  /** Rule set and changed options. */
  rules: string;
  /** Only with rule sets that count the rounds of an offence. */
  counters?: OffenceCount[];
  /** Position before the first move. */
  fen?: string;
  moves?: string[];
  victims?: Victims;
  /** Articles of the rule book, such as 15-16, 26.1.3 or 7:6 (chapter 7, rule 6); as far as known. */
  articles?: string[];
  /** Open questions of the rules that decide the verdict. */
  questions?: string[];
  /** Plies with an undetermined mark. */
  unsettled?: number[];
  /** The offence that exceeded its number of rounds. */
  too_many?: OffenceCount | null;
  nine_round_offenders?: Side[];
  /** The moves of the cycle. */
  plies?: Ply[];
  /** The ruling in a sentence. */
  words: string;
  /** null while the game goes on. */
  outcome: Outcome | null;
  /** On request. */
  explanation?: Explanation;
  /** Value in the endgame tables; empty if unknown. */
  tables?: string;
}

export type Language = "en" | "zh" | "vi";

/** Mark of one move: its gravest strike, or its kind of allowed move. */
export type Mark = "check" | "kill" | "chase" | "exchange" | "offer" | "block" | "follow" | "idle";

export type Notation = "chinese" | "wxf" | "vietnamese" | "iccs";

/** Offence of which some rule sets count the rounds; the gravest last. */
export type Offence = "chase" | "check_and_chase" | "check";

/** Rounds of an offence by a side, and the number allowed. */
export interface OffenceCount {
  side: Side;
  offence: Offence;
  rounds: number;
  allowed: number;
  /** First ply that counts. */
  first: number;
  /** The chased piece. */
  victim: Victim | null;
  /** Squares of the offending pieces. */
  pieces: string[];
}

/** Outcome of a game, by mate, repetition or another rule. */
export interface Outcome {
  result: Result;
  /** null for a draw. */
  winner: Side | null;
  termination: Termination;
  /** The result and its reason in a sentence. */
  words: string;
}

/** A move of the cycle, with its checks and threats. */
export interface Ply {
  /** From 0. */
  ply: number;
  side: Side;
  /** FEN letter. */
  piece: string;
  move: string;
  conduct: Conduct;
  mark: Mark;
  /** Does a forbidden move outweigh light ones? null where moves are not weighed. */
  heavy: boolean | null;
  /** Articles of the rule book, such as 15-16, 26.1.3 or 7:6 (chapter 7, rule 6); as far as known. */
  articles: string[];
  /** Squares of the pieces that give check. */
  checkers: string[];
  threats: Threat[];
  proofs: Proof[];
}

/** A line that proves a mark, or a threat that does not count. */
export interface Proof {
  mark: Mark;
  /** From the position after the marked move; the other side passes. */
  moves: string[];
  /** Pieces that the line wins. */
  victims: Victim[];
  heavy: boolean;
  /** Does the line win no more than is lost elsewhere? */
  even: boolean;
  /** Why it does not count; null if it counts. */
  clause: Clause | null;
  /** Why it is light; null if it is heavy. */
  joint: Joint | null;
  /** The root that could recapture, or the other pieces involved. */
  partners: Victim[];
  /** Line after the same capture before the move, if the move made it good. */
  before: string[];
  /** Pieces that could recapture in form only. */
  false_roots: FalseRoot[];
  /** Articles of the rule book, such as 15-16, 26.1.3 or 7:6 (chapter 7, rule 6); as far as known. */
  articles: string[];
  /** The moved piece, if it uncovers the attack. */
  grounds: Ground[];
}

/** Reason why an attack is a chase or not; the first applicable one. */
export type Reason =
  | "uncrossed_pawn" | "king_or_pawn" | "pinned" | "exchange" | "protected" | "stood_before" | "line_exempt"
  | "unanswered" | "chase" | "profit";

/** A line on the side that had to change. */
export interface Remedy {
  text: string;
  /** Is it an offending move, in a list below the line before? */
  is_move: boolean;
}

export type Result = "1-0" | "0-1" | "1/2-1/2";

export type RuleSet =
  | "wxf" | "all-draws" | "axf" | "checks-only" | "computer" | "cxa1999" | "cxa2011" | "cxa2020" | "fairy-axf"
  | "superko-positional" | "superko-situational" | "taiwan2024" | "tiantian" | "vietnam2004" | "vietnam2021"
  | "xiangqi.com";

/** A sentence on a move of the cycle: a check, an attack, or a line of play. */
export interface Sentence {
  text: string;
  /** Is it a check, a kill, a chase, or a weight? */
  weighs: boolean;
  /** From and to squares of its checks or its attack: e0e8. */
  arrows: string[];
}

export type Side = "black" | "red";

/** Reason for the end of a game. */
export type Termination =
  | "checkmate" | "stalemate" | "perpetual_check" | "perpetual_chase" | "perpetual_strike" | "repetition"
  | "no_capture" | "total_limit" | "no_attackers" | "all_barred" | "barred_move" | "illegal_move";

/** An attack after a ply, with the reason why it is a chase, or is not. */
export interface Threat {
  /** Square of the attacker. */
  from: string;
  /** FEN letter. */
  attacker: string;
  /** FEN letter. */
  victim: string;
  /** Square of the victim. */
  on: string;
  reason: Reason;
  /** Square of the protector. */
  root: string | null;
  /** Articles of the rule book, such as 15-16, 26.1.3 or 7:6 (chapter 7, rule 6); as far as known. */
  articles: string[];
  grounds: Ground[];
}

/** Verdict on a repetition. */
export type Verdict = "undecided" | "draw" | "red_wins" | "black_wins";

/** A piece and its square, mostly the victim of a threat. */
export interface Victim {
  /** FEN letter. */
  piece: string;
  /** Square. */
  on: string;
}

/** The chased pieces of each side's chases. */
export interface Victims {
  red: Victim[];
  black: Victim[];
}
