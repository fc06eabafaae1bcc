"""A game move by move, as a page shows it: a row of the table and a picture for the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.arrows import Arrow
from xiangqi.board import Board
from xiangqi.explain import format_evidence, format_threat
from xiangqi.game import Game, GameNode, start_board
from xiangqi.pieces import Color, square_name
from xiangqi.ruling import Conduct, PlyReport, Ruling
from xiangqi.words import Language, say

__all__ = ["Frame", "Ply", "arrows_as_data", "format_marks", "show_game", "show_position"]

_MARKS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The marks of moves that have a sign, by their numbers in PGN."""

Frame = dict[str, Any]
"""What ``drawBoard`` of board.js is given: ``fen``, ``lastMove``, ``check`` and ``arrows``."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A row of the table of moves."""

    number: int
    """Counted from 1."""
    color: Color
    wxf: str
    chinese: str
    iccs: str
    marks: str
    comment: str
    conduct: Conduct | None
    """What the move is; None outside the cycle, where only checks are told."""
    in_cycle: bool
    evidence: tuple[tuple[str, bool], ...]
    """In the cycle: what the move attacks, and why that is a chase or none; each with the answer
    whether it is a check or a chase."""


def show_game(
    game: Game, ruling: Ruling | None, lang: Language = "en"
) -> tuple[list[Ply], list[Frame]]:
    """The rows of the main line, and a frame for each position, the first one included.

    Raises FenError or PositionError where the starting position cannot be read.
    """
    board = start_board(game.fen)
    reports = {} if ruling is None else {report.ply: report for report in ruling.plies}
    rows, frames = [], [show_position(board, None, lang)]
    for node in game.mainline():
        report = reports.get(board.ply())
        rows.append(_play(board, node, report, lang))
        frames.append(show_position(board, report, lang))
    return rows, frames


def _play(board: Board, node: GameNode, report: PlyReport | None, lang: Language) -> Ply:
    """Play the move of a node and describe it."""
    move = node.move
    assert move is not None  # only the root has none
    color, wxf, chinese = board.turn, board.wxf(move), board.chinese(move)
    board.push_unchecked(move)
    check = Conduct.CHECK if board.is_check() else None
    return Ply(
        number=board.ply(),
        color=color,
        wxf=wxf,
        chinese=chinese,
        iccs=move.iccs(),
        marks=format_marks(node.nags),
        comment=node.comment,
        conduct=check if report is None else report.conduct,
        in_cycle=report is not None,
        evidence=() if report is None else tuple(_evidence(report, lang)),
    )


def format_marks(nags: Iterable[int]) -> str:
    """The marks of a move as they are printed behind it.

    >>> format_marks([1, 36])
    '! $36'
    """
    return "".join(_MARKS.get(nag, f" ${nag}") for nag in nags)


def _evidence(report: PlyReport, lang: Language) -> Iterator[tuple[str, bool]]:
    chases = {format_threat(threat, lang) for threat in report.chases}
    for place, line in enumerate(format_evidence(report, lang)):
        is_check = place == 0 and bool(report.checkers)
        yield line, is_check or line in chases


def show_position(board: Board, report: PlyReport | None, lang: Language) -> Frame:
    """The present position, with what the last move attacks if it belongs to the cycle."""
    king = board.king(board.turn)
    checks = (Arrow(square, king, "check") for square in sorted(board.checkers()))
    frame: Frame = {
        "fen": board.fen(),
        "arrows": arrows_as_data(checks if report is None else report.arrows(), lang),
    }
    if board.ply():
        frame["lastMove"] = board.peek().iccs()
    if board.is_check():
        frame["check"] = square_name(king)
    return frame


def arrows_as_data(arrows: Iterable[Arrow], lang: Language = "en") -> list[dict[str, str]]:
    """Arrows as ``drawBoard`` takes them, each with a title."""
    return [dict(_arrow_as_data(arrow, lang)) for arrow in arrows]


def _arrow_as_data(arrow: Arrow, lang: Language) -> Iterator[tuple[str, str]]:
    tail, head = square_name(arrow.tail), square_name(arrow.head)
    yield "from", tail
    yield "to", head
    yield "kind", arrow.kind
    yield "title", f"{say(lang, f'arrow_{arrow.kind}')}: {tail}-{head}"
