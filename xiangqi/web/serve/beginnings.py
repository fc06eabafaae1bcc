"""Positions and games that the page offers to begin with: traditional odds, and examples."""

from __future__ import annotations

from typing import Final

from xiangqi.pieces import BLACK, RED, Color, parse_square
from xiangqi.pieces.fen import STARTING_FEN, Setup, format_fen, parse_fen

__all__ = ["EXAMPLES", "HANDICAPS"]

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

_EXAMPLES: Final[dict[str, tuple[str, str]]] = {
    "check": ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8"),
    "chase": (
        "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 w",
        "b5b8 f9e8 c7c8 e8f9 c8c7 f9e8 c7c8 e8f9 c8c7 f9e8",
    ),
    "draw": (
        "4kab2/4a4/3rb4/9/9/9/8R/1p5p1/4A4/3AK1B2 w",
        "i3h3 h2g2 h3g3 g2h2 g3b3 b2c2 b3c3 c2b2 c3h3 h2g2 h3g3 g2h2 g3b3 b2c2 b3c3 c2b2 c3h3 h2g2",
    ),
}
EXAMPLES: Final = {name: f"{fen}\n{moves}" for name, (fen, moves) in _EXAMPLES.items()}
"""Texts of games with repetitions, to be pasted: the cases V1, V14a and D77 of the rule book."""
