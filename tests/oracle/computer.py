"""The rules for program competitions, written from their text alone.

Their clauses on repetition, in our words:

1. A position is judged when it occurs for the third time, on all plies since it stood first.
2. A side all of whose moves there check, checks perpetually.  If one side does it loses; if both
   do it is a draw.
3. Otherwise, if any move of either side there checks, it is a draw.
4. A piece that is no king and no pawn on its own half is under attack if an enemy piece that is no
   king and no pawn could legally capture it next, and either horse or cannon hits a chariot, or
   advisor or elephant hits a chariot, horse or cannon, or nobody could legally recapture and it is
   not a piece of the same kind that could legally capture the attacker.
5. A move chases a piece that is under attack after it and was not before it.
6. A side each of whose moves chases one and the same piece chases perpetually.  If one side does it
   loses; otherwise it is a draw.
"""

from collections.abc import Sequence

from .game import (
    BLACK,
    RED,
    Board,
    Position,
    Square,
    apply,
    can_go,
    colour,
    enemy,
    is_check,
    kind,
    king_safe_after,
    moved,
    on_own_half,
    pieces_of,
    read_fen,
    read_move,
)

__all__ = ["judge_by_computer_rules"]

OCCURRENCES = 3


def can_capture(board: Board, origin: Square, target: Square) -> bool:
    """Whether this is a legal capture, if its side is to move."""
    return can_go(board, origin, target) and king_safe_after(board, origin, target)


def gains(board: Board, attacker: Square, victim: Square) -> bool:
    """Clause 4 for a capture that is legal."""
    hits, hit = kind(board[attacker]), kind(board[victim])
    if (hits in "NC" and hit == "R") or (hits in "AB" and hit in "RNC"):
        return True
    after = moved(board, attacker, victim)
    if any(can_capture(after, piece, victim) for piece in pieces_of(after, colour(board[victim]))):
        return False
    return not (hits == hit and can_capture(board, victim, attacker))


def under_attack(board: Board, victim: Square) -> bool:
    """Clause 4."""
    owner = colour(board[victim])
    if kind(board[victim]) == "K":
        return False
    if kind(board[victim]) == "P" and on_own_half(owner, victim):
        return False
    return any(
        kind(board[attacker]) not in "KP"
        and can_capture(board, attacker, victim)
        and gains(board, attacker, victim)
        for attacker in pieces_of(board, enemy(owner))
    )


def chased(before: Position, after: Position) -> set[Square]:
    """Clause 5: the squares of the pieces that the move between these positions chases."""
    return {
        square
        for square in pieces_of(after.board, after.side)
        if under_attack(after.board, square) and not under_attack(before.board, square)
    }


def victims_throughout(positions: Sequence[Position], moves: Sequence[str], side: str) -> set[str]:
    """Clause 6: the pieces that each of the side's moves chases.

    They are followed through their moves, and named by where they stood first.
    """
    names = {square: f"{square}" for square in positions[0].board}
    common = set(names.values())
    for before, after, move in zip(positions, positions[1:], moves, strict=False):
        origin, target = read_move(move)
        names[target] = names.pop(origin)
        if before.side == side:
            common &= {names[square] for square in chased(before, after)}
    return common


def judge_by_computer_rules(fen: str, moves: Sequence[str]) -> str:
    """The verdict on the last position of a game: "red_wins", "black_wins", "draw", or
    "undecided" where it has not stood three times.  The moves must be legal."""
    positions = [read_fen(fen)]
    for move in moves:
        positions.append(apply(positions[-1], move))
    stood = [ply for ply, position in enumerate(positions) if position == positions[-1]]
    if len(stood) < OCCURRENCES:
        return "undecided"
    first = stood[-OCCURRENCES]
    window, played = positions[first:], moves[first:]
    checks = {side: [is_check(p) for p in window[1:] if p.side != side] for side in (RED, BLACK)}
    offends = {side: all(checks[side]) for side in (RED, BLACK)}
    if not any(offends.values()) and not any(checks[RED] + checks[BLACK]):
        offends = {side: bool(victims_throughout(window, played, side)) for side in (RED, BLACK)}
    if offends[RED] == offends[BLACK]:
        return "draw"
    return "black_wins" if offends[RED] else "red_wins"
