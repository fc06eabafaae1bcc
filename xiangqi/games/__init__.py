"""Whole games.

A main line as text (``record``), a tree with variations (``tree``), evaluations and times in its
``comments``, what programs add to it (``additions``), ``pgn`` as text, the ``formats`` of files,
rulings on games (``arbiter``) and on archives of them (``archive``), and ``convert``. Names are
imported on first use.
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
