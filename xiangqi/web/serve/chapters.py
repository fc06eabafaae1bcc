"""The list of a file's games beside the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xiangqi.games.arbiter import GameRuling
from xiangqi.games.tree import Game
from xiangqi.web.pages.index_page import name_reason
from xiangqi.words.voice import Voice

__all__ = ["describe_chapters"]


def describe_chapters(
    games: Iterable[tuple[Game, GameRuling]], voice: Voice
) -> list[dict[str, Any]]:
    """Describe each game in the order of the file: players, event, date, recorded result, rounds,
    whether a ruling on a repetition belongs to it, and the reason of its end in a word or two."""
    return [
        {
            "red": ruled.red,
            "black": ruled.black,
            "event": game.headers.get("Event", "").strip("? ."),
            "date": game.headers.get("Date", "").strip("? ."),
            "result": ruled.recorded,
            "rounds": (ruled.plies + 1) // 2,
            "repetition": ruled.ruling is not None,
            "reason": name_reason(ruled, voice),
        }
        for game, ruled in games
    ]
