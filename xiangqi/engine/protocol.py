"""Common part of the text protocols: the first word of each line is a command.

A faulty line never ends the process; it is answered with a message that quotes it.

Input is read in the thread that calls ``conversation.run``, and a search runs in another, so that
``isready`` and ``stop`` are answered at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine.conversation import Output
from xiangqi.engine.engine import BusyError, CurrentMove, Engine, SearchInfo, SearchResult
from xiangqi.engine.network import NetworkFile
from xiangqi.engine.options import LOG_FILE, UCCI, UCI, Declaration, OptionError
from xiangqi.errors import NetworkError, XiangqiError, quote, reason_of
from xiangqi.games.record import GameRecord, parse_position
from xiangqi.lines import one_line
from xiangqi.pieces import COLOR_NAMES, square_name
from xiangqi.referee.explanation import format_ruling

__all__ = ["ProtocolServer", "Tools", "group_words", "read_number"]

MAX_NUMBER: Final = 10**18
MAX_PERFT_DEPTH: Final = 30
MAX_NAME_WORDS: Final = 4
"""Maximum number of words of an option name."""
QUIT_PATIENCE_S: Final = 0.5
"""Seconds to wait at exit for the search to stop."""


# Arguments of commands


def group_words(words: Iterable[str], keys: Collection[str]) -> dict[str, list[str]]:
    """Group the words after each of the ``keys``; those before the first are dropped.

    >>> group_words("depth 5 searchmoves h2e2 b2e2 infinite".split(), GO_KEYS)
    {'depth': ['5'], 'searchmoves': ['h2e2', 'b2e2'], 'infinite': []}
    """
    groups: dict[str, list[str]] = {}
    current: list[str] = []
    for word in words:
        if word.lower() in keys:
            current = groups[word.lower()] = []
        else:
            current.append(word)
    return groups


GO_KEYS: Final = frozenset(
    """
    ponder draw infinite depth nodes mate movetime perft searchmoves
    time movestogo increment opptime oppmovestogo oppincrement
    wtime btime winc binc
    """.split()
)

_NEGATIVE: Final = re.compile(r"-[0-9]+")
_NUMBER: Final = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]*))?")


def read_number(
    groups: Mapping[str, Sequence[str]],
    key: str,
    least: int = 0,
    most: int = MAX_NUMBER,
    unit: int = 1,
) -> int:
    """Parse the number after ``key``, times ``unit``, clamped to its range; 0 without ``key``.

    Raises ValueError if no number follows.

    >>> read_number({"time": ["1.5"]}, "time", unit=1000)
    1500
    """
    words = groups.get(key)
    if words is None:
        return 0
    match = _NUMBER.fullmatch(words[0]) if words else None
    if match is None:
        raise ValueError(f"{key}: found {quote(' '.join(words))}, expected a number")
    sign, digits, decimals = match.groups()
    whole = min(int(digits.lstrip("0")[:20] or "0"), most) * unit
    fraction = int(unit * float(f"0.{decimals or 0}"))
    value = whole + fraction
    return min(max(-value if sign == "-" else value, least), most)


# Servers


@dataclass(frozen=True)
class Tools:
    """Implementations of the commands ``eval`` and ``bench``, if available."""

    evaluate: Callable[[Board, NetworkFile | None], int] | None = None
    """Static evaluation in centipawns, from the side to move's point of view."""
    trace: Callable[[Board, NetworkFile | None], str] | None = None
    """Table of the evaluation, term by term."""
    bench: Callable[[Sequence[str], NetworkFile | None], Iterable[str]] | None = None
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
        """Stop the search, if there is one."""
        self.engine.quit(QUIT_PATIENCE_S)

    @classmethod
    def knows(cls, word: str) -> bool:
        """Is ``word`` a command?"""
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
        """Called for each info of the search."""
        raise NotImplementedError

    def on_best(self, result: SearchResult) -> None:
        """Called with the answer to ``go``."""
        raise NotImplementedError

    def on_current(self, current: CurrentMove) -> None:
        """Called with the current root move of a long search."""
        raise NotImplementedError

    def on_busy(self, line: str, error: BusyError) -> None:
        """Report a command that has to wait for the end of the search."""
        self.on_refused(line, error)

    def on_unknown(self, line: str) -> None:
        """Report an unknown command."""
        self.send_once(line.split()[0].lower(), f"unknown command {quote(line)}")

    def on_refused(self, line: str, error: Exception) -> None:
        """Report a command that is wrong, or wrong at this time."""
        self.send_message(f"cannot do {quote(line)}: {error}")

    def send_message(self, text: str) -> None:
        """Send a message for the user."""
        self.output.send(f"{self.DECLARATION.message} {one_line(text)}")

    def send_once(self, topic: str, text: str) -> None:
        """Send only the first message on a topic, since GUIs repeat their commands."""
        if topic not in self._reported:
            self._reported.add(topic)
            self.send_message(text)

    # Move notation

    def format_move(self, move: Move) -> str:
        """Format a move in this protocol."""
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

    def do_ucinewgame(self, words: Sequence[str]) -> None:
        """Start a new game."""
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
                    self._write_transcript(str(parsed))
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

    def _write_transcript(self, path: str) -> None:
        try:
            self.output.transcript.write_to(path)
        except (OSError, ValueError) as error:  # a ValueError for a path with a zero byte
            raise ValueError(f"cannot write {quote(path)} ({reason_of(error)})") from error

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
        """Send the declaration."""
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
        """Print the static evaluation, term by term if a trace is available."""
        board, network = self.engine.board, self.engine.network
        if self.tools.trace is not None:
            self.output.send(*self.tools.trace(board, network).splitlines())
        elif self.tools.evaluate is not None:
            self.output.send(f"Evaluation: {self.tools.evaluate(board, network)}")
        else:
            self.send_message("there is no evaluation to show")

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
