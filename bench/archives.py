"""Archives: ruling on files of games with one and two processes, and reading them.

The games are random; one in ten ends with a repetition, as in real archives. Ruling is timed from
the input file to the output file. The peer only reads files, of one game each.
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
    count_up,
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
"""Number of games to be read by both programs."""
SIZES: Final = (1, 2, 4, 8)
"""Sizes of the archives of the curve, in multiples of :data:`GAMES`."""
LARGER: Final = 4
"""Size of the second archive of the memory test, in multiples of the first."""

_CHINESE: Final = WriteOptions(notation="chinese")
_FILES: Final = {
    "JSON lines": ("jsonl", WriteOptions(), 30),
    "PGN in Chinese notation": ("pgn", _CHINESE, 10),
}
"""Format, options of writing, and how often a timed run rules on the archive: it should take some
seconds, so that starting processes counts little."""
_PEAK: Final = """
import sys
from functools import partial
from pathlib import Path
from xiangqi.games.archive import Archive, judge_to_file
judge_to_file(Archive(sys.argv[1:-1]), Path(sys.argv[-1]))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def measure(runs: int) -> Result:
    """Measure games per second, and memory."""
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
    one, two = (median(seconds_of(partial(count_up, n)) for _ in range(runs)) for n in (1, 2))
    return f"Two processes of pure arithmetic do {2 * one / two:.2f} times the work of one here."


def make_games(count: int) -> list[Game]:
    """Make random games; one in ten ends with a position that has occurred three times."""
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
    """Compare two processes with one; their output must be equal."""
    scale = Scale("games/s", GAMES * len(names))
    outs = [Path(names[0]).with_name(f"{number}.jsonl") for number in (1, 2)]
    one, two = (
        _ruling(names, out, workers)
        for out, workers in zip(outs, (in_this_process(), in_processes(2)), strict=True)
    )
    row = compare(f"ruling, {what}: two processes", scale, runs, two, one, "one process")
    if outs[0].read_bytes() != outs[1].read_bytes():
        raise WrongResultError(f"{what}: two processes write different rulings from one")
    return row


def _measure_sizes(what: str, path: Path, runs: int) -> Curve:
    """Measure the time of one process by the size of the archive."""
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
    """Measure the peak memory of one process that rules on an archive, and on a larger one."""
    if not Path("/proc/self/status").exists():
        notes.append("Peak memory is measured on Linux only.")
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
    """Compare reading files of one game each, limited to those that both programs read alike."""
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
            raise WrongResultError(f"{what}: {CCHESS} reads no file like Meihua")
        notes.append(f"{what}: {CCHESS} reads {len(common)} of {len(paths)} files like Meihua.")
        ours = repeated(1, lambda path: list(read_games(path)), common)
        theirs = repeated(1, lambda path: cchess.Game.read_from(str(path)), common)
        scale = Scale("games/s", len(common))
        label = f"reading, {what}, one game a file"
        rows.append(compare(label, scale, runs, ours, theirs, CCHESS))
    return rows


def _moves(path: Path) -> list[str]:
    return [move.iccs() for game in read_games(path) for move in game.moves()]
