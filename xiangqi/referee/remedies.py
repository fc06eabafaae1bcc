"""Remedies: the side that had to change, its offending moves, and sufficient changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.articles import list_losing_chases
from xiangqi.referee.marks import Conduct, Mark
from xiangqi.referee.reasons import describe_victims, is_mixture
from xiangqi.referee.ruling import WEIGHED, PlyReport, Ruling, Threat
from xiangqi.referee.scoresheet import ScoreSheet
from xiangqi.words.phrases import Listing, PieceOn, Text

__all__ = ["Remedy", "list_remedies"]


class Remedy(NamedTuple):
    """Line of the remedies."""

    text: Text
    is_move: bool = False
    """Is it an offending move, one of a list below the line before?"""


def list_remedies(ruling: Ruling) -> Iterator[Remedy]:
    """List the side that had to change, its offending moves, and sufficient changes.

    Empty for an undecided repetition, and for a ruling that does not depend on the moves.
    """
    if not ruling.plies:
        return
    offender = ruling.offender
    if offender is not None and ruling.conduct[offender] is Conduct.IDLE:
        yield Remedy(Text("first_rounds_oblige"))
    elif offender is not None:
        yield from _list_offence(ruling, offender)
        yield Remedy(_sufficient_change(ruling, offender))
        yield _not_obliged(ruling, not offender)
    elif Conduct.IDLE in ruling.conduct.values():
        yield Remedy(Text("nobody_obliged"))
        for color in (RED, BLACK):
            yield _not_obliged(ruling, color)
    elif WEIGHED.isdisjoint(ruling.conduct.values()):
        conduct = ruling.conduct[RED]
        assert conduct is not None  # the window was judged
        yield Remedy(Text("both_obliged", conduct=Text(f"perpetual_{conduct.value}")))
    else:
        yield Remedy(Text("both_forbidden"))


def _list_offence(ruling: Ruling, color: Color) -> Iterator[Remedy]:
    """The offence and the offending moves of a side."""
    sheet = ScoreSheet(ruling)
    if ruling.conduct[color] is Conduct.CHECK:
        moves = tuple(_name_repeated(reports, sheet) for reports in _own_moves(ruling, color))
        yield Remedy(Text("stop_checking", side=color, moves=Listing(moves, "semicolon")))
        return
    if is_mixture(ruling, color):
        yield Remedy(Text("stop_mixture" if ruling.too_many else "stop_forbidden", side=color))
        for reports in _own_moves(ruling, color):
            mark = Text(f"mark_{reports[0].mark.value}")
            yield Remedy(Text("pair", name=_name_repeated(reports, sheet), value=mark), True)
        return
    yield Remedy(Text("stop_chasing", side=color, victims=describe_victims(ruling, color)))
    chases: dict[tuple[Move, Threat], list[PlyReport]] = {}
    for report, threat in list_losing_chases(ruling, color):
        chases.setdefault((report.move, threat), []).append(report)
    for (_, threat), reports in chases.items():
        cells = ruling.trace.cells(reports[0].ply + 1)
        yield Remedy(
            Text(
                "chasing_move",
                move=_name_repeated(reports, sheet),
                attacker=PieceOn(threat.attacker_piece, threat.attacker, cells),
                victim=PieceOn(threat.victim_piece, threat.victim, cells),
            ),
            True,
        )


def _sufficient_change(ruling: Ruling, color: Color) -> Text:
    """Change that would have cleared the offender, and its result."""
    if ruling.too_many is not None:
        return Text("way_out_rounds", side=color)
    if ruling.nine_round_offenders:
        return Text("way_out_nine", side=color)
    key = "way_out_allowed" if _weighs_each(ruling) else "way_out"
    if ruling.conduct[not color] is not Conduct.IDLE:
        key += "_light" if ruling.conduct[color] in WEIGHED else "_other"
    return Text(key, side=color, other=not color)


def _weighs_each(ruling: Ruling) -> bool:
    """Is each move of a side judged by itself, and weighed if forbidden?"""
    return not ruling.rules.in_search


def _not_obliged(ruling: Ruling, color: Color) -> Remedy:
    return Remedy(Text("not_obliged", side=color, why=_why_clear(ruling, color)))


def _why_clear(ruling: Ruling, color: Color) -> Text:
    """Reason why a side did not have to change."""
    if ruling.rules.offences == "none":
        return Text("clear_by_rules")
    if (too_many := ruling.too_many) is not None:
        others = (one for one in ruling.counts if one.color != too_many.color)
        full = [one for one in others if one.rounds >= one.allowed]
        if not full:
            return Text("clear_by_counts")
        is_same = any(one.offence is too_many.offence for one in full)
        return Text("clear_by_first" if is_same else "clear_by_lighter_count")
    if ruling.conduct[color] is not Conduct.IDLE:
        if ruling.offender is None:
            return Text("clear_by_verdicts")
        is_light = ruling.conduct[not color] in WEIGHED
        return Text("clear_by_light" if is_light else "clear_by_weight")
    if _weighs_each(ruling):  # one allowed move is enough to clear a side
        for reports in _own_moves(ruling, color):
            mark = reports[0].mark
            if not mark.is_strike:
                move = _name_repeated(reports, ScoreSheet(ruling))
                return Text("clear_by_allowed", move=move, mark=Text(f"mark_{mark.value}"))
        return Text("clear_by_no_offence")
    checks_only = ruling.rules.offences == "check"
    conducts = set()
    for reports in _own_moves(ruling, color):
        conduct = reports[0].conduct
        if conduct is Conduct.IDLE or (checks_only and conduct is Conduct.CHASE):
            key = "clear_by_no_check" if checks_only else "clear_by_idle_move"
            return Text(key, move=_name_repeated(reports, ScoreSheet(ruling)))
        conducts.add(conduct)
    return Text("clear_by_mixture" if len(conducts) > 1 else "clear_by_victims")


def _own_moves(ruling: Ruling, color: Color) -> Iterable[list[PlyReport]]:
    """Reports on a side's moves in the window, grouped by move and mark."""
    moves: dict[tuple[Move, Mark], list[PlyReport]] = {}
    for report in ruling.plies:
        if report.color == color:
            moves.setdefault((report.move, report.mark), []).append(report)
    return moves.values()


def _name_repeated(reports: Iterable[PlyReport], sheet: ScoreSheet) -> Text:
    """Move with the rounds in which it was played: ``f0e0 (rounds 2 and 4)``."""
    return sheet.repeated([report.ply for report in reports])
