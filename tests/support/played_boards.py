"""Boards with moves behind them, and positions where a game is over."""

from xiangqi import STARTING_FEN, Board

BARE = "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1"
MATED = "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1"
STALEMATED = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1"
CHECKING = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1", "f0e0 e8f8 e0f0 f8e8")
CHASING = ("5k3/9/9/9/n8/9/9/9/9/1R1K5 w - - 0 1", "b0a0 a5b7 a0b0 b7a5")
IDLING = (STARTING_FEN, "e0e1 e9e8 e1e0 e8e9")


def played(moves: str, fen: str = STARTING_FEN) -> Board:
    board = Board(fen)
    for move in moves.split():
        board.push_iccs(move)
    return board


def cycled(case: tuple[str, str], times: int = 2) -> Board:
    """The game in which these moves have come so often."""
    fen, moves = case
    return played(" ".join([moves] * times), fen)
