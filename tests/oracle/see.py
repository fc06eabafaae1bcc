"""Static exchange: what a series of captures on one square brings to the one who begins it."""

from collections.abc import Mapping

from .game import (
    Board,
    Position,
    Square,
    attackers,
    colour,
    enemy,
    kind,
    moved,
    pseudo_legal_moves,
    read_move,
)


def least_attacker(
    board: Board, target: Square, side: str, values: Mapping[str, int]
) -> Square | None:
    """The least valuable piece of `side` that can capture on `target`, or None.

    Among equal values the lowest square counts, rank by rank from a0 (attackers come in that
    order).  Pins are not looked at.
    """
    squares = attackers(board, target, side)
    return min(squares, key=lambda square: values[kind(board[square])], default=None)


def recapture_gain(board: Board, target: Square, side: str, values: Mapping[str, int]) -> int:
    """Best gain of `side` on `target`, which an enemy piece occupies; 0 if it stops at once.

    It captures with its least valuable piece or not at all.  A king may capture only where no
    enemy piece could capture it.
    """
    origin = least_attacker(board, target, side, values)
    if origin is None:
        return 0
    after = moved(board, origin, target)
    if kind(board[origin]) == "K" and attackers(after, target, enemy(side)):
        return 0
    gain = values[kind(board[target])] - recapture_gain(after, target, enemy(side), values)
    return max(0, gain)


def exchange_value(position: Position, move: str, values: Mapping[str, int]) -> int:
    """The net gain of the side to move if it plays `move` and both sides then exchange on.

    The first move is played in any case; each later capture on the same square is played only if
    it pays.  Every capture is made on the board and the attackers are looked for anew, so that
    mounts of cannons and legs of horses are those of the moment.
    """
    if move not in pseudo_legal_moves(position):
        raise ValueError(f"move {move!r} is not possible in this position")
    board = position.board
    origin, target = read_move(move)
    captured = values[kind(board[target])] if target in board else 0
    after = moved(board, origin, target)
    return captured - recapture_gain(after, target, enemy(colour(board[origin])), values)
