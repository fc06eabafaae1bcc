"""Starting positions as XQF and DhtmlXQ write them: 32 places, one for each piece of the set.

The places go chariot, horse, elephant, advisor, general, advisor, elephant, horse, chariot, two
cannons, five soldiers; Red's first, then Black's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from xiangqi.fen import MAX_COUNTER, Setup, format_fen
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.plain import PlainMove
from xiangqi.pieces import Color, Piece, Square, square_name

__all__ = ["fill_slots", "find_turn", "set_pieces", "take_slots"]

_SLOTS: Final = tuple(map(Piece.from_symbol, "RNBAKABNRCCPPPPPrnbakabnrccppppp"))


def take_slots(slots: Sequence[Square | None], builder: GameBuilder) -> dict[Square, Piece]:
    """The pieces that stand on the squares of the 32 places; None is a captured piece.

    Two pieces on one square are an error of the game.
    """
    pieces: dict[Square, Piece] = {}
    for piece, square in zip(_SLOTS, slots, strict=True):
        if square is None:
            continue
        other = pieces.get(square)
        if other is not None:
            reason = f"the {other.name()} stands there already"
            builder.add_error(f"{piece.name()} on {square_name(square)}", reason)
        pieces[square] = piece
    return pieces


def fill_slots(setup: Setup) -> list[Square | None]:
    """The squares of the 32 places in a position that is possible."""
    slots: list[Square | None] = [None] * len(_SLOTS)
    for square, piece in setup.piece_map().items():
        slots[next(i for i, own in enumerate(_SLOTS) if own == piece and slots[i] is None)] = square
    return slots


def find_turn(pieces: dict[Square, Piece], first: Iterable[PlainMove], stated: Color) -> Color:
    """The side to move: that of the first piece to move, else the one that is *stated*."""
    for plain in first:
        if plain.move is not None and plain.move.from_square in pieces:
            return pieces[plain.move.from_square].color
        break
    return stated


def set_pieces(
    builder: GameBuilder, pieces: dict[Square, Piece], turn: Color, number: int = 1
) -> bool:
    """Set the starting position of a game: pieces, side to move, number of the first move."""
    number = number if 1 <= number <= MAX_COUNTER else 1
    return builder.set_start(format_fen(Setup.from_piece_map(pieces, turn, 0, number)))
