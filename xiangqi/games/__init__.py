"""Whole games.

A main line as text (``record``), a tree with variations (``tree``), evaluations and times in its
``comments``, additions of programs (``additions``), ``pgn`` as text, the ``formats`` of files,
rulings on games (``arbiter``) and on archives of them (``archive``), and ``convert``. Names are
imported on first use.
"""

from typing import TYPE_CHECKING

from xiangqi.installed import lazy_names

if TYPE_CHECKING:
    from xiangqi.games.formats import read_games
    from xiangqi.games.tree import Game, GameError, GameNode

__all__ = ["Game", "GameError", "GameNode", "read_games"]

__getattr__ = lazy_names(__name__, {"formats": "read_games", "tree": "Game GameError GameNode"})
