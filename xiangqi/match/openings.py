"""Openings of a match, read from games in any format, an opening book, or a file of lines.

The opening of a game is the beginning of its main line; those of a book are all its lines of a
given length. In a file of lines, each line is a position or a sequence of moves; empty lines and
lines that begin with ``#`` are skipped::

    r1bakabr1/9/1cn3nc1/p3p1p1p/2p6/6P2/P1P1P3P/1C2C1N2/9/RNBAKABR1 w - - 0 1;id "o001";ce 0
    fen 4k4/9/9/9/9/9/9/9/9/R3K4 w moves a0a9
    h2e2 h9g7 h0g2 i9h9
    startpos moves H2-E2 H9-G7

EPD operations after the first ``;`` of a position are ignored. All openings are validated when they
are read, so that no game of a match fails because of its opening.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from xiangqi.board import Board
from xiangqi.books import Book, open_book
from xiangqi.books.opening import is_book
from xiangqi.games.formats import FORMATS, read_games
from xiangqi.games.formats.base import HEAD_SIZE
from xiangqi.games.formats.positions import POSITIONS, read_epd
from xiangqi.games.formats.text import TEXT
from xiangqi.games.record import GameRecord, parse_position
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FenError, PositionError, RecordError
from xiangqi.ground.lines import LineReader
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["OPENING_FORMATS", "START", "Opening", "read_openings"]

LINES: Final = ("epd", "txt")
"""Formats of files of lines."""
BOOK: Final = "book"
BOOK_PLIES: Final = 8
"""Default length of a book's lines in plies."""
MAX_LINES: Final = 200_000
OPENING_FORMATS: Final = (*LINES, BOOK, *FORMATS)
"""Names of the formats of openings."""

_MOVE: Final = re.compile(r"[a-i][0-9]-?[a-i][0-9]", re.IGNORECASE)
_LINE: Final = re.compile(rf"\s*(?:{_MOVE.pattern}|\S+/)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opening:
    """Starting position of a game of the match, and the moves played before the engines move."""

    fen: str = STARTING_FEN
    moves: tuple[str, ...] = ()
    """Moves in coordinates."""

    def board(self) -> Board:
        return GameRecord(self.fen, self.moves).play()


START: Final = Opening()
"""The starting position, without moves."""


def read_openings(path: Path, plies: int | None = None, format: str | None = None) -> list[Opening]:
    """Read the openings of a file, in its order, with at most ``plies`` moves each.

    ``format`` is one of :data:`OPENING_FORMATS`, or None to detect it from the content. For a book:
    all lines of ``plies`` moves (default 8), or shorter ones where the book ends; lines to the same
    position count once, and the heaviest come first.

    Raises OSError, FormatError or BookError if the file cannot be read. Raises RecordError, which
    names the file and the line or game, for an invalid opening or one that ends the game.
    """
    chosen = format or _detect(path)
    if chosen == BOOK:
        return _read_book(path, plies or BOOK_PLIES)
    if chosen in LINES:
        with path.open("rb") as file:
            lines, openings = LineReader(file, str(path)), []
            for line in map(str.strip, lines):
                if line and not line.startswith("#"):
                    where = f"{path}:{lines.number}"
                    openings.append(_check(_read_line(line), plies, line, where))
        expected = Fact("match.each_line", what=Fact("match.a_position"))
    else:
        openings = list(_from_games(read_games(path, chosen), str(path), plies))
        expected = Fact("match.games", name=chosen)
    if not openings:
        raise RecordError(None, "", Fact("match.no_opening", expected=expected), str(path))
    return openings


def _read_book(path: Path, plies: int) -> list[Opening]:
    """Lines of a book from the starting position; final positions that are equal or mirror images
    of each other count once."""
    with open_book(path) as book:
        ends: dict[int, Opening] = {}
        for opening in _follow(book, Board(), plies, {Board().key}):
            ends.setdefault(min(book.table.keys_of(opening.board().setup())), opening)
            if len(ends) > MAX_LINES:
                why = Fact("match.many_lines", most=MAX_LINES, plies=plies)
                raise RecordError(None, "", why, str(path))
    if not ends:
        why = Fact("match.no_opening", expected=Fact("match.empty_book"))
        raise RecordError(None, "", why, str(path))
    return list(ends.values())


def _follow(book: Book, board: Board, plies: int, seen: set[int]) -> Iterator[Opening]:
    """Lines of a book that continue a position, without repetitions."""
    is_continued = False
    for one in book.find(board) if plies else ():
        if one.weight <= 0:
            continue
        board.push_unchecked(one.move)
        if board.key not in seen and board.outcome() is None:
            is_continued = True
            yield from _follow(book, board, plies - 1, {*seen, board.key})
        board.pop()
    if board.ply() and not is_continued:
        yield Opening(moves=tuple(move.iccs() for move in board.move_stack))


def _detect(path: Path) -> str:
    """Detect the format of a file; ``position`` commands count as lines."""
    with path.open("rb") as file:
        head = file.read(HEAD_SIZE)
    if is_book(path, head):
        return BOOK
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith("#")), "")
    found = (known.name for known in FORMATS.values() if known.detects(head))
    name = next(found, POSITIONS.name)
    is_lines = name == POSITIONS.name or (name == TEXT.name and _LINE.match(first))
    return LINES[0] if is_lines else name


def _from_games(games: Iterable[Game], name: str, plies: int | None) -> Iterator[Opening]:
    for number, game in enumerate(games, start=1):
        where = f"{name}:{number}"
        record = game.record()
        if game.errors and (plies is None or len(record.moves) < plies):
            error = game.errors[0]
            ply = None if error.ply is None else error.ply - 1
            raise RecordError(ply, error.text, error.reason, where)
        opening = Opening(record.fen, record.moves[:plies])
        shown = " ".join(opening.moves[-2:]) or opening.fen
        yield _check_end(opening, opening.board(), shown, where)


def _read_line(line: str) -> Sequence[str]:
    """Convert a line to the words of a ``position`` command."""
    position = line.partition(";")[0].split()
    head = position[0] if position else ""
    if head.count("/"):
        epd = read_epd(line)
        return ["fen", *epd.fen.split(), "moves", *epd.moves]
    if _MOVE.fullmatch(head):
        return ["startpos", "moves", *position]
    return position


def _check(words: Sequence[str], plies: int | None, line: str, where: str) -> Opening:
    try:
        record = parse_position(" ".join(words))
        moves = tuple(move.replace("-", "").lower() for move in record.moves[:plies])
        opening = Opening(record.fen, moves)
        board = opening.board()
    except RecordError as error:
        is_move = error.ply is not None
        why = error.why if is_move else Fact("expected", what=Fact("match.a_position"))
        raise RecordError(error.ply, error.text, why, where) from error
    except (FenError, PositionError) as error:
        raise RecordError(None, line, error.fact, where) from error
    return _check_end(opening, board, line, where)


def _check_end(opening: Opening, board: Board, text: str, where: str) -> Opening:
    """Return the opening; raise RecordError if it ends the game."""
    outcome = board.outcome()
    if outcome is not None:
        ended = outcome.termination.name.lower().replace("_", " ")
        raise RecordError(None, text, Fact("match.over", ending=ended), where)
    return opening
