"""Trees of moves as a file has them, before anyone checks them.

XQF, CBR and DhtmlXQ first give the whole tree in coordinates; which side begins, and with it
whether a move is legal, is known only afterwards. :func:`read_tree` puts records that come one
after another into a tree, :func:`play_tree` plays a tree on the board of a game that is built.

>>> end = Record(PlainMove.between(64, 67), has_next=False, has_variation=False)
>>> print(format_tree(read_tree([Record(PlainMove.between(19, 22), True, False), end]).first))
b2e2 b7e7
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from xiangqi.core.move import Move
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.notes import split_marks
from xiangqi.pieces import SQUARES, Square

__all__ = [
    "PlainMove",
    "PlainTree",
    "Record",
    "TreeFault",
    "format_tree",
    "play_tree",
    "read_tree",
]


@dataclass(slots=True)
class PlainMove:
    """A move as it stands in a file."""

    text: str
    """The move as messages quote it."""
    move: Move | None
    """The move; None where the file names squares that are not on the board."""
    comment: str = ""
    """What is said after the move."""
    next: list[PlainMove] = field(default_factory=list)
    """What may be played next, the main line first."""

    @classmethod
    def between(cls, source: Square, target: Square, comment: str = "") -> PlainMove:
        """The move from one number to another, which need not be squares."""
        if source in SQUARES and target in SQUARES and source != target:
            move = Move(source, target)
            return cls(move.iccs(), move, comment)
        return cls(f"{source}-{target}", None, comment)


class Record(NamedTuple):
    """A move of a tree that is written depth first, and what comes behind it."""

    move: PlainMove
    has_next: bool
    """A continuation of the move follows at once."""
    has_variation: bool
    """An alternative to the move follows when its continuations are over."""


@dataclass(slots=True)
class PlainTree:
    """The moves from the starting position, and whether something is missing."""

    first: list[PlainMove] = field(default_factory=list)
    """The first moves, the main line first."""
    missing_at: int | None = None
    """The ply, from 1, of a move that is announced but does not come."""


class TreeFault(NamedTuple):
    """Why the records of a tree break off."""

    text: str
    """What stands there."""
    reason: str
    rest: str = ""
    """All that is left unread."""


def read_tree(records: Iterable[Record]) -> PlainTree:
    """Put records into a tree; those behind its end are not taken from the iterable."""
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
    """Play a tree from the builder's node on, every move checked.

    A move that is not legal ends its line. Where it is the main line that ends, the alternatives
    to the move are not read either, so that none of them takes its place; the errors keep them.
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
        reason = "expected a move between two squares of the board"
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
    """The moves of the line behind a move."""
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
