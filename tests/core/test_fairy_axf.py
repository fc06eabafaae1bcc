"""The Asian rules as other programs play them, beside one of these programs."""

from __future__ import annotations

from itertools import islice

import pytest

from bench.peers import MISSING, PYFFISH, load_module, pyffish_verdict
from tests.fuzz.cycles import UNNAMED, name_difference
from xiangqi import RULE_SETS, WXF
from xiangqi.casebook.random_cycles import random_games

GAMES = 200
FAIRY = RULE_SETS["fairy-axf"]
pyffish = load_module(PYFFISH)


def test_the_asian_rules_are_those_of_the_wxf() -> None:
    assert RULE_SETS["axf"].answers == WXF.answers


@pytest.mark.skipif(pyffish is None, reason=f"{PYFFISH}: {MISSING[PYFFISH]}")
def test_pyffish_rules_alike_but_for_what_a_clause_names() -> None:
    """``python -m tests.fuzz.cycles --pyffish --rules fairy-axf`` compares more."""
    assert pyffish is not None
    clauses = []
    for game in islice(random_games(seed=1), GAMES):
        if pyffish_verdict(pyffish, game) is not game.play().judge(FAIRY).verdict:
            clauses.append(name_difference(pyffish, game, FAIRY))
    assert UNNAMED not in clauses
    assert len(clauses) < GAMES // 20
