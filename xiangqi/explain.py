"""A ruling in words, to be read by people and pasted into a dispute."""

from __future__ import annotations

from collections.abc import Iterator

from xiangqi.pieces import BLACK, RED, Color
from xiangqi.remedies import INDENT, format_remedies
from xiangqi.ruling import Conduct, PlyReport, Ruling, Threat
from xiangqi.words import Language, name_piece, name_side, say

__all__ = ["format_evidence", "format_ruling", "format_threat"]


def format_ruling(ruling: Ruling, language: Language = "en") -> str:
    """The verdict and its reason, the case (position, moves, rules), who had to change, every ply.

    Moves are numbered from 1, as people count them.
    """
    return "\n".join(_lines(ruling, language))


def _lines(ruling: Ruling, lang: Language) -> Iterator[str]:
    verdict = say(lang, ruling.verdict.value)
    yield say(lang, "heading", verdict=verdict, reason=ruling.reason(lang))
    yield say(lang, "rules", rules=ruling.rules.name)
    yield say(lang, "position", fen=ruling.fen)
    yield say(lang, "moves", moves=" ".join(move.iccs() for move in ruling.moves))
    if ruling.window is None:
        return
    first, last = (ply + 1 for ply in ruling.window)
    yield ""
    yield say(lang, "window", occurrences=ruling.occurrences, first=first, last=last)
    for color in (RED, BLACK):
        yield _side_line(ruling, color, lang)
    yield ""
    yield say(lang, "who_changes")
    yield from format_remedies(ruling, lang)
    yield ""
    for report in ruling.plies:
        yield from _ply_lines(report, lang)


def _side_line(ruling: Ruling, color: Color, lang: Language) -> str:
    conduct = ruling.conduct[color] or Conduct.IDLE
    victims = ruling.name_victims(color, lang)
    return say(
        lang,
        "side",
        side=name_side(lang, color),
        conduct=say(lang, f"perpetual_{conduct.value}"),
        of=say(lang, "of_victims", victims=victims) if victims else "",
    )


def _ply_lines(report: PlyReport, lang: Language) -> Iterator[str]:
    side = name_side(lang, report.color)
    conduct = say(lang, report.conduct.value)
    move = report.move.iccs()
    yield say(lang, "ply", number=report.ply + 1, side=side, move=move, conduct=conduct)
    for line in format_evidence(report, lang):
        yield INDENT + line


def format_evidence(report: PlyReport, lang: Language = "en") -> Iterator[str]:
    """Who gives check and who attacks whom after a move, and why that is a chase or is none."""
    if report.checkers:
        pieces = say(lang, "and").join(
            name_piece(lang, piece, square) for square, piece in report.checkers
        )
        yield say(lang, "checking", pieces=pieces)
    for threat in report.threats:
        yield format_threat(threat, lang)
    if not report.checkers and not report.threats:
        yield say(lang, "nothing")


def format_threat(threat: Threat, lang: Language = "en") -> str:
    """Who attacks whom, and why that is a chase or is none."""
    root = ""
    if threat.root is not None and threat.root_piece is not None:
        root = name_piece(lang, threat.root_piece, threat.root)
    reason = say(lang, f"reason_{threat.reason.value}", root=root)
    if root and not threat.is_protected:
        reason += say(lang, "false_root", root=root)
    return say(
        lang,
        "attack",
        attacker=name_piece(lang, threat.attacker_piece, threat.attacker),
        victim=name_piece(lang, threat.victim_piece, threat.victim),
        reason=reason,
    )
