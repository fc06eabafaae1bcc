"""The game without its rules of repetition: board, movement, check, legal moves.

Squares inside are pairs (file, rank), both from 0, a0 = (0, 0) at Red's left hand.  Pieces are the
letters of FEN, capitals for Red: K king, A advisor, B elephant, N horse, R chariot, C cannon,
P pawn.  Sides are the words "red" and "black".
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

Square = tuple[int, int]
Board = dict[Square, str]

RED = "red"
BLACK = "black"
ALL_SQUARES: list[Square] = [(file, rank) for rank in range(10) for file in range(9)]
OTHER_LETTERS = {"E": "B", "e": "b", "H": "N", "h": "n"}
SIDE_LETTERS = {"w": RED, "r": RED, "b": BLACK}


@dataclass(frozen=True)
class Position:
    """Pieces on their squares, and the side to move. Two positions are the same if both agree."""

    board: Board
    side: str


# Text


def read_square(text: str) -> Square:
    """(file, rank) of a square name such as "e0"."""
    if len(text) != 2 or text[0] not in "abcdefghi" or text[1] not in "0123456789":
        raise ValueError(f"no square: {text!r}, expected a-i and 0-9")
    return "abcdefghi".index(text[0]), int(text[1])


def write_square(square: Square) -> str:
    """The name of a square, such as "e0"."""
    return "abcdefghi"[square[0]] + str(square[1])


def read_move(text: str) -> tuple[Square, Square]:
    """Origin and target of a move such as "h2e2"."""
    if len(text) != 4:
        raise ValueError(f"no move: {text!r}, expected two squares as in h2e2")
    return read_square(text[:2]), read_square(text[2:])


def write_move(origin: Square, target: Square) -> str:
    """A move as text, such as "h2e2"."""
    return write_square(origin) + write_square(target)


def read_fen(fen: str) -> Position:
    """The position of a FEN: ten rows from Black's side down, then w, r or b for the side to move.

    E and H are taken for B and N.  Anything after the side to move is not looked at.
    """
    fields = fen.split()
    if len(fields) < 2 or fields[1] not in SIDE_LETTERS:
        raise ValueError(f"FEN {fen!r}: expected the placement and then w, r or b")
    rows = fields[0].split("/")
    if len(rows) != 10:
        raise ValueError(f"FEN {fen!r}: expected 10 rows, found {len(rows)}")
    board: Board = {}
    for rank, row in zip(range(9, -1, -1), rows, strict=True):
        file = 0
        for letter in row:
            if letter in "123456789":
                file += int(letter)
                continue
            piece = OTHER_LETTERS.get(letter, letter)
            if piece not in "KABNRCPkabnrcp":
                raise ValueError(f"FEN {fen!r}: no piece {letter!r}")
            board[file, rank] = piece
            file += 1
        if file != 9:
            raise ValueError(f"FEN {fen!r}: row {row!r} has {file} squares, expected 9")
    for king in "Kk":
        if list(board.values()).count(king) != 1:
            raise ValueError(f"FEN {fen!r}: expected one {king!r}")
    return Position(board, SIDE_LETTERS[fields[1]])


def identity(position: Position) -> str:
    """Identity of a position in a game: the placement and the side to move, as text."""
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(position.board.get((file, rank), "1") for file in range(9))
        for length in range(9, 1, -1):
            row = row.replace("1" * length, str(length))
        rows.append(row)
    return "/".join(rows) + (" w" if position.side == RED else " b")


def write_fen(position: Position) -> str:
    """The position as FEN.  The two counters are not kept, so they are written as 0 and 1."""
    return identity(position) + " - - 0 1"


# Small questions


def colour(piece: str) -> str:
    """The side that a piece belongs to."""
    return RED if piece.isupper() else BLACK


def kind(piece: str) -> str:
    """The kind of a piece, as a capital letter."""
    return piece.upper()


def enemy(side: str) -> str:
    """The other side."""
    return BLACK if side == RED else RED


def on_own_half(side: str, square: Square) -> bool:
    """Whether the square lies on this side of the river, as the side sees it."""
    return square[1] <= 4 if side == RED else square[1] >= 5


def in_palace(side: str, square: Square) -> bool:
    """Whether the square is one of the nine points of the side's palace."""
    file, rank = square
    return 3 <= file <= 5 and (rank <= 2 if side == RED else rank >= 7)


def between(one: Square, other: Square) -> list[Square]:
    """The squares strictly between two squares of one file or rank; none if they share no line."""
    (file1, rank1), (file2, rank2) = one, other
    if file1 == file2:
        return [(file1, rank) for rank in range(min(rank1, rank2) + 1, max(rank1, rank2))]
    if rank1 == rank2:
        return [(file, rank1) for file in range(min(file1, file2) + 1, max(file1, file2))]
    return []


def on_one_line(one: Square, other: Square) -> bool:
    """Whether two different squares share a file or a rank."""
    return one != other and (one[0] == other[0] or one[1] == other[1])


def pieces_between(board: Board, one: Square, other: Square) -> int:
    """Number of pieces strictly between two squares of one line."""
    return sum(square in board for square in between(one, other))


def pieces_of(board: Board, side: str) -> list[Square]:
    """The squares of all pieces of one side, a0 first and i9 last, rank by rank."""
    own = [square for square, piece in board.items() if colour(piece) == side]
    return sorted(own, key=lambda square: (square[1], square[0]))


# How the pieces move


def king_goes(board: Board, origin: Square, target: Square) -> bool:
    """The king goes one step along a line and stays in its palace."""
    step = abs(target[0] - origin[0]) + abs(target[1] - origin[1])
    return step == 1 and in_palace(colour(board[origin]), target)


def advisor_goes(board: Board, origin: Square, target: Square) -> bool:
    """The advisor goes one step diagonally and stays in its palace."""
    step = abs(target[0] - origin[0]), abs(target[1] - origin[1])
    return step == (1, 1) and in_palace(colour(board[origin]), target)


def elephant_goes(board: Board, origin: Square, target: Square) -> bool:
    """The elephant goes two steps diagonally over an empty eye and never crosses the river."""
    step = abs(target[0] - origin[0]), abs(target[1] - origin[1])
    if step != (2, 2) or not on_own_half(colour(board[origin]), target):
        return False
    eye = (origin[0] + target[0]) // 2, (origin[1] + target[1]) // 2
    return eye not in board


def horse_goes(board: Board, origin: Square, target: Square) -> bool:
    """The horse goes one step along a line, over an empty square, and on diagonally: 1 and 2."""
    step = abs(target[0] - origin[0]), abs(target[1] - origin[1])
    if step == (2, 1):
        return ((origin[0] + target[0]) // 2, origin[1]) not in board
    if step == (1, 2):
        return (origin[0], (origin[1] + target[1]) // 2) not in board
    return False


def chariot_goes(board: Board, origin: Square, target: Square) -> bool:
    """The chariot goes any distance along a line with nothing in between."""
    return on_one_line(origin, target) and pieces_between(board, origin, target) == 0


def cannon_goes(board: Board, origin: Square, target: Square) -> bool:
    """The cannon goes like a chariot, but it captures over exactly one piece of either side."""
    mounts = 1 if target in board else 0
    return on_one_line(origin, target) and pieces_between(board, origin, target) == mounts


def pawn_goes(board: Board, origin: Square, target: Square) -> bool:
    """The pawn goes one step ahead; once across the river also one step sideways, never back."""
    side = colour(board[origin])
    ahead = 1 if side == RED else -1
    step = target[0] - origin[0], target[1] - origin[1]
    sideways = step in ((1, 0), (-1, 0)) and not on_own_half(side, origin)
    return step == (0, ahead) or sideways


MOVEMENT: dict[str, Callable[[Board, Square, Square], bool]] = {
    "K": king_goes,
    "A": advisor_goes,
    "B": elephant_goes,
    "N": horse_goes,
    "R": chariot_goes,
    "C": cannon_goes,
    "P": pawn_goes,
}


def can_go(board: Board, origin: Square, target: Square) -> bool:
    """Whether the piece on `origin` may go to `target` as far as its movement is concerned.

    It may capture an enemy there but not a piece of its own.  The kings' safety does not matter.
    """
    piece = board[origin]
    if target in board and colour(board[target]) == colour(piece):
        return False
    return MOVEMENT[kind(piece)](board, origin, target)


def attackers(board: Board, target: Square, side: str) -> list[Square]:
    """The squares of the pieces of `side` that could go to `target` by their movement."""
    return [square for square in pieces_of(board, side) if can_go(board, square, target)]


# Check


def find_king(board: Board, side: str) -> Square:
    """Square of a side's king."""
    letter = "K" if side == RED else "k"
    return next(square for square, piece in board.items() if piece == letter)


def kings_face(board: Board) -> bool:
    """Whether the two kings stand on one file with nothing in between."""
    red, black = find_king(board, RED), find_king(board, BLACK)
    return red[0] == black[0] and pieces_between(board, red, black) == 0


def king_attackers(board: Board, side: str) -> list[Square]:
    """The enemy pieces that attack the king of `side`; on an open file the other king is one."""
    found = attackers(board, find_king(board, side), enemy(side))
    if kings_face(board):
        found.append(find_king(board, enemy(side)))
    return found


def checkers(position: Position, side: str) -> list[str]:
    """The squares of the enemy pieces that attack the king of `side`, by name and sorted."""
    return sorted(write_square(square) for square in king_attackers(position.board, side))


def is_attacked(position: Position, side: str) -> bool:
    """Whether the king of `side` is attacked, with either side to move."""
    return bool(king_attackers(position.board, side))


def is_check(position: Position) -> bool:
    """Whether the side to move is in check."""
    return is_attacked(position, position.side)


# Moves


def moved(board: Board, origin: Square, target: Square) -> Board:
    """The board after one piece has gone from `origin` to `target`, capturing what stood there."""
    after = dict(board)
    after[target] = after.pop(origin)
    return after


def king_safe_after(board: Board, origin: Square, target: Square) -> bool:
    """Whether the side that plays this move does not leave its own king attacked by it."""
    return not king_attackers(moved(board, origin, target), colour(board[origin]))


def apply(position: Position, move: str) -> Position:
    """The position after a move of the side to move; nothing but whose piece it is is checked."""
    origin, target = read_move(move)
    if origin not in position.board or colour(position.board[origin]) != position.side:
        raise ValueError(f"move {move!r}: no {position.side} piece on {move[:2]}")
    return Position(moved(position.board, origin, target), enemy(position.side))


@cache
def lines_of(square: Square) -> list[Square]:
    """The other squares of its file and rank, where a chariot or a cannon may go."""
    return [other for other in ALL_SQUARES if on_one_line(square, other)]


@cache
def around(square: Square) -> list[Square]:
    """The squares at most two files and two ranks away, where any other piece may go."""
    file, rank = square
    return [one for one in ALL_SQUARES if abs(one[0] - file) <= 2 and abs(one[1] - rank) <= 2]


def pseudo_legal_moves(position: Position) -> list[str]:
    """All moves of the side to move by the movement of the pieces alone, sorted."""
    board = position.board
    return sorted(
        write_move(origin, target)
        for origin in pieces_of(board, position.side)
        for target in (lines_of if kind(board[origin]) in "RC" else around)(origin)
        if can_go(board, origin, target)
    )


def legal_moves(position: Position) -> list[str]:
    """The pseudo-legal moves that leave the mover's king unattacked (also by the other king)."""
    return [
        move
        for move in pseudo_legal_moves(position)
        if king_safe_after(position.board, *read_move(move))
    ]


def is_legal(position: Position, move: str) -> bool:
    """Whether one move is legal: an own piece, its movement, and the king safe afterwards."""
    board = position.board
    origin, target = read_move(move)
    return (
        origin in board
        and colour(board[origin]) == position.side
        and can_go(board, origin, target)
        and king_safe_after(board, origin, target)
    )


def perft(position: Position, depth: int) -> int:
    """The number of ways to play `depth` plies."""
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(apply(position, move), depth - 1) for move in moves)
