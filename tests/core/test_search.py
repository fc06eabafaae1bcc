"""The search: mates, determinism, limits, and repetition by the rules."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import signal
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.first_iteration import climb
from tests.oracle.mates import moves_to_mate
from tests.support.helpers import oracle_position
from tests.support.networks import random_network
from tests.support.soak import SOAK
from tests.support.systems import with_signals
from xiangqi import ALL_DRAWS, BLACK, RED, WXF, Board, Move, RuleSet, Verdict
from xiangqi.casebook.cases import Case, load_cases
from xiangqi.core.searcher import Parameters, Searcher
from xiangqi.core.searches import SCORES, SearchInfo, SearchLimits, SearchResult
from xiangqi.engine.searcher import PARAMETERS, make_parameters, make_searcher

pytestmark = pytest.mark.long

MATE, RULE_WIN = SCORES["mate"], SCORES["rule_win"]
TOO_MANY = 50_000_000
"""Nodes, which a search comes to only if nothing else ends it."""


def search(board: Board, rules: RuleSet = WXF, **limits: Any) -> SearchResult:
    return make_searcher(hash_mb=4).search(board, SearchLimits(**limits), rules.switches)


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("9/9/b3k4/2r6/9/9/3p5/B4A1r1/9/5K3 b", 1),
        ("P8/1P7/4k4/r5r2/9/9/9/3K5/9/5c3 b", 1),
        ("1cN2k3/9/9/9/9/9/9/4K3R/2r6/2B6 w", 1),
        ("4k4/9/6r2/r2c3C1/1P7/2B6/7p1/5K3/N8/9 b", 2),
        ("8r/5k3/n8/4c4/9/9/7r1/9/4K2C1/9 b", 2),
        ("6C2/3k1c3/9/9/9/2r6/7nN/4B4/4K4/3A5 b", 2),
        ("4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9 w", 2),
    ],
)
def test_mates_are_found_and_counted(fen: str, moves: int) -> None:
    """MEIHUA_SOAK=1 has the oracle prove the mates in two as well, by looking at every line."""
    board = Board(fen)
    if moves == 1 or SOAK:
        assert moves_to_mate(oracle_position(board), moves) == moves
    assert search(board, depth=8).score == MATE - (2 * moves - 1)


def test_a_side_without_a_move_has_lost_even_if_it_is_not_in_check() -> None:
    """The soldier's step leaves the general neither a move nor a check."""
    board = Board("3k5/9/4P4/9/9/9/9/9/9/4K4 w")
    result = search(board, depth=4)
    assert result.score == MATE - 1
    assert result.best is not None
    board.push(result.best)
    assert board.is_stalemate()


def test_no_allowed_move_gives_no_best_move() -> None:
    result = make_searcher(hash_mb=1).search(Board(), SearchLimits(depth=3, moves=()), WXF.switches)
    assert result.best is None
    assert result.nodes == 0


def test_one_thread_is_deterministic() -> None:
    board = Board()
    first, second = search(board, depth=9), search(board, depth=9)
    assert (first.best, first.score, first.nodes) == (second.best, second.score, second.nodes)


def test_a_cleared_searcher_is_a_new_one() -> None:
    searcher = make_searcher(hash_mb=4)
    limits = SearchLimits(depth=8)
    first = searcher.search(Board(), limits, WXF.switches)
    searcher.clear()
    second = searcher.search(Board(), limits, WXF.switches)
    assert (first.best, first.nodes) == (second.best, second.nodes)


def test_a_new_search_keeps_a_share_of_the_history() -> None:
    """The first search has none; the next one differs by what is kept of it."""
    nodes = []
    for kept in (10, 100):
        searcher = make_searcher(changes={"HISTORY_KEPT": kept}, hash_mb=4)
        moved = Board()
        moved.push_iccs("h2e2")
        limits = SearchLimits(depth=7)
        nodes.append([searcher.search(at, limits, WXF.switches).nodes for at in (Board(), moved)])
    (first, less), (again, more) = nodes
    assert first == again
    assert less != more


def test_lines_are_legal_and_begin_with_the_best_move() -> None:
    lines: list[SearchInfo] = []
    board = Board()
    result = make_searcher(hash_mb=4).search(
        board, SearchLimits(depth=9, multipv=3), WXF.switches, lines.append
    )
    assert [info.multipv for info in lines[-3:]] == [1, 2, 3]
    assert lines[-3].pv[0] == result.best
    assert len({info.pv[0] for info in lines[-3:]}) == 3
    assert lines[-3].score >= lines[-2].score >= lines[-1].score
    for info in lines:
        line = board.copy()
        for move in info.pv:
            line.push(move)


def test_the_root_move_that_is_searched_can_be_asked_for() -> None:
    searcher = make_searcher(hash_mb=16)
    assert searcher.current_move() is None
    seen: set[tuple[int, Move, int]] = set()

    def watch() -> None:
        while len(seen) < 20:
            at = searcher.current_move()
            if at is not None:
                seen.add(at)
        searcher.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    depth = searcher.search(Board(), SearchLimits(depth=40), WXF.switches).depth
    watcher.join()
    moves = Board().list_moves()
    assert all(move in moves for _, move, _ in seen)
    assert {number for _, _, number in seen} <= set(range(1, len(moves) + 1))
    assert {depth for depth, _, _ in seen} <= set(range(1, depth + 2))
    assert len({(depth, number) for depth, _, number in seen}) > 10
    searcher.search(Board(), SearchLimits(depth=1), WXF.switches)
    at = searcher.current_move()
    assert at is not None
    assert (at[0], at[2]) == (1, len(moves))


def test_root_moves_can_be_restricted() -> None:
    only = Move.from_iccs("a0a1")
    result = make_searcher(hash_mb=1).search(
        Board(), SearchLimits(depth=5, moves=[only]), WXF.switches
    )
    assert result.best == only


def test_limits() -> None:
    assert search(Board(), depth=3).depth == 3
    for nodes in (100, 777, 20_000):
        assert search(Board(), nodes=nodes).nodes == nodes
    soft = search(Board(), soft_nodes=777)
    assert soft.nodes == search(Board(), depth=soft.depth).nodes
    assert search(Board(), depth=soft.depth - 1).nodes < 777 <= soft.nodes
    assert search(Board(), hard_ms=100, nodes=TOO_MANY).nodes < TOO_MANY
    mate = search(Board("3a1k3/4a4/9/9/9/9/9/9/4R4/4K1R2 w"), mate=2, nodes=TOO_MANY)
    assert mate.nodes < TOO_MANY
    assert mate.score == MATE - 3


def test_nodes_are_those_of_all_threads() -> None:
    searcher = make_searcher(hash_mb=4, threads=3)
    nodes = searcher.search(Board(), SearchLimits(nodes=30_000), WXF.switches).nodes
    assert 30_000 <= nodes < 30_100  # a node or two that another thread had begun


EVERYTHING_HANGS = "2b1ka3/5P3/1rR2arPC/2Pc3N1/2c2n1nP/6R2/9/pC1Ap3B/4pNp2/5KBp1 w"


@pytest.mark.parametrize("nodes", [1, 2, 30, 1000])
def test_the_first_iteration_can_be_stopped(nodes: int) -> None:
    board = Board(EVERYTHING_HANGS)
    result = search(board, nodes=nodes)
    assert result.nodes == nodes
    assert result.depth == 0
    assert result.best in board.legal_moves
    assert abs(result.score) <= MATE


@pytest.mark.parametrize(
    "fen",
    [
        "2bak1b2/1r1ra4/3C5/p3n4/6p1p/P1P1P1P2/2C5P/B5N1B/4NccR1/1R1A1K3 b",
        "rn1ak1bnr/1R2a4/8C/2C1p4/2b2cp1p/p1P1P4/6PcP/B8/9/RN1AKABN1 b",
    ],
)
def test_a_loss_is_reported_where_it_is_proved(fen: str) -> None:
    """A search that ends among the first moves of an iteration knows that these lose, no more."""
    board = Board(fen)
    searcher = make_searcher(hash_mb=1)
    for nodes in range(5, 605, 20):
        infos: list[SearchInfo] = []
        searcher.clear()
        result = searcher.search(board, SearchLimits(nodes=nodes), WXF.switches, infos.append)
        assert min(result.score, infos[-1].score) > -SCORES["win_in_max"]
        assert infos[-1].pv[0] == result.best
        assert infos[-1].depth in (result.depth, result.depth + 1)


def test_a_search_that_ends_at_once_plays_what_is_known() -> None:
    searcher = make_searcher(hash_mb=4)
    known = searcher.search(Board(), SearchLimits(depth=8), WXF.switches)
    at_once = searcher.search(Board(), SearchLimits(nodes=1), WXF.switches)
    assert at_once.best == known.best


def test_quiescence_is_bounded() -> None:
    assert search(Board(EVERYTHING_HANGS), depth=1).nodes < 100_000
    for _, nodes in islice(climb(seed=1), 300):
        assert nodes < 100_000


def test_stop_ends_a_search_at_once() -> None:
    searcher = make_searcher(hash_mb=4)
    seen: list[SearchInfo] = []

    def stop_at_depth_8(info: SearchInfo) -> None:
        seen.append(info)
        if info.depth == 8:
            searcher.stop()

    result = searcher.search(Board(), SearchLimits(), WXF.switches, stop_at_depth_8)
    assert (result.depth, seen[-1].depth) == (8, 8)
    assert result.nodes - seen[-1].nodes < 2_000


def test_stop_from_outside_ends_all_threads() -> None:
    searcher = make_searcher(hash_mb=4, threads=2)
    timer = threading.Timer(0.2, searcher.stop)
    timer.start()
    result = searcher.search(Board(), SearchLimits(nodes=TOO_MANY), WXF.switches)
    assert result.nodes < TOO_MANY
    assert result.best is not None


def test_a_pondering_clock_stands_still_until_the_hit() -> None:
    """By the search's own clock: it goes on for the whole limit behind the hit, and then ends."""
    searcher = make_searcher(hash_mb=4)
    hits: list[int] = []

    def hit_when_over_time(info: SearchInfo) -> None:
        if info.milliseconds > 100 and not hits:
            hits.append(info.milliseconds)
            searcher.ponderhit()

    limits = SearchLimits(ponder=True, hard_ms=100, nodes=TOO_MANY)
    result = searcher.search(Board(), limits, WXF.switches, hit_when_over_time)
    assert hits
    assert result.milliseconds >= hits[0] + 100
    assert result.nodes < TOO_MANY


def test_an_error_in_a_callback_ends_the_search_and_arrives() -> None:
    def fail(info: SearchInfo) -> None:
        raise RuntimeError(str(info.depth))

    with pytest.raises(RuntimeError, match="1"):
        make_searcher(hash_mb=1).search(Board(), SearchLimits(), WXF.switches, fail)


def test_nodes_may_be_the_clock() -> None:
    late = search(Board(), hard_ms=500, nodes_per_ms=20)
    assert 10_000 <= late.nodes < 10_100
    soft = search(Board(), soft_ms=100, nodes_per_ms=20)
    assert soft.nodes == search(Board(), soft_nodes=2000).nodes


def test_a_clock_of_nodes_stands_still_until_the_hit() -> None:
    searcher = make_searcher(hash_mb=4)
    hits: list[int] = []

    def hit_when_over_time(info: SearchInfo) -> None:
        if info.nodes > 10_000 and not hits:
            hits.append(info.nodes)
            searcher.ponderhit()

    limits = SearchLimits(ponder=True, hard_ms=100, nodes_per_ms=50)
    nodes = searcher.search(Board(), limits, WXF.switches, hit_when_over_time).nodes
    assert hits[0] + 5000 - 50 <= nodes < hits[0] + 5100


def test_time_is_planned_anew_after_each_iteration() -> None:
    infos: list[SearchInfo] = []
    heard: list[tuple[int, Move, int, float]] = []

    def replan(depth: int, best: Move, score: int, effort: float) -> tuple[int, int]:
        heard.append((depth, best, score, effort))
        return (1 if depth == 6 else 10**6), 10**6

    limits = SearchLimits(soft_ms=1, hard_ms=10**6, nodes_per_ms=1, replan=replan)
    make_searcher(hash_mb=4).search(Board(), limits, WXF.switches, infos.append)
    assert [found[:3] for found in heard] == [
        (info.depth, info.pv[0], info.score) for info in infos
    ]
    assert [depth for depth, *_ in heard] == [1, 2, 3, 4, 5, 6]
    assert all(0 < effort < 1 for *_, effort in heard)
    limits = SearchLimits(depth=3, moves=[heard[0][1]], replan=replan)
    make_searcher(hash_mb=4).search(Board(), limits, WXF.switches)
    assert [effort for *_, effort in heard[6:]] == [1.0] * 3


FALLS = "4k4/4an3/b5r2/r1p1p4/p1P3p2/3c3cp/P3P1P2/5A2B/1R2A1C2/1N1CK1BN1 w"


@pytest.mark.parametrize("has_fallen", [True, False])
def test_an_iteration_is_broken_off_unless_its_score_has_fallen(has_fallen: bool) -> None:
    board, ends = Board(FALLS), [SearchInfo(0, 0, 1, 0, "exact", 0, 0, 0, ())]
    make_searcher(hash_mb=4).search(board, SearchLimits(depth=8), WXF.switches, ends.append)
    falls = [
        (before, info)
        for before, info in itertools.pairwise(ends)
        if info.depth > 4 and (info.score < before.score - 30) == has_fallen
    ]
    before, info = falls[-1]
    firm = (before.nodes + 9 * info.nodes) // 10

    def search_within(hard_ms: int) -> SearchResult:
        limits = SearchLimits(
            depth=info.depth,
            hard_ms=hard_ms,
            nodes_per_ms=1,
            replan=lambda *found: (10**6, firm),
        )
        return make_searcher(hash_mb=4).search(board, limits, WXF.switches)

    assert (search_within(10**6).depth == info.depth) == has_fallen
    assert search_within(firm).depth == before.depth


@pytest.mark.parametrize(
    "name", ["depth", "nodes", "soft_nodes", "soft_ms", "hard_ms", "mate", "nodes_per_ms"]
)
def test_limits_refuse_negative_numbers(name: str) -> None:
    wrong: dict[str, Any] = {name: -1}
    with pytest.raises(ValueError, match=f"{name} is -1"):
        SearchLimits(**wrong)


def test_unknown_limits_are_refused() -> None:
    wrong: dict[str, Any] = {"deep": 3}
    with pytest.raises(TypeError, match="unknown limit 'deep', expected one of depth, nodes"):
        SearchLimits(**wrong)
    with pytest.raises(AttributeError, match="no limit 'deep'"):
        _ = SearchLimits().deep


def test_limits_are_read_and_copied_under_their_names() -> None:
    given: dict[str, Any] = {"depth": 9, "nodes": 10**15, "ponder": True, "contempt": -20}
    limits = SearchLimits(**given, moves=Board().list_moves()[:2])
    for same in (limits, copy.copy(limits), pickle.loads(pickle.dumps(limits))):
        assert {name: getattr(same, name) for name in given} == given
        assert (same.multipv, same.no_capture_limit, same.replan) == (1, 120, None)
        assert same.moves == tuple(Board().list_moves()[:2])


# Repetition


DECISIVE = [case for case in load_cases() if case.verdict in (Verdict.RED_WINS, Verdict.BLACK_WINS)]
IDS = [case.id for case in DECISIVE]


def about_to_close(case: Case) -> tuple[Board, Move]:
    """A case one ply before the third occurrence, the offender to move; and the closing move."""
    offender = RED if case.verdict is Verdict.BLACK_WINS else BLACK
    for phase in range(2):
        board = case.record(rounds=2, phase=phase).play()
        closing = board.pop()
        if board.turn == offender:
            return board, closing
    raise AssertionError(case.id)


@pytest.mark.parametrize("case", DECISIVE, ids=IDS)
def test_closing_the_cycle_loses_by_rule(case: Case) -> None:
    board, closing = about_to_close(case)
    assert forced(board, closing, WXF).score == 1 - RULE_WIN
    assert forced(board, closing, ALL_DRAWS).score == 0


@pytest.mark.parametrize("case", DECISIVE, ids=IDS)
def test_the_offender_leaves_the_cycle_unless_all_loses(case: Case) -> None:
    board, closing = about_to_close(case)
    result = search(board, depth=5)
    assert result.best != closing or result.score <= 1 - RULE_WIN


def forced(board: Board, move: Move, rules: RuleSet) -> SearchResult:
    limits = SearchLimits(depth=5, moves=[move])
    return make_searcher(hash_mb=1).search(board, limits, rules.switches)


def loses_by_its_own_line(case: Case, rules: RuleSet) -> bool:
    """Does the engine, given the position of a case as a bare FEN, follow a line in which it loses
    by its second return to a position, though it does not think itself lost?"""
    board, _ = about_to_close(case)
    bare, twice = Board(board.fen()), WXF.replace({"occurrences": 2})
    infos: list[SearchInfo] = []
    limits = SearchLimits(depth=8)
    result = make_searcher(hash_mb=4).search(bare, limits, rules.switches, infos.append)
    for move in infos[-1].pv:
        bare.push(move)
        outcome = bare.outcome(twice)
        if outcome is not None and outcome.termination.is_repetition:
            return outcome.winner == (not board.turn) and result.score > 1000 - RULE_WIN
    return False


def test_without_history_no_line_of_the_search_loses_by_repetition() -> None:
    """A search that holds every repetition for a draw follows such lines."""
    assert [case.id for case in DECISIVE if loses_by_its_own_line(case, WXF)] == []
    assert sum(loses_by_its_own_line(case, ALL_DRAWS) for case in DECISIVE) > 10


@pytest.mark.parametrize("case", DECISIVE, ids=IDS)
def test_scores_of_a_repetition_do_not_enter_the_table(case: Case) -> None:
    """A score that depends on the history is not valid for the position alone: the same searcher,
    called again without the history, must answer like a fresh one (the graph-history interaction).
    """
    board, closing = about_to_close(case)
    without = Board(board.setup())
    limits = SearchLimits(depth=1, moves=[closing])
    searcher = make_searcher(hash_mb=1)
    assert searcher.search(board, limits, WXF.switches).score == 1 - RULE_WIN
    again = searcher.search(without, limits, WXF.switches)
    fresh = make_searcher(hash_mb=1).search(without, limits, WXF.switches)
    assert again.score == fresh.score
    assert abs(again.score) < RULE_WIN - 1000


def test_normal_positions_pay_nothing_for_the_rules() -> None:
    result = search(Board(), depth=9)
    repeated, _, chases = result.repetition_stages
    assert chases <= repeated
    assert repeated < result.nodes / 20


# Parameters


def test_parameters_are_those_of_the_core() -> None:
    """The core gives the order; the table here need not keep to it, but it does."""
    assert tuple(parameter.name for parameter in PARAMETERS) == Parameters.names
    with pytest.raises(ValueError, match="unknown parameters: REVERSE_FUTILITY_DEPTH, X"):
        Parameters({**dict.fromkeys(Parameters.names[2:], 1), "ASPIRATION_WINDOW": 1, "X": 1})


def test_core_names_each_parameter_with_its_default_and_meaning() -> None:
    path = Path(__file__).parents[2] / "ext/xiangqi/core/search/params.pxd"
    remarks = re.findall(r"^    (\w+) +# (-?\d+): (.+)$", path.read_text("utf-8"), re.MULTILINE)
    assert remarks == [(one.name, str(one.default), one.meaning) for one in PARAMETERS]


def test_parameters_stand_in_their_bounds_and_refuse_others() -> None:
    for parameter in PARAMETERS:
        assert parameter.least <= parameter.default <= parameter.most
        assert parameter.meaning
    with pytest.raises(ValueError, match="unknown parameter 'X'"):
        make_parameters({"X": 1})
    with pytest.raises(ValueError, match="REVERSE_FUTILITY_DEPTH is 99, expected 0 to 12"):
        make_parameters({"REVERSE_FUTILITY_DEPTH": 99})


def test_two_engines_with_other_numbers_do_not_disturb_each_other() -> None:
    """Parameters and networks belong to a searcher: by turns in one process, or alone."""
    makers: list[Callable[[], Searcher]] = [
        lambda: make_searcher(hash_mb=1),
        lambda: make_searcher(
            hash_mb=1, changes={"REVERSE_FUTILITY_DEPTH": 0, "REDUCTION_BASE": 20}
        ),
        lambda: Searcher(make_parameters(), random_network(), hash_mb=1),
    ]

    def nodes(searcher: Searcher, depth: int) -> int:
        return searcher.search(Board(), SearchLimits(depth=depth), WXF.switches).nodes

    alone = [[nodes(searcher, depth) for depth in (5, 6, 7)] for searcher in (m() for m in makers)]
    together = [make() for make in makers]
    by_turns = [[nodes(searcher, depth) for searcher in together] for depth in (5, 6, 7)]
    assert by_turns == [list(row) for row in zip(*alone, strict=True)]
    assert len({tuple(row) for row in alone}) == len(makers)


@with_signals
def test_signal_handler_runs_and_can_end_a_search() -> None:
    """Its handler runs, and what it raises ends the search."""
    heard = []

    def handle(number: int, frame: object) -> None:
        heard.append(number)
        if len(heard) == 3:
            raise InterruptedError("the third")

    searcher = make_searcher(hash_mb=4)
    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        with pytest.raises(InterruptedError, match="the third"):
            searcher.search(Board(), SearchLimits(), WXF.switches)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert searcher.search(Board(), SearchLimits(depth=3), WXF.switches).depth == 3
