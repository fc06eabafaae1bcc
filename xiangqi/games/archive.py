"""Rulings on the games of many files, by any number of workers.

    >>> from xiangqi.games.archive import Archive, in_processes, rule_archive
    >>> for batch in rule_archive(Archive(["a.pgn", "b.jsonl.gz"]), workers=in_processes(4)):
    ...     print(*batch.lines, sep="\\n")  # doctest: +SKIP

An :class:`Archive` cuts files into games, which is quick; the workers
(:mod:`xiangqi.ground.workers`), in any executor of :mod:`concurrent.futures`, read the games and
rule on them. The results are in the order of the games, the same for any number of workers. Only a
few batches of games are in memory.

:func:`judge_to_file` writes the rulings as JSON lines, so that a run can be stopped at any time and
resumed later. Parquet files cannot be appended to: their rulings are written as JSON lines to
``OUT.parquet.jsonl``, from which the file is made at the end.
"""

from __future__ import annotations

import functools
import json
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from xiangqi.games.arbiter import GameRuling, describe_books, rule_by_books, rule_game
from xiangqi.games.formats import CutGame, cut_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError, XiangqiError
from xiangqi.ground.files import STANDARD, Journal, exists_error, name_input, new_file, open_input
from xiangqi.ground.installed import how_to_install
from xiangqi.ground.lines import decode_escaped
from xiangqi.ground.texts import Language, say
from xiangqi.ground.workers import (
    TRIES,
    Workers,
    in_processes,
    in_this_process,
    on_cluster,
    on_executor,
    run_in_order,
)
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "SUFFIXES",
    "Archive",
    "Item",
    "RuledBatch",
    "RulingsFile",
    "Tally",
    "Unread",
    "Workers",
    "in_processes",
    "in_this_process",
    "judge_to_file",
    "make_batches",
    "on_cluster",
    "on_executor",
    "require_parquet",
    "rule_archive",
    "ruling_line",
    "unread_line",
    "write_parquet",
]

BATCH_GAMES: Final = 128
"""Maximum number of games in a batch, a few dozen milliseconds of work."""
BATCH_BYTES: Final = 1 << 18
"""Input size in bytes at which a batch of long games is complete."""


class Unread(NamedTuple):
    """Input that could not be ruled on: a file, the rest of one, or a game."""

    source: str
    number: int | None
    """Number of the game in the file; None if the rest of the file is unreadable."""
    why: str
    error: XiangqiError | None = None

    def say(self, language: Language) -> str:
        """Format the reason in a language; in English if there is no translation."""
        return self.why if self.error is None else self.error.say(language)


Item: TypeAlias = CutGame | Unread


class Archive:
    """Iterator over the games of some files, in the order of the files.

    The name ``-`` is standard input. A file that is unreadable in whole or in part yields one
    :class:`Unread`.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.size = sum(map(_size, names))
        """Size of all files in bytes."""
        self.files = len(names)
        """Number of files."""
        self.done = 0
        """Number of files read to their end."""
        self._finished_bytes = 0
        self._file: IO[bytes] | None = None
        self._items = self._read(names)

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    def close(self) -> None:
        """Close the current file and end the iteration."""
        self._items.close()

    @property
    def position(self) -> int:
        """Number of bytes read from the files; pipes count as 0."""
        file = self._file
        offset = file.tell() if file is not None and file.seekable() else 0
        return self._finished_bytes + offset

    def _read(self, names: Sequence[str]) -> Generator[Item, None, None]:
        for name in names:
            unread, source = None, name_input(name)
            try:
                with open_input(name) as self._file:
                    yield from cut_games(self._file, source=source)
            except XiangqiError as error:
                unread = Unread(source, None, str(error), error)
            except OSError as error:
                unread = Unread(source, None, str(error))
            self._file = None
            self._finished_bytes += _size(name)
            self.done += 1
            if unread is not None:
                yield unread


def _size(name: str) -> int:
    try:
        return 0 if name == STANDARD else os.stat(name).st_size
    except OSError:
        return 0


def make_batches(archive: Archive, max_games: int = BATCH_GAMES) -> Iterator[tuple[Item, ...]]:
    """Group the games of an archive into batches of at most ``max_games``, fewer long ones."""
    batch: list[Item] = []
    start = archive.position
    for item in archive:
        batch.append(item)
        if len(batch) >= max_games or archive.position - start >= BATCH_BYTES:
            yield tuple(batch)
            batch, start = [], archive.position
    if batch:
        yield tuple(batch)


GROUP_ROWS: Final = 4096
"""Number of rows in a row group, which is built in memory."""

_TYPES: Final = {
    "source": "string", "game": "int64", "red": "string", "black": "string", "recorded": "string",
    "plies": "int64", "result": "string", "termination": "string", "ply": "int64",
    "warned": "int64", "agrees": "bool", "rules": "string", "offender": "string",
    "red_conduct": "string", "black_conduct": "string", "reason": "string", "ruling": "string",
    "others": "string", "errors": "list",
}  # fmt: skip
"""Parquet columns with their types. ``ruling`` is JSON with all evidence, null unless a repetition
decided the game; ``others`` is JSON with the rulings by other rule sets and the differences, null
without these."""


def require_parquet() -> None:
    """Raise FormatError unless the library for Parquet is installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        why = Fact("file.needs", library="pyarrow", how=how_to_install("parquet"))
        raise FormatError("parquet", "", why) from error


def write_parquet(lines: Path, path: Path, *, replace: bool = False) -> None:
    """Convert a file of rulings from JSON lines to Parquet; raises FormatError, see
    :func:`~xiangqi.ground.files.new_file`."""
    import pyarrow as pa
    from pyarrow import parquet

    types = {
        "string": pa.string(), "int64": pa.int64(), "bool": pa.bool_(),
        "list": pa.list_(pa.string()),
    }  # fmt: skip
    schema = pa.schema([(name, types[kind]) for name, kind in _TYPES.items()])
    with (
        lines.open("rb") as file,
        new_file(path, replace=replace) as out,
        parquet.ParquetWriter(out, schema, compression="zstd") as writer,
    ):
        rows = map(_flat_row, file)
        while group := list(islice(rows, GROUP_ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def _flat_row(line: bytes) -> dict[str, Any]:
    """Parquet row of a ruling in JSON."""
    row: dict[str, Any] = json.loads(line)
    ruling = row["ruling"]
    if ruling is not None:
        row["red_conduct"], row["black_conduct"] = ruling["red"], ruling["black"]
        row["offender"], row["reason"] = ruling["offender"], ruling["reason"]
        row["ruling"] = json.dumps(ruling, ensure_ascii=False)
    if "others" in row:
        others = {key: row[key] for key in ("others", "differences")}
        row["others"] = json.dumps(others, ensure_ascii=False)
    row["errors"] = [_escape_surrogates(error) for error in row["errors"]]
    return {name: _escape_surrogates(value) for name, value in row.items()}


def _escape_surrogates(value: Any) -> Any:
    """Replace lone surrogates in text, which UTF-8 cannot encode, by their JSON escapes."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


_KEYS: Final = tuple(rule_game(Game()).to_dict())
"""Keys of a ruling."""


class Tally(Counter[str]):
    """Numbers of games by kind.

    >>> tally = Tally()
    >>> tally.count(is_game=True, is_repetition=False, agrees=None, errors=2)
    >>> print(tally)
    games: 1, repetitions: 0, other results: 0, unread: 2
    """

    def count(
        self, *, is_game: bool, is_repetition: bool, agrees: bool | None, errors: int
    ) -> None:
        """Count a game, or input that could not be read as one."""
        self["games"] += is_game
        self["repetitions"] += is_repetition
        self["other results"] += agrees is False
        self["unread"] += errors

    def describe(self, language: Language = "en") -> str:
        """Format all counts."""
        return say(
            language,
            "counted",
            games=self["games"],
            repetitions=self["repetitions"],
            others=self["other results"],
            unread=self["unread"],
        )

    def __str__(self) -> str:
        return self.describe()


class RuledBatch(NamedTuple):
    """Rulings on consecutive games of the archive."""

    lines: list[str | Unread]
    """Output line of each game, or the reason for its absence."""
    tally: Tally


def ruling_line(ruled: GameRuling) -> str:
    """Format the ruling on a game, with all evidence, as a line of JSON."""
    return json.dumps(ruled.to_dict(), ensure_ascii=False)


def unread_line(unread: Unread, *books: RuleSet | str) -> str:
    """Format a line of JSON with the keys of a ruling, all null but the place, rules and errors."""
    row: dict[str, Any] = dict.fromkeys(_KEYS)
    row["source"], row["game"] = unread.source, unread.number
    row["rules"], row["errors"] = describe_books(books), [unread.why]
    return json.dumps(row, ensure_ascii=False)


def rule_archive(
    archive: Archive,
    rules: RuleSet | str = WXF,
    workers: Workers | None = None,
    *,
    others: Sequence[RuleSet | str] = (),
    write: Callable[[GameRuling], str] = ruling_line,
    batch_games: int = BATCH_GAMES,
) -> Iterator[RuledBatch]:
    """Rule on the remaining games of an archive, in their order.

    Each ruling includes those by the rule sets ``others``. ``write`` formats a ruling in the
    worker, so it must be picklable. The results are the same for any workers and batch size. Raises
    WorkersError if the workers are lost and cannot be restarted.
    """
    books = tuple(find_rule_set(book) for book in (rules, *others))
    with closing(archive):
        yield from run_in_order(
            functools.partial(_rule_batch, books, write),
            make_batches(archive, batch_games),
            workers or in_this_process(),
            _give_up,
        )


def _rule_batch(
    books: Sequence[RuleSet], write: Callable[[GameRuling], str], batch: tuple[Item, ...]
) -> RuledBatch:
    ruled = RuledBatch([], Tally())
    for item in batch:
        if isinstance(item, Unread):
            _add_unread(ruled, item)
            continue
        ruling = rule_by_books(item.read(), books, source=item.source, number=item.number)
        ruled.lines.append(write(ruling))
        ruled.tally.count(
            is_game=True,
            is_repetition=ruling.ruling is not None,
            agrees=ruling.agrees,
            errors=len(ruling.errors),
        )
    return ruled


def _give_up(item: Item) -> RuledBatch:
    """Report a game that crashed its workers."""
    ruled = RuledBatch([], Tally())
    why = f"{item.source}:{item.number}: the process that rules on it has died, {TRIES} times"
    _add_unread(ruled, Unread(item.source, item.number, why))
    return ruled


def _add_unread(ruled: RuledBatch, unread: Unread) -> None:
    ruled.lines.append(unread)
    ruled.tally.count(is_game=unread.number is not None, is_repetition=False, agrees=None, errors=1)


_RESUME_KEYS: Final = ("source", "game", "rules", "ruling", "agrees", "errors")
_PARQUET: Final = ".parquet"
SUFFIXES: Final = (".jsonl", ".ndjson", _PARQUET)
"""File suffixes of rulings."""


def judge_to_file(
    archive: Archive,
    path: Path,
    rules: RuleSet | str = WXF,
    workers: Workers | None = None,
    *,
    others: Sequence[RuleSet | str] = (),
    resume: bool = False,
    replace: bool = False,
    batch_games: int = BATCH_GAMES,
    on_batch: Callable[[Tally], None] = lambda _: None,
    on_unread: Callable[[Unread], None] = lambda _: None,
) -> Tally:
    """Rule on all games of an archive and write the rulings to a file; return the counts.

    The suffix of the file selects JSON lines or Parquet. ``resume`` keeps the rulings of a stopped
    run and makes only the missing ones; otherwise ``replace`` overwrites an existing file.
    ``on_batch`` is called with the counts after every batch, ``on_unread`` with each input that
    could not be ruled on. Raises FormatError if the file exists and neither is given, or if it
    holds rulings on other games; WorkersError as :func:`rule_archive` does.
    """
    first, *others = books = [find_rule_set(book) for book in (rules, *others)]
    if path.suffix not in SUFFIXES:
        names = ", ".join(SUFFIXES)
        raise FormatError(str(path), "", Fact("file.rulings_suffix", names=names))
    is_parquet = path.suffix == _PARQUET
    lines = path.with_name(f"{path.name}.jsonl") if is_parquet else path
    if is_parquet:
        require_parquet()
        if path.exists() and not replace:
            raise exists_error(path)
    with closing(archive), RulingsFile(lines, resume=resume, replace=replace) as file:
        tally = file.keep(archive, *books)
        on_batch(tally)
        for batch in rule_archive(archive, first, workers, others=others, batch_games=batch_games):
            file.write(batch, *books)
            for line in batch.lines:
                if isinstance(line, Unread):
                    on_unread(line)
            tally.update(batch.tally)
            on_batch(tally)
    if is_parquet:
        write_parquet(lines, path, replace=replace)
        lines.unlink()
    return tally


class RulingsFile:
    """File of rulings as JSON lines, one for each game; see :class:`~xiangqi.ground.files.Journal`.

    ``resume`` continues an existing file, otherwise ``replace`` empties it. Raises FormatError if
    it exists and neither is given, and if it cannot be opened.
    """

    def __init__(self, path: Path, *, resume: bool = False, replace: bool = False) -> None:
        self._path = path
        self._journal = Journal(path, resume=resume, replace=replace)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def keep(self, archive: Archive, *books: RuleSet | str) -> Tally:
        """Check and count the existing rulings, and skip their games in the archive.

        An incomplete last line is cut off. Raises FormatError for a line that is not the ruling on
        the next game.
        """
        tally, rules = Tally(), describe_books(books)
        for number, _, line in self._journal.lines():
            place = Fact("place.line", line=number)
            try:
                content = json.loads(line)
                row = {key: content[key] for key in _RESUME_KEYS}
            except (ValueError, TypeError, KeyError):
                why = Fact("file.no_ruling", line=decode_escaped(line))
                raise FormatError(str(self._path), place, why) from None
            item = next(archive, None)
            found = [row["source"], row["game"], row["rules"]]
            expected = None if item is None else [item.source, item.number, rules]
            if found != expected:
                texts = {"found": _describe(found), "wanted": _describe(expected)}
                why = Fact("file.resumed_ruling", **texts)
                raise FormatError(str(self._path), place, why)
            tally.count(
                is_game=row["game"] is not None,
                is_repetition=row["ruling"] is not None,
                agrees=row["agrees"],
                errors=len(row["errors"]),
            )
        return tally

    def write(self, batch: RuledBatch, *books: RuleSet | str) -> None:
        """Write the rulings of a batch to the file, without buffering."""
        lines = (
            unread_line(line, *books) if isinstance(line, Unread) else line for line in batch.lines
        )
        self._journal.append_text("".join(f"{line}\n" for line in lines))


def _describe(row: list[Any] | None) -> str:
    if row is None:
        return "no further game"
    source, number, rules = row
    return f"{source}:{number} by the rules {rules}" if number else f"the file {source}"
