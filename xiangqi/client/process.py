"""The process of an engine: starting it, its lines, and its end.

Each engine leads a session of its own, so that Ctrl-C at the terminal does not reach it, and so
that :meth:`EngineProcess.kill` ends its child processes, too. On Linux the kernel kills the engine
when the thread that started it ends in any way: a small launcher requests this and then executes
the engine, because code between fork and exec in a program with threads may deadlock. Elsewhere,
and in a frozen executable, which has no Python to run the launcher, an orphaned engine exits at the
end of its input.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

import chess.engine
from chess.engine import EngineError, EngineTerminatedError

from xiangqi.ground.errors import Fact
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.ground.lines import MAX_LINE_LENGTH, decode_line

__all__ = [
    "EngineProcess",
    "LineListener",
    "kill_group",
    "launch_options",
    "split_command",
    "start_process",
]

LOGGER: Final = logging.getLogger(__name__)

LineListener: TypeAlias = Callable[[Literal["<", ">"], str], object]
"""Called with each line as it is written to (">") or read from ("<") the engine."""

ProtocolT = TypeVar("ProtocolT", bound="EngineProcess")

_ON_WINDOWS: Final = os.name == "nt"

CLOSING_TIME_S: Final = 0.2
"""Seconds that an engine may run after it has closed its output."""

_LAUNCHER: Final = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    sys.exit("the owner has gone")
try:
    os.execvp(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(f"cannot start {sys.argv[2]!r}: {error}")
"""


class EngineProcess(NotCopied, chess.engine.Protocol):
    """Process and line handling of python-chess's protocol, without its commands.

    Lines are UTF-8, or GB18030, which Chinese programs on Windows write. Overlong input without an
    end of line is discarded.
    """

    HOLDS = "a running engine"

    def __init__(self, on_line: LineListener | None = None) -> None:
        super().__init__()
        self.on_line = on_line
        self.last_line = ""
        """Line sent last."""
        self._rest = {1: b"", 2: b""}

    # Lines

    def send_line(self, line: str) -> None:
        super().send_line(line)
        self.last_line = line
        if self.on_line is not None:
            self.on_line(">", line)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Split the data into lines, and handle each complete one."""
        assert isinstance(data, bytes)
        *lines, rest = (self._rest[fd] + data).split(b"\n")
        self._rest[fd] = rest if len(rest) < MAX_LINE_LENGTH else b""
        for line in lines:
            text = decode_line(line.rstrip(b"\r"))
            if fd == 1:
                self._line_received(text)
            else:
                self.error_line_received(text)

    def line_received(self, line: str) -> None:
        """Handle a line of the engine before the running command does."""
        if self.on_line is not None:
            self.on_line("<", line)

    def error_line_received(self, line: str) -> None:
        LOGGER.debug("%s: stderr >> %s", self, line)

    # The end

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Kill an engine that has closed its output, unless it exits soon."""
        if fd == 1:
            self.loop.call_later(CLOSING_TIME_S, self._output_closed)

    def _output_closed(self) -> None:
        if self.returncode.done():
            return
        error = EngineTerminatedError("the engine has closed its output")
        for command in (self.command, self.next_command):
            if command is not None and not command.result.done():
                command.engine_terminated(error)
        self.kill()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the transport, when the process has ended and all its output has been read."""
        super().connection_lost(exc)
        assert self.transport is not None
        self.transport.close()

    def process_exited(self) -> None:
        """Kill the child processes of an engine that has exited."""
        super().process_exited()
        self._kill_group()

    def kill(self) -> None:
        """Kill the process and its child processes at once."""
        if self.transport is not None and self.transport.get_returncode() is None:
            self._kill_group()

    def _kill_group(self) -> None:
        assert self.transport is not None
        pid = self.transport.get_pid()
        if pid is not None:
            kill_group(pid)


def split_command(command: str | Sequence[str]) -> list[str]:
    """Split a command into words. The name or path of a program is one word, even with blanks.

    >>> split_command("python -m xiangqi 'engine'")
    ['python', '-m', 'xiangqi', 'engine']

    On Windows a backslash is never an escape. Raises EngineError for a command that has no words or
    cannot be split.
    """
    if isinstance(command, str) and shutil.which(command):
        words = [command]
    elif isinstance(command, str):
        lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
        lexer.whitespace_split = True
        lexer.commenters = ""
        if _ON_WINDOWS:
            lexer.escape = ""
        try:
            words = list(lexer)
        except ValueError as error:
            raise EngineError(Fact("driver.command", command=command, error=error)) from error
    else:
        words = list(command)
    if not words:
        raise EngineError(not_started(command, Fact("driver.no_program")))
    return words


def not_started(command: str | Sequence[str], why: Fact) -> Fact:
    """Fact that a command does not start an engine, for an error."""
    return Fact("driver.not_started", command=command, why=why)


def launch_options(
    command: str | Sequence[str], cwd: str | None = None
) -> tuple[list[str], dict[str, Any]]:
    """Arguments and keyword arguments of ``Popen`` that start an engine as described above.

    A relative path of a program is resolved in the folder ``cwd``. Raises EngineError if the
    program or the folder does not exist.
    """
    program, *arguments = split_command(command)
    if cwd is not None and not Path(cwd).is_dir():
        raise EngineError(not_started(program, Fact("driver.no_folder", folder=cwd)))
    is_path = bool(os.path.dirname(program))
    found = shutil.which(str(Path(cwd, program)) if is_path and cwd is not None else program)
    if found is None:
        raise EngineError(not_started(program, Fact("driver.not_found")))
    words = [str(Path(found).absolute()), *arguments]
    options: dict[str, Any] = {"cwd": cwd}
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
    else:
        options["start_new_session"] = True
    if sys.platform == "linux" and not getattr(sys, "frozen", False):
        words = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), *words]
    return words, options


async def start_process(
    factory: Callable[[], ProtocolT], command: str | Sequence[str], cwd: str | None = None
) -> ProtocolT:
    """Start a program and connect a protocol to it; raises EngineError like
    :func:`launch_options`."""
    words, options = launch_options(command, cwd)
    loop = asyncio.get_running_loop()
    _, protocol = await loop.subprocess_exec(factory, *words, **options)
    return protocol


def kill_group(pid: int) -> None:
    """Kill a process that leads a session of its own, with its child processes.

    On Windows, where an ended process is an ordinary OSError, only the process itself is killed.
    """
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
