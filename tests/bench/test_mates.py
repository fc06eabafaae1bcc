"""The bench's rows of mates."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import cast

import pytest

from bench.mating import MAX_MOVES, MIN_MOVES, Finder
from bench.peers import MEIHUA, Search, UciEngine
from bench.searching import MATES, mate_rows, read_mates
from train.game_files import SelfplayGame
from xiangqi import Board, Move
from xiangqi.games.record import GameRecord

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="CPU time of other processes")


class Scripted:
    """Finds the given mates."""

    def __init__(self, name: str, milliseconds: list[int], mates: list[int | None]) -> None:
        self.name = name
        self._answers = iter(zip(milliseconds, mates, strict=True))

    def search(self, record: GameRecord, *, mate: int, movetime_ms: int) -> Search:
        milliseconds, found = next(self._answers)
        return Search("a0a1", 1, 0.0, 0.0, found, milliseconds / 1000)


@needs_linux
def test_mates_are_summed_up_three_ways() -> None:
    ours = cast(UciEngine, Scripted("ours", [1, 10, 100, 4, 4, 4], [5, 6, 7, 5, 6, 7]))
    theirs = cast(UciEngine, Scripted("peer", [2, 20, 200, 8, 8, 8], [5, 7, None, 5, 6, -1]))
    rows, notes = mate_rows(2, {"one": 5, "two": 6, "three": 7}, ours, theirs)
    assert [row.ours.values for row in rows] == [
        pytest.approx((10, 4)),
        pytest.approx((10, 4)),
        pytest.approx((100, 4)),
    ]
    assert [row.ratio for row in rows] == [pytest.approx(2)] * 3
    assert notes == ["peer finds no mate in 6: two", "peer finds no mate in 7: three"]


@needs_linux
def test_an_engine_s_work_is_measured() -> None:
    with UciEngine(MEIHUA) as engine:
        found = engine.search(GameRecord("3k5/9/9/9/9/9/9/9/R8/1R2K4 w"), mate=2)
        assert 0 < found.cpu_seconds < 60
        longer = engine.search(GameRecord("3k5/9/9/9/9/9/9/9/R8/1R2K4 w"), depth=9)
        assert longer.nodes > found.nodes


def test_mates_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mates.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"fen": "one", "mate_in": 5}\n{"fen": "two", "mate_in": 6}\n'))
    assert read_mates(path) == {"one": 5, "two": 6}
    for line in ("{", "[]", '{"fen": "one"}', '{"fen": "one", "mate_in": "soon"}'):
        path = tmp_path / "mates.jsonl"
        path.write_text(f'{{"fen": "one", "mate_in": 5}}\n{line}\n', encoding="utf-8")
        with pytest.raises(ValueError, match=r"line 2: found .*expected an object"):
            read_mates(path)


def test_the_mates_are_sixty_of_as_many_games() -> None:
    rows = [json.loads(line) for line in MATES.read_text(encoding="utf-8").splitlines()]
    assert len({row["game"] for row in rows}) == len(read_mates(MATES)) == 60
    assert {row["mate_in"] for row in rows} == set(range(MIN_MOVES, MAX_MOVES + 1))
    assert all(Board(row["fen"]).outcome() is None for row in rows)


def test_the_longest_mate_of_a_game_s_end_is_taken() -> None:
    board = Board("9/5k3/9/4P3p/9/9/P3R4/4B4/3CK4/5r3 w")
    moves = [
        Move.from_iccs(word) for word in "e6e7 f8f9 e7e8 f0f2 e3d3 f2f1 d1f1 i6i5 d3f3".split()
    ]
    finder = Finder()
    won, drawn = (SelfplayGame(0, board.setup(), moves, (), points, 0) for points in (2, 1))
    assert finder.choose(won) == (board.fen(), 5)
    assert finder.choose(drawn) is None
    for move in moves[:2]:
        board.push(move)
    assert finder.choose(won._replace(start=board.setup(), moves=moves[2:])) is None
