"""A game looked at move by move: losses, marks, mates, the only moves."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

import xiangqi.analysis
from tests.support.patience import PATIENCE_S
from xiangqi import BLACK, RED, Board, Meihua, Move
from xiangqi.analysis.annotation import sum_up
from xiangqi.analysis.engines import Effort, EngineAnalyst, EngineLine, OurAnalyst
from xiangqi.analysis.game import (
    DEEPER,
    QUICK,
    AnalysisSettings,
    GameAnalysis,
    PlyAnalysis,
    analyse_moves,
)
from xiangqi.analysis.values import THRESHOLDS, MoveMark, Value, mark_of_loss
from xiangqi.board.scores import Cp, PlayResult, PovScore
from xiangqi.games.comments import Eval

START = Board().fen()
NODES = 1000


def moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.from_iccs, text.split()))


class Told:
    """An analyst with given answers, which records its calls.

    ``book`` has, by the plies played, the best move and Red's centipawns; where deeper searches
    say something else, under ``deep``, a quick look under ``quick``, the others under ``others``.
    """

    name = "told"

    def __init__(self, **said: dict[int, tuple[str, int]]) -> None:
        self.said = said
        self.asked: list[tuple[int, str]] = []
        self.games = 0

    def new_game(self) -> None:
        self.games += 1

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        kinds = {NODES: "book", NODES * DEEPER: "deep", round(NODES * QUICK): "quick"}
        kinds[NODES * DEEPER**2] = "deepest"
        kind = "others" if banned else kinds[effort.nodes]
        self.asked.append((board.ply(), kind))
        said = self.said.get(kind) or (self.said.get("deep", {}) if kind == "deepest" else {})
        move, cp = said.get(board.ply()) or self.said["book"].get(board.ply(), ("a0a1", 0))
        return EngineLine(Value.of_cp(cp), moves(move), 9, 5)

    def close(self) -> None:
        """Nothing to be done."""


def look(played: str, **said: dict[int, tuple[str, int]]) -> tuple[GameAnalysis, Told]:
    analyst = Told(**said)
    settings = AnalysisSettings(effort=Effort(nodes=NODES))
    return analyse_moves(START, moves(played), analyst, settings), analyst


def one(played: str, **said: dict[int, tuple[str, int]]) -> PlyAnalysis:
    return look(played, **said)[0].plies[0]


# Values and marks


def test_points_are_symmetric_and_grow() -> None:
    last = -1.0
    for cp in range(-3000, 3001, 50):
        points = Value.of_cp(cp).points(RED)
        assert points >= last
        assert points + Value.of_cp(cp).points(BLACK) == pytest.approx(1)
        assert points + Value.of_cp(-cp).points(RED) == pytest.approx(1, abs=0.002)
        last = points
    assert Value.of_cp(0).points(RED) == 0.5
    assert Value.of_mate(3).points(RED) == 1 == Value.of_winner(BLACK, "rule").points(BLACK)
    assert Value.of_winner(None).points(RED) == 0.5


def test_the_engines_own_chances_are_taken() -> None:
    assert Value.of_cp(0, (700, 100)).points(RED) == 0.8
    assert Value.of_cp(0, (700, 100)).points(BLACK) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Value.of_cp(-35), Eval(cp=-35)),
        (Value.of_mate(-2), Eval(mate=-2)),
        (Value.of_winner(RED, "rule"), Eval(cp=9999)),
        (Value.of_winner(BLACK, "rule"), Eval(cp=-9999)),
        (Value.of_cp(20_000), Eval(cp=9999)),
    ],
)
def test_value_is_written_as_an_eval_comment(value: Value, expected: Eval) -> None:
    assert value.eval() == expected


def test_marks_grow_with_the_loss() -> None:
    for mark, least in THRESHOLDS.items():
        assert mark_of_loss(least) is mark
        assert mark_of_loss(math.nextafter(least, 0)) is not mark
    assert mark_of_loss(1.0) is MoveMark.BLUNDER
    assert mark_of_loss(0.0) is None


def test_the_figures_of_the_page_are_those_of_the_model() -> None:
    page = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")
    shown = re.findall(r"\+(\d\.\d\d) is (0\.\d\d)", page)
    assert len(shown) == 3
    for soldiers, points in shown:
        value = Value.of_cp(round(100 * float(soldiers)))
        assert f"{value.points(RED):.2f}" == points
    marks = {mark.sign: least for mark, least in THRESHOLDS.items()}
    rows = re.findall(r"^\| `(\S+)` \w+ \| (0\.\d\d) \| (\d\.\d) soldiers", page, re.MULTILINE)
    assert {sign: float(least) for sign, least, _ in rows} == marks
    for _, least, soldiers in rows:
        lost = [cp for cp in range(1000) if 0.5 - Value.of_cp(-cp).points(RED) >= float(least)]
        assert f"{lost[0] / 100:.1f}" == soldiers


def test_an_effort_in_parts() -> None:
    assert Effort(nodes=100, seconds=1).times(0.05) == Effort(5, 0.05)
    assert Effort(depth=10).times(4) == Effort(depth=12)
    assert Effort(depth=2).times(0.05) == Effort(depth=1)
    assert Effort(nodes=1).times(0.05).nodes == 1


# What a move has lost


def test_the_best_move_loses_nothing() -> None:
    ply = one("h2e2", book={0: ("h2e2", 50), 1: ("h9g7", -400)})
    assert (ply.loss, ply.loss_cp, ply.mark) == (0, 0, None)
    assert ply.after == Value.of_cp(-400)


def test_another_move_loses_the_difference() -> None:
    ply = one("h2e2", book={0: ("h0g2", 50), 1: ("h9g7", -400)})
    assert ply.loss == Value.of_cp(50).points(RED) - Value.of_cp(-400).points(RED)
    assert ply.loss_cp == 450
    assert ply.mark is MoveMark.BLUNDER
    assert ply.before == Value.of_cp(50)


def test_blacks_loss_is_reds_gain() -> None:
    game, _ = look("h2e2 h9g7", book={0: ("h2e2", 0), 1: ("b9c7", 0), 2: ("h0g2", 250)})
    assert game.plies[1].mark is MoveMark.MISTAKE
    assert game.plies[1].loss_cp == 250


def test_a_move_may_be_better_than_the_engine_thought() -> None:
    ply = one("h2e2", book={0: ("h0g2", 50), 1: ("h9g7", 400)})
    assert (ply.loss, ply.mark) == (0, None)
    assert ply.before == Value.of_cp(400)


def test_a_doubtful_move_is_looked_at_again() -> None:
    said = {"book": {0: ("h0g2", 0), 1: ("h9g7", -300)}, "deep": {1: ("h9g7", -20)}}
    game, analyst = look("h2e2", **said)
    assert game.plies[0].mark is None
    assert analyst.asked == [(0, "quick"), (1, "book"), (0, "book"), (1, "deep"), (0, "deep")]


def test_move_that_still_loses_is_searched_a_third_time() -> None:
    book = {0: ("h0g2", 0), 1: ("h9g7", -300)}
    game, analyst = look("h2e2", book=book, deepest={1: ("h9g7", -20)})
    assert game.plies[0].mark is None
    assert analyst.asked[-2:] == [(1, "deepest"), (0, "deepest")]
    game, analyst = look("h2e2", book=book)
    assert game.plies[0].mark is MoveMark.MISTAKE


def test_an_inaccuracy_has_to_be_seen_twice() -> None:
    """More is believed of the longer look alone, which is then not near the threshold."""
    small, less, grave = ({0: ("h0g2", 0), 1: ("h9g7", cp)} for cp in (-150, -80, -400))
    assert one("h2e2", book=small).mark is MoveMark.INACCURACY
    assert one("h2e2", book=small, deep=less, deepest=small).mark is None
    assert one("h2e2", book=small, deep=small, deepest=less).mark is None
    assert one("h2e2", book=small, deep=small, deepest=grave).mark is MoveMark.BLUNDER
    ply = one("h2e2", book=small, deep=less, deepest=small)
    assert ply.loss < THRESHOLDS[MoveMark.INACCURACY]
    assert ply.mark is None


def test_refuted_move_stays_refuted_when_a_neighbour_is_searched() -> None:
    """The last move is a mistake, for which the position before it is looked at a third time."""
    said = {"book": {0: ("h0g2", 0), 1: ("b9c7", -150), 2: ("h0g2", 330)}}
    said["deep"] = {**said["book"], 1: ("b9c7", -60)}
    said["deepest"] = {**said["book"], 0: ("h0g2", 30), 1: ("b9c7", -160)}
    game, _ = look("h2e2 h9g7", **said)
    first, second = game.plies
    assert first.loss >= THRESHOLDS[MoveMark.INACCURACY]
    assert first.mark is None
    assert second.mark is MoveMark.BLUNDER


def test_move_made_doubtful_by_a_deeper_search_is_searched_deeper() -> None:
    """The deeper value after the first move makes the second one lose."""
    game, analyst = look(
        "h2e2 h9g7",
        book={0: ("h0g2", 0), 1: ("b9c7", 300), 2: ("h0g2", 300)},
        deep={0: ("h0g2", 0), 1: ("b9c7", 0), 2: ("h0g2", 300)},
    )
    assert game.plies[0].mark is None
    assert game.plies[1].mark is None  # nothing made it doubtful
    game, analyst = look(
        "h2e2 h9g7",
        book={0: ("h0g2", 0), 1: ("b9c7", -300), 2: ("h0g2", -300)},
        deep={0: ("h0g2", 0), 1: ("b9c7", -320), 2: ("h0g2", 200)},
    )
    assert [ply.mark for ply in game.plies] == [MoveMark.MISTAKE, None]
    assert (2, "deep") not in analyst.asked


def test_each_game_begins_anew() -> None:
    assert look("h2e2 h9g7", book={})[1].games == 1


def test_the_only_good_move_that_is_hard_to_see() -> None:
    book = {0: ("h2e2", 0), 1: ("h9g7", 0)}
    hard = {"quick": {0: ("a0a1", 0)}, "others": {0: ("a0a1", -300)}}
    assert one("h2e2", book=book, **hard).mark is MoveMark.GOOD
    assert one("h2e2", book=book, quick=book, others=hard["others"]).mark is None
    assert one("h2e2", book=book, quick=hard["quick"], others={0: ("a0a1", -50)}).mark is None


# With our engine


def analyse(fen: str, played: str, nodes: int = 3000) -> GameAnalysis:
    settings = AnalysisSettings(effort=Effort(nodes=nodes))
    return analyse_moves(fen, moves(played), OurAnalyst(), settings)


def test_a_mate_that_was_missed() -> None:
    (ply,) = analyse("4k4/R8/9/9/9/9/9/1Rr6/9/3K5 w", "d0d1").plies
    assert ply.missed_mate == 2
    assert ply.mark is MoveMark.BLUNDER
    assert ply.best is not None
    assert ply.best.moves[0] == Move.from_iccs("b2b9")
    assert sum_up([ply], RED).mates_missed == 1


def test_a_mate_that_is_played_is_not_missed() -> None:
    game = analyse("4k4/R8/9/9/9/9/9/1R7/9/3K5 w", "b2b9")
    assert [ply.missed_mate for ply in game.plies] == [None]
    assert game.plies[0].after == Value.of_winner(RED)
    slow = analyse("4k4/R8/9/9/9/9/9/1R7/9/3K5 w", "b2b1 e9f9 b1b9")
    assert [ply.missed_mate for ply in slow.plies] == [None] * 3


def test_a_cannon_that_is_given_away() -> None:
    """It takes a soldier, and a horse takes it."""
    game = analyse(START, "h2e2 h9g7 e2e6 g7e6")
    assert [ply.mark for ply in game.plies[:2]] == [None, None]
    assert game.plies[2].mark in (MoveMark.MISTAKE, MoveMark.BLUNDER)
    assert game.plies[2].loss_cp > 150
    assert game.plies[3].loss == 0


def test_the_same_again() -> None:
    played = "h2e2 h9g7 h0g2 b7b5 c3c4 b5h5"
    first = analyse(START, played)
    assert analyse(START, played) == first
    analyst = OurAnalyst()
    settings = AnalysisSettings(effort=Effort(nodes=3000))
    for _ in range(2):  # what was seen before makes no difference
        assert analyse_moves(START, moves(played), analyst, settings) == first


def test_a_game_without_moves() -> None:
    game = analyse(START, "")
    assert game.plies == ()
    assert game.first is not None


# Sums


def test_accuracy_and_marks_of_each_side_are_summed() -> None:
    game, _ = look(
        "h2e2 h9g7 h0g2 i9h9",
        book={
            0: ("h2e2", 0),
            1: ("b9c7", 0),
            2: ("h0g2", 450),
            3: ("b9c7", 2400),
            4: ("i0h0", 2500),
        },
    )
    red, black = (sum_up(game.plies, side) for side in (RED, BLACK))
    assert (red.moves, red.average_loss, red.accuracy, red.marks) == (2, 0, 100, {})
    assert (black.moves, black.average_loss, black.marks) == (2, 225, {MoveMark.BLUNDER: 1})
    assert black.accuracy == 0  # the second move had nothing left to lose
    assert sum_up([], RED).accuracy is None


# From Python


@pytest.mark.parametrize("name", xiangqi.analysis.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(xiangqi.analysis, name).__name__ == name


def test_any_engine_of_the_vocabulary_will_do() -> None:
    with Meihua() as engine:
        analyst = EngineAnalyst(engine)
        settings = AnalysisSettings(effort=Effort(nodes=500))
        game = analyse_moves(START, moves("h2e2 h9g7 e2e6 g7e6"), analyst, settings)
    assert game.plies[2].mark in (MoveMark.MISTAKE, MoveMark.BLUNDER)
    assert game.analyst == analyst.name
    assert "Meihua" in analyst.name


class Slow:
    """An engine that sends a depth every few milliseconds, and then nothing."""

    id: ClassVar = {"name": "slow"}

    def __init__(self, depths: int, pause_s: float) -> None:
        self.depths = depths
        self.pause_s = pause_s
        self.is_closed = threading.Event()
        self.watches: list[int] = []

    def __enter__(self) -> Slow:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing goes on."""

    def analysis(self, board: Board, limit: object, **_: object) -> Slow:
        return self

    def __iter__(self) -> Iterator[dict[str, object]]:
        for depth in range(self.depths):
            if self.is_closed.wait(self.pause_s):
                raise RuntimeError(f"closed at depth {depth}")
            self.watches.append(sum(one.name == "watch" for one in threading.enumerate()))
            yield {"depth": depth, "score": PovScore(Cp(depth), RED), "pv": moves("h2e2")}
        self.is_closed.wait(PATIENCE_S)

    def wait(self) -> PlayResult:
        return PlayResult(Move.from_iccs("h2e2"), None)

    def close(self) -> None:
        self.is_closed.set()


def test_engine_that_keeps_reporting_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer in all than it may be silent; one thread watches it, and ends it in the end."""
    monkeypatch.setattr("xiangqi.analysis.engines.PATIENCE_S", 1.0)
    slow = Slow(depths=60, pause_s=0.02)
    line = EngineAnalyst(slow).search(Board(), Effort(nodes=10))  # type: ignore[arg-type]
    assert line is not None
    assert line.depth == 59
    assert set(slow.watches) == {1}
    assert slow.is_closed.is_set()
