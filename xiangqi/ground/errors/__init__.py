"""Errors about input.

All derive from :class:`XiangqiError`, a :class:`ValueError`. As in python-chess, text that cannot
be parsed (:class:`FenError`, :class:`InvalidMoveError` and the like) is distinguished from input
that is impossible or not allowed (:class:`PositionError`, :class:`IllegalMoveError`).

Each error holds the quoted input, its place, and a :class:`Fact` with the fault or the expected
input. ``str(error)`` is the English message, :meth:`XiangqiError.say` the message in another
language, and :attr:`XiangqiError.facts` is for programs.

>>> try:
...     raise InvalidMoveError("h2-k2", Fact("move.iccs"))
... except XiangqiError as error:
...     print(error)
...     print(error.say("zh"))
...     print(error.facts.code, error.facts.given)
invalid move 'h2-k2': expected two different squares a0 to i9, as in 'h2e2' or 'H2-E2'
着法 'h2-k2' 无法读懂：应为a0 至 i9 中两个不同的点，如“h2e2”或“H2-E2”
bad_move h2-k2

``args`` holds the constructor arguments, and the message is made from them on demand, so that
errors can be copied, and pickled between processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag
from typing import ClassVar, Literal, NamedTuple

from xiangqi.ground.errors.facts import Fact, outside, reason_of
from xiangqi.ground.texts import Count, Language, plural, quote, quote_bytes

__all__ = [
    "AmbiguousMoveError",
    "BookError",
    "CaseError",
    "Count",
    "ErrorFacts",
    "Fact",
    "FenError",
    "FormatError",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPieceError",
    "InvalidSquareError",
    "InvalidTextError",
    "Language",
    "MissingPieceError",
    "NamedValueError",
    "NetworkError",
    "PositionError",
    "RatingError",
    "RecordError",
    "RuleSetError",
    "TableError",
    "WorkersError",
    "XiangqiError",
    "outside",
    "plural",
    "quote",
    "quote_bytes",
    "reason_of",
    "require_str",
]


def _fact(text: str) -> Fact:
    """Wrap text that is not a fact with :func:`outside`."""
    return text if isinstance(text, Fact) else outside(text)


def _at(*parts: str) -> Fact:
    """Prefix a fault, the last part, with its places, outermost first; empty parts are omitted."""
    *places, what = filter(None, parts)
    fact = _fact(what)
    for place in reversed(places):
        fact = Fact("at", place=place, what=fact)
    return fact


class ErrorFacts(NamedTuple):
    """Parts of an error, for programs."""

    code: str
    """Kind of error, such as ``bad_fen``."""
    given: object
    """Input as given; None if the error quotes none."""
    place: str
    """Place of the fault in the input, in English; empty for the whole input."""
    expected: str | None
    """Expected input, in English; None if unknown."""


def require_str(text: object, kind: str) -> None:
    """Raise TypeError unless ``text`` is a str; ``kind`` names it in the message.

    >>> require_str(None, "a move")
    Traceback (most recent call last):
    TypeError: a move must be a str, not NoneType
    """
    if not isinstance(text, str):
        raise TypeError(f"{kind} must be a str, not {type(text).__name__}")


class XiangqiError(ValueError):
    """Input that is unreadable, impossible, or not allowed; base class of all errors."""

    _CODE: ClassVar[str] = "bad_input"
    _QUOTED: ClassVar[str] = ""  # names of the attributes with the input and its place
    _PLACED: ClassVar[str] = ""

    @property
    def fact(self) -> Fact:
        """The whole error as one fact."""
        return _fact(super().__str__())

    def _code(self) -> str:
        return self._CODE

    @property
    def facts(self) -> ErrorFacts:
        """Parts of the error, for programs."""
        given = getattr(self, self._QUOTED) if self._QUOTED else None
        place = str(getattr(self, self._PLACED)) if self._PLACED else ""
        expected = getattr(self, "expected", None) or self.fact.expected
        return ErrorFacts(self._code(), given, place, expected and str(expected))

    def say(self, language: Language) -> str:
        """Message in a language."""
        return self.fact.say(language)

    def __str__(self) -> str:
        return str(self.fact)


class FenError(XiangqiError):
    """A FEN cannot be read.

    >>> why = Fact("fen.ranks", found="9/9", count=2, ranks=10)
    >>> print(FenError("9/9 w", Fact("fen.placement"), why))
    invalid FEN '9/9 w': piece placement: '9/9' has 2 ranks, expected 10 separated by '/'
    """

    _CODE = "bad_fen"
    _QUOTED = "text"
    _PLACED = "field"

    def __init__(self, text: str, field: Fact, why: Fact) -> None:
        super().__init__(text, field, why)
        self.text = text
        """The whole FEN as given."""
        self.field = _fact(field)
        """Field that cannot be read, such as ``"side to move"``."""
        self.why = _fact(why)
        """Fault found, and expected input."""

    @property
    def fact(self) -> Fact:
        return Fact("error.fen", text=self.text, field=self.field, why=self.why)


class PositionError(XiangqiError):
    """A position can be read, but is impossible in a game of xiangqi.

    All problems are in ``status`` as flags, and in ``problems`` as facts.

    >>> from xiangqi.pieces.fen import Status, describe_status, parse_fen
    >>> fen, status = "9/9/9/9/9/9/9/9/9/9 w - - 0 1", Status.NO_RED_KING | Status.NO_BLACK_KING
    >>> print(PositionError(fen, status, describe_status(parse_fen(fen), status)))
    impossible position '9/9/9/9/9/9/9/9/9/9 w - - 0 1': red has no general; black has no general
    """

    _CODE = "impossible_position"
    _QUOTED = "fen"

    def __init__(self, fen: str, status: IntFlag, problems: Iterable[Fact]) -> None:
        problems = tuple(problems)
        super().__init__(fen, status, problems)
        self.fen = fen
        self.status = status
        self.problems = problems

    @property
    def fact(self) -> Fact:
        return Fact("error.position", fen=self.fen, problems=self.problems)


class InvalidTextError(XiangqiError):
    """A short text is invalid; base class of the next three."""

    _QUOTED = "text"
    _ROW: ClassVar[str] = "error.text"

    def __init__(self, text: str, expected: Fact) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = _fact(expected)

    @property
    def fact(self) -> Fact:
        return Fact(self._ROW, text=self.text, expected=self.expected)


class InvalidSquareError(InvalidTextError):
    """A text does not name a square of the board.

    >>> print(InvalidSquareError("k4", Fact("square.form")))
    invalid square 'k4': expected a file a-i and a rank 0-9
    """

    _ROW = "error.square"


class InvalidPieceError(InvalidTextError):
    """A text does not name a piece.

    >>> print(InvalidPieceError("q", Fact("piece.letters", letters="KABNRCP")))
    invalid piece 'q': expected one of KABNRCP
    """

    _ROW = "error.piece"


class InvalidMoveError(InvalidTextError):
    """A text cannot be parsed as a move; compare :class:`IllegalMoveError`.

    >>> print(InvalidMoveError("h2", Fact("move.san")))
    invalid move 'h2': expected a piece and a square, as in 'Che3'
    """

    _CODE = "bad_move"
    _ROW = "error.move"


class IllegalMoveError(XiangqiError):
    """A move can be parsed, but is not legal in the position.

    >>> fen = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
    >>> print(IllegalMoveError("e0e1", fen, Fact("illegal.in_check", side=True)))
    illegal move 'e0e1' in '4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1': it leaves the red general in check
    """

    _CODE = "illegal_move"
    _QUOTED = "move"

    def __init__(self, move: str, fen: str, why: Fact) -> None:
        super().__init__(move, fen, why)
        self.move = move
        self.fen = fen
        self.why = _fact(why)

    @property
    def fact(self) -> Fact:
        return Fact("error.illegal_move", move=self.move, fen=self.fen, why=self.why)


class MissingPieceError(IllegalMoveError):
    """The side to move has no such piece on the named square.

    A typing error or a missing earlier move is then likelier than an illegal move.

    >>> fen = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
    >>> print(MissingPieceError("a0a1", fen, Fact("illegal.no_piece", square="a0")))
    illegal move 'a0a1' in '4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1': there is no piece on a0
    """


class AmbiguousMoveError(XiangqiError):
    """A text matches several legal moves of the position.

    >>> fen = "4k4/9/9/9/9/9/9/1C5C1/9/4K4 w - - 0 1"
    >>> print(AmbiguousMoveError("C.5", fen, ["b2e2", "h2e2"]))
    ... # doctest: +NORMALIZE_WHITESPACE
    ambiguous move 'C.5' in '4k4/9/9/9/9/9/9/1C5C1/9/4K4 w - - 0 1': expected a text for one of
    b2e2, h2e2
    """

    _CODE = "bad_move"
    _QUOTED = "text"

    def __init__(self, text: str, fen: str, candidates: Iterable[str]) -> None:
        candidates = tuple(candidates)
        super().__init__(text, fen, candidates)
        self.text = text
        self.fen = fen
        self.candidates = candidates
        """Matching legal moves, in coordinates."""

    @property
    def fact(self) -> Fact:
        given = {"text": self.text, "fen": self.fen, "moves": self.candidates}
        return Fact("error.ambiguous_move", **given)


class RecordError(XiangqiError):
    """A game record is invalid at a ply, or apart from its moves.

    ``ply`` counts from 0, like the items of a list of moves, and is None apart from the moves;
    messages count from 1.

    >>> why = Fact("illegal.no_piece", square="h2")
    >>> print(RecordError(2, "h2h9", why, source="line 12"))
    line 12: move 3: 'h2h9': there is no piece on h2
    """

    _CODE = "bad_move"
    _QUOTED = "text"
    _PLACED = "source"

    def __init__(self, ply: int | None, text: str, why: Fact, source: str = "") -> None:
        super().__init__(ply, text, why, source)
        self.ply = ply
        self.text = text
        self.why = _fact(why)
        self.source = source
        """File of the record, or its place in the input; empty if there is only one record."""

    @property
    def fact(self) -> Fact:
        move = "" if self.ply is None else Fact("place.move", number=self.ply + 1)
        return _at(self.source, move, Fact("error.record", text=self.text, why=self.why))

    def _code(self) -> str:
        is_illegal = self.ply is not None and self.why.code.startswith("illegal.")
        return "illegal_move" if is_illegal else self._CODE


class CaseError(XiangqiError):
    """A file of repetition cases cannot be read.

    >>> why = Fact("found", value="win", expected=Fact("one_of", choices=("'draw'", "'red'")))
    >>> print(CaseError("cases.toml", "D7", "verdict", why))
    cases.toml: case D7: verdict: found 'win', expected one of 'draw', 'red'
    """

    _QUOTED = "path"
    _PLACED = "case"

    def __init__(self, path: str, case: str, field: str, why: Fact) -> None:
        super().__init__(path, case, field, why)
        self.path = path
        self.case = case
        """Id of the case, or its place in the file; empty for the whole file."""
        self.field = field
        """Invalid key; empty for the whole case."""
        self.why = _fact(why)

    @property
    def fact(self) -> Fact:
        case = Fact("place.case", case=self.case) if self.case else ""
        return _at(self.path, case, self.field, self.why)


class NamedValueError(XiangqiError):
    """A named value is invalid; base class of the errors of options and of fields of requests."""

    _QUOTED = "value"
    _PLACED = "name"

    def __init__(self, name: str, value: object, expected: Fact) -> None:
        super().__init__(name, value, expected)
        self.name = name
        self.value = value
        self.expected = _fact(expected)

    @property
    def fact(self) -> Fact:
        values = {"subject": self.name, "value": self.value, "expected": self.expected}
        return Fact("error.rules", **values)


class RuleSetError(XiangqiError):
    """A rule set is unknown, or one of its options has an invalid value.

    >>> expected = Fact("one_of", choices=("'axf'", "'cxa'", "'wxf'"))
    >>> print(RuleSetError(Fact("rule.set"), "wfx", expected))
    invalid rule set 'wfx': expected one of 'axf', 'cxa', 'wxf'
    >>> expected = Fact("one_of", choices=("'capture'", "'gain'"))
    >>> print(RuleSetError(Fact("rule.field", field="chase"), "gian", expected, "club.toml"))
    club.toml: invalid rule chase 'gian': expected one of 'capture', 'gain'
    """

    _CODE = "bad_rules"
    _QUOTED = "value"
    _PLACED = "subject"

    def __init__(self, subject: Fact, value: object, expected: Fact, path: str = "") -> None:
        super().__init__(subject, value, expected, path)
        self.subject = _fact(subject)
        """Subject of ``value``: ``"rule set"``, or the name of the option."""
        self.value = value
        self.expected = _fact(expected)
        self.path = path
        """File with the fault; empty without a file."""

    @property
    def fact(self) -> Fact:
        given = {"subject": self.subject, "value": self.value, "expected": self.expected}
        return _at(self.path, Fact("error.rules", **given))


class RatingError(XiangqiError):
    """The games do not determine ratings.

    >>> print(RatingError(Fact("rating.no_result")))
    cannot rate the players: no game has a result
    """

    def __init__(self, why: Fact) -> None:
        super().__init__(why)
        self.why = _fact(why)

    @property
    def fact(self) -> Fact:
        return Fact("error.rating", why=self.why)


class FormatError(XiangqiError):
    """A file of games cannot be read at all, or a game cannot be written in a format.

    >>> why = Fact("write.loses", losses="comments, the header 'Red'")
    >>> print(FormatError("positions", Fact("place.game", number=3), why))
    positions: game 3: it would lose comments, the header 'Red'
    """

    _CODE = "bad_file"
    _QUOTED = "subject"
    _PLACED = "place"

    def __init__(self, subject: str, place: Fact | Literal[""], why: Fact) -> None:
        super().__init__(subject, place, why)
        self.subject = subject
        """File to be read, or format to be written."""
        self.place = place
        """Place of the fault; empty for the whole file."""
        self.why = _fact(why)

    @property
    def fact(self) -> Fact:
        return _at(self.subject, self.place, self.why)


class _FileError(XiangqiError):
    _CODE = "bad_file"
    _QUOTED = "path"
    _ROW: ClassVar[str]

    def __init__(self, path: str, found: Fact, expected: Fact) -> None:
        super().__init__(path, found, expected)
        self.path = path
        self.found = _fact(found)
        self.expected = _fact(expected)

    @property
    def fact(self) -> Fact:
        return Fact(self._ROW, path=self.path, found=self.found, expected=self.expected)


class NetworkError(_FileError):
    """A file is not a network that this version can use.

    >>> version = Fact("version", version=2), Fact("version", version=1)
    >>> print(NetworkError("new.nnue", *version))
    cannot use the network 'new.nnue': found version 2, expected version 1
    """

    _ROW = "error.network"


class BookError(_FileError):
    """A file is not a readable opening book, or is damaged.

    >>> print(BookError("my.obk", Fact("no_file"), Fact("book.any")))
    cannot use the book 'my.obk': found no file, expected an OBK or PengFei book, or a BOOK.DAT
    """

    _ROW = "error.book"


class TableError(XiangqiError):
    """An endgame table cannot be read or made, or the name of a material class is invalid.

    >>> print(TableError("KRvKN.wxf.xqt", Fact("table.truncated")))
    KRvKN.wxf.xqt: not a table file: truncated header
    """

    _CODE = "bad_table"
    _QUOTED = "subject"

    def __init__(self, subject: str, why: Fact) -> None:
        super().__init__(subject, why)
        self.subject = subject
        """File, or invalid name of a material class."""
        self.why = _fact(why)

    @property
    def fact(self) -> Fact:
        return _at(self.subject, self.why)


class WorkersError(XiangqiError):
    """No worker processes are available.

    >>> who = Fact("workers.scheduler", address="tcp://127.0.0.1:1")
    >>> print(WorkersError(who, Fact("workers.none")))
    no workers: scheduler 'tcp://127.0.0.1:1': has no workers
    """

    def __init__(self, who: Fact, why: Fact) -> None:
        super().__init__(who, why)
        self.who = _fact(who)
        """Pool or scheduler that should provide workers."""
        self.why = _fact(why)

    @property
    def fact(self) -> Fact:
        return Fact("error.workers", who=self.who, why=self.why)
