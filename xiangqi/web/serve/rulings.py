"""A game ruled for the page: as data, in words, and as arrows on each move of the cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.tree import Game
from xiangqi.pictures import ply_arrows
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import Ruling
from xiangqi.web.pages.plies import arrows_as_data
from xiangqi.web.serve.positions import read_record
from xiangqi.words.voice import Voice

__all__ = ["describe_ruling"]


def describe_ruling(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """What decides a game first: as ``xiangqi judge FILE --json`` tells it, and in words.

    ``verdict`` is one sentence and ``case`` the whole case; it is empty where no repetition
    decides. ``arrows`` tells what each move of the cycle attacks, by the number of moves played.
    Raises FenError, PositionError or RecordError.
    """
    board = read_record(data).play()
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    ruled = rule_game(game, rules)
    ruling = ruled.ruling
    return {
        **ruled.to_dict(),
        "verdict": format_verdict(ruled, voice),
        "case": "" if ruling is None else format_ruling(ruling, voice),
        "arrows": {} if ruling is None else dict(_arrows(ruling, voice)),
    }


def _arrows(ruling: Ruling, voice: Voice) -> Iterator[tuple[int, list[dict[str, str]]]]:
    for report in ruling.plies:
        yield report.ply + 1, arrows_as_data(ply_arrows(report), voice)
