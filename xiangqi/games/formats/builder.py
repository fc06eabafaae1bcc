"""Building a game from a file: every move is validated, every error is recorded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.pgn import MAX_PLIES
from xiangqi.games.results import parse_result
from xiangqi.games.tree import Game, GameCursor, GameError, GameNode
from xiangqi.ground.errors import (
    AmbiguousMoveError,
    Fact,
    FenError,
    IllegalMoveError,
    InvalidMoveError,
    MissingPieceError,
    PositionError,
    RecordError,
    XiangqiError,
)
from xiangqi.ground.lines import FaultyText, LineReader
from xiangqi.notation import (
    MoveStyle,
    RankBase,
    choose_style,
    guess_rank_base,
    is_vietnamese,
    parse_move,
)

__all__ = [
    "GameBuilder",
    "build_line",
    "choose_parser",
    "explain_move_error",
    "find_losses",
    "play_line",
    "split_lines",
]


class GameBuilder:
    """Game under construction, with the board at the current node.

    >>> builder = GameBuilder("a.pgn", 1)
    >>> builder.play("h2e2", Board.parse_iccs)
    True
    >>> builder.play("h9h5", Board.parse_iccs, rest="h9h5 b0c2")
    False
    >>> print(builder.game.errors[0])
    a.pgn:1:2: 'h9h5': the black horse on h9 cannot reach h5
    """

    __slots__ = ("_cursor", "game", "node", "number", "source")

    def __init__(self, source: str, number: int) -> None:
        self.source = source
        self.number = number
        self.game = Game()
        self.node = self.game.root
        """Current node, to which the next move is added."""
        self._cursor: GameCursor | None = GameCursor(self.game)

    @property
    def board(self) -> Board | None:
        """Board at :attr:`node`; None if the starting position is unreadable."""
        return None if self._cursor is None else self._cursor.board

    def set_start(self, fen: str) -> bool:
        """Set the starting position, before the first move; an invalid one becomes an error."""
        self.game.fen, self._cursor = fen, None
        try:
            self._cursor = GameCursor(self.game)
        except FenError as error:
            self.add_error(fen, Fact("at", place=error.field, what=error.why))
            return False
        except PositionError as error:
            self.add_error(fen, Fact("all", parts=error.problems))
            return False
        self.game.fen = self._cursor.board.fen()
        return True

    def add_move(
        self,
        move: Move,
        text: str = "",
        rest: str | Callable[[], str] = "",
        following: int | Callable[[], int] = 0,
    ) -> bool:
        """Play a move at the current node and go to its node; return whether it is legal.

        An illegal move becomes an error at its ply and changes nothing else. ``text`` is the move
        in the file, ``rest`` the text left unread because of it, and ``following`` the number of
        moves in that text after it.
        """

        def check(board: Board, _: str) -> Move:
            board.require_legal(move)
            return move

        return self.play(text or move.iccs(), check, rest, following)

    def play(
        self,
        text: str,
        parse: Callable[[Board, str], Move],
        rest: str | Callable[[], str] = "",
        following: int | Callable[[], int] = 0,
    ) -> bool:
        """Parse a move with ``parse`` and play it, as :meth:`add_move` does.

        ``rest`` and ``following`` may be functions, called only if the move cannot be played.
        """
        cursor = self._cursor
        is_illegal = False
        if self.node.ply >= MAX_PLIES:
            reason = Fact("record.moves", most=MAX_PLIES)
        elif cursor is not None:
            try:
                self.node = cursor.extend(parse(cursor.board, text))
                return True
            except XiangqiError as error:
                reason = explain_move_error(error)
                is_illegal = (
                    isinstance(error, IllegalMoveError)
                    and not isinstance(error, MissingPieceError)
                    and self.node is self.game.end()
                )
        else:
            reason = Fact("record.start")
        unread = (rest if isinstance(rest, str) else rest()) or text
        count = following if isinstance(following, int) else following()
        ply = self.node.ply + 1
        fault = GameError(self.source, self.number, ply, text, reason, unread, is_illegal, count)
        self.game.errors.append(fault)
        return False

    def go_to(self, node: GameNode) -> None:
        """Go to another node of the game and move the board there."""
        if self._cursor is not None:
            self._cursor.go_to(node)
        self.node = node

    def set_result(self, text: str) -> None:
        """Set the header Result; a text that is none becomes an error."""
        result = parse_result(text, letters=True)
        if result is None:
            self.add_error(text, Fact("text.unknown_result"))
        self.game.headers["Result"] = result or "*"

    def add_comment(self, text: str) -> None:
        """Add a comment to the current node, on a new line if it has one."""
        node = self.node
        node.comment = f"{node.comment}\n{text}" if node.comment else text

    def add_error(self, text: str, reason: Fact, ply: int | None = None, rest: str = "") -> None:
        """Record a fault of the game; see :class:`~xiangqi.games.tree.GameError`."""
        self.game.errors.append(GameError(self.source, self.number, ply, text, reason, rest))


def explain_move_error(error: XiangqiError) -> Fact:
    """Reason why a move cannot be played, without its text and the position."""
    if isinstance(error, IllegalMoveError):
        return error.why
    if isinstance(error, InvalidMoveError):
        return Fact("expected", what=error.expected)
    if isinstance(error, AmbiguousMoveError):
        return Fact("move.ambiguous", moves=error.candidates)
    return error.fact


_FEW: Final = 8
"""Number of moves that show where ranks are counted from, in a row of coordinates."""
_ICCS_ROW: Final = re.compile(r"(?:[a-i][0-9]-?[a-i][0-9] ?)*|(?:[A-I][0-9]-?[A-I][0-9] ?)*")


def split_lines(data: IO[bytes], source: str) -> Iterator[FaultyText]:
    """Iterate over the lines of a file with one game a line, without empty ones."""
    lines = LineReader(data, source)
    for line in lines:
        if line and not line.isspace():
            yield FaultyText(line, lines.take_faults())


def build_line(
    cut: FaultyText, source: str, number: int, read: Callable[[GameBuilder, str], None]
) -> Game:
    """Build the game of a line from :func:`split_lines`.

    ``read`` is called with the line; its RecordError and undecodable bytes become errors of the
    game.
    """
    line, faults = cut
    builder = GameBuilder(source, number)
    try:
        read(builder, line)
    except RecordError as error:
        builder.add_error(error.text or line, error.why)
    for text, reason in faults:
        builder.add_error(text, reason)
    return builder.game


def choose_parser(
    board: Board,
    texts: Sequence[str],
    rank_base: RankBase | None = None,
    style: MoveStyle | None = None,
) -> Callable[[Board, str], Move]:
    """Choose a parser of moves in any notation, for a game that begins on this board.

    All moves together show what a single one may not: the number of Red's back rank, and the style
    of WXF notation, or Vietnamese notation, unless the file defines them.
    """
    texts = texts[:MAX_PLIES]
    row = " ".join(texts)
    is_iccs = "0" in row and _ICCS_ROW.fullmatch(row) is not None
    if is_iccs and guess_rank_base(board, texts[:_FEW], rank_base) == 0:
        return Board.parse_iccs
    if not any(text.isascii() or is_vietnamese(text) for text in texts):
        return parse_move
    base = guess_rank_base(board, texts, rank_base)
    chosen = choose_style(board, texts) if style != "vietnamese" else style
    return lambda board, text: parse_move(board, text, style=chosen, rank_base=base)


def play_line(builder: GameBuilder, texts: Sequence[str]) -> None:
    """Play moves in any notation, from the current node on.

    The first unplayable one becomes an error, with all following text as its rest.
    """
    parse = Board.parse_iccs if builder.board is None else choose_parser(builder.board, texts)
    for place, text in enumerate(texts):
        following = len(texts) - place - 1
        if not builder.play(text, parse, lambda: " ".join(texts[place:]), following):  # noqa: B023
            return


def find_losses(game: Game, *, headers: bool = False, comments: bool = True) -> str:
    """Name the parts of a game that a format without variations and marks loses.

    Returns text for an error, empty if nothing is lost.
    """
    nodes = list(game.nodes())
    losses = []
    if headers and game.headers:
        losses.append(f"the headers {', '.join(map(repr, game.headers))}")
    if comments and any(node.comment for node in nodes):
        losses.append("comments")
    if any(node.nags for node in nodes):
        losses.append("marks of moves")
    if any(len(node.variations) > 1 for node in nodes):
        losses.append("variations")
    return " and ".join(losses)
