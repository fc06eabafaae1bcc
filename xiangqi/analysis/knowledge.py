"""Facts about positions without a search: endgame tables, an opening book, repetition rules.

The referee rules once a position has occurred as often as the rule set requires. To warn the
players in time, it is also consulted at the second occurrence, as if the cycle continued.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from xiangqi.board import Board
from xiangqi.books import BookMove, open_book
from xiangqi.core.move import Move
from xiangqi.pieces import Color
from xiangqi.referee.judging import Referee
from xiangqi.referee.outcome import Outcome, Termination
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.referee.ruling import Ruling, Verdict
from xiangqi.tables import TableValue, probe
from xiangqi.tables.probing import Tablebase, find_rules

__all__ = [
    "BookMoves",
    "Demand",
    "DemandKind",
    "NamedOpening",
    "Played",
    "Returns",
    "Tables",
    "find_demands",
    "find_returns",
    "warning_rules",
]

_MAX_PIECES = 12
"""Maximum number of pieces in the tables, including generals."""


class Tables:
    """Endgame tables of a folder under a rule set; without a folder all values are unknown.

    Raises TableError for a damaged file.
    """

    def __init__(self, folder: Path | None, rules: RuleSet | str) -> None:
        self._folder = folder if folder is not None and folder.is_dir() else None
        self._rules = find_rule_set(rules)

    def value(self, board: Board) -> TableValue | None:
        """Value of a position for the side to move; None if unknown."""
        if self._folder is None or len(board.setup().piece_map()) > _MAX_PIECES:
            return None
        return probe(board, self._rules, self._folder)

    def keeping_moves(self, board: Board) -> list[Move]:
        """Moves that keep the value of a position; empty if it is unknown."""
        name = find_rules(self._rules)
        if self._folder is None or name is None:
            return []
        return _open_tables(self._folder).keeping_moves(board, name)


_open_tables = lru_cache(maxsize=2)(Tablebase)


@dataclass(frozen=True, slots=True)
class BookMoves:
    """Book moves of the position before a played move."""

    moves: tuple[BookMove, ...]
    """Book moves by decreasing weight; at least one."""
    played: BookMove | None
    """The played move; None if it is not in the book."""


class NamedOpening:
    """Follows a game through a book, for the opening's name. Raises BookError for a bad book."""

    def __init__(self, path: str) -> None:
        self._book = _open_book(path) if path else None
        self.name = ""
        """Name of the opening: the last book note on the moves of the game."""

    def follow(self, board: Board, move: Move) -> BookMoves | None:
        """Book moves of the position before a played move; None after the end of the book."""
        if self._book is None:
            return None
        moves = tuple(self._book.find(board))
        played = next((one for one in moves if one.move == move), None)
        if played is None:
            self._book = None
        elif played.note:
            self.name = played.note
        return BookMoves(moves, played) if moves else None


_open_book = lru_cache(maxsize=2)(open_book)


# Demands of the repetition rules


_FASTEST_RETURN: Final = 4
"""Minimum number of plies after which a position can repeat."""
BETTER: Final = 0.70
"""Minimum expected points of a side that should not accept a draw."""
WORSE: Final = 0.35
"""Maximum expected points of a side that prefers a draw."""


class DemandKind(Enum):
    """Demand of the repetition rules on a move, or a result by rule that it missed."""

    LOST = "lost"
    """The move loses the game by rule."""
    DECIDED = "decided"
    """The move draws or wins the game by rule."""
    MUST_CHANGE = "must_change"
    """The move repeats the position, and the mover has to change."""
    LET_STAND = "let_stand"
    """The move draws by repetition although the mover was better."""
    GAVE_WAY = "gave_way"
    """The move leaves a cycle that the opponent would have had to leave, and loses points."""
    DRAW_MISSED = "draw_missed"
    """Another move would have drawn by rule; the mover is worse."""
    WIN_MISSED = "win_missed"
    """Another move would have won by rule."""


@dataclass(frozen=True, slots=True)
class Demand:
    """Demand of the repetition rules on one move."""

    kind: DemandKind
    side: Color
    """The mover."""
    move: Move | None = None
    """The missed move, if the demand is about one."""
    ruling: Ruling | None = None
    """Ruling on the repetition."""


class Returns(NamedTuple):
    """Moves that repeat an earlier position, by the referee's ruling."""

    draws: tuple[Move, ...] = ()
    """Moves that draw the game."""
    wins: tuple[Move, ...] = ()
    """Moves after which the opponent loses by rule."""
    pressing: tuple[Move, ...] = ()
    """Moves that continue a cycle which the opponent has to leave."""


class Played(NamedTuple):
    """A played move with its effects."""

    board: Board
    """Board after the move."""
    outcome: Outcome | None
    """Outcome after the move; None if the game goes on."""
    before: float
    """Expected points of the mover before the move."""
    after: float
    """Expected points of the mover after the move."""
    is_best: bool


def find_returns(board: Board, rules: RuleSet | str) -> Returns:
    """Find the moves that repeat a position and rule on them; ``board`` is restored."""
    rules = find_rule_set(rules)
    if board.halfmove_clock < _FASTEST_RETURN - 1:
        return Returns()
    found: dict[str, list[Move]] = {"draws": [], "wins": [], "pressing": []}
    mover = board.turn
    for move in board.list_moves():
        board.push_unchecked(move)
        if board.repetitions() > 1:
            kind = _kind_of_return(board, mover, rules)
            if kind:
                found[kind].append(move)
        board.pop()
    return Returns(*(tuple(found[name]) for name in Returns._fields))


def _kind_of_return(board: Board, mover: Color, rules: RuleSet) -> str:
    is_ruled = board.repetitions() >= rules.occurrences
    verdict = Referee(rules if is_ruled else warning_rules(rules)).judge_cycle(board).verdict
    if is_ruled and verdict is Verdict.DRAW:
        return "draws"
    if verdict.loser == (not mover):
        return "wins" if is_ruled else "pressing"
    return ""


def warning_rules(rules: RuleSet | str) -> RuleSet:
    """Change a rule set to rule at the second occurrence of a position."""
    rules = find_rule_set(rules)
    return rules.replace({"occurrences": 2}) if rules.occurrences > 2 else rules


def find_demands(played: Played, returns: Returns, rules: RuleSet | str) -> list[Demand]:
    """Find the demands of the rules on a move; ``returns`` are of the position before it."""
    rules = find_rule_set(rules)
    board, outcome = played.board, played.outcome
    mover, move = not board.turn, board.peek()
    found = []
    is_ruled = outcome is not None and (
        outcome.termination.is_repetition or outcome.termination is Termination.BARRED_MOVE
    )
    if outcome is not None and is_ruled:
        ruling = board.judge(rules)
        if outcome.winner == (not mover):
            found.append(Demand(DemandKind.LOST, mover, ruling=ruling))
        elif outcome.winner is None and played.before >= BETTER and not played.is_best:
            found.append(Demand(DemandKind.LET_STAND, mover, ruling=ruling))
        else:
            found.append(Demand(DemandKind.DECIDED, mover, ruling=ruling))
    elif outcome is None and board.repetitions() > 1 and not rules.bars_moves:
        ruling = board.judge(warning_rules(rules))
        if ruling.verdict.loser == mover:
            found.append(Demand(DemandKind.MUST_CHANGE, mover, ruling=ruling))
    found += _find_missed(played, returns, mover, move)
    return found


def _find_missed(played: Played, returns: Returns, mover: Color, move: Move) -> list[Demand]:
    """Find a better result by rule that the move has missed."""
    if played.outcome is not None and played.outcome.winner == mover:
        return []
    if returns.wins and move not in returns.wins:
        return [Demand(DemandKind.WIN_MISSED, mover, returns.wins[0])]
    if returns.draws and move not in returns.draws and played.after <= WORSE:
        return [Demand(DemandKind.DRAW_MISSED, mover, returns.draws[0])]
    is_loss = played.before - played.after >= 0.05
    if returns.pressing and move not in returns.pressing and is_loss and not played.is_best:
        return [Demand(DemandKind.GAVE_WAY, mover, returns.pressing[0])]
    return []
