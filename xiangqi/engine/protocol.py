"""Common part of the text protocols: the first word of each line is a command.

A faulty line never ends the process; it is answered with a message that quotes it.

Input is read in the thread that calls ``conversation.run``, and a search runs in another, so that
``isready`` and ``stop`` are answered at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine.conversation import Output
from xiangqi.engine.engine import (
    BusyError,
    Clock,
    CurrentMove,
    Engine,
    Limits,
    SearchInfo,
    SearchResult,
)
from xiangqi.engine.network import NetworkFile
from xiangqi.engine.options import LOG_FILE, UCCI, UCI, Declaration, OptionError
from xiangqi.games.record import GameRecord, parse_position
from xiangqi.ground.errors import NetworkError, XiangqiError, quote, reason_of
from xiangqi.ground.lines import one_line
from xiangqi.pieces import COLOR_NAMES, square_name
from xiangqi.referee.explanation import format_ruling

__all__ = ["GoWords", "ProtocolServer", "Tools", "read_limit", "read_number"]

MAX_NUMBER: Final = 10**18
MAX_PERFT_DEPTH: Final = 30
MAX_NAME_WORDS: Final = 4
"""Maximum number of words of an option name."""
QUIT_PATIENCE_S: Final = 0.5
"""Seconds to wait at exit for the search to stop."""
FALLBACK_MS: Final = 1000
"""Time of a search without ``infinite`` all of whose limits were left out."""


# Arguments of commands


INFINITE: Final = "infinite"
_FLAGS: Final = frozenset(["ponder", "draw", INFINITE])
_LISTS: Final = frozenset(["searchmoves"])
_VALUES: Final = frozenset(
    """
    depth nodes mate movetime perft
    time movestogo increment opptime oppmovestogo oppincrement
    wtime btime winc binc
    """.split()
)

_NEGATIVE: Final = re.compile(r"-[0-9]+")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?(e\+?[0-9]{1,2})?", re.IGNORECASE)


def read_number(
    groups: Mapping[str, Sequence[str]],
    key: str,
    least: int = 0,
    most: int = MAX_NUMBER,
    unit: int = 1,
) -> int:
    """Parse the number after ``key``, times ``unit``, clamped to its range; 0 without ``key``.

    Raises ValueError if no number follows.

    >>> read_number({"time": ["1.5"]}, "time", unit=1000), read_number({"nodes": ["1e6"]}, "nodes")
    (1500, 1000000)
    """
    words = groups.get(key)
    if words is None:
        return 0
    if not words or _NUMBER.fullmatch(words[0]) is None:
        raise ValueError(f"{key}: found {quote(' '.join(words))}, expected a number")
    return int(min(max(unit * float(words[0]), least), most))


def read_limit(groups: Mapping[str, Sequence[str]], key: str, unit: int = 1) -> int:
    """Parse the limit after ``key``, at least 1; 0 without ``key``, or if ``infinite`` follows.

    Raises ValueError if no number follows, or a negative one.

    >>> read_limit({"depth": ["infinite"]}, "depth"), read_limit({"depth": ["0"]}, "depth")
    (0, 1)
    """
    words = groups.get(key)
    if words and words[0].lower() == INFINITE:
        return 0
    if words and _NEGATIVE.match(words[0]):
        raise ValueError(f"{key}: found {quote(words[0])}, expected 0 or more")
    return read_number(groups, key, least=1, unit=unit)


class GoWords:
    """The words of ``go``, grouped by keys.

    A value that cannot be read is left out with a message to ``report``, so that the command is
    answered all the same. ``infinite`` may be a key, or the value of one that sets no limit.

    >>> go = GoWords("depth infinite nodes x searchmoves h2e2 b2e2 mate 5".split(), print)
    >>> go.groups
    {'depth': ['infinite'], 'nodes': ['x'], 'searchmoves': ['h2e2', 'b2e2'], 'mate': ['5']}
    >>> go.limit("depth"), go.limit("nodes"), go.limit("mate")
    limit left out: nodes: found 'x', expected a number
    (0, 0, 5)
    """

    def __init__(self, words: Iterable[str], report: Callable[[str], None]) -> None:
        self.groups: dict[str, list[str]] = {}
        self.unknown: list[str] = []
        """Words that belong to no key."""
        self._report = report
        self._left_out: set[str] = set()
        key = ""
        for word in words:
            lower = word.lower()
            takes_value = key in _VALUES and not self.groups[key]
            is_key = lower in _FLAGS | _LISTS | _VALUES
            if is_key and not (takes_value and lower == INFINITE):
                key = lower
                self.groups[key] = []
            elif takes_value or key in _LISTS:
                self.groups[key].append(word)
            else:
                self.unknown.append(word)

    def __contains__(self, key: str) -> bool:
        return key in self.groups

    @property
    def is_infinite(self) -> bool:
        return INFINITE in self or any(map(self._is_infinite, _VALUES))

    @property
    def names_limits(self) -> bool:
        """Is there a word for a limit, if only an unknown one?"""
        return bool(self.unknown or _VALUES & self.groups.keys())

    def limit(self, key: str) -> int:
        """Limit after ``key``; 0 for none."""
        try:
            return read_limit(self.groups, key)
        except ValueError as error:
            self._leave_out(key, error)
            return 0

    def clock(self, time: str, increment: str, moves: str, unit: int = 1) -> Clock | None:
        """Clock of these keys, in ``unit`` milliseconds; None if there is no time."""
        numbers: list[int | None] = []
        for key, scale in ((time, unit), (increment, unit), (moves, 1)):
            try:
                numbers.append(read_number(self.groups, key, unit=scale))
            except ValueError as error:
                numbers.append(None)
                self._leave_out(key, error)
        time_ms, increment_ms, moves_to_go = numbers
        if time not in self or time_ms is None:
            return None
        return Clock(time_ms, increment_ms or 0, moves_to_go or 0)

    def _leave_out(self, key: str, error: ValueError) -> None:
        if key not in self._left_out and not self._is_infinite(key):
            self._left_out.add(key)  # of the clocks of both sides, which share the moves to go
            self._report(f"limit left out: {error}")

    def _is_infinite(self, key: str) -> bool:
        return [word.lower() for word in self.groups.get(key, ())] == [INFINITE]


# Servers


@dataclass(frozen=True)
class Tools:
    """Implementations of the commands ``eval`` and ``bench``, if available."""

    evaluate: Callable[[Board, NetworkFile], int] | None = None
    """Static evaluation in centipawns, from the side to move's point of view."""
    format_evaluation: Callable[[Board, NetworkFile], str] | None = None
    """Static evaluation, with the contribution of each piece."""
    bench: Callable[[Sequence[str], NetworkFile], Iterable[str]] | None = None
    """Search fixed positions, given the words after ``bench``; yields the lines to print."""


def _normalise(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "")


OPTION_NAMES: Final = {
    **{_normalise(name): own for each in (UCCI, UCI) for name, own in each.names.items()},
    "limitstrength": "limit_strength",
    "elo": "elo",
}
"""Keys of OPTIONS by their normalised names in UCCI and UCI."""


@dataclass
class ProtocolServer:
    """One protocol on top of an engine: a method ``do_word`` for each command ``word``."""

    engine: Engine
    output: Output
    tools: Tools = field(default_factory=Tools)

    DECLARATION: ClassVar[Declaration]
    """Declaration of the engine in this protocol."""

    def __post_init__(self) -> None:
        self.is_quitting = False
        self.own = {name: option.default for name, option in self.DECLARATION.own.items()}
        self._banned: tuple[Move, ...] = ()
        self._reported: set[str] = set()

    def begin(self) -> None:
        """Start to answer in this protocol."""
        self.engine.on_info = self.on_info
        self.engine.on_best = self.on_best
        self.engine.on_current = self.on_current
        self.engine.on_message = self.send_message
        self.output.on_log_error = lambda error: self.send_message(f"the log file ends: {error}")

    def stop_search(self) -> None:
        self.engine.quit(QUIT_PATIENCE_S)

    @classmethod
    def knows(cls, word: str) -> bool:
        return word.isascii() and word.isalpha() and hasattr(cls, f"do_{word}")

    def receive(self, line: str) -> bool:
        """Execute a line; False if it was the last one."""
        words = line.split()
        if not words:
            return True
        command = words[0].lower()
        if not self.knows(command):
            self.on_unknown(line)
            return True
        try:
            getattr(self, f"do_{command}")(words[1:])
        except BusyError as error:
            self.on_busy(line, error)
        except (XiangqiError, ValueError) as error:
            self.on_refused(line, error)
        except Exception as error:  # a bug; later lines may still work
            self.send_message(f"failed at {quote(line)}: {error!r}")
        return not self.is_quitting

    # Output

    def on_info(self, info: SearchInfo) -> None:
        raise NotImplementedError

    def on_best(self, result: SearchResult) -> None:
        raise NotImplementedError

    def on_current(self, current: CurrentMove) -> None:
        raise NotImplementedError

    def on_busy(self, line: str, error: BusyError) -> None:
        """Report a command that has to wait for the end of the search."""
        self.on_refused(line, error)

    def on_unknown(self, line: str) -> None:
        self.send_once(line.split()[0].lower(), f"unknown command {quote(line)}")

    def on_refused(self, line: str, error: Exception) -> None:
        """Report a command that is wrong, or wrong at this time."""
        self.send_message(f"cannot do {quote(line)}: {error}")

    def send_message(self, text: str) -> None:
        self.output.send(f"{self.DECLARATION.message} {one_line(text)}")

    def send_once(self, topic: str, text: str) -> None:
        """Send only the first message on a topic, since GUIs repeat their commands."""
        if topic not in self._reported:
            self._reported.add(topic)
            self.send_message(text)

    # Move notation

    def format_move(self, move: Move) -> str:
        return move.iccs()

    def parse_move(self, text: str) -> Move:
        """Parse a move of this protocol; raises InvalidMoveError."""
        return Move.from_iccs(text)

    def format_pv(self, info: SearchInfo) -> str:
        """Format a principal variation, with the word ``pv``."""
        return " ".join(["pv", *map(self.format_move, info.pv)])

    def legal_moves(self, words: Iterable[str]) -> tuple[Move, ...]:
        """Parse moves and return the legal ones; report why the others are left out."""
        board = self.engine.board
        moves = []
        for word in words:
            try:
                move = self.parse_move(word)
                board.require_legal(move)
                moves.append(move)
            except XiangqiError as error:
                self.send_message(f"move left out: {error}")
        return tuple(moves)

    # Commands of UCCI and UCI

    def do_isready(self, words: Sequence[str]) -> None:
        """Answer at once, even during a search."""
        self.output.send("readyok")

    def do_position(self, words: Sequence[str]) -> None:
        """Set up a position and play the moves; keep the old one on an error."""
        self.engine.set_position(self.read_position(words))
        self._banned = ()

    def do_banmoves(self, words: Sequence[str]) -> None:
        """Replace the list of moves that must not be played in this position."""
        self.engine.require_idle()
        self._banned = self.legal_moves(words)

    def read_limits(self, go: GoWords, clock: Clock | None, opponent: Clock | None) -> Limits:
        """Limits of a ``go`` command with these clocks.

        If it names limits, but none that ends the search, the opponent's clock or else FALLBACK_MS
        limits it, since a GUI that does not ask for an endless search waits for the answer.
        """
        limits = Limits(
            depth=go.limit("depth"),
            nodes=go.limit("nodes"),
            movetime_ms=go.limit("movetime"),
            mate=go.limit("mate"),
            infinite=INFINITE in go,
            ponder="ponder" in go,
            clock=clock,
            opponent=opponent,
            moves=self.legal_moves(go.groups["searchmoves"]) if "searchmoves" in go else None,
            banned=self._banned,
        )
        if go.unknown:
            words = " ".join(go.unknown)
            self.send_once(f"go {words}", f"not understood after go: {quote(words)}")
        if not limits.is_endless or not go.names_limits:
            return limits
        if go.is_infinite:
            return replace(limits, infinite=True)
        if opponent is not None:
            self.send_message("the clock of the side to move is missing: using the opponent's")
            return replace(limits, clock=opponent)
        self.send_message(f"no limit is left: searching for {FALLBACK_MS} ms")
        return replace(limits, movetime_ms=FALLBACK_MS)

    def do_ucinewgame(self, words: Sequence[str]) -> None:
        self.engine.new_game()

    def read_position(self, words: Sequence[str]) -> Board:
        """Board of a ``position`` command; raises FenError, PositionError or RecordError."""
        return self.parse_record(words).play()

    def parse_record(self, words: Sequence[str]) -> GameRecord:
        """Game record of a ``position`` command; raises RecordError."""
        keys = ("fen", "startpos", "moves")
        return parse_position(" ".join(w.lower() if w.lower() in keys else w for w in words))

    def do_quit(self, words: Sequence[str]) -> None:
        """Stop and exit."""
        self.is_quitting = True
        self.stop_search()

    def do_setoption(self, words: Sequence[str]) -> None:
        """Set an option, or press a button."""
        self.engine.require_idle()
        self.set_option(words)

    def set_option(self, words: Sequence[str]) -> None:
        """Set an option, in the syntax of either protocol.

        If the word ``name`` is missing, the longest known name is taken, or else one word: TCHESS
        sends ``setoption Move Overhead 30`` in UCCI.
        """
        name, value = self._split_option(words)
        if _normalise(name) in OPTION_NAMES:
            self.set_engine_option(OPTION_NAMES[_normalise(name)], name, value)
            return
        for own, option in self.DECLARATION.settable.items():
            if _normalise(own) == _normalise(name):
                parsed = option.parse(value)
                if option is LOG_FILE:
                    path = str(parsed)
                    try:
                        self.output.transcript.write_to(path)
                    except (OSError, ValueError) as error:  # ValueError: path with a zero byte
                        why = f"cannot write {quote(path)} ({reason_of(error)})"
                        raise ValueError(why) from error
                self.own[own] = parsed
                self.on_option(own)
                return
        self.on_unknown_option(name)

    def _split_option(self, words: Sequence[str]) -> tuple[str, str]:
        if not words:
            raise ValueError("expected the name of an option")
        if words[0].lower() == "name":
            lower = [word.lower() for word in words]
            place = lower.index("value") if "value" in lower else len(words)
            return " ".join(words[1:place]), " ".join(words[place + 1 :])
        known = {*OPTION_NAMES, *map(_normalise, self.DECLARATION.settable)}
        lengths = range(min(len(words), MAX_NAME_WORDS), 0, -1)
        length = next((i for i in lengths if _normalise("".join(words[:i])) in known), 1)
        return " ".join(words[:length]), " ".join(words[length:])

    def set_engine_option(self, option: str, name: str, value: str) -> None:
        """Set one of OPTIONS; OptionError reports it by ``name``, its name in this protocol.

        Skill levels below 0, which GUIs send because Fairy-Stockfish has them, count as 0.
        """
        if option == "skill_level" and _NEGATIVE.fullmatch(value.strip()):
            value = "0"
        try:
            self.engine.set_option(option, value)
        except OptionError as error:
            raise OptionError(name, error.value, error.expected) from None
        except NetworkError:
            self.send_message(f"{self.engine.options['eval_file']} stays in use")
            raise
        if option == "repetition" and not self.engine.rules.in_search:
            nearest = self.engine.rules.answers["search_as"]
            self.send_message(
                f"{value}: the search uses the nearest rules that it knows, {nearest}"
            )

    def on_option(self, name: str) -> None:
        """Called after an option of the protocol itself was set, or a button pressed."""

    def on_unknown_option(self, name: str) -> None:
        """Report an unknown option, once, since GUIs set many."""
        self.send_once(f"option {_normalise(name)}", f"no such option: {quote(name)}")

    def introduce(self) -> None:
        self.output.send(*self.DECLARATION.lines())

    # Commands for users

    def do_d(self, words: Sequence[str]) -> None:
        """Show the position."""
        board = self.engine.board
        checkers = " ".join(map(square_name, sorted(board.checkers())))
        self.output.send(
            *str(board).splitlines(),
            "",
            f"Fen: {board.fen()}",
            f"Key: {board.key:016X}",
            f"To move: {COLOR_NAMES[board.turn]}",
            f"Checkers: {checkers}".rstrip(),
            f"Occurrences: {board.repetitions()}",
            f"Result: {board.result(self.engine.rules)}",
        )

    def do_judge(self, words: Sequence[str]) -> None:
        """Print the ruling on the repetition of the position, with all evidence."""
        ruling = self.engine.board.judge(self.engine.rules)
        self.output.send(*format_ruling(ruling).splitlines())

    def do_eval(self, words: Sequence[str]) -> None:
        """Print the static evaluation, with the contribution of each piece."""
        if self.tools.format_evaluation is None:
            self.send_message("there is no evaluation to show")
            return
        shown = self.tools.format_evaluation(self.engine.board, self.engine.network)
        self.output.send(*shown.splitlines())

    def do_bench(self, words: Sequence[str]) -> None:
        """Print the engine's signature and speed."""
        if self.tools.bench is None:
            self.send_message("there is no bench")
            return
        self.engine.require_idle()
        for line in self.tools.bench(words, self.engine.network):
            self.output.send(line)

    def perft(self, depth: int) -> None:
        """Count the sequences of ``depth`` legal moves, for each first move and in total."""
        self.engine.require_idle()
        total = 0
        for move, count in self.engine.board.iter_divide(depth):
            total += count
            self.output.send(f"{self.format_move(move)}: {count}")
        self.output.send("", f"Nodes searched: {total}")
