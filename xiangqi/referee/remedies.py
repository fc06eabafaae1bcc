"""Changes that each side would have had to make, from the evidence of a ruling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from xiangqi.pieces import BLACK, RED, Color, Square
from xiangqi.referee.reasons import WEIGHED, is_mixture, name_victims
from xiangqi.referee.ruling import Conduct, Mark, OffenceCount, PlyReport, Ruling, Threat
from xiangqi.words.voice import PLAIN_VOICE, ScoreSheet, Voice

__all__ = ["INDENT", "format_remedies"]

INDENT: Final = " " * 8


def format_remedies(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Side that had to change, the moves concerned, and sufficient changes; line by line.

    Moves stand below the side that plays them, with an :data:`INDENT` before each.
    Nothing is said of a repetition that is not decided.
    """
    if ruling.window is None:
        return
    offender = ruling.offender
    sheet = ScoreSheet(ruling.fen, ruling.moves, voice)
    if offender is not None:
        yield from _offence(ruling, offender, sheet)
        yield _way_out(ruling, offender, voice)
        yield _not_obliged(ruling, not offender, sheet)
    elif Conduct.IDLE in ruling.conduct.values():
        yield voice.say("nobody_obliged")
        for color in (RED, BLACK):
            yield _not_obliged(ruling, color, sheet)
    else:
        yield _both_obliged(ruling, voice)


def _both_obliged(ruling: Ruling, voice: Voice) -> str:
    """Neither side is idle, and it is a draw all the same."""
    if not WEIGHED.isdisjoint(ruling.conduct.values()):
        return voice.say("both_forbidden")
    conduct = ruling.conduct[RED]
    assert conduct is not None  # the window was judged
    return voice.say("both_obliged", conduct=voice.say(f"perpetual_{conduct.value}"))


def _offence(ruling: Ruling, color: Color, sheet: ScoreSheet) -> Iterator[str]:
    """Offending moves."""
    voice = sheet.voice
    side = voice.side(color)
    if ruling.conduct[color] is Conduct.CHECK:
        moves = voice.say("semicolon").join(
            _name(reports, sheet) for reports in _own_moves(ruling, color, sheet)
        )
        yield voice.say("stop_checking", side=side, moves=moves)
        return
    if is_mixture(ruling, color):
        yield voice.say("stop_mixture" if ruling.too_many else "stop_forbidden", side=side)
        for reports in _own_moves(ruling, color, sheet):
            mark = voice.say(f"mark_{reports[0].mark.value}")
            yield INDENT + voice.say("pair", name=_name(reports, sheet), value=mark)
        return
    yield voice.say("stop_chasing", side=side, victims=name_victims(ruling, color, voice))
    chases: dict[tuple[str, str, Threat], list[PlyReport]] = {}
    for report, threat in _losing_chases(ruling, color):
        key = report.move.iccs(), sheet.move(report.ply), threat
        chases.setdefault(key, []).append(report)
    for (_, _, threat), reports in chases.items():
        cells = sheet.cells(reports[0].ply + 1)
        yield INDENT + voice.say(
            "chasing_move",
            move=_name(reports, sheet),
            attacker=voice.piece(threat.attacker_piece, threat.attacker, cells),
            victim=voice.piece(threat.victim_piece, threat.victim, cells),
        )


def _way_out(ruling: Ruling, color: Color, voice: Voice) -> str:
    """Changes that would have cleared the offender, and their result."""
    if ruling.too_many is not None:
        return voice.say("way_out_rounds", side=voice.side(color))
    if ruling.pressing:
        return voice.say("way_out_nine", side=voice.side(color))
    conduct = ruling.conduct[not color]
    key = "way_out_allowed" if _is_weighed(ruling) else "way_out"
    if conduct is not Conduct.IDLE:
        key += "_light" if ruling.conduct[color] in WEIGHED else "_other"
    return voice.say(key, side=voice.side(color), other=voice.side(not color))


def _is_weighed(ruling: Ruling) -> bool:
    """Are the moves of a side forbidden or allowed one by one, and the forbidden ones weighed?"""
    return ruling.rules.chase == "gain"


def _not_obliged(ruling: Ruling, color: Color, sheet: ScoreSheet) -> str:
    side, why = sheet.voice.side(color), _why_clear(ruling, color, sheet)
    return sheet.voice.say("not_obliged", side=side, why=why)


def _why_clear(ruling: Ruling, color: Color, sheet: ScoreSheet) -> str:
    """Reason why the other side has not offended."""
    voice = sheet.voice
    if ruling.rules.offences == "none":
        return voice.say("clear_by_rules")
    if ruling.too_many is not None:
        return voice.say(_why_not_barred(ruling.counts, ruling.too_many))
    if ruling.conduct[color] is not Conduct.IDLE:
        return voice.say(_why_lighter(ruling, color))
    if _is_weighed(ruling):
        return _why_allowed(ruling, color, sheet)
    checks_only = ruling.rules.offences == "check"
    conducts = set()
    for reports in _own_moves(ruling, color, sheet):
        conduct = reports[0].conduct
        if conduct is Conduct.IDLE or (checks_only and conduct is Conduct.CHASE):
            key = "clear_by_no_check" if checks_only else "clear_by_idle_move"
            return voice.say(key, move=_name(reports, sheet))
        conducts.add(conduct)
    return voice.say("clear_by_mixture" if len(conducts) > 1 else "clear_by_victims")


def _why_not_barred(counts: Iterable[OffenceCount], too_many: OffenceCount) -> str:
    """Sentence on the side whose move was not one too many, where rounds are counted."""
    full = [one for one in counts if one.color != too_many.color and one.rounds >= one.allowed]
    if not full:
        return "clear_by_counts"
    same = any(one.offence is too_many.offence for one in full)
    return "clear_by_first" if same else "clear_by_lighter_count"


def _why_lighter(ruling: Ruling, color: Color) -> str:
    """Sentence on a side that is not idle and need not change."""
    if ruling.offender is None:
        return "clear_by_verdicts"
    return "clear_by_light" if ruling.conduct[not color] in WEIGHED else "clear_by_weight"


def _why_allowed(ruling: Ruling, color: Color, sheet: ScoreSheet) -> str:
    """Sentence on an allowed move of a side, where one is enough."""
    voice = sheet.voice
    for reports in _own_moves(ruling, color, sheet):
        mark = reports[0].mark
        if not mark.is_strike:
            word = voice.say(f"mark_{mark.value}")
            return voice.say("clear_by_allowed", move=_name(reports, sheet), mark=word)
    return voice.say("clear_by_no_offence")


def _own_moves(ruling: Ruling, color: Color, sheet: ScoreSheet) -> Iterable[list[PlyReport]]:
    """The moves of a side in the window, those that are played again taken together."""
    moves: dict[tuple[str, str, Mark], list[PlyReport]] = {}
    for report in ruling.plies:
        if report.color == color:
            key = report.move.iccs(), sheet.move(report.ply), report.mark
            moves.setdefault(key, []).append(report)
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


def _name(reports: Iterable[PlyReport], sheet: ScoreSheet) -> str:
    """A move with the rounds in which it was played: ``f0e0 (rounds 2 and 4)``."""
    return sheet.repeated([report.ply for report in reports])
