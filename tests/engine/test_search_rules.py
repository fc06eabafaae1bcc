"""Searches by any rule set: the engine, its two interfaces in process, and another engine."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engines.fake_searcher import FakeSearcher
from xiangqi import (
    RULE_SETS,
    WXF,
    AsyncMeihua,
    Board,
    EngineError,
    Limit,
    Meihua,
    RuleSet,
    RuleSetError,
    SimpleEngine,
)
from xiangqi.board.scores import AnyEngine, RuleWin
from xiangqi.engine import Engine, Limits, is_decided
from xiangqi.ground.errors import TableError
from xiangqi.referee.rule_parts import GainChase

PATIENT = WXF.replace({"occurrences": 6})
"""Rules that no option names."""
NOWHERE = RuleSet("club", chase=GainChase(search_as="nowhere"), common_victim="any", verdicts=())
COMMAND = [sys.executable, "-m", "xiangqi", "engine"]


@pytest.fixture
def board() -> Board:
    """Red has checked repeatedly: Black, to move, wins by the rules if the position occurs a third
    time."""
    board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
    for move in "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0".split():
        board.push_iccs(move)
    return board


# The engine


def analyse(engine: Engine, board: Board, rules: RuleSet | None) -> int:
    return engine.analyse(board, Limits(depth=2), rules=rules)[0].score


def play(engine: Engine, board: Board, rules: RuleSet | None) -> int:
    return engine.play(board, Limits(depth=2), rules=rules).score


def watch(engine: Engine, board: Board, rules: RuleSet | None) -> int:
    with engine.analysis(board, Limits(depth=2), rules=rules) as seen:
        return [info.score for info in seen][-1]


@pytest.mark.parametrize("ask", [analyse, play, watch])
def test_the_engine(ask: Callable[[Engine, Board, RuleSet | None], int], board: Board) -> None:
    engine = Engine()
    for rules in (None, RULE_SETS["all-draws"], WXF, PATIENT, None):
        is_ruled = rules in (None, WXF)
        assert is_decided(ask(engine, board, rules)) == is_ruled, rules
    engine.set_option("repetition", "all-draws")
    assert not is_decided(ask(engine, board, None))
    assert is_decided(ask(engine, board, WXF))
    assert engine.rules.name == "all-draws"


def test_the_limit_without_a_capture_is_that_of_the_rules() -> None:
    searcher = FakeSearcher()
    engine = Engine(searcher)
    engine.set_option("no_capture_rounds", 7)
    for rules, limit in ((None, 14), (WXF, 120), (WXF.replace({"no_capture_limit": None}), 0)):
        engine.play(Board(), Limits(depth=1), rules=rules)
        assert searcher.limits.no_capture_limit == limit


def test_results_under_other_rules_are_cleared(board: Board) -> None:
    engine = Engine()
    engine.play(board, Limits(depth=2))
    assert engine.probe(board) is not None
    engine.play(Board(), Limits(depth=1), rules=WXF)  # the options' rules, too
    assert engine.probe(board) is not None
    engine.play(Board(), Limits(depth=1), rules=PATIENT)
    assert engine.probe(board) is None


def test_rules_that_the_search_does_not_support(board: Board) -> None:
    engine = Engine(FakeSearcher())
    superko = RuleSet(
        "club",
        chase=GainChase(search_as="superko-positional"),
        common_victim="any",
        verdicts=(),
        penalty="barred",
    )
    for rules in (NOWHERE, superko):
        for ask in (analyse, play, watch):
            with pytest.raises(RuleSetError, match=r"search_as .* a search can use instead"):
                ask(engine, board, rules)
    assert not engine.is_thinking
    assert engine.play(board, Limits(depth=1)).best


def test_the_tables_are_those_of_the_rules(chariot_horse_tables: Path, tmp_path: Path) -> None:
    """The chariot captures one of two horses; the other can then only check perpetually."""
    engine = Engine()
    engine.set_option("table_path", str(chariot_horse_tables))
    board = Board("R7n/9/4k4/9/9/9/9/8n/5K3/9 w")
    limits = Limits(depth=2, moves=(board.parse_iccs("a9i9"),))
    for rules in (WXF, RULE_SETS["all-draws"], WXF.replace({"total_limit": 300})):
        is_won = is_decided(engine.play(board, limits, rules=rules).score)
        assert is_won == (rules.name == "wxf"), rules
    (tmp_path / "KRvKN.all-draws.xqt").write_bytes(b"no table")
    engine.set_option("table_path", str(tmp_path))
    with pytest.raises(TableError, match="not a table file"):
        engine.play(board, limits, rules=RULE_SETS["all-draws"])


# The interface that all engines share


def open_uci() -> AnyEngine:
    return SimpleEngine.popen_uci(COMMAND)


def open_ucci() -> AnyEngine:
    return SimpleEngine.popen_ucci(COMMAND)


@pytest.fixture(scope="module", params=[Meihua, open_uci, open_ucci], ids=["ours", "UCI", "UCCI"])
def engine(request: pytest.FixtureRequest) -> Iterator[AnyEngine]:
    made: AnyEngine = request.param()
    yield made
    made.close()


def test_any_engine_is_sent_the_rules(engine: AnyEngine, board: Board) -> None:
    """Rules for one search; the next one uses the options' rules again."""
    limit = Limit(depth=2)
    for rules in (RULE_SETS["all-draws"], None, WXF.replace({"no_capture_limit": 20})):
        is_ruled = rules is None or rules.name == "wxf"
        for score in (
            engine.analyse(board, limit, rules=rules)["score"],
            engine.play(board, limit, rules=rules).info["score"],
        ):
            cp = score.relative.score()
            assert cp is not None
            assert (cp > 20_000) == is_ruled, rules


def test_rules_that_cannot_be_sent_are_refused(engine: AnyEngine, board: Board) -> None:
    limit = Limit(depth=1)
    for ask in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(EngineError, match=r"nowhere|to the rules club"):
            ask(board, limit, rules=NOWHERE)
    assert engine.play(board, limit).move


def test_meihua_accepts_rules_without_a_name(board: Board) -> None:
    with Meihua() as ours:
        info = ours.analyse(board, Limit(depth=2), rules=PATIENT)
        assert not isinstance(info["score"].relative, RuleWin)


def test_in_an_event_loop(board: Board) -> None:
    async def find(**arguments: Any) -> list[bool]:
        async with AsyncMeihua() as ours:
            info = await ours.analyse(board, Limit(depth=2), **arguments)
            played = await ours.play(board, Limit(depth=2), **arguments)
            return [isinstance(one["score"].relative, RuleWin) for one in (info, played.info)]

    assert asyncio.run(find()) == [True, True]
    assert asyncio.run(find(rules=PATIENT)) == [False, False]
