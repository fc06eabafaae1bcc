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

from typing import TYPE_CHECKING, Final

from xiangqi.games import Game, GameNode, read_games

__all__ = ["Game", "GameNode", "read_games"]

_SUBSTITUTES: Final = {
    "ChildNode": "GameNode",
    "FileExporter": "print(game, file=file)",
    "Headers": "game.headers, a dict",
    "StringExporter": "str(game)",
    "read_game": "iterate over read_games(file)",
    "read_headers": "game.headers of each game of read_games(file)",
    "skip_game": "iterate over read_games(file)",
    "BaseVisitor": "GameVisitor of xiangqi.games.pgn, for game.accept(visitor)",
    "GameBuilder": "game.nodes() and game.mainline()",
}

if not TYPE_CHECKING:  # a type checker would accept any name of a module with __getattr__

    def __getattr__(name):
        hint = f": {_SUBSTITUTES[name]}" if name in _SUBSTITUTES else ""
        raise AttributeError(f"module 'xiangqi.pgn' has no attribute {name!r}{hint}", name=name)
