"""Time management loses no game on time: whole games on a simulated clock."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from xiangqi.engine.timing import (
    GAME_MOVES,
    HORIZON,
    MAX_LATENESS_MS,
    ONLY_MOVE_MS,
    PUNCTUAL,
    Clock,
    Lateness,
    Limits,
    TimeKeeper,
    TimePlan,
    plan_time,
)

TIMES = (100, 500, 1000, 3000, 10_000, 60_000, 600_000, 3_600_000)
INCREMENTS = (0, 1, 20, 50, 1000)
CONTROLS = (0, 1, 5, 40)
OVERHEADS = (0, 20, 100)


def play_game(
    clock: Clock, overhead: int, lost: int, *, hard: bool, ponder: bool, moves: int = 300
) -> int:
    """Minimum of the clock if each move takes its limit and ``lost`` milliseconds."""
    left, to_go, lowest = clock.time_ms, clock.moves_to_go, clock.time_ms
    for _ in range(moves):
        limits = Limits(clock=Clock(left, clock.increment_ms, to_go))
        plan = plan_time(limits, overhead, ponder=ponder)
        left -= (plan.hard_ms if hard else plan.soft_ms) + lost
        lowest = min(lowest, left)
        left += clock.increment_ms
        if to_go:
            to_go -= 1
            if to_go == 0:
                to_go, left = clock.moves_to_go, left + clock.time_ms
    return lowest


def can_be_played(clock: Clock, overhead: int, lost: int, reserve: int = 1) -> bool:
    """Does the time suffice if each move is played at once?"""
    moves = clock.moves_to_go or GAME_MOVES
    cost = moves * max(0, lost + 1 - clock.increment_ms)
    return clock.time_ms >= reserve * cost + overhead + lost + 2


@pytest.mark.parametrize("time", TIMES)
def test_no_game_is_lost_though_every_move_takes_the_hard_limit(time: int) -> None:
    played = 0
    for increment, control, overhead in itertools.product(INCREMENTS, CONTROLS, OVERHEADS):
        clock = Clock(time, increment, control)
        for lost in {0, 1, overhead}:
            is_sure = control > 0 or increment > overhead or lost <= 1
            if is_sure and can_be_played(clock, overhead, lost):
                lowest = play_game(clock, overhead, lost, hard=True, ponder=True)
                assert lowest >= 0, (clock, overhead, lost)
                played += 1
    assert played >= 60


@pytest.mark.parametrize("time", [10_000, 60_000, 600_000, 3_600_000])
def test_no_sudden_death_is_lost_with_half_of_the_overhead_really_lost(time: int) -> None:
    for increment, overhead in itertools.product((0, 1, 20), (10, 20, 100)):
        clock, lost = Clock(time, increment), overhead // 2
        if can_be_played(clock, overhead, lost, reserve=3):
            assert play_game(clock, overhead, lost, hard=False, ponder=False) >= 0, (
                clock,
                overhead,
            )


@pytest.mark.parametrize(("time", "increment"), [(1000, 0), (1000, 50), (60, 50), (100, 50)])
def test_the_shortest_games(time: int, increment: int) -> None:
    assert play_game(Clock(time, increment), 20, 1, hard=True, ponder=True) >= 0


@pytest.mark.parametrize("time", [100, 1000, 60_000])
def test_a_delay_is_survived_with_increments(time: int) -> None:
    """The clock never gets so low that a short delay would lose the game."""
    assert play_game(Clock(time, 50), 10, 1, hard=True, ponder=True) >= 25


def test_limits_are_in_order_and_within_the_clock() -> None:
    for time, increment, control, overhead in itertools.product(
        (-50, 0, 1, 20, *TIMES), INCREMENTS, CONTROLS, OVERHEADS
    ):
        plan = plan_time(Limits(clock=Clock(time, increment, control)), overhead)
        assert 1 <= plan.soft_ms <= plan.hard_ms <= max(1, time - overhead)


def test_more_time_is_more_thought() -> None:
    for increment, control in itertools.product(INCREMENTS, CONTROLS):
        soft = [
            plan_time(Limits(clock=Clock(time, increment, control)), 20).soft_ms for time in TIMES
        ]
        assert soft == sorted(soft)


def test_a_typical_game_uses_its_time() -> None:
    plan = plan_time(Limits(clock=Clock(600_000, 5000)), 20)
    assert 10_000 < plan.soft_ms < 30_000
    assert plan.hard_ms <= 4 * (plan.soft_ms + 1)
    last = plan_time(Limits(clock=Clock(30_000, moves_to_go=1)), 20)
    assert last.soft_ms > 29_000


def test_a_control_beyond_the_horizon_is_as_far_as_the_horizon() -> None:
    near = plan_time(Limits(clock=Clock(600_000, 1000, HORIZON)), 20)
    far = plan_time(Limits(clock=Clock(600_000, 1000, 3 * HORIZON)), 20)
    assert near == far


def test_exact_times_and_none() -> None:
    assert plan_time(Limits(movetime_ms=500), 20) == TimePlan(0, 480)
    assert plan_time(Limits(movetime_ms=5), 20) == TimePlan(0, 1)
    assert plan_time(Limits(depth=4, nodes=100), 20) == TimePlan()
    assert plan_time(Limits(infinite=True, clock=Clock(1000)), 20) == TimePlan()
    both = plan_time(Limits(movetime_ms=500, clock=Clock(3_600_000)), 20)
    assert both == TimePlan(480, 480)


def test_the_only_move_is_played_soon() -> None:
    limits = Limits(clock=Clock(600_000))
    only = plan_time(limits, 20, only_move=True)
    assert only.soft_ms == ONLY_MOVE_MS
    assert plan_time(Limits(movetime_ms=500), 20, only_move=True) == TimePlan(0, 480)


def test_pondering_allows_more_time() -> None:
    limits = Limits(clock=Clock(600_000))
    assert plan_time(limits, 20, ponder=True).soft_ms > plan_time(limits, 20).soft_ms


def test_limits_are_checked() -> None:
    with pytest.raises(ValueError, match="invalid limit depth -1: expected 0 or more"):
        Limits(depth=-1)
    assert Limits().is_endless
    assert not Limits(clock=Clock(1)).is_endless
    assert Limits(depth=3, infinite=True).is_endless


# Late clocks


class LateGui:
    """A game with GUI lag; all times in milliseconds."""

    def __init__(self, clock: Clock, late: Callable[[int], float]) -> None:
        self.keeper = TimeKeeper(now=lambda: self.now_s)
        self.now_s = 0.0
        self.left: float = clock.time_ms
        self.increment_ms = clock.increment_ms
        self.late = late
        self.lowest: float = clock.time_ms

    def play(self, moves: int, *, hard: bool = False) -> float:
        """Minimum of the clock, with the engine using its hard or its soft limits."""
        for move in range(moves):
            plan = self.keeper.plan(Limits(clock=Clock(int(self.left), self.increment_ms)), 10)
            thought = plan.hard_ms if hard else plan.soft_ms
            self.now_s += thought / 1000
            self.keeper.finish()
            self.left -= thought + self.late(move)
            self.lowest = min(self.lowest, self.left)
            self.left += self.increment_ms
            self.now_s += 0.3  # the opponent
        return self.lowest


@pytest.mark.parametrize(("time", "increment"), [(1000, 500), (10_000, 100), (60_000, 1000)])
@pytest.mark.parametrize("hard", [False, True])
def test_a_first_delay_of_nearly_an_increment_is_survived(
    time: int, increment: int, hard: bool
) -> None:
    mishap = 0.9 * increment
    for when in (30, 60, 119):
        game = LateGui(Clock(time, increment), lambda move, when=when: mishap * (move == when))  # type: ignore[misc]
        assert game.play(120, hard=hard) >= 0


def test_increasing_lag_is_measured() -> None:
    """Each delay is nearly twice the one before; without the measurement the game is lost."""
    mishaps = {180: 90, 200: 160, 220: 300, 250: 500}
    game = LateGui(Clock(5000, 100), lambda move: mishaps.get(move, 1))
    assert game.play(260, hard=True) >= 0
    assert game.keeper.lateness.worst_ms > 300
    careless = LateGui(Clock(5000, 100), lambda move: mishaps.get(move, 1))
    careless.keeper._measure_lateness = lambda clock: None  # type: ignore[method-assign]
    assert careless.play(260, hard=True) < 0


def test_sudden_death_with_far_more_lag_than_the_overhead() -> None:
    game = LateGui(Clock(30_000), lambda move: 60)
    assert game.play(300) >= 0
    assert 50 <= game.keeper.lateness.mean_ms <= 60


def test_lateness_decays_and_is_reset_by_a_new_game() -> None:
    late = Lateness().after(300)
    assert late.worst_ms == 300
    for _ in range(100):
        late = late.after(0)
    assert late.worst_ms < 50
    assert late.mean_ms < 1
    game = LateGui(Clock(5000, 100), lambda move: 40)
    game.play(10)
    assert game.keeper.lateness.worst_ms >= 39
    game.keeper.new_game()
    assert game.keeper.lateness == PUNCTUAL


def test_a_search_that_exceeds_its_limit_is_late() -> None:
    keeper, now = TimeKeeper(now=lambda: now[0]), [0.0]
    plan = keeper.plan(Limits(clock=Clock(9000, 1001)), 10)
    now[0] += (plan.hard_ms + 200) / 1000
    keeper.finish()
    keeper.plan(Limits(clock=Clock(9000 + 1001 - plan.hard_ms - 200, 1001)), 10)
    assert keeper.lateness.worst_ms == pytest.approx(200)


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(Clock(1000, 0), id="another game"),
        pytest.param(Clock(8000 - MAX_LATENESS_MS, 100), id="a clock that was set"),
        pytest.param(Clock(60_000, 100), id="a time control reached"),
    ],
)
def test_clocks_that_do_not_measure_lateness(second: Clock) -> None:
    keeper = TimeKeeper(now=lambda: 0.0)
    keeper.plan(Limits(clock=Clock(9001, 100)), 10)
    keeper.finish()
    keeper.plan(Limits(clock=second), 10)
    assert keeper.lateness == PUNCTUAL


def test_rounding_to_seconds_is_not_lateness() -> None:
    keeper, now = TimeKeeper(now=lambda: now[0]), [0.0]
    keeper.plan(Limits(clock=Clock(60_000)), 10)
    now[0] = 1.2
    keeper.finish()
    keeper.plan(Limits(clock=Clock(58_000)), 10)
    assert keeper.lateness == PUNCTUAL


def test_pondering_costs_nothing_until_the_hit() -> None:
    keeper, now = TimeKeeper(now=lambda: now[0]), [0.0]
    keeper.plan(Limits(clock=Clock(9000), ponder=True), 10)
    now[0] = 20.0
    keeper.ponderhit()
    now[0] = 20.3
    keeper.finish()
    keeper.plan(Limits(clock=Clock(8691), ponder=True), 10)
    assert keeper.lateness.worst_ms == pytest.approx(8)
    keeper.finish()  # a ponder miss
    keeper.plan(Limits(depth=3), 10)
    keeper.finish()
    keeper.plan(Limits(clock=Clock(8691)), 10)
    assert keeper.lateness.worst_ms == pytest.approx(8)


# Nodes as time


def test_searched_nodes_are_subtracted_from_the_clock() -> None:
    """The GUI's clock is read once in a game, and real time is never read."""
    keeper, now = TimeKeeper(now=lambda: now[0]), [0.0]
    left = 10_000
    for time_ms in (10_000, 10_000, 3):
        plan = keeper.plan(Limits(clock=Clock(time_ms, 100)), 500, nodes_per_ms=50)
        assert plan == plan_time(Limits(clock=Clock(left, 100)), 0)
        now[0] += 30.0
        keeper.finish(50 * 300)
        left += 100 - 300
    keeper.new_game()
    plan = keeper.plan(Limits(clock=Clock(100, 100)), 0, nodes_per_ms=50)
    assert plan == plan_time(Limits(clock=Clock(100, 100)), 0)


def test_a_node_clock_is_set_again_when_time_is_added() -> None:
    """At a time control, or in another game that was not announced."""
    keeper = TimeKeeper()
    for time_ms, to_go, expected in (
        (9000, 2, 9000),
        (1, 1, 8800),
        (9500, 2, 9500),
        (9700, 0, 9700),
    ):
        plan = keeper.plan(Limits(clock=Clock(time_ms, 0, to_go)), 0, nodes_per_ms=10)
        assert plan == plan_time(Limits(clock=Clock(expected, 0, to_go)), 0)
        keeper.finish(2000)


def test_a_ponder_miss_does_not_change_a_node_clock() -> None:
    keeper, clock = TimeKeeper(), Clock(9000)
    for ponder in (False, True, False):
        plan = keeper.plan(Limits(clock=clock, ponder=ponder), 0, nodes_per_ms=10)
        keeper.finish(2000)
    assert plan == plan_time(Limits(clock=Clock(8800)), 0)
