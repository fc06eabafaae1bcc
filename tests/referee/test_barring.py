"""Moves that a rule set bars: boards, outcomes, records and explanations."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from tests.oracle.judge import judge
from tests.support.played_boards import played
from xiangqi import (
    BLACK,
    RED,
    RULE_SETS,
    WXF,
    Board,
    IllegalMoveError,
    Move,
    Outcome,
    RuleSet,
    Termination,
    Verdict,
    Voice,
)
from xiangqi.casebook.random_cycles import random_games
from xiangqi.games.arbiter import format_game, rule_game
from xiangqi.games.tree import Game
from xiangqi.referee.endings import explain_bar, require_allowed
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.rules import find_rule_book

POSITIONAL = RULE_SETS["superko-positional"]
SITUATIONAL = RULE_SETS["superko-situational"]
BARRED = RuleSet("barred", penalty="barred")

CHARIOT = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"
TO_AND_FRO = "a1a2 d9d8 a2a1"
TRIANGLE = "a1a2 d9d8 a2a3 d8d9"
LOCKED = "3k5/9/4P4/9/9/9/9/9/4R4/4K4 w - - 0 1"
"""The black king can only move to d8 and back."""
CHECKER = "9/4k4/9/9/P8/9/9/9/2p6/3K1RBc1 w - - 0 1"
ONLY_CHECKER = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
"""All legal moves of Red give check."""
CHECKS = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0"


def game_of(board: Board) -> Game:
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    return game


# Boards


def test_legal_moves_are_those_of_the_pieces() -> None:
    board = played(TO_AND_FRO, CHARIOT)
    home = Move.from_iccs("d8d9")
    assert board.barred_moves(SITUATIONAL) == [home]
    assert home in board.legal_moves
    assert home not in board.allowed_moves(SITUATIONAL)
    assert not board.is_allowed(home, SITUATIONAL)
    assert board.barred_moves() == []
    assert board.is_allowed(home)
    assert not board.is_allowed(Move.from_iccs("d8d5"), SITUATIONAL)  # nor is what is not legal
    assert board.allowed_moves() == list(board.legal_moves)


def test_a_triangle_is_barred_by_the_board_alone() -> None:
    board = played(TRIANGLE, CHARIOT)
    assert [move.iccs() for move in board.barred_moves(POSITIONAL)] == ["a3a1", "a3a2"]
    assert [move.iccs() for move in board.barred_moves(SITUATIONAL)] == ["a3a2"]


def test_whoever_has_barred_moves_only_has_lost() -> None:
    board = played("e1e2 d9d8 e2e1", LOCKED)
    assert board.outcome() is None
    assert board.outcome(SITUATIONAL) == Outcome(Termination.ALL_BARRED, RED)
    assert not board.is_stalemate()
    board.pop()
    assert board.outcome(SITUATIONAL) is None


def test_in_check_as_well() -> None:
    """The only reply to the check would repeat a position, and is barred."""
    board = played("d9e9 d1e1 e9d9", "3k5/9/4P4/9/9/9/9/9/3R5/4K4 b - - 0 1")
    assert board.is_legal(Move.from_iccs("e1d1"))
    assert [move.iccs() for move in board.barred_moves(SITUATIONAL)] == ["e1d1"]


@pytest.mark.parametrize("rules", [POSITIONAL, SITUATIONAL], ids=lambda rules: rules.name)
def test_whoever_plays_a_barred_move_has_lost(rules: RuleSet) -> None:
    board = played(f"{TO_AND_FRO} d8d9", CHARIOT)
    assert board.outcome(rules) == Outcome(Termination.BARRED_MOVE, RED)
    ruling = board.judge(rules)
    assert (ruling.verdict, ruling.window, ruling.offender) == (Verdict.RED_WINS, (0, 3), BLACK)
    assert board.judge(WXF).verdict is Verdict.UNDECIDED
    board.push_iccs("a1b1")
    assert board.outcome(rules) is None  # the record goes on; only the last move matters


# Offenders that are barred


def test_the_offence_is_barred() -> None:
    board = played(CHECKS, CHECKER)
    assert board.outcome(BARRED) is None
    assert board.barred_moves(BARRED) == []
    board.push_iccs("f8e8")  # the third time; the offender is to move, and has to change
    assert board.outcome(WXF) == Outcome(Termination.PERPETUAL_CHECK, BLACK)
    assert board.outcome(BARRED) is None
    assert [move.iccs() for move in board.barred_moves(BARRED)] == ["f0e0"]
    board.push_iccs("f0e0")
    assert board.outcome(BARRED) == Outcome(Termination.BARRED_MOVE, BLACK)


def test_an_offender_that_has_no_other_move_has_lost() -> None:
    board = played(f"{CHECKS} f8e8", ONLY_CHECKER)
    assert board.outcome(BARRED) == Outcome(Termination.ALL_BARRED, BLACK)


@pytest.mark.parametrize(("name", "times", "cycles"), [("xiangqi.com", 3, 2), ("tiantian", 5, 3)])
def test_sites_bar_a_perpetual_check(name: str, times: int, cycles: int) -> None:
    """Clauses that no field covers are listed as not covered."""
    rules = RULE_SETS[name]
    board = played("f0e0 e8f8 e0f0 f8e8 " * cycles, CHECKER)
    assert board.outcome(rules) is None
    assert [move.iccs() for move in board.barred_moves(rules)] == ["f0e0"]
    board.push_iccs("a5a6")
    assert board.outcome(rules) is None
    assert find_rule_book(name).not_covered
    shuffled = played(f"{TO_AND_FRO} d8d9 " * (times - 1), CHARIOT)
    assert shuffled.outcome(rules) == Outcome(Termination.REPETITION, None)


def test_a_draw_is_still_one() -> None:
    board = played(f"{TO_AND_FRO} d8d9 " * 2, CHARIOT)
    assert board.outcome(BARRED) == Outcome(Termination.REPETITION, None)
    board.pop()
    assert board.barred_moves(BARRED) == []


def test_barred_moves_are_those_the_oracle_rules_as_lost() -> None:
    """The last move of a random repetition is barred if it loses for its mover."""
    found: Counter[bool] = Counter()
    for game in islice(random_games(seed=23), 200):
        board = game.play()
        last = board.pop()
        verdict = judge(game.fen, list(game.moves)).verdict
        loses = verdict == ("black_wins" if board.turn == RED else "red_wins")
        assert (last in board.barred_moves(BARRED)) == loses, game
        assert board.is_allowed(last, BARRED) != loses
        found[loses] += 1
    assert min(found.values()) > 20


# Words and records


def test_the_reason_is_reported() -> None:
    board = played(TO_AND_FRO, CHARIOT)
    home = Move.from_iccs("d8d9")
    why = "Black brings back the board as it stood in the first position"
    assert str(explain_bar(board, home, SITUATIONAL)) == why
    assert Voice("zh").name(explain_bar(board, home, SITUATIONAL)) == "黑方使最初局面的盘面重现"
    assert explain_bar(board, Move.from_iccs("d8e8"), SITUATIONAL) is None
    with pytest.raises(IllegalMoveError, match=f"'d8d9' .*: superko-situational bars it: {why}"):
        require_allowed(board, home, SITUATIONAL)
    require_allowed(board, home, WXF)


def test_a_barred_move_in_a_record_is_reported_with_its_reason() -> None:
    """It is not taken for a typing error, although the record continues after it."""
    board = played("a1b1 d9d8 b1b2 d8d9 b2b1 d9d8 b1b3", CHARIOT)
    ruled = rule_game(game_of(board), POSITIONAL)
    assert (ruled.outcome, ruled.ply, ruled.warned) == (
        Outcome(Termination.BARRED_MOVE, BLACK),
        5,
        None,
    )
    why = "Red brings back the board as it stood after round 1, Red"
    assert format_game(ruled, explain=True).splitlines()[:2] == [
        f"game:1: ? - ?: after round 3, Red: Black wins: a barred move: {why}",
        f"Ruling: b2b1 is barred (round 3, Red): {why}.",
    ]
    assert ruled.to_dict()["termination"] == "barred_move"
    assert rule_game(game_of(board), WXF).outcome is None


def test_an_offence_in_a_record_is_reported_as_one() -> None:
    board = played(f"{CHECKS} f8e8 f0e0 e8f8", CHECKER)
    ruled = rule_game(game_of(board), BARRED)
    assert ruled.ply == 9
    assert "Black wins: a barred move: Red checked perpetually" in format_game(ruled)


def test_superko_ruling_has_no_conduct() -> None:
    text = format_ruling(played(f"{TO_AND_FRO} d8d9", CHARIOT).judge(SITUATIONAL))
    assert text.splitlines() == [
        "Ruling: d8d9 is barred (round 2, Black): "
        "Black brings back the board as it stood in the first position.",
        "Rules: superko-situational",
        f"Position: {CHARIOT}",
        "Moves: 1. a1a2 d9d8 2. a2a1 d8d9",
    ]
