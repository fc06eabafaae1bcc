"""The dialogue with a GUI: answer the handshake, then load the engine.

GUIs allow an engine little time for its first answer, and on a busy machine importing it takes
longer. So it is imported only after the first line has been answered; later lines wait in the pipe
and are read in order.
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
from xiangqi.ground.lines import read_lines

__all__ = ["INPUT", "OUTPUT", "Output", "Server", "Start", "Transcript", "run"]

INPUT: Final = ">>"
"""Mark of a line from the GUI, as in Stockfish's log."""
OUTPUT: Final = "<<"
"""Mark of a line of the engine."""
MAX_EARLIER_CHARACTERS: Final = 1 << 18
"""Maximum number of characters of the dialogue kept before the log file is known."""


class Transcript:
    """Log of the dialogue with times.

    Thread-safe. Lines before the option that names the log file are kept, so that the file has the
    whole dialogue.
    """

    def __init__(self) -> None:
        self._earlier: deque[str] = deque()
        self._size = 0
        self._file: TextIO | None = None
        self._lock = threading.Lock()

    def write_to(self, path: str) -> None:
        """Append all earlier and later lines to the file ``path``; an empty path ends the log.

        Raises OSError, and keeps the old file, if the new one cannot be written.
        """
        with self._lock:
            file = None
            if path:
                file = open(path, "a", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
                try:
                    file.writelines(self._earlier)
                except OSError:
                    with contextlib.suppress(OSError):
                        file.close()
                    raise
                self._earlier.clear()
                self._size = 0
            self._close()
            self._file = file

    def log(self, mark: str, lines: Iterable[str]) -> OSError | None:
        """Log input or output lines; a write error ends the log and is returned."""
        now = datetime.now().astimezone().isoformat(sep=" ", timespec="milliseconds")
        entries = [f"{now} {mark} {line}\n" for line in lines]
        with self._lock:
            if self._file is None:
                for entry in entries:
                    self._earlier.append(entry)
                    self._size += len(entry)
                while self._size > MAX_EARLIER_CHARACTERS:
                    self._size -= len(self._earlier.popleft())
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

    def _close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # repeats the error of a failed write
                self._file.close()
            self._file = None


class Output:
    """Writes whole lines from any thread; calls ``on_closed`` once when the pipe is closed.

    Input and output are recorded in ``transcript``; call :meth:`log_input` with each input line.
    ``on_log_error`` is called with the error if the log file cannot be written.
    """

    def __init__(self, stream: BinaryIO, on_closed: Callable[[], object] = lambda: None) -> None:
        self.is_closed = False
        self.fault: OSError | None = None
        """Error in writing the output, other than a closed pipe."""
        self.transcript = Transcript()
        self.on_log_error: Callable[[OSError], object] = lambda error: None
        self._stream = stream
        self.on_closed = on_closed
        self._lock = threading.Lock()

    def send(self, *lines: str) -> None:
        """Write lines and flush."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
        with self._lock:
            if self.is_closed:
                return
            error = self.transcript.log(OUTPUT, lines)
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
            self.on_log_error(error)

    def log_input(self, line: str) -> None:
        """Log an input line."""
        error = self.transcript.log(INPUT, [line])
        if error is not None:
            self.on_log_error(error)

    def discard(self) -> None:
        """Redirect a closed pipe to the null device, so that the flush at exit succeeds."""
        with contextlib.suppress(OSError, ValueError, io.UnsupportedOperation):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self._stream.fileno())
            os.close(null)


class Server(Protocol):
    """Interface of a :class:`~xiangqi.engine.protocol.ProtocolServer`, which is imported later."""

    DECLARATION: ClassVar[Declaration]

    def begin(self) -> None:
        """Start to answer in this protocol."""

    def knows(self, word: str) -> bool:
        """Is ``word`` a command?"""

    def receive(self, line: str) -> bool:
        """Execute a line; False if it was the last one."""

    def send_message(self, text: str) -> None:
        """Send a message for the user."""

    def stop_search(self) -> None:
        """Stop the search, if there is one."""


Start: TypeAlias = Callable[[Output], Sequence[Server]]
"""Makes an engine, and returns a server for each of DECLARATIONS."""


def run(stdin: BinaryIO, stdout: BinaryIO, start: Start) -> None:
    """Run the dialogue with a GUI until it quits or closes the input.

    The first handshake selects the protocol. Without one, a known command such as ``d`` or
    ``position`` selects the last protocol. If the engine cannot start, this is reported to the GUI
    and the error is raised. Raises OSError if standard output cannot be written, as on a full disk;
    a closed pipe ends the dialogue without an error.
    """
    output = Output(stdout)
    selecting = _Selecting(output, start)
    state: _Selecting | _Running = selecting
    try:
        for line in read_lines(stdin):
            if line == "":
                continue
            if line is not None:
                output.log_input(line)
            following = state.receive(line)
            if following is None or output.is_closed:
                break
            state = following
    except KeyboardInterrupt:
        pass
    finally:
        if selecting.servers:
            selecting.servers[0].stop_search()
        output.transcript.close()
        if output.is_closed:
            output.discard()
    if output.fault is not None:
        raise output.fault


class _Running:
    """State of the dialogue in which a server executes the lines."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def receive(self, line: str | None) -> _Running | None:
        """Execute a line (None for one that is too long); return the next state, if any."""
        if line is None:
            self._server.send_message("ignored a line that is too long")
            return self
        return self if self._server.receive(line) else None


class _Selecting:
    """State of the dialogue until a handshake or a command selects the protocol.

    ``servers`` are those of the engine, which the first line starts.
    """

    def __init__(self, output: Output, start: Start) -> None:
        self.servers: Sequence[Server] = ()
        self._output = output
        self._start = start

    def receive(self, line: str | None) -> _Selecting | _Running | None:
        """Greet or execute a line (None for one that is too long); return the next state, if any.

        A line of the last protocol needs no handshake. Another one is reported by its server, and
        selects nothing.
        """
        word = (line or "-").split()[0].lower()
        for number, declaration in enumerate(DECLARATIONS):
            if word in declaration.handshakes:
                self._output.send(*declaration.greeting())
                server = self._require_servers(declaration)[number]
                server.begin()
                return _Running(server)
        server = self._require_servers(DECLARATIONS[-1])[-1]
        running = _Running(server)
        if server.knows(word):
            server.begin()
            return running.receive(line)
        return running.receive(line) and self

    def _require_servers(self, declaration: Declaration) -> Sequence[Server]:
        """Start the engine if it has not been; report a failure in this protocol."""
        if not self.servers:
            try:
                self.servers = self._start(self._output)
            except Exception as error:
                words = " ".join(f"{type(error).__name__}: {error}".split())
                self._output.send(f"{declaration.message} the engine cannot start: {words}")
                raise
        return self.servers
