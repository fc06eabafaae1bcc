"""Analysis of the games of many files by parallel workers, written to one file.

Each game begins with an empty hash table, so that with a node limit the output does not depend on
the workers: processes, threads or a cluster, of any number, even if one of them is killed.

An interrupted run continues from its journal, a file of JSON lines beside the output, ``OUT.part``:
first the settings of the run, then a line for each finished game, in any order. At the end the
output is written from the journal, in the order of the games, and the journal is deleted.
"""

from __future__ import annotations

import functools
import io
import json
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from xiangqi.analysis.annotation import analysis_to_dict, annotate, describe_settings
from xiangqi.analysis.engines import borrow_analyst, return_analyst
from xiangqi.analysis.game import AnalysisSettings, GameAnalysis, analyse_moves
from xiangqi.analysis.puzzles import Puzzle, find_puzzles, position_of
from xiangqi.games.archive import Archive, Item, Unread, Workers, in_this_process
from xiangqi.games.formats import WriteOptions, find_format
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FenError, FormatError, PositionError, XiangqiError
from xiangqi.ground.files import Journal, exists_error, new_file
from xiangqi.ground.workers import TRIES, run_in_order
from xiangqi.words.voice import PLAIN_VOICE, Voice

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "SUFFIXES",
    "AnalysisJob",
    "AnalysisJournal",
    "AnalysisReport",
    "Done",
    "analyse_archive",
    "format_of",
]


class Done(NamedTuple):
    """Result of analysing a game."""

    place: int
    """Index of the game in the archive, from 0."""
    source: str
    game: int | None
    """Number of the game in its file; None for a file that cannot be read."""
    text: str
    """Text for the output; empty for input that cannot be read or written."""
    problems: list[str]
    puzzles: list[dict[str, Any]]
    plies: int


class AnalysisJournal:
    """Journal of one run, which any thread may write to.

    ``resume`` continues an existing journal; otherwise ``replace`` empties it. Raises FormatError
    if it exists and neither is given, if it belongs to another run, or if it cannot be opened.
    """

    def __init__(
        self, path: Path, request: dict[str, Any], *, resume: bool = False, replace: bool = False
    ) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._starts: dict[int, int] = {}  # offset of each game's line
        self._names: dict[int, str] = {}
        self._file = Journal(path, resume=resume, replace=replace)
        try:
            self._begin(request)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, request: dict[str, Any]) -> None:
        is_empty = True
        for number, start, line in self._file.lines():
            is_empty = False
            try:
                data = json.loads(line)
                if number > 1:
                    done = Done(**data)
                    self._starts[done.place] = start
                    self._names[done.place] = _name(done.source, done.game)
            except (ValueError, TypeError) as error:
                why = Fact("file.no_journal_line", error=str(error))
                raise FormatError(str(self.path), Fact("place.line", line=number), why) from error
            if number == 1 and data != request:
                why = Fact("file.other_run", found=str(data), asked=str(request))
                raise FormatError(str(self.path), "", why)
        if is_empty:
            self._write(request)

    def _write(self, data: dict[str, Any]) -> int:
        return self._file.append_text(f"{json.dumps(data)}\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._starts)

    def has(self, place: int, source: str, game: int | None) -> bool:
        """Is this game done? Raises FormatError if the journal has another game at this index."""
        name = self._names.get(place)
        if name is not None and name != _name(source, game):
            now = _name(source, game)
            why = Fact("file.other_game", found=name, place=place + 1, now=now)
            raise FormatError(str(self.path), "", why)
        return place in self._starts

    def add(self, done: Done) -> bool:
        """Write the result of a game; return False if there already is one. Raises OSError."""
        with self._lock:
            if done.place in self._starts:
                return False
            self._starts[done.place] = self._write(done._asdict())
            return True

    def read(self) -> Iterator[Done]:
        """Iterate over the finished games, in order. Games may be added meanwhile."""
        with self._lock:
            starts = [start for _, start in sorted(self._starts.items())]
        for start in starts:
            with self._lock:
                data = self._file.read_at(start)
            yield Done(**data)


def _name(source: str, game: int | None) -> str:
    return source if game is None else f"{source}:{game}"


SUFFIXES: Final = {".pgn": "pgn", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Output format by file suffix."""
_AHEAD: Final = 16
"""Games submitted ahead for each worker, so that a long game does not keep the others idle."""

IndexedItem: TypeAlias = tuple[int, Item]
"""A game and its index in the archive."""


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """Settings of a run."""

    settings: AnalysisSettings = field(default_factory=AnalysisSettings)
    voice: Voice = PLAIN_VOICE
    format: str = "pgn"
    """Output format, a value of :data:`SUFFIXES`."""
    puzzles: bool = False
    """Are puzzles extracted?"""

    def describe(self) -> dict[str, Any]:
        """Settings as JSON data; a run can only resume a journal with the same ones."""
        settings = self.settings
        return {
            "by": describe_settings(settings, settings.engine or "Meihua"),
            "options": [list(option) for option in settings.options],
            "book": settings.book,
            "tables": str(settings.tables or ""),
            "language": self.voice.language,
            "notation": self.voice.notation,
            "format": self.format,
            "puzzles": self.puzzles,
        }


@dataclass(slots=True)
class AnalysisReport:
    """Summary of a finished run."""

    games: int = 0
    plies: int = 0
    problems: list[str] = field(default_factory=list)
    """Errors in reading, analysing or writing, in the order of the games."""
    puzzles: int = 0


def format_of(path: Path) -> str:
    """Output format by the file suffix. Raises FormatError for an unknown one."""
    suffix = Path(path.name.removesuffix(".gz")).suffix
    if suffix not in SUFFIXES:
        names = ", ".join(SUFFIXES)
        raise FormatError(str(path), "", Fact("file.analysis_suffix", names=names))
    return SUFFIXES[suffix]


def analyse_archive(
    archive: Archive,
    path: Path,
    job: AnalysisJob,
    workers: Workers | None = None,
    *,
    resume: bool = False,
    replace: bool = False,
    puzzles: Path | None = None,
    on_done: Callable[[Done], None] = lambda _: None,
    on_position: Callable[[float], None] = lambda _: None,
    on_wait: Callable[[], None] = lambda: None,
) -> AnalysisReport:
    """Analyse all games of an archive and write them to a file.

    ``puzzles`` is a file of JSON lines for the puzzles of the job; each position is written once.
    The files are written when all games are done; until then results are kept in the journal beside
    the output, from which ``resume`` continues; a run that was killed while it wrote the files
    writes them again.

    ``on_done`` is called for each finished game, first for those of the journal, possibly from
    another thread. ``on_position`` is called after each position with its share of the game, from 0
    to 1, if there are no worker processes. On an interrupt, ``on_wait`` is called and games in
    progress in other processes are finished, until a second interrupt.

    Raises FormatError if a file exists and ``replace`` is not set, or if the journal belongs to
    another run; WorkersError, TableError, BookError.
    """
    part = path.with_name(f"{path.name}.part")
    replace = replace or (
        resume and part.exists()
    )  # outputs of a run that ended before its journal
    for file in (path, puzzles):
        if file is not None and file.exists() and not replace:
            raise exists_error(file)
    workers = workers or in_this_process()
    with (
        closing(archive),
        AnalysisJournal(part, job.describe(), resume=resume, replace=replace) as journal,
    ):
        for done in journal.read():
            on_done(done)

        faults: list[Exception] = []

        def keep(done: Done) -> None:
            """Write a result to the journal; an error is raised later, in the main thread."""
            try:
                if journal.add(done):
                    on_done(done)
            except Exception as error:
                faults.append(error)

        report_share = None if workers.count else on_position
        work = functools.partial(_analyse_batch, job, report_share)
        give_up = functools.partial(_give_up, job)
        remaining = (  # one game to a batch
            ((place, item),)
            for place, item in enumerate(archive)
            if not journal.has(place, item.source, item.number)
        )
        results: Generator[Done, None, None] = run_in_order(
            work,
            remaining,
            workers,
            give_up,
            on_done=keep,
            on_wait=on_wait,
            ahead=_AHEAD,
        )
        with closing(results):
            for done in results:
                keep(done)
                if faults:
                    raise faults[0]
        report = _write(journal, path, replace=replace)
        if puzzles is not None:
            report.puzzles = _write_puzzles(journal, puzzles, replace=replace)
    part.unlink()
    return report


def _write(journal: AnalysisJournal, path: Path, *, replace: bool) -> AnalysisReport:
    report = AnalysisReport()
    with new_file(path, replace=replace) as out:
        for done in journal.read():
            out.write(done.text.encode("utf-8", "backslashreplace"))
            report.games += done.game is not None
            report.plies += done.plies
            report.problems += done.problems
    return report


def _write_puzzles(journal: AnalysisJournal, path: Path, *, replace: bool) -> int:
    """Write each puzzle once, from the first game that has its position; return their number."""
    seen: set[str] = set()
    with new_file(path, replace=replace) as out:
        for done in journal.read():
            for puzzle in done.puzzles:
                position = position_of(puzzle["fen"])
                if position not in seen:
                    seen.add(position)
                    line = {**puzzle, "source": done.source, "game": done.game}
                    out.write(json.dumps(line).encode() + b"\n")
    return len(seen)


# One game, in a worker


def _analyse_batch(
    job: AnalysisJob, report_share: Callable[[float], None] | None, batch: tuple[IndexedItem, ...]
) -> Done:
    ((place, item),) = batch
    if isinstance(item, Unread):
        return Done(place, item.source, item.number, "", [item.say(job.voice.language)], [], 0)
    game = item.read()
    problems = [error.say(job.voice.language) for error in game.errors]
    analysis, puzzles = None, list[Puzzle]()
    engine_errors = _external_errors() if job.settings.engine else ()
    try:
        analysis, puzzles = _analyse(game, job, report_share)
    except (FenError, PositionError):
        pass  # already among the errors of the game
    except XiangqiError as error:
        message = error.say(job.voice.language)
        problems.append(f"{item.source}:{item.number}: {message}")
    except engine_errors as error:
        problems.append(f"{item.source}:{item.number}: the engine failed: {error}")
    if analysis is not None:
        annotate(game, analysis, job.settings, job.voice)
    done = _finish(job, place, item, game, analysis, problems)
    return done._replace(puzzles=[puzzle.to_dict() for puzzle in puzzles])


def _analyse(
    game: Game, job: AnalysisJob, report_share: Callable[[float], None] | None
) -> tuple[GameAnalysis, list[Puzzle]]:
    """Analyse a game; if an external engine fails, restart it and try once more."""
    moves, settings = game.moves(), job.settings
    share = 1 / (len(moves) + 1)

    def on_position() -> None:
        if report_share is not None:
            report_share(share)

    def analyse() -> tuple[GameAnalysis, list[Puzzle]]:
        analyst = borrow_analyst(settings.engine, settings.options, settings.rules)
        analysis = analyse_moves(game.fen, moves, analyst, settings, on_position)
        if not job.puzzles:
            return analysis, []
        found = find_puzzles(game.fen, moves, analysis, analyst, settings.effort, settings.rules)
        return analysis, list(found)

    if not settings.engine:
        return analyse()
    try:
        return analyse()
    except _external_errors():
        return_analyst()
    try:
        return analyse()
    except _external_errors():
        return_analyst()
        raise


def _external_errors() -> tuple[type[Exception], ...]:
    """Errors of external engines; ours raises none of them."""
    from asyncio import TimeoutError

    from xiangqi.board.scores import EngineError

    return EngineError, TimeoutError, OSError


def _finish(
    job: AnalysisJob,
    place: int,
    item: Item,
    game: Game,
    analysis: GameAnalysis | None,
    problems: list[str],
) -> Done:
    try:
        text = _format(job, game, analysis)
    except FormatError as error:
        text = ""
        problems.append(f"{item.source}:{item.number}: not written: {error}")
    plies = 0 if analysis is None else len(analysis.plies)
    return Done(place, item.source, item.number, text, problems, [], plies)


def _format(job: AnalysisJob, game: Game, analysis: GameAnalysis | None) -> str:
    out = io.BytesIO()
    notation = job.voice.notation if job.format == "pgn" else None
    find_format(job.format).write([game], out, WriteOptions(notation))
    text = out.getvalue().decode("utf-8")
    if job.format == "pgn" or analysis is None:
        return text
    data = json.loads(text) | {"analysis": analysis_to_dict(analysis, job.settings)}
    return json.dumps(data, ensure_ascii=False) + "\n"


def _give_up(job: AnalysisJob, indexed: IndexedItem) -> Done:
    """Result of a game that kills its workers: the game is written unchanged."""
    place, item = indexed
    why = f"{item.source}:{item.number}: the process that analyses it has died, {TRIES} times"
    if isinstance(item, Unread):
        return Done(place, item.source, item.number, "", [item.why], [], 0)
    return _finish(job, place, item, item.read(), None, [why])
