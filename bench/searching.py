"""Search: nodes per second, and time to a depth and to mates, by threads and by hash size.

Engines count depths and nodes differently, so that these figures do not compare strength. Mates are
comparable: each engine must find one in at most the given number of moves. CPU times of mates, over
all threads, differ by a factor of a thousand; their geometric mean and median therefore say more
than the sum, which a few of them dominate. The mates are those of ``mates.jsonl``, from
``bench.mating``; ``python -m bench searching --mates FILE`` uses others. Every engine runs in its
own process, and searches each position with an empty hash.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import geometric_mean, median
from typing import Final, Protocol, TypeVar

from bench.measure import Curve, Result, Row, Samples, WrongResultError
from bench.peers import (
    FAIRY_STOCKFISH,
    HOIXIANGQI,
    MEIHUA,
    MISSING,
    HoiXiangqi,
    Search,
    UciEngine,
    find_program,
    peer_move,
)
from xiangqi.engine.bench import BENCH_RECORDS
from xiangqi.games.record import GameRecord

MOVETIME_MS: Final = 300
DEPTH: Final = 12
HASH_MB: Final = 64
HASH_SIZES: Final = (1, 4, 16, 64)
THREADS: Final = (1, 2)
MATE_MS: Final = 60_000
"""Time limit for finding a mate."""
SUMMARIES: Final[dict[str, Callable[[Sequence[float]], float]]] = {
    "geometric mean": geometric_mean,
    "median": median,
    "maximum": max,
}
RECORDS: Final = BENCH_RECORDS[:8]  # openings and middlegames
MATES: Final = Path(__file__).with_name("mates.jsonl")
"""Sixty mates of self-play games, chosen by :mod:`bench.mating`."""
MATE_RUNS: Final = 3
"""Maximum number of runs for mates, of which the peer needs minutes for each."""


class Player(Protocol):
    """Interface of engines."""

    name: str

    def search(self, record: GameRecord, *, movetime_ms: int) -> Search:
        """Search the last position of a game for a time."""


def read_mates(path: Path) -> dict[str, int]:
    """Read positions and their numbers of moves to mate from a file, possibly compressed (``.gz``).

    Each line is a JSON object with ``fen`` and ``mate_in``. Raises ValueError for other lines.
    """
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()
    mates = {}
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
            mates[str(found["fen"])] = int(found["mate_in"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path}, line {number}: found {line[:80]!r}, "
                "expected an object with fen and mate_in"
            ) from error
    return mates


def measure(runs: int, mates: Mapping[str, int] | None = None) -> Result:
    """Measure Meihua and the installed peers in alternating runs."""
    result = Result(f"Search: {len(RECORDS)} positions, {HASH_MB} MB hash")
    paths = {name: find_program(name) for name in (FAIRY_STOCKFISH, HOIXIANGQI)}
    missing = [name for name, path in paths.items() if path is None]
    result.notes.extend(f"{name}: {MISSING[name]}" for name in missing)
    fairy, hoi = paths.values()
    for row_of in (_speed_row, _depth_row):
        rows = {}
        for threads in THREADS:
            with _pair(fairy, Threads=threads) as (ours, theirs):
                rows[threads] = row_of(runs, f"threads: {threads}", ours, theirs)
        result.rows.extend(rows.values())
        result.curves.append(Curve.of_rows(rows[1].what.rpartition(",")[0], "threads", rows))
    with _pair(fairy) as (ours, theirs):
        mates = read_mates(MATES) if mates is None else mates
        found, missed = mate_rows(min(runs, MATE_RUNS), mates, ours, theirs)
        result.rows.extend(found)
        result.notes.extend(missed)
    if hoi is not None:
        with UciEngine(MEIHUA) as ours, HoiXiangqi(hoi) as other:
            result.rows.append(_speed_row(runs, "threads: 1", ours, other))
    with UciEngine(MEIHUA) as full, UciEngine(MEIHUA, {"Repetition Rule": "all-draws"}) as draws:
        draws.name = "every repetition a draw"
        result.rows.append(_speed_row(runs, "full rules", full, draws))
    rows = {}
    for hash_mb in HASH_SIZES:
        with _pair(fairy, Hash=hash_mb) as (ours, theirs):
            rows[hash_mb] = _depth_row(runs, "", ours, theirs)
    result.curves.append(Curve.of_rows(f"time to depth {DEPTH}", "hash (MB)", rows))
    result.notes.append("Engines count plies of depth and nodes differently.")
    return result


@contextmanager
def _pair(peer: str | None, **options: int) -> Iterator[tuple[UciEngine, UciEngine | None]]:
    """Start Meihua and, if a path is given, Fairy-Stockfish with the same options."""
    with ExitStack() as stack:
        chosen = {"Hash": HASH_MB, **options}
        ours = stack.enter_context(UciEngine(MEIHUA, chosen))
        theirs = None if peer is None else stack.enter_context(UciEngine([peer], chosen))
        yield ours, theirs


def _speed_row(runs: int, how: str, ours: Player, theirs: Player | None) -> Row:
    def search_all(player: Player) -> float:
        searches = [player.search(record, movetime_ms=MOVETIME_MS) for record in RECORDS]
        _require_legal(player, searches)
        nodes = sum(search.nodes for search in searches)
        return nodes / 1e6 / sum(search.reported_seconds for search in searches)

    return _row(f"speed, {how}", "million nodes/s", runs, search_all, ours, theirs)


def _depth_row(runs: int, how: str, ours: UciEngine, theirs: UciEngine | None) -> Row:
    def search_all(player: UciEngine) -> float:
        searches = [player.search(record, depth=DEPTH) for record in RECORDS]
        _require_legal(player, searches)
        return _seconds(searches)

    return _row(f"time to depth {DEPTH}, {how}", "s", runs, search_all, ours, theirs)


def mate_rows(
    runs: int, mates: Mapping[str, int], ours: UciEngine, theirs: UciEngine | None
) -> tuple[list[Row], list[str]]:
    """Measure CPU time for finding mates; return the rows, and a note for each mate not found."""
    if sys.platform != "linux":
        return [], ["Mates are measured on Linux only, where CPU time of processes is known."]
    players = {"Meihua": ours} if theirs is None else {"Meihua": ours, theirs.name: theirs}
    times: dict[str, list[list[float]]] = {name: [] for name in players}
    missed: dict[str, None] = {}  # an ordered set
    for _ in range(runs):
        for name, player in players.items():
            found = []
            for fen, moves in mates.items():
                search = player.search(GameRecord(fen), mate=moves, movetime_ms=MATE_MS)
                found.append(1000 * search.cpu_seconds)
                if search.mate is None or not 0 < search.mate <= moves:
                    missed[f"{name} finds no mate in {moves}: {fen}"] = None
            times[name].append(found)
    rows = []
    for what, summary in SUMMARIES.items():
        own, *peer = (Samples(name, tuple(map(summary, each))) for name, each in times.items())
        name = f"one of {len(mates)} mates, {what}"
        rows.append(Row(name, "ms of CPU", own, peer[0] if peer else None, more_is_better=False))
    return rows, list(missed)


AnyPlayer = TypeVar("AnyPlayer", bound=Player)


def _row(
    what: str,
    unit: str,
    runs: int,
    search_all: Callable[[AnyPlayer], float],
    ours: AnyPlayer,
    theirs: AnyPlayer | None,
) -> Row:
    our_values, their_values = [], []
    for _ in range(runs):
        our_values.append(search_all(ours))
        if theirs is not None:
            their_values.append(search_all(theirs))
    return Row(
        what,
        unit,
        Samples("Meihua", tuple(our_values)),
        None if theirs is None else Samples(theirs.name, tuple(their_values)),
        more_is_better=unit != "s",
    )


def _seconds(searches: Sequence[Search]) -> float:
    return sum(search.seconds for search in searches)


def _require_legal(player: Player, searches: Sequence[Search]) -> None:
    """Raise WrongResultError if a move is not legal."""
    for record, search in zip(RECORDS, searches, strict=True):
        board = record.play()
        if search.move not in {peer_move(move) for move in board.legal_moves}:
            raise WrongResultError(f"{player.name} plays {search.move} in {board.fen()}")
