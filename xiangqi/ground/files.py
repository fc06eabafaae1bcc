"""Input and output files of commands, and journals, from which an interrupted run is resumed.

:func:`open_to_append` opens and locks an append-only file; a :class:`Journal` is such a file of
JSON lines. A killed run leaves at most one incomplete last line, which is cut off on resuming.
Libraries that a board does not need are imported where they are used.
"""

from __future__ import annotations

import glob
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

from xiangqi.ground.errors import Fact, FormatError, reason_of
from xiangqi.ground.errors.copies import NotCopied

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "STANDARD",
    "Journal",
    "JournalLine",
    "LockedError",
    "exists_error",
    "find_change",
    "find_inputs",
    "is_zipped",
    "load_toml",
    "lock_file",
    "name_input",
    "new_file",
    "open_input",
    "open_output",
    "open_to_append",
    "parse_toml",
    "remove_abandoned",
    "remove_empty",
    "unzipped",
    "write_all",
]

STANDARD: Final = "-"
"""File name that means standard input or output."""
_ZIPPED: Final = ".gz"
_MAGIC: Final = b"\x1f\x8b"
_LOCKED_BYTE: Final = 2**31 - 1


# Reading


def find_inputs(
    names: Iterable[str],
    suffixes: Collection[str],
    output: Path | None = None,
    is_known: Callable[[str], bool] | None = None,
) -> list[str]:
    """List the input files for names of files and folders, all checked before any is read.

    A folder means the files in it and its subfolders that end with one of the suffixes, with or
    without ``.gz``, or for which ``is_known`` is true, in the order of their paths, except hidden
    ones and the ``output``. Raises FormatError for a missing or unreadable file or folder, and for
    a folder without such files.
    """
    found: list[str] = []
    for name in names:
        if name == STANDARD or not _is_folder(name):
            found.append(name)
            continue
        inside = [path for path in _walk(name, suffixes, is_known) if not _is_part_of(path, output)]
        if not inside:
            raise FormatError(name, "", Fact("file.none_in_folder", names=", ".join(suffixes)))
        found += inside
    return found


def _is_folder(name: str) -> bool:
    """Is it a folder? Raises FormatError for a missing or unreadable path."""
    try:
        is_folder = stat.S_ISDIR(os.stat(name).st_mode)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise FormatError(name or "''", "", reason_of(error)) from error
    if not os.access(name, os.R_OK):
        raise FormatError(name, "", Fact("system.no_permission"))
    return is_folder


def _walk(
    folder: str, suffixes: Collection[str], is_known: Callable[[str], bool] | None
) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(place, name)
            has_suffix = Path(name.lower().removesuffix(_ZIPPED)).suffix in suffixes
            if not name.startswith(".") and (has_suffix or (is_known and is_known(path))):
                found.append(path)
    return sorted(found)


def _is_part_of(path: str, output: Path | None) -> bool:
    """Is it the output, inside the output folder, or the journal of a Parquet output?"""
    if output is None:
        return False
    place, written = Path(path).absolute(), output.absolute()
    return written in (place, *place.parents) or place == Path(f"{written}.jsonl")


def name_input(name: str) -> str:
    """Name of an input file in messages."""
    return "standard input" if name == STANDARD else name


@contextmanager
def open_input(name: str) -> Iterator[IO[bytes]]:
    """Open a file for reading, or standard input, which is left open. Raises OSError."""
    if name == STANDARD:
        yield sys.stdin.buffer
        return
    with open(name, "rb") as file:
        yield file


def is_zipped(beginning: bytes) -> bool:
    """Does a file begin like one compressed with gzip?"""
    return beginning.startswith(_MAGIC)


@contextmanager
def unzipped(data: IO[bytes], source: str) -> Iterator[io.BufferedReader]:
    """Open the content of an open file, decompressing gzip; the file itself is left open.

    Raises FormatError for damaged gzip data, with ``source`` as the file's name.
    """
    import gzip

    plain = outer = io.BufferedReader(cast(Any, data))
    try:
        if is_zipped(outer.peek(len(_MAGIC))):
            plain = io.BufferedReader(cast(Any, gzip.GzipFile(fileobj=outer)))
        yield plain
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(source, "", Fact("file.damaged_gzip", error=str(error))) from error
    finally:
        if not data.closed:
            outer.detach()


# Writing


def exists_error(path: Path, *, resumable: bool = False) -> FormatError:
    """Make the error for an existing output file, the same for all commands.

    >>> print(exists_error(Path("games.pgn")))
    games.pgn: file exists; use --force to replace it
    """
    code = "file.exists_resumable" if resumable else "file.exists"
    return FormatError(str(path), "", Fact(code))


class _NamedFile(io.FileIO):
    """A file whose name is in the errors of writing, as it is in those of opening."""

    def __init__(self, path: Path, mode: str, name: Path) -> None:
        super().__init__(path, mode)
        self._filename = str(name)

    def write(self, data: Any) -> int:
        """Write bytes. Raises OSError with the file's name, for example if the disk is full."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._filename
            raise


def open_output(path: Path, mode: str, *, name: Path | None = None) -> io.FileIO:
    """Open a file for writing, without a buffer; ``mode`` is as for :func:`open`.

    An OSError of a later write has the file's name, or ``name`` if given.
    """
    return _NamedFile(path, mode, name or path)


@contextmanager
def new_file(path: Path, *, replace: bool = False, tidy: bool = True) -> Iterator[IO[bytes]]:
    """Open a new file, which replaces an old one only on success and if something was written.

    It is compressed if the name ends with ``.gz``. A device or a pipe is written to directly.
    Hidden files that killed processes left of the same output are deleted first, unless ``tidy`` is
    false: who writes many files calls :func:`remove_abandoned` once, which reads the whole folder.
    Raises FormatError if the file exists and ``replace`` is false, and if it cannot be created.
    """
    if path.exists() and not path.is_file():
        with _open_new(path, path) as file:
            yield file
        return
    if not replace and path.exists():
        raise exists_error(path)
    if tidy:
        remove_abandoned(path.parent, path.name)
    part, file = _open_part(path)
    try:
        with file:
            if path.suffix == _ZIPPED:
                import gzip

                with gzip.GzipFile(fileobj=file, mode="wb") as zipped:
                    yield cast("IO[bytes]", zipped)
                    is_empty = not zipped.tell()
            else:
                yield file
                is_empty = not file.tell()
        if not is_empty:
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def remove_abandoned(folder: Path, name: str = "") -> None:
    """Delete what killed processes left of new files in a folder, or of the one with this name.

    A process that is still writing holds a lock.
    """
    for part in folder.glob(f".{glob.escape(name) or '*'}.*.part"):
        with suppress(OSError):
            with part.open("rb+") as file:
                is_abandoned = lock_file(file)
                if is_abandoned and os.name != "nt":
                    part.unlink()
            if is_abandoned and os.name == "nt":  # no open file can be deleted there
                part.unlink()


def _open_part(path: Path) -> tuple[Path, IO[bytes]]:
    """Create and lock a hidden file beside an output.

    Between the two steps another process may take it for abandoned; then the next one is tried.
    """
    while True:
        part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
        file = _open_new(part, path)
        if lock_file(file) and part.exists():
            return part, file
        file.close()


def _open_new(part: Path, path: Path) -> IO[bytes]:
    try:
        return io.BufferedWriter(open_output(part, "w", name=path))
    except OSError as error:
        raise FormatError(str(path), "", reason_of(error)) from error


def lock_file(file: IO[bytes]) -> bool:
    """Lock a file against other processes until it is closed or this process ends.

    Returns False if another process holds the lock, True also on systems that cannot lock files.
    """
    for lock in (_lock_by_fcntl, _lock_by_msvcrt):
        with suppress(ImportError):
            return lock(file)
    return True


def _lock_by_fcntl(file: IO[bytes]) -> bool:
    fcntl: Any = import_module("fcntl")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_by_msvcrt(file: IO[bytes]) -> bool:
    """Lock one byte far beyond the end, since Windows forbids others to read locked bytes."""
    msvcrt: Any = import_module("msvcrt")
    descriptor = file.fileno()
    offset = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(descriptor, offset, os.SEEK_SET)
    return True


def remove_empty(path: Path) -> None:
    """Delete a file if it exists and is empty."""
    if path.is_file() and not path.stat().st_size:
        path.unlink()


def load_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file; raises OSError, or ValueError for a file that is not TOML in UTF-8."""
    return parse_toml(path.read_bytes())


def parse_toml(content: bytes) -> dict[str, Any]:
    """Parse the content of a TOML file; raises ValueError if it is not TOML in UTF-8."""
    # Imported only here: the parser takes longer to load than the whole board.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    return tomllib.loads(content.decode("utf-8-sig"))


# Journals


class LockedError(FormatError):
    """Error for a file that another process is writing."""


class JournalLine(NamedTuple):
    """A complete line of a journal."""

    number: int
    """Number of the line, from 1."""
    start: int
    """Offset in bytes; see :meth:`Journal.read_at`."""
    data: bytes
    """The line with its end."""


def open_to_append(path: Path, *, resume: bool = False, replace: bool = False) -> IO[bytes]:
    """Open a file, unbuffered, for reading and appending, and lock it until it is closed.

    ``resume`` keeps an existing file, otherwise ``replace`` empties it. Raises FormatError if it
    exists and neither is given, or if it cannot be opened; LockedError if another process has
    locked it.
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
    """Write all data to an unbuffered file; with ``sync`` also flush it to the disk."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    if sync:
        os.fsync(file.fileno())


class Journal(NotCopied):
    """Append-only file of JSON lines; see :func:`open_to_append`.

    Read the :meth:`lines` of a resumed journal before appending. With ``sync`` every line reaches
    the disk before :meth:`append` returns.
    """

    HOLDS = "an open file"

    def __init__(
        self, path: Path, *, resume: bool = False, replace: bool = False, sync: bool = False
    ) -> None:
        self.path = path
        self._sync = sync
        self._file = open_to_append(path, resume=resume, replace=replace)

    def lines(self) -> Iterator[JournalLine]:
        """Iterate over the complete lines, then cut off an incomplete last one."""
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
        """Append an object as a line; return the offset of the line."""
        import json

        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return self.append_text(f"{text}\n")

    def append_text(self, lines: str) -> int:
        """Append lines with their ends; return the offset of the first one.

        A lone surrogate, which JSON can express and UTF-8 cannot, is written as an escape.
        """
        start = self._file.seek(0, os.SEEK_END)
        write_all(self._file, lines.encode("utf-8", "backslashreplace"), sync=self._sync)
        return start

    def read_at(self, start: int) -> dict[str, Any]:
        """Read the object of the line at an offset."""
        import json

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
    """Return the alphabetically first name whose values differ; None if all are equal."""
    names = sorted(found.keys() | expected.keys())
    return next((name for name in names if found.get(name) != expected.get(name)), None)
