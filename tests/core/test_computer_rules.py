"""The computer rules against their own oracle, and the asking of check flags under all rules."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.fuzz.agreement import variants
from tests.oracle.computer import judge_by_computer_rules
from xiangqi import RULE_SETS, Referee, RuleSet
from xiangqi.casebook.cases import Case, find_case_folder, load_cases
from xiangqi.casebook.random_cycles import random_games
from xiangqi.casebook.verify import verify_case
from xiangqi.core import testing
from xiangqi.games.record import GameRecord

pytestmark = pytest.mark.long

GAMES = 400
COMPUTER = RULE_SETS["computer"]
CASES = load_cases([find_case_folder("computer")])
VERDICTS = ("undecided", "draw", "red_wins", "black_wins")


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    return list(islice(random_games(seed=8), GAMES))


def test_the_core_and_the_oracle_rule_alike(games: list[GameRecord]) -> None:
    """``python -m tests.fuzz.cycles --computer`` compares more."""
    referee = Referee(COMPUTER)
    found = [referee.judge_cycle(game.play()).verdict.value for game in games]
    assert found == [judge_by_computer_rules(game.fen, game.moves) for game in games]
    assert judge_by_computer_rules(ELEPHANT.fen, ELEPHANT.moves) == "black_wins"
    assert {verdict: found.count(verdict) > 30 for verdict in set(found)} == dict.fromkeys(
        VERDICTS[1:], True
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_examples_of_the_book(case: Case) -> None:
    """In every phase of the cycle, with a round more, mirrored and with the colours exchanged."""
    result = verify_case(case, Referee(COMPUTER))
    assert result.differences == ()
    assert result.rulings == 6 * len(case.cycle)
    board = case.play_until(3)
    moves = [move.iccs() for move in board.move_stack]
    assert judge_by_computer_rules(case.fen, moves) == case.verdict.value


REPETITION = ("checking_move", "minor_attackers", "line_exemption", "new_threat")
"""The fields on repetition in which the book differs from the WXF rules."""


def test_the_book_differs_in_these_fields_alone() -> None:
    wxf = RULE_SETS["wxf"]
    changed = {one for one in wxf.answers if COMPUTER.answers[one] != wxf.answers[one]}
    assert changed == {*REPETITION, "free_checks"}


ELEPHANT = GameRecord(
    "3k5/9/9/9/2p3p2/2c6/5C3/4B4/9/4K4 b", tuple("c4g4 f3d3 g4c4 d3f3".split()) * 2
)
"""The cannon opens the elephant's way to a protected cannon, now on one side, now on the other."""


@pytest.mark.parametrize("field", REPETITION)
def test_each_field_of_the_rule_set_decides_a_game(field: str, games: list[GameRecord]) -> None:
    without = COMPUTER.replace({field: RULE_SETS["wxf"].answers[field]})
    games = [*games, ELEPHANT, *(case.record(rounds=2) for case in CASES)]
    boards = [game.play() for game in games]
    verdicts = [
        [Referee(rules).judge_cycle(board).verdict for board in boards]
        for rules in (COMPUTER, without)
    ]
    assert verdicts[0] != verdicts[1]


# What the check flags leave


BOOKS = [*(rules for rules in RULE_SETS.values() if rules.in_search), *variants()]


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.name)
def test_the_check_flags_leave_the_verdict(rules: RuleSet, games: list[GameRecord]) -> None:
    """The check flags never exclude the verdict of the judge, and leave no more than the book
    allows: where it counts no chase, the flags alone decide."""
    for game in games:
        board = game.play()
        verdict, *conducts = board.judge_cycle(rules.switches)
        left = testing.verdicts_left(board, rules.switches)
        assert (verdict in left) == (verdict != 0), (game, left)
        if rules.offences != "check_and_chase":
            assert len(left) <= 1
        if all(conduct == 2 for conduct in conducts):
            assert left == (verdict,)


def test_a_check_leaves_no_chase_by_the_computer_rules(games: list[GameRecord]) -> None:
    """Nobody has to look at the pieces where anybody checked."""
    settled = 0
    for game in games:
        board = game.play()
        checks = [bool(report.checkers) for report in board.judge(COMPUTER).plies]
        left = testing.verdicts_left(board, COMPUTER.switches)
        assert (len(left) == 1) == any(checks), game
        settled += any(checks)
    assert GAMES // 10 < settled < GAMES
