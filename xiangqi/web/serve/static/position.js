/* Where the pieces stand. Moves are made as they are: whether they are legal the server knows. */

/* A position never changes: playing a move makes another one. */
export class Position {
  constructor(pieces, turn, between, clock, round) {
    Object.assign(this, { pieces, turn, between, clock, round });
  }

  static of(fen) {
    const [, turn = "w", castling = "-", passing = "-", clock = 0, round = 1] = fen.split(" ");
    const pieces = new Map(readPieces(fen));
    return new Position(pieces, turn, `${castling} ${passing}`, Number(clock), Number(round));
  }

  play(move) {
    const [tail, head] = [move.slice(0, 2), move.slice(2, 4)];
    const pieces = new Map(this.pieces);
    const clock = pieces.has(head) ? 0 : this.clock + 1;
    pieces.set(head, pieces.get(tail));
    pieces.delete(tail);
    const isBlack = this.turn === "b";
    const round = this.round + (isBlack ? 1 : 0);
    return new Position(pieces, isBlack ? "w" : "b", this.between, clock, round);
  }

  get placement() {
    return writePieces(this.pieces);
  }

  get fen() {
    const { placement, turn, between, clock, round } = this;
    return [placement, turn, between, clock, round].join(" ");
  }
}

/* Does a piece, by its letter in a FEN, belong to the side to move? */
export function isOwn(position, square) {
  const letter = position.pieces.get(square);
  return letter !== undefined && (letter === letter.toUpperCase()) === (position.turn === "w");
}
