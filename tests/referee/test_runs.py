"""Offences counted by rounds: Tiantian's six, twelve and eighteen, beside the oracle's count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, cycle, islice
from random import Random

import pytest

from tests.oracle.choices import Choices
from tests.oracle.rounds import TIANTIAN, too_many_rounds
from xiangqi import (
    BLACK,
    RED,
    RULE_SETS,
    WXF,
    Board,
    Move,
    Outcome,
    RuleSet,
    Termination,
    Verdict,
)
from xiangqi.casebook.cases import find_case, load_cases
from xiangqi.casebook.random_cycles import random_games, random_sparse, record_of_board
from xiangqi.errors import RuleSetError
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.judging import Referee
from xiangqi.referee.ruling import Conduct
from xiangqi.words.voice import Voice

RULES = RULE_SETS["tiantian"]
CHOICES = Choices(mixing="any", minor_attackers="profit")
QUICK = RULES.replace({"check_rounds": (2, 3, 4), "chase_rounds": (2,), "mixed_rounds": (3, 4)})
"""The same with smaller numbers, so that random games reach them."""
FEWER = TIANTIAN._replace(checks=(2, 3, 4), chases=(2,), mixtures=(3, 4))
GAMES = 300
CASES = load_cases()


def first_barred(fen: str, moves: Iterable[str]) -> tuple[int, int | None]:
    """Which round of a game the first barred move is in, less one; and how many are allowed."""
    board = Board(fen)
    for move in map(Move.from_iccs, islice(moves, 100)):
        if not board.is_allowed(move, RULES):
            rounds = board.ply() // 2
            board.push(move)
            return rounds, board.judge(RULES).rounds
        assert board.outcome(RULES) is None
        board.push(move)
    raise AssertionError("nothing was barred")


CHECKER = "9/4k4/9/9/P8/9/9/9/2p6/3K1RBc1 w - - 0 1"
CHECKS = "f0e0 e8f8 e0f0 f8e8".split()


@pytest.mark.parametrize(
    ("case", "rounds"),
    [
        ("D32a", 6),  # one chariot chases a cannon
        ("D81", 6),  # two chariots do, by turns
        ("D13", 18),  # check and chase by turns, with two pieces
    ],
)
def test_the_rounds_of_the_text(case: str, rounds: int) -> None:
    found = find_case(case, CASES)
    moves = chain(found.lead_in, cycle(found.cycle))
    assert first_barred(found.fen, moves) == (rounds, rounds)


def test_one_piece_checks_for_six_rounds() -> None:
    assert first_barred(CHECKER, cycle(CHECKS)) == (6, 6)


def test_a_move_too_many_is_barred_and_another_is_not() -> None:
    case = find_case("D32a", CASES)
    board = case.record(rounds=3).play()
    while board.ply() > 10:
        board.pop()
    assert board.barred_moves(RULES) == []
    for move in islice(cycle(case.cycle), 10 - len(case.lead_in), 12 - len(case.lead_in)):
        board.push_iccs(move)
    barred = Move.from_iccs(case.cycle[(12 - len(case.lead_in)) % len(case.cycle)])
    assert barred in board.barred_moves(RULES)
    assert board.allowed_moves(RULES)
    assert board.outcome(RULES) is None
    board.push(barred)
    assert board.outcome(RULES) == Outcome(Termination.BARRED_MOVE, BLACK)
    text = format_ruling(board.judge(RULES))
    assert "No more than 6 rounds of this are allowed in a row" in text
    assert "6回合" in format_ruling(board.judge(RULES), Voice("zh"))


@pytest.mark.parametrize(
    ("case", "times"),
    [("D26", 5), ("D48", 6), ("D4a", 6)],  # idle; chase against chase; check against check
)
def test_draws_wait_for_occurrences(case: str, times: int) -> None:
    board = find_case(case, CASES).play_until(times - 1)
    assert board.outcome(RULES) is None
    assert board.judge(RULES).verdict is Verdict.UNDECIDED
    board = find_case(case, CASES).play_until(times)
    assert board.outcome(RULES) == Outcome(Termination.REPETITION, None)
    assert board.judge(RULES).verdict is Verdict.DRAW


def test_an_offender_may_go_on_until_the_rounds_are_full() -> None:
    """Though the position has come for the fifth time before."""
    board = find_case("D13", CASES).play_until(6)
    assert board.outcome(RULES) is None
    assert board.judge(RULES).verdict is Verdict.UNDECIDED
    assert board.judge(RULES).window is None


def random_game(rng: Random) -> Board:
    """A game in which both sides like to check, or to go where they came from."""
    board = random_sparse(rng)
    for _ in range(rng.randrange(6, 16)):
        moves = board.list_moves("quiets")
        checks = [move for move in moves if board.gives_check(move)]
        if not moves:
            break
        back = [move for move in moves if board.ply() > 3 and is_return(board, move)]
        board.push(rng.choice((rng.random() < 0.7 and checks) or back or moves))
    return board


def is_return(board: Board, move: Move) -> bool:
    """Is it the move that the side made two of its moves ago?"""
    return board.move_stack[-4] == move


def test_the_oracle_counts_the_same() -> None:
    rng = Random(11)
    found: Counter[tuple[str, int | None]] = Counter()
    cycles = random_games(seed=11)
    for number in range(GAMES):
        board = random_game(rng) if number % 2 else next(cycles).play()
        game = record_of_board(board)
        ruling, judgment = board.judge(QUICK), Referee(QUICK).judge_cycle(board)
        assert (ruling.verdict, dict(ruling.conduct)) == (judgment.verdict, judgment.conduct)
        assert ruling.rounds == too_many_rounds(game.fen, game.moves, FEWER, CHOICES), game
        conduct = None if ruling.offender is None else ruling.conduct[ruling.offender]
        found[conduct.value if conduct else "", ruling.rounds] += 1
    assert found["", None] > GAMES // 3
    for kind in (("check", 2), ("check", 3), ("chase", 2)):
        assert found[kind] >= 3, found


def test_other_sides_and_colours_are_counted_alike() -> None:
    rng = Random(12)
    for _ in range(GAMES // 4):
        board = random_game(rng)
        ruling = board.judge(QUICK)
        for turned in (board.mirror(), board.flip_colors(), board.flip_colors().mirror()):
            assert turned.judge(QUICK).rounds == ruling.rounds
        assert {ruling.conduct[color] for color in (RED, BLACK)} <= {None, *Conduct}


def test_a_capture_begins_anew() -> None:
    """The first check takes a soldier, so that it does not count."""
    fen = "9/4k4/9/9/P8/9/9/9/2p6/3KpRBc1 w - - 0 1"
    assert first_barred(fen, cycle(CHECKS)) == (7, 6)
    board = Board(fen)
    for move in CHECKS:
        board.push_iccs(move)
    with pytest.raises(ValueError, match="4 plies to judge: expected 2 to 3 without a capture"):
        board.explain_run(RULES.switches, 4)


def test_a_check_that_mates_is_none_too_many() -> None:
    quick = QUICK.replace({"check_rounds": (2,)})
    board = Board("9/5k3/1R7/R4P3/9/9/9/9/9/4K4 w - - 0 1")
    for move in ("a6a8", "f8f9", "a8a9", "f9f8"):
        board.push_iccs(move)
    assert {move.iccs() for move in board.barred_moves(quick)} == {"a9f9", "a9a8"}
    board.push_iccs("b7b8")
    assert board.outcome(quick) == Outcome(Termination.CHECKMATE, RED)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"check_rounds": (6,)}, "chase_rounds"),
        ({"check_rounds": (6,), "chase_rounds": (6,)}, "check_rounds"),
        ({"check_rounds": (6, 6)}, "rise"),
        ({"check_rounds": (1,)}, "2 to 1000"),
        ({"check_rounds": 6}, "a row of numbers"),
        ({"check_rounds": ("six",)}, "a row of numbers"),
        ({"chase_rounds": (6,)}, "chase_rounds"),
        ({"mutual_occurrences": 3}, "more than occurrences"),
        ({"mutual_occurrences": 6, "offences": "none"}, "mutual_occurrences"),
        (
            {"penalty": "barred", "check_rounds": (6,), "chase_rounds": (6,), "mixed_rounds": (6,)},
            "mixed_rounds",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(RuleSetError, match=reason):
        WXF.replace(changes)


def test_they_are_told_as_set_takes_them() -> None:
    rules = RULES.replace({"check_rounds": (3, 5), "mutual_occurrences": None})
    assert rules.describe() == "tiantian check_rounds=3,5 mutual_occurrences=none"
    assert isinstance(rules, RuleSet)
