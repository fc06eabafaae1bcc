"""The exchange evaluation against the oracle's exact value, and by hand."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import game
from tests.oracle.see import exchange_value
from tests.support.helpers import oracle_position, played_fens, wild, wild_fens
from tests.support.soak import SOAK
from xiangqi import Board, IllegalMoveError, Move, Piece
from xiangqi.core import testing
from xiangqi.pieces import PIECE_TYPES

VALUES = {"P": 100, "A": 190, "B": 200, "N": 430, "C": 470, "R": 950, "K": 20_000}


def test_values() -> None:
    """The values that the oracle is given here are the core's; all differ."""
    core = testing.exchange_values()
    assert {Piece(kind, True).symbol(): core[kind] for kind in PIECE_TYPES} == VALUES
    assert len(set(core)) == len(core)


def check_exchange(board: Board, position: game.Position, move: Move) -> int:
    """see_ge says yes up to the exact value and no above it. Returns that value."""
    value = exchange_value(position, move.iccs(), VALUES)
    for threshold in (-30_000, value - 1, value, value + 1, 30_000):
        found = board.see_ge(move, threshold)
        assert found == (threshold <= value), (board.fen(), move, threshold, value)
    assert board.see_ge(move) == (value >= 0)
    return value


@pytest.mark.long
@pytest.mark.parametrize("stage", ["captures", "quiets"])
def test_exchanges_in_games(stage: str) -> None:
    """All captures, and some quiet moves to squares where they could be taken."""
    rng = random.Random(1)
    for fen in played_fens(seed=5, games=12)[:: 3 if SOAK else 9]:
        board, position = Board(fen), game.read_fen(fen)
        moves = board.list_moves("captures" if stage == "captures" else "quiets")
        for move in rng.sample(moves, min(len(moves), 6)):
            check_exchange(board, position, move)


@pytest.mark.long
def test_exchanges_in_wild_positions() -> None:
    """Crowds around the kings: long series, and kings that take part."""
    values = []
    for fen in wild_fens(seed=5, count=1500):
        board, position = Board(fen), game.read_fen(fen)
        moves = board.list_moves("captures") + board.list_moves("quiets")[::10]
        values += [check_exchange(board, position, move) for move in moves]
    assert len(values) > 3000
    # Else the sample would prove little: wins, losses, even trades, and recaptures that count.
    assert min(values) <= -950
    assert max(values) == 950
    assert 0 in values
    assert len(set(values)) > 40


@given(wild, st.integers(-1000, 1000))
def test_any_threshold(board: Board, threshold: int) -> None:
    position = oracle_position(board)
    for move in board.list_moves("captures"):
        value = exchange_value(position, move.iccs(), VALUES)
        assert board.see_ge(move, threshold) == (value >= threshold), (board.fen(), move)


@pytest.mark.parametrize(
    ("what", "fen", "move", "value"),
    [
        ("nothing takes back", "5k3/9/9/9/p8/9/9/9/9/R2K5 w", "a0a5", 100),
        ("a quiet move where nothing can take", "5k3/9/9/9/9/9/9/9/9/R2K5 w", "a0a5", 0),
        ("a quiet move where a chariot is taken", "5k3/9/9/9/8r/9/9/9/9/R2K5 w", "a0a5", -950),
        ("a chariot for a soldier", "r4k3/9/9/9/p8/9/9/9/9/R2K5 w", "a0a5", 100 - 950),
        ("a chariot for a chariot", "r4k3/9/9/9/r8/9/9/9/9/R2K5 w", "a0a5", 950 - 950),
        (
            "a second chariot behind the first: Black does not take back",
            *("r4k3/9/9/9/n8/9/9/9/R8/R2K5 w", "a1a5", 430),
        ),
        (
            "a soldier takes back, although it is lost as well",
            *("5k3/9/9/p8/n8/9/9/9/R8/R2K5 w", "a1a5", 430 - 950 + 100),
        ),
        (
            "the taker was the mount of the cannon behind it",
            *("r4k3/9/9/9/p8/9/9/R8/9/C2K5 w", "a2a5", 100 - 950),
        ),
        (
            "the cannon takes first and the chariot stands behind it",
            *("r4k3/9/9/9/p8/9/9/R8/9/C2K5 w", "a0a5", 100),
        ),
        (
            "the soldier that takes back was the mount of its cannon",
            *("4ck3/9/9/4p4/R3n4/9/9/9/4R4/3K5 w", "a5e5", 430 - 950 + 100),
        ),
        (
            "there is another mount behind it",
            *("4ck3/4n4/9/4p4/R3n4/9/9/9/4R4/3K5 w", "a5e5", 430 - 950),
        ),
        (
            "the taker frees the leg of the horse that takes back",
            *("3k5/9/9/9/9/9/9/3p5/4An3/4K4 w", "e1d2", 100 - 190),
        ),
        (
            "a horse further off does not reach",
            *("3k5/9/9/9/9/9/9/3p2n2/4A4/4K4 w", "e1d2", 100),
        ),
        (
            "an elephant protects over its free eye",
            *("5k3/9/4b4/9/6p2/9/9/9/9/3K2R2 w", "g0g5", 100 - 950),
        ),
        (
            "not over a blocked one",
            *("5k3/9/4b4/5n3/6p2/9/9/9/9/3K2R2 w", "g0g5", 100),
        ),
        (
            "of horse and chariot the horse takes back: a soldier is left of the horse",
            *("5k3/9/6n2/r3p4/4P4/3N5/9/9/9/3K5 w", "d4e6", 100 - 430 + 430 - 100),
        ),
        ("the king takes back", "9/4k4/4c4/4R4/9/9/9/9/9/3K5 w", "e6e7", 470 - 950),
        (
            "it does not where it would be taken",
            *("9/4k4/4c4/4R4/9/9/9/9/4R4/3K5 w", "e6e7", 470),
        ),
        ("a king takes", "5k3/9/9/9/9/9/9/9/3n5/3K5 w", "d0d1", 430),
        (
            "a pinned chariot protects all the same: pins are not looked at",
            *("4k4/n3r4/9/9/9/9/9/9/4R4/R2K5 w", "a0a8", 430 - 950),
        ),
    ],
)
def test_exchange_by_hand(what: str, fen: str, move: str, value: int) -> None:
    board = Board(fen)
    played = board.parse_iccs(move)
    assert board.see_ge(played, value), what
    assert not board.see_ge(played, value + 1), what


def test_thresholds_beyond_all_values() -> None:
    """Any exchange is worth the lowest number there is, and none the highest."""
    board = Board()
    for move in board.legal_moves:
        assert board.see_ge(move, -(2**31))
        assert not board.see_ge(move, 2**31 - 1)


def test_only_legal_moves_are_weighed() -> None:
    with pytest.raises(IllegalMoveError, match="cannot reach"):
        Board().see_ge(Move.from_iccs("a0a5"))
