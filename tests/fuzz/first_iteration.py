"""Climbs towards positions whose first iteration takes the most nodes, and prints the worst.

    python -m tests.fuzz.first_iteration --count 100000

An iteration of depth 1 is all quiescence: its nodes show how well that is bounded. From a random
position the climb changes one piece at a time (put, taken off, moved) and keeps what does not
take fewer nodes; after ``PATIENCE`` changes in vain it begins anew. The exit code is 1 if a first
iteration took more than ``--most`` nodes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Final

from tests.fuzz.run import limited, make_parser, report
from xiangqi import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    Board,
    Piece,
    PositionError,
    Setup,
)
from xiangqi.casebook.random_cycles import random_sparse, random_square
from xiangqi.engine import Engine, Limits

PATIENCE: Final = 300
MAX_NODES: Final = 500_000
_KINDS: Final = (ADVISOR, BISHOP, KNIGHT, KNIGHT, ROOK, ROOK, CANNON, CANNON, PAWN, PAWN)


def changed(board: Board, rng: Random) -> Board | None:
    """The position with one piece put, taken off or moved; None if there can be no such one."""
    pieces = board.piece_map()
    taken = rng.choice([square for square, piece in pieces.items() if piece.piece_type != KING])
    what = rng.randrange(3)
    piece = pieces[taken] if what else Piece(rng.choice(_KINDS), rng.choice((RED, BLACK)))
    if what:
        del pieces[taken]
    square = random_square(piece, rng)
    if what < 2 and square not in pieces:
        pieces[square] = piece
    try:
        return Board(Setup.from_piece_map(pieces, board.turn)) if len(pieces) > 2 else None
    except PositionError:
        return None


def climb(seed: int) -> Iterator[tuple[Board, int]]:
    """Positions without end, each with the nodes of its first iteration."""
    rng = Random(seed)
    engine = Engine()
    engine.set_option("hash", 1)

    def nodes_of(board: Board) -> int:
        engine.new_game()
        return engine.play(board, Limits(depth=1)).nodes

    while True:
        best = random_sparse(rng)
        most = nodes_of(best)
        in_vain = 0
        while in_vain < PATIENCE:
            in_vain += 1
            board = changed(best, rng)
            if board is None:
                continue
            nodes = nodes_of(board)
            yield board, nodes
            if nodes > most:
                in_vain = 0
            if nodes >= most:
                best, most = board, nodes


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=20_000)
    parser.add_argument("--most", type=int, default=MAX_NODES, help="nodes that are too many")
    options = parser.parse_args()
    worst = 0
    for board, nodes in limited(climb(options.seed), options):
        if nodes > worst:
            worst = nodes
            report(f"{nodes:9} nodes: {board.fen()}")
    print(f"The slowest first iteration took {worst} nodes")
    return 1 if worst > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
