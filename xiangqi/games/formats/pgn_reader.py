"""Reading PGN: cutting a file into games, their headers, and their moves.

PGN standard, sections 7 and 8 (https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm). A
game that breaks off, even within a comment, does not hide the next one. Lines that some programs
write after the result, such as the web address of XQWizard, are skipped.

The headers ``Game``, ``Format``, ``Variant`` and ``SetUp`` with standard values are dropped, as the
writer makes them; ``FEN`` is the starting position. ``White`` becomes ``Red``, also at the
beginning of other names such as ``WhiteElo``, unless the game has both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import Fact, InvalidMoveError, RecordError, XiangqiError
from xiangqi.games.formats.builder import GameBuilder, choose_parser
from xiangqi.games.pgn import is_header_line, read_header_line
from xiangqi.games.record import RESULTS
from xiangqi.games.tree import GameNode, start_board
from xiangqi.lines import FaultyText, LineReader
from xiangqi.notation import RankBase, is_wxf, parse_move

__all__ = [
    "MARKS",
    "MovesReader",
    "RawGame",
    "find_other_game",
    "find_rank_base",
    "find_western_move",
    "read_game",
    "read_headers",
    "read_words",
    "split_games",
    "take_headers",
    "western_reason",
]

_WORD: Final = re.compile(r"[{()]|;.*|[^\s{}();]+|\}")


@dataclass(slots=True)
class RawGame:
    """A game split into headers and words."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Everything after the headers: ``(``, ``)``, ``{comment}``, ``;comment``, other words."""
    faults: list[tuple[str, Fact]] = field(default_factory=list)
    """Faulty headers, unfinished comments and undecodable lines, each with the reason."""


def split_games(lines: LineReader) -> Iterator[FaultyText]:
    """Cut a file into its games, leaving out empty lines outside comments."""
    cut: list[str] = []
    faults: list[tuple[str, Fact]] = []
    for is_first, _, line in _classify(lines):
        if is_first:
            yield FaultyText("\n".join(cut), faults)
            cut, faults = [], []
        cut.append(line)
        faults += lines.take_faults()
    if cut:
        yield FaultyText("\n".join(cut), faults)


def read_headers(
    stream: IO[bytes],
    name: str = "",
    on_error: Callable[[RecordError], object] | None = None,
) -> Iterator[dict[str, str]]:
    """Iterate over the headers of each game of a PGN file, without reading the moves.

    Text may be UTF-8, with or without a byte order mark, or GB18030; lines may end in CRLF. A game
    without headers gives an empty dictionary.

    ``name`` is the file's name in messages. A faulty header raises RecordError with file and line;
    if ``on_error`` is given, it is called with the error and the header is skipped.

    >>> import io
    >>> list(read_headers(io.BytesIO(b'[White "A"]\\n[Result "1-0"]\\n\\n1. H2-E2 1-0\\n')))
    [{'White': 'A', 'Result': '1-0'}]
    """
    source = name or str(getattr(stream, "name", "PGN"))
    lines = LineReader(stream, source)
    headers: dict[str, str] = {}
    has_begun = False
    for is_first, found, line in _classify(line.removeprefix("\ufeff") for line in lines):
        if is_first and has_begun:
            yield headers
            headers = {}
        has_begun = has_begun or found is not None or line[0] != "%"
        if found:
            headers.update(found)
        elif found is not None:
            why = Fact("match.header")
            error = RecordError(None, line.rstrip(), why, f"{source}:{lines.number}")
            if on_error is None:
                raise error
            on_error(error)
    if has_begun:
        yield headers


def _classify(
    lines: Iterable[str],
) -> Iterator[tuple[bool, list[tuple[str, str]] | None, str]]:
    """Iterate over the lines of games: whether the line begins the next game, its headers (None for
    moves, an empty list for a faulty header), and its text. Empty lines outside comments are left
    out."""
    known: set[str] = set()  # names of the headers of the game
    has_words = is_comment = False
    after_blank = True
    for line in lines:
        is_blank = _is_blank(line)
        if is_comment and after_blank and is_header_line(line):
            is_comment = False
        if is_blank and not is_comment:
            after_blank = True
            continue
        is_first, headers = False, None
        if not is_comment and line.lstrip()[0] == "[":
            headers = read_header_line(line)
            names = {name for name, _ in headers}
            is_first = has_words or (after_blank and not names.isdisjoint(known))
            known = names if is_first else known | names
            has_words = False
        elif is_comment or line[0] != "%":
            has_words = True
            if is_comment or "{" in line:
                is_comment = read_words(RawGame(), line, [] if is_comment else None) is not None
        yield is_first, headers, line
        after_blank = is_blank


def _is_blank(line: str) -> bool:
    return not line or line.isspace()


def read_game(cut: FaultyText) -> RawGame:
    """Split a game cut out of a file into headers and words."""
    game = RawGame()
    comment: list[str] | None = None
    for line in cut.text.split("\n"):
        if comment is None and line.lstrip()[0] == "[":
            headers = read_header_line(line)
            game.headers += headers
            if not headers:
                game.faults.append((line.strip(), Fact("text.no_header")))
        elif comment is None and line[0] == "%":
            game.words.append(f";{line}")
        else:
            comment = read_words(game, line, comment)
    if comment is not None:
        text = "\n".join(comment)
        game.words.append(f"{text}}}")
        game.faults.append((text.strip(), Fact("text.comment")))
    game.faults += cut.faults
    return game


def read_words(game: RawGame, line: str, comment: list[str] | None) -> list[str] | None:
    """Add the words of a line to a game.

    ``comment`` has the lines of the comment that is open at the beginning of the line, or is None;
    the return value is the same for its end.
    """
    place = 0
    if comment is not None:
        place = line.find("}") + 1
        if not place:
            comment.append(line)
            return comment
        comment.append(line[:place])
        game.words.append("\n".join(comment))
    while (match := _WORD.search(line, place)) is not None:
        word = match[0]
        place = match.end()
        if word == "{":
            end = line.find("}", place) + 1
            if not end:
                return [line[place - 1 :]]
            word = line[place - 1 : end]
            place = end
        game.words.append(word)
    return None


_OTHER_GAMES: Final = ("record.not_xiangqi", "record.other_board", "record.western")
"""Reasons for which a game is not read at all."""
_STANDARD_VALUES: Final = {
    "Game": ("chinese chess", "xiangqi"),
    "Format": ("chinese", "wxf", "iccs", "san", "uci"),
    "Variant": ("xiangqi",),
    "SetUp": ("0", "1"),
}
_RANK_BASES: Final[dict[str, RankBase]] = {"iccs": 0, "san": 1, "uci": 1}
_XIANGQI: Final = ("", "?", "xiangqi", "cchess", "chinesechess")
"""Values of the header ``Variant`` for Xiangqi, in lower case without separators."""
_SEPARATORS: Final = re.compile(r"[\W_]+")
_RANKS: Final = 10


def find_rank_base(headers: Iterable[tuple[str, str]]) -> RankBase | None:
    """Number of Red's back rank, from the header ``Format``."""
    for name, value in headers:
        if name == "Format":
            return _RANK_BASES.get(value.lower())
    return None


def find_other_game(headers: Iterable[tuple[str, str]]) -> tuple[str, Fact] | None:
    """Find a header that shows another game than Xiangqi; return its value and the reason.

    A ``Variant`` in Chinese is taken for the name of an opening.
    """
    for name, value in headers:
        variant = _SEPARATORS.sub("", value).lower()
        if name == "Variant" and value.isascii() and variant not in _XIANGQI:
            return value, Fact("record.not_xiangqi", value=value)
        ranks = value.split(" ")[0].count("/") + 1
        if name == "FEN" and ranks == 8:
            return value, Fact("record.other_board", count=ranks, ranks=_RANKS)
    return None


def western_reason(move: str) -> Fact:
    """Reason why a game with a move of western chess is not read."""
    return Fact("record.western", move=move)


def is_other_game(reason: Fact) -> bool:
    """Does an error say that the game is not Xiangqi?"""
    return reason.code in _OTHER_GAMES


def take_headers(headers: Iterable[tuple[str, str]], builder: GameBuilder) -> None:
    """Set the headers and the starting position of a game; faults become errors."""
    first: dict[str, str] = {}
    for name, value in headers:
        if first.setdefault(name, value) != value:
            builder.add_error(value, Fact("text.second_header", name=name))
    result = builder.game.headers
    for name, value in first.items():
        if name == "FEN":
            if value.strip():
                builder.set_start(value)
        elif name.startswith("White"):
            red = f"Red{name.removeprefix('White')}"
            if red not in first:
                result[red] = value
            elif value != first[red]:
                result[name] = value
        elif value.lower() not in _STANDARD_VALUES.get(name, ()):
            result[name] = value


MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""NAG of each move suffix (section 10 of the PGN standard)."""

_MAX_NESTED: Final = 1000
"""Maximum nesting of variations."""
_NAG: Final = re.compile(r"\$[0-9]{1,9}")
_NUMBER: Final = re.compile(r"\d*[.．。、…]+|\d+")
_WESTERN: Final = re.compile(
    r"(?:O-O(?:-O)?|0-0(?:-0)?|Q[a-h]?[1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|[bdfh][1-8])"
    r"(?:=?[QRBN])?[+#]?"
)
"""Moves that only western chess has: castling, and most moves of queens and pawns."""
_MARKED: Final = re.compile(r"(.*[^!?！？])([!?！？]+)")


class MovesReader:
    """Reader of the words of one game into its tree.

    ``rank_base`` is the number of Red's back rank, if the file defines it.
    """

    def __init__(
        self, words: list[str], builder: GameBuilder, rank_base: RankBase | None = None
    ) -> None:
        self._words = words[: _end_of_game(words)]
        self._rank_base = rank_base
        self._builder = builder
        self._branches: list[GameNode] = []  # for each open variation, the node that it replaces
        self._early: str | None = None  # comment before the first move of a variation
        self._is_early = False
        self._commented: GameNode | None = None  # node of the last comment
        self._result = ""
        self._parser: Callable[[Board, str], Move] | None = None
        self.faults: list[int] = []
        """Indices of the words that became errors."""

    def read(self) -> None:
        """Read all words."""
        place = 0
        errors = self._builder.game.errors
        while place < len(self._words):
            before, here = len(errors), place
            place = self._take_word(here)
            self.faults += [here] * (len(errors) - before)
        if self._branches:
            self._keep_early()
            self._builder.add_error("(", Fact("text.variation"))
            self.faults.append(len(self._words) - 1)
        headers = self._builder.game.headers
        if self._result and headers.get("Result", "*") == "*":
            headers["Result"] = self._result

    def _take_word(self, place: int) -> int:
        """Read a word, with a faulty one the rest of its line; return the index of the next."""
        word = self._words[place]
        first = word[0]
        if first == "{" or first == ";":
            self._take_comment(word)
        elif first == "(":
            return self._open(place)
        elif first == ")":
            self._close(word)
        elif _NAG.fullmatch(word) is not None:
            self._builder.node.nags.append(int(word[1:]))
        elif word in MARKS:
            self._builder.node.nags.append(MARKS[word])
        elif word in RESULTS:
            self._take_result(word)
        else:
            return self._take_move(place)
        return place + 1

    def _take_comment(self, word: str) -> None:
        text = word[1:-1] if word[0] == "{" else word[1:]
        text = text.removeprefix(" ").removesuffix(" ")
        if not text and word[0] == "{":
            return
        if self._is_early:
            self._early = text if self._early is None else f"{self._early}\n{text}"
        elif self._commented is self._builder.node:
            self._commented.comment += f"\n{text}"
        else:
            self._builder.add_comment(text)
            self._commented = self._builder.node

    def _take_result(self, word: str) -> None:
        header = self._builder.game.headers.get("Result", "*")
        if self._branches:
            self._builder.add_error(word, Fact("text.inner_result"))
        elif word != "*" and header in RESULTS and header not in ("*", word):
            self._builder.add_error(word, Fact("text.other_result", result=header))
        else:
            self._result = word

    def _take_move(self, place: int) -> int:
        text, mark = _split_word(self._words[place])
        if not text:
            return place + 1
        if not self._builder.play(
            text,
            self._parse,
            lambda: self._rest_of_line(place),
            lambda: self._count_following(place),
        ):
            return self._end_of_line(place)
        self._keep_early()
        if mark:
            self._builder.node.nags.append(mark)
        return place + 1

    def _open(self, place: int) -> int:
        """Begin a variation."""
        node = self._builder.node
        reason = None
        if node.parent is None or self._is_early:
            reason = Fact("text.early_variation")
        elif len(self._branches) == _MAX_NESTED:
            reason = Fact("record.nested", most=_MAX_NESTED)
        if node.parent is None or reason is not None:
            end = self._end_of_variation(place)
            rest = " ".join(self._words[place:end])
            self._builder.add_error("(", reason or Fact("text.early_variation"), node.ply + 1, rest)
            return end
        self._branches.append(node)
        self._builder.go_to(node.parent)
        self._is_early = True
        return place + 1

    def _close(self, word: str) -> None:
        """End a variation."""
        self._keep_early()
        if self._branches:
            self._builder.go_to(self._branches.pop())
        else:
            self._builder.add_error(word, Fact("text.no_variation"))

    def _keep_early(self) -> None:
        """Add the comment before the first move of a variation to the current node."""
        self._is_early = False
        if self._early is not None:
            self._builder.add_comment(self._early)
            self._early = None

    def _end_of_variation(self, place: int) -> int:
        """Index after the variation that begins at ``place``."""
        depth = 0
        for end in range(place, len(self._words)):
            depth += (self._words[end] == "(") - (self._words[end] == ")")
            if depth == 0:
                return end + 1
        return len(self._words)

    def _rest_of_line(self, place: int) -> str:
        """Rest of the line from ``place`` on."""
        return " ".join(self._words[place : self._end_of_line(place)])

    def _count_following(self, place: int) -> int:
        """Number of moves in the line after ``place``, without variations."""
        depth = count = 0
        for word in self._words[place + 1 : self._end_of_line(place)]:
            depth += (word == "(") - (word == ")")
            if depth == 0 and word[0] not in "{;()$" and word not in MARKS and word not in RESULTS:
                count += bool(_split_word(word)[0])
        return count

    def _end_of_line(self, place: int) -> int:
        """Index of the word that ends the line from ``place`` on."""
        depth = 0
        for end in range(place, len(self._words)):
            word = self._words[end]
            if word == "(":
                depth += 1
            elif word == ")" and depth == 0 and self._branches:
                return end
            elif word == ")":
                depth -= 1
        is_result = not self._branches and self._words[-1] in RESULTS
        return len(self._words) - is_result

    def _parse(self, board: Board, text: str) -> Move:
        if self._parser is None:
            texts = [_split_word(word)[0] for word in self._words if word[0] not in "{;()$"]
            start = start_board(self._builder.game.fen)
            self._parser = choose_parser(start, [text for text in texts if text], self._rank_base)
        return self._parser(board, text)


def find_western_move(words: Iterable[str], ply: int) -> str | None:
    """Find a move that shows a game of western chess; None if there is none.

    It is the first move that only western chess has, or else the faulty move at ``ply``, if all
    moves up to it are legal in western chess.
    """
    main = []
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth == 0 and word[0] not in "{;($)" and word not in MARKS and word not in RESULTS:
            main.append(_split_word(word)[0])
    moves = [move for move in main if move]
    found = next((move for move in moves if _WESTERN.fullmatch(move) is not None), None)
    if found is None and 0 < ply <= len(moves) and _is_western(moves[:ply]):
        return moves[ply - 1]
    return found


def _is_western(moves: Iterable[str]) -> bool:
    """Are these the first moves of a game of western chess?"""
    try:
        from chess import Board as WesternBoard  # only for faulty games: the import is slow
    except ImportError:  # in a browser
        return False
    board = WesternBoard()
    try:
        for move in moves:
            board.push_san(move)
    except ValueError:
        return False
    return True


def _end_of_game(words: list[str]) -> int:
    """Index of the first word after the result that cannot be a move, such as a program's name."""
    if not words or words[-1] in RESULTS:
        return len(words)
    depth = 0
    is_over = False
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in RESULTS:
            is_over = True
        elif is_over and word[0] not in "{;()$" and not _may_be_move(_split_word(word)[0]):
            return place
    return len(words)


def _may_be_move(text: str) -> bool:
    """Has a word without its number the form of a move, a mark or a result, or nothing left?"""
    if not text or text in MARKS or text in RESULTS:
        return True
    try:
        parse_move(start_board(), text)
    except InvalidMoveError:
        return False
    except XiangqiError:  # for example illegal in this position
        pass
    return True


@lru_cache(maxsize=8192)
def _split_word(word: str) -> tuple[str, int]:
    """Split a word into its move, without the round number and possibly empty, and its NAG or 0."""
    match = _NUMBER.match(word)
    if match is not None and not is_wxf(word):
        word = word[match.end() :]
    marked = _MARKED.fullmatch(word)
    if marked is None:
        return word, 0
    marks = marked[2].replace("！", "!").replace("？", "?")
    return (marked[1], MARKS[marks]) if marks in MARKS else (word, 0)
