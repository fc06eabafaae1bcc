"""24.3, gain: what a side wins from its next move on by captures, checks and exchanges.

The side that moves next plays captures and checks and stops when it has enough; the other side
captures, checks in between, answers checks in any way, and stops when nothing is lost.  Each
question is whether a goal is reached, and the answer is a line that proves it: the moves of the
side are the first that do, those of the other side hold out longest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .cxa_choices import COUNTER_CHECKS, GAIN_CHECKS, GAIN_PLIES, RETURN_CHECKS
from .cxa_kill import mates_within, mutual_captures
from .cxa_material import (
    NOTHING,
    Net,
    is_even,
    is_gain,
    minus,
    pays_on_its_square,
    plus,
    worth,
)
from .tactics import (
    EMPTY,
    Move,
    attackers,
    captures,
    checks,
    in_check,
    is_of,
    legal_moves,
    moved,
    other,
    pseudo_moves,
)

Line = tuple[Move, ...]
Moves = frozenset[Move]
NO_MOVES: Moves = frozenset()
GOALS: dict[str, Callable[[Net], bool]] = {"gain": is_gain, "even": is_even}


class Terms(NamedTuple):
    """What a search is about: the goal; the exchanges offered, which the side does not begin; the
    other side's captures that stood before and are no loss; whether a soldier's own captures
    count."""

    goal: str
    offers: Moves = NO_MOVES
    no_loss: Moves = NO_MOVES
    soldiers: bool = False


class Left(NamedTuple):
    """How much may still be played: plies, checks without a capture by either side."""

    plies: int = GAIN_PLIES
    checks: int = GAIN_CHECKS
    counter_checks: int = COUNTER_CHECKS


@dataclass(frozen=True)
class Threat:
    """One way to win something: the line, its victims, and what it comes to: "gain", "even", or
    "loss", which only counts in 1999."""

    line: Line
    level: str
    victims: frozenset[int]
    single: bool

    @property
    def attacker(self) -> int:
        """Where the piece stands that begins."""
        return self.line[0][0]


# King and soldier


def legal_recaptures(board: str, move: Move, side: str) -> list[int]:
    """The pieces that may take back after a capture by `side`, roots true and hidden."""
    after = moved(board, move)
    return [
        origin
        for origin in attackers(after, move[1], other(side))
        if not in_check(moved(after, (origin, move[1])), other(side))
    ]


def unveils_check(board: str, move: Move, side: str) -> bool:
    """26.8: whether the move lets another piece check."""
    after = moved(board, move)
    king = after.index("k" if is_of("P", side) else "K")
    return in_check(after, other(side)) and attackers(after, king, side) != (move[1],)


def is_own_capture(board: str, move: Move, side: str, last: int) -> bool:
    """26.1: king and soldier may attack for ever, so what one of them wins alone is no gain.

    It wins alone what has no root, and a chariot.  Taking back on the square `last` of the
    opponent's move is something else, and so is unveiling a check (26.8).
    """
    if board[move[0]] not in "KkPp" or move[1] == last or unveils_check(board, move, side):
        return False
    return board[move[1]] in "Rr" or not legal_recaptures(board, move, side)


def captured(board: str, move: Move, side: str, last: int, terms: Terms) -> Net:
    """What a move of the side wins."""
    if board[move[1]] == EMPTY:
        return NOTHING
    if not terms.soldiers and is_own_capture(board, move, side, last):
        return NOTHING
    return worth(board, move[1])


# The search


@cache
def attack(board: str, side: str, net: Net, terms: Terms, left: Left, last: int) -> Line | None:
    """A line by which `side`, to move, reaches the goal; None if there is none."""
    if in_check(board, side):
        moves = list(legal_moves(board, side))
    else:
        if GOALS[terms.goal](net):
            return ()
        if left.plies <= 0:
            return None
        moves = sorted(captures(board, side), key=lambda m: worth(board, m[1]), reverse=True)
        moves += quiet_checks(board, side) if left.checks > 0 else []
    for move in moves:
        if move in terms.offers:
            continue
        won = plus(net, captured(board, move, side, last, terms))
        line = resist(moved(board, move), side, won, terms, spent(left, board, move), move[1])
        if line is not None:
            return (move, *line)
    return None


@cache
def resist(board: str, side: str, net: Net, terms: Terms, left: Left, last: int) -> Line | None:
    """How `side` still reaches the goal against the longest resistance; None if it does not."""
    defender = other(side)
    is_forced = in_check(board, defender)
    if not is_forced and not GOALS[terms.goal](net):
        return None
    if not is_forced and mates_within(board, defender, RETURN_CHECKS):
        return None
    longest: Line = ()
    for move in replies(board, defender, left):
        quiet = board[move[1]] == EMPTY and not is_forced
        after = Left(left.plies - 1, left.checks, left.counter_checks - quiet)
        own = move in terms.no_loss and move[1] != last
        lost = net if own else minus(net, worth(board, move[1]))
        line = attack(moved(board, move), side, lost, terms, after, move[1])
        if line is None:
            return None
        if len(line) + 1 > len(longest):
            longest = (move, *line)
    return longest


def spent(left: Left, board: str, move: Move) -> Left:
    """What is left after a move of the side."""
    return Left(left.plies - 1, left.checks - (board[move[1]] == EMPTY), left.counter_checks)


def quiet_checks(board: str, side: str) -> list[Move]:
    """The checks that capture nothing."""
    return [move for move in checks(board, side) if board[move[1]] == EMPTY]


def replies(board: str, defender: str, left: Left) -> list[Move]:
    """24.3: what the defender may play: in check anything, else captures and some checks."""
    if in_check(board, defender):
        return list(legal_moves(board, defender))
    counter = quiet_checks(board, defender) if left.counter_checks > 0 else []
    return captures(board, defender) + counter


# Exchanges


@cache
def offered_exchanges(board: str, side: str) -> Moves:
    """24.4: captures of an equal piece that may take first and loses nothing by that."""
    return frozenset(
        (attacker, victim)
        for attacker, victim in mutual_captures(board, side)
        if attack(
            moved(board, (victim, attacker)),
            side,
            minus(NOTHING, worth(board, attacker)),
            Terms("gain"),
            Left(checks=2, counter_checks=1),
            attacker,
        )
        is None
    )


@cache
def standing_captures(board: str, side: str) -> Moves:
    """26.5, "each takes his own": what the opponent could take already, at a profit."""
    if in_check(board, side):
        return NO_MOVES
    opponent = other(side)
    return frozenset(
        move for move in captures(board, opponent) if pays_on_its_square(board, move, opponent)
    )


def unrelated_captures(board: str, move: Move, side: str) -> Moves:
    """Those of the standing captures that neither the capture nor its helpers have to do with."""
    helpers = {*attackers(moved(board, move), move[1], side), *move}
    return frozenset(own for own in standing_captures(board, side) if own[1] not in helpers)


# Threats


def first_moves(board: str, side: str) -> list[Move]:
    """What a threat may begin with: captures and checks.

    In check a threat is taken for there if only the check forbids it (26.1.4: a reply to a check
    counts for what it newly makes).
    """
    if in_check(board, side):
        legal = legal_moves(board, side)
        return [
            move
            for move in pseudo_moves(board, side)
            if board[move[1]] != EMPTY and (board[move[0]] not in "Kk" or move in legal)
        ]
    return list(dict.fromkeys([*captures(board, side), *checks(board, side)]))


def prove(board: str, move: Move, side: str, terms: Terms) -> Line | None:
    """The line that begins with a move and reaches the goal, or None."""
    won = captured(board, move, side, -1, terms)
    after = moved(board, move)
    line = resist(after, side, won, terms, spent(Left(), board, move), move[1])
    return None if line is None else (move, *line)


@cache
def find_threats(
    board: str, side: str, weighed: str, soldiers: bool, roots: str
) -> tuple[Threat, ...]:
    """24.3: all that `side`, moving next, wins something with.

    `weighed` is "all" or "related": whether the opponent's own captures that stood already count
    against it.  Under roots "always" (1999) what pays on its square is a threat whatever else is
    lost, unless the opponent mates.
    """
    offers = offered_exchanges(board, side)
    found = []
    for move in first_moves(board, side):
        if move in offers:
            continue
        own = unrelated_captures(board, move, side) if weighed == "related" else NO_MOVES
        terms = Terms("gain", offers, own, soldiers)
        if is_soldiers_loss(board, move, side):
            continue
        pays = pays_on_its_square(board, move, side)
        pays = pays and captured(board, move, side, -1, terms) != NOTHING
        line, level = prove(board, move, side, terms), "gain"
        if line is None and pays:
            line, level = prove(board, move, side, terms._replace(goal="even")), "even"
        if line is None and pays and roots == "always":
            mated = mates_within(moved(board, move), other(side), RETURN_CHECKS)
            line, level = (None if mated else (move,)), "loss"
        if line is not None:
            found.append(threat_of(board, line, level, side, terms))
    return tuple(found)


def is_soldiers_loss(board: str, move: Move, side: str) -> bool:
    """26.1, 26.7: a capture by king or soldier without check must pay where it is made."""
    return (
        board[move[0]] in "KkPp"
        and board[move[1]] != EMPTY
        and not in_check(moved(board, move), other(side))
        and not pays_on_its_square(board, move, side)
    )


def threat_of(board: str, line: Line, level: str, side: str, terms: Terms) -> Threat:
    """A proven line, with its victims: the piece captured first, or all that checks win.

    Material won through checks is won by one piece if no other moves in the line.
    """
    if captured(board, line[0], side, -1, terms) != NOTHING:
        single = is_won_by_one(board, line, side)
        return Threat(line, level, frozenset([line[0][1]]), single)
    victims, movers = pieces_in_line(board, line)
    return Threat(line, level, victims, len(movers) == 1)


def is_won_by_one(board: str, line: Line, side: str) -> bool:
    """24.17, 26.9: whether one piece alone wins something in a line.

    It captures, not to take back, what has no root even in form, or is worth more than itself;
    and with that the side has gained.  A root that only another piece makes false (figure 11)
    takes that piece to win, so that the attack is joint.
    """
    net, last = NOTHING, -1
    for ply, move in enumerate(line):
        if ply % 2 == 0 and board[move[1]] != EMPTY:
            net = plus(net, worth(board, move[1]))
            if move[1] != last and is_gain(net) and wins_alone(board, move, side):
                return True
        elif ply % 2 == 1:
            net = minus(net, worth(board, move[1]))
        board, last = moved(board, move), move[1]
    return False


def wins_alone(board: str, move: Move, side: str) -> bool:
    """Whether a capture needs no helper."""
    has_root = bool(attackers(moved(board, move), move[1], other(side)))
    return not has_root or is_gain(minus(worth(board, move[1]), worth(board, move[0])))


def pieces_in_line(board: str, line: Line) -> tuple[frozenset[int], frozenset[int]]:
    """Whom a line captures and who of its side moves in it, by their squares before it."""
    origin_of = {square: square for square in range(90) if board[square] != EMPTY}
    victims, movers = set(), set()
    for ply, (origin, target) in enumerate(line):
        mover, victim = origin_of.pop(origin), origin_of.get(target)
        if ply % 2 == 0:
            movers.add(mover)
            victims |= set() if victim is None else {victim}
        origin_of[target] = mover
    return frozenset(victims), frozenset(movers)
