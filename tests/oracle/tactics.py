"""The board of a search: the moves needed again and again, from tables.

A mate by checks or a series of captures has thousands of positions, too many for a board that
tests every piece against every square.  Here a board is a text of 90 letters, a0 to i9, rank by
rank, with a dot for an empty square; squares are numbers 0 to 89.  It is as plain as `game`, with
which `tests/core/test_oracle_cxa.py` compares it, and a position can be a key of a dictionary.
"""

from functools import cache

from .game import ALL_SQUARES, BLACK, RED, Position, can_go, in_palace, on_own_half

Move = tuple[int, int]
EMPTY = "."


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


# Moves


def is_of(piece: str, side: str) -> bool:
    """Whether a letter is a piece of the side."""
    return piece.isupper() if side == RED else piece.islower()


def other(side: str) -> str:
    """The other side."""
    return BLACK if side == RED else RED


@cache
def moved(board: str, move: Move) -> str:
    """The board after a move."""
    origin, target = move
    piece = board[origin]
    board = board[:origin] + EMPTY + board[origin + 1 :]
    return board[:target] + piece + board[target + 1 :]


def slides(board: str, origin: int, piece: str) -> list[int]:
    """Targets of a chariot or a cannon, captures of both colours included."""
    found = []
    is_cannon = piece in "Cc"
    for ray in RAYS[origin]:
        mounted = False
        for square in ray:
            if board[square] == EMPTY:
                if not mounted:
                    found.append(square)
            elif mounted or not is_cannon:
                found.append(square)
                break
            else:
                mounted = True
    return found


def targets(board: str, origin: int) -> list[int]:
    """Targets of the piece on a square by its movement, without its own side's pieces."""
    piece = board[origin]
    if piece in "RCrc":
        found = slides(board, origin, piece)
    else:
        found = [
            target
            for target, hurdle in REACH[piece][origin]
            if hurdle < 0 or board[hurdle] == EMPTY
        ]
    red = piece.isupper()
    return [t for t in found if board[t] == EMPTY or board[t].isupper() != red]


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


@cache
def in_check(board: str, side: str) -> bool:
    """Whether the king of a side is attacked, also by the other king.

    The same as to ask for the attackers of its square, but by the texts of its rank and file, of
    which there are few: a search needs nothing else so often.
    """
    king = board.index("K" if side == RED else "k")
    rank, file = divmod(king, 9)
    chariot, cannon, horse, soldier, facing = "rcnpk" if side == RED else "RCNPK"
    riders = chariot, cannon, facing
    if _is_hit(board[9 * rank : 9 * rank + 9], file, riders):
        return True
    if _is_hit(board[file::9], rank, riders):
        return True
    for origin, _ in FROM[soldier][king]:
        if board[origin] == soldier:
            return True
    for origin, leg in FROM[horse][king]:  # noqa: SIM110 - a loop, as it is quicker
        if board[origin] == horse and board[leg] == EMPTY:
            return True
    return False


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
    """All moves of a side by the movement of its pieces."""
    return tuple(
        (origin, target)
        for origin, piece in enumerate(board)
        if piece != EMPTY and is_of(piece, side)
        for target in targets(board, origin)
        if board[target] not in "Kk"
    )


@cache
def legal_moves(board: str, side: str) -> tuple[Move, ...]:
    """All moves of a side that leave its king safe."""
    return tuple(
        move for move in pseudo_moves(board, side) if not in_check(moved(board, move), side)
    )


def captures(board: str, side: str) -> list[Move]:
    """The legal captures of a side."""
    return [
        move
        for move in pseudo_moves(board, side)
        if board[move[1]] != EMPTY and not in_check(moved(board, move), side)
    ]


@cache
def checks(board: str, side: str) -> tuple[Move, ...]:
    """The legal moves of a side that check."""
    return tuple(
        move
        for move in pseudo_moves(board, side)
        if in_check(moved(board, move), other(side)) and not in_check(moved(board, move), side)
    )


def is_mated(board: str, side: str) -> bool:
    """Whether a side in check has no legal move."""
    return in_check(board, side) and not legal_moves(board, side)
