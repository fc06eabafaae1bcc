"""A game ruled for the page: as data, in words, as arrows on each move of the cycle, and by every
rule book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.tree import Game
from xiangqi.pieces import COLOR_NAMES, square_name
from xiangqi.referee.comparison import compare, format_differences, head_of_table, row_of_ruling
from xiangqi.referee.explanation import format_reports, format_ruling, title_rules
from xiangqi.referee.rules import RULE_SETS, RuleSet
from xiangqi.referee.ruling import PlyReport, Ruling
from xiangqi.svg import ply_arrows, threat_arrows
from xiangqi.tables.probing import tell_usual_tables
from xiangqi.web.pages.plies import arrows_as_data
from xiangqi.web.serve.positions import read_record
from xiangqi.words.voice import Voice

__all__ = ["describe_books", "describe_ruling"]


def describe_ruling(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Outcome that decides a game first: as ``xiangqi judge FILE --json`` prints it, and in words.

    ``verdict`` is one sentence, to which the end-game tables of the usual place add what they know
    of a game that goes on, and ``case`` the whole case; it is empty where no repetition
    decides. ``arrows`` are the attacks of each move of the cycle, by the number of moves played;
    ``evidence`` lists those moves with their marks and the sentences about their attacks.
    Raises FenError, PositionError or RecordError.
    """
    board = read_record(data).play()
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    ruled = rule_game(game, rules)
    ruling = ruled.ruling
    told = tell_usual_tables(board, voice) if board.outcome(rules) is None else ""
    return {
        **ruled.to_dict(),
        "verdict": "; ".join(filter(None, (format_verdict(ruled, voice), told))),
        "case": "" if ruling is None else format_ruling(ruling, voice),
        "arrows": {} if ruling is None else dict(_arrows(ruling, voice)),
        "evidence": [] if ruling is None else list(_evidence(ruling, voice)),
    }


def describe_books(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Rulings of every rule book on the position after a game's moves, that of the page first.

    ``head`` and ``rows`` are a table, ``names`` has the name of each row's rule set beside its
    title, as :func:`title_rules` has it, ``differences`` lists line by line the books that rule
    otherwise than the first, and why. Raises FenError, PositionError or RecordError.
    """
    board = read_record(data).play()
    others = (other for name, other in RULE_SETS.items() if name != rules.name)
    comparison = compare(board, (rules, *others))
    titles = [title_rules(ruling.rules, voice) for ruling in comparison.rulings]
    return {
        "head": head_of_table(voice),
        "rows": [
            (title, *row_of_ruling(ruling, voice)[1:])
            for (title, _), ruling in zip(titles, comparison.rulings, strict=True)
        ],
        "names": [name for _, name in titles],
        "differences": [line.strip() for line in format_differences(comparison, voice)],
    }


def _arrows(ruling: Ruling, voice: Voice) -> Iterator[tuple[int, list[dict[str, str]]]]:
    for report in ruling.plies:
        yield report.ply + 1, arrows_as_data(ply_arrows(report), voice)


def _evidence(ruling: Ruling, voice: Voice) -> Iterator[dict[str, Any]]:
    """Each move of the cycle: ``ply``, counted from 1, ``side``, ``mark``, its ``name`` in words,
    and ``lines``, each with its ``text`` and the ends of its arrows, such as "e0e8".
    """
    for report, lines in format_reports(ruling, voice):
        ends = list(_ends(report))
        told = [
            {"text": text, "weighs": weighs, "arrows": ends[place] if place < len(ends) else []}
            for place, (text, weighs) in enumerate(lines)
        ]
        yield {
            "ply": report.ply + 1,
            "side": COLOR_NAMES[report.color],
            "mark": report.mark.value,
            "name": voice.say(f"mark_{report.mark.value}"),
            "lines": told,
        }


def _ends(report: PlyReport) -> Iterator[list[str]]:
    """The arrows of each sentence about checks and attacks, in the order of format_evidence."""
    if report.checkers:
        king = square_name(report.king)
        yield [square_name(square) + king for square, _ in report.checkers]
    for threat in report.threats:
        arrows = threat_arrows(threat)
        yield [square_name(arrow.tail) + square_name(arrow.head) for arrow in arrows]
