"""Common parts of XQF, CBR and DhtmlXQ: trees of unchecked moves, positions, headers in comments.

The side to move first, and with it the legality of moves, is known only after the whole tree has
been read. :func:`read_tree` makes a tree of records in sequence, :func:`play_tree` plays it on the
board of a game. A starting position is the squares of 32 pieces: chariot, horse, elephant, advisor,
general, advisor, elephant, horse, chariot, two cannons, five soldiers; first Red's, then Black's.

Headers and marks for which a format has no field are written into comments, in readable form, and
restored by the reader. Headers precede the text of the opening comment, as in PGN, each on a line,
and end with an empty line. The marks of a move precede its comment as ``$1$14``, with the numbers
of PGN (NAGs).

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
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.ground.errors import Fact
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
_UNESCAPED = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}


def is_header_name(name: str) -> bool:
    """Can a header with this name be written into a comment?"""
    return _NAME.fullmatch(name) is not None


def put_headers(headers: Mapping[str, str], comment: str) -> str:
    """Put headers before a comment; :func:`is_header_name` must hold for their names."""
    if not headers and not comment.startswith(("[", "\n")):
        return comment
    lines = []
    for name, value in headers.items():
        escaped = re.sub(r'[\\"\n\r]', lambda part: _ESCAPES[part[0]], value)
        lines.append(f'[{name} "{escaped}"]')
    return "\n".join([*lines, "", comment]) if comment else "\n".join(lines)


def take_headers(text: str) -> tuple[dict[str, str], str]:
    """Split a comment into its headers and the rest; no headers if its first lines are others."""
    headers: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line:
            return headers, "\n".join(lines[number + 1 :])
        found = _LINE.fullmatch(line)
        if found is None:
            break
        headers[found[1]] = re.sub(r"\\(.)", lambda part: _UNESCAPED[part[1]], found[2])
    else:
        return headers, ""
    return {}, text


def join_marks(nags: Iterable[int], comment: str) -> str:
    """Put the marks of a move before its comment."""
    marks = "".join(f"${nag}" for nag in nags)
    if not marks and not comment.startswith("$"):
        return comment
    return f"{marks or '$'} {comment}"


def split_marks(text: str) -> tuple[list[int], str]:
    """Split a comment into the marks of its move and the rest."""
    found = _MARKS.match(text)
    if found is None:
        return [], text
    return [int(mark) for mark in found[0].strip().split("$") if mark], text[found.end() :]


@dataclass(slots=True)
class PlainMove:
    """A move of a file, not checked, with its continuations."""

    text: str
    """Text of the move for messages."""
    move: Move | None
    """The move; None if the squares are off the board."""
    comment: str = ""
    """Comment after the move."""
    next: list[PlainMove] = field(default_factory=list)
    """Continuations, the main line first."""

    @classmethod
    def between(cls, source: Square, target: Square, comment: str = "") -> PlainMove:
        """Make a move between two numbers, which may be off the board."""
        if source in SQUARES and target in SQUARES and source != target:
            move = Move(source, target)
            return cls(move.iccs(), move, comment)
        return cls(f"{source}-{target}", None, comment)


class Record(NamedTuple):
    """A move in a tree stored depth first, with flags."""

    move: PlainMove
    has_next: bool
    """Is the next record a continuation of the move?"""
    has_variation: bool
    """Does an alternative to the move follow its continuations?"""


@dataclass(slots=True)
class PlainTree:
    """Tree of unchecked moves, maybe with one missing."""

    first: list[PlainMove] = field(default_factory=list)
    """First moves, the main line first."""
    missing_at: int | None = None
    """Ply, from 1, of a move that a flag announces but that is missing."""


class TreeFault(NamedTuple):
    """Fault at which the records of a tree break off."""

    text: str
    """Faulty data, as text."""
    reason: Fact
    rest: str = ""
    """Unread data, as text."""


def read_tree(records: Iterable[Record]) -> PlainTree:
    """Build a tree of records; those after its end are left in the iterable."""
    tree = PlainTree()
    group, ply = tree.first, 1
    stack: list[tuple[list[PlainMove], int]] = []
    for move, has_next, has_variation in records:
        group.append(move)
        if has_next:
            if has_variation:
                stack.append((group, ply))
            group, ply = move.next, ply + 1
        elif not has_variation:
            if not stack:
                return tree
            group, ply = stack.pop()
    tree.missing_at = ply
    return tree


def play_tree(builder: GameBuilder, first: list[PlainMove]) -> None:
    """Play a tree from the builder's node on, checking every move.

    An illegal move ends its line. If it is the first of its group, its alternatives are not read
    either, so that none of them takes its place; the error contains them.
    """
    stack = [(builder.node, first)] if first else []
    while stack:
        node, group = stack.pop()
        continuations = []
        for number, plain in enumerate(group):
            builder.go_to(node)
            unread = group if number == 0 else [plain]
            if _play(builder, plain, unread):
                if plain.next:
                    continuations.append((builder.node, plain.next))
            elif number == 0:
                break
        stack.extend(reversed(continuations))


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
    """Number of moves in the line after this one."""
    count = 0
    while plain.next:
        plain = plain.next[0]
        count += 1
    return count


def format_tree(first: list[PlainMove]) -> str:
    """Format a tree in one line, with comments in braces and variations in parentheses.

    >>> reply, other = PlainMove("h9g7", None), PlainMove("b9c7", None, "also good")
    >>> format_tree([PlainMove("h2e2", None, next=[reply, other])])
    'h2e2 h9g7 (b9c7 {also good})'
    """
    words: list[str] = []
    stack: list[str | list[PlainMove]] = [first]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            words.append(item)
        elif item:
            main, *others = item
            words.append(main.text)
            if main.comment:
                words.append(f"{{{main.comment}}}")
            stack.append(main.next)
            for other in reversed(others):
                stack += [")", [other], "("]
    return " ".join(words).replace("( ", "(").replace(" )", ")")


_SLOTS: Final = tuple(map(Piece.from_symbol, "RNBAKABNRCCPPPPPrnbakabnrccppppp"))


def take_slots(slots: Sequence[Square | None], builder: GameBuilder) -> dict[Square, Piece]:
    """Place 32 pieces on their squares; None is a captured piece.

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
    """List the squares of the 32 pieces of a legal position; None for a captured piece."""
    slots: list[Square | None] = [None] * len(_SLOTS)
    for square, piece in setup.piece_map().items():
        slots[next(i for i, own in enumerate(_SLOTS) if own == piece and slots[i] is None)] = square
    return slots


def find_turn(pieces: dict[Square, Piece], first: Sequence[PlainMove], stated: Color) -> Color:
    """Side to move: the color of the piece of the first move, or else the *stated* one."""
    move = first[0].move if first else None
    piece = None if move is None else pieces.get(move.from_square)
    return stated if piece is None else piece.color


def set_pieces(
    builder: GameBuilder, pieces: dict[Square, Piece], turn: Color, number: int = 1
) -> bool:
    """Set the starting position of a game: pieces, side to move, number of the first round."""
    number = number if 1 <= number <= MAX_COUNTER else 1
    return builder.set_start(format_fen(Setup.from_piece_map(pieces, turn, 0, number)))
