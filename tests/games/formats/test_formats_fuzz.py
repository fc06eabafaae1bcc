"""Damaged files of every format: nothing crashes, nothing hangs, all errors are the package's."""

from __future__ import annotations

import gzip
import io
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from random import Random

import pytest

from tests.support.format_encoders import (
    Ply,
    XqfKeys,
    encode_cbl,
    encode_cbr,
    encode_che,
    encode_pfc,
    encode_xqf,
    line,
)
from tests.support.game_trees import random_game
from tests.support.soak import SOAK
from xiangqi.games.formats import FORMATS, WriteOptions, read_games
from xiangqi.games.tree import Game, GameError
from xiangqi.ground.errors import FormatError
from xiangqi.pieces.fen import STARTING_FEN

SECONDS = 5
"""More than any of these files may take."""
SEEDS = range(12 if SOAK else 3)
INPUTS = 25
"""Damaged files for each seed and sample."""

_PLIES = [
    Ply("h2e2", "当头炮", [Ply("h9g7", "", line("h0g2", "i9h9")), Ply("b9c7", "对", line("b0c2"))]),
    Ply("b2e2", "", line("b9c7")),
]
_KEYS = XqfKeys(0x5A, (1, 0xF2, 0x83, 0x44), (17, 35, 201, 3))
_BINARY = {
    "xqf 1.0": encode_xqf(_PLIES, fields={"red": "胡荣华"}, comment="开局"),
    "xqf 1.1": encode_xqf(_PLIES, version=11, keys=_KEYS, fields={"red": "胡荣华"}),
    "xqf 1.8": encode_xqf(_PLIES, version=18, keys=_KEYS, comment="开局"),
    "cbr 1": encode_cbr(_PLIES, version=1, fields={"red": "胡荣华"}, comment="开局"),
    "cbr 2": encode_cbr(_PLIES, fields={"red": "胡荣华"}, comment="开局"),
    "cbl": encode_cbl([encode_cbr(_PLIES), encode_cbr(_PLIES, comment="长" * 3000)], name="库"),
}
_BINARY |= {
    "cbf": (
        "<?xml version='1.0'?><ChineseChessRecord><Head><Red>胡荣华</Red></Head><MoveList>"
        "<Move value='00-00'/><Move value='77-47'/><Move value='70-62' end='1'/></MoveList>"
        "</ChineseChessRecord>"
    ).encode(),
    "pfc": encode_pfc(_PLIES, fields={"red": "胡荣华"}, comment="开局").encode(),
    "che": encode_che(["h2e2", "h9g7", "h0g2", "i9h9"]).encode(),
    "json": json.dumps([{"red": "胡荣华", "moves": ["h2e2"]}, {"moves": []}], indent=1).encode(),
    "text": (
        "第一局 许甲 先胜 吕乙\n1. 炮二平五 马8进7\n好棋\n2. 马二进三 车9平8\n红胜\n"
        "红方：甲　黑方：乙\n1. 兵七进一（好） 卒7进1\n和棋\n"
    ).encode(),
    "epd": f'# list\n{STARTING_FEN} id "a"; bm h2e2;\n{STARTING_FEN} moves h2e2\n'.encode(),
}
SAMPLES = [*_BINARY, *(name for name, known in FORMATS.items() if known.can_write), "gzip"]


@lru_cache
def sample(name: str) -> bytes:
    """A sound file; of a format that is written, one with games that have everything."""
    if name in _BINARY:
        return _BINARY[name]
    if name == "gzip":
        return gzip.compress(_BINARY["xqf 1.0"])
    known = FORMATS[name]
    games = [random_game(seed, most=20) for seed in range(1 if known.single else 3)]
    out = io.BytesIO()
    known.write(games, out, WriteOptions(lossy=True))
    return out.getvalue()


@contextmanager
def time_limit(what: str) -> Iterator[None]:
    """Fail if it takes too much processor time, even if it would never end."""

    def give_up(*_: object) -> None:
        pytest.fail(f"more than {SECONDS} s of a processor for {what}")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def damaged(data: bytes, rng: Random) -> bytes:
    """The file with some places cut out, doubled, replaced or exchanged, or cut off."""
    work = bytearray(data)
    # Most of a binary file is header: half of the damage is done near the end.
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        low = 0 if rng.random() < 0.5 else max(0, len(work) - 400)
        start = rng.randint(low, len(work))
        end = min(len(work), start + rng.choice((1, 1, 2, 4, 30)))
        change = rng.randrange(7)
        if change == 0:
            del work[start:end]
        elif change == 1:
            work[start:end] = work[start:end] * rng.choice((2, 3, 50))
        elif change == 2:
            work[start:end] = rng.randbytes(end - start)
        elif change == 3:
            work[start:end] = bytes([rng.choice((0, 0x7F, 0x80, 0xFF))]) * (end - start)
        elif change == 4:
            work[start:start] = rng.choice(
                (b"[", b"]", b"(", b"{", b"}", b'"', b"\n", b"\\u", b"9")
            )
        elif change == 5 and start < len(work):
            work[start] ^= 1 << rng.randrange(8)
        elif rng.random() < 0.3:
            del work[start:]
    return bytes(work)


def use(data: bytes, format: str | None = None) -> list[Game]:
    """Read a file, look at all that is there, and write it in every format."""
    games: list[Game] = []
    with suppress(FormatError):
        for game in read_games(io.BytesIO(data), format, "fuzzed"):
            check(game)
            games.append(game)
    return games


def check(game: Game) -> None:
    for error in game.errors:
        assert isinstance(error, GameError)
        assert str(error).startswith(f"fuzzed:{error.game}:")
        assert "\n" not in str(error)
        assert len(str(error)) < 9000  # all problems of a position at once
        assert error.reason
    if game.root.variations:
        game.board()  # the main line is legal
    for known in FORMATS.values():
        if known.can_write:
            with suppress(FormatError):
                known.write([game], io.BytesIO())


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_sound(name: str) -> None:
    games = use(sample(name))
    assert games
    assert not any(game.errors for game in games)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files(name: str, seed: int) -> None:
    rng = Random(f"{name} {seed}")
    for number in range(INPUTS):
        data = damaged(sample(name), rng)
        with time_limit(f"{name}, seed {seed}, input {number}"):
            use(data)


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_off_anywhere(name: str) -> None:
    data = sample(name)
    for end in range(0, len(data), max(1, len(data) // (150 if SOAK else 50))):
        with time_limit(f"{name} cut off at {end}"):
            use(data[:end])


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_noise_in_a_format_that_was_asked_for(name: str) -> None:
    rng = Random(name)
    words = b"[](){};\"'\\/.,$%-+=0123456789abcdefghiRNBAKCP\n\t \xb5\xda\xe7\x82\xae"
    for number in range(150):
        size = rng.choice((0, 1, 10, 100, 3000))
        noise = rng.randbytes(size) if number % 2 else bytes(rng.choices(words, k=size))
        with time_limit(f"{name}: {noise[:80]!r}"):
            use(noise, name)


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("piece", [b"(", b"[", b"{", b"\\", b"[DhtmlXQ_", b"1. ", b"\x00", b"99"])
def test_the_same_over_and_over(name: str, piece: bytes) -> None:
    with time_limit(f"{name}: {piece!r} over and over"):
        use(piece * (100_000 // len(piece)), name)
