"""The evaluation: its symmetries, its trace, its state over moves, and what it must know."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given

from tests.support.helpers import boards, played_fens, playout, wild, wild_fens
from xiangqi import (
    ADVISOR,
    BISHOP,
    CANNON,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    STARTING_FEN,
    Board,
    Piece,
    Setup,
)
from xiangqi.core.evaluator import (
    GROUP_STARTS,
    LIMITS,
    WEIGHT_COUNT,
    Terms,
    evaluate_board,
    trace_board,
    values_along,
)
from xiangqi.engine import weights
from xiangqi.engine.weights import GROUPS, NAMES, dump, flatten, in_order, make_terms
from xiangqi.pieces import square_flip, square_mirror

# Both sides have all advisors and elephants, and a soldier between the kings.
GUARDED = "2bakab2/9/9/4p4/9/9/4P4/9/9/2BAKAB2 w"


def positions() -> list[Board]:
    """Positions of random games, and wild ones."""
    return [Board(fen) for fen in (*played_fens(seed=9, games=6)[::3], *wild_fens(9, 300))]


def turned_over(board: Board) -> Board:
    """Colours exchanged and the board turned over; the other side is to move."""
    setup = board.setup()
    pieces = {
        square_flip(square): Piece(piece.piece_type, not piece.color)
        for square, piece in setup.piece_map().items()
    }
    return Board(Setup.from_piece_map(pieces, turn=not setup.turn))


def mirrored(board: Board) -> Board:
    """Left and right exchanged."""
    setup = board.setup()
    pieces = {square_mirror(square): piece for square, piece in setup.piece_map().items()}
    return Board(Setup.from_piece_map(pieces, turn=setup.turn))


def value_of(board: Board) -> int:
    """By the terms alone."""
    return evaluate_board(board, make_terms())


def value(fen: str) -> int:
    return value_of(Board(fen))


def with_piece(fen: str, symbol: str, square: int) -> str:
    """The position with one more piece on a free square."""
    setup = Board(fen).setup()
    pieces = {**setup.piece_map(), square: Piece.from_symbol(symbol)}
    assert len(pieces) == len(setup.piece_map()) + 1
    return Board(Setup.from_piece_map(pieces, turn=setup.turn)).fen()


# Symmetry


@pytest.mark.parametrize("change", [turned_over, mirrored])
def test_symmetry(change: Callable[[Board], Board]) -> None:
    for board in positions():
        assert value_of(change(board)) == value_of(board), board.fen()


@given(boards())
def test_symmetry_in_games(board: Board) -> None:
    expected = value_of(board)
    assert value_of(turned_over(board)) == expected
    assert value_of(mirrored(board)) == expected


# Exactness


def traced_value(board: Board) -> int:
    """The value by the trace and the weights, as the tuner computes it."""
    phase, scale, coefficients = trace_board(board, make_terms())
    weights = flatten()
    middle_game = sum(count * weights[index][0] for index, count in coefficients)
    end_game = sum(count * weights[index][1] for index, count in coefficients)
    both = middle_game * phase + end_game * (LIMITS["phase"] - phase)
    value = abs(both) // LIMITS["phase"] * scale // LIMITS["scale"]
    return value if both > 0 else -value


def test_trace_makes_the_value() -> None:
    for board in positions():
        assert traced_value(board) == value_of(board), board.fen()


@given(wild)
def test_trace_in_wild_positions(board: Board) -> None:
    assert traced_value(board) == value_of(board)


def test_state_follows_moves() -> None:
    """Kept from move to move, and after taking moves back, it gives the value from scratch."""
    for seed in range(6):
        *_, board = playout(random.Random(seed), 120)
        played, unplayed = values_along(Board(), board.move_stack, make_terms())
        expected = [value_of(step) for step in replay(board)]
        assert played == expected
        assert unplayed == expected[::-1]


def replay(board: Board) -> Iterator[Board]:
    """The positions of a game from its start."""
    again = Board()
    yield again
    for move in board.move_stack:
        again.push(move)
        yield again


def test_bounds() -> None:
    for board in positions():
        assert abs(value_of(board)) <= LIMITS["value"] < 20_000


# Knowledge


def test_order_of_pieces() -> None:
    """A chariot is worth more than a cannon, and so on; all are worth something."""
    added = [value(with_piece(GUARDED, symbol, 4 * 9 + 2)) for symbol in "RCNP"]
    start = value(GUARDED)
    assert added[0] > added[1] > added[3] > start
    assert added[0] > added[2] > added[3] > start
    material = flatten()[GROUP_STARTS["material"] :]
    for phase in (0, 1):
        worth = {kind: material[kind - 1][phase] for kind in (ADVISOR, BISHOP, PAWN)}
        major = {kind: material[kind - 1][phase] for kind in (ROOK, KNIGHT, CANNON)}
        assert min(worth.values()) > 0
        assert major[ROOK] > max(major[KNIGHT], major[CANNON])
        assert min(major.values()) > max(worth.values())


def test_a_crossed_soldier_is_worth_more() -> None:
    home = value(with_piece(GUARDED, "P", 3 * 9 + 2))
    crossed = value(with_piece(GUARDED, "P", 6 * 9 + 2))
    assert crossed >= home


def test_tempo() -> None:
    """The start is symmetric: what is left is the right to move."""
    tempo = flatten()[GROUP_STARTS["tempo"]][0]
    assert value(STARTING_FEN) == tempo > 0


@pytest.mark.parametrize(
    ("what", "fen"),
    [
        ("nobody can cross the river", "4k4/9/9/9/9/9/9/4B4/4A4/3AK1B2 w"),
        ("a chariot against all guards", "2bak1b2/4a4/9/9/9/9/9/9/R8/3K5 w"),
        ("a horse against two advisors", "3ak4/4a4/9/9/9/2N6/9/9/9/3K5 w"),
        ("a horse against two elephants", "2b1k1b2/9/9/9/9/2N6/9/9/9/3K5 w"),
        ("a cannon without a mount", "4k4/9/9/9/9/2C6/9/9/9/3K5 w"),
        ("a soldier against two guards", "3ak4/4a4/9/9/2P6/9/9/9/9/3K5 w"),
    ],
)
def test_endings_nobody_wins(what: str, fen: str) -> None:
    board = Board(fen)
    assert abs(value_of(board)) <= 60, what
    assert abs(value_of(turned_over(board))) <= 60, what


@pytest.mark.parametrize(
    ("what", "fen"),
    [
        ("a horse against an elephant", "4k4/9/4b4/9/9/2N6/9/9/9/3K5 w"),
        ("a soldier against an advisor", "3ak4/9/9/9/2P6/9/9/9/9/3K5 w"),
    ],
)
def test_endings_hard_to_win(what: str, fen: str) -> None:
    assert 0 < value(fen) < 150, what


def test_endings_that_are_won_keep_their_value() -> None:
    assert value("4k4/4a4/9/9/9/9/9/9/R8/3K5 w") > 500
    assert value("4k4/9/9/9/9/2N6/9/9/9/3K5 w") > 200


@pytest.mark.parametrize(
    ("what", "better", "worse"),
    [
        (
            "a bare cannon looks at the king",
            "2bakab2/9/9/9/9/4C4/9/9/9/3K3R1 w",
            "2bakab2/9/9/9/9/3C5/9/9/9/3K3R1 w",
        ),
        (
            "the soldier before the horse has advanced, or stands on its leg",
            "2bakab2/9/9/9/9/2P6/9/2N6/9/3K5 w",
            "2bakab2/9/9/9/9/9/2P6/2N6/9/3K5 w",
        ),
        (
            "the soldier does not attack the horse, or does",
            "2bakab2/9/9/4p4/6N2/9/9/9/9/3K5 b",
            "2bakab2/9/9/6p2/6N2/9/9/9/9/3K5 b",
        ),
    ],
)
def test_preferences(what: str, better: str, worse: str) -> None:
    red = [value_of(board) * (1 if board.turn else -1) for board in map(Board, (better, worse))]
    assert red[0] > red[1], what


# Weights


def test_groups_are_those_of_the_core() -> None:
    place = 0
    for group in in_order():
        assert GROUP_STARTS[group.name] == place, group.name
        place += len(group.weights())
    assert {group.name for group in GROUPS} == set(GROUP_STARTS)
    assert place == WEIGHT_COUNT == len(NAMES) == len(set(NAMES))


def test_the_core_tells_the_order_of_the_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    before = flatten(), dump(flatten())
    monkeypatch.setattr(weights, "GROUPS", GROUPS[::-1])
    assert (flatten(), dump(flatten())) == before


def test_dump_prints_what_it_read() -> None:
    with open(weights.__file__, encoding="utf-8") as file:
        assert dump(flatten()) in file.read()
    with pytest.raises(ValueError, match="weights, expected"):
        dump(flatten()[1:])


def test_impossible_weights_are_refused() -> None:
    good = flatten()
    for bad in ([], good[1:], [*good, (0, 0)]):
        with pytest.raises(ValueError, match=f"expected {WEIGHT_COUNT}"):
            Terms(bad)
    with pytest.raises(ValueError, match="is beyond"):
        Terms([(LIMITS["weight"] + 1, 0), *good[1:]])
    with pytest.raises((TypeError, ValueError)):
        Terms([("x", 0), *good[1:]])  # type: ignore[list-item]


def test_weights_belong_to_who_evaluates() -> None:
    good = flatten()
    changed = list(good)
    changed[GROUP_STARTS["tempo"]] = (77, 77)
    assert evaluate_board(Board(), Terms(changed)) == 77
    assert value_of(Board()) != 77


def test_the_value_is_the_movers() -> None:
    """Red to move or Black to move: the value is the mover's."""
    ahead = with_piece(GUARDED, "R", 0)
    setup = Board(ahead).setup()
    assert setup.turn == RED
    assert value_of(Board(setup)) > 0
    assert value_of(Board(Setup(setup.board, not setup.turn))) < 0
