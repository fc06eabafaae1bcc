"""Every call with rules accepts the name of a rule set, and lists the names in errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from xiangqi import WXF, Board, Limit, Meihua, Move, Referee
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.board.scores import Option
from xiangqi.client.protocol import rule_options
from xiangqi.engine import Engine, Limits
from xiangqi.ground.errors import RuleSetError
from xiangqi.tables.probing import probe

RULE_OPTIONS = {
    "Repetition Rule": Option("Repetition Rule", "combo", "wxf", None, None, ["wxf", "all-draws"])
}

NAMED: dict[str, Callable[[Any], object]] = {
    "Board.judge": lambda rules: Board().judge(rules),
    "Board.outcome": lambda rules: Board().outcome(rules),
    "Board.is_game_over": lambda rules: Board().is_game_over(rules),
    "Board.result": lambda rules: Board().result(rules),
    "Board.barred_moves": lambda rules: Board().barred_moves(rules),
    "Board.allowed_moves": lambda rules: Board().allowed_moves(rules),
    "Board.is_allowed": lambda rules: Board().is_allowed(Move.from_iccs("h2e2"), rules),
    "Referee": lambda rules: Referee(rules).rules,
    "probe": lambda rules: probe(Board(), rules),
    "AnalysisSettings": lambda rules: AnalysisSettings(rules=rules),
    "rule_options": lambda rules: rule_options(rules, RULE_OPTIONS),
    "Engine.play": lambda rules: Engine().play(Board(), Limits(depth=1), rules=rules).best,
    "Engine.analysis": lambda rules: (
        Engine().analysis(Board(), Limits(depth=1), rules=rules).result().best
    ),
    "Meihua.play": lambda rules: Meihua().play(Board(), Limit(depth=1), rules=rules).move,
    "Meihua.analyse": lambda rules: Meihua().analyse(Board(), Limit(depth=1), rules=rules)["pv"],
}


@pytest.mark.parametrize("name", NAMED)
def test_rules_may_be_named(name: str) -> None:
    ask = NAMED[name]
    assert ask("wxf") == ask("WXF") == ask(WXF)
    with pytest.raises(RuleSetError, match=r"invalid rule set 'wfx': expected one of 'wxf'"):
        ask("wfx")
    with pytest.raises(
        RuleSetError, match="invalid rule set 5: expected a RuleSet, or one of 'wxf'"
    ):
        ask(5)
