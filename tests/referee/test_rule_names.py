"""Every call with a rule set accepts its name, and lists the names in errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xiangqi import ALL_DRAWS, Board, Referee, RuleSet
from xiangqi.analysis.engines import borrow_analyst, return_analyst
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.casebook.cases import load_cases
from xiangqi.casebook.verify import verify_cases
from xiangqi.errors import RuleSetError
from xiangqi.games import Game
from xiangqi.games.arbiter import add_others, rule_by_books, rule_game
from xiangqi.games.archive import Archive, judge_to_file, rule_archive
from xiangqi.match.config import EngineConfig, MatchConfig
from xiangqi.referee.comparison import compare
from xiangqi.referee.judging import find_safety
from xiangqi.selfplay.generation import GenerationSettings
from xiangqi.web.pages.site import SiteReport
from xiangqi.web.serve.application import Application

BOARD = Board()
ENGINES = (EngineConfig(cmd="a", name="A", depth=1), EngineConfig(cmd="b", name="B", depth=1))

USES: dict[str, Callable[[Any, Path], object]] = {
    "Application": lambda rules, _: Application(rules, has_processes=False),
    "Board.judge": lambda rules, _: BOARD.judge(rules),
    "Board.outcome": lambda rules, _: BOARD.outcome(rules),
    "GenerationSettings": lambda rules, _: GenerationSettings(rules=rules).facts(),
    "MatchConfig": lambda rules, _: MatchConfig(engines=ENGINES, rules=rules),
    "Referee": lambda rules, _: Referee(rules).rules,
    "SiteReport": lambda rules, folder: SiteReport(folder / "out", rules=rules).rules,
    "Report others": lambda rules, folder: SiteReport(folder / "out", others=[rules]).others,
    "AnalysisSettings": lambda rules, _: AnalysisSettings(rules=rules),
    "add_others": lambda rules, _: add_others(Game(), rule_game(Game()), [rules]),
    "borrow_analyst": lambda rules, _: _borrowed(rules),
    "compare": lambda rules, _: compare(BOARD, ["wxf", rules]),
    "find_safety": lambda rules, _: find_safety(BOARD, rules),
    "judge_to_file": lambda rules, folder: judge_to_file(Archive([]), folder / "out.jsonl", rules),
    "rule_archive": lambda rules, _: list(rule_archive(Archive([]), rules)),
    "rule_by_books": lambda rules, _: rule_by_books(Game(), ["wxf", rules]),
    "rule_game": lambda rules, _: rule_game(Game(), rules),
    "verify_cases": lambda rules, _: list(verify_cases(load_cases()[:1], rules)),
}


def _borrowed(rules: RuleSet | str) -> str:
    try:
        return type(borrow_analyst(rules=rules)).__name__
    finally:
        return_analyst()


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_name_is_as_good_as_the_rule_set(
    use: Callable[[Any, Path], object], tmp_path: Path
) -> None:
    by_name, by_set = tmp_path / "name", tmp_path / "set"
    by_name.mkdir()
    by_set.mkdir()
    found, expected = use("All-Draws", by_name), use(ALL_DRAWS, by_set)
    if not isinstance(found, Application):
        assert found == expected


@pytest.mark.parametrize("rules", ["wfx", 7, None, b"wxf", ["wxf"]])
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_anything_else_is_refused(
    use: Callable[[Any, Path], object], rules: object, tmp_path: Path
) -> None:
    with pytest.raises(RuleSetError, match=r"one of 'wxf', "):
        use(rules, tmp_path)
    assert not any(tmp_path.rglob("*.jsonl"))
