"""Prohibition: a move that brings back an earlier position of the game is not legal.

Go forbids endless repetition by its superko rules.  Positional superko: no play may lead to an
arrangement of the board that has been there before, with either side to move.  Situational
superko: no play may lead to such an arrangement with the same player to move as then.  Natural
situational superko requires instead that the same player made it; where nobody can pass, the player
who is to move is always the one who did not play last, so that for everything made by a move it is
the same as situational superko.  It differs for the first position of a game, which nobody made:
as in Go, that position counts as one that has been there.

In Xiangqi a prohibition comes on top of the rules of movement.  A barred move is no move at all: a
side whose legal moves are all barred has none left, and having none loses.  Whether a king is
attacked depends on the board alone: the move that would take it is never played, so that it
cannot be barred.
"""

from collections.abc import Sequence

from .game import Position, apply, legal_moves
from .judge import replay

POSITIONAL = "positional"
SITUATIONAL = "situational"
KINDS = (POSITIONAL, SITUATIONAL)


def is_same(one: Position, other: Position, superko: str) -> bool:
    """Whether two positions count as one: the same board, and perhaps the same side to move."""
    if superko not in KINDS:
        raise ValueError(f"superko {superko!r}: expected one of {KINDS}")
    if superko == POSITIONAL:
        return one.board == other.board
    return one == other


def recreates(positions: Sequence[Position], move: str, superko: str) -> bool:
    """Whether a move from the last of the positions leads to any of them again."""
    after = apply(positions[-1], move)
    return any(is_same(after, earlier, superko) for earlier in positions)


def barred_moves(fen: str, moves: Sequence[str], superko: str) -> list[str]:
    """The moves that are legal in themselves and recreate a position of the game, sorted."""
    positions = replay(fen, moves)
    return [move for move in legal_moves(positions[-1]) if recreates(positions, move, superko)]


def legal_moves_under(fen: str, moves: Sequence[str], superko: str) -> list[str]:
    """The legal moves at the end of a game that the prohibition leaves, sorted."""
    barred = barred_moves(fen, moves, superko)
    return [move for move in legal_moves(replay(fen, moves)[-1]) if move not in barred]


def has_lost(fen: str, moves: Sequence[str], superko: str) -> bool:
    """Whether the side to move has lost: mated, stalemated, or left with barred moves only."""
    return not legal_moves_under(fen, moves, superko)
