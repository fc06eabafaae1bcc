"""Files of CCBridge, endgame tables and self-play whose parts contradict each other.

    python -m tests.fuzz.binary_files --count 100000
    python -m tests.fuzz.binary_files --kind cbl

Each file is sound in most of its parts: lengths, marks, squares, counts, offsets and types are
changed one by one, so that readers get past their first checks. A file must be read or be refused
with a XiangqiError or SampleError, in less than a second of CPU time, and all files together within
a bounded memory. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from tests.fuzz.inputs import peak_memory
from tests.fuzz.run import limited, make_parser, report
from tests.support.format_encoders import Ply, encode_cbl, encode_cbr, encode_che, encode_pfc
from tests.support.game_trees import random_game, random_text
from train import sample_files as samples
from train.game_files import GAMES, FileKind, SampleError, SelfplayGame
from train.sample_files import SAMPLES, GameWriter, Sample
from xiangqi import STARTING_FEN, Board, XiangqiError, parse_fen
from xiangqi.core.tablebase import decode_cell
from xiangqi.games.formats import read_games
from xiangqi.games.tree import GameNode
from xiangqi.tables.classes import parse_class
from xiangqi.tables.files import PackedTable, pack_table

MAX_SECONDS: Final = 1.0
"""CPU time of one file."""
MAX_GROWTH_KB: Final = 256 * 1024
"""Growth of the process over all files."""
_GAMES: Final = 40
"""Games of which the files are made."""
_NUMBERS: Final = (0, 1, 2, 4, 7, 8, 89, 90, 127, 128, 255, 256, 4095, 65535, 2**31 - 1, 2**31, -1)
_VALUES: Final[tuple[Any, ...]] = (
    *_NUMBERS, 10**30, 1.5, float("inf"), True, None, "", "KvK", "KRRvK", "K" * 999, [], {},
    [1, [2]], {"a": {}}, [-5] * 3,
)  # fmt: skip


def number(rng: Random, size: int) -> bytes:
    """A number of ``size`` bytes at the edge of a range, or any."""
    value = rng.choice((*_NUMBERS, rng.getrandbits(8 * size)))
    return int(value % (1 << 8 * size)).to_bytes(size, "little")


def put(data: bytearray, place: int, new: bytes) -> None:
    """Overwrite bytes that are there."""
    end = min(len(data), place + len(new))
    data[place:end] = new[: end - place]


# CBR and CBL


def plies_of(node: GameNode) -> list[Ply]:
    """The tree after a node, for the encoder."""
    return [
        Ply(one.move.iccs(), one.comment, plies_of(one))
        for one in node.variations
        if one.move is not None
    ]


@cache
def record(version: int, seed: int) -> bytes:
    """A sound record with a tree of moves."""
    game = random_game(seed, most=30)
    fields = {name: random_text(Random(seed), 3) for name in ("title", "event", "red", "black")}
    plies, rows = plies_of(game.root), game.fen.split()[0]
    return encode_cbr(plies, version=version, fields=fields, rows=rows, comment=game.comment)


def nodes_of(tree: bytes) -> list[bytes]:
    """The moves of a sound tree, each with its comment."""
    nodes, place = [], 0
    while place < len(tree):
        size = 4
        if tree[place] & 4:
            size = 8 + int.from_bytes(tree[place + 4 : place + 8], "little")
        nodes.append(tree[place : place + size])
        place += size
    return nodes


def change_node(node: bytes, rng: Random) -> bytes:
    """A move with another mark, other squares, or a comment of another length."""
    work = bytearray(node)
    part = rng.randrange(4)
    if part == 0:
        work[0] = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 0xFF))
    elif part == 1:
        put(work, rng.choice((2, 3)), number(rng, 1))
    elif part == 2:
        put(work, 4, number(rng, 4))
    else:
        work += rng.randbytes(rng.choice((1, 3, 4, 100)))
    return bytes(work)


def change_list(items: list[bytes], rng: Random, change: Callable[[bytes, Random], bytes]) -> None:
    """Change, drop, repeat or exchange some items."""
    for _ in range(rng.choice((0, 1, 1, 2, 6))):
        if not items:
            return
        at, kind = rng.randrange(len(items)), rng.randrange(5)
        if kind < 2:
            items[at] = change(items[at], rng)
        elif kind == 2:
            del items[at]
        elif kind == 3:
            items[at:at] = [items[at]] * rng.choice((1, 2, 40, 300))
        else:
            other = rng.randrange(len(items))
            items[at], items[other] = items[other], items[at]


def cbr_file(rng: Random) -> bytes:
    """A record with a changed header, board or tree."""
    version = rng.choice((1, 2))
    start = {1: 1856, 2: 2112}[version]
    sound = record(version, rng.randrange(_GAMES))
    head, nodes = bytearray(sound[: start + 102]), nodes_of(sound[start + 102 :])
    change_list(nodes, rng, change_node)
    for _ in range(rng.choice((0, 1, 2))):
        place, size = rng.choice(
            ((19, 1), (start - 36, 1), (start, 1), (start + 4, 2), (52, 128), (628, 64))
        )
        put(head, place, rng.randbytes(size) if size > 2 else number(rng, size))
    for _ in range(rng.choice((0, 0, 1, 3, 90))):
        codes = (0, 1, 0x11, 0x17, 0x21, 0x27, 0x28, 0xFF)
        head[start + 8 + rng.randrange(90)] = rng.choice(codes)
    data = bytes(head) + b"".join(nodes)
    return data[: rng.randrange(len(data))] if rng.random() < 0.1 else data


def cbl_file(rng: Random) -> bytes:
    """A library with changed records, of another number than its header says, or displaced."""
    records = [cbr_file(rng) for _ in range(rng.choice((0, 1, 2, 5)))]
    data = bytearray(encode_cbl(records, name=random_text(rng, 3), slots=rng.choice((1, 128))))
    for _ in range(rng.choice((0, 1, 3))):
        place = rng.choice((0, 16, 60, 64, 576, 832, rng.randrange(len(data))))
        put(data, place, number(rng, 4))
    if rng.random() < 0.2:
        place = rng.randrange(len(data))
        data[place:place] = bytes(rng.choice((1, 15, 2048, 4095)))
    if rng.random() < 0.1:
        del data[rng.randrange(len(data)) :]
    return bytes(data)


# CBF


def cbf_file(rng: Random) -> bytes:
    """A record in XML with elements, attributes, moves and an encoding of any kind."""
    game = random_game(rng.randrange(_GAMES), most=20)
    moves = ["00-00"]
    for move in game.moves():
        (file, rank), (to_file, to_rank) = (
            (square % 9, 9 - square // 9) for square in (move.from_square, move.to_square)
        )
        moves.append(f"{file}{rank}-{to_file}{to_rank}")
    lines = [f"<Move value={quoteattr(move)}/>".encode() for move in moves]
    change_list(lines, rng, change_element)
    head = [
        f"<{name}>{escape(random_text(rng, 4))}</{name}>".encode("utf-8", "replace")
        for name in ("Name", "Red", "Black", "RecordResult", "Date")
    ]
    if rng.random() < 0.5:
        head.append(f"<FEN>{game.fen}</FEN>".encode())
    change_list(head, rng, change_element)
    parts = [b"<Head>", *head, b"</Head><MoveList>", *lines, b"</MoveList>"]
    if rng.random() < 0.1:
        rng.shuffle(parts)
    opening = rng.choice(
        (b"", b"<?xml version='1.0'?>", b"<?xml version='1.0' encoding='gb2312'?>",
         b"<!DOCTYPE a [<!ENTITY b '" + b"c" * 99 + b"'>]>", b"<!-- a -->")
    )  # fmt: skip
    data = opening + b"<ChineseChessRecord>" + b"".join(parts) + b"</ChineseChessRecord>"
    encoding = rng.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "gb18030", "utf-16"))
    return data.decode("utf-8", "replace").encode(encoding)


def change_element(element: bytes, rng: Random) -> bytes:
    """An element with another value, further attributes, within others, or unclosed."""
    text = element.decode()
    kind = rng.randrange(6)
    if kind == 0:
        new = rng.choice(("99-99", "00-00", "١٢-٣٤", "77-4", "", "-", "77-47" * 50))
        text = f"<Move value={quoteattr(new)} end={quoteattr(rng.choice(('1', '0', '')))}/>"
    elif kind == 1:
        text = text.replace("/>", f" {rng.choice(('end', 'value', 'x'))}='1'/>")
    elif kind == 2:
        depth = rng.choice((1, 9, 3000))
        text = "<Move>" * depth + text + "</Move>" * depth
    elif kind == 3:
        text = text.rstrip("/>")
    elif kind == 4:
        text = f"{text}&{rng.choice(('lt;', 'b;', '#0;', '#x1F600;', ''))}"
    else:
        text = f"<![CDATA[{text}]]>"
    return text.encode()


# PFC and CHE


def pfc_file(rng: Random) -> bytes:
    """A record with changed elements, or within a document of another kind."""
    game = random_game(rng.randrange(_GAMES), most=20)
    text = encode_pfc(plies_of(game.root), fen=game.fen, comment=game.comment)
    root, *parts = (part.encode() for part in text.split("<")[2:])
    change_list(parts, rng, change_tag)
    opening = rng.choice((b"<?xml version='1.0'?>", b"<!DOCTYPE n [<!ENTITY b 'c'>]>", b""))
    return opening + b"<".join([b"", root, *parts])


def change_tag(tag: bytes, rng: Random) -> bytes:
    """A tag with another name or value, without an end, or nested."""
    old, new = rng.choice(
        ((b"n ", b"m "), (b"/>", b">"), (b"/n>", b""), (b'm="', b'm="x'), (b'"', b""),
         (b'c="', b'm="'), (b'c="', b'c="&b;\0'), (b">", b">" + b"<n>" * 20_000))
    )  # fmt: skip
    return tag.replace(old, new, 1)


def che_file(rng: Random) -> bytes:
    """A record of numbers, some changed, dropped or repeated."""
    moves = [move.iccs() for move in random_game(rng.randrange(_GAMES), most=20).moves()]
    words = encode_che(moves).encode().split()
    change_list(words, rng, lambda _, random: b"%d" % random.choice((-1, 0, 9, 32, 10**30)))
    return b" ".join(words)


# Endgame tables


def table_file(rng: Random) -> bytes:
    """A table with any cells, a changed header, or blocks of other sizes."""
    material = parse_class(rng.choice(("KvK", "KNvK", "KPvK")))
    cells = bytearray(2 * material.cells)
    for _ in range(rng.choice((0, 5, 500))):
        put(cells, rng.randrange(len(cells)), number(rng, 2))
    sound = pack_table(material, "wxf", cells, 0)
    start = 12 + int.from_bytes(sound[8:12], "little")
    fields = json.loads(sound[12:start])
    body = bytearray(sound[start:])
    for _ in range(rng.choice((0, 1, 1, 2))):
        change = rng.randrange(5)
        if change == 0:
            fields[rng.choice([*fields])] = rng.choice(_VALUES)
        elif change == 1:
            fields.pop(rng.choice([*fields]), None)
        elif change == 2 and isinstance(fields.get("ends"), list) and fields["ends"]:
            fields["ends"][rng.randrange(len(fields["ends"]))] = rng.choice(_VALUES)
        elif change == 3:
            body = bytearray(zlib.compress(bytes(rng.choice((0, 1, 180, 32_768, 30_000_000))), 1))
            fields["ends"] = [len(body)]
        else:
            put(body, rng.randrange(len(body)), rng.randbytes(4))
    if rng.random() < 0.5:
        fields["checksum"] = hashlib.sha256(body).hexdigest()
    text = json.dumps(fields).encode()
    if rng.random() < 0.05:
        text = rng.choice((b"[" * 99_999, b"null", b"\xff", b"[]", b"{" + text))
    size = len(text).to_bytes(4, "little") if rng.random() < 0.95 else number(rng, 4)
    data = b"XQTABLE1" + size + text + body
    return data[: rng.randrange(len(data))] if rng.random() < 0.05 else data


def use_table(data: bytes, folder: Path) -> None:
    """Read some cells of a table, then all."""
    table = PackedTable(data, "fuzzed")
    last = table.head.material.cells - 1
    for index in (0, last // 2, last):
        decode_cell(table.cell(index))
    assert len(table.cells()) == 2 * (last + 1)


# Self-play


def header(kind: FileKind, rng: Random) -> bytes:
    """A header with any settings, version or length."""
    data = bytearray(kind.pack({"version": "1", "seed": rng.choice(_VALUES)}))
    if rng.random() < 0.15:
        put(data, rng.choice((0, 8, 12)), number(rng, 4))
    if rng.random() < 0.05:
        data[16:] = rng.choice((b"[" * 99_999, b"null", b"\xff", b""))
    return bytes(data)


@cache
def packed_game(seed: int) -> bytes:
    """A sound game."""
    game = random_game(seed, most=30)
    moves = game.moves()
    scores = [Random(seed).randint(-30000, 30000) for _ in moves[2:]]
    return SelfplayGame(seed, parse_fen(game.fen), moves, scores, seed % 3, 1).pack()


def change_game(game: bytes, rng: Random) -> bytes:
    """A game with other counts, another result, position, move or score."""
    work = bytearray(game)
    place, size = rng.choice(((0, 4), (4, 2), (6, 2), (8, 2), (10, 1), (11, 12), (23, 16), (39, 1)))
    if rng.random() < 0.5:
        place, size = rng.randrange(40, len(work) + 1), 2
    put(work, place, number(rng, size))
    return bytes(work)


def games_file(rng: Random) -> bytes:
    """Games of self-play, some changed."""
    games = [packed_game(rng.randrange(_GAMES)) for _ in range(rng.choice((0, 1, 3, 9)))]
    change_list(games, rng, change_game)
    data = header(GAMES, rng) + b"".join(games)
    return data[: rng.randrange(len(data))] if rng.random() < 0.1 else data


def change_sample(sample: bytes, rng: Random) -> bytes:
    """A sample with another position, result or number."""
    work = bytearray(sample)
    place, size = rng.choice(((0, 12), (12, 16), (28, 1), (29, 1), (30, 2), (32, 2), (34, 4)))
    put(work, place, number(rng, size))
    return bytes(work)


def samples_file(rng: Random) -> bytes:
    """Samples of self-play, some changed."""
    packed = Sample(parse_fen(STARTING_FEN), 1, -3, 7, 2).pack()
    found = [packed] * rng.choice((0, 1, 5, 50))
    change_list(found, rng, change_sample)
    data = header(SAMPLES, rng) + b"".join(found)
    return data[: rng.randrange(len(data))] if rng.random() < 0.1 else data


def use_selfplay_games(data: bytes, folder: Path) -> None:
    """Read a file as games of self-play, replay them, and continue the file."""
    path = folder / "some.games"
    path.write_bytes(data)
    facts, _ = GAMES.read(path)
    for game in samples.read_games(path):
        with_errors(partial(replay, game))
    with GameWriter(path, facts, resume=True) as writer:
        assert writer.games >= 0


def replay(game: SelfplayGame) -> None:
    """Play the moves of a game."""
    for board, _, _ in game.boards():
        assert board.is_consistent()


def use_samples(data: bytes, folder: Path) -> None:
    """Read samples, and set up their positions."""
    path = folder / "some.samples"
    path.write_bytes(data)
    for sample in samples.read_samples(path):
        with_errors(partial(Board, sample.setup))


# Trying them


def with_errors(work: Callable[[], object]) -> None:
    """Do some work that input may make fail."""
    with suppress(XiangqiError):
        work()


def use_games(data: bytes, format: str) -> None:
    """Read games, replay their main lines, and say their errors in both languages."""
    for game in read_games(io.BytesIO(data), format, "fuzzed"):
        for error in game.errors:
            assert max(len(error.say("en")), len(error.say("zh"))) < 9000
        if game.root.variations:
            game.board()


def use_cbr(data: bytes, folder: Path) -> None:
    """Read a record or library of CCBridge."""
    use_games(data, "cbr")


def use_cbf(data: bytes, folder: Path) -> None:
    """Read a record of CCBridge in XML."""
    use_games(data, "cbf")


def use_pfc(data: bytes, folder: Path) -> None:
    """Read a record of Peng Fei."""
    use_games(data, "pfc")


def use_che(data: bytes, folder: Path) -> None:
    """Read a record of QQ."""
    use_games(data, "che")


@dataclass(frozen=True)
class Kind:
    """Maker and reader of a kind of file."""

    make: Callable[[Random], bytes]
    use: Callable[[bytes, Path], None]


KINDS: Final = {
    "cbr": Kind(cbr_file, use_cbr),
    "cbl": Kind(cbl_file, use_cbr),
    "cbf": Kind(cbf_file, use_cbf),
    "pfc": Kind(pfc_file, use_pfc),
    "che": Kind(che_file, use_che),
    "table": Kind(table_file, use_table),
    "games": Kind(games_file, use_selfplay_games),
    "samples": Kind(samples_file, use_samples),
}


def attempt(name: str, seed: str, folder: Path) -> tuple[str, str | None]:
    """Try the file of a seed: its outcome in a word, and what is wrong about it, if anything."""
    kind = KINDS[name]
    data = kind.make(Random(seed))
    began = time.thread_time()
    outcome, problem = "read", None
    try:
        kind.use(data, folder)
    except (SampleError, XiangqiError) as error:
        outcome = type(error).__name__
        message = [str(error)]
        if isinstance(error, XiangqiError):
            message.append(error.say("zh"))
        if not all(0 < len(text) < 9000 for text in message):
            problem = f"raised a message of {list(map(len, message))} characters"
    except Exception as error:  # any kind: which kinds may come is what this is about
        outcome, problem = type(error).__name__, f"raised {error!r:.1000}"
    took = time.thread_time() - began
    return outcome, f"took {took:.1f} s" if took > MAX_SECONDS else problem


def seeds(names: list[str], seed: int) -> Iterator[tuple[str, str]]:
    """Kinds in turn, each with the seed of its next file."""
    for count in range(sys.maxsize):
        yield names[count % len(names)], f"{seed} {count}"


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=6000)
    parser.add_argument("--kind", choices=[*KINDS], help="only this kind (default: all in turn)")
    options = parser.parse_args()
    names = [options.kind] if options.kind else [*KINDS]
    outcomes: Counter[tuple[str, str]] = Counter()
    findings = 0
    before = peak_memory()
    with TemporaryDirectory(prefix="meihua-fuzz-") as folder:
        for name, seed in limited(seeds(names, options.seed), options):
            outcome, problem = attempt(name, seed, Path(folder))
            outcomes[name, outcome] += 1
            if problem is not None:
                findings += 1
                print(f"{name}, seed {seed!r}: {problem}", flush=True)
    growth = peak_memory() - before
    report(f"the process grew by {growth // 1024} MB")
    if growth > MAX_GROWTH_KB:
        findings += 1
        print(f"the process grew by {growth} kB, more than {MAX_GROWTH_KB}")
    for (name, outcome), count in sorted(outcomes.items()):
        print(f"{count:9} {name}: {outcome}")
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
