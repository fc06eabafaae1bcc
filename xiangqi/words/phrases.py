"""Phrases about a game: what to say, before a language and a notation are chosen.

A phrase is data. Equal phrases give equal texts in every voice, up to the names of pieces and moves
that other pieces on the same file make longer (front, rear).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.texts import Language, has_text
from xiangqi.pieces import BLACK, RED, Color, Piece, Square, require_color
from xiangqi.pieces.fen import Setup, parse_fen
from xiangqi.words import enumerate_words
from xiangqi.words.voice import Phrase, Voice

__all__ = [
    "LineOfPlay",
    "Listing",
    "NumberWord",
    "PieceOn",
    "Rounds",
    "Text",
    "Translated",
    "list_pieces",
]


class Text(Phrase):
    """Text of the catalogue with its values: phrases, sides, texts and numbers.

    >>> found = Text("must_change", side=RED)
    >>> print(found)
    Red must change, or loses
    >>> found.say(Voice("zh"))
    '红方变着，不变作负'
    """

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values

    @classmethod
    def first(cls, *keys: str, **values: object) -> Text:
        """The first of several keys that the catalogue has."""
        return cls(next(filter(has_text, keys)), **values)

    def _say(self, voice: Voice) -> str:
        return voice.say(self.key, **self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return self.key == other.key and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.key, *self.values.items()))

    def __repr__(self) -> str:
        values = (f"{name}={value!r}" for name, value in self.values.items())
        return f"Text({', '.join((repr(self.key), *values))})"


@dataclass(frozen=True, slots=True)
class Listing(Phrase):
    """Several words or phrases, joined."""

    items: tuple[Phrase | str, ...]
    joint: Literal["and", "comma", "semicolon"] = "and"

    def _say(self, voice: Voice) -> str:
        words = [one if isinstance(one, str) else one.say(voice) for one in self.items]
        if self.joint == "and":
            return enumerate_words(voice.language, words)
        return voice.say(self.joint).join(words)


@dataclass(frozen=True, slots=True)
class NumberWord(Phrase):
    """Number, up to ten in words."""

    number: int

    def _say(self, voice: Voice) -> str:
        words = voice.say("numbers").split()
        return words[self.number - 1] if self.number <= len(words) else str(self.number)


@dataclass(frozen=True, slots=True)
class Translated(Phrase):
    """Text that a file of cases or rules gives in every language."""

    texts: Mapping[Language, str] = field(hash=False)

    def _say(self, voice: Voice) -> str:
        return self.texts[voice.language]


@dataclass(frozen=True, slots=True)
class PieceOn(Phrase):
    """Piece on a square, or on a file counted from its owner's right."""

    piece: Piece
    square: Square
    cells: bytes = field(compare=False, repr=False)
    """The board as piece codes, to distinguish pieces on one file."""

    def _say(self, voice: Voice) -> str:
        return voice.piece(self.piece, self.square, self.cells)


def list_pieces(pieces: Iterable[tuple[Square, Piece]], cells: bytes) -> Listing:
    """Several pieces with their squares, joined."""
    return Listing(tuple(Text("the", piece=PieceOn(one, at, cells)) for at, one in pieces))


@dataclass(frozen=True, slots=True)
class LineOfPlay(Phrase):
    """Moves of a line by the side to move, with ``#`` for a mate at its end."""

    moves: Sequence[Move]
    color: Color
    cells: bytes = field(compare=False, repr=False)
    skip: int = 0
    """Number of moves at the beginning that are left out."""

    def _say(self, voice: Voice) -> str:
        board = CoreBoard(Setup(self.cells, self.color))
        names = []
        for move in self.moves:
            names.append(voice.move(board, move))
            board.push_unchecked(move)
        line = voice.say("comma").join(names[self.skip :])
        is_mate = self.moves and board.is_check() and not board.has_legal_move()
        return f"{line}#" if is_mate else line


@dataclass(frozen=True, slots=True)
class Rounds:
    """Move numbers of a game, which continue that of its starting position."""

    first: int = 1
    """Number of the first round."""
    turn: Color = RED
    """Side that moves first. If Black does, the first round has one ply."""

    def __post_init__(self) -> None:
        require_color(self.turn)

    @classmethod
    def from_fen(cls, fen: str) -> Rounds:
        """Move numbers of a game with this starting position. Raises FenError.

        >>> Rounds.from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 20")
        Rounds(first=20, turn=False)
        """
        setup = parse_fen(fen)
        return cls(max(setup.fullmove_number, 1), setup.turn)

    def side(self, ply: int) -> Color:
        """Side that plays a ply, counted from 0."""
        return self.turn if ply % 2 == 0 else not self.turn

    def number(self, ply: int) -> int:
        """Round number of a ply, counted from 0.

        >>> [Rounds(20, BLACK).number(ply) for ply in range(4)]
        [20, 21, 21, 22]
        """
        return self.first + (ply + (self.turn == BLACK)) // 2

    def mark(self, ply: int) -> str:
        """Move number before a ply in a list of moves: ``20.``, ``20...``, or nothing.

        >>> [Rounds(20, BLACK).mark(ply) for ply in range(3)]
        ['20...', '21.', '']
        """
        if self.side(ply) == RED:
            return f"{self.number(ply)}."
        return "" if ply else f"{self.number(ply)}..."

    def place(self, ply: int) -> Text:
        """Place of a ply in the game, counted from 0.

        >>> print(Rounds().place(39))
        round 20, Black
        """
        return Text("place", round=self.number(ply), side=self.side(ply))

    def moment(self, plies: int) -> Text:
        """Moment after a number of plies.

        >>> print(Rounds().moment(40), "-", Rounds().moment(0))
        after round 20, Black - in the first position
        """
        return Text("after", place=self.place(plies - 1)) if plies else Text("at_first")
