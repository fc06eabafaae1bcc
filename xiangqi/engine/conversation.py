"""The dialogue with a GUI: the answer to the handshake first, then the engine.

GUIs give an engine little time for its first answer, and importing it takes longer than that on a
busy machine. So nothing is imported here before the first line has been answered; later lines wait
in the pipe and are read in order.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import BinaryIO, ClassVar, Final, Protocol, TextIO, TypeAlias

from xiangqi.engine.options import DECLARATIONS, Declaration
from xiangqi.lines import read_lines

__all__ = [
    "HEARD",
    "SAID",
    "Output",
    "Speaker",
    "Start",
    "Transcript",
    "run",
]

HEARD: Final = ">>"
"""Marks a line from the GUI, as in the log of Stockfish."""
SAID: Final = "<<"
"""Marks a line of the engine."""
EARLIER_CHARACTERS: Final = 1 << 18
"""Maximum number of characters of the dialogue kept before the log file is known."""


class Transcript:
    """Log of the dialogue with times.

    Callable from any thread. The option that names the log file comes after the handshake and
    perhaps after other options; earlier lines are kept, so that the file has the whole dialogue.
    """

    def __init__(self) -> None:
        self._earlier: deque[str] = deque()
        self._size = 0
        self._file: TextIO | None = None
        self._lock = threading.Lock()

    def write_to(self, path: str) -> None:
        """Append all earlier and later lines to this file; an empty name ends the log.

        Raises OSError if the file cannot be written, and then changes nothing.
        """
        with self._lock:
            file = self._open(path) if path else None
            self._close()
            self._file = file

    def note(self, mark: str, lines: Iterable[str]) -> OSError | None:
        """Log input or output lines; an error in writing ends the log and is returned."""
        now = datetime.now().astimezone().isoformat(sep=" ", timespec="milliseconds")
        entries = [f"{now} {mark} {line}\n" for line in lines]
        with self._lock:
            if self._file is None:
                self._remember(entries)
                return None
            try:
                self._file.writelines(entries)
            except OSError as error:
                self._close()
                return error
        return None

    def close(self) -> None:
        """Close the log file, if there is one."""
        with self._lock:
            self._close()

    def _open(self, path: str) -> TextIO:
        file = open(path, "a", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
        try:
            file.writelines(self._earlier)
        except OSError:
            with contextlib.suppress(OSError):
                file.close()
            raise
        self._earlier.clear()
        self._size = 0
        return file

    def _remember(self, entries: Iterable[str]) -> None:
        for entry in entries:
            self._earlier.append(entry)
            self._size += len(entry)
        while self._size > EARLIER_CHARACTERS:
            self._size -= len(self._earlier.popleft())

    def _close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # of a write that has failed already
                self._file.close()
            self._file = None


class Output:
    """Writes whole lines from any thread. A closed pipe is reported once.

    Input and output are recorded in ``transcript``; call :meth:`heard` with each input line.
    ``on_unwritten`` is called with the error if the file of the transcript cannot be written.
    """

    def __init__(self, stream: BinaryIO, on_closed: Callable[[], object] = lambda: None) -> None:
        self.is_closed = False
        self.fault: OSError | None = None
        """Reason why output cannot be written, except for a closed pipe."""
        self.transcript = Transcript()
        self.on_unwritten: Callable[[OSError], object] = lambda error: None
        self._stream = stream
        self.on_closed = on_closed
        self._lock = threading.Lock()

    def send(self, *lines: str) -> None:
        """Write lines and flush."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
        with self._lock:
            if self.is_closed:
                return
            error = self.transcript.note(SAID, lines)
            try:
                self._stream.write(data)
                self._stream.flush()
                closes = False
            except (OSError, ValueError) as broken:
                closes = self.is_closed = True
                if isinstance(broken, OSError) and not isinstance(broken, ConnectionError):
                    self.fault = broken
        if closes:
            self.on_closed()
        elif error is not None:
            self.on_unwritten(error)

    def heard(self, line: str) -> None:
        """Log an input line."""
        error = self.transcript.note(HEARD, [line])
        if error is not None:
            self.on_unwritten(error)

    def discard(self) -> None:
        """Redirect what a closed pipe has left in the buffer, so that writing it does no harm."""
        with contextlib.suppress(OSError, ValueError, io.UnsupportedOperation):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


class Speaker(Protocol):
    """Interface of a :class:`~xiangqi.engine.protocol.ProtocolServer` for a conversation."""

    DECLARATION: ClassVar[Declaration]

    def begin(self) -> None:
        """Start to answer in this protocol."""

    def knows(self, word: str) -> bool:
        """Is there such a command?"""

    def receive(self, line: str) -> bool:
        """Execute a line; False if it was the last one."""

    def say(self, text: str) -> None:
        """Print information for people."""

    def leave(self) -> None:
        """Stop the search, if there is one."""


Start: TypeAlias = Callable[[Output], Sequence[Speaker]]
"""Function that makes an engine, with one server for each of DECLARATIONS."""


def run(stdin: BinaryIO, stdout: BinaryIO, start: Start) -> None:
    """Run the dialogue with a GUI until it quits or closes the input.

    The first handshake selects the protocol. Other known commands before a handshake, such as ``d``
    or ``position``, are executed by the last protocol. If the engine cannot start, a message says
    so and its error is raised. Raises OSError if standard output cannot be written, as on a full
    disk; a closed pipe ends the engine in silence.
    """
    output = Output(stdout)
    servers: Sequence[Speaker] = ()
    speaking: Speaker | None = None
    try:
        for line in read_lines(stdin):
            if line == "":
                continue
            if line is not None:
                output.heard(line)
            asked = _asked_for(line) if speaking is None else None
            if asked is not None:
                output.send(*asked.greeting())
            servers = servers or _start(start, output, asked or DECLARATIONS[-1])
            if speaking is None:
                speaking = _choose(servers, asked, line)
            if asked is None and not _pass_on(line, speaking or servers[-1]):
                break
            if output.is_closed:
                break
    except KeyboardInterrupt:
        pass
    finally:
        if servers:
            servers[0].leave()
        output.transcript.close()
        if output.is_closed:
            output.discard()
    if output.fault is not None:
        raise output.fault


def _asked_for(line: str | None) -> Declaration | None:
    """Protocol requested by a first line."""
    word = (line or "-").split()[0].lower()
    return next((one for one in DECLARATIONS if word in one.handshakes), None)


def _start(start: Start, output: Output, declaration: Declaration) -> Sequence[Speaker]:
    try:
        return start(output)
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())
        output.send(f"{declaration.message} the engine cannot start: {words}")
        raise


def _choose(
    servers: Sequence[Speaker], asked: Declaration | None, line: str | None
) -> Speaker | None:
    """Server for the following lines; None if the line is no command."""
    chosen = next((one for one in servers if one.DECLARATION is asked), None)
    if chosen is None and line is not None and servers[-1].knows(line.split()[0].lower()):
        chosen = servers[-1]
    if chosen is not None:
        chosen.begin()
    return chosen


def _pass_on(line: str | None, server: Speaker) -> bool:
    """Execute a line; False if it was the last one."""
    if line is None:
        server.say("a line that is too long was left out")
        return True
    return server.receive(line)
