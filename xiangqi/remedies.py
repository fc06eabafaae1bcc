"""What each side would have had to change, or why it had not to, from the evidence of a ruling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from xiangqi.pieces import BLACK, RED, Color, Square
from xiangqi.ruling import Conduct, PlyReport, Ruling, Threat
from xiangqi.words import Language, name_piece, name_side, say

__all__ = ["INDENT", "format_remedies"]

INDENT: Final = " " * 8


def format_remedies(ruling: Ruling, lang: Language = "en") -> Iterator[str]:
    """Who had to change, by which moves, and what would have been enough; line by line.

    Moves stand below the side that plays them, with an :data:`INDENT` before each.
    Nothing is said of a repetition that is not decided.
    """
    offender = ruling.offender
    if ruling.window is None:
        return
    if offender is not None:
        yield from _offence(ruling, offender, lang)
        yield _way_out(ruling, offender, lang)
        yield _not_obliged(ruling, not offender, lang)
    elif ruling.conduct[RED] is Conduct.IDLE:
        yield say(lang, "nobody_obliged")
        for color in (RED, BLACK):
            yield _not_obliged(ruling, color, lang)
    else:
        conduct = ruling.conduct[RED]
        assert conduct is not None  # the window was judged
        yield say(lang, "both_obliged", conduct=say(lang, f"perpetual_{conduct.value}"))


def _offence(ruling: Ruling, color: Color, lang: Language) -> Iterator[str]:
    """Which moves offend."""
    side = name_side(lang, color)
    if ruling.conduct[color] is Conduct.CHECK:
        moves = say(lang, "semicolon").join(
            _number(reports) for reports in _own_moves(ruling, color)
        )
        yield say(lang, "stop_checking", side=side, moves=moves)
        return
    yield say(lang, "stop_chasing", side=side, victims=ruling.name_victims(color, lang))
    chases: dict[tuple[str, Threat], list[PlyReport]] = {}
    for report, threat in _losing_chases(ruling, color):
        chases.setdefault((report.move.iccs(), threat), []).append(report)
    for (_, threat), reports in chases.items():
        yield INDENT + say(
            lang,
            "chasing_move",
            move=_number(reports),
            attacker=name_piece(lang, threat.attacker_piece, threat.attacker),
            victim=name_piece(lang, threat.victim_piece, threat.victim),
        )


def _way_out(ruling: Ruling, color: Color, lang: Language) -> str:
    """What would have cleared the offender, and what would have come of it."""
    other = ruling.conduct[not color]
    if other is Conduct.IDLE:
        return say(lang, "way_out", side=name_side(lang, color))
    return say(lang, "way_out_other", side=name_side(lang, color), other=name_side(lang, not color))


def _not_obliged(ruling: Ruling, color: Color, lang: Language) -> str:
    side = name_side(lang, color)
    return say(lang, "not_obliged", side=side, why=_why_clear(ruling, color, lang))


def _why_clear(ruling: Ruling, color: Color, lang: Language) -> str:
    """Why a side that is not the offender has done nothing that loses."""
    if ruling.rules.offences == "none":
        return say(lang, "clear_by_rules")
    if ruling.conduct[color] is not Conduct.IDLE:
        return say(lang, "clear_by_weight")
    checks_only = ruling.rules.offences == "check"
    conducts = set()
    for reports in _own_moves(ruling, color):
        conduct = reports[0].conduct
        if conduct is Conduct.IDLE or (checks_only and conduct is Conduct.CHASE):
            key = "clear_by_no_check" if checks_only else "clear_by_idle_move"
            return say(lang, key, move=_number(reports))
        conducts.add(conduct)
    return say(lang, "clear_by_mixture" if len(conducts) > 1 else "clear_by_victims")


def _own_moves(ruling: Ruling, color: Color) -> Iterable[list[PlyReport]]:
    """The moves of a side in the window, those that are played again taken together."""
    moves: dict[tuple[str, Conduct], list[PlyReport]] = {}
    for report in ruling.plies:
        if report.color == color:
            moves.setdefault((report.move.iccs(), report.conduct), []).append(report)
    return moves.values()


def _losing_chases(ruling: Ruling, color: Color) -> Iterator[tuple[PlyReport, Threat]]:
    """The chases of the pieces that a side chases perpetually, from the first ply on."""
    found = []
    where: set[Square] = {victim.square for victim in ruling.victims[color]}
    for report in reversed(ruling.plies):
        if report.color == color:
            chases = [threat for threat in report.chases if threat.victim in where]
            found += [(report, threat) for threat in reversed(chases)]
        elif report.move.to_square in where:  # the victim came from elsewhere
            where = where - {report.move.to_square} | {report.move.from_square}
    return reversed(found)


def _number(reports: Iterable[PlyReport]) -> str:
    """A move with the numbers of all times it was played: ``3, 7. f0e0``."""
    reports = list(reports)
    return f"{', '.join(str(report.ply + 1) for report in reports)}. {reports[0].move.iccs()}"
