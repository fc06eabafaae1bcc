"""Endgames solved as plainly as can be, for small classes and small graphs.

The first half solves classes of endgames, every repetition a draw: in round after round, each
position whose moves are all known to lose, or one of whose moves is known to win, becomes known.

The second half knows nothing of boards.  A game is a graph here whose moves carry marks (is it
a check, does it make a threat, does it answer all threats), and what the rules of repetition make
of it is found by trying: every way in which a side can settle once and for all what it plays in
each position, against every set of moves that the other side can go round and round in.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from tests.oracle.game import (
    ALL_SQUARES,
    BLACK,
    RED,
    Board,
    Position,
    Square,
    apply,
    colour,
    enemy,
    identity,
    in_palace,
    is_attacked,
    kind,
    legal_moves,
    on_own_half,
)

Value = tuple[int, int]
"""1, 0 or -1 for the side to move, and the plies until mate."""


# Classes of endgames


def can_ever_stand(piece: str, square: Square) -> bool:
    """Whether play can bring the piece to the square."""
    side = colour(piece)
    file, rank = square[0], square[1] if side == RED else 9 - square[1]
    if kind(piece) == "K":
        return in_palace(side, square)
    if kind(piece) == "A":
        return (file, rank) in ((3, 0), (5, 0), (4, 1), (3, 2), (5, 2))
    if kind(piece) == "B":
        return (file, rank) in ((2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4))
    if kind(piece) == "P" and on_own_half(side, square):
        return rank >= 3 and file % 2 == 0
    return True


def positions_with(pieces: str) -> Iterator[Position]:
    """All positions with exactly these pieces, as letters of FEN, that can be on a board."""
    boards: list[Board] = [{}]
    for piece in pieces:
        boards = [
            {**board, square: piece}
            for board in boards
            for square in ALL_SQUARES
            if square not in board and can_ever_stand(piece, square)
        ]
    seen = set()
    for board in boards:
        for side in (RED, BLACK):
            position = Position(board, side)
            name = identity(position)
            if name not in seen and not is_attacked(position, enemy(side)):
                seen.add(name)
                yield position


def solve_plainly(classes: Iterable[str]) -> dict[str, Value]:
    """The value of each position of some classes, by ``identity``; captures stay in them."""
    moves = {}
    for pieces in classes:
        for position in positions_with(pieces):
            replies = (apply(position, move) for move in legal_moves(position))
            moves[identity(position)] = [identity(reply) for reply in replies]
    values: dict[str, Value] = {}
    distance = 0
    found = True
    while found or distance < 2:
        found = False
        known = dict(values)
        for name, replies_to in moves.items():
            if name in values:
                continue
            if any(known.get(reply, (0, 0))[0] == -1 for reply in replies_to):
                values[name] = 1, distance
                found = True
            elif all(known.get(reply, (0, 0))[0] == 1 for reply in replies_to):
                values[name] = -1, distance
                found = True
        distance += 1
    return {name: values.get(name, (0, 0)) for name in moves}


# Graphs


class Move(NamedTuple):
    """A move from one node of a graph to another, and what it does."""

    origin: int
    target: int
    checks: bool
    chases: bool
    answers: bool


class Game(NamedTuple):
    """A graph: whose turn it is at each node, and the moves."""

    turns: tuple[str, ...]
    moves: tuple[Move, ...]


def conduct(game: Game, cycle: Iterable[Move], side: str) -> int:
    """2 for perpetual check, 1 for perpetual chase, 0 for anything else, over these moves.

    A chase is a move that makes a threat which the other side answers.
    """
    own = [move for move in cycle if game.turns[move.origin] == side]
    other = [move for move in cycle if game.turns[move.origin] != side]
    if all(move.checks for move in own):
        return 2
    return int(all(move.chases for move in own) and all(move.answers for move in other))


def rounds(moves: list[Move]) -> Iterator[list[Move]]:
    """Sets of moves in which each can be reached from each other, as large as they can be."""
    reach: dict[int, set[int]] = {}
    for move in moves:
        reach.setdefault(move.origin, set()).add(move.target)
    grown = True
    while grown:
        grown = False
        for targets in reach.values():
            more = set().union(*(reach.get(target, set()) for target in targets))
            grown |= not more <= targets
            targets |= more
    circular = [move for move in moves if move.origin in reach.get(move.target, set())]
    done: set[int] = set()
    for first in circular:
        if first.origin not in done:
            there = reach[first.origin]
            found = [m for m in circular if m.origin in there and first.origin in reach[m.origin]]
            done |= {move.origin for move in found}
            yield found


def wins_of(game: Game, side: str) -> set[int]:
    """The nodes from which a side wins by moves that depend on the node alone.

    A side that cannot move has lost.
    """
    nodes = range(len(game.turns))
    choices = {node: [move for move in game.moves if move.origin == node] for node in nodes}
    own = [node for node in nodes if game.turns[node] == side and choices[node]]
    free = [move for move in game.moves if game.turns[move.origin] != side]
    won: set[int] = set()
    for chosen in product(*(choices[node] for node in own)):
        escapes = {node for node in nodes if game.turns[node] == side and not choices[node]}
        for kept in product((False, True), repeat=len(free)):
            played = [move for move, keep in zip(free, kept, strict=True) if keep]
            for cycle in rounds([*chosen, *played]):
                if conduct(game, cycle, enemy(side)) <= conduct(game, cycle, side):
                    escapes |= {move.origin for move in cycle}
        allowed = [*chosen, *free]
        before = -1
        while len(escapes) != before:
            before = len(escapes)
            escapes |= {move.origin for move in allowed if move.target in escapes}
        won |= set(nodes) - escapes
    return won
