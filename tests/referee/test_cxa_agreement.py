"""The judge of the Chinese rules and its slow twin: the same marks and verdicts, but for what is
named here by its clause.

`python -m tests.fuzz.cxa` compares them on as many random repetitions as one has patience for.
"""

from itertools import islice

import pytest

from tests.fuzz.cxa import RULES, judge_findings, oracle_findings, pictures, sparse_games
from tests.support.cxa import SLOW, book_cases
from xiangqi.casebook.cases import Case
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import find_rule_set

CASES = [case for case in book_cases() if case.id not in SLOW]
GAMES = list(islice(sparse_games(seed=7, most=12), 40))

DIFFERENT_CASES = {
    "cxa2020-c8-08": "26.5: how far an exchange is played out after a check",
    "cxa2020-c8-17": "24.4: whether a mate that begins with the capture of an equal piece, which "
    "could take first, is an exchange",
    "cxa2020-c9-37": "24.3: whether several pieces win anew what they won at a loss before",
    "cxa2020-c9-39": "24.3: whether a move makes anew what came out even before",
}
"""The diagrams that the two mark differently."""

DIFFERENT_GAMES = {
    "4k1b2/5C3/9/9/1P7/7N1/9/9/4AK1R1/8r b - - 0 1": "24.3: whether a direct attack is new where "
    "a longer line won the same piece before",
    "9/3k5/9/9/9/6r2/9/9/2R1K4/9 b - - 0 1": "24.4: whether an exchange offered was a threat "
    "before the same piece was attacked by checks",
}
"""The random repetitions that the two mark differently, by their positions."""


def agree(game: GameRecord) -> bool:
    """Whether both find the same."""
    return judge_findings(game, find_rule_set(RULES)) == oracle_findings(game)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_diagrams(case: Case) -> None:
    assert agree(case.record(rounds=2)) == (case.id not in DIFFERENT_CASES)


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case.id)
def test_mirrored_and_with_the_colours_exchanged(case: Case) -> None:
    for game in pictures(case.record(rounds=2, phase=1)):
        assert agree(game) == (case.id not in DIFFERENT_CASES)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.fen)
def test_random_repetitions(game: GameRecord) -> None:
    assert agree(game) == (game.fen not in DIFFERENT_GAMES)
