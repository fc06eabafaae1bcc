import type { ErrorCode } from "./answers.js";

/** "load": a file could not be loaded; "closed": the worker has been terminated; "internal": a fault of the package. */
export class MeihuaError extends Error {
  readonly name: "MeihuaError";
  readonly code: ErrorCode;
  /** Place of the fault: "moves[2]", "fen: side to move", an option; empty for the whole request. */
  readonly place: string;
  /** Ply of an invalid move, from 0. */
  readonly ply: number | null;
  /** The invalid input. */
  readonly quotation: string;
}
