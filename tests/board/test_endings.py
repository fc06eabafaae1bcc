"""Ends of games on a board, and repetitions."""

import pytest

from tests.support.played_boards import (
    BARE,
    CHASING,
    CHECKING,
    IDLING,
    MATED,
    STALEMATED,
    cycled,
    played,
)
from xiangqi import (
    ALL_DRAWS,
    BLACK,
    CHECKS_ONLY,
    RED,
    WXF,
    Board,
    Color,
    Outcome,
    RuleSet,
    Termination,
)

ADVISED = "3ak4/9/9/9/9/9/9/9/9/5K3 w - - 0 1"
SOLDIER = "3k5/9/9/9/8p/9/9/9/9/5K3 w - - 0 1"


# Endings


@pytest.mark.parametrize(
    ("board", "rules", "termination", "winner", "result"),
    [
        (Board(MATED), WXF, Termination.CHECKMATE, RED, "1-0"),
        (Board(MATED).flip_colors(), WXF, Termination.CHECKMATE, BLACK, "0-1"),
        (Board(STALEMATED), WXF, Termination.STALEMATE, RED, "1-0"),
        (Board(STALEMATED).flip_colors(), WXF, Termination.STALEMATE, BLACK, "0-1"),
        (cycled(CHECKING), WXF, Termination.PERPETUAL_CHECK, BLACK, "0-1"),
        (cycled(CHECKING).flip_colors(), WXF, Termination.PERPETUAL_CHECK, RED, "1-0"),
        (cycled(CHECKING), CHECKS_ONLY, Termination.PERPETUAL_CHECK, BLACK, "0-1"),
        (cycled(CHECKING), ALL_DRAWS, Termination.REPETITION, None, "1/2-1/2"),
        (cycled(CHASING), WXF, Termination.PERPETUAL_CHASE, BLACK, "0-1"),
        (cycled(CHASING).flip_colors(), WXF, Termination.PERPETUAL_CHASE, RED, "1-0"),
        (cycled(CHASING), CHECKS_ONLY, Termination.REPETITION, None, "1/2-1/2"),
        (cycled(IDLING), WXF, Termination.REPETITION, None, "1/2-1/2"),
        (
            cycled(IDLING, 1),
            RuleSet("twice", occurrences=2),
            Termination.REPETITION,
            None,
            "1/2-1/2",
        ),
        (Board(SOLDIER.replace("0 1", "120 61")), WXF, Termination.NO_CAPTURE, None, "1/2-1/2"),
        (Board(BARE.replace("0 1", "120 61")), WXF, Termination.NO_CAPTURE, None, "1/2-1/2"),
        (Board(BARE), WXF, Termination.NO_ATTACKERS, None, "1/2-1/2"),
        (cycled((BARE, "f0f1 d9d8 f1f0 d8d9")), WXF, Termination.REPETITION, None, "1/2-1/2"),
        (Board(ADVISED), ALL_DRAWS, Termination.NO_ATTACKERS, None, "1/2-1/2"),
    ],
    ids=str,
)
def test_outcomes(
    board: Board, rules: RuleSet, termination: Termination, winner: Color | None, result: str
) -> None:
    outcome = board.outcome(rules)
    assert outcome == Outcome(termination, winner)
    assert outcome is not None
    assert outcome.result() == result == board.result(rules)
    assert board.is_game_over(rules)


@pytest.mark.parametrize(
    ("board", "rules"),
    [
        (Board(), WXF),
        (cycled(IDLING, 1), WXF),
        (cycled(CHECKING, 1), WXF),
        (cycled(CHASING, 1), WXF),
        (cycled(IDLING), RuleSet("four times", occurrences=4)),
        (Board(SOLDIER.replace("0 1", "119 60")), WXF),
        (Board(SOLDIER.replace("0 1", "500 300")), RuleSet("endless", no_capture_limit=None)),
        (Board(BARE), RuleSet("to the end", no_attackers="play_on")),
    ],
    ids=str,
)
def test_games_that_go_on(board: Board, rules: RuleSet) -> None:
    assert board.outcome(rules) is None
    assert board.result(rules) == "*"
    assert not board.is_game_over(rules)


def test_the_limit_of_plies_counts_from_the_last_capture() -> None:
    board = Board("3k5/9/9/9/9/9/9/9/8p/5K2R w - - 118 60")
    board.push_iccs("f0f1")
    assert board.outcome() is None
    board.push_iccs("d9d8")
    assert board.outcome() == Outcome(Termination.NO_CAPTURE, None)
    board.push_iccs("i0i1")
    assert board.outcome() is None


def test_mate_comes_before_the_limit_of_plies() -> None:
    board = Board(MATED.replace("0 1", "120 61"))
    assert board.outcome() == Outcome(Termination.CHECKMATE, RED)


def test_a_repetition_comes_before_the_limit_of_plies() -> None:
    fen, moves = CHECKING
    board = played(f"{moves} {moves}", fen.replace("0 1", "200 101"))
    assert board.outcome() == Outcome(Termination.PERPETUAL_CHECK, BLACK)


def test_the_last_attacker_taken_draws() -> None:
    board = Board("3ak4/9/9/9/9/9/9/9/5p3/5K3 w - - 0 1")
    assert board.outcome() is None
    board.push_iccs("f0f1")
    assert board.outcome() == Outcome(Termination.NO_ATTACKERS, None)


@pytest.mark.parametrize("attacker", "RNCPrncp")
def test_one_attacker_is_enough(attacker: str) -> None:
    board = Board(f"3ak4/9/9/9/8{attacker}/9/9/9/9/3K1A3 w")
    assert board.can_anyone_attack()
    assert board.outcome() is None


def test_advisors_and_elephants_attack_nobody() -> None:
    board = Board("3akab2/9/4b4/9/9/9/9/4B4/9/2BAKA3 w")
    assert not board.can_anyone_attack()
    assert board.outcome() == Outcome(Termination.NO_ATTACKERS, None)


def test_mate_and_stalemate_are_distinguished() -> None:
    assert (Board(MATED).is_checkmate(), Board(MATED).is_stalemate()) == (True, False)
    stalemated = Board(STALEMATED)
    assert (stalemated.is_checkmate(), stalemated.is_stalemate()) == (False, True)
    assert (Board().is_checkmate(), Board().is_stalemate()) == (False, False)


# Repetition


def test_repetitions_count_now_as_well() -> None:
    board = Board()
    counts = [board.repetitions()]
    for move in f"{IDLING[1]} {IDLING[1]}".split():
        board.push_iccs(move)
        counts.append(board.repetitions())
    assert counts == [1, 1, 1, 1, 2, 2, 2, 2, 3]
    while board.ply():
        assert board.repetitions() == counts[board.ply()]
        board.pop()


def test_a_capture_ends_what_can_repeat() -> None:
    """No position from before a capture can recur after it."""
    board = played(f"{IDLING[1]} h2h9 i9h9 {IDLING[1]}")
    assert board.repetitions() == 2
    board.pop()
    assert board.repetitions() == 1


def test_the_same_placement_with_the_other_side_to_move_is_another_position() -> None:
    """The chariot returns in three moves, the king in two."""
    fen = "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"
    board = played("a0b0 d9d8 b0c0 d8d9 c0a0", fen)
    assert board.piece_map() == Board(fen).piece_map()
    assert board.turn is BLACK
    assert board.key != Board(fen).key
    assert board.repetitions() == 1
