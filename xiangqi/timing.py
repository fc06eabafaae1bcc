"""How long to think: from what a GUI asks to a soft and a hard limit in milliseconds.

Pure functions of numbers, so that they can be tested by playing whole games on a simulated clock.

The clock is divided like this, all in milliseconds and from the mover's side::

    usable    = time - overhead - cushion      for the way to the GUI and back, and for mishaps
    following = moves to go - 1                (GAME_MOVES - 1 without a time control ahead)
    cost      = following * (overhead + 1 - increment)    what they cost beyond their increments
    bank      = usable - cost                  but usable^2 / (4 * cost) where that cannot be paid
    share     = moves to go, at most HORIZON   (HORIZON without a time control ahead)
    gained    = INCREMENT_SHARE * (increment - overhead)
    soft      = bank / share + gained
    hard      = STRETCH * soft, at most MOST_OF_BANK * bank + gained

A difference that would be negative counts as 0, and both limits lie between 1 and ``usable``.
The cushion is CUSHION_MS, but not more than CUSHION_SHARE of the clock.

Without increments a short clock cannot pay the full overhead of 300 moves. It is then spent ever
more slowly, the second form of the bank, which meets the first where the cost is half of the
clock. And whatever happens, FASTEST_MOVE_MS for each following move is kept out of the bank: that
is what lets a game of one second last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["Clock", "Limits", "TimePlan", "plan_time"]

HORIZON: Final = 40
"""At most so many moves share the clock."""
GAME_MOVES: Final = 300
"""So many moves a game without a further time control may still take."""
FASTEST_MOVE_MS: Final = 2
"""What a move costs that is played as fast as possible, its way to the GUI included."""
LEAST_OVERHEAD_MS: Final = 1
"""No way to the GUI and back is shorter."""
CUSHION_MS: Final = 100
"""What is kept for a moment in which the machine is busy with something else."""
CUSHION_SHARE: Final = 0.5
"""The share of the clock that the cushion may be."""
INCREMENT_SHARE: Final = 0.8
"""The share of an increment that is spent at once."""
STRETCH: Final = 4
"""A hard limit is at most so many soft ones: for a move that begins to look bad."""
MOST_OF_BANK: Final = 0.5
"""The share of the bank that one move may take, unless a time control is reached sooner."""
PONDER_BONUS: Final = 1.25
"""With pondering on, part of the thinking is done on the opponent's time."""
ONLY_MOVE_MS: Final = 20
"""The soft limit where there is nothing to choose: enough for a score and a reply to ponder on."""


@dataclass(frozen=True, slots=True)
class Clock:
    """One side's clock, in milliseconds."""

    time_ms: int
    """What is left; nothing or less means to move at once."""
    increment_ms: int = 0
    """What is added after each move."""
    moves_to_go: int = 0
    """Moves until time is added; 0 if the clock has to last for the whole game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is asked of a search. Numbers of 0 are no limit; several limits hold together.

    >>> Limits(depth=8, nodes=100_000).is_endless
    False
    """

    depth: int = 0
    nodes: int = 0
    movetime_ms: int = 0
    """Think for exactly so long."""
    mate: int = 0
    """Stop when a mate in so many moves is found."""
    infinite: bool = False
    """Give no answer before :meth:`~xiangqi.engine.Engine.stop`, though the search may end."""
    ponder: bool = False
    """Think on the opponent's time: all clocks stand still until the expected move is played."""
    clock: Clock | None = None
    """The clock of the side to move."""
    opponent: Clock | None = None
    """The other clock. It is told for completeness; no decision depends on it yet."""
    moves: tuple[Move, ...] | None = None
    """The moves to choose from; None for all that are legal."""
    banned: tuple[Move, ...] = ()
    """Moves that a referee forbids, such as one that would complete a banned repetition."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "movetime_ms", "mate"):
            if getattr(self, name) < 0:
                raise ValueError(f"invalid limit {name} {getattr(self, name)}: expected 0 or more")

    @property
    def is_timed(self) -> bool:
        """Does a clock tell when to stop?"""
        return self.clock is not None or self.movetime_ms > 0

    @property
    def is_endless(self) -> bool:
        """Does the search go on until it is stopped?"""
        return self.infinite or not (self.is_timed or self.depth or self.nodes or self.mate)


@dataclass(frozen=True, slots=True)
class TimePlan:
    """When to begin no further iteration, and when to stop at the latest; 0 for never."""

    soft_ms: int = 0
    hard_ms: int = 0


def plan_time(
    limits: Limits, overhead_ms: int, *, ponder: bool = False, only_move: bool = False
) -> TimePlan:
    """How long to think.

    ``overhead_ms`` is lost on every move between GUI and engine. ``ponder`` tells that the engine
    may think on the opponent's time, ``only_move`` that there is nothing to choose.

    >>> plan_time(Limits(depth=6), 20)
    TimePlan(soft_ms=0, hard_ms=0)
    >>> plan_time(Limits(movetime_ms=1000), 20)
    TimePlan(soft_ms=0, hard_ms=980)
    >>> plan_time(Limits(clock=Clock(60_000, increment_ms=1000)), 20)
    TimePlan(soft_ms=2281, hard_ms=9124)
    """
    if limits.infinite:
        return TimePlan()
    exact = max(1, limits.movetime_ms - overhead_ms) if limits.movetime_ms else 0
    if limits.clock is None:
        return TimePlan(0, exact)
    plan = _divide(limits.clock, overhead_ms, PONDER_BONUS if ponder else 1.0)
    soft = min(plan.soft_ms, ONLY_MOVE_MS) if only_move else plan.soft_ms
    hard = min(plan.hard_ms, exact) if exact else plan.hard_ms
    return TimePlan(min(soft, hard), hard)


def _divide(clock: Clock, overhead_ms: int, bonus: float) -> TimePlan:
    overhead_ms = max(overhead_ms, LEAST_OVERHEAD_MS)
    cushion = min(CUSHION_MS, int(CUSHION_SHARE * max(0, clock.time_ms)))
    usable = max(1, clock.time_ms - overhead_ms - cushion)
    bank = _bank(clock, usable, overhead_ms)
    share = min(clock.moves_to_go, HORIZON) or HORIZON
    gained = INCREMENT_SHARE * max(0, clock.increment_ms - overhead_ms)
    soft = bonus * (bank / share + gained)
    most = bank * max(MOST_OF_BANK, 1 / share) + gained
    hard = min(STRETCH * soft, most, usable)
    return TimePlan(max(1, int(min(soft, hard))), max(1, int(hard)))


def _bank(clock: Clock, usable: int, overhead_ms: int) -> float:
    """What may be spent on thinking from now on, increments apart."""
    following = (clock.moves_to_go or GAME_MOVES) - 1
    least = following * max(0, FASTEST_MOVE_MS - clock.increment_ms)
    cost = following * max(0, overhead_ms + 1 - clock.increment_ms)
    can_be_paid = clock.moves_to_go > 0 or 2 * cost < usable
    bank = usable - cost if can_be_paid else usable * usable / (4 * cost)
    return max(0.0, min(bank, usable - least))
