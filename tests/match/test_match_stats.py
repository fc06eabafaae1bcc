"""Statistics of a match and the SPRT: fastchess's published values, and what must hold anyway.

The published values are those of the repository Disservin/fastchess, files
``app/tests/elo_test.cpp`` and ``app/tests/sprt_test.cpp``. Its ``Stats(w, l, d)`` counts games,
its ``Stats(LL, LD, WL, DD, WD, WW)`` pairs. It compares with a tolerance of 1 %; here the printed
digits are compared, but for the two LLR noted below.
"""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi.match.stats import NELO_UNIT, GameCounts, Model, PairCounts, Sprt, Stats


def games(wins: int, losses: int, draws: int) -> Stats:
    return Stats(GameCounts(wins, draws, losses))


def pairs(*counts: int) -> Stats:
    """From LL, LD, WL, DD, WD, WW, with the games that they consist of."""
    ll, ld, wl, dd, wd, ww = counts
    return Stats(
        GameCounts(wl + wd + 2 * ww, ld + 2 * dd + wd, 2 * ll + ld + wl), PairCounts(*counts)
    )


few = st.integers(0, 200)
results = st.one_of(st.builds(games, few, few, few), st.builds(pairs, few, few, few, few, few, few))


# Published values: Elo


@pytest.mark.parametrize(
    ("stats", "nelo", "elo", "los"),
    [
        (games(76, 89, 123), "-20.76 +/- 40.13", None, "15.53 %"),
        (games(136, 96, 111), "49.77 +/- 36.77", "40.70 +/- 30.43", "99.60 %"),
        (games(34, 356, 0), "-508.44 +/- 34.48", None, None),
        (pairs(34, 54, 31, 32, 64, 75), "57.94 +/- 28.28", "55.58 +/- 27.65", "100.00 %"),
        (pairs(332, 433, 457, 41, 333, 334), "-9.17 +/- 10.96", "-8.64 +/- 10.33", "5.05 %"),
        (pairs(7895, 8757, 5485, 200, 568, 9999), "-19.01 +/- 2.65", "-21.04 +/- 2.95", None),
    ],
)
def test_fastchess_elo(stats: Stats, nelo: str, elo: str | None, los: str | None) -> None:
    assert f"{stats.nelo:.2f} +/- {stats.nelo_error:.2f}" == nelo
    if elo is not None:
        assert f"{stats.elo:.2f} +/- {stats.elo_error:.2f}" == elo
    if los is not None:
        assert f"{100 * stats.los:.2f} %" == los


# Published values: LLR


@pytest.mark.parametrize(
    ("stats", "elo0", "elo1", "model", "llr"),
    [
        (games(36433, 36027, 68692), 0, 2, "normalized", "0.92"),
        (games(10871, 10650, 20431), -1.75, 0.25, "normalized", "2.30"),
        (games(21404, 21184, 40708), 0.5, 2.5, "logistic", "-1.57"),
        (games(57433, 57030, 106593), 0, 2, "logistic", "-2.59"),
        (pairs(365, 16618, 36029, 200, 16974, 390), 0, 2, "normalized", "2.25"),
        (pairs(127, 4883, 10311, 401, 5150, 104), -1.75, 0.25, "normalized", "3.01"),
        (pairs(223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, "logistic", "-3.07"),
        (pairs(871, 26175, 55003, 980, 26678, 821), 0, 2, "logistic", "-4.98"),
    ],
)
def test_fastchess_llr(stats: Stats, elo0: float, elo1: float, model: Model, llr: str) -> None:
    assert f"{Sprt(elo0, elo1, 0.05, 0.05, model).llr(stats):.2f}" == llr


@pytest.mark.parametrize(
    ("stats", "elo1", "published", "exact"),
    [(games(4250, 0, 0), 10, 120.56, "120.55"), (pairs(0, 0, 0, 0, 0, 5550), 5, 111.82, "111.80")],
)
def test_fastchess_llr_of_nothing_but_wins(
    stats: Stats, elo1: float, published: float, exact: str
) -> None:
    """Published rounded more coarsely: fastchess's own algorithm ends at the exact value."""
    llr = Sprt(0, elo1).llr(stats)
    assert llr == pytest.approx(published, rel=2.5e-4)
    assert f"{llr:.2f}" == exact


def log_likelihood(counts: GameCounts, distance: float) -> float:
    """The greatest log likelihood of games whose mean is so many deviations above 1/2.

    With m = P(win) - P(loss) the distance fixes P(win) + P(loss) as m^2 (1 + 1/distance^2), which
    is m at least and 1 at most; the best m between is found by steps that get finer.
    """
    square = 1 + 1 / distance**2

    def of_size(size: float) -> float:
        mean = math.copysign(size, distance)
        decided = mean * mean * square
        win, loss, draw = (decided + mean) / 2, (decided - mean) / 2, 1 - decided
        if min(win, loss, draw) <= 0:
            return -math.inf
        shares = zip(counts.frequencies, (loss, draw, win), strict=True)
        return sum((count or 1e-3) * math.log(share) for count, share in shares)

    lower, upper = 1 / square, 1 / math.sqrt(square)
    for _ in range(40):
        step = (upper - lower) / 50
        best = max((lower + step * number for number in range(51)), key=of_size)
        lower, upper = best - step, best + step
    return of_size(best)


@pytest.mark.parametrize(
    ("stats", "elo0", "elo1"),
    [
        (games(4250, 0, 0), 1e-6, 10),
        (games(60, 40, 100), 5, 30),
        (games(40, 60, 100), -30, 5),
        (games(0, 0, 16700), 0.1, 5),
    ],
)
def test_llr_is_a_ratio_of_greatest_likelihoods(stats: Stats, elo0: float, elo1: float) -> None:
    """The same from the definition alone, without the equations of the source."""
    h0, h1 = (log_likelihood(stats.games, elo / NELO_UNIT) for elo in (elo0, elo1))
    assert Sprt(elo0, elo1).llr(stats) == pytest.approx(h1 - h0, rel=1e-6, abs=1e-6)


# What must hold anyway


@given(results)
def test_the_other_side_sees_the_same(stats: Stats) -> None:
    other = stats.swapped()
    assert other.elo == pytest.approx(-stats.elo)
    assert other.nelo == pytest.approx(-stats.nelo)
    assert other.elo_error == pytest.approx(stats.elo_error)
    assert other.los == pytest.approx(1 - stats.los)
    assert other.points + stats.points == stats.games.total
    assert other.swapped() == stats


@given(results, st.sampled_from(["normalized", "logistic"]))
def test_the_other_side_tests_the_same(stats: Stats, model: Model) -> None:
    llr = Sprt(-2, 7, model=model).llr(stats)
    assert Sprt(-7, 2, model=model).llr(stats.swapped()) == pytest.approx(-llr, abs=1e-6)


@given(results)
def test_errors_shrink_with_the_root_of_the_games(stats: Stats) -> None:
    more = stats + stats + stats + stats
    assert more.counts.total == 4 * stats.counts.total
    assert more.nelo_error == pytest.approx(stats.nelo_error / 2)
    if stats.variance > 0:
        assert Sprt(0, 5, model="logistic").llr(more) == pytest.approx(
            4 * Sprt(0, 5, model="logistic").llr(stats), rel=0.05, abs=0.05
        )


def test_elo_error_shrinks_with_the_root_of_the_games() -> None:
    few, many = pairs(34, 54, 31, 32, 64, 75), pairs(3400, 5400, 3100, 3200, 6400, 7500)
    assert many.elo == pytest.approx(few.elo)
    assert many.elo_error == pytest.approx(few.elo_error / 10, rel=1e-2)


def test_pairs_are_counted_whatever_their_order() -> None:
    stats = Stats()
    for first, second in product((0, 0.5, 1), repeat=2):
        stats.add_pair(first, second)
    assert stats.games == GameCounts(6, 6, 6)
    assert stats.pairs == PairCounts(1, 2, 2, 1, 2, 1)
    assert stats.pairs.frequencies == (1, 2, 3, 2, 1)
    assert (stats.points, stats.score, stats.elo, stats.los) == (9, 0.5, 0, 0.5)


def test_a_game_without_its_partner_does_not_enter_the_estimates() -> None:
    stats = pairs(34, 54, 31, 32, 64, 75)
    elo, played = stats.elo, stats.games.total
    stats.add_game(1)
    assert stats.elo == elo
    assert stats.games.total == played + 1


def test_single_games_are_the_observations_where_there_are_no_pairs() -> None:
    stats = Stats()
    for points in (1, 1, 0.5, 0):
        stats.add_game(points)
    assert stats.counts == GameCounts(2, 1, 1)
    assert stats.score == 0.625
    assert stats.draw_ratio == 0.25
    assert not any("Ptnml" in line or "PairsRatio" in line for line in stats.report())


@pytest.mark.parametrize("points", [2, -1, 0.25, math.nan])
def test_points_are_checked(points: float) -> None:
    stats = Stats()
    with pytest.raises(ValueError, match=r"invalid points .*: expected 0, 0\.5 or 1"):
        stats.add_pair(0.5, points)
    assert stats == Stats()


# The edges


def test_no_games() -> None:
    stats = Stats()
    assert (stats.elo, stats.nelo, stats.los, stats.points) == (0, 0, 0.5, 0)
    assert stats.elo_error == stats.nelo_error == math.inf
    assert stats.report() == [
        "Elo: 0.00 +/- inf, nElo: 0.00 +/- inf",
        "LOS: 50.00 %",
        "Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (50.00 %)",
    ]
    assert Sprt(0, 5).llr(stats) == 0
    assert Sprt(0, 5).decision(stats) is None


@pytest.mark.parametrize("stats", [games(10, 0, 0), pairs(0, 0, 0, 0, 0, 5)])
def test_elo_of_wins_only_is_infinite(stats: Stats) -> None:
    assert stats.elo == stats.nelo == stats.elo_error == stats.nelo_error == math.inf
    assert stats.los == 1
    assert stats.swapped().elo == -math.inf
    assert stats.swapped().los == 0
    count = stats.counts.total
    at_least = 400 * math.log10(1 / (1 - 0.025 ** (1 / count)) - 1)
    assert stats.elo_interval == pytest.approx((at_least, math.inf))
    assert stats.swapped().elo_interval == pytest.approx((-math.inf, -at_least))
    assert stats.report()[0] == f"Elo: inf, at least {at_least:.2f} (95 %)"
    assert stats.swapped().report()[0] == f"Elo: -inf, at most {-at_least:.2f} (95 %)"


@pytest.mark.parametrize("alike", [pairs(0, 0, 0, 4, 0, 0), pairs(0, 0, 4, 0, 0, 0)])
def test_pairs_that_all_end_alike_tell_an_interval(alike: Stats) -> None:
    """By the exact bound of Clopper and Pearson: 0.025 is the chance of four such pairs if another
    result comes up in 60.2 % of all."""
    rare = 1 - 0.025 ** (1 / 4)
    bound = 400 * math.log10((1 + rare) / (1 - rare))
    assert alike.elo_interval == pytest.approx((-bound, bound))
    assert alike.report()[0] == f"Elo: 0.00 +/- {bound:.2f}"
    better = pairs(0, 0, 0, 0, 4, 0)
    lower, upper = better.elo_interval
    assert lower < better.elo < upper < math.inf
    assert 0 < better.elo_error < math.inf


@given(results)
def test_an_interval_holds_the_estimate_and_narrows_with_the_games(stats: Stats) -> None:
    if not stats.counts.total:
        return
    lower, upper = stats.elo_interval
    assert lower <= stats.elo <= upper
    assert lower < upper
    more_lower, more_upper = (stats + stats + stats + stats).elo_interval
    assert more_upper - more_lower < upper - lower or upper - lower == math.inf


def test_one_pair() -> None:
    stats = Stats()
    stats.add_pair(1, 0.5)
    assert stats.elo == pytest.approx(190.85, abs=0.01)
    assert 0 < stats.elo_error < math.inf
    assert stats.report()[-1] == "Ptnml(0-2): [0, 0, 0, 1, 0]"
    assert 0 < Sprt(0, 5).llr(stats) < 0.2


def test_ratios_of_nothing_to_nothing_are_left_out() -> None:
    even = pairs(0, 0, 2, 1, 0, 0).report()
    assert (even[1], even[-1]) == (
        "LOS: 50.00 %, DrawRatio: 100.00 %",
        "Ptnml(0-2): [0, 0, 3, 0, 0], WL/DD Ratio: 2.00",
    )
    assert pairs(0, 0, 2, 0, 1, 0).report()[-1].endswith(", WL/DD Ratio: inf")  # as in fastchess


def test_an_interval_that_would_leave_the_scale_is_wilson_s() -> None:
    """Nine wins and a loss: scores from 0.596 to 0.982 (Wilson 1927)."""
    stats = games(9, 1, 0)
    scores = (0.5958, 0.9821)
    expected = [400 * math.log10(score / (1 - score)) for score in scores]
    assert stats.elo_interval == pytest.approx(expected, abs=1)
    assert stats.elo_error < math.inf


def test_report() -> None:
    assert pairs(332, 433, 457, 41, 333, 334).report() == [
        "Elo: -8.64 +/- 10.33, nElo: -9.17 +/- 10.96",
        "LOS: 5.05 %, DrawRatio: 25.80 %, PairsRatio: 0.87",
        "Games: 3860, Wins: 1458, Losses: 1554, Draws: 848, Points: 1882.0 (48.76 %)",
        "Ptnml(0-2): [332, 433, 498, 333, 334], WL/DD Ratio: 11.15",
    ]


# The test's ends


def test_bounds_and_decisions() -> None:
    test = Sprt(0, 5, 0.05, 0.05, "logistic")
    assert [f"{bound:.3f}" for bound in test.bounds] == ["-2.944", "2.944"]
    assert [f"{b:.2f}" for b in Sprt(0, 5, alpha=0.05, beta=0.1).bounds] == ["-2.25", "2.89"]
    assert test.decision(games(3000, 2500, 3000)) == "H1"
    assert test.decision(games(2500, 3000, 3000)) == "H0"
    assert test.decision(games(30, 25, 30)) is None
    assert test.report(games(2500, 3000, 3000)).startswith("LLR: -")
    assert test.report(games(2500, 3000, 3000)).endswith("%) (-2.94, 2.94) [0.00, 5.00]")


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("elo1", [1e-6, 1, 500, 5000])
def test_every_test_comes_to_an_end(model: Model, elo1: float) -> None:
    for counts in product((0, 1, 10**6), repeat=3):
        assert math.isfinite(Sprt(-elo1, elo1, model=model).llr(games(*counts)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"elo0": 5}, "elo0=5 elo1=5: expected elo0 below elo1"),
        ({"elo1": math.nan}, "expected elo0 below elo1"),
        ({"alpha": 0}, "alpha=0: expected a number from 0 to 1"),
        ({"beta": 1}, "beta=1: expected a number from 0 to 1"),
        ({"alpha": 0.5, "beta": 0.6}, "expected a sum below 1"),
        ({"model": "bayesian"}, "'bayesian': expected 'normalized' or 'logistic'"),
    ],
)
def test_tests_are_checked(change: dict[str, float], message: str) -> None:
    settings = {"elo0": 0, "elo1": 5, **change}
    with pytest.raises(ValueError, match=message):
        Sprt(**settings)  # type: ignore[arg-type]
