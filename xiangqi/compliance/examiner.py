"""Dialogue with a checked engine, and the types of checks and results.

A :class:`Transcript` sends and receives lines of any protocol, with a time limit on every wait; an
:class:`Examiner` adds the protocol.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from chess.engine import EngineError

from xiangqi.board import Board
from xiangqi.client.dialects import Dialect, EngineAnswer, format_position
from xiangqi.client.info import Identity
from xiangqi.client.process import kill_group, launch_options
from xiangqi.client.session import DIALECTS
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import XiangqiError, quote
from xiangqi.ground.lines import MAX_LINE_LENGTH, decode_known, decode_line
from xiangqi.match.config import MARGIN_S

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "CLOCK_S",
    "QUIET_S",
    "Check",
    "CheckFailedError",
    "CheckResult",
    "CheckSkippedError",
    "Checklist",
    "Examiner",
    "Level",
    "NoAnswerError",
    "Status",
    "Transcript",
]

MAX_LINES: Final = 20_000
"""Maximum number of lines that are read before the expected one."""


class NoAnswerError(EngineError):
    """The expected answer did not arrive; the message has the reason."""


class Transcript:
    """Context manager for an engine process and its dialogue.

    ``patience`` is the time limit of an answer in seconds. Raises EngineError if the program cannot
    be started.
    """

    def __init__(self, command: str | Sequence[str], patience: float = 10.0) -> None:
        words, options = launch_options(command)
        self.patience = patience
        self.transcript: list[str] = []
        """Dialogue, with ``>`` before our lines and ``<`` before the engine's."""
        self.unreadable: bytes | None = None
        """The last line that is neither UTF-8 nor GB18030; None if there is none."""
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **options,
        )
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=1000)
        self.has_ended = False
        """Has the engine's output ended?"""
        self._is_closed = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while not self._is_closed and (line := self._process.stdout.readline(MAX_LINE_LENGTH)):
                if decode_known(line) is None:
                    self.unreadable = line
                self._put(decode_line(line).rstrip("\r\n"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Queue a line; if the queue is full, wait, which blocks the engine."""
        while not self._is_closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def send(self, *lines: str, end: str = "\n") -> None:
        """Send lines; raises NoAnswerError if the engine has closed its input."""
        assert self._process.stdin is not None
        for line in lines:
            self.transcript.append(f"> {line}")
            try:
                self._process.stdin.write(f"{line}{end}".encode())
                self._process.stdin.flush()
            except OSError as error:
                raise NoAnswerError(f"the engine exited before {line!r}") from error

    def close_input(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def read_until(
        self, is_last: Callable[[str], object], wanted: str, within: float | None = None
    ) -> list[str]:
        """Read lines up to and including the first for which ``is_last`` is true.

        Raises NoAnswerError, with ``wanted`` as the name of that line, if it does not arrive
        ``within`` so many seconds, by default ``patience``.
        """
        seconds = self.patience if within is None else within
        end = time.perf_counter() + seconds
        lines: list[str] = []
        while len(lines) < MAX_LINES:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                raise NoAnswerError(f"no {wanted} within {seconds:g} seconds") from None
            if line is None:
                self.has_ended = True
                raise NoAnswerError(f"the engine exited without {wanted}")
            self.transcript.append(f"< {line}")
            lines.append(line)
            if is_last(line):
                return lines
        raise NoAnswerError(f"no {wanted} among {MAX_LINES} lines")

    def read_for(self, seconds: float) -> list[str]:
        """Read lines for some seconds, or until the output ends."""
        count = len(self.transcript)
        with contextlib.suppress(NoAnswerError):
            self.read_until(lambda line: False, "end", within=seconds)
        return [line.removeprefix("< ") for line in self.transcript[count:]]

    def wait_for_exit(self) -> tuple[int, list[str]]:
        """Wait for the exit; return its code and the lines before. Raises NoAnswerError."""
        lines = self.read_for(self.patience)
        try:
            return self._process.wait(0.5), lines
        except subprocess.TimeoutExpired:
            why = f"the engine does not exit within {self.patience:g} seconds"
            raise NoAnswerError(why) from None

    def close(self) -> None:
        """Kill the engine."""
        self._is_closed = True
        kill_group(self._process.pid)
        self._process.wait()
        self._reader.join()
        self.close_input()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


CLOCK_S: Final = 2
"""Time on the clocks of a checked search, in seconds."""
QUIET_S: Final = 0.3
"""Duration of a wait for answers that should not come, in seconds."""
START_FACTOR: Final = 3
"""Time limit of the handshake, as a multiple of that of other answers: the start may be slow."""

Level: TypeAlias = Literal["must", "should"]
"""``must``: required by the protocol; ``should``: recommended, or left open and relied on by
GUIs."""
Status: TypeAlias = Literal["passed", "failed", "skipped"]


class CheckFailedError(Exception):
    """The engine has violated the protocol; the message has the details."""


class CheckSkippedError(Exception):
    """The check does not apply to this engine; the message has the reason."""


class Examiner(Transcript):
    """Transcript in a protocol, with the handshake and typical requests."""

    def __init__(self, command: str | Sequence[str], dialect: str, patience: float) -> None:
        super().__init__(command, patience)
        self.protocol = dialect
        self.dialect: Dialect = DIALECTS[dialect]()
        self.identity = Identity()
        self.handshake_lines: list[str] = []
        """Lines of the engine in the handshake; empty before it."""
        self.needs_restart = False
        """Must the engine be restarted for the next check?"""
        self._pings = 0

    def handshake(self) -> None:
        """Perform the handshake, and set the options that other checks rely on."""
        self.send(*self.dialect.HELLO)
        wanted = self.dialect.last_greeting()
        is_done = False

        def is_last(line: str) -> bool:
            nonlocal is_done
            is_done = self.dialect.read_greeting(line, self.identity)
            return is_done or "unknown command" in line.lower()

        lines = self.read_until(is_last, wanted, within=START_FACTOR * self.patience)
        if not is_done:
            raise NoAnswerError(f"found {quote(lines[-1])}, expected {wanted}")
        self.handshake_lines = lines
        self.send(*self.dialect.opening_lines(self.identity))

    def request_move(self, board: Board) -> list[str]:
        """Request a move at depth 1 in the position sent; return the lines up to it."""
        self.send("go depth 1")
        return self.expect_move(board)

    def expect_ready(self) -> list[str]:
        """Send the protocol's ping; return the lines before the answer."""
        self._pings += 1
        self.send(self.dialect.ping(self._pings))
        return self.read_until(self.dialect.is_pong, self.dialect.pong(self._pings))[:-1]

    def expect_answer(self, wanted: str = "", within: float | None = None) -> list[str]:
        """Read the lines up to the answer to a search."""
        return self.read_until(self.dialect.read_answer, wanted or self.dialect.ANSWER, within)

    def expect_move(self, board: Board, within: float | None = None) -> list[str]:
        """Read the lines up to the answer to a search, which must be a legal move."""
        lines = self.expect_answer(within=within)
        answer = self.dialect.read_answer(lines[-1])
        assert answer is not None
        self.legal_move(answer, board)
        return lines

    def expect_move_in_time(self, board: Board) -> list[str]:
        """Read the lines up to a legal move, which must arrive within CLOCK_S and the margin of a
        match."""
        return self.expect_move(board, within=CLOCK_S + MARGIN_S)

    def expect_no_answer(self, when: str) -> None:
        """Check that no search is answered for QUIET_S; a command may be refused.

        ``when`` describes the situation for the message.
        """
        for line in self.read_for(QUIET_S):
            with suppress(EngineError):  # a refusal
                if self.dialect.read_answer(line) is not None:
                    raise CheckFailedError(f"{quote(line)} {when}")

    def legal_move(self, answer: EngineAnswer, board: Board) -> str:
        """Move of an answer, in coordinates with ranks from 0; CheckFailedError if illegal."""
        if answer.move is None:
            raise CheckFailedError(f"no move, although {board.legal_moves.count()} are legal")
        try:
            return self.dialect.read_move(answer.move, board).iccs()
        except XiangqiError as error:
            raise CheckFailedError(
                f"the move {quote(answer.move)} is not legal: {error}"
            ) from error

    def set_up(self, *moves: str, fen: str | None = None) -> Board:
        """Send a position, and return its board."""
        board = (GameRecord(fen, moves) if fen is not None else GameRecord(moves=moves)).play()
        self.send(format_position(board, self.dialect))
        return board

    def clock_arguments(self, *, both: bool = True, first: bool = True) -> str:
        """Arguments of ``go`` for clocks with increments, Red to move.

        ``both``: also Black's clock; ``first``: Red's clock before Black's.
        """
        if self.protocol == "ucci":
            unit = 1000 if "usemillisec" in self.identity.options else 1
            time, increment = CLOCK_S * unit, 0
            own = f"time {time} increment {increment}"
            other = f"opptime {time} oppincrement {increment}"
        else:
            own, other = f"wtime {CLOCK_S}000 winc 0", f"btime {CLOCK_S}000 binc 0"
        if not both:
            return own
        return f"{own} {other}" if first else f"{other} {own}"


CheckFunction: TypeAlias = Callable[[Examiner], None]


@dataclass(frozen=True)
class Check:
    """Rule of a protocol, with the function that checks it."""

    name: str
    title: str
    dialects: Sequence[str]
    run: CheckFunction
    recommended: Collection[str] = ()
    """Protocols that do not require it."""

    def level(self, dialect: str) -> Level:
        return "should" if dialect in self.recommended else "must"


@dataclass(frozen=True)
class CheckResult:
    """Result of a check, with its dialogue."""

    check: Check
    level: Level
    status: Status
    reason: str
    """Fault, or why the check was skipped; empty otherwise."""
    dialogue: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return self.status != "failed"


class Checklist(list[Check]):
    """List of checks, for some protocols."""

    def __init__(self, *dialects: str) -> None:
        super().__init__()
        self.dialects = dialects

    def add(
        self, name: str, *dialects: str, should: Collection[str] = ()
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Decorator that adds a check; its title is the docstring of the function.

        ``dialects`` defaults to those of the list; ``should`` are those that only recommend the
        behaviour.
        """

        def add_function(function: CheckFunction) -> CheckFunction:
            title = " ".join((function.__doc__ or "").split()).removesuffix(".")
            self.append(Check(name, title, dialects or self.dialects, function, should))
            return function

        return add_function
