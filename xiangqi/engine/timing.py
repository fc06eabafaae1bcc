"""Time management: a soft and a hard limit in milliseconds from the limits of a GUI.

These are pure functions of numbers, so that tests can play whole games on a simulated clock; a
:class:`TimeKeeper` measures the GUI lag of a game.

The clock of the side to move is divided as follows, in milliseconds::

    usable    = time - overhead - cushion      overhead: GUI lag; cushion: reserve for delays
    following = moves to go - 1                (GAME_MOVES - 1 without a further time control)
    cost      = following * (overhead + 1 - increment)    their least time beyond the increments
    bank      = usable - cost                  or usable^2 / (4 * cost), see below
    share     = moves to go, at most HORIZON   (HORIZON without a further time control)
    gained    = INCREMENT_SHARE * (increment - overhead)
    soft      = bank / share + gained          times PONDER_BONUS with pondering on
    hard      = STRETCH * soft, at most bank * max(MAX_OF_BANK, 1 / share) + gained

Negative differences count as 0, and both limits lie between 1 and ``usable``. The overhead is the
option's value, or MEAN_FACTOR times the mean lateness of the game if that is more (if half of the
overhead is really lost, the clock suffices for GAME_MOVES). The cushion is CUSHION_MS, plus an
increment, plus WORST_FACTOR times the worst lateness, but at most CUSHION_SHARE of the clock. With
increments, the amount by which that maximum cuts the cushion is kept out of the bank, so that the
cushion is restored; the clock then runs down to the cushion and stays there.

Without a further time control, and with small increments, a short clock cannot pay the full
overhead of 300 moves. If the cost exceeds half of ``usable``, the second formula of the bank, which
equals the first at that point, spends the clock ever more slowly. FASTEST_MOVE_MS for each
following move is always kept out of the bank, so that even a game of one second can be played out.

This plan divides the clock equally among the moves. The iterations show which moves need more time
(https://www.chessprogramming.org/Time_Management), and a :class:`TimePlan` changes its limits after
each of them::

    soft = planned soft * effort * steadiness * fall      at most the hard limit
    firm = OVERRUN * soft                                 at most the hard limit

``effort`` is small if the best move took most of the nodes; ``steadiness`` is small if it has been
the best for some iterations; ``fall`` is large if the score is below that of the previous move and
the previous iterations. Each is about 1 on average. No iteration begins after the soft limit. The
firm limit ends the running iteration, unless its score has just fallen: then it may run until the
hard limit, to find a better move. The first iteration is finished even after the hard limit, within
20,000 nodes (FIRST_NODES in ``worker.pyx``); 99 % of positions from games need fewer than 220.

The changes gained 35 +- 27 Elo over the plan alone, in 300 games of 10+0.1 with nodes as time,
about 5,100 nodes a move.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from xiangqi.engine.levels import find_level
from xiangqi.engine.searcher import MATE, is_mate_score

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["PUNCTUAL", "Clock", "Lateness", "Limits", "TimeKeeper", "TimePlan", "plan_time"]

HORIZON: Final = 40
"""Maximum number of moves that share the clock."""
GAME_MOVES: Final = 300
"""Number of moves left that a game without a further time control is planned for."""
FASTEST_MOVE_MS: Final = 2
"""Time of the fastest possible move, GUI lag included."""
MIN_OVERHEAD_MS: Final = 1
"""Minimum of the GUI lag."""
CUSHION_MS: Final = 100
"""Reserve, beyond an increment, for delays on a busy machine."""
MEAN_FACTOR: Final = 2
"""Overhead as a multiple of the mean lateness."""
WORST_FACTOR: Final = 2
"""Expected worst lateness as a multiple of the one measured so far."""
WORST_DECAY: Final = 0.98
"""Decay factor of the worst lateness per move."""
MEAN_WEIGHT: Final = 0.2
"""Weight of the last lateness in the mean."""
MAX_LATENESS_MS: Final = 5000
"""Lateness above which the clock must have been reset, or belong to another game."""
CUSHION_SHARE: Final = 0.5
"""Maximum share of the clock for the cushion."""
INCREMENT_SHARE: Final = 0.8
"""Share of an increment that is spent at once."""
STRETCH: Final = 4
"""Maximum ratio of the hard limit to the soft one, for a move whose score drops."""
MAX_OF_BANK: Final = 0.5
"""Maximum share of the bank for one move, unless a time control is reached sooner."""
PONDER_BONUS: Final = 1.25
"""Factor of the soft limit with pondering on, which uses the opponent's time, too."""
ONLY_MOVE_MS: Final = 20
"""Soft limit for a single legal move: enough for a score and a ponder move."""
AT_ONCE: Final = (1, 1)
"""Limits that end the search: no shorter mate can be found."""
OVERRUN: Final = 2.0
"""Firm limit, which ends the running iteration, as a multiple of the soft limit."""
MAX_EFFORT: Final = 1.9
"""Factor of the time for a best move that took no nodes."""
EFFORT_SLOPE: Final = 1.4
"""Decrease of that factor for a best move that took all nodes."""
UNSTEADY: Final = 1.2
"""Factor of the time for a new best move."""
STEADY_STEP: Final = 0.05
"""Decrease of that factor with each iteration that confirms the move."""
STEADY: Final = 8
"""Number of iterations after which the factor no longer decreases."""
FALL_CP: Final = 100
"""Fall of the score, in centipawns, that would double the time without MAX_FALL."""
MIN_FALL: Final = 0.75
"""Minimum factor of the time, for a rising score."""
MAX_FALL: Final = 1.6
"""Maximum factor of the time, for a falling score."""
ITERATIONS_BACK: Final = 3
"""The score is compared with that of this number of iterations earlier."""


@dataclass(frozen=True, slots=True)
class Clock:
    """One side's clock, in milliseconds."""

    time_ms: int
    """Time left; 0 or less means to move at once."""
    increment_ms: int = 0
    """Increment after each move."""
    moves_to_go: int = 0
    """Moves until time is added; 0 if the clock has to last for the whole game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a search. 0 means no limit; several limits hold together.

    >>> Limits(depth=8, nodes=100_000).is_endless
    False
    """

    depth: int = 0
    nodes: int = 0
    movetime_ms: int = 0
    """Time for the search, which it uses in full; 0 for none."""
    mate: int = 0
    """Search only for a mate in at most this number of moves; wins by the repetition rules do not
    count."""
    infinite: bool = False
    """Withhold the answer until :meth:`~xiangqi.engine.Engine.stop`, even if the search ends
    earlier."""
    ponder: bool = False
    """Search on the opponent's time: the limits of time apply from the ponder hit on."""
    clock: Clock | None = None
    """Clock of the side to move."""
    opponent: Clock | None = None
    """Clock of the opponent, unused so far."""
    moves: tuple[Move, ...] | None = None
    """Allowed root moves; None for all legal moves."""
    level: int = 0
    """Number of the level of play in :data:`~xiangqi.engine.levels.LEVELS`; 0 for that of the
    options. It also limits the search. Analysis is never weakened."""
    banned: tuple[Move, ...] = ()
    """Moves that must not be played, such as one that would complete a banned repetition."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "movetime_ms", "mate"):
            if getattr(self, name) < 0:
                raise ValueError(f"invalid limit {name} {getattr(self, name)}: expected 0 or more")
        if self.level:
            find_level(self.level)

    @property
    def is_timed(self) -> bool:
        """Does a clock limit the search?"""
        return self.clock is not None or self.movetime_ms > 0

    @property
    def is_analysis(self) -> bool:
        """Is it an analysis: a search until stopped, or for a mate?"""
        return self.infinite or self.mate > 0

    @property
    def is_endless(self) -> bool:
        """Does the search run until it is stopped?"""
        return self.infinite or not (self.is_timed or self.depth or self.nodes or self.mate)


@dataclass(slots=True)
class TimePlan:
    """Limits of time of a move, 0 for none, and their changes by the iterations of its search."""

    soft_ms: int = 0
    """No iteration begins after this time."""
    hard_ms: int = 0
    """The search stops at this time."""
    score_before: int | None = field(default=None, repr=False, compare=False)
    """Score of the previous move of the game, if there was one."""
    _iterations: list[tuple[Move, int]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    @property
    def score(self) -> int | None:
        """Score of the last iteration, for the plan of the next move."""
        return self._iterations[-1][1] if self._iterations else self.score_before

    def after(self, depth: int, best: Move, score: int, effort: float) -> tuple[int, int]:
        """Soft and firm limit after another iteration, in milliseconds.

        ``effort`` is the share of the nodes that the best move has taken, from 0 to 1.
        """
        self._iterations.append((best, score))
        if is_mate_score(score) and MATE - score <= depth:
            return AT_ONCE  # all shorter mates have been ruled out
        earlier = self._iterations[-1 - ITERATIONS_BACK :][0][1]
        before = earlier if self.score_before is None else self.score_before
        fallen = (before + earlier) / 2 - score
        fall = min(max(1 + fallen / FALL_CP, MIN_FALL), MAX_FALL)
        same = itertools.takewhile(lambda one: one[0] == best, reversed(self._iterations))
        confirmed = sum(1 for _ in same) - 1
        steadiness = UNSTEADY - STEADY_STEP * min(confirmed, STEADY)
        factor = (MAX_EFFORT - EFFORT_SLOPE * effort) * steadiness * fall
        soft = min(factor * self.soft_ms, self.hard_ms)
        return max(1, int(soft)), max(1, int(min(OVERRUN * soft, self.hard_ms)))


@dataclass(frozen=True, slots=True)
class Lateness:
    """GUI lag: time that the moves of a game took beyond the planned thinking time."""

    mean_ms: float = 0.0
    """Exponentially weighted mean."""
    worst_ms: float = 0.0
    """Maximum, decaying from move to move."""

    def after(self, late_ms: float) -> Lateness:
        """Lateness updated by that of another move."""
        mean = self.mean_ms + MEAN_WEIGHT * (late_ms - self.mean_ms)
        return Lateness(mean, max(late_ms, WORST_DECAY * self.worst_ms))


PUNCTUAL: Final = Lateness()
"""No lateness: the value before any measurement."""


class TimeKeeper:
    """Plans the time of the moves of a game, and measures their lateness.

    The clock should show its value at the previous move, plus the increment, minus the thinking
    time; the difference is GUI lag. A search that exceeds its hard limit adds to the lateness.
    ``now`` returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.lateness = PUNCTUAL
        self._now = now
        self._clock: Clock | None = None  # of the last move
        self._gui_clock: Clock | None = None  # of the last move, if nodes are time
        self._left_ms: float | None = None  # if nodes are time, after the first move
        self._nodes_per_ms = 0
        self._plan = TimePlan()
        self._is_pondering = False
        self._started: float | None = None  # None while no clock runs
        self._thought_ms: float | None = None  # None until the search ends

    def new_game(self) -> None:
        """Reset for a new game."""
        self.lateness = PUNCTUAL
        self._clock = self._left_ms = None
        self._plan = TimePlan()

    def plan(
        self,
        limits: Limits,
        overhead_ms: int,
        *,
        ponder: bool = False,
        only_move: bool = False,
        nodes_per_ms: int = 0,
    ) -> TimePlan:
        """Plan the time from now, or from :meth:`ponderhit` on; see :func:`plan_time`.

        With ``nodes_per_ms`` nodes are time: the GUI's clock is read at the beginning of a game and
        whenever it has gained more than an increment; otherwise the nodes searched are subtracted.
        There is no overhead.
        """
        self._nodes_per_ms = nodes_per_ms
        if nodes_per_ms:
            limits, overhead_ms = replace(limits, clock=self._clock_by_nodes(limits.clock)), 0
        elif limits.clock is not None:
            self._measure_lateness(limits.clock)
        if limits.clock is not None:
            self._clock, self._thought_ms = limits.clock, None
        self._is_pondering = limits.clock is not None and limits.ponder
        self._started = None if limits.clock is None or limits.ponder else self._now()
        score_before = self._plan.score
        self._plan = plan_time(
            limits,
            overhead_ms,
            ponder=ponder,
            only_move=only_move,
            lateness=PUNCTUAL if nodes_per_ms else self.lateness,
        )
        self._plan.score_before = score_before
        return self._plan

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""
        if self._is_pondering:
            self._started = self._now()

    def finish(self, nodes: int = 0) -> None:
        """Record the thinking time of a search that ended after ``nodes`` nodes."""
        if self._started is not None:
            self._thought_ms = 1000 * (self._now() - self._started)
            self._started = None
            if self._nodes_per_ms and self._clock is not None:
                spent_ms = nodes / self._nodes_per_ms
                self._left_ms = self._clock.time_ms + self._clock.increment_ms - spent_ms

    def _clock_by_nodes(self, clock: Clock | None) -> Clock | None:
        last, self._gui_clock = self._gui_clock, clock
        if clock is None or last is None or self._left_ms is None:
            return clock
        has_more = clock.time_ms > last.time_ms + last.increment_ms
        return clock if has_more else replace(clock, time_ms=int(self._left_ms))

    def _measure_lateness(self, clock: Clock) -> None:
        last, thought = self._clock, self._thought_ms
        if last is None or thought is None:
            return
        lost = last.time_ms + last.increment_ms - thought - clock.time_ms
        if last.increment_ms != clock.increment_ms or lost > MAX_LATENESS_MS:
            self.new_game()
            return
        lost -= _resolution(last, clock)
        overdue = thought - self._plan.hard_ms if self._plan.hard_ms else 0.0
        self.lateness = self.lateness.after(max(0.0, lost) + max(0.0, overdue))


def _resolution(*clocks: Clock) -> int:
    """Resolution in milliseconds to which the GUI may have rounded the clocks down.

    >>> _resolution(Clock(61_000), Clock(58_000)), _resolution(Clock(61_000), Clock(57_950))
    (1000, 10)
    """
    return next(
        unit for unit in (1000, 100, 10, 1) if not any(clock.time_ms % unit for clock in clocks)
    )


def plan_time(
    limits: Limits,
    overhead_ms: int,
    *,
    ponder: bool = False,
    only_move: bool = False,
    lateness: Lateness = PUNCTUAL,
) -> TimePlan:
    """Plan the time of a move.

    ``overhead_ms`` is the GUI lag of each move; ``ponder``: pondering is on; ``only_move``: there
    is a single legal move; ``lateness``: measured GUI lag of the previous moves.

    >>> plan_time(Limits(depth=6), 20)
    TimePlan(soft_ms=0, hard_ms=0)
    >>> plan_time(Limits(movetime_ms=1000), 20)
    TimePlan(soft_ms=0, hard_ms=980)
    >>> plan_time(Limits(clock=Clock(60_000, increment_ms=1000)), 20)
    TimePlan(soft_ms=2256, hard_ms=9024)
    """
    if limits.infinite:
        return TimePlan()
    exact = max(1, limits.movetime_ms - overhead_ms) if limits.movetime_ms else 0
    if limits.clock is None:
        return TimePlan(0, exact)
    bonus = PONDER_BONUS if ponder else 1.0
    overhead = max(overhead_ms, int(MEAN_FACTOR * lateness.mean_ms))
    plan = _divide(limits.clock, overhead, WORST_FACTOR * lateness.worst_ms, bonus)
    soft = min(plan.soft_ms, ONLY_MOVE_MS) if only_move else plan.soft_ms
    hard = min(plan.hard_ms, exact) if exact else plan.hard_ms
    return TimePlan(min(soft, hard), hard)


def _divide(clock: Clock, overhead_ms: int, delay_ms: float, bonus: float) -> TimePlan:
    overhead_ms = max(overhead_ms, MIN_OVERHEAD_MS)
    full_cushion = CUSHION_MS + clock.increment_ms + delay_ms
    cushion = int(min(full_cushion, CUSHION_SHARE * max(0, clock.time_ms)))
    usable = max(1, clock.time_ms - overhead_ms - cushion)
    gained = INCREMENT_SHARE * max(0, clock.increment_ms - overhead_ms)
    bank = _bank(clock, usable, overhead_ms)
    if gained > 0:  # the increments suffice until the cushion is restored
        bank = max(0.0, bank - (full_cushion - cushion))
    share = min(clock.moves_to_go, HORIZON) or HORIZON
    soft = bonus * (bank / share + gained)
    most = bank * max(MAX_OF_BANK, 1 / share) + gained
    hard = min(STRETCH * soft, most, usable)
    return TimePlan(max(1, int(min(soft, hard))), max(1, int(hard)))


def _bank(clock: Clock, usable: int, overhead_ms: int) -> float:
    """Time for thinking in the rest of the game, without increments."""
    following = (clock.moves_to_go or GAME_MOVES) - 1
    least = following * max(0, FASTEST_MOVE_MS - clock.increment_ms)
    cost = following * max(0, overhead_ms + 1 - clock.increment_ms)
    can_be_paid = clock.moves_to_go > 0 or 2 * cost < usable
    bank = usable - cost if can_be_paid else usable * usable / (4 * cost)
    return max(0.0, min(bank, usable - least))
