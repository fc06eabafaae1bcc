"""The oracle of the Chinese rules: its board, the book's diagrams, and single clauses by hand.

The book's marks and verdicts are in `wxf_cases/cxa2020`; where the oracle marks a move otherwise,
that stands here by name. `python -m tests.fuzz.cxa` runs all diagrams and random cycles.
"""

from dataclasses import replace

import pytest

from tests.oracle.cxa import CXA1999, CXA2020, judge
from tests.oracle.cxa_kill import is_kill, mates_within
from tests.oracle.cxa_marks import Ply, PlyMark
from tests.oracle.cxa_threats import NO_MOVES, Case, find_threats, offered_exchanges
from tests.oracle.cxa_verdict import conduct, verdict
from tests.oracle.game import apply, is_check, legal_moves, read_fen
from tests.oracle.judge import replay
from tests.oracle.tactics import (
    captures,
    checks,
    letters_of,
    move_number,
    move_text,
    square_text,
)
from tests.oracle.tactics import legal_moves as quick_legal_moves
from tests.support.cxa import SLOW, book_cases, book_mark, game_of, simple_marks
from tests.support.soak import SOAK
from xiangqi.casebook.cases import Case as BookCase

pytestmark = pytest.mark.long

CASES = book_cases()
QUICK = [case for case in CASES if case.id not in SLOW]
RULED = QUICK if SOAK else QUICK[::5]
"""All of them are ruled on by the core, and by the core as by the oracle, at each run."""

MARKED_OTHERWISE = {
    (
        "cxa2020-c8-17",
        2,
    ): "24.4: the book takes a mate that begins with the capture of a chariot for a chase of it",
    ("cxa2020-c9-33", 3): "the transcription's chase is a misprint: the book says idle",
}
"""(Case, ply of the cycle): why the oracle's mark is another one than the transcription's."""


# The board of the searches


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_both_boards_of_the_oracle_have_the_same_moves(case: BookCase) -> None:
    fen, moves = game_of(case, rounds=1)
    for position in replay(fen, moves):
        board, side = letters_of(position), position.side
        legal = legal_moves(position)
        assert sorted(map(move_text, quick_legal_moves(board, side))) == legal
        assert sorted(map(move_text, captures(board, side))) == [
            move for move in legal if read_square_of(move) in position.board
        ]
        assert sorted(map(move_text, checks(board, side))) == [
            move for move in legal if is_check(apply(position, move))
        ]


def read_square_of(move: str) -> tuple[int, int]:
    """Target square of a move."""
    return "abcdefghi".index(move[2]), int(move[3])


# The book


@pytest.mark.parametrize("case", RULED, ids=lambda case: case.id)
def test_the_book(case: BookCase) -> None:
    """The verdict, and the mark of every move; exchange, offer, block and follow are idle."""
    judgment = judge(*game_of(case))
    assert judgment.verdict == case.verdict.value
    found = [mark.mark for mark in judgment.marks[-len(case.cycle) :]]
    for ply, (ours, book) in enumerate(zip(found, simple_marks(case), strict=True)):
        assert (ours != book) == ((case.id, ply) in MARKED_OTHERWISE), f"ply {ply}: {ours}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_verdict_follows_from_the_books_marks(case: BookCase) -> None:
    """Cycles of forbidden moves on both sides need weights besides the book's marks."""
    fen, moves = game_of(case)
    first = len(case.lead_in)
    positions = replay(fen, moves)
    plies = [
        Ply(letters_of(positions[ply]), positions[ply].side, move_number(moves[ply]))
        for ply in range(first, first + len(case.cycle))
    ]
    kinds = simple_marks(case)
    strikes = all(kind != "idle" for kind in kinds)
    marks = [
        book_mark(kind, ply, plies[index - 1] if strikes else None)
        for index, (kind, ply) in enumerate(zip(kinds, plies, strict=True))
    ]
    red, black = (
        conduct([mark for mark, ply in zip(marks, plies, strict=True) if ply.side == player])
        for player in ("red", "black")
    )
    assert verdict(red, black) == case.verdict.value


# The table


@pytest.mark.parametrize(
    ("red", "black", "expected"),
    [
        ("checks", "allowed", "black_wins"),
        ("checks", "heavy", "black_wins"),
        ("checks", "light", "black_wins"),
        ("checks", "checks", "draw"),
        ("heavy", "allowed", "black_wins"),
        ("light", "allowed", "black_wins"),
        ("heavy", "light", "black_wins"),
        ("heavy", "heavy", "draw"),
        ("light", "light", "draw"),
        ("allowed", "allowed", "draw"),
    ],
)
def test_the_table(red: str, black: str, expected: str) -> None:
    """25.1-25.3 and 26.9, for both colours."""
    swapped = {"black_wins": "red_wins", "draw": "draw"}[expected]
    assert (verdict(red, black), verdict(black, red)) == (expected, swapped)


def test_1999_has_no_weights() -> None:
    assert verdict("heavy", "light", CXA1999) == "draw"
    assert verdict("checks", "light", CXA1999) == "black_wins"


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ([PlyMark("check", True)] * 2, "checks"),
        ([PlyMark("check", True), PlyMark("kill", True)], "heavy"),
        ([PlyMark("check", True), PlyMark("chase", False)], "light"),
        ([PlyMark("check", True), PlyMark("idle")], "allowed"),
    ],
)
def test_conduct(marks: list[PlyMark], expected: str) -> None:
    assert conduct(marks) == expected


# Single clauses


def board_of(fen: str) -> str:
    return letters_of(read_fen(fen))


@pytest.mark.parametrize(
    ("what", "fen", "number"),
    [
        ("two chariots", "3k5/R8/9/9/9/9/9/9/1R7/5K3 w", 1),
        ("one more check", "3k5/9/R8/9/9/9/9/9/1R7/5K3 w", 2),
        ("one chariot", "3k5/R8/9/9/9/9/9/9/9/5K3 w", 0),
    ],
)
def test_kill(what: str, fen: str, number: int) -> None:
    """24.2: by checks alone, whatever the replies."""
    board = board_of(fen)
    found = [most for most in (1, 2, 3) if mates_within(board, "red", most, NO_MOVES)]
    assert (min(found) if found else 0) == number, what
    assert is_kill(board, "red", NO_MOVES) == bool(number)


@pytest.mark.parametrize(
    ("what", "fen", "victims"),
    [
        ("an unrooted horse", "3k5/9/9/9/R4n3/9/9/9/9/5K3 w", "f5"),
        ("a rooted horse", "3k5/9/9/3r5/R2n5/9/9/9/9/5K3 w", ""),
        ("a rooted chariot, by a horse", "3k5/9/3r5/3r5/9/2N6/9/9/9/5K3 w", "d6"),
        ("26.1: a soldier's own attack", "3k5/9/9/n8/P8/9/9/9/9/5K3 w", ""),
        ("26.6: a soldier that has not crossed", "3k5/9/9/R4p3/9/9/9/9/9/5K3 w", ""),
        ("26.7: a crossed soldier", "3k5/9/9/9/9/R4p3/9/9/9/3K5 w", "f4"),
        ("by a check", "n3k4/9/9/9/9/9/9/7R1/9/5K3 w", "a9"),
        ("24.4: an exchange offered", "3k5/9/9/9/R4r3/9/9/9/9/5K3 w", ""),
        ("which the other may not accept", "5k3/9/9/9/R4r3/9/9/9/9/5K3 w", "f5"),
    ],
)
def test_gain(what: str, fen: str, victims: str) -> None:
    """24.3: whom Red, moving next, wins."""
    board = board_of(fen)
    found = threatened(Case(board, "red", offered_exchanges(board, "red")), ("even", "gain"))
    assert found == set(victims.split()), what


def threatened(case: Case, levels: tuple[str, ...]) -> set[str]:
    """The victims of the threats of some levels, but for those of king and soldiers (26.1)."""
    threats = [one for one in find_threats(case) if one.level in levels and not one.is_own]
    return {square_text(victim) for threat in threats for victim in threat.victims}


def test_a_root_that_attacks() -> None:
    """26.5: the chariot gives up its horse for an elephant, which is a chase in 1999 only."""
    case = Case(board_of("r4k3/9/4b4/9/N3R4/9/9/9/9/3K5 w"), "red")
    assert threatened(case, ("even", "gain")) == set()
    assert threatened(case, ("loss",)) == {"e7"}


def test_a_kings_way_out_of_check() -> None:
    """26.1.3: idle though it threatens mate; figure 18, second move. In 1999 (figure 15, the same
    position) it is idle as the mate stood before."""
    (case,) = [case for case in CASES if case.id == "cxa2020-c8-18"]
    editions = (CXA2020, replace(CXA2020, king_reply="counts"), CXA1999)
    marks = [judge(*game_of(case), edition).marks[1].mark for edition in editions]
    assert marks == ["idle", "kill", "idle"]
