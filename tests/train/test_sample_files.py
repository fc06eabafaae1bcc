"""Files of samples: what is written is read again, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.support.helpers import played_fens
from train.game_files import SampleError
from train.sample_files import (
    FIELDS,
    SAMPLE_SIZE,
    SAMPLES,
    Sample,
    continue_samples,
    read_samples,
    shuffle_samples,
    write_samples,
)
from xiangqi import Board
from xiangqi.core.samples import SAMPLE_SIZE as SIZE_IN_THE_CORE
from xiangqi.core.samples import fill_features

FACTS = {"nodes": 100, "rules": {"name": "wxf"}, "seed": 7}


def make_samples(game: int, count: int = 5) -> list[Sample]:
    fens = played_fens(game, 1, 80)[-count:]
    return [
        Sample(Board(fen).setup(), game % 3, 10 * ply - 25, ply, game)
        for ply, fen in enumerate(fens)
    ]


def same(found: Sample, written: Sample) -> bool:
    """All but the counters of the setup, which are not kept."""
    there = found.setup.board, found.setup.turn, *found[1:]
    return there == (written.setup.board, written.setup.turn, *written[1:])


def write(path: Path, games: int) -> list[Sample]:
    written = [sample for game in range(games) for sample in make_samples(game)]
    assert write_samples(path, FACTS, written) == len(written)
    return written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.samples"


def test_written_samples_are_read_back(path: Path) -> None:
    written = write(path, 4)
    found = list(read_samples(path))
    assert len(found) == len(written) == 20
    assert all(map(same, found, written))
    assert SAMPLES.read(path)[0] == FACTS


def test_numpy_reads_the_same(path: Path) -> None:
    written = write(path, 3)
    kind = np.dtype([(name, *rest) for name, *rest in FIELDS])
    assert kind.itemsize == SAMPLE_SIZE == SIZE_IN_THE_CORE
    records = np.fromfile(path, kind, offset=SAMPLES.read(path)[1])
    for record, sample in zip(records, written, strict=True):
        squares = np.flatnonzero(np.unpackbits(record["occupancy"], bitorder="little"))
        halves = np.stack([record["pieces"] & 15, record["pieces"] >> 4], axis=1).ravel()
        assert dict(zip(squares.tolist(), halves.tolist(), strict=False)) == {
            square: piece.code for square, piece in sample.setup.piece_map().items()
        }
        for name in ("turn", "result", "score", "ply", "game"):
            value = sample.setup.turn if name == "turn" else getattr(sample, name)
            assert record[name] == value


def test_the_core_finds_the_features_of_samples() -> None:
    samples = make_samples(1)
    indices, _ = fill_features(b"".join(sample.pack() for sample in samples), "files")
    counts = (np.asarray(indices) >= 0).sum(axis=2)
    pieces = [len(sample.setup.piece_map()) for sample in samples]
    assert counts.tolist() == [[count, count] for count in pieces]


def test_incomplete_last_sample_is_skipped(path: Path) -> None:
    write(path, 2)
    path.write_bytes(path.read_bytes()[:-5])
    assert len(list(read_samples(path))) == 9


def test_file_appears_when_complete(path: Path) -> None:
    def failing() -> Iterator[Sample]:
        yield from make_samples(1)
        raise KeyboardInterrupt

    write(path, 1)
    before = path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write_samples(path, FACTS, failing())
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def interrupted(samples: list[Sample]) -> Iterator[Sample]:
    yield from samples
    raise KeyboardInterrupt


@pytest.mark.parametrize("written", [0, 3, 5, 12])
@pytest.mark.parametrize("cut", [0, 7])
def test_an_interrupted_file_is_continued_at_its_last_game(
    path: Path, written: int, cut: int
) -> None:
    whole = [sample for game in range(3) for sample in make_samples(game)]
    with pytest.raises(KeyboardInterrupt):
        continue_samples(path, FACTS, lambda _: interrupted(whole[:written]))
    part = path.with_name("some.samples.part")
    assert list(path.parent.iterdir()) == [part]
    if written:
        part.write_bytes(part.read_bytes()[: -cut or None])
    begun = []

    def rest(begin: int) -> Iterator[Sample]:
        begun.append(begin)
        return (sample for sample in whole if sample.game >= begin)

    assert continue_samples(path, FACTS, rest) == len(whole)
    assert begun == [max(0, written - bool(cut) - 1) // 5]
    found = path.read_bytes()
    assert list(path.parent.iterdir()) == [path]
    write_samples(path, FACTS, whole)
    assert path.read_bytes() == found


def test_a_file_made_with_other_settings_is_not_continued(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        continue_samples(path, FACTS, lambda _: interrupted(make_samples(0)))
    part = path.with_name("some.samples.part")
    before = part.read_bytes()
    with pytest.raises(SampleError, match=r"some\.samples\.part: nodes was 100 and is 200"):
        continue_samples(path, {**FACTS, "nodes": 200}, lambda _: [])
    assert part.read_bytes() == before
    assert not path.exists()


def test_a_shuffled_file_holds_the_same_in_another_order(path: Path) -> None:
    written = [sample.pack() for sample in write(path, 6)]
    with path.open("ab") as file:
        file.write(b"the beginning of another")
    shuffle_samples(path, 4)
    found = [sample.pack() for sample in read_samples(path)]
    assert found != written
    assert sorted(found) == sorted(written)
    assert SAMPLES.read(path)[0] == {**FACTS, "shuffled": 4}
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "begins with b'', expected b'MEIHUADT'"),
        (b"MEIHUANN" + bytes(100), "begins with b'MEIHUANN'"),
        (b"MEIHUADT\1\0", "begins with b'MEIHUADT', expected"),
        (b"MEIHUADT\2\0\0\0\2\0\0\0{}", "version 2, expected 1"),
        (b"MEIHUADT\1\0\0\0\2\0\0\0{]", "expected JSON"),
        (b"MEIHUADT\1\0\0\0\2\0\0\0\xff\xff", "expected JSON"),
        (b"MEIHUADT\1\0\0\0\3\0\0\0{}", "expected an object of 3 bytes"),
        (b"MEIHUADT\1\0\0\0\2\0\0\0[]", "expected an object of 2 bytes"),
        (b"MEIHUADT\1\0\0\0\xff\xff\xff\xff{}", "expected an object of 4294967295 bytes"),
    ],
)
def test_other_files_are_refused(path: Path, content: bytes, message: str) -> None:
    path.write_bytes(content)
    with pytest.raises(SampleError) as caught:
        list(read_samples(path))
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [(12, 0x88, "holds 8"), (28, 2, "side to move is 2"), (29, 3, "result is 3")],
)
def test_a_sample_that_cannot_be_one_is_refused(
    path: Path, offset: int, value: int, message: str
) -> None:
    write(path, 1)
    content = bytearray(path.read_bytes())
    start = SAMPLES.read(path)[1] + SAMPLE_SIZE
    content[start + offset] = value
    path.write_bytes(content)
    with pytest.raises(SampleError, match=rf"sample at byte {start}: .*{message}"):
        list(read_samples(path))
