"""A move in the tree of a game, what is said about it, and what may follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import quote
from xiangqi.fen import STARTING_FEN
from xiangqi.games.clocks import put_time, read_time
from xiangqi.games.evals import Eval, put_eval, read_eval, without_eval
from xiangqi.pieces import RED

if TYPE_CHECKING:
    from xiangqi.board.playing import Notation
    from xiangqi.scores import PovScore

__all__ = ["GameNode", "RootNode", "bracket_variations", "start_board"]


class GameNode:
    """The position after a move, and what is said about the move."""

    __slots__ = ("comment", "move", "nags", "parent", "ply", "variations")

    def __init__(self, move: Move | None = None, parent: GameNode | None = None) -> None:
        self.move = move
        """The move that leads here; None for the root."""
        self.parent = parent
        """The node before the move; None for the root."""
        self.ply: int = 0 if parent is None else parent.ply + 1
        """The number of moves that lead here."""
        self.comment: str = ""
        """What is said after the move; at the root, before the first one."""
        self.nags: list[int] = []
        """Marks of the move, by the numbers of PGN's table: 1 for "!", 2 for "?"."""
        self.variations: list[GameNode] = []
        """What may be played next, the main line first."""

    # Where it is

    def path(self) -> list[GameNode]:
        """The nodes that lead here, from the first move to this one; empty for the root."""
        found, node = [], self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def root(self) -> GameNode:
        """The node of the starting position."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def board(self) -> Board:
        """A new board with this position, which knows the moves that lead here.

        Raises FenError, PositionError or IllegalMoveError where the game is none, ValueError for a
        node of no game.
        """
        root = self.root()
        if not isinstance(root, RootNode):
            raise ValueError(f"{self!r} belongs to no game")
        board = start_board(root.fen)
        for node in self.path():
            if node.move is not None:
                board.push(node.move)
        return board

    def write(self, notation: Notation = "iccs") -> str:
        """The move in a notation; ValueError at the root, which has none."""
        if self.move is None or self.parent is None:
            raise ValueError("no move leads to the root")
        return self.parent.board().write(self.move, notation)

    def is_mainline(self) -> bool:
        """Does the main line of the game lead here?"""
        return all(node.is_main_variation() for node in self.path())

    def is_main_variation(self) -> bool:
        """Is it the first of its parent's variations?"""
        return self.parent is None or self.parent.variations[0] is self

    def starts_variation(self) -> bool:
        """Does a variation begin with it?"""
        return not self.is_main_variation()

    def is_end(self) -> bool:
        """Does nothing follow?"""
        return not self.variations

    # What follows

    def next(self) -> GameNode | None:
        """The main continuation, or None."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """The last node of the line that goes on from here; itself if nothing follows."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self) -> Iterator[GameNode]:
        """The nodes of the line that goes on from here, without this one."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def mainline_moves(self) -> tuple[Move, ...]:
        """The moves of the line that goes on from here."""
        return tuple(node.move for node in self.mainline() if node.move is not None)

    def variation(self, which: int | Move | GameNode) -> GameNode:
        """A continuation by its number, its move, or itself; KeyError if there is no such one."""
        for number, node in enumerate(self.variations):
            if which is node or (which == number if isinstance(which, int) else which == node.move):
                return node
        known = ", ".join(str(node.move) for node in self.variations) or "none"
        raise KeyError(f"no variation {which}: there are {known}")

    def has_variation(self, which: int | Move | GameNode) -> bool:
        """Is there such a continuation?"""
        try:
            self.variation(which)
        except KeyError:
            return False
        return True

    # Building

    def add(self, move: Move, comment: str = "", nags: Iterable[int] = ()) -> GameNode:
        """Add a continuation, after those that are there, and return its node.

        Whether the move is legal is not checked.
        """
        node = GameNode(move, self)
        node.comment = comment
        node.nags.extend(nags)
        self.variations.append(node)
        return node

    def add_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> GameNode:
        """As :meth:`add`, but a text is a TypeError: ``node.board().parse_move(text)`` reads it."""
        if not isinstance(move, Move):
            raise TypeError(
                f"{quote(move)} as a move: expected a Move, as of node.board().parse_move(text)"
            )
        return self.add(move, comment, nags)

    def add_main_variation(
        self, move: Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Add a continuation before those that are there, as the main one; the new node."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def add_line(self, moves: Iterable[Move]) -> GameNode:
        """Add moves one after the other, a new variation; the last node."""
        node = self
        for move in moves:
            node = node.add_variation(move)
        return node

    def promote_to_main(self, which: int | Move | GameNode) -> None:
        """Make a continuation the main one; KeyError as :meth:`variation`."""
        self._move(self.variation(which), -len(self.variations))

    def promote(self, which: int | Move | GameNode) -> None:
        """Move a continuation one place up; KeyError as :meth:`variation`."""
        self._move(self.variation(which), -1)

    def demote(self, which: int | Move | GameNode) -> None:
        """Move a continuation one place down; KeyError as :meth:`variation`."""
        self._move(self.variation(which), 1)

    def _move(self, node: GameNode, places: int) -> None:
        place = next(i for i, other in enumerate(self.variations) if other is node)
        del self.variations[place]
        self.variations.insert(max(0, place + places), node)

    def remove_variation(self, which: int | Move | GameNode) -> None:
        """Take away a continuation with all that follows; KeyError as :meth:`variation`."""
        node = self.variation(which)
        self.variations = [other for other in self.variations if other is not node]

    # What is said in comments

    def eval(self) -> PovScore | None:
        """The evaluation in the comment (``[%eval 0.35]``), or None."""
        from xiangqi.scores import Cp, Mate, PovScore  # which loads python-chess's engines

        found = read_eval(self.comment)
        if found is None:
            return None
        return PovScore(Cp(found.cp or 0) if found.mate is None else Mate(found.mate), RED)

    def set_eval(self, score: PovScore | None) -> None:
        """Put an evaluation into the comment, in place of those there; None takes them away."""
        if score is None:
            self.comment = without_eval(self.comment)
            return
        red = score.red()
        self.comment = put_eval(self.comment, Eval(red.score(), red.mate()))

    def clock(self) -> float | None:
        """What the comment says is left on the mover's clock (``[%clk 0:09:58]``), in seconds."""
        return read_time(self.comment, "clk")

    def set_clock(self, seconds: float | None) -> None:
        """Put the mover's clock into the comment; None takes it away."""
        self.comment = put_time(self.comment, "clk", seconds)

    def emt(self) -> float | None:
        """The time that the comment says the move took (``[%emt 0:00:03]``), in seconds."""
        return read_time(self.comment, "emt")

    def set_emt(self, seconds: float | None) -> None:
        """Put the time that the move took into the comment; None takes it away."""
        self.comment = put_time(self.comment, "emt", seconds)

    def __repr__(self) -> str:
        return f"<GameNode {self.ply}: {self.move}>"


class RootNode(GameNode):
    """The node of the starting position, which knows it."""

    __slots__ = ("fen",)

    def __init__(self, fen: str) -> None:
        super().__init__()
        self.fen = fen
        """The position; see :attr:`~xiangqi.games.tree.Game.fen`."""


def bracket_variations(first: GameNode) -> Iterator[GameNode | str]:
    """A node and all that follows, as PGN writes it: a variation, between the texts "(" and ")",
    comes behind the move that it replaces. Variations of the first node belong to it only where it
    is the main line.
    """
    waiting: list[GameNode | str] = [first]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, str):
            continue
        if node.variations:
            waiting.append(node.variations[0])
        if node.parent is not None and node is node.parent.variations[0]:
            for other in reversed(node.parent.variations[1:]):
                waiting += (")", other, "(")


@lru_cache(maxsize=64)
def _template(fen: str) -> Board:
    return Board(fen)


def start_board(fen: str = STARTING_FEN) -> Board:
    """A new board with this position, quicker than ``Board(fen)`` where many games share it.

    Raises FenError or PositionError.
    """
    return _template(fen).copy()
