"""Random games that end in a repetition, for comparing rule sets or referees.

Games have two sources. One is a position of random play or a sparse random setup (few pieces, so
that more of them interact), followed by the same loop twice or by two different loops, so that the
position occurs three times. A loop is found by a depth-first search over quiet moves; its pieces
return to their squares in any way: to and fro, in a triangle, alternating, or exchanging places
with an equal piece. Each side has a random preference (attack, safety, none), as uniformly random
moves hardly ever chase. The other source is the WXF rule book: a case with pieces added, removed or
moved, if its moves are still possible. It yields chases of all kinds, and near misses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from xiangqi.board import Board
from xiangqi.casebook.cases import load_cases
from xiangqi.core.move import Move
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import PositionError, RecordError
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
    "alter_game",
    "random_games",
    "random_playout",
    "random_sparse",
    "random_square",
    "record_of_board",
]

_LOOP_LENGTHS: Final = (4, 4, 4, 4, 4, 4, 6, 6, 8, 10)
_KIND_MASK: Final = 7  # a piece code is the piece type, plus 8 for Red
_MAX_NODES: Final = 60
_MAX_BRANCHES: Final = 12
_VALUES: Final = (0, 0, 1, 1, 2, 3, 2, 1)  # by piece type: none, K A B N R C P

# Two black chariots exchange squares in each round, and every red move chases the one on e5 or g5.
# By position it is always the same piece; by physical identity each of the two is chased during
# one round.
TWINS: Final = GameRecord(
    "3k2C2/6r2/9/9/C3r3N/9/1R7/9/9/5K3 w - - 0 1",
    tuple("i5g6 e5g5 g6i5 g8e8 b3b5 e8e5 b5b3 g5g8".split()) * 2,
)


def random_games(seed: int | str, patience: int = 16) -> Iterator[GameRecord]:
    """Yield games endlessly, the same ones for the same seed.

    From each position up to ``patience`` loops are tried until one is not idle on both sides;
    otherwise the last one is used.
    """
    rng = Random(seed)
    cases = [TWINS, *(case.record(rounds=WXF.occurrences - 1) for case in load_cases())]
    while True:
        if rng.random() < 0.5:
            game = alter_game(rng.choice(cases), rng)
        else:
            start = random_playout(rng) if rng.random() < 0.4 else random_sparse(rng)
            game = play_repetition(start, rng, rng.randrange(patience) + 1)
        if game is not None:
            yield game


def play_repetition(start: Board, rng: Random, patience: int) -> GameRecord | None:
    """Play a game that ends in a repetition from a position; None if no loop was found."""
    game = None
    for _ in range(patience):
        board = append_loops(start.copy(), rng)
        if board is None:
            continue
        game = record_of_board(board)
        if any(board.judge_cycle(WXF.switches)[1:]):
            break
    return game


# Starting positions


def random_playout(rng: Random) -> Board:
    """Position after random play, sometimes with a preference for captures."""
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


_ZONES: Final = {
    KING: _squares("d0 e0 f0 d1 e1 f1 d2 e2 f2"),
    ADVISOR: _squares("d0 f0 e1 d2 f2"),
    BISHOP: _squares("c0 g0 a2 e2 i2 c4 g4"),
    PAWN: tuple(SQUARES[45:]),
}
_SPARSE: Final = (ROOK, ROOK, CANNON, CANNON, KNIGHT, KNIGHT, PAWN, PAWN, ADVISOR, BISHOP)


def random_sparse(rng: Random) -> Board:
    """Possible position of two kings and one to six other pieces of each side on random squares."""
    while True:
        pieces: dict[Square, Piece] = {}
        for color in (RED, BLACK):
            for kind in (KING, *rng.sample(_SPARSE, rng.randrange(1, 7))):
                piece = Piece(kind, color)
                pieces[random_square(piece, rng)] = piece
        try:
            return Board(Setup.from_piece_map(pieces, rng.choice((RED, BLACK))))
        except PositionError:  # kings face each other, or another piece replaced a king
            continue


def random_square(piece: Piece, rng: Random) -> Square:
    """Random square that this piece can reach; beyond the river for a soldier."""
    found = rng.choice(_ZONES.get(piece.piece_type, SQUARES))
    return found if piece.color == RED else square_flip(found)


# Altered games


def alter_game(game: GameRecord, rng: Random) -> GameRecord | None:
    """Same moves with pieces added, removed or moved, and perhaps the colours exchanged.

    None if the moves are then impossible or the position is not repeated.
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
    return GameRecord(board.root_fen(), tuple(move.iccs() for move in board.move_stack))


# Loops


def append_loops(board: Board, rng: Random) -> Board | None:
    """Play random quiet moves, then loops until the position has occurred three times; None if no
    loop was found."""
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
    if again is None:  # the ruling must not depend on where the loop is entered
        for move in loop[: max(0, rng.randrange(-len(loop), len(loop)))]:
            board.push(move)
    return board


@dataclass(frozen=True)
class Preference:
    """Preference of one side in random play, as weights."""

    check: float
    attack: float
    safety: float

    @classmethod
    def random(cls, rng: Random) -> Preference:
        return rng.choice((cls(0, 0, 0), cls(9, 1, 0), cls(-9, 3, 1), cls(-9, 1, 3), cls(1, 1, 1)))


def find_loop(board: Board, rng: Random) -> list[Move] | None:
    """Find quiet legal moves that return to the position with the same side to move; None if none
    were found.
    """
    loop = _Loop(board.copy(), rng)
    return loop.moves if loop.search(rng.choice(_LOOP_LENGTHS)) else None


class _Loop:
    """Depth-first search for a loop, within a node limit."""

    def __init__(self, board: Board, rng: Random) -> None:
        self.board = board
        self.rng = rng
        self.start = board.cells()
        self.missing = {RED: 0, BLACK: 0}  # starting squares that lack their piece, by side
        self.preferences = {RED: Preference.random(rng), BLACK: Preference.random(rng)}
        self.moves: list[Move] = []
        self.nodes = 0

    def search(self, left: int) -> bool:
        """Complete the loop by ``left`` more moves, appended to ``moves``; False if impossible."""
        if left == 0:
            return True
        self.nodes += 1
        color = self.board.turn
        for move, step in self._candidates(color, (left - 1) // 2):
            if self.nodes > _MAX_NODES:
                return False
            self.board.push_unchecked(move)
            self.moves.append(move)
            self.missing[color] += step
            if self.search(left - 1):
                return True
            self.missing[color] -= step
            self.moves.pop()
            self.board.pop()
        return False

    def _candidates(self, color: Color, after: int) -> list[tuple[Move, int]]:
        """Moves after which the side can return in ``after`` more, preferred ones first, each with
        its change of the number of missing pieces."""
        found = []
        for move in self.board.list_moves("quiets"):
            code = self.board.piece_code_at(move.from_square)
            step = (self.start[move.from_square] == code) - (self.start[move.to_square] == code)
            if self.missing[color] + step <= after:
                found.append((move, step))
        if len(found) > _MAX_BRANCHES:
            found = self.rng.sample(found, _MAX_BRANCHES)
        return sorted(found, key=lambda candidate: -self._score(candidate[0], color))

    def _score(self, move: Move, color: Color) -> float:
        """Score of a move by a side's preference for checks, hanging enemies and safe pieces."""
        preference = self.preferences[color]
        score = self.rng.random()
        if preference == Preference(0, 0, 0):
            return score
        self.board.push_unchecked(move)
        score += preference.check * self.board.is_check()
        for square, code in [item for item in enumerate(self.board.cells()) if item[1]]:
            owner = code > _KIND_MASK
            if self.board.attackers(not owner, square):
                if owner == color:
                    score -= _VALUES[code & _KIND_MASK] * preference.safety
                elif not self.board.attackers(owner, square):
                    score += _VALUES[code & _KIND_MASK] * preference.attack
        self.board.pop()
        return score
