"""Perft against counts that other programs have found."""

import json
from pathlib import Path
from typing import Any

import pytest

from xiangqi import STARTING_FEN, Board

COUNTS = json.loads((Path(__file__).parents[1] / "data").joinpath("perft.json").read_text())


def name_count(count: dict[str, Any]) -> str:
    return f"{count['fen'].split()[0]}-{count['depth']}"


@pytest.mark.parametrize("count", COUNTS, ids=name_count)
def test_perft(count: dict[str, Any]) -> None:
    """The number of move sequences, with the count behind each move where it differs."""
    board = Board(count["fen"])
    nodes = board.perft(count["depth"])
    if nodes != count["nodes"]:
        divided = sorted((move.iccs(), n) for move, n in board.divide(count["depth"]).items())
        lines = "\n".join(f"{move}: {n}" for move, n in divided)
        pytest.fail(
            f"perft({count['depth']}) of {count['fen']} is {nodes}, "
            f"{count['source']} has {count['nodes']}\n{lines}"
        )


def test_the_counts_are_all_there() -> None:
    """A file read wrongly must not pass for a test: the start to depth 5, and 132 others."""
    starts = {count["depth"]: count["nodes"] for count in COUNTS if count["fen"] == STARTING_FEN}
    assert starts == {1: 44, 2: 1920, 3: 79_666, 4: 3_290_240, 5: 133_312_995}
    assert len({count["fen"] for count in COUNTS}) == 133


def test_perft_of_nothing() -> None:
    """There is one way to play no move, and none to play on after mate."""
    assert Board().perft(0) == 1
    mated = Board("R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1")
    assert mated.is_checkmate()
    assert (mated.perft(0), mated.perft(1), mated.perft(2)) == (1, 0, 0)


@pytest.mark.parametrize("count", [c for c in COUNTS if c["nodes"] < 100_000], ids=name_count)
def test_perft_that_makes_the_last_moves_too(count: dict[str, Any]) -> None:
    """Every leaf made and unmade: the same number, and the same position at the end."""
    board = Board(count["fen"])
    assert board.perft(count["depth"], bulk=False) == count["nodes"]
    assert board == Board(count["fen"])


def test_divide_adds_up_to_perft() -> None:
    """For each legal move one count, and nothing lost or counted twice."""
    board = Board("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1")
    for depth in (1, 2, 3):
        counts = board.divide(depth)
        assert set(counts) == set(board.legal_moves)
        assert sum(counts.values()) == board.perft(depth)


def test_divide_names_the_count_behind_each_move() -> None:
    """Behind every move stands the perft of the position that it leads to."""
    board = Board()
    for move, nodes in board.divide(3).items():
        board.push(move)
        assert nodes == board.perft(2)
        board.pop()


def test_divide_tells_each_count_as_soon_as_it_is_known() -> None:
    board = Board()
    counts = board.iter_divide(3)
    move, nodes = next(counts)
    assert (move, nodes) == next(iter(board.divide(3).items()))
    assert board == Board(), "the board is left as it was meanwhile"
    assert {move: nodes, **dict(counts)} == board.divide(3)


@pytest.mark.parametrize("depth", [0, -1])
def test_divide_refuses_depth_without_a_move(depth: int) -> None:
    with pytest.raises(ValueError, match="expected 1 or more"):
        Board().divide(depth)


@pytest.mark.parametrize("depth", [-1, -(2**31), 31, 10**6])
def test_perft_refuses_depths_that_make_no_sense(depth: int) -> None:
    with pytest.raises(ValueError, match=f"invalid depth {depth}: expected 0 to 30"):
        Board().perft(depth)
