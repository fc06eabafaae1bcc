"""Archives: rulings on whole files of games, by one process and by two, and reading alone.

The archive is made at random, each tenth game with a repetition at its end, as in real ones. What
is timed is the whole way from one file to another. The peer reads files of one game each, and
rules on nothing.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench.games import play_at_random, random_games
from bench.measure import (
    Curve,
    Result,
    Row,
    Run,
    Samples,
    Scale,
    WrongResultError,
    compare,
    repeated,
    seconds_of,
)
from bench.peers import CCHESS, MISSING, cchess_moves, load_module
from xiangqi.games.archive import Archive, Workers, in_processes, in_this_process, judge_to_file
from xiangqi.games.formats import FORMATS, Format, WriteOptions, read_games
from xiangqi.games.tree import Game

GAMES: Final = 1000
PLIES: Final = 100
READ: Final = 50
"""Games that the peer reads as well."""
SIZES: Final = (1, 2, 4, 8)
"""Archives of how many times so many games the time is taken of."""
LARGER: Final = 4
"""Size of the second archive of the memory test, in multiples of the first."""

_CHINESE: Final = WriteOptions(notation="chinese")
_FILES: Final = {
    "JSON lines": ("jsonl", WriteOptions(), 30),
    "PGN in Chinese notation": ("pgn", _CHINESE, 10),
}
"""Format, how it is written, and how often the archive of a timed run has each game: it takes
some seconds, so that starting processes counts little."""
_PEAK: Final = """
import sys
from functools import partial
from pathlib import Path
from xiangqi.games.archive import Archive, judge_to_file
judge_to_file(Archive(sys.argv[1:-1]), Path(sys.argv[-1]))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def measure(runs: int) -> Result:
    """Games per second, and the memory that it takes."""
    result = Result(f"Archives: games of {PLIES} plies")
    result.notes.append(_machine_note(runs))
    games = make_games(GAMES)
    with TemporaryDirectory() as folder:
        for what, (name, options, times) in _FILES.items():
            known = FORMATS[name]
            path = Path(folder, f"archive{known.suffixes[0]}")
            _write(path, games, known, options)
            result.rows.append(_measure_ruling(what, [str(path)] * times, runs))
            result.rows.extend(_measure_memory(what, path, result.notes))
            result.curves.append(_measure_sizes(what, path, runs))
        result.rows.extend(_measure_reading(Path(folder), games[:READ], runs, result.notes))
    return result


def _machine_note(runs: int) -> str:
    """Note on the work that two processes can do on this machine."""
    one, two = (median(seconds_of(partial(_count, n)) for _ in range(runs)) for n in (1, 2))
    return f"Two processes of pure arithmetic do {2 * one / two:.2f} times the work of one here."


def _count(processes: int) -> None:
    """Let so many processes count."""
    command = [sys.executable, "-c", "for _ in range(30_000_000): pass"]
    for process in [subprocess.Popen(command) for _ in range(processes)]:
        process.wait()


def make_games(count: int) -> list[Game]:
    """Random games; each tenth ends with a position that has occurred three times."""
    rng = Random(count)
    boards = random_games(count // 10, PLIES)
    boards += [play_at_random(rng, PLIES) for _ in range(count - len(boards))]
    rng.shuffle(boards)
    games = []
    for number, board in enumerate(boards):
        game = Game(headers={"Red": f"红方{number}", "Black": "黑方", "Result": "1/2-1/2"})
        game.add_line(board.move_stack)
        games.append(game)
    return games


def _write(path: Path, games: list[Game], known: Format, options: WriteOptions) -> None:
    with path.open("wb") as out:
        known.write(games, out, options)


def _measure_ruling(what: str, names: list[str], runs: int) -> Row:
    """Two processes beside one; their files must be the same."""
    scale = Scale("games/s", GAMES * len(names))
    outs = [Path(names[0]).with_name(f"{number}.jsonl") for number in (1, 2)]
    one, two = (
        _ruling(names, out, workers)
        for out, workers in zip(outs, (in_this_process(), in_processes(2)), strict=True)
    )
    row = compare(f"ruling, {what}: two processes", scale, runs, two, one, "one process")
    if outs[0].read_bytes() != outs[1].read_bytes():
        raise WrongResultError(f"{what}: two processes write other rulings than one")
    return row


def _measure_sizes(what: str, path: Path, runs: int) -> Curve:
    """Measure the time of one process as the archive grows."""
    out = path.with_name("sizes.jsonl")
    rows = {
        GAMES * times: compare(
            what,
            Scale("s", 1.0, per_second=False),
            runs,
            _ruling([str(path)] * times, out, in_this_process()),
            None,
            "",
        )
        for times in SIZES
    }
    return Curve.of_rows(f"ruling, {what}", "games", rows)


def _ruling(names: list[str], out: Path, workers: Workers) -> Run:
    def run() -> None:
        out.unlink(missing_ok=True)
        judge_to_file(Archive(names), out, workers=workers)

    return run


def _measure_memory(what: str, path: Path, notes: list[str]) -> list[Row]:
    """The most memory that one process has while it rules on an archive, and on a larger one."""
    if not Path("/proc/self/status").exists():
        notes.append("This system does not tell the peak of a process's memory.")
        return []
    rows = []
    for times in (1, LARGER):
        out = path.with_name(f"{path.name}.{times}.jsonl")
        program = [sys.executable, "-c", _PEAK, *[str(path)] * times, str(out)]
        done = subprocess.run(program, capture_output=True, text=True, check=True)
        peak = Samples("Meihua", (int(done.stdout) / 1024,))
        label = f"peak memory, {what}, {GAMES * times:,} games"
        rows.append(Row(label, "MiB", peak, more_is_better=False))
    return rows


def _measure_reading(folder: Path, games: list[Game], runs: int, notes: list[str]) -> list[Row]:
    """Files of one game each, those of which both sides read the same moves."""
    cchess = load_module(CCHESS)
    if cchess is None:
        notes.append(f"{CCHESS}: {MISSING[CCHESS]}")
        return []
    rows = []
    for what, name, options in (
        ("PGN in Chinese notation", "pgn", _CHINESE),
        ("XQF", "xqf", WriteOptions()),
    ):
        known = FORMATS[name]
        paths = [folder / f"{number:03}{known.suffixes[0]}" for number in range(len(games))]
        for path, game in zip(paths, games, strict=True):
            _write(path, [game], known, options)
        common = [path for path in paths if cchess_moves(cchess, path) == _moves(path)]
        if not common:
            raise WrongResultError(f"{what}: {CCHESS} reads no file as Meihua does")
        notes.append(f"{what}: {CCHESS} reads {len(common)} of {len(paths)} files like Meihua.")
        ours = repeated(1, lambda path: list(read_games(path)), common)
        theirs = repeated(1, lambda path: cchess.Game.read_from(str(path)), common)
        scale = Scale("games/s", len(common))
        label = f"reading, {what}, one game a file"
        rows.append(compare(label, scale, runs, ours, theirs, CCHESS))
    return rows


def _moves(path: Path) -> list[str]:
    return [move.iccs() for game in read_games(path) for move in game.moves()]
