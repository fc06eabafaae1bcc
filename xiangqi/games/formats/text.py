"""Text with moves as people write, print and copy them; read only.

Lines before the moves may be titles or headers (``红方：...``), moves may run together, results
may be words (``和棋``); see :mod:`xiangqi.games.formats.loose`. A file may have several games, each
beginning with headers, a position or round 1, or after a result. Other text, such as a preface, is
skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Final

from xiangqi.games.formats.base import ReadOnlyFormat
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.loose import Loose, cut_texts
from xiangqi.games.formats.moves_reader import MovesReader, find_western_move
from xiangqi.games.formats.pgn_reader import (
    find_rank_base,
    find_style,
    take_headers,
    western_reason,
)
from xiangqi.games.formats.phrases import PLAIN, begins_moves
from xiangqi.games.tree import Game, start_board
from xiangqi.ground.errors import Fact, FormatError
from xiangqi.ground.lines import LineReader, find_encoding, is_text
from xiangqi.notation import RankBase, guess_rank_bases
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["TEXT", "TextFormat", "build_loose"]

_MAX_CHARACTERS: Final = 1 << 25
"""Maximum size of a file, which is read as a whole."""


class TextFormat(ReadOnlyFormat):
    """The format of texts with moves; see the module."""

    name = "text"
    suffixes = (".txt",)
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        """Is the file text, with a line that begins with moves?"""
        if not is_text(head):
            return False
        text = head.decode(find_encoding(head)[0], "replace").translate(PLAIN)
        return any(begins_moves(line) for line in text.splitlines())

    def split(self, data: IO[bytes], source: str) -> Iterator[tuple[Loose, list[tuple[str, Fact]]]]:
        """Cut a text into its games; see :class:`~xiangqi.games.formats.base.Format`.

        Raises FormatError for one without a game.
        """
        lines = LineReader(data, source)
        parts: list[str] = []
        size = 0
        for line in lines:
            size += len(line) + 1
            if size > _MAX_CHARACTERS:
                place = Fact("place.line", line=lines.number)
                raise FormatError(source, place, Fact("file.characters", most=_MAX_CHARACTERS))
            parts.append(line)
        faults = lines.take_faults()
        is_empty = True
        for loose in cut_texts("\n".join(parts)):
            if loose.has_game:
                yield loose, faults
                is_empty, faults = False, []
        if is_empty:
            raise FormatError(source, "", Fact("file.no_game"))

    def build(self, cut: tuple[Loose, list[tuple[str, Fact]]], source: str, number: int) -> Game:
        loose, faults = cut
        builder = GameBuilder(source, number)
        build_loose(loose, builder)
        western = find_western_move(loose.words, builder.game.errors)
        if western is not None:
            builder = GameBuilder(source, number)
            builder.add_error(western, western_reason(western))
        for text, reason in faults:
            builder.add_error(text, reason)
        return builder.game


TEXT: Final = TextFormat()
"""The format of text with moves, as in :data:`xiangqi.games.formats.FORMATS`."""


def build_loose(
    loose: Loose, builder: GameBuilder, fen: str = STARTING_FEN
) -> tuple[list[int], tuple[RankBase, ...]]:
    """Build a game from the words of a text; ``fen`` is the default starting position.

    Returns the offset of each error in the text, and the possible numbers of Red's back rank, the
    most likely first.
    """
    errors = builder.game.errors
    take_headers(loose.headers, builder)
    places = [0] * len(errors)
    if loose.fen is not None:
        builder.set_start(loose.fen)
    elif "FEN" not in dict(loose.headers) and fen != STARTING_FEN:
        builder.set_start(fen)
    places += [loose.fen_place] * (len(errors) - len(places))
    for place, word, reason in loose.faults:
        builder.add_error(word, reason)
        places.append(place)
    base = find_rank_base(loose.headers)
    reader = MovesReader(
        loose.words,
        builder,
        base,
        loose.numbers,
        loose.between,
        style=find_style(loose.headers),
    )
    reader.read()
    bases: tuple[RankBase, ...] = (0,)
    if builder.board is not None:
        depth, texts = 0, []
        for word in loose.words:
            depth += (word == "(") - (word == ")")
            if depth == 0 and word[0] not in "{;()$":
                texts.append(word)
        bases = guess_rank_bases(start_board(builder.game.fen), texts, base)
    places += [loose.places[at] for at in reader.faults]
    return places, bases
