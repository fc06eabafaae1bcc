"""Meihua: a Xiangqi (Chinese chess) board, engine and referee.

>>> import xiangqi
>>> board = xiangqi.Board()
>>> board.push_iccs("h2e2")
Move.from_iccs('h2e2')

Each name is imported from its module at first use: the engine starts at once, and
``from xiangqi import Board`` loads only what a board needs.
"""

from typing import TYPE_CHECKING

__distribution__ = "meihua-xiangqi"
"""Distribution name, which the other package ``xiangqi`` on PyPI lacks; see ``meihua.py``."""

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
