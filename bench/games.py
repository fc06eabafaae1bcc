"""Reproducible random games, so that no game files are needed."""

from __future__ import annotations

from random import Random

from xiangqi import Board, Move

_SEED = 2024
_SHUFFLE = 4  # plies in which each side moves a piece out and back


def random_positions(count: int) -> list[Board]:
    """Boards from all stages of random games, without final positions."""
    rng = Random(_SEED)
    boards: list[Board] = []
    while len(boards) < count:
        board = play_at_random(rng, rng.randrange(0, 120))
        if board.has_legal_move():
            boards.append(Board(board.fen()))
    return boards


def random_games(count: int, plies: int) -> list[Board]:
    """Random games of ``plies`` plies that end with a position which has occurred three times."""
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
    """Play random moves for a number of plies, or until the game ends."""
    board = Board()
    while board.ply() < plies and board.has_legal_move():
        board.push(rng.choice(list(board.legal_moves)))
    return board


def _find_shuffle(board: Board, rng: Random) -> list[Move]:
    """Find four legal moves, out and back for each side; empty if random tries fail."""
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
