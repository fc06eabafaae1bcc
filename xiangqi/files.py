"""Files that commands are given to read, and files that they write."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, cast

from xiangqi.errors import Fact, FormatError, reason_of

__all__ = [
    "STANDARD",
    "exists_error",
    "find_inputs",
    "is_zipped",
    "load_toml",
    "lock_file",
    "name_input",
    "new_file",
    "open_input",
    "open_output",
    "remove_empty",
    "unzipped",
]

STANDARD: Final = "-"
"""Name of standard input and output among the names of files."""
_ZIPPED: Final = ".gz"
_MAGIC: Final = b"\x1f\x8b"
_LOCKED_BYTE: Final = 2**31 - 1


# Reading


def find_inputs(
    names: Iterable[str], suffixes: Collection[str], output: Path | None = None
) -> list[str]:
    """Files named by some names, all of them looked at before any is read.

    A folder means the files in it and in its folders whose names end with one of the suffixes,
    ``.gz`` behind it or not, in the order of their paths; hidden ones and the ``output`` are passed
    over. Raises FormatError for a name that is not there or may not be read, and for a folder
    without such files.
    """
    found: list[str] = []
    for name in names:
        if name == STANDARD:
            found.append(name)
        elif _is_folder(name):
            inside = [path for path in _walk(name, suffixes) if not _is_part_of(path, output)]
            if not inside:
                raise FormatError(name, "", Fact("file.none_in_folder", names=", ".join(suffixes)))
            found += inside
        else:
            found.append(name)
    return found


def _is_folder(name: str) -> bool:
    """Is it a folder? Raises FormatError where there is nothing that can be read."""
    try:
        is_folder = stat.S_ISDIR(os.stat(name).st_mode)
    except (OSError, ValueError) as error:  # a null character is no part of a name
        raise FormatError(name or "''", "", reason_of(error)) from error
    if not os.access(name, os.R_OK):
        raise FormatError(name, "", Fact("system.no_permission"))
    return is_folder


def _walk(folder: str, suffixes: Collection[str]) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            os.path.join(place, name)
            for name in names
            if not name.startswith(".")
            and Path(name.lower().removesuffix(_ZIPPED)).suffix in suffixes
        ]
    return sorted(found)


def _is_part_of(path: str, output: Path | None) -> bool:
    """Is it the output, in the folder that is the output, or what a table is made from?"""
    if output is None:
        return False
    place, written = Path(path).absolute(), output.absolute()
    return written in (place, *place.parents) or place == Path(f"{written}.jsonl")


def name_input(name: str) -> str:
    """Name of a file in messages."""
    return "standard input" if name == STANDARD else name


@contextmanager
def open_input(name: str) -> Iterator[IO[bytes]]:
    """A file to read, or standard input, which is left open. Raises OSError."""
    if name == STANDARD:
        yield sys.stdin.buffer
        return
    with open(name, "rb") as file:
        yield file


def is_zipped(beginning: bytes) -> bool:
    """Does a file that begins like this claim to be compressed with gzip?"""
    return beginning.startswith(_MAGIC)


@contextmanager
def unzipped(data: IO[bytes], source: str) -> Iterator[io.BufferedReader]:
    """Content of an open file, which is left open; it may be compressed with gzip.

    Raises FormatError where that is damaged; ``source`` is the file's name there.
    """
    plain = outer = io.BufferedReader(cast(Any, data))
    try:
        if is_zipped(outer.peek(len(_MAGIC))):
            plain = io.BufferedReader(cast(Any, gzip.GzipFile(fileobj=outer)))
        yield plain
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(source, "", Fact("file.damaged_gzip", error=str(error))) from error
    finally:
        outer.detach()


# Writing


def exists_error(path: Path, *, resumable: bool = False) -> FormatError:
    """The error for an output that exists: one rule and one message for all commands.

    >>> print(exists_error(Path("games.pgn")))
    games.pgn: file exists; use --force to replace it
    """
    code = "file.exists_resumable" if resumable else "file.exists"
    return FormatError(str(path), "", Fact(code))


class _NamedFile(io.FileIO):
    """A file whose errors of writing name it, as those of opening do."""

    def __init__(self, path: Path, mode: str, name: Path) -> None:
        super().__init__(path, mode)
        self._told = str(name)

    def write(self, data: Any) -> int:
        """Write bytes. Raises OSError with the file's name, where the disk is full for example."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._told
            raise


def open_output(path: Path, mode: str, *, name: Path | None = None) -> io.FileIO:
    """Open a file to write, without a buffer; ``mode`` is as for :func:`open`.

    An OSError of a later write has the file's name too, or ``name`` in its place.
    """
    return _NamedFile(path, mode, name or path)


@contextmanager
def new_file(path: Path, *, replace: bool = False) -> Iterator[IO[bytes]]:
    """A file to write that takes its name when all went well and something was written; until
    then nothing is touched.

    It is compressed where the name ends with ``.gz``. What is no file, such as a device or a
    pipe, is written to as it is. Raises FormatError where there is a file with this name that is
    not to be replaced, and where none can be made.
    """
    if path.exists() and not path.is_file():
        with _open_new(path, path) as file:
            yield file
        return
    if not replace and path.exists():
        raise exists_error(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    file = _open_new(part, path)
    try:
        with file:
            if path.suffix == _ZIPPED:
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


def _open_new(part: Path, path: Path) -> IO[bytes]:
    try:
        return io.BufferedWriter(open_output(part, "w", name=path))
    except OSError as error:
        raise FormatError(str(path), "", reason_of(error)) from error


def lock_file(file: IO[bytes]) -> bool:
    """Keep other processes away until the file is closed or this one ends, however it ends.

    False if another one has it. Where files cannot be locked so there is no such protection.
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
    """Windows keeps everybody from reading what is locked: one byte far behind the end is."""
    msvcrt: Any = import_module("msvcrt")
    number = file.fileno()
    place = os.lseek(number, 0, os.SEEK_CUR)
    os.lseek(number, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(number, place, os.SEEK_SET)
    return True


def remove_empty(path: Path) -> None:
    """Take a file away into which nothing was written, if it is there."""
    if path.is_file() and not path.stat().st_size:
        path.unlink()


def load_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file; raises OSError, or ValueError for a file that is not TOML in UTF-8."""
    # Imported where a file is read: the parser takes longer to load than the whole board.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
