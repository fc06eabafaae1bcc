"""Xiangqi's counterpart of ``chess.pgn``; using a name that it lacks raises an AttributeError that
suggests a substitute.

>>> import io
>>> from xiangqi import pgn
>>> [game.headers["Red"] for game in pgn.read_games(io.StringIO('[Red "Xu"]\\n\\n1. h2e2 *'))]
['Xu']
>>> pgn.read_game
Traceback (most recent call last):
AttributeError: module 'xiangqi.pgn' has no attribute 'read_game': iterate over read_games(file)
"""

from typing import TYPE_CHECKING

from xiangqi.games import Game, GameNode, read_games
from xiangqi.ground.errors.absent import missing_name

__all__ = ["Game", "GameNode", "read_games"]

if not TYPE_CHECKING:  # a type checker would accept any name of a module with __getattr__

    def __getattr__(name):
        raise missing_name("chess.pgn", "module 'xiangqi.pgn'", name)
