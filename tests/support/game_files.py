"""Games written to bytes, and what is looked at in games that were read."""

from __future__ import annotations

import io
from collections.abc import Iterable

from xiangqi.games.formats import FORMATS, WriteOptions
from xiangqi.games.tree import Game


def write(games: Iterable[Game], name: str = "pgn", **options: object) -> bytes:
    out = io.BytesIO()
    FORMATS[name].write(games, out, WriteOptions(**options))  # type: ignore[arg-type]
    return out.getvalue()


def line(game: Game) -> str:
    return " ".join(str(move) for move in game.moves())


def reasons(game: Game) -> list[str]:
    return [str(error) for error in game.errors]
