"""PGN of a match: whole games written as fastchess writes them, and the headers of any file read.

Red is named twice, as ``Red`` and as ``White``: programs for Xiangqi look for the one, Ordo and
BayesElo for the other. Moves are ICCS, as ``Format`` says (``H2-E2``). Each move carries what its
engine said and the time it took, ``{+0.35/12 1.040s}``: the score in pawns from the mover's side
or the moves to mate (``+M5``), the depth, the seconds. The last comment also tells in words how
the game ended.

The form is that of fastchess (https://github.com/Disservin/fastchess, pgn_builder.cpp) and of the
PGN standard, sections 7 and 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any, Final, Literal, TypeAlias

from xiangqi.core.move import Move
from xiangqi.errors import RecordError
from xiangqi.fen import STARTING_FEN, parse_fen
from xiangqi.games.formats.pgn_tokens import format_header, is_header_line, read_header_line
from xiangqi.games.results import Result
from xiangqi.lines import LineReader
from xiangqi.notation import format_iccs
from xiangqi.pieces import BLACK, Color

if TYPE_CHECKING:
    from chess.engine import PovScore

__all__ = ["DETAILS", "Ended", "PlayedGame", "PlayedMove", "read_headers", "write_game"]

Ended: TypeAlias = Literal[
    "normal", "adjudication", "time forfeit", "abandoned", "illegal move", "unterminated"
]
"""What the header ``Termination`` says: by the rules of the game; agreed on by a referee because
of scores or length; late; the engine crashed, hung or left; an illegal move; the match ended."""

LINE_LENGTH: Final = 79
"""PGN standard, section 8.2.2.1: export lines have fewer than 80 characters."""

DETAILS: Final[Mapping[str, str]] = {
    "nodes": "n",
    "seldepth": "sd",
    "nps": "nps",
    "hashfull": "hashfull",
    "pv": "pv",
}
"""What else of an engine's information a comment may tell, and the word for it there."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of a match and how it was found."""

    move: Move
    info: Mapping[str, Any] = field(default_factory=dict)
    """What the engine told, as in ``chess.engine.InfoDict``, with moves of Xiangqi."""
    seconds: float = 0.0
    """From sending ``go`` to receiving ``bestmove``."""
    is_book: bool = False
    """Was it part of the opening, so that no engine thought about it?"""
    seconds_left: float | None = None
    """The mover's clock after the move, its increment included; None without a clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A finished game of a match with everything that its PGN tells."""

    red: str
    black: str
    result: Result
    termination: Ended
    reason: str
    """How the game ended, in words: "Black is mated"."""
    moves: tuple[PlayedMove, ...] = ()
    fen: str = STARTING_FEN
    rules: str = ""
    """The rule set that was played by."""
    ruling: str = ""
    """The referee's ruling in words; empty where no repetition was ruled on."""
    event: str = ""
    site: str = ""
    round: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    red_time_control: str = ""
    """As in PGN: ``40/60+0.6``; a dash without one."""
    black_time_control: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers, such as ``Opening``; they come last and replace none of the others."""


def write_game(game: PlayedGame, *, details: Collection[str] = ()) -> str:
    """The game as PGN, ending with an empty line, so that games can be put one after another.

    ``details`` chooses from :data:`DETAILS` what else the comments tell; ``timeleft`` adds the
    mover's clock. Raises ValueError for any other word, FenError for a bad opening.

    >>> game = PlayedGame(red="A", black="B", result="0-1", termination="abandoned",
    ...                   reason="A left", moves=(PlayedMove(Move.from_iccs("h2e2")),))
    >>> print(write_game(game))  # doctest: +ELLIPSIS
    [Game "Chinese Chess"]
    [Event "?"]
    ...
    [Termination "abandoned"]
    [Format "ICCS"]
    <BLANKLINE>
    1. H2-E2 {0.000s, A left} 0-1
    <BLANKLINE>
    <BLANKLINE>
    """
    for word in details:
        if word not in DETAILS and word != "timeleft":
            expected = ", ".join(sorted([*DETAILS, "timeleft"]))
            raise ValueError(f"invalid detail of a comment {word!r}: expected one of {expected}")
    tags = _headers(game)
    tags.update((name, value) for name, value in game.headers.items() if name not in tags)
    lines = [format_header(name, _CONTROL.sub(" ", value)) for name, value in tags.items() if value]
    return "\n".join([*lines, "", *_wrap([*_units(game, details), game.result]), "", ""])


def _headers(game: PlayedGame) -> dict[str, str]:
    red_time, black_time = game.red_time_control, game.black_time_control
    is_same = red_time == black_time
    is_usual = parse_fen(game.fen) == parse_fen(STARTING_FEN)
    duration = ""
    if game.started is not None and game.ended is not None:
        minutes, seconds = divmod(round((game.ended - game.started).total_seconds()), 60)
        duration = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    return {
        "Game": "Chinese Chess",
        "Event": game.event or "?",
        "Site": game.site or "?",
        "Date": "????.??.??" if game.started is None else f"{game.started:%Y.%m.%d}",
        "Round": game.round or "?",
        "White": game.red,
        "Black": game.black,
        "Result": game.result,
        "Red": game.red,
        "SetUp": "" if is_usual else "1",
        "FEN": "" if is_usual else game.fen,
        "Variant": "xiangqi",
        "GameDuration": duration,
        "GameStartTime": _format_time(game.started),
        "GameEndTime": _format_time(game.ended),
        "PlyCount": str(len(game.moves)),
        "TimeControl": red_time if is_same else "",
        "WhiteTimeControl": "" if is_same else red_time,
        "BlackTimeControl": "" if is_same else black_time,
        "Rules": game.rules,
        "Ruling": game.ruling,
        "Termination": game.termination,
        "Format": "ICCS",
    }


def _format_time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S %z}".strip()


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def _units(game: PlayedGame, details: Collection[str]) -> Iterator[str]:
    """The moves with numbers and comments, each a piece of a line."""
    setup = parse_fen(game.fen)
    number, turn = setup.fullmove_number, setup.turn
    if not game.moves and game.reason:
        yield _comment([game.reason])
    for ply, played in enumerate(game.moves):
        count = f"{number}... " if turn == BLACK and ply == 0 else f"{number}. "
        parts = list(_comment_parts(played, turn, details))
        if ply == len(game.moves) - 1 and game.reason:
            parts.append(game.reason)
        shown = count if turn != BLACK or ply == 0 else ""
        yield f"{shown}{format_iccs(played.move)} {_comment(parts)}"
        number += turn == BLACK
        turn = not turn


def _comment(parts: Iterable[str]) -> str:
    text = _CONTROL.sub(" ", ", ".join(parts))
    return "{" + text.replace("{", "(").replace("}", ")") + "}"


def _comment_parts(played: PlayedMove, turn: Color, details: Collection[str]) -> Iterator[str]:
    if played.is_book:
        yield "book"
        return
    score = _format_score(played.info.get("score"), turn)
    depth = f"/{played.info['depth']}" if score and "depth" in played.info else ""
    yield f"{score}{depth} {played.seconds:.3f}s".lstrip()
    if "timeleft" in details and played.seconds_left is not None:
        yield f"tl={played.seconds_left:.3f}s"
    for key, word in DETAILS.items():
        if key in details and played.info.get(key) is not None:
            value = played.info[key]
            if key == "pv":
                value = '"' + " ".join(map(format_iccs, value)) + '"'
            yield f"{word}={value}"


def _format_score(score: PovScore | None, turn: Color) -> str:
    if score is None:
        return ""
    own = score.pov(turn)
    mate, pawns = own.mate(), own.score()
    if mate is not None:
        return f"{'+' if mate > 0 else '-'}M{abs(mate)}"
    return "" if pawns is None else f"{pawns / 100:+.2f}"


# A line that begins with [ or % is no move to a reader of PGN.
_BREAK: Final = re.compile(r" (?![\[%])")


def _wrap(units: Iterable[str]) -> Iterator[str]:
    """Put pieces on lines; one that is longer than a line is broken at its blanks."""
    line = ""
    for unit in units:
        for word in [unit] if len(unit) <= LINE_LENGTH else _BREAK.split(unit):
            if line and len(line) + 1 + len(word) > LINE_LENGTH:
                yield line
                line = word
            else:
                line = f"{line} {word}" if line else word
    if line:
        yield line


# Reading

_BRACES: Final = re.compile(r"[{};]")


def read_headers(
    stream: IO[bytes],
    name: str = "",
    on_error: Callable[[RecordError], object] | None = None,
) -> Iterator[dict[str, str]]:
    """The headers of each game of a PGN file, in their order; moves are passed over unread.

    Text may be UTF-8, with or without a mark at its beginning, or GB18030; lines may end in CRLF.
    A game without headers gives an empty dictionary; one that breaks off, even within a comment,
    does not hide the next.

    ``name`` is that of the file, for messages. A header that cannot be read raises RecordError,
    which tells file and line; or ``on_error`` is called with it and the header is left out.

    >>> import io
    >>> list(read_headers(io.BytesIO(b'[White "A"]\\n[Result "1-0"]\\n\\n1. H2-E2 1-0\\n')))
    [{'White': 'A', 'Result': '1-0'}]
    """
    source = name or str(getattr(stream, "name", "PGN"))
    lines, reader = LineReader(stream, source), _HeaderReader(source, on_error)
    for line in lines:
        finished = reader.read(lines.number, line.removeprefix("\ufeff").rstrip())
        if finished is not None:
            yield finished
    if reader.has_begun:
        yield reader.headers


@dataclass
class _HeaderReader:
    name: str
    on_error: Callable[[RecordError], object] | None
    headers: dict[str, str] = field(default_factory=dict)
    has_begun: bool = False
    _in_moves: bool = False
    _in_comment: bool = False
    _after_blank: bool = False

    def read(self, number: int, line: str) -> dict[str, str] | None:
        """Take the next line; the headers of the game before it if it begins another one."""
        finished = None
        if not line:
            self._after_blank = True
            return None
        if self._is_tag(line):
            if self._in_moves or self._is_repeated(line):
                finished = self.headers
                self.headers = {}
            self._in_moves = self._in_comment = False
            self.has_begun = True
            self._add(number, line)
        elif self._in_comment or not line.startswith("%"):
            self.has_begun = self._in_moves = True
            self._pass_over(line)
        self._after_blank = False
        return finished

    def _is_tag(self, line: str) -> bool:
        if self._in_comment:
            return self._after_blank and is_header_line(line)
        return line.lstrip().startswith("[")

    def _is_repeated(self, line: str) -> bool:
        """Does the line begin a game after one that had headers only?"""
        return self._after_blank and any(name in self.headers for name, _ in read_header_line(line))

    def _add(self, number: int, line: str) -> None:
        found = read_header_line(line)
        if not found:
            why = 'not a header: expected [Name "value"], with \\" for a quote in the value'
            error = RecordError(None, line, why, f"{self.name}:{number}")
            if self.on_error is None:
                raise error
            self.on_error(error)
            return
        self.headers.update(found)

    def _pass_over(self, line: str) -> None:
        for match in _BRACES.finditer(line):
            if match[0] == "}":
                self._in_comment = False
            elif not self._in_comment:
                if match[0] == ";":
                    return
                self._in_comment = True
