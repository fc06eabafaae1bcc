"""The diagrams of the Chinese rules, as games and as marks to hold the oracle's against."""

from pathlib import Path

from tests.oracle.cxa_marks import Ply, PlyMark, mark_move
from xiangqi.casebook.cases import Case, load_cases

FOLDER = Path(__file__).parents[2] / "wxf_cases" / "cxa2020"
SLOW = frozenset({"cxa2020-c8-09", "cxa2020-c9-25", "own-24.3-prize-1"})
"""Diagrams full of pieces, on which the oracle takes seconds: `tests.fuzz.cxa` has them."""
STRIKES = ("check", "kill", "chase")


def book_cases() -> list[Case]:
    """All diagrams, in the book's order."""
    return load_cases([FOLDER])


def game_of(case: Case, rounds: int = 2) -> tuple[str, tuple[str, ...]]:
    """A diagram played through: its FEN and moves."""
    return case.fen, case.record(rounds=rounds).moves


def simple_marks(case: Case) -> list[str]:
    """The book's marks; what is allowed is idle (24.8)."""
    return [mark.value if mark.value in STRIKES else "idle" for mark in case.marks]


def book_mark(kind: str, ply: Ply, cause: Ply | None) -> PlyMark:
    """The book's mark of a move; a chase with the weight that the oracle gives it, on request.

    Giving the move before requests it. A chase that the oracle does not see is light: none
    that one piece makes alone escapes it.
    """
    if kind != "chase" or cause is None:
        return PlyMark(kind, heavy=kind != "idle")
    ours = mark_move(ply, cause)
    return PlyMark(kind, heavy=ours.heavy)
