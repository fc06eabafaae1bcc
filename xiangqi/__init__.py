"""Meihua: a Xiangqi (Chinese chess) board, engine and referee.

Board                  position, moves in any notation, rulings: help(xiangqi.Board)
Game, read_games       games with variations, game files: help(xiangqi.games.formats)
Referee, RULE_SETS     rulings on repetitions, explained: help(xiangqi.Referee)
Meihua, open_engine    our engine; any engine that speaks UCCI, UCI or XBoard: help(xiangqi.Meihua)
svg, pgn, engine       modules as in python-chess: help(xiangqi.svg)
notation, books, tables, arrays    moves as text, opening books, endgame tables, NumPy arrays

Names are those of python-chess where Xiangqi allows it; the error for a missing one says what to
use instead. dir(xiangqi) lists all names, docs/python.md shows them at work.

>>> import xiangqi
>>> board = xiangqi.Board()
>>> board.push_move("炮二平五")
Move.from_iccs('h2e2')

Each name is imported from its module at first use: the engine starts at once, and
``from xiangqi import Board`` loads only what a board needs.
"""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from typing import TYPE_CHECKING

__distribution__ = "meihua-xiangqi"
"""Distribution name, which the other package ``xiangqi`` on PyPI lacks; see ``meihua``."""


def _require_built(folder: str) -> None:
    """Raise NotBuiltError in a checkout whose core is not compiled for this Python."""
    core = os.path.join(folder, "core", "board")
    is_checkout = os.path.isdir(os.path.join(os.path.dirname(folder), "ext"))
    if is_checkout and not any(os.path.exists(core + suffix) for suffix in EXTENSION_SUFFIXES):
        from meihua_installation import NotBuiltError

        raise NotBuiltError(os.path.dirname(folder))


_require_built(os.path.dirname(os.path.abspath(__file__)))

if TYPE_CHECKING:
    from xiangqi.pieces.squares import *  # noqa: F403
    from xiangqi.public import *  # noqa: F403
    from xiangqi.public import __all__ as __all__
else:

    def __getattr__(name):
        import xiangqi.public as public

        found = globals()[name] = getattr(public, name)
        return found

    def __dir__():
        import xiangqi.public as public

        return sorted({*globals(), *public.__all__})
