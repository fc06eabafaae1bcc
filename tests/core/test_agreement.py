"""The core and the oracle rule alike on random repetitions, with the same facts on every ply.

``python -m tests.fuzz.cycles`` does the same for as many games as one has patience for;
MEIHUA_SOAK=1 tries more here.
"""

from itertools import islice

import pytest

from tests.fuzz.agreement import core_findings, differences, variants
from tests.support.soak import SOAK
from xiangqi import WXF, RuleSet
from xiangqi.casebook.random_cycles import TWINS, random_games
from xiangqi.games.record import GameRecord

pytestmark = pytest.mark.long

GAMES = 2000 if SOAK else 500
GAMES_OF_A_VARIANT = 400 if SOAK else 100
VARIANTS = list(variants())


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    return [TWINS, *islice(random_games(seed=7), GAMES)]


def find_differences(games: list[GameRecord], rules: RuleSet) -> list[str]:
    """All differences, each with the game."""
    return [f"{game}: {line}" for game in games for line in differences(game, rules)]


def test_wxf(games: list[GameRecord]) -> None:
    assert find_differences(games, WXF) == []


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
def test_each_choice(games: list[GameRecord], rules: RuleSet) -> None:
    """With one question settled differently than by default."""
    assert find_differences(games[:GAMES_OF_A_VARIANT], rules) == []


def test_games_are_interesting(games: list[GameRecord]) -> None:
    """Agreement on idle shuffling alone would prove little."""
    findings = [core_findings(game) for game in games]
    conducts = {(finding.red, finding.black) for finding in findings}
    assert {
        ("chase", "idle"),
        ("idle", "check"),
        ("check", "check"),
        ("chase", "chase"),
    } <= conducts
    assert sum(finding.verdict != "draw" for finding in findings) > GAMES // 5


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
def test_each_choice_matters(games: list[GameRecord], rules: RuleSet) -> None:
    """Each non-default choice changes the findings of some of the games it is compared on."""
    assert any(
        core_findings(game, rules) != core_findings(game) for game in games[:GAMES_OF_A_VARIANT]
    )
