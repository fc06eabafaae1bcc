"""Common parts of XQF, CBR and DhtmlXQ: trees of unchecked moves, positions, headers in comments.

These formats first give the whole tree in coordinates; the side that begins, and with it the
legality of a move, is known only afterwards. :func:`read_tree` makes a tree of records in sequence,
:func:`play_tree` plays it on the board of a game. A starting position is 32 squares, one for each
piece: chariot, horse, elephant, advisor, general, advisor, elephant, horse, chariot, two cannons,
five soldiers; Red's first, then Black's.

Headers and marks that have no place of their own are written into comments. The headers come before
the text of the opening comment, as in PGN, each on a line; an empty line ends them. The marks of a
move come before its comment as ``$1$14``, the numbers of PGN's table. People can read both, and
reading restores what was written.

>>> end = Record(PlainMove.between(64, 67), has_next=False, has_variation=False)
>>> print(format_tree(read_tree([Record(PlainMove.between(19, 22), True, False), end]).first))
b2e2 b7e7
>>> text = put_headers({"Red": "A"}, "a fine game")
>>> print(text)
[Red "A"]
<BLANKLINE>
a fine game
>>> take_headers(text)
({'Red': 'A'}, 'a fine game')
>>> split_marks(join_marks([1, 14], "bold"))
([1, 14], 'bold')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from xiangqi.core.move import Move
from xiangqi.errors import Fact
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.pieces import SQUARES, Color, Piece, Square, square_name
from xiangqi.pieces.fen import MAX_COUNTER, Setup, format_fen

__all__ = [
    "PlainMove",
    "PlainTree",
    "Record",
    "TreeFault",
    "fill_slots",
    "find_turn",
    "format_tree",
    "is_header_name",
    "join_marks",
    "play_tree",
    "put_headers",
    "read_tree",
    "set_pieces",
    "split_marks",
    "take_headers",
    "take_slots",
]

_NAME = re.compile(r'[^\s"\[\]\\]+')
_LINE = re.compile(r'\[([^\s"\[\]\\]+) "((?:[^"\\]|\\["\\nr])*)"\]')
_MARKS = re.compile(r"\$(?:\d{1,9}(?:\$\d{1,9})*)? ")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_MEANINGS = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}


def is_header_name(name: str) -> bool:
    """Can a comment hold a header with this name?"""
    return _NAME.fullmatch(name) is not None


def put_headers(headers: Mapping[str, str], comment: str) -> str:
    """Put headers before a comment; :func:`is_header_name` must hold for their names."""
    if not headers and not comment.startswith(("[", "\n")):
        return comment
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    return "\n".join([*lines, "", comment]) if comment else "\n".join(lines)


def take_headers(text: str) -> tuple[dict[str, str], str]:
    """Remove headers from a comment; none if its first lines are anything else."""
    headers: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line:
            return headers, "\n".join(lines[number + 1 :])
        found = _LINE.fullmatch(line)
        if found is None:
            break
        headers[found[1]] = re.sub(r"\\(.)", lambda part: _MEANINGS[part[1]], found[2])
    else:
        return headers, ""
    return {}, text


def _escape(value: str) -> str:
    return re.sub(r'[\\"\n\r]', lambda part: _ESCAPES[part[0]], value)


def join_marks(nags: Iterable[int], comment: str) -> str:
    """Put the marks of a move before its comment."""
    marks = "".join(f"${nag}" for nag in nags)
    if not marks and not comment.startswith("$"):
        return comment
    return f"{marks or '$'} {comment}"


def split_marks(text: str) -> tuple[list[int], str]:
    """Remove the marks of a move from its comment."""
    found = _MARKS.match(text)
    if found is None:
        return [], text
    return [int(mark) for mark in found[0].strip().split("$") if mark], text[found.end() :]


@dataclass(slots=True)
class PlainMove:
    """A move as written in a file."""

    text: str
    """Text of the move for messages."""
    move: Move | None
    """The move; None if the squares are off the board."""
    comment: str = ""
    """Comment after the move."""
    next: list[PlainMove] = field(default_factory=list)
    """Next moves, the main line first."""

    @classmethod
    def between(cls, source: Square, target: Square, comment: str = "") -> PlainMove:
        """Move between two numbers, which need not be squares."""
        if source in SQUARES and target in SQUARES and source != target:
            move = Move(source, target)
            return cls(move.iccs(), move, comment)
        return cls(f"{source}-{target}", None, comment)


class Record(NamedTuple):
    """A move of a tree in depth-first order, with its links."""

    move: PlainMove
    has_next: bool
    """Does a continuation of the move follow at once?"""
    has_variation: bool
    """Does an alternative to the move follow after its continuations?"""


@dataclass(slots=True)
class PlainTree:
    """Moves from the starting position, with the place of a missing one."""

    first: list[PlainMove] = field(default_factory=list)
    """First moves, the main line first."""
    missing_at: int | None = None
    """Ply, from 1, of a move that is announced but missing."""


class TreeFault(NamedTuple):
    """Reason why the records of a tree break off."""

    text: str
    """Text of the line."""
    reason: Fact
    rest: str = ""
    """Unread rest of the text."""


def read_tree(records: Iterable[Record]) -> PlainTree:
    """Build a tree of records; records after its end are not taken from the iterable."""
    tree = PlainTree()
    group, ply = tree.first, 1
    waiting: list[tuple[list[PlainMove], int]] = []
    for move, has_next, has_variation in records:
        group.append(move)
        if has_next:
            if has_variation:
                waiting.append((group, ply))
            group, ply = move.next, ply + 1
        elif not has_variation:
            if not waiting:
                return tree
            group, ply = waiting.pop()
    tree.missing_at = ply
    return tree


def play_tree(builder: GameBuilder, first: list[PlainMove]) -> None:
    """Play a tree from the builder's node on, validating every move.

    An illegal move ends its line. In the main line the alternatives to it are not read either, so
    that none of them takes its place; the errors keep them.
    """
    waiting = [(builder.node, first)] if first else []
    while waiting:
        node, group = waiting.pop()
        behind = []
        for number, plain in enumerate(group):
            builder.go_to(node)
            unread = group if number == 0 else [plain]
            if _play(builder, plain, unread):
                if plain.next:
                    behind.append((builder.node, plain.next))
            elif number == 0:
                break
        waiting.extend(reversed(behind))


def _play(builder: GameBuilder, plain: PlainMove, unread: list[PlainMove]) -> bool:
    ply = builder.node.ply + 1
    if plain.move is None:
        reason = Fact("text.between_squares")
        builder.add_error(plain.text, reason, ply, format_tree(unread))
        return False
    if not builder.add_move(
        plain.move, plain.text, lambda: format_tree(unread), lambda: _count_following(plain)
    ):
        return False
    nags, comment = split_marks(plain.comment)
    builder.node.comment = comment
    builder.node.nags.extend(nags)
    return True


def _count_following(plain: PlainMove) -> int:
    """Number of moves in the line after a move."""
    count = 0
    while plain.next:
        plain = plain.next[0]
        count += 1
    return count


def format_tree(first: list[PlainMove]) -> str:
    """Write a tree in one line: comments in braces, variations in brackets.

    >>> reply, other = PlainMove("h9g7", None), PlainMove("b9c7", None, "also good")
    >>> format_tree([PlainMove("h2e2", None, next=[reply, other])])
    'h2e2 h9g7 (b9c7 {also good})'
    """
    words: list[str] = []
    waiting: list[str | list[PlainMove]] = [first]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            words.append(item)
        elif item:
            main, *others = item
            words.append(main.text)
            if main.comment:
                words.append(f"{{{main.comment}}}")
            waiting.append(main.next)
            for other in reversed(others):
                waiting.extend([")", [other], "("])
    return " ".join(words).replace("( ", "(").replace(" )", ")")


_SLOTS: Final = tuple(map(Piece.from_symbol, "RNBAKABNRCCPPPPPrnbakabnrccppppp"))


def take_slots(slots: Sequence[Square | None], builder: GameBuilder) -> dict[Square, Piece]:
    """Pieces on the squares of the 32 places; None is a captured piece.

    Two pieces on one square are an error of the game.
    """
    pieces: dict[Square, Piece] = {}
    for piece, square in zip(_SLOTS, slots, strict=True):
        if square is None:
            continue
        other = pieces.get(square)
        if other is not None:
            text = Fact("text.piece_at", piece=piece, square=square_name(square))
            builder.add_error(text, Fact("text.square_taken", piece=other))
        pieces[square] = piece
    return pieces


def fill_slots(setup: Setup) -> list[Square | None]:
    """Squares of the 32 places in a possible position."""
    slots: list[Square | None] = [None] * len(_SLOTS)
    for square, piece in setup.piece_map().items():
        slots[next(i for i, own in enumerate(_SLOTS) if own == piece and slots[i] is None)] = square
    return slots


def find_turn(pieces: dict[Square, Piece], first: Iterable[PlainMove], stated: Color) -> Color:
    """Side to move: that of the first piece to move, else the *stated* one."""
    for plain in first:
        if plain.move is not None and plain.move.from_square in pieces:
            return pieces[plain.move.from_square].color
        break
    return stated


def set_pieces(
    builder: GameBuilder, pieces: dict[Square, Piece], turn: Color, number: int = 1
) -> bool:
    """Set the starting position of a game: pieces, side to move, number of the first move."""
    number = number if 1 <= number <= MAX_COUNTER else 1
    return builder.set_start(format_fen(Setup.from_piece_map(pieces, turn, 0, number)))
