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
from importlib import import_module
from typing import Any, Literal

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.counting import plural
from xiangqi.errors import quote
from xiangqi.fen import STARTING_FEN
from xiangqi.games.node import GameNode, RootNode, bracket_variations, start_board
from xiangqi.games.record import GameRecord
from xiangqi.words import Language
from xiangqi.words.faults import say_reason

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

    def say(self, language: Language) -> str:
        """The error in a line."""
        place = [self.source, str(self.game)]
        if self.ply is not None:
            place.append(str(self.ply))
        return f"{':'.join(place)}: {quote(self.text)}: {say_reason(language, self.reason)}"

    def __str__(self) -> str:
        return self.say("en")


class Game:
    """A game: headers, a starting position, and the tree of moves.

    The starting position is kept in the one normal form of FEN. Raises FenError or PositionError.
    Two games are equal when headers, starting position and tree are.
    """

    __slots__ = ("_start", "errors", "headers", "root")

    def __init__(self, fen: str = STARTING_FEN, headers: Mapping[str, str] | None = None) -> None:
        self.headers: dict[str, str] = dict(headers or {})
        """The headers in their order."""
        self._start = RootNode(fen if fen == STARTING_FEN else Board(fen).fen())
        self.root: GameNode = self._start
        """The node of the starting position."""
        self.errors: list[GameError] = []
        """What could not be read."""

    @property
    def fen(self) -> str:
        """The starting position. Where a file's position cannot be read, its text as it stands
        there; :attr:`errors` says why, and there are no moves."""
        return self._start.fen

    @fen.setter
    def fen(self, fen: str) -> None:
        self._start.fen = fen

    @classmethod
    def from_board(cls, board: Board) -> Game:
        """The game on a board: where it began, its moves, and its result by the WXF's rules.

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

    # The root's, for short

    @property
    def variations(self) -> list[GameNode]:
        """What may be played first, the main line first."""
        return self.root.variations

    @property
    def comment(self) -> str:
        """What is said before the first move."""
        return self.root.comment

    @comment.setter
    def comment(self, text: str) -> None:
        self.root.comment = text

    def next(self) -> GameNode | None:
        """The node of the first move, or None."""
        return self.root.next()

    def variation(self, which: int | Move | GameNode) -> GameNode:
        """A first move; see :meth:`~xiangqi.games.node.GameNode.variation`."""
        return self.root.variation(which)

    def add_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> GameNode:
        """Add a first move; see :meth:`~xiangqi.games.node.GameNode.add_variation`."""
        return self.root.add_variation(move, comment=comment, nags=nags)

    def add_main_variation(
        self, move: Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Add a first move as the main one; its node."""
        return self.root.add_main_variation(move, comment=comment, nags=nags)

    def mainline_moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return self.root.mainline_moves()

    def mainline(self) -> Iterator[GameNode]:
        """The nodes of the main line, without the root."""
        return self.root.mainline()

    def nodes(self) -> Iterator[GameNode]:
        """All nodes: each before its continuations, the main line before its variations."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.variations))

    def end(self) -> GameNode:
        """The last node of the main line; the root if there are no moves."""
        return self.root.end()

    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return self.mainline_moves()

    def add_line(self, moves: Iterable[Move]) -> GameNode:
        """Append moves to the main line, unchecked; the last node."""
        return self.end().add_line(moves)

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

    # As text

    def pgn(self, notation: Literal["chinese", "wxf", "iccs"] = "chinese") -> str:
        """The game as PGN; what PGN has no place for is left out.

        :meth:`Format.write <xiangqi.games.formats.Format.write>` of the other formats writes files
        and leaves nothing out unasked. Raises IllegalMoveError for a game that has been given an
        illegal move, FenError or PositionError for one whose position could not be read.
        """
        # The formats make games: only who writes one needs them.
        writer = import_module("xiangqi.games.formats.pgn_writer")
        options = import_module("xiangqi.games.formats.base").WriteOptions(lossy=True)
        text: bytes = writer.write_pgn(self, writer.RED_BLACK, options, notation)
        return text.decode("utf-8")

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        names = " - ".join(self.headers.get(side, "?") for side in ("Red", "Black"))
        return f"<Game {names}, {plural(self.end().ply, 'ply')}>"


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
