"""A game as a tree: headers, a starting position, moves with comments, marks and variations.

    >>> game = Game(headers={"Red": "A", "Black": "B"})
    >>> first = game.root.add(Move.from_iccs("h2e2"), comment="the central cannon")
    >>> reply = first.add(Move.from_iccs("h9g7"))
    >>> other = first.add(Move.from_iccs("b9c7"))
    >>> [move.iccs() for move in game.moves()]
    ['h2e2', 'h9g7']
    >>> [node.move.iccs() for node in first.variations]
    ['h9g7', 'b9c7']

Headers have the names of PGN (``Event``, ``Date``, ``Red``, ``RedTeam``, ``Result``, ``ECCO``);
what PGN has no name for keeps its own. The tree has the shape of ``chess.pgn`` in python-chess
(https://python-chess.readthedocs.io/en/latest/pgn.html): the first of a node's variations is the
main line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.counting import plural
from xiangqi.errors import quote
from xiangqi.fen import STARTING_FEN
from xiangqi.games.record import GameRecord

__all__ = ["Game", "GameCursor", "GameError", "GameNode", "bracket_variations", "start_board"]


@dataclass(frozen=True, slots=True)
class GameError:
    """What could not be read in a game of a file.

    >>> print(GameError("a.pgn", 3, 12, "炮二平九", "the red cannon on h2 cannot reach a2"))
    a.pgn:3:12: '炮二平九': the red cannon on h2 cannot reach a2
    """

    source: str
    """The name of the file."""
    game: int
    """The number of the game in the file, from 1."""
    ply: int | None
    """The ply at which it goes wrong, from 1; None for what is no move."""
    text: str
    """The bad input."""
    reason: str
    """What is wrong with it, and what was expected."""
    rest: str = ""
    """What was left unread because of it, the bad input included, as it stands in the file."""
    is_illegal: bool = False
    """Is it a move of the main line that can be read and is not legal? The mover has a piece
    there, but it may not go so; where no such piece stands nobody can tell what was played."""
    following: int = 0
    """How many moves of its line the record has behind a bad move."""

    def __str__(self) -> str:
        place = [self.source, str(self.game)]
        if self.ply is not None:
            place.append(str(self.ply))
        return f"{':'.join(place)}: {quote(self.text)}: {self.reason}"


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

    def add(self, move: Move, comment: str = "", nags: Iterable[int] = ()) -> GameNode:
        """Add a continuation, after those that are there, and return its node.

        Whether the move is legal is not checked.
        """
        node = GameNode(move, self)
        node.comment = comment
        node.nags.extend(nags)
        self.variations.append(node)
        return node

    def __repr__(self) -> str:
        return f"<GameNode {self.ply}: {self.move}>"


class Game:
    """A game: headers, a starting position, and the tree of moves.

    The starting position is kept in the one normal form of FEN. Raises FenError or PositionError.
    Two games are equal when headers, starting position and tree are.
    """

    __slots__ = ("errors", "fen", "headers", "root")

    def __init__(self, fen: str = STARTING_FEN, headers: Mapping[str, str] | None = None) -> None:
        self.fen = fen if fen == STARTING_FEN else Board(fen).fen()
        """The starting position. Where a file's position cannot be read, its text as it stands
        there; :attr:`errors` says why, and there are no moves."""
        self.headers: dict[str, str] = dict(headers or {})
        """The headers in their order."""
        self.root = GameNode()
        """The node of the starting position."""
        self.errors: list[GameError] = []
        """What could not be read."""

    def mainline(self) -> Iterator[GameNode]:
        """The nodes of the main line, without the root."""
        node = self.root
        while node.variations:
            node = node.variations[0]
            yield node

    def nodes(self) -> Iterator[GameNode]:
        """All nodes: each before its continuations, the main line before its variations."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.variations))

    def end(self) -> GameNode:
        """The last node of the main line; the root if there are no moves."""
        node = self.root
        while node.variations:
            node = node.variations[0]
        return node

    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(node.move for node in self.mainline() if node.move is not None)

    def add_line(self, moves: Iterable[Move]) -> GameNode:
        """Append moves to the main line, unchecked; the last node."""
        node = self.end()
        for move in moves:
            node = node.add(move)
        return node

    def board(self) -> Board:
        """The board after the main line, which knows its moves.

        Raises FenError, PositionError or IllegalMoveError.
        """
        board = start_board(self.fen)
        for move in self.moves():
            board.push(move)
        return board

    def record(self) -> GameRecord:
        """The starting position and the moves of the main line as text."""
        return GameRecord(self.fen, tuple(move.iccs() for move in self.moves()))

    # A tree is as deep as its game is long: comparing and pickling go over a flat list instead.

    def _flat(self) -> list[tuple[int, Move | None, str, list[int]]]:
        """All nodes, each with the place of its parent in the list."""
        places: dict[int, int] = {}
        flat = []
        for place, node in enumerate(self.nodes()):
            places[id(node)] = place
            parent = -1 if node.parent is None else places[id(node.parent)]
            flat.append((parent, node.move, node.comment, node.nags))
        return flat

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.headers == other.headers
            and self.fen == other.fen
            and self._flat() == other._flat()
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[Any, ...]:
        return self.fen, self.headers, self.errors, self._flat()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.fen, self.headers, self.errors, flat = state
        nodes: list[GameNode] = []
        for parent, move, comment, nags in flat:
            if parent < 0:
                node = self.root = GameNode()
                node.comment, node.nags = comment, list(nags)
            else:
                node = nodes[parent].add(move, comment, nags)
            nodes.append(node)

    def __repr__(self) -> str:
        names = " - ".join(self.headers.get(side, "?") for side in ("Red", "Black"))
        return f"<Game {names}, {plural(self.end().ply, 'ply')}>"


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


class GameCursor:
    """A board that goes to any node of a game.

    Raises FenError or PositionError for a starting position that cannot be read.
    """

    __slots__ = ("_path", "board")

    def __init__(self, game: Game) -> None:
        self.board = start_board(game.fen)
        """The board at :attr:`node`, which knows the moves that lead there."""
        self._path = [game.root]

    @property
    def node(self) -> GameNode:
        """Where the board is."""
        return self._path[-1]

    def go_to(self, node: GameNode) -> None:
        """Go to a node of the game; raises IllegalMoveError if the way there is not legal."""
        path, ahead = self._path, []
        while node.ply >= len(path) or path[node.ply] is not node:
            if node.parent is None:
                raise ValueError(f"{node!r} is a node of another game")
            ahead.append(node)
            node = node.parent
        while len(path) > node.ply + 1:
            self.board.pop()
            path.pop()
        for step in reversed(ahead):
            if step.move is not None:
                self.board.push(step.move)
                path.append(step)

    def extend(self, move: Move) -> GameNode:
        """Add a move, known to be legal, to the node's continuations, and go there."""
        self.board.push_unchecked(move)
        parent = self._path[-1]
        node = GameNode(move, parent)
        parent.variations.append(node)
        self._path.append(node)
        return node


@lru_cache(maxsize=64)
def _template(fen: str) -> Board:
    return Board(fen)


def start_board(fen: str = STARTING_FEN) -> Board:
    """A new board with this position, quicker than ``Board(fen)`` where many games share it.

    Raises FenError or PositionError.
    """
    return _template(fen).copy()
