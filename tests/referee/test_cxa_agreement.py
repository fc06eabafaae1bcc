"""The referee and the oracle of the Chinese rules: equal marks, weights and verdicts.

`python -m tests.fuzz.cxa` compares them on any number of random repetitions.
"""

from itertools import islice

import pytest

from tests.fuzz.cxa import EDITIONS, judge_findings, oracle_findings, pictures, sparse_games
from tests.support.cxa import SLOW, book_cases
from tests.support.soak import SOAK
from xiangqi.casebook.cases import Case
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import find_rule_set

CASES = [case for case in book_cases() if case.id not in SLOW]
GAMES = 40

EQUALLY_DEAR = GameRecord(
    "2b2k3/3c5/C8/4p4/9/9/2n4c1/9/9/1R1K5 w - - 0 1", tuple("b0c0 c3b5 c0b0 b5c3".split()) * 2
)
"""c0b0 wins the horse or a cannon, as Black chooses: the chariot captures the horse alone."""

AT_A_LOSS = GameRecord(
    "2cak4/2P6/9/2r6/9/2B2R3/p8/2n6/9/1N1A1K3 w - - 0 1",
    ("d0e1", "c6c5", *"f4e4 c5e5 e4e3 e5e8 e3e4 e8e5 e4f4 e5c5".split() * 2),
)
"""e5c5 attacks an elephant with the cannon's help, and a soldier alone; either capture loses more
elsewhere."""

FROM_THE_OTHER_SIDE = CASES[::6]


def agree(game: GameRecord, rules: str = "cxa2020") -> bool:
    """Do both agree?"""
    return judge_findings(game, find_rule_set(rules)) == oracle_findings(game, rules)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_diagrams(case: Case) -> None:
    """Diagrams by alternating editions; with MEIHUA_SOAK=1 each by both."""
    turn = list(EDITIONS)[CASES.index(case) % len(EDITIONS)]
    for rules in EDITIONS if SOAK else [turn]:
        assert agree(case.record(rounds=2), rules)


@pytest.mark.long
@pytest.mark.parametrize("case", FROM_THE_OTHER_SIDE, ids=lambda case: case.id)
def test_mirrored_and_with_the_colours_exchanged(case: Case) -> None:
    for game in pictures(case.record(rounds=2, phase=1)):
        assert agree(game)


def test_of_two_victims_as_dear_either_makes_a_chase_heavy() -> None:
    findings = {judge_findings(game, find_rule_set("cxa2020")) for game in pictures(EQUALLY_DEAR)}
    assert {one.marks[2] for one in findings} == {"chase"}
    assert agree(EQUALLY_DEAR)


def test_of_chases_at_a_loss_that_of_the_dearest_victim_decides() -> None:
    findings = judge_findings(AT_A_LOSS, find_rule_set("cxa1999"))
    assert findings.marks[7] == "chase (light)"
    assert agree(AT_A_LOSS, "cxa1999")


@pytest.mark.long
def test_random_repetitions() -> None:
    for game in islice(sparse_games(seed=7, most=12), GAMES):
        for rules in EDITIONS:
            assert agree(game, rules), game
