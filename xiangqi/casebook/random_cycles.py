"""Random games that end in a repetition, for comparing two judges.

Games come from two sources. One is a position of random play or a sparse random setup (chariots,
cannons, horses and soldiers near two kings, where more happens), followed by the same loop twice or
two different loops, so that the position occurs three times. A loop is found by a depth-first
search over quiet moves; in its last moves one side's pieces return to their squares in any way: to
and fro, in a triangle, two pieces alternating, two equal pieces changing places. Each side's
preference (attack, run, anything) is random, because uniformly random moves hardly ever chase. The
other source is the rule book: one of its cases with pieces added, removed or moved, if its moves
are still possible. It yields chases of all kinds, and positions that are almost chases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from xiangqi.board import Board
from xiangqi.casebook.cases import load_cases
from xiangqi.core.move import Move
from xiangqi.errors import PositionError, RecordError
from xiangqi.games.record import GameRecord
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    SQUARES,
    Color,
    Piece,
    Square,
    parse_square,
    square_flip,
)
from xiangqi.pieces.fen import Setup, parse_fen
from xiangqi.referee.rules import WXF

__all__ = [
    "TWINS",
    "altered",
    "random_games",
    "random_playout",
    "random_sparse",
    "random_square",
    "record_of_board",
]

_LENGTHS: Final = (4, 4, 4, 4, 4, 4, 6, 6, 8, 10)
_KINDS: Final = 7  # a piece's code is its kind, plus 8 if it is red
_MAX_NODES: Final = 60
_MAX_TRIED: Final = 12
_WORTH: Final = (0, 0, 1, 1, 2, 3, 2, 1)  # by kind of piece: nothing, K A B N R C P

# Two chariots change places in each round, and the one on e5 and then on g5 is chased by every
# move of it. To the eye the same piece is chased all the time; by the wooden pieces, each of the
# two is chased through one round.
TWINS: Final = GameRecord(
    "3k2C2/6r2/9/9/C3r3N/9/1R7/9/9/5K3 w - - 0 1",
    tuple("i5g6 e5g5 g6i5 g8e8 b3b5 e8e5 b5b3 g5g8".split()) * 2,
)


def random_games(seed: int | str, patience: int = 16) -> Iterator[GameRecord]:
    """Iterate endlessly over games, the same ones for the same seed.

    From each position up to ``patience`` loops are tried until one is more than idle play on both
    sides; otherwise the last one is used.
    """
    rng = Random(seed)
    cases = [TWINS, *(case.record(rounds=WXF.occurrences - 1) for case in load_cases())]
    while True:
        if rng.random() < 0.5:
            game = altered(rng.choice(cases), rng)
        else:
            start = random_playout(rng) if rng.random() < 0.4 else random_sparse(rng)
            game = going_round(start, rng, rng.randrange(patience) + 1)
        if game is not None:
            yield game


def going_round(start: Board, rng: Random, patience: int) -> GameRecord | None:
    """Play a game with a repetition from this position; None if no loop was found."""
    game = None
    for _ in range(patience):
        board = repeat_on(start.copy(), rng)
        if board is None:
            continue
        game = record_of_board(board)
        if any(board.judge_cycle(WXF.switches)[1:]):
            break
    return game


# Positions to begin from


def random_playout(rng: Random) -> Board:
    """Position of random play from the start, sometimes with a preference for captures."""
    board = Board()
    greed = rng.choice((0.0, 0.3, 0.6))
    for _ in range(rng.randrange(4, 120)):
        moves = board.list_moves("captures") if rng.random() < greed else []
        moves = moves or board.list_moves()
        if not moves:
            break
        board.push(rng.choice(moves))
    return Board(board.setup())


def _squares(names: str) -> tuple[Square, ...]:
    return tuple(parse_square(name) for name in names.split())


_HOMES: Final = {
    KING: _squares("d0 e0 f0 d1 e1 f1 d2 e2 f2"),
    ADVISOR: _squares("d0 f0 e1 d2 f2"),
    BISHOP: _squares("c0 g0 a2 e2 i2 c4 g4"),
    PAWN: tuple(SQUARES[45:]),
}
_SPARSE: Final = (ROOK, ROOK, CANNON, CANNON, KNIGHT, KNIGHT, PAWN, PAWN, ADVISOR, BISHOP)


def random_sparse(rng: Random) -> Board:
    """Legal position of two kings and a few other pieces on random squares."""
    while True:
        pieces: dict[Square, Piece] = {}
        for color in (RED, BLACK):
            for kind in (KING, *rng.sample(_SPARSE, rng.randrange(1, 7))):
                piece = Piece(kind, color)
                pieces[random_square(piece, rng)] = piece
        try:
            return Board(Setup.from_piece_map(pieces, rng.choice((RED, BLACK))))
        except PositionError:  # kings face, a king fell victim to another piece's square
            continue


def random_square(piece: Piece, rng: Random) -> Square:
    """Random square where this piece may be."""
    home = rng.choice(_HOMES.get(piece.piece_type, SQUARES))
    return home if piece.color == RED else square_flip(home)


# The rule book with changes


def altered(game: GameRecord, rng: Random) -> GameRecord | None:
    """The same moves with other pieces added or moved, and perhaps the sides exchanged.

    None if the moves are then impossible.
    """
    setup = parse_fen(game.fen)
    pieces = setup.piece_map()
    for _ in range(rng.randrange(4)):
        if rng.random() < 0.6:
            del pieces[rng.choice(list(pieces))]
        if rng.random() < 0.8:
            piece = Piece(rng.choice(_SPARSE), rng.choice((RED, BLACK)))
            pieces[random_square(piece, rng)] = piece
    try:
        start = Board(Setup.from_piece_map(pieces, setup.turn))
        board = GameRecord(start.fen(), game.moves).play()
    except (PositionError, RecordError):
        return None
    if board.repetitions() < WXF.occurrences:
        return None
    return record_of_board(board.flip_colors() if rng.random() < 0.5 else board)


def record_of_board(board: Board) -> GameRecord:
    """Record of the game played on a board."""
    return GameRecord(board.root_fen(), tuple(move.iccs() for move in board.move_stack))


# Going round


def repeat_on(board: Board, rng: Random) -> Board | None:
    """Continue from a board until its position has occurred three times; None if no way was
    found."""
    if rng.random() < 0.3:
        for _ in range(rng.randrange(1, 4)):
            quiets = board.list_moves("quiets")
            if not quiets:
                return None
            board.push(rng.choice(quiets))
    loop = find_loop(board, rng)
    if loop is None:
        return None
    again = find_loop(board, rng) if rng.random() < 0.2 else None
    for move in [*loop, *(again or loop)]:
        board.push(move)
    if again is None:  # the same ruling must follow wherever the loop is entered
        for move in loop[: max(0, rng.randrange(-len(loop), len(loop)))]:
            board.push(move)
    return board


@dataclass(frozen=True)
class Taste:
    """Preferences of one side in random play."""

    check: float
    attack: float
    safety: float

    @classmethod
    def random(cls, rng: Random) -> Taste:
        """Draw a random preference."""
        return rng.choice((cls(0, 0, 0), cls(9, 1, 0), cls(-9, 3, 1), cls(-9, 1, 3), cls(1, 1, 1)))


def find_loop(board: Board, rng: Random) -> list[Move] | None:
    """Find quiet legal moves that return to the position with the same side to move.

    The board is unchanged afterwards.
    """
    loop = _Loop(board.copy(), rng)
    return loop.moves if loop.search(rng.choice(_LENGTHS)) else None


class _Loop:
    """Depth-first search for a loop, with a node limit."""

    def __init__(self, board: Board, rng: Random) -> None:
        self.board = board
        self.rng = rng
        self.home = board.setup().board
        self.away = {RED: 0, BLACK: 0}  # home squares of a side without the piece they had
        self.taste = {RED: Taste.random(rng), BLACK: Taste.random(rng)}
        self.moves: list[Move] = []
        self.nodes = 0

    def search(self, left: int) -> bool:
        """Find ``left`` more moves, and leave them in ``self.moves``."""
        if left == 0:
            return True
        self.nodes += 1
        color = self.board.turn
        for move, step in self._candidates(color, (left - 1) // 2):
            if self.nodes > _MAX_NODES:
                return False
            self.board.push_unchecked(move)
            self.moves.append(move)
            self.away[color] += step
            if self.search(left - 1):
                return True
            self.away[color] -= step
            self.moves.pop()
            self.board.pop()
        return False

    def _candidates(self, color: Color, after: int) -> list[tuple[Move, int]]:
        """Some moves after which the side can return in ``after`` more, the preferred ones first,
        each with the number of its squares that still lack their piece."""
        found = [(move, self._step(move)) for move in self.board.list_moves("quiets")]
        found = [(move, step) for move, step in found if self.away[color] + step <= after]
        if len(found) > _MAX_TRIED:
            found = self.rng.sample(found, _MAX_TRIED)
        return sorted(found, key=lambda candidate: -self._appeal(candidate[0], color))

    def _step(self, move: Move) -> int:
        code = self.board.piece_code_at(move.from_square)
        return (self.home[move.from_square] == code) - (self.home[move.to_square] == code)

    def _appeal(self, move: Move, color: Color) -> float:
        """Preference of a side for a move, by its checks, attacks and hanging pieces."""
        taste = self.taste[color]
        score = self.rng.random()
        if taste == Taste(0, 0, 0):
            return score
        self.board.push_unchecked(move)
        score += taste.check * self.board.is_check()
        for square, code in [item for item in enumerate(self.board.setup().board) if item[1]]:
            owner = code > _KINDS
            if self.board.attackers(not owner, square):
                if owner == color:
                    score -= _WORTH[code & _KINDS] * taste.safety
                elif not self.board.attackers(owner, square):
                    score += _WORTH[code & _KINDS] * taste.attack
        self.board.pop()
        return score
