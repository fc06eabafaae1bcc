"""The rulings on an archive as a file, written so that a run may stop anywhere and go on later.

JSON lines are only added to. A file of Parquet cannot be added to: for one the rulings go to JSON
lines beside it, ``OUT.parquet.jsonl``, from which it is made in the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from xiangqi.errors import FormatError, quote, reason_of
from xiangqi.files import exists_error, lock_file
from xiangqi.games.arbiter import describe_books
from xiangqi.games.archive.judging import RuledBatch, Tally, rule_archive, unread_line
from xiangqi.games.archive.source import BATCH_GAMES, Archive, Unread
from xiangqi.games.archive.table import require_parquet, write_parquet
from xiangqi.lines import spell_out
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.workers import Workers

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["SUFFIXES", "RulingsFile", "judge_to_file"]

_KEPT: Final = ("source", "game", "rules", "ruling", "agrees", "errors")
_PARQUET: Final = ".parquet"
SUFFIXES: Final = (".jsonl", ".ndjson", _PARQUET)
"""Endings of the names of such files."""


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
    """Rule on all games of an archive and write the rulings to a file; what there was.

    The file's name decides between JSON lines and Parquet. ``resume`` keeps the rulings of a
    stopped run and makes only those that follow; otherwise ``replace`` overwrites an existing file.
    ``on_batch`` gets the counts after every batch, ``on_unread`` what could not be ruled on. Raises
    FormatError if the file exists and neither is given, or if it holds other rulings; WorkersError.
    """
    first, *others = books = [find_rule_set(book) for book in (rules, *others)]
    if path.suffix not in SUFFIXES:
        expected = f"expected a name that ends with one of {', '.join(SUFFIXES)}"
        raise FormatError(str(path), "", f"the rulings' format is not known: {expected}")
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
    """A file of JSON lines, one for each game, that is only added to.

    ``resume`` continues an existing file, otherwise ``replace`` empties it. Raises FormatError if
    it exists and neither is given, and if none can be made.
    """

    def __init__(self, path: Path, *, resume: bool = False, replace: bool = False) -> None:
        self._path = path
        is_kept = (resume or replace) and path.exists()
        try:
            self._file: IO[bytes] = open(path, "r+b" if is_kept else "x+b")  # noqa: SIM115
        except FileExistsError:
            raise exists_error(path, resumable=True) from None
        except OSError as error:
            raise FormatError(str(path), "", reason_of(error)) from error
        if not lock_file(self._file):
            self._file.close()
            raise FormatError(str(path), "", "another run is writing it")
        if not resume:
            self._file.truncate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def keep(self, archive: Archive, *books: RuleSet) -> Tally:
        """Keep the rulings that are there, and pass over their games in the archive.

        A last line that is not complete is cut off. Raises FormatError where a line is not the
        ruling on the game whose turn it is.
        """
        tally = Tally()
        for number, row in enumerate(self._rows(), start=1):
            item = next(archive, None)
            found = [row["source"], row["game"], row["rules"]]
            expected = None if item is None else [item.source, item.number, describe_books(books)]
            if found != expected:
                why = f"the ruling on {_name(found)}, expected that on {_name(expected)}"
                raise FormatError(str(self._path), f"line {number}", why)
            tally.count(
                is_game=row["game"] is not None,
                is_repetition=row["ruling"] is not None,
                agrees=row["agrees"],
                errors=len(row["errors"]),
            )
        return tally

    def _rows(self) -> Iterator[dict[str, Any]]:
        length = 0
        for number, line in enumerate(self._file, start=1):
            if not line.endswith(b"\n"):
                break
            length += len(line)
            try:
                row = json.loads(line)
                yield {key: row[key] for key in _KEPT}
            except (ValueError, TypeError, KeyError):
                why = f"not a ruling: {quote(spell_out(line))}"
                raise FormatError(str(self._path), f"line {number}", why) from None
        self._file.truncate(length)
        self._file.seek(length)

    def write(self, batch: RuledBatch, *books: RuleSet) -> None:
        """Add the rulings of a batch, and hand them over to the system."""
        lines = (
            unread_line(line, *books) if isinstance(line, Unread) else line for line in batch.lines
        )
        text = "".join(f"{line}\n" for line in lines)
        # Half of a surrogate pair, which JSON can spell and UTF-8 cannot, is spelled out again.
        self._file.write(text.encode("utf-8", "backslashreplace"))
        self._file.flush()


def _name(found: list[Any] | None) -> str:
    if found is None:
        return "no further game"
    source, number, rules = found
    return f"{source}:{number} by the rules {rules}" if number else f"the file {source}"
