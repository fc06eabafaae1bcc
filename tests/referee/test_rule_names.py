"""Every call with a rule set accepts its name, and lists the names in errors.

Public functions and methods with a parameter that is a rule set are found by their signatures:
each is called here, with :data:`SAMPLES` by the names of its parameters or as in :data:`USES`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from chess.engine import Option

import xiangqi
from train.generation import GenerationSettings
from xiangqi import ALL_DRAWS, Board, Conduct, Outcome, Referee, RuleSet, Termination
from xiangqi.analysis.engines import Effort, OurAnalyst, borrow_analyst, return_analyst
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.analysis.knowledge import Played, Returns, Tables
from xiangqi.analysis.puzzles import PuzzleMaker
from xiangqi.books.base import Book, BookMove, Row
from xiangqi.books.checking import BookReport, check_book
from xiangqi.casebook.cases import load_cases
from xiangqi.client.protocol import rule_options
from xiangqi.core.board import CoreBoard
from xiangqi.engine import Engine, Limits
from xiangqi.games import Game
from xiangqi.games.arbiter import rule_game
from xiangqi.games.archive import Archive, RuledBatch, RulingsFile, Tally, Unread, judge_to_file
from xiangqi.ground.errors import RuleSetError
from xiangqi.match.adjudication import TableRule
from xiangqi.match.config import EngineConfig, MatchConfig
from xiangqi.referee.comparison import compare, find_difference
from xiangqi.web.pages.site import SiteReport
from xiangqi.web.serve.application import Application

BOARD = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
    BOARD.push_iccs(move)
ENGINE = Engine()
SHORT = Limits(nodes=10)
REPETITION = Option("Repetition Rule", "combo", None, None, None, ["wxf", "all-draws"])
ENGINES = (EngineConfig(cmd="a", name="A", depth=1), EngineConfig(cmd="b", name="B", depth=1))

SAMPLES: dict[str, Any] = {
    "analysis": SimpleNamespace(plies=()),
    "analyst": None,
    "archive": Archive([]),
    "batch": RuledBatch([Unread("a", None, "why")], Tally()),
    "board": BOARD,
    "cases": load_cases()[:1],
    "conduct": Conduct.CHASE,
    "decide": str,
    "effort": Effort(nodes=1),
    "engine": SimpleNamespace(protocol=SimpleNamespace(options={}), analyse=lambda *_, **__: {}),
    "fen": BOARD.root_fen(),
    "field": "occurrences",
    "found": BookMove(BOARD.list_moves()[0], 1),
    "game": Game(),
    "limits": SHORT,
    "move": BOARD.list_moves()[0],
    "moves": (),
    "on_best": lambda _: None,
    "on_info": lambda _: None,
    "outcome": Outcome(Termination.REPETITION, None),
    "played": Played(BOARD, None, 0.5, 0.5, is_best=True),
    "returns": Returns(),
    "ruled": rule_game(Game()),
    "unread": Unread("a", None, "why"),
}
"""Arguments by parameter name."""

USES: dict[str, Callable[[Any, Path], object]] = {
    "AnalysisSettings": lambda rules, _: AnalysisSettings(rules=rules),
    "Application": lambda rules, _: Application(rules, has_processes=False),
    "GenerationSettings": lambda rules, _: GenerationSettings(rules=rules).facts(),
    "MatchConfig": lambda rules, _: MatchConfig(engines=ENGINES, rules=rules),
    "OurAnalyst": lambda rules, _: _rules_of(OurAnalyst(rules)),
    "PuzzleMaker": lambda rules, _: PuzzleMaker(BOARD, OurAnalyst(), Effort(), rules).__dict__[
        "_rules"
    ],
    "Referee": lambda rules, _: Referee(rules).rules,
    "SiteReport": lambda rules, folder: SiteReport(folder / "out", rules=rules).rules,
    "Report others": lambda rules, folder: SiteReport(folder / "out", others=[rules]).others,
    "TableRule": lambda rules, folder: TableRule(folder, rules).rules,
    "Tables": lambda rules, folder: _rules_of(Tables(folder, rules)),
    "borrow_analyst": lambda rules, _: _borrowed(rules),
    "check_book": lambda rules, _: list(check_book(_NoBook(), rules, BookReport())),
    "compare": lambda rules, _: compare(BOARD, ["wxf", rules]),
    "find_difference": lambda rules, _: find_difference(BOARD, "wxf", rules),
    "judge_to_file": lambda rules, folder: judge_to_file(Archive([]), folder / "out.jsonl", rules),
    "rule_options": lambda rules, _: _options(rules),
    "Case.play_by": lambda rules, _: load_cases()[0].play_by(rules).fen(),
    "Engine.analyse": lambda rules, _: len(ENGINE.analyse(BOARD, SHORT, rules=rules)),
    "Engine.play": lambda rules, _: ENGINE.play(BOARD, SHORT, rules=rules).best,
    "RulingsFile.keep": lambda rules, folder: _keep(rules, folder),
    "RulingsFile.write": lambda rules, folder: _write(rules, folder),
}
"""Calls that need more than samples; given the rule set and an empty folder."""

ELSEWHERE = {
    "Engine.analysis": "as Engine.play",
    "XiangqiProtocol.analysis": "a coroutine; rule_options reads its rules",
    "XiangqiProtocol.play": "a coroutine; rule_options reads its rules",
    "find_rule_set": "tests/referee/test_rules.py",
    "list_articles": "for explanations, whose callers have found the rule set",
    "table_values": "as find_rules, which reads its rules",
}
RESULTS = {"BookResult", "Contest", "Difference", "GameRuling", "Ruling"}
"""Results of the package, which users do not construct."""
INSIDE = "cli contract engine.search engine.settings referee.articles referee.counters".split()
INSIDE += "referee.cxa referee.evidence web".split()
"""Internal modules, whose callers have found the rule set."""


def _borrowed(rules: RuleSet | str) -> str:
    try:
        return type(borrow_analyst(rules=rules)).__name__
    finally:
        return_analyst()


class _NoBook(Book):
    """An opening book without a move."""

    def __init__(self) -> None:
        pass

    def entries(self, key: int) -> list[BookMove]:
        return []

    def find_all(self, board: CoreBoard) -> list[BookMove]:
        return []

    def rows(self) -> Iterator[Row]:
        return iter(())

    def count(self) -> int:
        return 0

    def close(self) -> None:
        pass


def _rules_of(thing: object) -> object:
    return vars(thing)["_rules"]


def _options(rules: RuleSet | str) -> object:
    return rule_options(rules, {"Repetition Rule": REPETITION})


def _keep(rules: RuleSet | str, folder: Path) -> Tally:
    with RulingsFile(folder / "kept.json") as file:
        return file.keep(Archive([]), rules)


def _write(rules: RuleSet | str, folder: Path) -> str:
    path = folder / "written.json"
    with RulingsFile(path) as file:
        file.write(RuledBatch([Unread("a", None, "why")], Tally()), rules)
    return path.read_text(encoding="utf-8")


def list_calls() -> Iterator[tuple[str, Callable[..., object]]]:
    """Public functions, methods and constructors with a parameter that is a rule set."""
    for found in pkgutil.walk_packages(xiangqi.__path__, "xiangqi."):
        inside = any(f"{found.name}.".startswith(f"xiangqi.{part}.") for part in INSIDE)
        if inside or ".__" in found.name:
            continue
        module = importlib.import_module(found.name)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if getattr(thing, "__module__", None) != found.name or name in RESULTS:
                continue
            if inspect.isfunction(thing) and takes_rules(thing):
                yield name, thing
            for method, function in vars(thing).items() if inspect.isclass(thing) else ():
                is_public = method == "__init__" or not method.startswith("_")
                if is_public and inspect.isfunction(function) and takes_rules(function):
                    yield name if method == "__init__" else f"{name}.{method}", function


def takes_rules(function: Callable[..., object]) -> bool:
    return bool(rule_parameters(function))


def rule_parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    """Parameters that take one or more rule sets, other than functions."""
    parameters = inspect.signature(function).parameters.values()
    texts = ((one, str(one.annotation)) for one in parameters)
    return [one for one, text in texts if "RuleSet" in text and "Callable" not in text]


def make_use(function: Callable[..., object]) -> Callable[[Any, Path], object] | None:
    """Call of a function with sample arguments; None if one is missing."""
    ours = rule_parameters(function)
    parameters = inspect.signature(function).parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty and one not in ours]
    if any(name not in SAMPLES and name != "self" for name in needed):
        return None

    def use(rules: Any, _: Path) -> object:
        values = {name: BOARD if name == "self" else SAMPLES[name] for name in needed}
        for one in ours:
            values[one.name] = [rules] if "[" in str(one.annotation) else rules
        many = [values.pop(one.name) for one in ours if one.kind is one.VAR_POSITIONAL]
        found = function(*values.values(), *many) if many else function(**values)
        return list(found) if isinstance(found, Iterator) else found

    return use


CALLS = dict(list_calls())
for name, function in CALLS.items():
    if name not in {*USES, *ELSEWHERE} and (found := make_use(function)):
        USES[name] = found
MAY_BE_NONE = [name for name, call in CALLS.items() if "None" in str(rule_parameters(call)[0])]
"""Calls in which None means the engine's rule set."""


def test_every_call_with_a_rule_set_is_tried() -> None:
    assert len(CALLS) > 50
    assert not set(CALLS) - set(USES) - set(ELSEWHERE)


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
@pytest.mark.parametrize("name", USES)
def test_anything_else_is_refused(name: str, rules: object, tmp_path: Path) -> None:
    if rules is None and name in MAY_BE_NONE:
        return
    with pytest.raises(RuleSetError, match=r"one of 'wxf', "):
        USES[name](rules, tmp_path)
    assert not any(tmp_path.rglob("*.jsonl"))
