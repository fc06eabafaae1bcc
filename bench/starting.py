"""Cost of starting: importing the package, running a command, starting the engine; memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bench.measure import Result, Row, Samples
from bench.peers import FAIRY_STOCKFISH, MEIHUA, MISSING, UciEngine, find_program
from xiangqi.games.record import GameRecord

ROOT: Final = Path(__file__).parent.parent
LIMIT: Final = 150.0  # milliseconds of CPU time for the import
HASH_MB: Final = 16
MANY_THREADS: Final = 5
MOVETIME_MS: Final = 200


def measure(runs: int) -> Result:
    """Measure milliseconds and megabytes of new processes."""
    runs = max(runs, 9)  # they are short and their times vary
    result = Result("Starting")
    result.rows.extend(_measure_python(runs))
    within = "within" if result.rows[0].ours.median < LIMIT else "NOT within"
    result.notes.append(f"The import is {within} its limit of {LIMIT:.0f} ms of CPU time.")
    path = find_program(FAIRY_STOCKFISH)
    if path is None:
        result.notes.append(f"{FAIRY_STOCKFISH}: {MISSING[FAIRY_STOCKFISH]}")
    result.rows.extend(_measure_engines(runs, path))
    result.notes.append(f"Memory is resident memory after a search with a {HASH_MB} MB hash.")
    return result


_BARE: Final = "python -c 'pass'"
_BOARD: Final = "python -c 'from xiangqi import Board'"  # the package alone imports almost nothing
_STARTS: Final = {
    _BOARD: ("-c", "from xiangqi import Board"),
    "python -c 'import xiangqi'": ("-c", "import xiangqi"),
    _BARE: ("-c", "pass"),
    "xiangqi --help": ("-m", "xiangqi", "--help"),
    "xiangqi judge --case D1a": ("-m", "xiangqi", "judge", "--case", "D1a"),
}


def _measure_python(runs: int) -> list[Row]:
    """Measure the CPU time of imports and commands, which depends little on other load."""
    for arguments in _STARTS.values():
        _cpu_ms(arguments)  # fills the caches
    spent: dict[str, list[float]] = {what: [] for what in _STARTS}
    for _ in range(runs):
        for what, arguments in _STARTS.items():
            spent[what].append(_cpu_ms(arguments))
    extra = [ours - bare for ours, bare in zip(spent[_BOARD], spent[_BARE], strict=True)]
    return [
        Row(f"{_BOARD}, alone", "ms of CPU", Samples("Meihua", tuple(extra)), more_is_better=False),
        *(
            Row(what, "ms of CPU", Samples("Python" if what == _BARE else "Meihua", tuple(values)))
            for what, values in spent.items()
        ),
    ]


def _cpu_ms(arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = (sys.executable, *arguments)
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def _measure_engines(runs: int, peer: str | None) -> list[Row]:
    """Measure the time from start to ``readyok``, and memory with one thread and for each more."""
    ours: list[_Facts] = []
    theirs: list[_Facts] = []
    for _ in range(runs):
        ours.append(_examine(MEIHUA))
        if peer is not None:
            theirs.append(_examine((peer,)))
    return [
        Row(
            what,
            unit,
            Samples("Meihua", tuple(facts[column] for facts in ours)),
            Samples(FAIRY_STOCKFISH, tuple(facts[column] for facts in theirs)) if theirs else None,
            more_is_better=False,
        )
        for column, (what, unit) in enumerate(_COLUMNS)
    ]


_COLUMNS: Final = (
    ("the engine, from start to readyok", "ms"),
    ("memory of the engine, one thread", "MB"),
    ("memory of each further thread", "MB"),
)


class _Facts(NamedTuple):
    """Measurements of one start of an engine, in the order of :data:`_COLUMNS`."""

    start_ms: float
    memory_mb: float
    thread_mb: float


def _examine(command: Sequence[str]) -> _Facts:
    began = time.perf_counter()
    with UciEngine(command, {"Threads": 1, "Hash": HASH_MB}) as engine:
        start_ms = 1000 * (time.perf_counter() - began)
        memory_mb = _memory_after_search(engine)
    with UciEngine(command, {"Threads": MANY_THREADS, "Hash": HASH_MB}) as engine:
        more_mb = _memory_after_search(engine) - memory_mb
    return _Facts(start_ms, memory_mb, more_mb / (MANY_THREADS - 1))


def _memory_after_search(engine: UciEngine) -> float:
    engine.search(GameRecord(), movetime_ms=MOVETIME_MS)
    return engine.resident_mb()
