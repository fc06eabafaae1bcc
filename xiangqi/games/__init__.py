"""Whole games.

One line of moves (``record``), a tree with variations (``tree``, of ``node``), what comments say of
evaluations and times (``evals``, ``clocks``) and what programs add to them (``additions``), the
``formats`` of files, ruling on games (``arbiter``) and on archives of them (``archive``), and
``convert``. What is named here is imported when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xiangqi.games.formats import read_games
    from xiangqi.games.tree import Game, GameError, GameNode

__all__ = ["Game", "GameError", "GameNode", "read_games"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'xiangqi.games' has no attribute {name!r}", name=name)
    home = "formats" if name == "read_games" else "tree"
    return getattr(import_module(f"xiangqi.games.{home}"), name)
