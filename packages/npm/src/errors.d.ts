/**
 * "fen", "position" (impossible), "move", "game", "rules" and "option": invalid input; "load": a file
 * could not be loaded; "closed": the worker has been terminated; "internal": a fault of the package.
 */
export type ErrorCode =
  | "fen" | "position" | "move" | "game" | "rules" | "option" | "load" | "closed" | "internal";

export class MeihuaError extends Error {
  readonly name: "MeihuaError";
  readonly code: ErrorCode;
  /** Location of the fault: "move 3", "line 1, column 18", the field of a FEN, an option. */
  readonly place: string;
  /** Ply of an invalid move, from 0. */
  readonly ply: number | null;
  /** The invalid input. */
  readonly quotation: string;
}
