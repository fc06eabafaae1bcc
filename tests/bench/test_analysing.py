"""The benches of analysing: the same work for both sides, and marks against longer searches."""

from __future__ import annotations

from collections import Counter

import pytest

from bench import analysing, measure, refuting
from bench.analysing import Cost, describe_costs, make_games, measure_games, median_cost
from tests.support.systems import on_linux
from xiangqi import Move
from xiangqi.analysis.engines import Effort, borrow_analyst
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.analysis.values import MoveMark
from xiangqi.games.tree import Game


@on_linux
def test_two_processes_do_the_work_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "NODES", 50)
    monkeypatch.setattr(measure, "COUNTING_STEPS", 1000)
    monkeypatch.setattr(analysing, "PLAYING", Effort(nodes=20))
    games = make_games(2)
    assert all(len(game.moves()) > 6 for game in games)
    assert make_games(2) == games
    result = measure_games(games, 1)
    (row,) = result.rows
    assert row.ratio is not None
    assert row.theirs is not None
    assert row.theirs.values[0] > 0
    assert len(result.notes) == 2


def test_costs_are_summarized_as_medians_and_ratios() -> None:
    costs = {
        ("counting", 1): [Cost(10, 10)],
        ("counting", 2): [Cost(12.5, 20)],
        ("analysing", 1): [Cost(100, 100), Cost(90, 99), Cost(300, 101)],
        ("analysing", 2): [Cost(62.5, 102)],
    }
    assert median_cost(costs["analysing", 1]) == Cost(100, 100)
    clock, work = describe_costs(costs)
    assert "1.60 times the work of one" in clock
    assert "two that analyse 1.60 times: 2.00 times if" in clock
    assert "1.020 times as much as one" in work
    assert "1.96 times the work" in work


@pytest.mark.parametrize(
    ("mark", "loss", "verdict"),
    [
        (MoveMark.BLUNDER, 0.3, "holds"),
        (MoveMark.BLUNDER, 0.15, "milder"),
        (MoveMark.BLUNDER, 0.04, "refuted"),
        (MoveMark.INACCURACY, 0.5, "holds"),
        (MoveMark.MISTAKE, 0.0, "refuted"),
    ],
)
def test_deeper_search_confirms_or_refutes_a_mark(
    mark: MoveMark, loss: float, verdict: str
) -> None:
    assert refuting.judge_mark(mark, loss) == verdict


def test_mark_of_a_lost_cannon_is_confirmed() -> None:
    game = Game()
    game.add_line(map(Move.from_iccs, "h2e2 h9g7 e2e6 g7e6".split()))
    nodes = 3_000
    settings, analyst = (
        AnalysisSettings(effort=Effort(nodes=nodes)),
        refuting.CountingAnalyst(borrow_analyst()),
    )
    ((ply, before),) = refuting.find_marked(game, analyst, settings)
    assert ply.ply == before.ply() == 2
    assert ply.mark is not None
    assert analyst.nodes >= 5 * nodes + 2 * 4 * nodes  # each position, and two once more
    assert refuting.loss_of(before, ply, analyst, settings, 10) > 0.08
    words = refuting.describe(MoveMark.BLUNDER, Counter({(MoveMark.BLUNDER, "holds"): 3}))
    assert "3: holds 3 (100.0%), milder 0 (0.0%)" in words
