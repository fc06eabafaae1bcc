"""Search for cycles on which two rule sets differ, among random cycles or in games.

The smallest cycles on which a rule book and a variant of it differ help authors of rules. A found
game is reduced to the cycle and, in random positions, to the pieces that matter.

>>> from xiangqi.referee.rules import CHECKS_ONLY, WXF
>>> (found,) = random_disputes(Contest(WXF, CHECKS_ONLY), seed=1, count=100)
>>> found.cycles, {dispute.difference.clauses for dispute in found.disputes}
(100, {(('offences',),)})
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from xiangqi.board import Board
from xiangqi.casebook.random_cycles import random_games, record_of_board
from xiangqi.contract.rulings import comparison_to_dict
from xiangqi.core.move import Move
from xiangqi.games.archive import Archive, Item, Unread, make_batches
from xiangqi.games.record import GameRecord
from xiangqi.games.tree import Game
from xiangqi.ground.errors import PositionError, RecordError
from xiangqi.ground.workers import TRIES, Workers, in_this_process, run_in_order
from xiangqi.pieces import KING
from xiangqi.pieces.fen import Setup, parse_fen
from xiangqi.referee.comparison import (
    Comparison,
    Difference,
    compare,
    find_difference,
)
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import RuleSet
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "Contest",
    "Dispute",
    "Findings",
    "game_disputes",
    "name_cycle",
    "random_disputes",
    "sort_disputes",
]

_CHUNK: Final = 100
"""Number of random cycles in a work item."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two rule sets to be compared."""

    first: RuleSet
    second: RuleSet
    shrink: bool = True
    """Remove pieces that make no difference from a random cycle?"""
    conducts: bool = False
    """Compare both sides' conduct as well, if the verdicts are equal?"""

    @property
    def occurrences(self) -> int:
        """Number of occurrences of a position at which both rule sets rule."""
        return max(self.first.occurrences, self.second.occurrences)

    def difference(self, board: Board) -> Difference | None:
        """Difference of the rule sets on the current position, regardless of penalties; None if
        they agree.
        """
        return find_difference(
            board, self.first, self.second, penalties=False, conducts=self.conducts
        )


@dataclass(frozen=True, slots=True)
class Dispute:
    """Cycle on which two rule sets differ."""

    record: GameRecord
    source: str
    """Seed and number of a random cycle, or file and number of a game."""
    difference: Difference

    @property
    def pieces(self) -> int:
        return len(parse_fen(self.record.fen).piece_map())

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of pieces and plies, the sorting key."""
        return self.pieces, len(self.record.moves)

    def comparison(self) -> Comparison:
        """Both rulings with evidence, and their difference."""
        return compare(self.record.play(), (self.difference.first, self.difference.second))

    def to_dict(self) -> dict[str, Any]:
        """JSON data of the cycle, both rulings without evidence, and the difference."""
        return {
            "pieces": self.pieces,
            "plies": len(self.record.moves),
            "source": self.source,
            "fen": self.record.fen,
            "moves": list(self.record.moves),
            **comparison_to_dict(self.comparison(), evidence=False),
        }


def name_cycle(dispute: Dispute, voice: Voice = PLAIN_VOICE) -> str:
    """Size of the cycle: ``5 pieces, 4 rounds``."""
    rounds = (len(dispute.record.moves) + 1) // 2
    return voice.say("cycles_size", pieces=dispute.pieces, rounds=rounds)


class Findings(NamedTuple):
    """Result of a work item: the disputes among some cycles."""

    cycles: int
    """Number of cycles searched."""
    disputes: list[Dispute]
    unread: list[str]
    """Errors on cycles or games that could not be searched."""
    part: str = ""
    """Name of the work item, the same if it is repeated."""


def sort_disputes(disputes: Iterable[Dispute]) -> list[Dispute]:
    """Sort by number of pieces, then of plies; drop duplicate records."""
    first_of: dict[GameRecord, Dispute] = {}
    for dispute in disputes:
        first_of.setdefault(dispute.record, dispute)
    return sorted(first_of.values(), key=lambda dispute: (dispute.size, dispute.record.fen))


# Random cycles


class _Chunk(NamedTuple):
    """Random cycles of a work item, determined by seed and number."""

    seed: int
    number: int
    size: int

    @property
    def name(self) -> str:
        return f"{self.seed}/{self.number}"


def random_disputes(
    contest: Contest,
    seed: int,
    count: int,
    workers: Workers | None = None,
    on_done: Callable[[Findings], None] | None = None,
) -> Generator[Findings, None, None]:
    """Search random cycles, the same ones for the same seed; yields results in order.

    ``on_done`` receives each result as soon as it is known, as in :func:`run_in_order`. Raises
    WorkersError if workers die and cannot be replaced.
    """
    sizes = (min(_CHUNK, count - done) for done in range(0, count, _CHUNK))
    chunks = ((_Chunk(seed, number, size),) for number, size in enumerate(sizes))
    yield from run_in_order(
        functools.partial(_search_chunks, contest),
        chunks,
        workers or in_this_process(),
        lambda chunk: Findings(0, [], [f"random cycles {chunk.name}: {_DIED}"], chunk.name),
        on_done=on_done,
    )


_DIED: Final = f"the process that searches them has died, {TRIES} times"


def _search_chunks(contest: Contest, chunks: Sequence[_Chunk]) -> Findings:
    found = Findings(sum(chunk.size for chunk in chunks), [], [], chunks[0].name)
    for chunk in chunks:
        games = random_games(chunk.name)
        for number, game in enumerate(islice(games, chunk.size)):
            board = _prolong(game.play(), contest.occurrences)
            difference = contest.difference(board)
            if difference is not None:
                record = _cut(board, contest, difference)
                if contest.shrink:
                    record = _shrink(record, contest, difference)
                found.disputes.append(Dispute(record, f"{chunk.name}/{number}", difference))
    return found


def _prolong(board: Board, occurrences: int) -> Board:
    """Repeat a board's last loop until its position has occurred ``occurrences`` times."""
    back = board.copy()
    loop: list[Move] = []
    while not loop or back.key != board.key:
        loop.append(back.pop())
    loop.reverse()
    while board.repetitions() < occurrences:
        for move in loop:
            board.push_unchecked(move)
    return board


def _shrink(record: GameRecord, contest: Contest, difference: Difference) -> GameRecord:
    """Remove pieces one by one as long as the moves remain equally disputed."""
    setup = parse_fen(record.fen)
    pieces = setup.piece_map()
    removed = True
    while removed:
        removed = False
        for square, piece in list(pieces.items()):
            if piece.piece_type == KING:
                continue
            fewer = {at: one for at, one in pieces.items() if at != square}
            try:
                start = Board(Setup.from_piece_map(fewer, setup.turn))
                smaller = GameRecord(start.fen(), record.moves)
                board = smaller.play()
            except (PositionError, RecordError):
                continue
            if _is_same(board, contest, difference):
                pieces, record, removed = fewer, smaller, True
    return record


def _is_same(board: Board, contest: Contest, difference: Difference) -> bool:
    """Do the rule sets differ on the current position in the same fields?"""
    return contest.difference(board) == difference


def _cut(board: Board, contest: Contest, difference: Difference) -> GameRecord:
    """Record of the cycle alone if it is equally disputed, otherwise of the whole game."""
    windows = (Referee(rules).judge(board).window for rules in (contest.first, contest.second))
    first = min((window[0] for window in windows if window is not None), default=0)
    start = board.copy()
    while start.ply() > first:
        start.pop()
    cycle = Board(Setup.from_piece_map(start.piece_map(), start.turn))
    for move in board.move_stack[first:]:
        cycle.push_unchecked(move)
    return record_of_board(cycle if _is_same(cycle, contest, difference) else board)


# Cycles in games


def game_disputes(
    archive: Archive,
    contest: Contest,
    workers: Workers | None = None,
    on_done: Callable[[Findings], None] | None = None,
) -> Generator[Findings, None, None]:
    """Search every repetition in the main lines of games; yields results in order.

    Each position counts once per game. ``on_done`` and errors are those of :func:`random_disputes`.
    """
    with closing(archive):
        yield from run_in_order(
            functools.partial(_search_items, contest),
            make_batches(archive),
            workers or in_this_process(),
            lambda item: Findings(0, [], [f"{_item_name(item)}: {_DIED}"], _item_name(item)),
            on_done=on_done,
        )


def _item_name(item: Item) -> str:
    return f"{item.source}:{item.number}"


def _search_items(contest: Contest, items: Sequence[Item]) -> Findings:
    found = [
        Findings(0, [], [item.why])
        if isinstance(item, Unread)
        else _search_game(item.read(), _item_name(item), contest)
        for item in items
    ]
    return Findings(
        sum(each.cycles for each in found),
        [dispute for each in found for dispute in each.disputes],
        [why for each in found for why in each.unread],
        _item_name(items[0]),
    )


def _search_game(game: Game, source: str, contest: Contest) -> Findings:
    found = Findings(0, [], [str(error) for error in game.errors])
    if not game.moves():
        return found
    board = Board(game.fen)
    seen, cycles = set(), 0
    for move in game.moves():
        board.push_unchecked(move)
        if board.repetitions() < contest.occurrences or board.key in seen:
            continue
        seen.add(board.key)
        cycles += 1
        difference = contest.difference(board)
        if difference is not None:
            record = _cut(board, contest, difference)
            found.disputes.append(Dispute(record, source, difference))
    return found._replace(cycles=cycles)
