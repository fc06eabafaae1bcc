"""The moves of a cycle, of which equal ones are described once."""

from __future__ import annotations

from dataclasses import dataclass

from xiangqi.referee.explanation import format_reports
from xiangqi.referee.reasons import ScoreSheet
from xiangqi.referee.ruling import PlyReport, Ruling
from xiangqi.words import enumerate_words
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["CycleMove", "list_cycle"]


@dataclass(frozen=True, slots=True)
class CycleMove:
    """Move of a cycle with its evidence, which may be played in several rounds."""

    report: PlyReport
    """Report on the first of the equal moves."""
    name: str
    """The move in the notation of the voice."""
    evidence: list[tuple[str, bool]]
    """Sentences of :func:`~xiangqi.referee.explanation.format_reports`."""
    plies: tuple[int, ...]
    """Plies at which the move is played, from 0."""
    rounds: str
    """Their rounds as a list: ``2 and 4``."""


def list_cycle(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> list[CycleMove]:
    """List the moves of a ruling's window, in the order of the game.

    Moves with the same squares, mark and evidence are joined.

    >>> from xiangqi.referee.judging import Referee
    >>> from xiangqi.pieces.fen import STARTING_FEN
    >>> moves = "a0a1 i9i8 a1a0 i8i9 a0a1 i9i8 a1a0 i8i9".split()
    >>> ruling = Referee().judge_moves(STARTING_FEN, moves)
    >>> [(one.name, one.rounds) for one in list_cycle(ruling)][0]
    ('a0a1', '1 and 3')
    """
    sheet = ScoreSheet(ruling, voice)
    found: dict[tuple[object, ...], tuple[PlyReport, list[tuple[str, bool]], list[int]]] = {}
    for report, evidence in format_reports(ruling, voice):
        threats = tuple((one.attacker, one.victim) for one in report.threats)
        key = (report.move, report.mark, report.checkers, threats, tuple(evidence))
        found.setdefault(key, (report, evidence, []))[2].append(report.ply)
    return [
        CycleMove(
            report,
            sheet.move(plies[0]),
            evidence,
            tuple(plies),
            enumerate_words(voice.language, [str(sheet.rounds.number(ply)) for ply in plies]),
        )
        for report, evidence, plies in found.values()
    ]
