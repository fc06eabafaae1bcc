"""Examination of an engine: the dialogue line by line, in the engine's dialect, and the checks.

A :class:`Transcript` knows no protocol: it sends and receives lines, and every wait has a limit.
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
from xiangqi.errors import XiangqiError, quote
from xiangqi.games.record import GameRecord
from xiangqi.lines import MAX_LINE_LENGTH, decode_known, decode_line
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
"""Maximum number of lines of an engine before the expected one."""


class NoAnswerError(EngineError):
    """The expected answer did not arrive; the message says how the wait ended."""


class Transcript:
    """An engine process and its dialogue, to be used with ``with``.

    ``patience`` is the time limit of an answer in seconds. Raises EngineError if there is no such
    program.
    """

    def __init__(self, command: str | Sequence[str], patience: float = 10.0) -> None:
        words, options = launch_options(command)
        self.patience = patience
        self.transcript: list[str] = []
        """Dialogue, with ``>`` before our lines and ``<`` before the engine's."""
        self.unreadable: bytes | None = None
        """A line in an unknown encoding; None without one."""
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
        """Deliver a line; the engine blocks until it is taken."""
        while not self._is_closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def send(self, *lines: str, end: str = "\n") -> None:
        """Send lines; raises NoAnswerError if the engine does not read them any more."""
        assert self._process.stdin is not None
        for line in lines:
            self.transcript.append(f"> {line}")
            try:
                self._process.stdin.write(f"{line}{end}".encode())
                self._process.stdin.flush()
            except OSError as error:
                raise NoAnswerError(f"the engine has gone before {line!r}") from error

    def close_input(self) -> None:
        """Close the engine's input."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def hear_until(
        self, is_last: Callable[[str], object], wanted: str, within: float | None = None
    ) -> list[str]:
        """Read lines up to and including the first for which ``is_last`` is true.

        Raises NoAnswerError, which names the ``wanted`` line, if it does not arrive ``within`` this
        number of seconds.
        """
        seconds = self.patience if within is None else within
        end = time.perf_counter() + seconds
        heard: list[str] = []
        while len(heard) < MAX_LINES:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                raise NoAnswerError(f"no {wanted} within {seconds:g} seconds") from None
            if line is None:
                self.has_ended = True
                raise NoAnswerError(f"the engine ended instead of saying {wanted}")
            self.transcript.append(f"< {line}")
            heard.append(line)
            if is_last(line):
                return heard
        raise NoAnswerError(f"no {wanted} among {MAX_LINES} lines")

    def hear_for(self, seconds: float) -> list[str]:
        """Read the lines of the next seconds, or until the output ends."""
        count = len(self.transcript)
        with contextlib.suppress(NoAnswerError):
            self.hear_until(lambda line: False, "end", within=seconds)
        return [line.removeprefix("< ") for line in self.transcript[count:]]

    def wait_for_end(self) -> tuple[int, list[str]]:
        """Wait for the exit: the exit code, and the lines until then; raises NoAnswerError."""
        lines = self.hear_for(self.patience)
        try:
            return self._process.wait(0.5), lines
        except subprocess.TimeoutExpired:
            why = f"the engine does not end within {self.patience:g} seconds"
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
"""Time on the engines' clocks, in seconds."""
QUIET_S: Final = 0.3
"""Time in which an engine must not print anything."""
START_FACTOR: Final = 3
"""Time limit for the start of an engine, as a multiple of other limits, since its machine may be
busy."""

Level: TypeAlias = Literal["must", "should"]
"""Does the protocol demand the behaviour, or is it recommended, or left open and useful to GUIs?"""
Status: TypeAlias = Literal["passed", "failed", "skipped"]


class CheckFailedError(Exception):
    """The engine has not kept to the protocol; the message describes it."""


class CheckSkippedError(Exception):
    """The check does not apply to this engine; the message has the reason."""


class Examiner(Transcript):
    """Dialogue in one dialect, from the handshake on."""

    def __init__(self, command: str | Sequence[str], dialect: str, patience: float) -> None:
        super().__init__(command, patience)
        self.name = dialect
        self.speech: Dialect = DIALECTS[dialect]()
        self.identity = Identity()
        self.greeting: list[str] = []
        """Lines of the handshake, once it is done."""
        self.is_spent = False
        """Must it be restarted for the next check?"""
        self._pings = 0

    def greet(self) -> None:
        """Perform the handshake, and set the options that other checks depend on."""
        self.send(*self.speech.HELLO)
        wanted = self.speech.last_greeting()
        is_greeted = False

        def is_last(line: str) -> bool:
            nonlocal is_greeted
            is_greeted = self.speech.read_greeting(line, self.identity)
            return is_greeted or "unknown command" in line.lower()

        heard = self.hear_until(is_last, wanted, within=START_FACTOR * self.patience)
        if not is_greeted:
            raise NoAnswerError(f"found {quote(heard[-1])}, expected {wanted}")
        self.greeting = heard
        self.send(*self.speech.opening_lines(self.identity))

    def play_one(self, board: Board) -> list[str]:
        """Request a move in the position that was sent; return the lines up to it."""
        self.send("go depth 1")
        return self.expect_move(board)

    def expect_ready(self) -> list[str]:
        """Request a sign of life; return the lines before it."""
        self._pings += 1
        self.send(self.speech.ping(self._pings))
        return self.hear_until(self.speech.is_pong, self.speech.pong(self._pings))[:-1]

    def expect_answer(self, wanted: str = "", within: float | None = None) -> list[str]:
        """Read the lines up to the answer to a search."""
        return self.hear_until(self.speech.read_answer, wanted or self.speech.ANSWER, within)

    def expect_move(self, board: Board, within: float | None = None) -> list[str]:
        """Read the lines up to an answer that must be a legal move."""
        lines = self.expect_answer(within=within)
        answer = self.speech.read_answer(lines[-1])
        assert answer is not None
        self.legal_move(answer, board)
        return lines

    def expect_move_in_time(self, board: Board) -> list[str]:
        """Read the lines up to a legal move, which must come within CLOCK_S and a match's
        margin."""
        return self.expect_move(board, within=CLOCK_S + MARGIN_S)

    def expect_nothing(self, when: str) -> None:
        """Wait for a while in which no search may be answered; ``when`` describes the situation. A
        command may be refused."""
        for line in self.hear_for(QUIET_S):
            with suppress(EngineError):  # a refusal
                if self.speech.read_answer(line) is not None:
                    raise CheckFailedError(f"{quote(line)} {when}")

    def legal_move(self, answer: EngineAnswer, board: Board) -> str:
        """The move of an answer in coordinates with ranks from 0."""
        if answer.move is None:
            raise CheckFailedError(f"no move, although {board.legal_moves.count()} are legal")
        try:
            return self.speech.read_move(answer.move, board).iccs()
        except XiangqiError as error:
            raise CheckFailedError(
                f"the move {quote(answer.move)} is not legal: {error}"
            ) from error

    def set_up(self, *moves: str, fen: str | None = None) -> Board:
        """Send a position, and return its board."""
        board = (GameRecord(fen, moves) if fen is not None else GameRecord(moves=moves)).play()
        self.send(format_position(board, self.speech))
        return board

    def clock_words(self, *, both: bool = True, first: bool = True) -> str:
        """Clocks with increments, Red to move; the other clock comes ``first`` or second."""
        if self.name == "ucci":
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
    """A rule of a protocol and the dialogue that checks it."""

    name: str
    title: str
    dialects: Sequence[str]
    run: CheckFunction
    recommended: Collection[str] = ()
    """Dialects that do not demand it."""

    def level(self, dialect: str) -> Level:
        """Level of the rule in a dialect."""
        return "should" if dialect in self.recommended else "must"


@dataclass(frozen=True)
class CheckResult:
    """Result of a check, with its dialogue."""

    check: Check
    level: Level
    status: Status
    reason: str
    """Fault, or the reason why nothing was checked; empty otherwise."""
    dialogue: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Has the engine passed?"""
        return self.status != "failed"


class Checklist(list[Check]):
    """Checks in order, for some dialects."""

    def __init__(self, *dialects: str) -> None:
        super().__init__()
        self.dialects = dialects

    def add(
        self, name: str, *dialects: str, should: Collection[str] = ()
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Decorator that adds a function, for all dialects or some; its docstring is the title.

        ``should`` names the dialects that do not demand the checked behaviour.
        """

        def enter(function: CheckFunction) -> CheckFunction:
            title = " ".join((function.__doc__ or "").split()).removesuffix(".")
            self.append(Check(name, title, dialects or self.dialects, function, should))
            return function

        return enter
