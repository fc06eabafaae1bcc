"""Meihua: a Xiangqi (Chinese chess) board, engine and referee.

>>> import xiangqi
>>> board = xiangqi.Board()
>>> board.push_iccs("h2e2")
Move.from_iccs('h2e2')

Names are imported on first use, so that the engine can answer a GUI before that.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xiangqi.public import *  # noqa: F403
    from xiangqi.public import __all__ as __all__
    from xiangqi.squares import *  # noqa: F403
else:

    def __getattr__(name):
        import xiangqi.public as public

        names, offered = globals(), vars(public)
        names.update({each: offered[each] for each in public.__all__ if each in offered})
        if name in ("__all__", *public.__all__):  # some are imported at this moment
            names[name] = getattr(public, name)
        if name not in names:  # neither offered nor a module that has come with what is
            raise AttributeError(f"module 'xiangqi' has no attribute {name!r}", name=name)
        return names[name]

    def __dir__():
        import xiangqi.public as public

        return sorted({*globals(), *public.__all__})
