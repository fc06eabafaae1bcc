"""The oracle of prohibitions, by hand-made games: what recreates which position, who is left."""

import pytest

from tests.oracle.superko import (
    POSITIONAL,
    SITUATIONAL,
    barred_moves,
    has_lost,
    legal_moves_under,
)

KINGS_AND_CHARIOT = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"
BOTH = (POSITIONAL, SITUATIONAL)


@pytest.mark.parametrize("superko", BOTH)
def test_no_move_is_barred_before_a_repetition(superko: str) -> None:
    assert barred_moves(KINGS_AND_CHARIOT, [], superko) == []
    assert barred_moves(KINGS_AND_CHARIOT, ["a1a2", "d9d8"], superko) == []


@pytest.mark.parametrize("superko", BOTH)
def test_the_move_that_closes_the_circle_is_barred(superko: str) -> None:
    """Four plies to and fro would bring back the first position, which nobody made."""
    moves = ["a1a2", "d9d8", "a2a1"]
    assert barred_moves(KINGS_AND_CHARIOT, moves, superko) == ["d8d9"]
    assert "d8d9" not in legal_moves_under(KINGS_AND_CHARIOT, moves, superko)
    assert legal_moves_under(KINGS_AND_CHARIOT, moves, superko)


def test_a_triangle_changes_the_turn() -> None:
    """Red's chariot may close the triangle a1-a2-a3 only where the side to move counts: the first
    board comes back, but with Black to move."""
    moves = ["a1a2", "d9d8", "a2a3", "d8d9"]
    assert barred_moves(KINGS_AND_CHARIOT, moves, POSITIONAL) == ["a3a1", "a3a2"]
    assert barred_moves(KINGS_AND_CHARIOT, moves, SITUATIONAL) == ["a3a2"]


@pytest.mark.parametrize("superko", BOTH)
@pytest.mark.parametrize(
    ("what", "fen", "lost"),
    [
        ("the king has another move", "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", False),
        ("a soldier takes it away", "3k5/9/4P4/9/9/9/9/9/4R4/4K4 w - - 0 1", True),
    ],
)
def test_barred_moves_only(what: str, fen: str, lost: bool, superko: str) -> None:
    """The black king's way home would bring back the first position."""
    moves = ["e1e2", "d9d8", "e2e1"]
    assert barred_moves(fen, moves, superko) == ["d8d9"], what
    assert has_lost(fen, moves, superko) is lost


def test_an_unknown_kind() -> None:
    with pytest.raises(ValueError, match="superko 'natural'"):
        barred_moves(KINGS_AND_CHARIOT, ["a1a2"], "natural")
