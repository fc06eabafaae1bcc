"""The variations of a game, as a page shows them: words between brackets, and their positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from xiangqi.core.move import Move
from xiangqi.games.additions import read_words
from xiangqi.games.tree import Game, GameCursor, GameNode, bracket_variations
from xiangqi.pieces import BLACK
from xiangqi.web.pages.plies import Frame, format_eval, format_marks, show_position
from xiangqi.words.voice import Voice

__all__ = ["Word", "add_variations"]


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a variation."""

    kind: Literal["text", "move", "eval", "comment"]
    text: str
    frame: int | None = None
    """Of a move: the place of its position among the frames."""


def add_variations(game: Game, frames: list[Frame], voice: Voice) -> dict[int, list[list[Word]]]:
    """What could have been played instead of each move of the main line, by its number.

    ``frames`` are those of the main line; the positions of the variations are appended, each with
    its ``ply``, the frame to which it leads ``back``, and, if there is one, that which goes ``on``.
    """
    writer = _Writer(game, frames, voice)
    for place, node in enumerate((game.root, *game.mainline())):
        writer.places[id(node)] = place
    return {
        node.ply: [writer.write(other) for other in node.parent.variations[1:]]
        for node in game.mainline()
        if node.parent is not None and len(node.parent.variations) > 1
    }


class _Writer:
    """Writes variations, with a cursor that plays their moves."""

    def __init__(self, game: Game, frames: list[Frame], voice: Voice) -> None:
        self.places: dict[int, int] = {}
        """The frames of the nodes that have one."""
        self._cursor = GameCursor(game)
        board = self._cursor.board
        self._offset = board.fullmove_number * 2 + (board.turn == BLACK)
        self._frames = frames
        self._voice = voice

    def write(self, first: GameNode) -> list[Word]:
        """The words of a variation that begins with this node."""
        words: list[Word] = []
        for word in self._words(first):
            if words and words[-1].text != "(" and word.text != ")":
                words.append(Word("text", " "))
            words.append(word)
        return words

    def _words(self, first: GameNode) -> Iterator[Word]:
        needs_number = True
        yield Word("text", "(")
        for node in bracket_variations(first):
            if isinstance(node, str):
                yield Word("text", node)
                needs_number = True
                continue
            assert node.parent is not None  # only the root has none
            assert node.move is not None
            count, is_black = divmod(self._offset + node.parent.ply, 2)
            if needs_number or not is_black:
                yield Word("text", f"{count}{'...' if is_black else '.'}")
            yield self._play(node, node.move)
            needs_number = bool(node.comment)
            evaluation, comment = format_eval(node.comment), read_words(node.comment)
            if evaluation:
                yield Word("eval", evaluation)
            if comment:
                yield Word("comment", comment)
        yield Word("text", ")")

    def _play(self, node: GameNode, move: Move) -> Word:
        """A move, and the frame behind it."""
        assert node.parent is not None
        self._cursor.go_to(node.parent)
        name = self._voice.move(self._cursor.board, move) + format_marks(node.nags)
        self._cursor.go_to(node)
        back, place = self.places[id(node.parent)], len(self._frames)
        frame = show_position(self._cursor.board, None, self._voice)
        self._frames.append(frame | {"ply": node.ply, "back": back})
        self.places[id(node)] = place
        if node is node.parent.variations[0]:
            self._frames[back]["on"] = place
        return Word("move", name, place)
