"""What the stronger player, who has Red, gives: the odds of tradition, as starting positions."""

from __future__ import annotations

from typing import Final

from xiangqi.fen import STARTING_FEN, Setup, format_fen, parse_fen
from xiangqi.pieces import BLACK, RED, Color, parse_square

__all__ = ["HANDICAPS"]

_GIVEN: Final[dict[str, tuple[str, Color]]] = {
    "none": ("", RED),
    "move": ("", BLACK),
    "horse": ("b0", RED),
    "horses": ("b0 h0", RED),
    "cannon": ("b2", RED),
    "chariot": ("a0", RED),
    "chariot_horse": ("a0 b0", RED),
    "nine": ("c0 g0 d0 f0 a3 c3 e3 g3 i3", RED),
}
"""The squares from which pieces are taken, and who moves first. One piece of two is the left one;
nine pieces are both advisors, both elephants and the soldiers."""


def _position(squares: str, turn: Color) -> str:
    pieces = parse_fen(STARTING_FEN).piece_map()
    for square in map(parse_square, squares.split()):
        del pieces[square]
    return format_fen(Setup.from_piece_map(pieces, turn))


HANDICAPS: Final = {name: _position(*given) for name, given in _GIVEN.items()}
"""Starting positions by what is given."""
