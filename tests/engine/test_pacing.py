"""Results of iterations change the time for a move: pure computations without a clock."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from xiangqi import STARTING_FEN, Board, Move
from xiangqi.engine import MATE, Clock, Engine, Limits
from xiangqi.engine.timing import OVERRUN, TimeKeeper, TimePlan

SOFT, HARD = 1000, 4000
FIRST, SECOND = (Move.from_iccs(move) for move in ("h2e2", "b2e2"))


def soft_after(
    scores: Sequence[int],
    *,
    bests: Sequence[Move] = (),
    effort: float = 0.6,
    before: int | None = None,
) -> int:
    """Soft limit after iterations with these scores and best moves."""
    plan = TimePlan(SOFT, HARD, before)
    for depth, score in enumerate(scores, start=1):
        best = bests[depth - 1] if bests else FIRST
        soft, firm = plan.after(depth, best, score, effort)
        assert 1 <= soft <= firm <= min(OVERRUN * (soft + 1), HARD)
    return soft


def test_a_larger_share_of_nodes_takes_less_time() -> None:
    limits = [soft_after([10] * 8, effort=effort / 10) for effort in range(11)]
    assert limits == sorted(limits, reverse=True)
    assert limits[0] > SOFT > limits[-1]


def test_a_move_that_is_confirmed_takes_less_time() -> None:
    steady = soft_after([10] * 8)
    assert steady < SOFT
    assert soft_after([10] * 8, bests=[SECOND] * 4 + [FIRST] * 4) > steady
    restless = list(itertools.islice(itertools.cycle((FIRST, SECOND)), 8))
    assert soft_after([10] * 8, bests=restless) > SOFT


def test_a_score_that_falls_takes_more_time() -> None:
    level, falling, rising = ([25 * step * depth for depth in range(8)] for step in (0, -1, 1))
    assert soft_after(falling) > soft_after(level) > soft_after(rising)


def test_a_score_below_that_of_the_move_before_takes_more_time() -> None:
    scores = [30] * 8
    assert soft_after(scores, before=80) > soft_after(scores, before=30)
    assert soft_after(scores, before=30) == soft_after(scores)
    assert soft_after(scores, before=-20) < soft_after(scores)


@pytest.mark.parametrize("before", [None, MATE - 9, 9 - MATE])
def test_the_hard_limit_always_holds(before: int | None) -> None:
    scores = [0, MATE - 40, 40 - MATE, 5000, -5000, 0]
    for effort in (0.0, 1.0):
        assert soft_after(scores, effort=effort, before=before) <= HARD


def test_a_mate_that_is_found_needs_no_more_time() -> None:
    plan = TimePlan(SOFT, HARD)
    assert plan.after(4, FIRST, MATE - 5, 0.5) > (1, 1)  # there may be a shorter mate
    assert plan.after(5, FIRST, MATE - 5, 0.5) == (1, 1)
    assert plan.after(6, FIRST, 5 - MATE, 0.5) > (1, 1)  # there may be an escape


def test_the_keeper_remembers_the_score_of_the_move_before() -> None:
    keeper = TimeKeeper(now=lambda: 0.0)
    limits = Limits(clock=Clock(60_000))

    def ask(score: int) -> int:
        return keeper.plan(limits, 10).after(1, FIRST, score, 0.6)[0]

    first = ask(100)
    assert ask(100) == first
    assert ask(0) > first
    keeper.new_game()
    assert ask(0) == first


# With the real searcher and nodes as time


def nodes_for(fen: str, clock: Clock) -> int:
    engine = Engine()
    engine.set_option("nodestime", 100)
    return engine.play(Board(fen), Limits(clock=clock)).nodes


def test_a_forced_move_is_played_at_once() -> None:
    forced, clock = "2r1k4/9/9/9/9/9/9/9/4R4/3K5 b", Clock(100_000)
    assert len(Board(forced).legal_moves) == 1
    assert nodes_for(forced, clock) < nodes_for(STARTING_FEN, clock) / 20


def test_a_mate_that_is_found_ends_the_search() -> None:
    """After a mate in three plies, deeper iterations cannot improve it."""
    fen, clock = "4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9 w", Clock(100_000)
    assert nodes_for(fen, clock) < 1000
