"""Every public class can be pickled and copied, or says why not."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import io
import pickle
import pkgutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, is_typeddict

import pytest

import xiangqi
import xiangqi.svg
from tests.support.books import random_games, write_book
from xiangqi import (
    BLACK,
    RED,
    ROOK,
    RULE_SETS,
    AsyncMeihua,
    Board,
    Cp,
    Game,
    Meihua,
    Move,
    Outcome,
    Piece,
    PlayResult,
    PovScore,
    PovWdl,
    Referee,
    RuleWin,
    Ruling,
    SimpleEngine,
    SquareSet,
    Termination,
    Voice,
    Wdl,
)
from xiangqi.analysis import (
    AnalysisJob,
    AnalysisSettings,
    Effort,
    EngineAnalyst,
    OurAnalyst,
    Puzzle,
    Value,
    analyse_moves,
    sum_up,
)
from xiangqi.board.scores import AnalysisResult, AsyncAnalysing, BestMove
from xiangqi.books import BookMove, open_book
from xiangqi.compliance import Check, CheckResult
from xiangqi.core.tablebase import Tables
from xiangqi.engine import Clock, CurrentMove, Engine, HashEntry, Limits
from xiangqi.engine.network import choose_network
from xiangqi.engine.searcher import make_parameters, make_searcher
from xiangqi.games import GameError
from xiangqi.ground.errors import Count, ErrorFacts, Fact
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.ground.files import Journal, JournalLine
from xiangqi.ground.lines import FaultyText, LineReader
from xiangqi.ground.workers import in_this_process
from xiangqi.pieces.arrows import Arrow
from xiangqi.referee.explanation import explain
from xiangqi.referee.ruling import BySide, Trace
from xiangqi.tables import Tablebase, TableValue

MOVE = Move.from_iccs("h2e2")
CHECKS = "a1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9 e1d1"
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def perpetual_check() -> Board:
    board = Board("3k5/9/9/9/9/9/9/9/R8/5K3 w")
    for move in CHECKS.split():
        board.push_iccs(move)
    return board


def judge(rules: str) -> Ruling:
    return perpetual_check().judge(rules)


def samples() -> Iterator[object]:
    """Objects of the public classes that can be copied; more are parts of these."""
    board, game, ours = perpetual_check(), Game(), Engine()
    game.add_line([MOVE, Move.from_iccs("h9g7")])
    settings = AnalysisSettings(effort=Effort(nodes=200))
    found = analyse_moves(Board().fen(), (MOVE,), OurAnalyst(), settings)
    check = Check("name", "title", ("uci",), print)
    yield from map(judge, RULE_SETS)
    yield explain(judge("wxf"))
    yield from RULE_SETS.values()
    yield from ours.analyse(board, Limits(depth=2))
    yield from (
        *(game, game.next(), board, board.legal_moves, board.setup(), MOVE, SquareSet([5])),
        *(Piece(ROOK, RED), Referee("cxa2020"), Trace(board), BySide({RED: 1, BLACK: 2})),
        *(Outcome(Termination.NO_CAPTURE, None), Voice("zh"), xiangqi.svg.board()),
        *(Cp(5), RuleWin(28_990), PovScore(Cp(5), RED), PovWdl(Wdl(1, 2, 3), RED)),
        *(PlayResult(MOVE, info={"depth": 3}), BestMove(MOVE), Limits(clock=Clock(5)), Clock(5)),
        *(ours.play(board, Limits(depth=2)), CurrentMove(1, MOVE, 1)),
        *(HashEntry(MOVE, "exact", 5, 3), Fact("move.iccs"), Count(3), Value.of_cp(5)),
        *(settings, AnalysisJob(settings), found, sum_up(found.plies, RED)),
        *(BookMove(MOVE, 3), TableValue(1, 2, 3), Tablebase(Path("tables")), check),
        *(CheckResult(check, "must", "passed", "", ()), Puzzle("", 1, (MOVE,), None, 5)),
        *(GameError("a.pgn", 1, 2, "x", Fact("move.iccs")), FaultyText("x", [])),
        *(ErrorFacts("x", 1, "", None), JournalLine(1, 0, b"{}"), in_this_process(), Arrow(5, 6)),
        *Referee().find_threats(Board(), RED),
    )


@cache
def sampled() -> dict[type, object]:
    """One object of each class among the samples and their parts."""
    found: dict[type, object] = {}

    def add(thing: object) -> None:
        if type(thing).__module__.startswith("xiangqi."):
            found.setdefault(type(thing), thing)
        if dataclasses.is_dataclass(thing):
            for field in dataclasses.fields(thing):
                add(getattr(thing, field.name))
        elif isinstance(thing, (tuple, list)):
            for part in thing:
                add(part)

    for thing in samples():
        add(thing)
    return found


@pytest.fixture
def refusing(tmp_path: Path) -> Iterator[list[object]]:
    """Objects of the public classes that hold something that cannot be copied."""
    book = open_book(write_book(tmp_path / "a.obk", random_games(1, 1)))
    journal = Journal(tmp_path / "a.jsonl")
    ours, meihua = Engine(), Meihua()
    network = choose_network()
    command = [sys.executable, "-m", "xiangqi", "engine"]
    with SimpleEngine.popen(command) as driven, ours.analysis(Board()) as running:
        yield [
            *(ours, running, meihua, AsyncMeihua(), driven, driven.protocol),
            *(OurAnalyst(), EngineAnalyst(meihua), AnalysisResult.__new__(AnalysisResult)),
            *(book, journal, LineReader(io.BytesIO(), "a")),
            *(make_searcher(), make_parameters(), Tables(), RULE_SETS["wxf"].switches),
            *([] if network is None else [network.weights]),
        ]
    book.close()
    journal.close()


def public_classes() -> Iterator[type]:
    """Classes among the public names of the package and of its modules and packages."""
    names = [f"xiangqi.{found.name}" for found in pkgutil.iter_modules(xiangqi.__path__)]
    for module in map(importlib.import_module, ["xiangqi", *names]):
        for name in getattr(module, "__all__", ()):
            found = getattr(module, name)
            if inspect.isclass(found) and found.__module__.startswith("xiangqi."):
                yield found


def is_data(kind: type) -> bool:
    """Has it objects of its own? Copies of errors are tested in tests/ground/test_errors.py."""
    is_abstract = inspect.isabstract(kind) or getattr(kind, "_is_protocol", False)
    is_checked = issubclass(kind, (Enum, BaseException)) or is_typeddict(kind)
    return not (is_abstract or is_checked or kind in (NotCopied, AsyncAnalysing))


def test_every_public_class_is_covered(refusing: list[object]) -> None:
    known = sampled().keys() | {type(thing) for thing in refusing}
    missing = {kind for kind in public_classes() if is_data(kind) and kind not in known}
    assert missing == set()


@pytest.mark.parametrize("way", WAYS)
def test_copies_are_equal(way: str) -> None:
    for kind, thing in sampled().items():
        copied = WAYS[way](thing)
        assert type(copied) is kind
        if "__eq__" in {name for each in kind.__mro__[:-1] for name in vars(each)}:
            assert copied == thing, kind
        elif hasattr(thing, "__dict__"):
            assert vars(copied).keys() == vars(thing).keys(), kind


@pytest.mark.parametrize("way", WAYS)
def test_objects_that_cannot_be_copied_name_their_resource(
    refusing: list[object], way: str
) -> None:
    for thing in refusing:
        reason = f"a {type(thing).__name__} cannot be copied or pickled, since it holds "
        with pytest.raises(TypeError, match=reason):
            WAYS[way](thing)


def test_legal_moves_of_a_copy_are_of_the_copied_board() -> None:
    board = Board()
    moves = copy.deepcopy(board.legal_moves)
    board.push(MOVE)
    assert moves.count() == 44
    assert list(pickle.loads(pickle.dumps(board.legal_moves))) == list(board.legal_moves)


def test_values_of_both_sides_are_read_by_colour() -> None:
    ruling = judge("wxf")
    assert list(ruling.conduct) == [RED, BLACK]
    assert dict(ruling.conduct) == ruling.conduct
    with pytest.raises(TypeError, match=r"color 'red': expected xiangqi.RED"):
        ruling.conduct["red"]  # type: ignore[index]


def test_process_pool_returns_rulings() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(judge, RULE_SETS))
    assert found == [judge(rules) for rules in RULE_SETS]
