"""Random games, the same every time: nothing has to be shipped."""

from __future__ import annotations

from random import Random

from xiangqi import Board, Move

_SEED = 2024
_SHUFFLE = 4  # plies of a round: one move out and back for each side


def random_positions(count: int) -> list[Board]:
    """Boards from all stages of random games, mates left out."""
    rng = Random(_SEED)
    boards: list[Board] = []
    while len(boards) < count:
        board = play_at_random(rng, rng.randrange(0, 120))
        if board.has_legal_move():
            boards.append(Board(board.fen()))
    return boards


def random_games(count: int, plies: int) -> list[Board]:
    """Games of so many plies, whose last position has occurred three times by shuffling."""
    rng = Random(_SEED)
    boards: list[Board] = []
    while len(boards) < count:
        board = play_at_random(rng, plies - 2 * _SHUFFLE)
        shuffle = _find_shuffle(board, rng)
        if board.ply() == plies - 2 * _SHUFFLE and shuffle:
            for move in shuffle * 2:
                board.push(move)
            boards.append(board)
    return boards


def play_at_random(rng: Random, plies: int) -> Board:
    """A game of so many plies, or fewer where it ends before."""
    board = Board()
    while board.ply() < plies and board.has_legal_move():
        board.push(rng.choice(list(board.legal_moves)))
    return board


def _find_shuffle(board: Board, rng: Random) -> list[Move]:
    """Four legal moves, out and back for each side; empty if some tries find none."""
    for _ in range(100):
        trial = board.copy()
        moves: list[Move] = []
        for ply in range(_SHUFFLE):
            quiets = trial.list_moves("quiets")
            if ply >= 2:
                out = moves[ply - 2]
                quiets = [move for move in quiets if move == Move(out.to_square, out.from_square)]
            if not quiets:
                break
            moves.append(rng.choice(quiets))
            trial.push(moves[-1])
        if len(moves) == _SHUFFLE:
            return moves
    return []
