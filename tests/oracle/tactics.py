"""The board of a search: the moves needed again and again, from tables.

A mate by checks or a series of captures has thousands of positions, too many for a board that
tests every piece against every square.  Here a board is a text of 90 letters, a0 to i9, rank by
rank, with a dot for an empty square; squares are numbers 0 to 89.  It is as plain as `game`, with
which `tests/core/test_oracle_cxa.py` compares it, and a position can be a key of a dictionary.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from .game import ALL_SQUARES, BLACK, RED, Position, can_go, in_palace, on_own_half

Move = tuple[int, int]
EMPTY = "."
KING_SQUARES = [file + 9 * rank for rank in (0, 1, 2, 7, 8, 9) for file in (3, 4, 5)]


def number(square: tuple[int, int]) -> int:
    """The number of a square: 0 is a0, 8 is i0, 89 is i9."""
    return square[0] + 9 * square[1]


def letters_of(position: Position) -> str:
    """The board of a position as a text of 90 letters."""
    return "".join(position.board.get(square, EMPTY) for square in ALL_SQUARES)


def move_number(move: str) -> Move:
    """Origin and target of a move such as "h2e2"."""
    origin, target = move[:2], move[2:]
    return square_number(origin), square_number(target)


def square_number(name: str) -> int:
    """The number of a square by its name."""
    return "abcdefghi".index(name[0]) + 9 * int(name[1])


def square_text(square: int) -> str:
    """The name of a square by its number."""
    return "abcdefghi"[square % 9] + str(square // 9)


def move_text(move: Move) -> str:
    """A move as text."""
    return square_text(move[0]) + square_text(move[1])


# Tables


def _ray(square: tuple[int, int], step: tuple[int, int]) -> tuple[int, ...]:
    """The squares from one square to the edge, the nearest first."""
    found = []
    file, rank = square[0] + step[0], square[1] + step[1]
    while 0 <= file <= 8 and 0 <= rank <= 9:
        found.append(file + 9 * rank)
        file, rank = file + step[0], rank + step[1]
    return tuple(found)


STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
RAYS = [tuple(_ray(square, step) for step in STEPS) for square in ALL_SQUARES]


def _reach(piece: str, square: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """(target, square that must be empty) of a piece's steps on an empty board.

    Where nothing can stand in the way, the square that must be empty is the origin itself, which
    is not looked at.
    """
    board = {square: piece}
    found = []
    for target in ALL_SQUARES:
        if target != square and can_go(board, square, target):
            found.append((number(target), _hurdle(piece, square, target)))
    return tuple(found)


def _hurdle(piece: str, origin: tuple[int, int], target: tuple[int, int]) -> int:
    """The leg of a horse, the eye of an elephant; -1 for all others."""
    files, ranks = target[0] - origin[0], target[1] - origin[1]
    if piece in "Bb":
        return number((origin[0] + files // 2, origin[1] + ranks // 2))
    if piece in "Nn":
        whole = (files // 2, 0) if abs(files) == 2 else (0, ranks // 2)
        return number((origin[0] + whole[0], origin[1] + whole[1]))
    return -1


def _may_stand(piece: str, square: tuple[int, int]) -> bool:
    """Whether a piece of the palace or of its own half may be on a square at all."""
    side = RED if piece.isupper() else BLACK
    if piece in "KAka":
        return in_palace(side, square)
    return piece not in "Bb" or on_own_half(side, square)


REACH = {
    piece: [_reach(piece, square) if _may_stand(piece, square) else () for square in ALL_SQUARES]
    for piece in "KABNPkabnp"
}


def _reached_from(piece: str) -> list[list[tuple[int, int]]]:
    """For each target (origin, square that must be empty) of a stepping piece."""
    table: list[list[tuple[int, int]]] = [[] for _ in ALL_SQUARES]
    for origin, steps in enumerate(REACH[piece]):
        for target, hurdle in steps:
            table[target].append((origin, hurdle))
    return table


FROM = {piece: _reached_from(piece) for piece in REACH}


class Letters(NamedTuple):
    """A king, and what attacks it: chariot, cannon and other king as riders, horse and soldier."""

    king: str
    riders: tuple[str, str, str]
    horse: str
    soldier: str


ATTACKERS = {
    RED: Letters("K", ("r", "c", "k"), "n", "p"),
    BLACK: Letters("k", ("R", "C", "K"), "N", "P"),
}


PIECES_AT = {
    piece: {
        king: itemgetter(*(origin for origin, _ in FROM[piece][king]))
        for king in KING_SQUARES
        if FROM[piece][king]
    }
    for piece in "NPnp"
}
"""For each square of a king the letters on the squares from which such a piece may hit it."""


LINES = {
    piece: [
        frozenset().union(*RAYS[square])
        if piece in "RCrc"
        else frozenset(target for target, _ in REACH[piece][square])
        for square in range(90)
    ]
    for piece in "KABNRCPkabnrcp"
}
"""For each piece and square the squares that it may hit from there on some board."""


OF_LINES = ("_is_hit", "_slides_on", "_watched_on")
"""Answers kept by the text of a line."""


# Moves


PIECES = {RED: frozenset("KABNRCP"), BLACK: frozenset("kabnrcp")}


def is_of(piece: str, side: str) -> bool:
    """Whether a letter is a piece of the side."""
    return piece in PIECES[side]


def other(side: str) -> str:
    """The other side."""
    return BLACK if side == RED else RED


def moved(board: str, move: Move) -> str:
    """The board after a move."""
    origin, target = move
    low, high = (origin, target) if origin < target else (target, origin)
    first, last = (EMPTY, board[origin]) if origin == low else (board[origin], EMPTY)
    return board[:low] + first + board[low + 1 : high] + last + board[high + 1 :]


@cache
def _slides_on(line: str, index: int, is_cannon: bool) -> tuple[int, ...]:
    """Places of a line that a chariot or cannon on one of them goes to, whatever is taken."""
    found = []
    for way in (range(index + 1, len(line)), range(index - 1, -1, -1)):
        pieces = [place for place in way if line[place] != EMPTY]
        free = way[: way.index(pieces[0])] if pieces else way
        found += [*free, *(pieces[1:2] if is_cannon else pieces[:1])]
    return tuple(found)


def targets(board: str, origin: int) -> list[int]:
    """Squares that the piece on one reaches by its movement, pieces of both sides on them."""
    piece = board[origin]
    if piece not in "RCrc":
        steps = REACH[piece][origin]
        return [target for target, hurdle in steps if hurdle < 0 or board[hurdle] == EMPTY]
    rank, file = divmod(origin, 9)
    is_cannon = piece in "Cc"
    along_rank = _slides_on(board[9 * rank : 9 * rank + 9], file, is_cannon)
    along_file = _slides_on(board[file::9], rank, is_cannon)
    return [9 * rank + place for place in along_rank] + [file + 9 * place for place in along_file]


@cache
def attackers(board: str, square: int, side: str) -> tuple[int, ...]:
    """The pieces of a side that could go to the square by their movement."""
    red = side == RED
    found = []
    for ray in RAYS[square]:
        mounted = False
        for origin in ray:
            piece = board[origin]
            if piece == EMPTY:
                continue
            wanted = ("C" if red else "c") if mounted else ("R" if red else "r")
            if piece == wanted:
                found.append(origin)
            if mounted:
                break
            mounted = True
    for piece in "KABNP" if red else "kabnp":
        for origin, hurdle in FROM[piece][square]:
            if board[origin] == piece and (hurdle < 0 or board[hurdle] == EMPTY):
                found.append(origin)
    return tuple(found)


def kings_face(board: str) -> bool:
    """Whether the kings stand on one file with nothing in between."""
    red, black = board.index("K"), board.index("k")
    return red % 9 == black % 9 and all(
        board[square] == EMPTY for square in range(red + 9, black, 9)
    )


def in_check(board: str, side: str) -> bool:
    """Whether the king of a side is attacked, also by the other king.

    The same as to ask for the attackers of its square, but by the texts of its rank and file, of
    which there are few: a search needs nothing else so often.
    """
    letters = ATTACKERS[side]
    king = board.index(letters.king)
    rank, file = divmod(king, 9)
    if _is_hit(board[9 * rank : 9 * rank + 9], file, letters.riders):
        return True
    if _is_hit(board[file::9], rank, letters.riders):
        return True
    if letters.soldier in PIECES_AT[letters.soldier][king](board):
        return True
    horse = letters.horse
    return horse in PIECES_AT[horse][king](board) and any(
        board[origin] == horse and board[leg] == EMPTY for origin, leg in FROM[horse][king]
    )


@cache
def _is_hit(line: str, index: int, riders: tuple[str, str, str]) -> bool:
    """Whether a chariot, a cannon over one piece, or the other king hits a square of a line."""
    chariot, cannon, facing = riders
    for way in (line[index + 1 :], line[:index][::-1]):
        pieces = way.replace(EMPTY, "")
        if pieces[:1] in (chariot, facing) or pieces[1:2] == cannon:
            return True
    return False


@cache
def pseudo_moves(board: str, side: str) -> tuple[Move, ...]:
    """All moves of a side by the movement of its pieces; nobody takes a king."""
    own = PIECES[side]
    closed = own | {"K", "k"}
    return tuple(
        [
            (origin, target)
            for origin, piece in enumerate(board)
            if piece in own
            for target in targets(board, origin)
            if board[target] not in closed
        ]
    )


@cache
def watched(board: str, side: str) -> frozenset[int]:
    """The squares where a piece that comes or goes may open or close an attack on a side's king.

    A move that touches none of them and is not the king's, nor brings an attacker near, leaves the
    king attacked or safe as it was.
    """
    letters = ATTACKERS[side]
    king = board.index(letters.king)
    rank, file = divmod(king, 9)
    riders, horse, soldier = letters.riders, letters.horse, letters.soldier
    found = [9 * rank + at for at in _watched_on(board[9 * rank : 9 * rank + 9], file, riders)]
    found += [file + 9 * at for at in _watched_on(board[file::9], rank, riders)]
    if horse in PIECES_AT[horse][king](board):
        found += [one for pair in FROM[horse][king] if board[pair[0]] == horse for one in pair]
    found += [origin for origin, _ in FROM[soldier][king] if board[origin] == soldier]
    return frozenset(found)


@cache
def _watched_on(line: str, index: int, riders: tuple[str, str, str]) -> tuple[int, ...]:
    """Places of a line between a king and a chariot, a cannon or the other king, and theirs.

    A chariot or king behind two pieces, and a cannon behind three, is out of one move's reach.
    """
    chariot, cannon, facing = riders
    found: list[int] = []
    for way in (range(index + 1, len(line)), range(index - 1, -1, -1)):
        pieces = [place for place in way if line[place] != EMPTY]
        reach = [place for place in pieces[:2] if line[place] in (chariot, facing)]
        reach += [place for place in pieces[:3] if line[place] == cannon]
        if reach:
            found += range(min(index + 1, *reach), max(index, *[one + 1 for one in reach]))
    return tuple(found)


def _safe(board: str, moves: Iterable[Move], side: str) -> Iterator[Move]:
    """Those of some moves of a side that leave its own king safe."""
    king = board.index("K" if side == RED else "k")
    was, watch = in_check(board, side), watched(board, side)
    for move in moves:
        origin, target = move
        is_touched = origin == king or origin in watch or target in watch
        if not (in_check(moved(board, move), side) if is_touched else was):
            yield move


@cache
def legal_moves(board: str, side: str) -> tuple[Move, ...]:
    """All moves of a side that leave its king safe."""
    return tuple(_safe(board, pseudo_moves(board, side), side))


@cache
def captures(board: str, side: str) -> tuple[Move, ...]:
    """The legal captures of a side."""
    found = [move for move in pseudo_moves(board, side) if board[move[1]] != EMPTY]
    return tuple(_safe(board, found, side))


@cache
def checks(board: str, side: str) -> tuple[Move, ...]:
    """The legal moves of a side that check."""
    opponent = other(side)
    king = board.index("k" if side == RED else "K")
    was, watch = in_check(board, opponent), watched(board, opponent)
    found = []
    for move in pseudo_moves(board, side):
        origin, target = move
        is_touched = origin in watch or target in watch or king in LINES[board[origin]][target]
        if in_check(moved(board, move), opponent) if is_touched else was:
            found.append(move)
    return tuple(_safe(board, found, side))


def is_mated(board: str, side: str) -> bool:
    """Whether a side in check has no legal move."""
    return in_check(board, side) and not legal_moves(board, side)
