"""Files that are only appended to, so that an interrupted run can be resumed.

:func:`open_to_append` opens and locks a file; a :class:`Journal` is such a file of JSON lines. A
run that is killed leaves at most one incomplete last line, which is cut off when it is resumed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from xiangqi.errors import Fact, FormatError, reason_of
from xiangqi.files import exists_error, lock_file, open_output

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Journal", "JournalLine", "LockedError", "find_change", "open_to_append", "write_all"]


class LockedError(FormatError):
    """Another process is writing the file."""


class JournalLine(NamedTuple):
    """A complete line of a journal."""

    number: int
    """From 1."""
    start: int
    """Offset in bytes; see :meth:`Journal.read_at`."""
    data: bytes
    """The line with its end."""


def open_to_append(path: Path, *, resume: bool = False, replace: bool = False) -> IO[bytes]:
    """Open a file, unbuffered, for reading and appending, and lock it until it is closed.

    ``resume`` keeps an existing file, otherwise ``replace`` empties it. Raises FormatError if it
    exists and neither is given, and if it cannot be opened; LockedError if another process has it.
    """
    exists = path.exists()
    if exists and not (resume or replace):
        raise exists_error(path, resumable=True)
    try:
        file = open_output(path, "r+" if exists else "x+")
    except OSError as error:
        raise FormatError(str(path), "", reason_of(error)) from error
    if not lock_file(file):
        file.close()
        raise LockedError(str(path), "", Fact("file.writing"))
    if not resume:
        file.truncate()
    return file


def write_all(file: IO[bytes], data: bytes, *, sync: bool = False) -> None:
    """Write data to an unbuffered file, with ``sync`` to the disk."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    if sync:
        os.fsync(file.fileno())


class Journal:
    """A file of JSON lines that is only appended to; see :func:`open_to_append`.

    Read the :meth:`lines` of a resumed journal before appending. With ``sync`` every line reaches
    the disk before :meth:`append` returns.
    """

    def __init__(
        self, path: Path, *, resume: bool = False, replace: bool = False, sync: bool = False
    ) -> None:
        self.path = path
        self._sync = sync
        self._file = open_to_append(path, resume=resume, replace=replace)

    def lines(self) -> Iterator[JournalLine]:
        """Iterate over the complete lines; at the end cut off an incomplete one."""
        start = 0
        with open(self._file.fileno(), "rb", closefd=False) as reader:
            for number, data in enumerate(reader, start=1):
                if not data.endswith(b"\n"):
                    break
                yield JournalLine(number, start, data)
                start += len(data)
        self._file.truncate(start)
        self._file.seek(start)

    def append(self, data: Mapping[str, Any]) -> int:
        """Append an object as a line; returns the offset of the line."""
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return self.append_text(f"{text}\n")

    def append_text(self, lines: str) -> int:
        """Append lines with their ends; returns the offset of the first one.

        Half of a surrogate pair, which JSON can express and UTF-8 cannot, is written as an escape.
        """
        start = self._file.seek(0, os.SEEK_END)
        write_all(self._file, lines.encode("utf-8", "backslashreplace"), sync=self._sync)
        return start

    def read_at(self, start: int) -> dict[str, Any]:
        """Read the object of the line at an offset."""
        with open(self._file.fileno(), "rb", closefd=False) as reader:
            reader.seek(start)
            found: dict[str, Any] = json.loads(reader.readline())
            return found

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def find_change(found: Mapping[str, Any], expected: Mapping[str, Any]) -> str | None:
    """Find the first setting, by name, in which a resumed run differs; None if there is none."""
    names = sorted(found.keys() | expected.keys())
    return next((name for name in names if found.get(name) != expected.get(name)), None)
