"""A searcher used from several threads: refused with an error, never a crash or a wrong answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.networks import random_network
from tests.support.patience import PATIENCE_S
from xiangqi import WXF, Board
from xiangqi.core.searcher import Searcher
from xiangqi.core.searches import SearchInfo, SearchLimits, SearchResult
from xiangqi.core.tablebase import CELL_SIZE, Tables, count_cells
from xiangqi.engine.searcher import make_parameters, make_searcher

OTHER = "2b1ka3/5P3/1rR2arPC/2Pc3N1/2c2n1nP/6R2/9/pC1Ap3B/4pNp2/5KBp1 w"
COMMANDS: dict[str, Callable[[Searcher], object]] = {
    "search": lambda searcher: searcher.search(Board(OTHER), SearchLimits(depth=2), WXF.switches),
    "set_hash": lambda searcher: searcher.set_hash(2),
    "set_threads": lambda searcher: searcher.set_threads(2),
    "set_network": lambda searcher: searcher.set_network(random_network()),
    "set_tables": lambda searcher: searcher.set_tables(None),
    "set_parameters": lambda searcher: searcher.set_parameters(make_parameters()),
    "clear": lambda searcher: searcher.clear(),
}


@pytest.fixture
def searching() -> Searcher:
    """A searcher, small enough that a change of it is made at once."""
    return make_searcher(hash_mb=1)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_search_refuses_changes_and_other_searches(searching: Searcher, name: str) -> None:
    """In another thread, and in the callback of the search itself."""
    plain = make_searcher(hash_mb=1).search(Board(), SearchLimits(depth=8), WXF.switches)
    refused: list[str] = []

    def refuse(info: SearchInfo) -> None:
        if info.depth == 3:
            with pytest.raises(RuntimeError, match="searching: expected a call after the search"):
                COMMANDS[name](searching)
            with ThreadPoolExecutor(1) as pool:
                error = pool.submit(COMMANDS[name], searching).exception(PATIENCE_S)
            refused.append(repr(error))

    found = searching.search(Board(), SearchLimits(depth=8), WXF.switches, refuse)
    assert len(refused) == 1
    assert refused[0].startswith("RuntimeError")
    assert (found.best, found.score, found.nodes) == (plain.best, plain.score, plain.nodes)
    COMMANDS[name](searching)  # afterwards it is done


def test_a_search_that_fails_leaves_the_searcher_usable(searching: Searcher) -> None:
    def fail(_: SearchInfo) -> None:
        raise KeyError("a fault of the caller")

    with pytest.raises(KeyError):
        searching.search(Board(), SearchLimits(depth=4), WXF.switches, fail)
    assert searching.search(Board(), SearchLimits(depth=4), WXF.switches).best is not None


def test_threads_that_share_a_searcher_get_their_own_answer_or_an_error() -> None:
    boards = [Board(), Board(OTHER)]
    searcher = make_searcher(hash_mb=1)
    gate = threading.Barrier(len(boards))

    def ask(board: Board) -> list[SearchResult]:
        found = []
        gate.wait(PATIENCE_S)
        for _ in range(20):
            try:
                found.append(searcher.search(board, SearchLimits(nodes=5_000), WXF.switches))
            except RuntimeError:
                continue
        return found

    with ThreadPoolExecutor(len(boards)) as pool:
        answers = list(pool.map(ask, boards))
    assert any(answers)
    for board, results in zip(boards, answers, strict=True):
        assert all(result.best in board.legal_moves for result in results)


def test_tables_that_a_search_reads_take_no_others(searching: Searcher) -> None:
    pieces = b""
    cells = bytes(count_cells(pieces) * CELL_SIZE)
    tables = Tables()
    tables.add(pieces, cells)
    searching.set_tables(tables)
    errors: list[str] = []

    def add(info: SearchInfo) -> None:
        if info.depth == 1:
            with pytest.raises(RuntimeError, match="a search reads the tables") as error:
                tables.add(pieces, cells)
            errors.append(str(error.value))

    searching.search(Board(), SearchLimits(depth=2), WXF.switches, add)
    assert errors
    tables.add(pieces, cells)
