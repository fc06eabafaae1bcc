"""Inputs of a network: the features agree with their slow twin, and with the symmetries."""

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import features as oracle
from tests.support.helpers import boards, played_fens, wild, wild_boards, wild_fens
from xiangqi import STARTING_FEN, Board
from xiangqi.core.network import KING_BUCKETS
from xiangqi.core.samples import SAMPLE_SIZE, SHAPE, features, fill_features

by_kings = st.sampled_from(sorted(KING_BUCKETS))


def pack(board: Board, score: int = 0) -> bytes:
    """A board as a sample."""
    setup = board.setup()
    occupancy = sum(1 << square for square, code in enumerate(setup.board) if code)
    codes = sum(code << 4 * place for place, code in enumerate(filter(None, setup.board)))
    return (
        occupancy.to_bytes(12, "little")
        + codes.to_bytes(16, "little")
        + bytes([setup.turn, 1])
        + score.to_bytes(2, "little", signed=True)
        + bytes(6)
    )


@pytest.mark.parametrize("kings", KING_BUCKETS)
def test_features_are_those_of_the_slow_twin(kings: str) -> None:
    for fen in played_fens(seed=3, games=6) + wild_fens(3, 400):
        assert features(Board(fen), kings) == oracle.features(fen, kings), fen


@given(wild, by_kings)
def test_features_are_in_range_and_one_for_each_piece(board: Board, kings: str) -> None:
    *lists, bucket = features(board, kings)
    for found in lists:
        assert len(set(found)) == len(found) == len(board.piece_map())
        assert all(0 <= feature < KING_BUCKETS[kings] * 1260 for feature in found)
    assert 0 <= bucket < SHAPE["output_buckets"]


@given(boards(), by_kings)
def test_a_mirror_image_has_the_same_features(board: Board, kings: str) -> None:
    own, other, bucket = features(board, kings)
    mirrored = features(board.mirror(), kings)
    assert (sorted(mirrored[0]), sorted(mirrored[1])) == (sorted(own), sorted(other))
    assert mirrored[2] == bucket


@given(wild, by_kings)
def test_exchanged_sides_have_exchanged_features(board: Board, kings: str) -> None:
    own, other, bucket = features(board, kings)
    flipped = features(board.flip_colors(), kings)
    assert (sorted(flipped[0]), sorted(flipped[1])) == (sorted(own), sorted(other))
    assert flipped[2] == bucket


def test_the_start_has_all_pieces_and_the_last_bucket() -> None:
    own, other, bucket = features(Board(), "files")
    assert len(own) == 32
    assert sorted(own) == sorted(other)
    assert bucket == SHAPE["output_buckets"] - 1


@pytest.mark.parametrize("kings", KING_BUCKETS)
def test_samples_have_the_features_of_their_boards(kings: str) -> None:
    found = [*islice(wild_boards(random.Random(5)), 200), Board(STARTING_FEN)]
    lists, buckets = fill_features(b"".join(map(pack, found)), kings)
    assert lists.shape == (len(found), 2, SHAPE["max_features"])
    rows: list[list[list[int]]] = lists.tolist()  # type: ignore[assignment]
    for board, row, bucket in zip(found, rows, buckets, strict=True):
        own, other, expected = features(board, kings)
        padding = [-1] * (SHAPE["max_features"] - len(own))
        assert row == [own + padding, other + padding]
        assert bucket == expected


def test_numpy_takes_samples_and_features_as_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    found = list(islice(wild_boards(random.Random(6)), 50))
    array = numpy.frombuffer(b"".join(map(pack, found)), dtype=f"V{SAMPLE_SIZE}")
    lists, buckets = map(numpy.asarray, fill_features(array, "files"))
    assert (lists.dtype, buckets.dtype) == ("int16", "uint8")
    assert lists.tolist() == fill_features(array.tobytes(), "files")[0].tolist()
    assert ((lists >= 0).sum(axis=2) == [[len(board.piece_map())] * 2 for board in found]).all()


def damaged(place: int, value: int) -> bytes:
    """The start as a sample with another byte somewhere."""
    sample = bytearray(pack(Board()))
    sample[place] = value
    return bytes(sample)


@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(bytes(SAMPLE_SIZE), id="no pieces"),
        pytest.param(damaged(1, 0xFF), id="a piece too many"),
        pytest.param(damaged(12, 0x00), id="a piece of no kind"),
        pytest.param(damaged(12, 0x99), id="a king too many"),
        pytest.param(damaged(14, 0x22), id="a king too few"),
        pytest.param(damaged(28, 2), id="a third side"),
    ],
)
def test_impossible_samples_are_refused_by_number(sample: bytes) -> None:
    with pytest.raises(ValueError, match="sample 1 is no position"):
        fill_features(pack(Board()) + sample, "files")


@pytest.mark.parametrize("length", [0, 1, SAMPLE_SIZE - 1, SAMPLE_SIZE + 1])
def test_bytes_that_are_no_whole_samples_are_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"{length} bytes: expected one or more samples of"):
        fill_features(bytes(length), "files")


def test_king_buckets_that_nobody_has_are_refused() -> None:
    with pytest.raises(
        ValueError, match="no king buckets 'ranks': expected one of files, chariots"
    ):
        features(Board(), "ranks")
