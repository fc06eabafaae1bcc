"""Clocks, score adjudication, and what the referee says in a match."""

from __future__ import annotations

import pytest

from tests.support.helpers import iccs
from xiangqi import ALL_DRAWS, CHECKS_ONLY, RULE_SETS, WXF, Board
from xiangqi.match.adjudication import (
    MATE,
    Adjudicator,
    DrawRule,
    ResignRule,
    find_banned_moves,
    rule,
    rule_without_move,
)
from xiangqi.match.config import GameClock, TimeControl

# Red's chariot checks for ever while Black only runs.
CHECKER = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
# The same, and Red has a soldier to move instead.
CHOOSER = "9/4k4/9/P8/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CHECKS = "f0e0 e8f8 e0f0 f8e8".split()
SHUFFLE = "h0g2 h9g7 g2h0 g7h9".split()


def played(moves: list[str], fen: str | None = None) -> Board:
    board = Board() if fen is None else Board(fen)
    for move in moves:
        board.push_iccs(move)
    return board


# Clocks


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10", TimeControl(10)),
        ("10+0.1", TimeControl(10, 0.1)),
        ("1:30+2", TimeControl(90, 2)),
        ("40/60", TimeControl(60, 0, 40)),
        ("40/1:0+0.25", TimeControl(60, 0.25, 40)),
        ("0.5", TimeControl(0.5)),
    ],
)
def test_time_controls(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["", "ten", "-5", "0", "1e3", "5+", "+1", "1:2:3", "4/", "inf"])
def test_bad_time_controls(text: str) -> None:
    with pytest.raises(ValueError, match="seconds"):
        TimeControl.parse(text)


def test_time_is_added_at_the_time_control() -> None:
    clock = GameClock(TimeControl(10, 1, moves=2))
    assert clock.spend(4)
    assert (clock.remaining, clock.moves_to_go) == (7, 1)
    assert clock.spend(7)
    assert (clock.remaining, clock.moves_to_go) == (11, 2)
    assert not clock.spend(11.001)


def test_the_margin_is_forgiven_but_not_given() -> None:
    clock = GameClock(TimeControl(1, 0.5), margin=0.2)
    assert clock.spend(1.19)
    assert clock.remaining == 0.5
    assert not clock.spend(0.71)
    assert clock.remaining == 0


# Score adjudication


def follow(adjudicator: Adjudicator, scores: list[int | None]) -> tuple[int, str] | None:
    """Play on without captures; the ply that ended the game, and the result."""
    board = Board()
    for ply, score in enumerate(scores):
        board.push_iccs(SHUFFLE[ply % 4])
        decision = adjudicator.add_move(board, score)
        if decision is not None:
            assert decision.termination == "adjudication"
            return ply + 1, decision.result
    return None


def test_resigning_is_one_sided() -> None:
    """Black says -500 at its moves, whatever Red says."""
    rule = ResignRule(movecount=2, score=500)
    assert follow(Adjudicator(resign=rule), [0, -500, 0, -600]) == (4, "1-0")
    assert follow(Adjudicator(resign=rule), [-700, 0, -700, 0]) == (3, "0-1")
    assert follow(Adjudicator(resign=rule), [0, -500, 0, -499, 0, -500]) is None
    assert follow(Adjudicator(resign=rule), [0, -500, 0, None, 0, -500]) is None
    assert follow(Adjudicator(resign=rule), [0, -MATE + 4, 0, -MATE + 2]) == (4, "1-0")


def test_resigning_by_both() -> None:
    rule = ResignRule(movecount=2, score=500, twosided=True)
    assert follow(Adjudicator(resign=rule), [0, -500, 0, -600, 0, -600]) is None
    assert follow(Adjudicator(resign=rule), [600, -500, 500, -600]) == (4, "1-0")
    assert follow(Adjudicator(resign=rule), [0, -500, 600, -500, 600, 0]) == (5, "1-0")


def test_draws_need_both_sides_and_time() -> None:
    rule = DrawRule(movenumber=3, movecount=2, score=10)
    assert follow(Adjudicator(draw=rule), [0] * 8) == (6, "1/2-1/2")
    assert follow(Adjudicator(draw=rule), [0, 0, 0, 0, 11, 0, -10, 10, 0]) == (9, "1/2-1/2")
    assert follow(Adjudicator(draw=rule), [0, 50] * 5) is None
    assert follow(Adjudicator(draw=rule), [None] * 10) is None


def test_a_capture_begins_the_count_of_draws_again() -> None:
    adjudicator = Adjudicator(draw=DrawRule(movenumber=0, movecount=1, score=10))
    board = played(["h2h9"])
    assert adjudicator.add_move(board, 0) is None
    board.push_iccs("i9h9")
    assert adjudicator.add_move(board, 0) is None
    board.push_iccs("b2e2")
    assert adjudicator.add_move(board, 0) is None
    board.push_iccs("h9h8")
    assert adjudicator.add_move(board, 0) is not None


def test_length() -> None:
    assert follow(Adjudicator(max_moves=3), [900, None] * 4) == (6, "1/2-1/2")
    assert follow(Adjudicator(), [0] * 40) is None


# Rulings


def test_mate_and_stalemate() -> None:
    mated = rule(Board("3k5/4R4/9/9/9/9/9/9/9/3RK4 b"), WXF)
    assert mated is not None
    assert (mated.result, mated.reason) == ("1-0", "Black is mated")
    stuck = rule(Board("3k5/9/3P5/9/9/9/9/9/9/4K4 b"), WXF)
    assert stuck is not None
    assert (stuck.result, stuck.reason) == ("1-0", "Black has no legal move")
    assert rule(Board(), WXF) is None


def test_perpetual_check_loses_with_words() -> None:
    board = played(CHECKS * 2, CHECKER)
    decision = rule(board, WXF)
    assert decision is not None
    assert (decision.result, decision.termination) == ("0-1", "normal")
    assert decision.ruling == (
        "Black wins: Red checked perpetually and had to change; Black: idle moves "
        "(round 1, Red to round 4, Black)"
    )
    assert decision.reason.startswith("Repetition: Red checked perpetually")
    drawn = rule(board, ALL_DRAWS)
    assert drawn is not None
    assert drawn.result == "1/2-1/2"
    assert rule(played(CHECKS, CHECKER), WXF) is None


def test_no_capture_and_no_attacker() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 119 80")
    assert rule(board, WXF) is None
    board.push_iccs("a0a1")
    drawn = rule(board, WXF)
    assert drawn is not None
    assert (drawn.result, drawn.reason) == ("1/2-1/2", "60 rounds without a capture")
    assert rule(board, WXF.replace({"no_capture_limit": None})) is None
    bare = rule(Board("3ak4/9/4b4/9/9/9/9/9/4A4/3K5 w"), WXF)
    assert bare is not None
    assert (bare.result, bare.ruling) == ("1/2-1/2", "")


@pytest.mark.parametrize("attacker", "RNCP")
def test_one_attacker_is_enough(attacker: str) -> None:
    assert rule(Board(f"3ak4/9/9/9/8{attacker}/9/9/9/9/3K5 w"), WXF) is None


def test_banned_moves_are_those_that_lose_at_once() -> None:
    """Begun with Black in check, it is Red who would complete the repetition."""
    fen = played(CHECKS[:1], CHOOSER).fen()
    cycle = [*CHECKS[1:], CHECKS[0]]
    board = played((cycle * 2)[:-1], fen)
    assert board.legal_moves.count() > 1
    assert iccs(find_banned_moves(board, WXF)) == ["f0e0"]
    assert iccs(find_banned_moves(board, CHECKS_ONLY)) == ["f0e0"]
    assert find_banned_moves(board, ALL_DRAWS) == []
    assert find_banned_moves(played(cycle[:-1], fen), WXF) == []
    assert find_banned_moves(played((cycle * 2)[:-2], fen), WXF) == []
    only = played((cycle * 2)[:-1], played(CHECKS[:1], CHECKER).fen())
    assert iccs(only.legal_moves) == ["f0e0"]
    assert find_banned_moves(only, WXF) == []


def test_no_move_in_a_repetition_is_ruled() -> None:
    assert rule_without_move(Board(), WXF) is None
    early = rule_without_move(played(CHECKS, CHECKER), WXF)
    assert early is not None
    assert early.result == "0-1"
    quiet = rule_without_move(played(SHUFFLE), WXF)
    assert quiet is not None
    assert quiet.result == "1/2-1/2"


# Moves that a rule set bars


SUPERKO = RULE_SETS["superko-situational"]
CHARIOT = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"
LOCKED = "3k5/9/4P4/9/9/9/9/9/4R4/4K4 w - - 0 1"


def test_barred_moves_are_banned_moves() -> None:
    board = played("a1a2 d9d8 a2a1".split(), CHARIOT)
    assert iccs(find_banned_moves(board, SUPERKO)) == ["d8d9"]
    stuck = played("e1e2 d9d8 e2e1".split(), LOCKED)
    assert find_banned_moves(stuck, SUPERKO) == []
    decision = rule(stuck, SUPERKO)
    assert decision is not None
    assert (decision.result, decision.reason, decision.ruling) == (
        "1-0",
        "Black has only moves that superko-situational bars",
        "",
    )


def test_a_barred_move_of_an_opening_is_ruled() -> None:
    decision = rule(played("a1a2 d9d8 a2a1 d8d9".split(), CHARIOT), SUPERKO)
    assert decision is not None
    assert decision.result == "1-0"
    assert decision.reason == (
        "Repetition: Black brings back the board as it stood in the first position"
    )


@pytest.mark.parametrize("occurrences", [1, 2])
def test_no_move_is_a_fault_where_nothing_can_be_ruled(occurrences: int) -> None:
    """Without an offence that loses there is nothing to rule on before its time."""
    barred = WXF.replace({"penalty": "barred"})
    board = played(CHECKS * (occurrences - 1), CHOOSER)
    assert rule_without_move(board, barred) is None
