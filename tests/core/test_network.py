"""The network: values by definition, accumulators that follow moves, kernels, and the search."""

import random
from array import array
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given

from tests.oracle import network as oracle
from tests.support.helpers import boards, played_fens, playout, wild, wild_fens
from tests.support.networks import (
    BUCKETS,
    LARGE,
    LARGEST,
    SHAPES,
    SMALL,
    inputs,
    largest_payload,
    make_network,
    random_network,
    random_payload,
    with_number,
)
from xiangqi import STARTING_FEN, Board, Move, Setup
from xiangqi.core.evaluator import evaluate_board, values_along
from xiangqi.core.network import Network, kernels, payload_size
from xiangqi.core.searcher import Searcher
from xiangqi.core.searches import SCORES, SearchLimits, SearchResult
from xiangqi.engine.bench import BENCH_RECORDS
from xiangqi.engine.network import Shape, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.pieces import BLACK, RED, ROOK
from xiangqi.referee.rules import WXF

INPUTS, HIDDEN = inputs(SMALL), SMALL.hidden


def padded(payload: bytes, factor: int) -> bytes:
    """A network of SMALL's shape with so many times the neurons, and all features twice."""
    biases = INPUTS * HIDDEN
    end = biases + (1 + 2 * BUCKETS) * HIDDEN
    numbers = array("h", payload[: 2 * end])
    rows = [numbers[at : at + HIDDEN] for at in range(0, end, HIDDEN)]
    wide = [row + array("h", (factor - 1) * HIDDEN * [0]) for row in rows]
    ordered = 2 * wide[:INPUTS] + wide[INPUTS:]
    return b"".join(row.tobytes() for row in ordered) + payload[2 * end :]


PADDED = make_network(padded(random_payload(1), 2), Shape(256, "chariots"))


@pytest.fixture(params=kernels())
def kernel(request: pytest.FixtureRequest) -> str:
    """Each kernel of this processor."""
    name: str = request.param
    return name


# Values


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(
    "make",
    [
        partial(random_payload, 1),
        partial(random_payload, 2),
        partial(largest_payload, 1),
        partial(largest_payload, -1),
    ],
    ids=["random", "another", "all large", "all small"],
)
@pytest.mark.long
def test_values_are_those_of_the_slow_twin(make: Any, shape: Shape, kernel: str) -> None:
    payload = make(shape)
    network = make_network(payload, shape, kernel)
    for fen in (STARTING_FEN, *wild_fens(4, 4), *played_fens(seed=4, games=1)[::40]):
        assert evaluate_board(Board(fen), network) == oracle.value(payload, fen, *shape), fen


@given(boards())
def test_mirror_image_and_exchanged_sides_have_the_same_value(board: Board) -> None:
    """From the side to move; so from Red's view exchanged sides have the negative."""
    for network in (random_network(), random_network(1, LARGE)):
        expected = evaluate_board(board, network)
        assert evaluate_board(board.mirror(), network) == expected
        assert evaluate_board(board.flip_colors(), network) == expected


@cache
def extreme_networks() -> list[Network]:
    return [
        make_network(make(shape), shape)
        for shape in (SMALL, LARGE)
        for make in (partial(random_payload, 1), *(partial(largest_payload, s) for s in (1, -1)))
    ]


@given(wild)
def test_a_value_stays_within_bounds(board: Board) -> None:
    for network in extreme_networks():
        assert abs(evaluate_board(board, network)) <= SCORES["value"]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_no_sum_overflows_with_the_largest_weights(shape: Shape) -> None:
    """All neurons are at their ceiling, or at 0; then only the output bias counts."""
    for sign in (1, -1):
        network = make_network(largest_payload(sign, shape), shape)
        assert evaluate_board(Board(), network) == sign * SCORES["value"]


@given(boards())
def test_a_network_that_is_padded_says_the_same(board: Board) -> None:
    """Twice the neurons, those added at 0, and each king bucket four times."""
    assert evaluate_board(board, PADDED) == evaluate_board(board, random_network())


# Accumulators


FEW_PIECES = "3k5/9/9/4p4/9/9/9/2N6/9/5K2R w - - 0 1"
LONE_CHARIOTS = "3k5/5r3/6n2/2p1p4/4R4/4C4/4P1P2/9/9/4K4 w - - 0 1"


def game(seed: int, fen: str = STARTING_FEN) -> list[Move]:
    *_, board = playout(random.Random(seed), 110, fen)
    return board.move_stack


def values_from_scratch(
    start: Board, line: Sequence[Move | None], network: Network | None = None
) -> list[int]:
    """The values before and after each move; a pass, None, only changes the side to move."""
    network = network or random_network()
    board = start.copy()
    values = [evaluate_board(board, network)]
    has_passed = False
    for move in line:
        if move is None:
            has_passed = not has_passed
        else:
            board.push(move)
        setup = board.setup()
        seen = Board(Setup(setup.board, not setup.turn)) if has_passed else board
        values.append(evaluate_board(seen, network))
    return values


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("every", [1, 2, 5])
def test_followed_moves_give_the_value_from_scratch(seed: int, every: int, kernel: str) -> None:
    moves = game(seed)
    network = make_network(random_payload(1), kernel=kernel)
    forth, back = values_along(Board(), moves, network, every)
    expected = values_from_scratch(Board(), moves)[::every]
    assert forth == expected
    assert back == expected[::-1]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fen", [FEW_PIECES, LONE_CHARIOTS])
def test_kings_that_walk_and_lost_chariots_change_the_view(
    fen: str, seed: int, shape: Shape
) -> None:
    moves = game(seed, fen)
    network = random_network(1, shape)
    forth, back = values_along(Board(fen), moves, network)
    expected = values_from_scratch(Board(fen), moves, network)
    assert forth == expected
    assert back == expected[::-1]


def test_games_with_lone_chariots_lose_them() -> None:
    seen: set[tuple[bool, bool]] = set()
    for seed in range(8):
        board = Board(LONE_CHARIOTS)
        for move in game(seed, LONE_CHARIOTS):
            board.push(move)
            for color in (RED, BLACK):
                seen.add((color, bool(board.pieces(ROOK, color))))
    assert len(seen) == 4


def quiet_passes(board: Board, moves: list[Move], rng: random.Random) -> list[Move | None]:
    """Moves with pairs of passes between them, where nobody is in check."""
    board = board.copy()
    line: list[Move | None] = []
    for move in moves[:80]:
        if rng.random() < 0.2 and not board.is_check():
            line += [None, None]
        board.push(move)
        line.append(move)
    return line


@pytest.mark.parametrize("seed", range(6))
def test_passes_change_only_the_side_to_move(seed: int) -> None:
    line = quiet_passes(Board(), game(seed), random.Random(seed))
    forth, back = values_along(Board(), line, random_network())
    expected = values_from_scratch(Board(), line)
    assert forth == expected
    assert back == expected[::-1]


def test_a_line_that_is_too_long_to_follow_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 127 at most"):
        values_along(Board(), [None] * 128, random_network())


# Kernels


def test_the_portable_kernel_is_always_there() -> None:
    assert kernels()[0] == "portable"


def test_a_kernel_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no kernel 'abacus': expected one of portable"):
        make_network(random_payload(1), kernel="abacus")


# Weights


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=str)
def test_a_payload_of_another_size_is_refused(shape: Shape) -> None:
    right = payload_size(*shape)
    for size in (0, 1, right - 1, right + 1):
        with pytest.raises(ValueError, match=f"{size} bytes of weights, expected {right}"):
            make_network(bytes(size), shape)


def test_a_shape_that_no_network_has_is_refused() -> None:
    with pytest.raises(ValueError, match="129 neurons: expected one of 128, 256, 384, 512"):
        make_network(b"", Shape(129, "files"))
    with pytest.raises(
        ValueError, match="no king buckets 'ranks': expected one of files, chariots"
    ):
        make_network(b"", Shape(128, "ranks"))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("index", "most"),
    [
        (0, LARGEST[0]),
        (INPUTS * HIDDEN - 1, LARGEST[0]),
        (INPUTS * HIDDEN, LARGEST[1]),
        (INPUTS * HIDDEN + HIDDEN, LARGEST[2]),
        (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN - 1, LARGEST[2]),
    ],
)
def test_weights_that_might_overflow_are_refused(index: int, most: int, sign: int) -> None:
    make_network(with_number(random_payload(1), index, sign * most))
    with pytest.raises(ValueError, match=f"weight {index} is beyond {most}"):
        make_network(with_number(random_payload(1), index, sign * (most + 1)))


# The search


def search(searcher: Searcher, depth: int = 7) -> list[tuple[Move | None, int, int]]:
    """Results of a searcher in some positions, with tables cleared between them."""
    found: list[SearchResult] = []
    for record in BENCH_RECORDS[::3]:
        searcher.clear()
        found.append(searcher.search(record.play(), SearchLimits(depth=depth), WXF.switches))
    return [(result.best, result.score, result.nodes) for result in found]


def test_the_search_with_a_network_is_the_same_with_every_kernel() -> None:
    found = []
    for name in kernels():
        searcher = make_searcher(hash_mb=4)
        searcher.set_network(make_network(random_payload(1), kernel=name))
        found.append(search(searcher))
    assert found.count(found[0]) == len(found)
    assert found[0] != search(make_searcher(hash_mb=4))


def test_a_searcher_goes_back_to_its_first_network() -> None:
    searcher = make_searcher(hash_mb=4)
    searcher.set_network(random_network())
    search(searcher, depth=3)
    searcher.set_network(choose_network().weights)
    assert search(searcher, depth=5) == search(make_searcher(hash_mb=4), depth=5)


def test_threads_share_a_network() -> None:
    searcher = make_searcher(hash_mb=4)
    searcher.set_network(random_network())
    searcher.set_threads(3)
    assert searcher.network is random_network()
    result = searcher.search(Board(), SearchLimits(depth=8), WXF.switches)
    assert result.best in Board().list_moves()


def test_a_path_in_place_of_a_network_is_refused() -> None:
    with pytest.raises(TypeError):
        make_searcher(hash_mb=1).set_network("default.nnue")  # type: ignore[arg-type]
