"""Errors about input.

All derive from :class:`XiangqiError`, which is a :class:`ValueError`. Two
questions are kept apart, as in python-chess: text that cannot be read (:class:`FenError`,
:class:`InvalidMoveError` and their like), and text that can be read but is impossible or not
allowed (:class:`PositionError`, :class:`IllegalMoveError`).

Each message quotes the input, says where the fault is and what was expected. The parts of a message
are attributes, so that messages need not be parsed:

>>> try:
...     raise InvalidMoveError("h2-k2", "two squares, as in 'h2e2'")
... except XiangqiError as error:
...     print(error)
...     print(error.text)
invalid move 'h2-k2': expected two squares, as in 'h2e2'
h2-k2

The constructor arguments are kept as ``args`` and the message is made from them on demand. That
is what lets errors be copied, and pickled between the processes of a batch job.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable
from enum import IntFlag
from typing import ClassVar

__all__ = [
    "AmbiguousMoveError",
    "BookError",
    "CaseError",
    "FenError",
    "FormatError",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPieceError",
    "InvalidSquareError",
    "InvalidTextError",
    "MissingPieceError",
    "NetworkError",
    "PositionError",
    "RatingError",
    "RecordError",
    "RuleSetError",
    "SampleError",
    "TableError",
    "WorkersError",
    "XiangqiError",
    "quote",
    "quote_bytes",
    "reason_of",
]

_QUOTE_LIMIT = 120
_LONG = 2_000  # characters of a text that are looked at, at most
_UNPRINTABLE = (
    r"(?:[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\uf8ff\ufffd\U000e0000-\U0010ffff]"
    r"|\\x[0-9a-f]{2})+"
)
"""Pattern of what no text has: such characters, and escaped bytes. Compiled at first use, since it
takes as long as the rest of this module."""


class _Quoter(reprlib.Repr):
    def repr_str(self, x: str, level: int) -> str:
        if len(x) > _LONG:
            x = f"{x[: _LONG // 2]}...{x[-_LONG // 2 :]}"
        if len(repr(x)) > self.maxstring:
            x = re.sub(_UNPRINTABLE, "\ufffd", x)
        return super().repr_str(x, level)

    def repr_int(self, x: int, level: int) -> str:
        try:
            return super().repr_int(x, level)
        except ValueError:  # Python refuses to write numbers of thousands of digits.
            return f"<a number of {x.bit_length()} bits>"


_quoter = _Quoter()
_quoter.maxstring = _quoter.maxother = _quoter.maxlong = _QUOTE_LIMIT


def quote(value: object) -> str:
    """Quote *value* for a message: its ``repr``, without the middle when it is very long, and then
    with one sign in place of what is no text.

    >>> quote("h2e2")
    "'h2e2'"
    >>> quote("\\0")
    "'\\\\x00'"
    >>> quote("PK" + "\\0" * 1_000 + " a file")
    "'PK� a file'"
    >>> len(quote("9/" * 1_000_000))
    120
    """
    return _quoter.repr(value)


def reason_of(error: OSError | ValueError) -> str:
    """Reason why a file cannot be read or written, as the system says it, without number and path.

    >>> try:
    ...     open("no/such")
    ... except OSError as error:
    ...     reason_of(error)
    'No such file or directory'
    """
    return (isinstance(error, OSError) and error.strerror) or str(error)


def quote_bytes(data: bytes) -> str:
    """Quote what may be no text at all, as far as it can be read.

    >>> quote_bytes(b"PK\\3\\4\\0\\0 a file")
    "'PK� a file'"
    """
    return quote(re.sub(_UNPRINTABLE, "\ufffd", data.decode("utf-8", "replace")))


class XiangqiError(ValueError):
    """Something given to Meihua cannot be read, is impossible, or is not allowed."""


class FenError(XiangqiError):
    """A FEN cannot be read.

    >>> print(FenError("9/9 w", "piece placement", "2 ranks found, expected 10"))
    invalid FEN '9/9 w': piece placement: 2 ranks found, expected 10
    """

    def __init__(self, text: str, field: str, why: str) -> None:
        super().__init__(text, field, why)
        self.text = text
        """The whole FEN as it was given."""
        self.field = field
        """The part that cannot be read, such as ``"side to move"``."""
        self.why = why
        """What was found there, and what was expected."""

    def __str__(self) -> str:
        return f"invalid FEN {quote(self.text)}: {self.field}: {self.why}"


class PositionError(XiangqiError):
    """A position can be read, but no game of xiangqi can reach it.

    Holds all problems at once: as flags in ``status``, as sentences in ``problems``.

    >>> from xiangqi.fen import Status
    >>> status = Status.NO_RED_KING | Status.NO_BLACK_KING
    >>> problems = ["red has no general", "black has no general"]
    >>> print(PositionError("9/9/9/9/9/9/9/9/9/9 w - - 0 1", status, problems))
    impossible position '9/9/9/9/9/9/9/9/9/9 w - - 0 1': red has no general; black has no general
    """

    def __init__(self, fen: str, status: IntFlag, problems: Iterable[str]) -> None:
        problems = tuple(problems)
        super().__init__(fen, status, problems)
        self.fen = fen
        self.status = status
        self.problems = problems

    def __str__(self) -> str:
        return f"impossible position {quote(self.fen)}: {'; '.join(self.problems)}"


class InvalidTextError(XiangqiError):
    """A short text does not name what it should: the base of the three classes that follow."""

    _thing: ClassVar[str] = "text"

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected

    def __str__(self) -> str:
        return f"invalid {self._thing} {quote(self.text)}: expected {self.expected}"


class InvalidSquareError(InvalidTextError):
    """A text does not name a square of the board.

    >>> print(InvalidSquareError("k4", "a file a-i and a rank 0-9, as in 'e0'"))
    invalid square 'k4': expected a file a-i and a rank 0-9, as in 'e0'
    """

    _thing = "square"


class InvalidPieceError(InvalidTextError):
    """A text does not name a piece.

    >>> print(InvalidPieceError("q", "one of the letters KABNRCP"))
    invalid piece 'q': expected one of the letters KABNRCP
    """

    _thing = "piece"


class InvalidMoveError(InvalidTextError):
    """A text cannot be read as a move; compare :class:`IllegalMoveError`.

    >>> print(InvalidMoveError("h2", "two squares, as in 'h2e2'"))
    invalid move 'h2': expected two squares, as in 'h2e2'
    """

    _thing = "move"


class IllegalMoveError(XiangqiError):
    """A move can be read, but is not legal in the position.

    >>> fen = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
    >>> print(IllegalMoveError("e0g2", fen, "a general moves one step, up, down or sideways"))
    ... # doctest: +NORMALIZE_WHITESPACE
    illegal move 'e0g2' in '4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1': a general moves one step, up,
    down or sideways
    """

    def __init__(self, move: str, fen: str, why: str) -> None:
        super().__init__(move, fen, why)
        self.move = move
        self.fen = fen
        self.why = why

    def __str__(self) -> str:
        return f"illegal move {quote(self.move)} in {quote(self.fen)}: {self.why}"


class MissingPieceError(IllegalMoveError):
    """A move is illegal because the side to move has no such piece where the text says.

    Apart from its kin because it tells less about the player: more often than a wrong move it is a
    slip of the pen, or a move before it is missing.

    >>> fen = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
    >>> print(MissingPieceError("a0a1", fen, "there is no piece on a0"))
    illegal move 'a0a1' in '4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1': there is no piece on a0
    """


class AmbiguousMoveError(XiangqiError):
    """A move text fits several legal moves of the position.

    >>> fen = "4k4/9/9/9/9/9/9/1C5C1/9/4K4 w - - 0 1"
    >>> print(AmbiguousMoveError("C.5", fen, ["b2e2", "h2e2"]))
    ... # doctest: +NORMALIZE_WHITESPACE
    ambiguous move 'C.5' in '4k4/9/9/9/9/9/9/1C5C1/9/4K4 w - - 0 1': expected a text for one of
    b2e2, h2e2
    """

    def __init__(self, text: str, fen: str, candidates: Iterable[str]) -> None:
        candidates = tuple(candidates)
        super().__init__(text, fen, candidates)
        self.text = text
        self.fen = fen
        self.candidates = candidates
        """The legal moves that the text may stand for, in coordinates."""

    def __str__(self) -> str:
        moves = ", ".join(self.candidates)
        where = f"{quote(self.text)} in {quote(self.fen)}"
        return f"ambiguous move {where}: expected a text for one of {moves}"


class RecordError(XiangqiError):
    """A game record goes wrong at a ply, or before its first one.

    Plies count from 0, like the items of a list of moves; messages for people count moves from 1.
    None stands for what is wrong with the record apart from its moves.

    >>> print(RecordError(2, "h2h9", "the red cannon on h2 cannot reach h9", source="line 12"))
    line 12: move 3: 'h2h9': the red cannon on h2 cannot reach h9
    """

    def __init__(self, ply: int | None, text: str, why: str, source: str = "") -> None:
        super().__init__(ply, text, why, source)
        self.ply = ply
        self.text = text
        self.why = why
        self.source = source
        """Which record it was, in words; empty when there is only one."""

    def __str__(self) -> str:
        parts = [self.source] if self.source else []
        if self.ply is not None:
            parts.append(f"move {self.ply + 1}")
        return ": ".join([*parts, quote(self.text), self.why])


class CaseError(XiangqiError):
    """A file of repetition cases cannot be read.

    >>> print(CaseError("cases.toml", "D7", "verdict", "found 'win', expected one of 'draw'"))
    cases.toml: case D7: verdict: found 'win', expected one of 'draw'
    """

    def __init__(self, path: str, case: str, field: str, why: str) -> None:
        super().__init__(path, case, field, why)
        self.path = path
        self.case = case
        """The id of the case, or its place in the file; empty for the file as a whole."""
        self.field = field
        """The key that is wrong; empty for the case as a whole."""
        self.why = why

    def __str__(self) -> str:
        case = f"case {self.case}" if self.case else ""
        return ": ".join(part for part in (self.path, case, self.field, self.why) if part)


class RuleSetError(XiangqiError):
    """A rule set is not known, or one of its options cannot have this value.

    >>> print(RuleSetError("rule set", "wfx", "one of 'axf', 'cxa', 'wxf'"))
    invalid rule set 'wfx': expected one of 'axf', 'cxa', 'wxf'
    >>> print(RuleSetError("option natural_limit", -1, "a number of rounds, or None"))
    invalid option natural_limit -1: expected a number of rounds, or None
    >>> print(RuleSetError("rule chase", "gian", "one of 'capture', 'gain'", "club.toml"))
    club.toml: invalid rule chase 'gian': expected one of 'capture', 'gain'
    """

    def __init__(self, subject: str, value: object, expected: str, path: str = "") -> None:
        super().__init__(subject, value, expected, path)
        self.subject = subject
        """What was to be chosen: ``"rule set"``, or the option by its name."""
        self.value = value
        self.expected = expected
        self.path = path
        """The file that says so; empty if it was none."""

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}invalid {self.subject} {quote(self.value)}: expected {self.expected}"


class RatingError(XiangqiError):
    """The games do not determine ratings.

    >>> print(RatingError("no game has a result"))
    cannot rate the players: no game has a result
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"cannot rate the players: {self.why}"


class FormatError(XiangqiError):
    """A file of games cannot be read as a whole, or a game cannot be written in a format.

    >>> print(FormatError("positions", "game 3", "it would lose comments, the header 'Red'"))
    positions: game 3: it would lose comments, the header 'Red'
    """

    def __init__(self, subject: str, place: str, why: str) -> None:
        super().__init__(subject, place, why)
        self.subject = subject
        """The file to be read, or the format to be written."""
        self.place = place
        """Where the fault lies; empty for the whole."""
        self.why = why

    def __str__(self) -> str:
        return ": ".join(part for part in (self.subject, self.place, self.why) if part)


class SampleError(XiangqiError):
    """A file of samples to train with cannot be read, or not be gone on with.

    >>> print(SampleError("games.samples", "version 7, expected 1"))
    games.samples: version 7, expected 1
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class NetworkError(XiangqiError):
    """A file is no network that this version can evaluate with.

    >>> print(NetworkError("new.nnue", "version 2", "version 1"))
    cannot use the network 'new.nnue': found version 2, expected version 1
    """

    def __init__(self, path: str, found: str, expected: str) -> None:
        super().__init__(path, found, expected)
        self.path = path
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return (
            f"cannot use the network {quote(self.path)}: "
            f"found {self.found}, expected {self.expected}"
        )


class BookError(XiangqiError):
    """A file is no opening book that can be read, or is damaged.

    >>> print(BookError("my.obk", "no file", "an OBK book"))
    cannot use the book 'my.obk': found no file, expected an OBK book
    """

    def __init__(self, path: str, found: str, expected: str) -> None:
        super().__init__(path, found, expected)
        self.path = path
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return (
            f"cannot use the book {quote(self.path)}: found {self.found}, expected {self.expected}"
        )


class TableError(XiangqiError):
    """An end-game table cannot be read or made, or no class has such a name.

    >>> print(TableError("KRvKN.wxf.xqt", "it is no table: too short"))
    KRvKN.wxf.xqt: it is no table: too short
    """

    def __init__(self, subject: str, why: str) -> None:
        super().__init__(subject, why)
        self.subject = subject
        """The file, or what was taken for the name of a class."""
        self.why = why

    def __str__(self) -> str:
        return f"{self.subject}: {self.why}"


class WorkersError(XiangqiError):
    """No worker processes are available.

    >>> print(WorkersError("scheduler 'tcp://127.0.0.1:1'", "cannot be reached"))
    no workers: scheduler 'tcp://127.0.0.1:1': cannot be reached
    """

    def __init__(self, who: str, why: str) -> None:
        super().__init__(who, why)
        self.who = who
        """Who was to give workers."""
        self.why = why

    def __str__(self) -> str:
        return f"no workers: {self.who}: {self.why}"
