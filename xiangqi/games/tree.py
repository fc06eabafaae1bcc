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
other headers keep their names. The tree is like that of ``chess.pgn`` in python-chess
(https://python-chess.readthedocs.io/en/latest/pgn.html): the first of a node's variations is the
main line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.comments import CommentData
from xiangqi.games.pgn import RED_BLACK, GameVisitor, PgnWriter, WriteOptions
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import Fact, plural, quote
from xiangqi.ground.errors.absent import missing_name
from xiangqi.ground.texts import Language
from xiangqi.pieces.fen import STARTING_FEN

if TYPE_CHECKING:
    from xiangqi.board.board import Notation

__all__ = [
    "Game",
    "GameCursor",
    "GameError",
    "GameNode",
    "RootNode",
    "bracket_variations",
    "start_board",
]

Visitor = TypeVar("Visitor", bound=GameVisitor)


class _Branches:
    """Methods for the continuations of a node, and of a game's root."""

    __slots__ = ()
    _COUNTERPART: str

    @property
    def _node(self) -> GameNode:
        raise NotImplementedError

    def next(self) -> GameNode | None:
        """Return the main continuation, or None."""
        variations = self._node.variations
        return variations[0] if variations else None

    def end(self) -> GameNode:
        """Return the last node of the main line from here; itself if nothing follows."""
        node = self._node
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self) -> Iterator[GameNode]:
        """Iterate over the nodes of the main line from here, without this one."""
        node = self._node
        while node.variations:
            node = node.variations[0]
            yield node

    def mainline_moves(self) -> tuple[Move, ...]:
        """Return the moves of the main line from here."""
        return tuple(node.move for node in self.mainline() if node.move is not None)

    def variation(self, which: int | Move | GameNode) -> GameNode:
        """Return a continuation by its index, its move, or itself; raises KeyError."""
        variations = self._node.variations
        for number, node in enumerate(variations):
            if which is node or (which == number if isinstance(which, int) else which == node.move):
                return node
        known = ", ".join(str(node.move) for node in variations) or "none"
        raise KeyError(f"no variation {which}: there are {known}")

    def has_variation(self, which: int | Move | GameNode) -> bool:
        """Is there a continuation with this index, with this move, or this node itself?"""
        try:
            self.variation(which)
        except KeyError:
            return False
        return True

    def add_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> GameNode:
        """Add a continuation, unchecked, like :meth:`GameNode.add`.

        Raises TypeError for a text; ``node.board().parse_move(text)`` parses it.
        """
        if not isinstance(move, Move):
            raise TypeError(
                f"{quote(move)} as a move: expected a Move, as of node.board().parse_move(text)"
            )
        return self._node.add(move, comment, nags)

    def add_main_variation(
        self, move: Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Add a continuation as the main one, before the others, and return its node."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def promote_to_main(self, which: int | Move | GameNode) -> None:
        """Make a continuation the main one; raises KeyError, see :meth:`variation`."""
        self._shift(which, -len(self._node.variations))

    def promote(self, which: int | Move | GameNode) -> None:
        """Move a continuation one place up; raises KeyError, see :meth:`variation`."""
        self._shift(which, -1)

    def demote(self, which: int | Move | GameNode) -> None:
        """Move a continuation one place down; raises KeyError, see :meth:`variation`."""
        self._shift(which, 1)

    def _shift(self, which: int | Move | GameNode, places: int) -> None:
        node, variations = self.variation(which), self._node.variations
        place = next(i for i, other in enumerate(variations) if other is node)
        del variations[place]
        variations.insert(max(0, place + places), node)

    def remove_variation(self, which: int | Move | GameNode) -> None:
        """Remove a continuation with its subtree; raises KeyError, see :meth:`variation`."""
        removed = self.variation(which)
        self._node.variations = [node for node in self._node.variations if node is not removed]

    if not TYPE_CHECKING:  # with it, type checkers would accept any attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_name(self._COUNTERPART, f"{type(self).__name__!r} object", name, self)


class GameNode(_Branches, CommentData):
    """A move, the position after it, its comment and marks, and its continuations."""

    __slots__ = ("move", "nags", "parent", "ply", "variations")
    _COUNTERPART = "chess.pgn.GameNode"

    def __init__(self, move: Move | None = None, parent: GameNode | None = None) -> None:
        self.move = move
        """Move that leads to this node; None for the root."""
        self.parent = parent
        """Node before the move; None for the root."""
        self.ply: int = 0 if parent is None else parent.ply + 1
        """Number of moves from the root."""
        self.comment: str = ""
        """Comment after the move; at the root, before the first one."""
        self.nags: list[int] = []
        """Marks of the move, by the numbers of PGN's table: 1 for "!", 2 for "?"."""
        self.variations: list[GameNode] = []
        """Continuations, the main line first."""

    # Place in the game

    def path(self) -> list[GameNode]:
        """Return the nodes from the first move to this one; empty for the root."""
        found, node = [], self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def root(self) -> GameNode:
        """Return the node of the starting position."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def board(self) -> Board:
        """Make a board with this position and the moves from the root.

        Raises FenError, PositionError or IllegalMoveError for a faulty game, ValueError for a node
        outside a game.
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
        """Format the move in a notation; raises ValueError at the root, which has none."""
        if self.move is None or self.parent is None:
            raise ValueError("no move leads to the root")
        return self.parent.board().write(self.move, notation)

    def is_mainline(self) -> bool:
        """Is this node on the main line of the game?"""
        return all(node.is_main_variation() for node in self.path())

    def is_main_variation(self) -> bool:
        """Is this the first of its parent's variations?"""
        return self.parent is None or self.parent.variations[0] is self

    def starts_variation(self) -> bool:
        """Does a variation begin with this node?"""
        return not self.is_main_variation()

    def is_end(self) -> bool:
        """Is this the last node of its line?"""
        return not self.variations

    @property
    def _node(self) -> GameNode:
        return self

    # Changes

    def add(self, move: Move, comment: str = "", nags: Iterable[int] = ()) -> GameNode:
        """Add a continuation after the others, unchecked, and return its node."""
        node = GameNode(move, self)
        node.comment = comment
        node.nags.extend(nags)
        self.variations.append(node)
        return node

    def add_line(self, moves: Iterable[Move]) -> GameNode:
        """Add moves in sequence as a new variation, unchecked, and return the last node."""
        node = self
        for move in moves:
            node = node.add_variation(move)
        return node

    def __repr__(self) -> str:
        return f"<GameNode {self.ply}: {self.move}>"


class RootNode(GameNode):
    """Node of the starting position."""

    __slots__ = ("fen",)

    def __init__(self, fen: str) -> None:
        super().__init__()
        self.fen = fen
        """Starting position; see :attr:`Game.fen`."""


def _visit_remarks(node: GameNode, visitor: GameVisitor) -> None:
    for nag in node.nags:
        visitor.visit_nag(nag)
    if node.comment:
        visitor.visit_comment(node.comment)


def bracket_variations(first: GameNode) -> Iterator[GameNode | str]:
    """Iterate over a node and its descendants in the order of PGN: a variation, between the texts
    "(" and ")", follows the move that it replaces. Alternatives to the first node are included only
    if it is its parent's main continuation.
    """
    stack: list[GameNode | str] = [first]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, str):
            continue
        if node.variations:
            stack.append(node.variations[0])
        if node.parent is not None and node is node.parent.variations[0]:
            for other in reversed(node.parent.variations[1:]):
                stack += (")", other, "(")


@lru_cache(maxsize=64)
def _template(fen: str) -> Board:
    return Board(fen)


def start_board(fen: str = STARTING_FEN) -> Board:
    """Make a board with this position, faster than ``Board(fen)`` for a position used before.

    Raises FenError or PositionError.
    """
    return _template(fen).copy()


@dataclass(frozen=True, slots=True)
class GameError:
    """Error in a game read from a file.

    >>> print(GameError("a.pgn", 3, 12, "炮二平九", Fact("illegal.no_piece", square="h2")))
    a.pgn:3:12: '炮二平九': there is no piece on h2
    """

    source: str
    """Name of the file."""
    game: int
    """Number of the game in the file, from 1."""
    ply: int | None
    """Ply of the faulty move, from 1; None for other errors."""
    text: str
    """Faulty input."""
    reason: Fact
    """Reason, with the expected input."""
    rest: str = ""
    """Text that was skipped because of the error, including the faulty input."""
    is_illegal: bool = False
    """Is the input a readable but illegal move, of a piece that the mover has, on the main line? If
    the mover lacks the piece, the move that was played is unknown."""
    following: int = 0
    """Number of moves of the line after the faulty one."""

    def say(self, language: Language) -> str:
        """Format the error as a line."""
        place = [self.source, str(self.game)]
        if self.ply is not None:
            place.append(str(self.ply))
        return f"{':'.join(place)}: {quote(self.text)}: {self.reason.say(language)}"

    def __str__(self) -> str:
        return self.say("en")


class Game(_Branches):
    """A game: headers, a starting position, and the tree of moves.

    The starting position is kept as a normalised FEN. Raises FenError or PositionError. Two games
    are equal if headers, starting position and tree are.
    """

    __slots__ = ("_start", "errors", "headers", "root")
    _COUNTERPART = "chess.pgn.Game"

    def __init__(self, fen: str = STARTING_FEN, headers: Mapping[str, str] | None = None) -> None:
        self.headers: dict[str, str] = dict(headers or {})
        """Headers in order."""
        self._start = RootNode(fen if fen == STARTING_FEN else Board(fen).fen())
        self.root: GameNode = self._start
        """Node of the starting position."""
        self.errors: list[GameError] = []
        """Errors of the file that the game was read from."""

    @property
    def fen(self) -> str:
        """Starting position. If the one in the file is invalid: its text; then :attr:`errors` has
        the reason, and there are no moves."""
        return self._start.fen

    @fen.setter
    def fen(self, fen: str) -> None:
        self._start.fen = fen

    @classmethod
    def from_board(cls, board: Board) -> Game:
        """Make a game from a board: its starting position, moves, and result by the WXF rules.

        >>> board = Board()
        >>> _ = board.push_iccs("h2e2"), board.push_iccs("h9g7")
        >>> print(Game.from_board(board), end="")
        [Game "Chinese Chess"]
        [Result "*"]
        [Format "Chinese"]
        <BLANKLINE>
        1. 炮二平五 马８进７ *
        <BLANKLINE>
        """
        game = cls(board.root_fen(), {"Result": board.result()})
        game.add_line(board.move_stack)
        return game

    @property
    def _node(self) -> GameNode:
        return self.root

    @property
    def variations(self) -> list[GameNode]:
        """Continuations of the starting position, the main line first."""
        return self.root.variations

    @property
    def comment(self) -> str:
        """Comment before the first move."""
        return self.root.comment

    @comment.setter
    def comment(self, text: str) -> None:
        self.root.comment = text

    def nodes(self) -> Iterator[GameNode]:
        """Iterate over all nodes, each before its continuations, and the main line first."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.variations))

    def add_line(self, moves: Iterable[Move]) -> GameNode:
        """Append moves to the main line, unchecked, and return the last node."""
        return self.end().add_line(moves)

    def moves(self) -> tuple[Move, ...]:
        """Return the moves of the main line."""
        return self.mainline_moves()

    def board(self) -> Board:
        """Make a board with the starting position and the moves of the main line.

        Raises FenError, PositionError or IllegalMoveError.
        """
        board = start_board(self.fen)
        for move in self.moves():
            board.push(move)
        return board

    def record(self) -> GameRecord:
        """Return the starting position and the moves of the main line as text."""
        return GameRecord(self.fen, tuple(move.iccs() for move in self.moves()))

    # Comparison and pickling use a flat list: recursion would be as deep as the game is long.

    def _flat(self) -> list[tuple[int, Move | None, str, list[int]]]:
        """List all nodes, each with the index of its parent."""
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
        fen, self.headers, self.errors, flat = state
        nodes: list[GameNode] = []
        for parent, move, comment, nags in flat:
            node: GameNode
            if parent < 0:
                node = self.root = self._start = RootNode(fen)
                node.comment, node.nags = comment, list(nags)
            else:
                node = nodes[parent].add(move, comment, nags)
            nodes.append(node)

    # Visitors

    def accept(self, visitor: Visitor) -> Visitor:
        """Call a visitor for the parts of the game in the order of PGN; return the visitor.

        A variation follows the move that it replaces. Raises IllegalMoveError for an illegal move,
        FenError or PositionError for an invalid starting position.
        """
        visitor.visit_headers(self.headers, self.fen)
        _visit_remarks(self.root, visitor)
        if self.root.variations:
            cursor = GameCursor(self)
            for node in bracket_variations(self.root.variations[0]):
                if node == "(":
                    visitor.begin_variation()
                elif node == ")":
                    visitor.end_variation()
                if isinstance(node, str):
                    continue
                assert node.parent is not None  # only the root has none
                assert node.move is not None
                cursor.go_to(node.parent)
                visitor.visit_move(cursor.board, node.move)
                _visit_remarks(node, visitor)
        visitor.visit_result(self.headers.get("Result", "*"))
        return visitor

    def pgn(self, notation: Literal["chinese", "wxf", "vietnamese", "iccs"] = "chinese") -> str:
        """Format the game as PGN, without parts that PGN cannot hold.

        :meth:`Format.write <xiangqi.games.formats.Format.write>` raises an error for such parts,
        and writes other formats. Raises IllegalMoveError for an illegal move, FenError or
        PositionError for an invalid starting position.
        """
        writer = PgnWriter(RED_BLACK, WriteOptions(lossy=True), notation)
        return self.accept(writer).encoded().decode("utf-8")

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        names = " - ".join(self.headers.get(side, "?") for side in ("Red", "Black"))
        return f"<Game {names}, {plural(self.end().ply, 'ply')}>"


class GameCursor:
    """Board that can be moved to any node of a game.

    Raises FenError or PositionError for an invalid starting position.
    """

    __slots__ = ("_path", "board")

    def __init__(self, game: Game) -> None:
        self.board = start_board(game.fen)
        """Board at :attr:`node`, with the moves from the root."""
        self._path = [game.root]

    @property
    def node(self) -> GameNode:
        """Current node."""
        return self._path[-1]

    def go_to(self, node: GameNode) -> None:
        """Go to a node of the game.

        Raises IllegalMoveError for an illegal move on the way, ValueError for a node of another
        game.
        """
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
        """Add a continuation to the current node and go there; the move must be legal."""
        self.board.push_unchecked(move)
        parent = self._path[-1]
        node = GameNode(move, parent)
        parent.variations.append(node)
        self._path.append(node)
        return node
