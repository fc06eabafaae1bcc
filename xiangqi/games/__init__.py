"""Whole games.

``record`` is a main line as text, ``tree`` a game with variations, ``comments`` the evaluations and
times in comments, ``additions`` the comments of programs, ``pgn`` the PGN writer, ``formats`` the
file formats, ``pasting`` a reader of pasted text, ``arbiter`` rulings on games, ``archive`` rulings
on archives, ``convert`` the conversion of formats. Names are imported on first use.
"""

from typing import TYPE_CHECKING

from xiangqi.ground.installed import lazy_names

if TYPE_CHECKING:
    from xiangqi.games.formats import read_games
    from xiangqi.games.tree import Game, GameError, GameNode

__all__ = ["Game", "GameError", "GameNode", "read_games"]

__getattr__ = lazy_names(__name__, {"formats": "read_games", "tree": "Game GameError GameNode"})
