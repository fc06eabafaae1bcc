"""What formats share that hold lines of moves as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import RecordError
from xiangqi.games.formats.builder import MAX_PLIES, GameBuilder
from xiangqi.games.tree import Game
from xiangqi.lines import FaultyText, LineReader
from xiangqi.notation import RankBase, WxfStyle, guess_rank_base, parse_move

__all__ = ["build_line", "choose_parser", "find_losses", "play_line", "split_lines"]

_PLAIN: Final = re.compile(r"(?:[a-i][0-9]-?[a-i][0-9] ?)*|(?:[A-I][0-9]-?[A-I][0-9] ?)*")


def split_lines(data: IO[bytes], source: str) -> Iterator[FaultyText]:
    """The lines of a file in which each is a game; empty ones do not count."""
    lines = LineReader(data, source)
    for line in lines:
        if line and not line.isspace():
            yield FaultyText(line, lines.take_faults())


def build_line(
    cut: FaultyText, source: str, number: int, read: Callable[[GameBuilder, str], None]
) -> Game:
    """The game of a line that :func:`split_lines` gave out.

    ``read`` is called with the line; a RecordError of it becomes an error of the game, as do the
    line's own faults.
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
    board: Board, texts: Sequence[str], rank_base: RankBase | None = None
) -> Callable[[Board, str], Move]:
    """What reads the moves of a game that begins on this board, in whatever notation.

    All of them together tell what a single one may not: what ranks count from, where it is not
    what the file says (``rank_base``), and the style of WXF notation.
    """
    texts = texts[:MAX_PLIES]
    row = " ".join(texts)
    if "0" in row and _PLAIN.fullmatch(row) is not None:
        return Board.parse_iccs
    if not any(text.isascii() for text in texts):
        return parse_move
    base = guess_rank_base(board, texts, rank_base)
    style: WxfStyle = "fairy" if "=" in row else "wxf"
    return lambda board, text: parse_move(board, text, style=style, rank_base=base)


def play_line(builder: GameBuilder, texts: Sequence[str]) -> None:
    """Play moves in whatever notation, from the present node on.

    The first that cannot be read becomes an error, with all that follows it as its rest.
    """
    parse = Board.parse_iccs if builder.board is None else choose_parser(builder.board, texts)
    for place, text in enumerate(texts):
        following = len(texts) - place - 1
        if not builder.play(text, parse, lambda: " ".join(texts[place:]), following):  # noqa: B023
            return


def find_losses(game: Game, *, headers: bool = False, comments: bool = True) -> str:
    """What a format loses that has no place for variations and marks, nor for what is told here.

    In words, for an error; empty if it loses nothing.
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
