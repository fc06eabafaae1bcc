/**
 * "fen", "position" (impossible), "move", "game", "rules" and "option" are bad input; "load" means
 * that a file could not be loaded, "closed" that the worker was terminated.
 */
export type ErrorCode =
  | "fen" | "position" | "move" | "game" | "rules" | "option" | "load" | "closed" | "internal";

export class MeihuaError extends Error {
  readonly name: "MeihuaError";
  readonly code: ErrorCode;
  /** Where the fault is: "move 3", "line 1, column 18", the field of a FEN, an option. */
  readonly place: string;
  /** The ply of a bad move, counted from 0. */
  readonly ply: number | null;
  /** The input that is wrong. */
  readonly quotation: string;
}
