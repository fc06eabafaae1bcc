"""Search: nodes per second, time to a depth and to a mate, by threads and by hash size.

Engines count depth and nodes each in its own way, so neither figure alone says who plays better;
together they say where the time goes. A mate is the same for all: both must find it in so
many moves at most. Every engine is a process of its own, and each position finds its tables empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
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
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.games.record import GameRecord

MOVETIME_MS: Final = 300
DEPTH: Final = 12
HASH_MB: Final = 64
HASH_SIZES: Final = (1, 4, 16, 64)
THREADS: Final = (1, 2)
RECORDS: Final = BENCH_RECORDS[:8]  # openings and middle games
MATES: Final = {  # and in how many moves; from games of Meihua against itself
    "3k1ab1C/4R4/5r3/p3N1N2/2b6/4p1P2/P7P/4B4/9/c1BAKA3 w - - 15 34": 6,
    "3k1ab1C/4R4/6N2/p5N2/2b6/4p1P2/P4r2P/4B4/9/c1BAKA3 w - - 13 33": 7,
    "3aka3/1n7/2N6/p4P3/6R2/P7P/4N4/4B4/4A4/2BA1K3 w - - 5 42": 6,
    "2R6/3k5/9/4P4/9/9/4p3r/9/4A4/2B1K4 w - - 19 70": 6,
    "3akab2/4n4/4bc3/p7p/2rN2p2/5R3/P3C3P/8B/4A4/3AK4 w - - 4 26": 5,
    "3akab2/4n4/4bc3/p7p/3N2p2/5R3/P7P/2r1C3B/4A4/3AK4 w - - 2 25": 6,
    "4kab2/4a4/7r1/3P5/1Pb6/9/9/2N1Bn3/2n2K3/3A2B2 b - - 1 42": 7,
    "9/4P4/3k5/3N5/4n4/6B2/9/3pBA3/5p3/4K4 b - - 4 83": 5,
    "9/4P4/3k5/3N5/9/2B3B2/5n3/3p1A3/5p3/4K4 b - - 2 82": 6,
    "2bk5/4P4/9/6N2/5P3/4n1B2/9/9/5p3/4K4 w - - 13 90": 5,
}


class Player(Protocol):
    """Whoever searches."""

    name: str

    def search(self, record: GameRecord, *, movetime_ms: int) -> Search:
        """Search the last position of a game for a time."""


def measure(runs: int) -> Result:
    """Both sides search all positions by turns."""
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
        result.rows.append(_mate_row(runs, ours, theirs))
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
    evaluation = "a network" if choose_network(DEFAULT) else "hand-made terms"
    result.notes.append(f"Meihua evaluates by {evaluation}.")
    result.notes.append("A ply of depth and a node are not the same thing in every engine.")
    return result


@contextmanager
def _pair(peer: str | None, **options: int) -> Iterator[tuple[UciEngine, UciEngine | None]]:
    """Meihua and Fairy-Stockfish, if it is installed, with the same options."""
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
        return nodes / 1e6 / sum(search.told_seconds for search in searches)

    return _row(f"speed, {how}", "million nodes/s", runs, search_all, ours, theirs)


def _depth_row(runs: int, how: str, ours: UciEngine, theirs: UciEngine | None) -> Row:
    def search_all(player: UciEngine) -> float:
        searches = [player.search(record, depth=DEPTH) for record in RECORDS]
        _require_legal(player, searches)
        return _seconds(searches)

    return _row(f"time to depth {DEPTH}, {how}", "s", runs, search_all, ours, theirs)


def _mate_row(runs: int, ours: UciEngine, theirs: UciEngine | None) -> Row:
    def search_all(player: UciEngine) -> float:
        searches = [player.search(GameRecord(fen), mate=moves) for fen, moves in MATES.items()]
        for search, moves in zip(searches, MATES.values(), strict=True):
            if search.mate is None or not 0 < search.mate <= moves:
                raise WrongResultError(f"{player.name} sees no mate in {moves}: {search}")
        return _seconds(searches)

    return _row(f"time to {len(MATES)} mates", "s", runs, search_all, ours, theirs)


AnyPlayer = TypeVar("AnyPlayer", bound=Player)


def _row(
    what: str,
    unit: str,
    runs: int,
    search_all: Callable[[AnyPlayer], float],
    ours: AnyPlayer,
    theirs: AnyPlayer | None,
) -> Row:
    """Let both search by turns."""
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
    """WrongResultError if a move is not legal."""
    for record, search in zip(RECORDS, searches, strict=True):
        board = record.play()
        if search.move not in {peer_move(move) for move in board.legal_moves}:
            raise WrongResultError(f"{player.name} plays {search.move} in {board.fen()}")
