"""Examination of an engine: a conversation in its dialect, and the list of checks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from chess.engine import EngineError

from xiangqi.board import Board
from xiangqi.client.dialects import Dialect, EngineAnswer, format_position
from xiangqi.client.dialogue import NoAnswerError, Transcript
from xiangqi.client.options import Identity
from xiangqi.client.session import DIALECTS
from xiangqi.errors import XiangqiError, quote
from xiangqi.games.record import GameRecord
from xiangqi.match.config import MARGIN_S

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
    "Status",
]

CLOCK_S: Final = 2
"""Time on the engines' clocks, in seconds."""
QUIET_S: Final = 0.3
"""Time in which an engine must not print anything."""
START_FACTOR: Final = 3
"""Time limit for the start of an engine, in multiples of other limits: it is known to be one by
then, and its machine may be busy."""

Level: TypeAlias = Literal["must", "should"]
"""Does the protocol demand something, or is it recommended, or left open and of use to GUIs?"""
Status: TypeAlias = Literal["passed", "failed", "skipped"]


class CheckFailedError(Exception):
    """The engine has not kept to the protocol; the message describes it."""


class CheckSkippedError(Exception):
    """The check does not apply to this engine; the message has the reason."""


class Examiner(Transcript):
    """A conversation in one dialect, from the handshake on."""

    def __init__(self, command: str | Sequence[str], dialect: str, patience: float) -> None:
        super().__init__(command, patience)
        self.name = dialect
        self.speech: Dialect = DIALECTS[dialect]()
        self.identity = Identity()
        self.greeting: list[str] = []
        """Lines of the handshake, once it is done."""
        self.is_spent = False
        """Is it to be started anew for the next check?"""
        self._pings = 0

    def greet(self) -> None:
        """The handshake, and the options that the rest depends on."""
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
        """Ask for a move in a position that has been sent; what was said until it came."""
        self.send("go depth 1")
        return self.expect_move(board)

    def expect_ready(self) -> list[str]:
        """Ask for a sign of life; what was said before it."""
        self._pings += 1
        self.send(self.speech.ping(self._pings))
        return self.hear_until(self.speech.is_pong, self.speech.pong(self._pings))[:-1]

    def expect_answer(self, wanted: str = "", within: float | None = None) -> list[str]:
        """The lines up to the answer to a search."""
        return self.hear_until(self.speech.read_answer, wanted or self.speech.ANSWER, within)

    def expect_move(self, board: Board, within: float | None = None) -> list[str]:
        """The same, where the answer must be a legal move."""
        lines = self.expect_answer(within=within)
        answer = self.speech.read_answer(lines[-1])
        assert answer is not None
        self.legal_move(answer, board)
        return lines

    def expect_move_in_time(self, board: Board) -> list[str]:
        """The same within CLOCK_S, and the margin that a match grants as well."""
        return self.expect_move(board, within=CLOCK_S + MARGIN_S)

    def expect_nothing(self, when: str) -> None:
        """Listen for a while in which no search may be answered; ``when`` says why. A command may
        be refused."""
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
        """Send a position, and give it back."""
        board = (GameRecord(fen, moves) if fen is not None else GameRecord(moves=moves)).play()
        self.send(format_position(board, self.speech))
        return board

    def clock_words(self, *, both: bool = True, first: bool = True) -> str:
        """Clocks with increments, Red to move; the other one ``first`` or behind."""
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
    """One rule of a protocol and the conversation that shows whether an engine keeps to it."""

    name: str
    title: str
    dialects: Sequence[str]
    run: CheckFunction
    recommended: Collection[str] = ()
    """The dialects that do not demand it."""

    def level(self, dialect: str) -> Level:
        """Rule in a dialect."""
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
        """Has nothing been found wrong?"""
        return self.status != "failed"


class Checklist(list[Check]):
    """Checks in the order in which they are done, for some dialects."""

    def __init__(self, *dialects: str) -> None:
        super().__init__()
        self.dialects = dialects

    def add(
        self, name: str, *dialects: str, should: Collection[str] = ()
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Enter a function, for all dialects or some; its docstring is the title.

        ``should`` names the dialects that do not demand what it checks.
        """

        def enter(function: CheckFunction) -> CheckFunction:
            title = " ".join((function.__doc__ or "").split()).removesuffix(".")
            self.append(Check(name, title, dialects or self.dialects, function, should))
            return function

        return enter
