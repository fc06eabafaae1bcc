"""The engine without protocol text, on a searcher that does not think."""

from __future__ import annotations

import dataclasses
import queue
import threading
import time
from collections.abc import Callable

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from xiangqi import (
    STARTING_FEN,
    Board,
    FenError,
    Move,
    PositionError,
    RecordError,
    Setup,
    parse_fen,
)
from xiangqi.core.evaluator import LIMITS
from xiangqi.engine import (
    MATE,
    RULE_WIN,
    BusyError,
    Clock,
    CurrentMove,
    Engine,
    HashEntry,
    Limits,
    SearchResult,
    is_decided,
    is_mate_score,
    moves_to_mate,
)
from xiangqi.engine.options import OPTIONS, REPETITION_RULES, Option, OptionError
from xiangqi.referee.rules import RULE_SETS, WXF

LONGEST = 120  # plies of a line that the search looks at
MATED_FEN = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b"
CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CHECK_MOVES = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split()
ENDLESS = Limits(infinite=True)


class Heard:
    """An engine and what it says."""

    def __init__(self, **settings: float) -> None:
        self.searcher = FakeSearcher(**settings)  # type: ignore[arg-type]
        self.messages: list[str] = []
        self.depths: list[int] = []
        self.results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
        self.engine = Engine(
            self.searcher,
            on_info=lambda info: self.depths.append(info.depth),
            on_best=self.results.put,
            on_message=self.messages.append,
        )

    def result(self) -> SearchResult:
        return self.results.get(timeout=10)

    def go(self, limits: Limits) -> SearchResult:
        self.engine.go(limits)
        return self.result()


def moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.from_iccs, text.split()))


# Positions


def test_positions_are_set_up_and_kept_when_wrong() -> None:
    engine = Engine(FakeSearcher())
    assert engine.board.fen() == STARTING_FEN
    engine.set_position(moves=["h2e2", Move.from_iccs("h9g7")])
    before = engine.board
    assert before.ply() == 2
    with pytest.raises(RecordError, match="move 2: 'h2e2': there is no piece on h2") as caught:
        engine.set_position(moves=["h2e2", "h2e2"])
    assert caught.value.ply == 1
    with pytest.raises(FenError):
        engine.set_position("nonsense")
    with pytest.raises(PositionError):
        engine.set_position("4k4/9/9/9/9/9/9/9/9/9 w")
    assert engine.board == before
    assert engine.board.ply() == 2


def test_a_board_brings_its_history() -> None:
    board = Board(CHECK_FEN)
    for move in CHECK_MOVES[:-1]:
        board.push_iccs(move)
    engine = Engine(FakeSearcher())
    engine.set_position(board, CHECK_MOVES[-1:])
    assert engine.board.repetitions() == 3
    board.pop()
    with pytest.raises(RecordError, match="move 7: 'f8e8'") as caught:
        engine.set_position(board, CHECK_MOVES[-1:])
    assert caught.value.ply == 6
    assert (board.ply(), engine.board.ply()) == (6, 8)


class Unwritable(Board):
    """A board that cannot be made text of."""

    def fen(self) -> str:
        raise AssertionError("the board is at hand")

    root_fen = fen

    @property
    def move_stack(self) -> list[Move]:
        raise AssertionError("the board is at hand")


def test_a_board_is_handed_down_as_it_is() -> None:
    board = Unwritable(CHECK_FEN)
    for move in CHECK_MOVES[:4]:
        board.push_iccs(move)
    heard = Heard()
    heard.engine.set_position(board)
    heard.engine.probe(board, ["f0e0"])
    assert heard.go(Limits(depth=1)).best in board.legal_moves
    assert heard.engine.play(board, Limits(depth=1)).best in board.legal_moves
    with heard.engine.analysis(board, Limits(depth=1)) as lines:
        assert list(lines)
    assert (board.ply(), heard.engine.board.ply()) == (4, 4)
    assert heard.messages == []


@pytest.mark.parametrize(
    ("lines", "parsed"),
    [
        (["uci", f"position fen {CHECK_FEN} moves f0e0 e8f8", "go depth 1"], 1),
        (["uci", f"position fen {CHECK_FEN} moves f1e1 e9f9", "go depth 1"], 2),
        (["ucci", f"position fen {CHECK_FEN} moves f0e0 e8f8", "go depth 1"], 1),
        (["ucci", f"probe fen {CHECK_FEN} moves f0e0"], 1),
        (["xboard", f"setboard {CHECK_FEN}", "force", "usermove f0e0", "undo", "hard", "sd 1"], 1),
        (["xboard", f"setboard {CHECK_FEN}", "force", "sd 1", "hard", "go", "usermove e8f8"], 1),
    ],
)
def test_a_position_is_read_once(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], parsed: int
) -> None:
    """Or once with each way of counting ranks, until one makes sense."""
    read: list[str] = []

    def parse_and_note(fen: str) -> Setup:
        if fen != STARTING_FEN:
            read.append(fen)
        return parse_fen(fen)

    with Conversation() as talk:
        monkeypatch.setattr("xiangqi.core.board.parse_fen", parse_and_note)
        talk.ask(*lines)
        assert talk.engine.wait(10)
    assert len(read) == parsed, read


def test_who_changes_a_board_does_not_change_the_search_of_it() -> None:
    heard = Heard(step_ms=20)
    board = Board(CHECK_FEN)
    with heard.engine.analysis(board, Limits(depth=3)) as lines:
        board.push(next(iter(board.legal_moves)))
        best = lines.stop().best
    assert best in Board(CHECK_FEN).legal_moves


# What a search tells


def test_a_long_search_tells_the_root_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the engine's own searcher; and the last info has all nodes."""
    monkeypatch.setattr("xiangqi.engine.running.CURRENT_MOVE_AFTER_S", 0.01)
    monkeypatch.setattr("xiangqi.engine.running.CURRENT_MOVE_EVERY_S", 0.001)
    told: queue.SimpleQueue[CurrentMove] = queue.SimpleQueue()
    results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
    nodes: list[int] = []
    engine = Engine(
        on_info=lambda info: nodes.append(info.nodes), on_best=results.put, on_current=told.put
    )
    engine.go(ENDLESS)
    moves = Board().list_moves()
    seen = [told.get(timeout=10) for _ in range(5)]
    assert all(current.move in moves for current in seen)
    assert all(1 <= current.number <= len(moves) for current in seen)
    assert len(set(seen)) == 5
    engine.stop()
    assert results.get(timeout=10).nodes == nodes[-1]


def test_a_search_that_must_be_short_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.engine.running.CURRENT_MOVE_AFTER_S", 0.1)
    heard = Heard()
    heard.searcher.at = (1, Move.from_iccs("h2e2"), 1)
    told: list[CurrentMove] = []
    heard.engine.on_current = told.append
    heard.go(Limits(movetime_ms=90))
    assert told == []
    heard.go(Limits(movetime_ms=500))
    assert told == [CurrentMove(*heard.searcher.at)]


# Options


@pytest.mark.parametrize(
    ("name", "value", "parsed"),
    [
        ("hash", "64", 64),
        ("hash", 128, 128),
        ("multipv", "003", 3),
        ("ponder", "TRUE", True),
        ("ponder", True, True),
        ("ponder", "on", True),
        ("ponder", "1", True),
        ("ponder", "Yes", True),
        ("repetition", "CheckBan", "checkban"),
        ("no_capture_rounds", 0, 0),
    ],
)
def test_options(name: str, value: str | int | bool, parsed: object) -> None:
    engine = Engine(FakeSearcher())
    engine.set_option(name, value)
    assert engine.options[name] == parsed


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("hash", "0", "invalid option hash '0': expected a number 1 to 65536"),
        ("hash", "65537", "expected a number 1 to 65536"),
        ("hash", "9" * 10_000, "expected a number 1 to 65536"),
        ("hash", "-1", "expected a number"),
        ("hash", "1_6", "expected a number"),
        ("hash", "", "expected a number"),
        ("hash", "8192", r"expected less than that \(no memory\)"),
        ("ponder", "2", "expected true or false"),
        ("repetition", "fide", "expected one of wxf, axf"),
        ("skill", "3", "expected one of the options hash, threads"),
    ],
)
def test_options_refused(name: str, value: str, message: str) -> None:
    engine = Engine(FakeSearcher())
    before = dict(engine.options)
    with pytest.raises(OptionError, match=message):
        engine.set_option(name, value)
    assert engine.options == before


@pytest.mark.parametrize("value", ["false", "OFF", "0", "no", False])
def test_check_options_are_switched_off(value: str | bool) -> None:
    engine = Engine(FakeSearcher())
    engine.set_option("ponder", True)
    engine.set_option("ponder", value)
    assert engine.options["ponder"] is False


def test_defaults_are_within_their_ranges() -> None:
    for option in OPTIONS.values():
        assert option.parse(option.default) == option.default
    assert Option("clear", "button").parse("whatever") == ""


def test_options_reach_the_searcher() -> None:
    heard = Heard()
    heard.engine.set_option("hash", 32)
    heard.engine.set_option("threads", 2)
    heard.engine.new_game()
    assert heard.searcher.calls == ["hash 32", "threads 2", "clear"]
    heard.engine.set_option("multipv", 5)
    heard.go(Limits(depth=2))
    assert heard.searcher.limits.multipv == 5


def test_rule_sets() -> None:
    engine = Engine(FakeSearcher())
    assert engine.rules == WXF
    for name, rules in REPETITION_RULES.items():
        engine.set_option("repetition", name)
        assert engine.rules == RULE_SETS[rules]
    assert set(REPETITION_RULES.values()) == set(RULE_SETS)
    engine.set_option("no_capture_rounds", 50)
    assert engine.rules.no_capture_limit == 100
    engine.set_option("no_capture_rounds", 0)
    assert engine.rules.no_capture_limit is None


# Going


def test_go_answers_once_and_reports_each_depth() -> None:
    heard = Heard()
    result = heard.go(Limits(depth=4))
    assert result.best in Board().legal_moves
    assert (result.depth, heard.depths) == (4, [1, 2, 3, 4])
    assert result.repetition_stages == (0, 0, 0)
    assert heard.engine.wait(1)
    assert heard.results.empty()


def test_whoever_hears_the_answer_finds_the_engine_idle() -> None:
    heard = Heard(step_ms=0)
    for _ in range(200):
        heard.go(Limits(depth=1))
        heard.engine.set_position(moves=["h2e2"])


def test_an_answer_may_begin_the_next_search() -> None:
    heard = Heard(step_ms=0)
    left = [5]

    def again(result: SearchResult) -> None:
        left[0] -= 1
        if left[0]:
            heard.engine.go(Limits(depth=1))
        else:
            heard.results.put(result)

    heard.engine.on_best = again
    heard.go(Limits(depth=1))
    assert left == [0]


@pytest.mark.parametrize(
    "command",
    [
        lambda engine: engine.go(Limits(depth=1)),
        lambda engine: engine.set_position(),
        lambda engine: engine.set_option("hash", 8),
        lambda engine: engine.new_game(),
        lambda engine: engine.play(Board(), Limits(depth=1)),
        lambda engine: engine.analyse(Board(), Limits(depth=1)),
        lambda engine: engine.analysis(Board()),
    ],
)
def test_refused_while_thinking_but_not_while_stopping(command: Callable[[Engine], object]) -> None:
    heard = Heard()
    heard.engine.go(ENDLESS)
    with pytest.raises(BusyError, match="the engine is thinking"):
        command(heard.engine)
    heard.engine.stop()
    command(heard.engine)
    assert heard.engine.quit()


def test_stop_ends_an_endless_search_at_once() -> None:
    """In the middle of its first step, which would go on for longer than the test waits."""
    heard = Heard(step_ms=1_000_000)
    assert not heard.engine.stop()
    heard.engine.go(ENDLESS)
    assert heard.searcher.listens.wait(10)
    assert heard.engine.stop()
    result = heard.result()
    assert (result.best is not None, result.depth) == (True, 1)
    assert not heard.engine.stop()


def test_a_stop_that_comes_before_the_search_listens_is_not_lost() -> None:
    heard = Heard()
    heard.searcher.deaf_s = 0.05
    heard.engine.go(ENDLESS)
    time.sleep(0.01)
    heard.engine.stop()
    heard.engine.stop()
    assert heard.result().depth <= 2


def test_a_stop_right_behind_go() -> None:
    heard = Heard(step_ms=0.1)
    for _ in range(200):
        heard.engine.go(ENDLESS)
        heard.engine.stop()
        assert heard.result().best is not None


def test_an_endless_search_that_has_finished_keeps_its_answer() -> None:
    heard = Heard(step_ms=0)
    heard.engine.go(Limits(infinite=True, depth=2))
    time.sleep(0.05)
    assert heard.results.empty()
    assert heard.engine.is_thinking
    heard.engine.stop()
    assert heard.result().depth == 2


@pytest.mark.parametrize("late_s", [0.0, 0.05])
def test_ponderhit_starts_the_clock(late_s: float) -> None:
    heard = Heard()
    heard.searcher.deaf_s = late_s
    assert not heard.engine.ponderhit()
    heard.engine.go(Limits(ponder=True, clock=Clock(1000, 50)))
    time.sleep(0.02)
    assert heard.results.empty()
    assert heard.engine.ponderhit()
    assert not heard.engine.ponderhit()
    assert heard.result().best is not None


def test_a_ponder_search_that_has_finished_waits_for_the_hit() -> None:
    heard = Heard(step_ms=0)
    heard.engine.go(Limits(ponder=True, depth=2))
    time.sleep(0.05)
    assert heard.results.empty()
    heard.engine.ponderhit()
    assert heard.result().depth == 2


def test_a_clock_becomes_two_limits() -> None:
    heard = Heard()
    heard.go(Limits(clock=Clock(400, 20)))
    limits = heard.searcher.limits
    assert 0 < limits.soft_ms <= limits.hard_ms < 400
    heard.go(Limits(depth=3, nodes=10**30, mate=4))
    limits = heard.searcher.limits
    assert (limits.soft_ms, limits.hard_ms, limits.mate, limits.moves) == (0, 0, 4, None)
    assert limits.nodes < 2**63


# Which moves


def test_root_moves() -> None:
    heard = Heard()
    wanted = moves("h2e2 b2e2 h0g2")
    assert heard.go(Limits(depth=1, moves=wanted)).best in wanted
    assert set(heard.searcher.limits.moves) == set(wanted)
    banned = moves("h2e2 b2e2")
    assert heard.go(Limits(depth=1, moves=wanted, banned=banned)).best == wanted[2]
    assert heard.messages == []


def test_all_moves_banned_but_one() -> None:
    heard = Heard()
    rest = [move for move in Board().legal_moves if move.iccs() != "i3i4"]
    result = heard.go(Limits(clock=Clock(600_000), banned=tuple(rest)))
    assert result.best == Move.from_iccs("i3i4")
    assert heard.searcher.limits.soft_ms <= 20
    assert heard.messages == []


def test_all_moves_banned() -> None:
    heard = Heard()
    result = heard.go(Limits(depth=1, banned=tuple(Board().legal_moves)))
    assert result.best in Board().legal_moves
    assert heard.searcher.limits.moves is None
    assert heard.messages == ["all moves are banned: choosing from them all the same"]


def test_no_legal_move_among_those_to_search() -> None:
    heard = Heard()
    assert heard.go(Limits(depth=1, moves=moves("a9a8"))).best in Board().legal_moves
    assert heard.messages == ["none of the moves to search is legal: choosing from all"]


def test_mated() -> None:
    heard = Heard()
    heard.engine.set_position(MATED_FEN)
    result = heard.go(Limits(depth=5))
    assert (result.best, result.score) == (None, -MATE)
    assert heard.searcher.limits is None


def test_a_game_that_a_rule_has_ended_is_played_on() -> None:
    heard = Heard()
    heard.engine.set_position(CHECK_FEN, CHECK_MOVES)
    assert heard.go(Limits(depth=1)).best is not None
    assert heard.messages == [
        "ruling Black wins: Red checked perpetually and had to change; Black: idle moves; "
        "playing on"
    ]
    heard.engine.set_position(STARTING_FEN.replace("0 1", "120 61"))
    assert heard.go(Limits(depth=1)).best is not None
    assert heard.messages[1:] == ["ruling draw: 120 plies without a capture; playing on"]
    heard.engine.set_position("3ak4/9/9/9/9/9/9/9/9/5K3 w")
    assert heard.go(Limits(depth=1)).best is not None
    assert heard.messages[2:] == [
        "ruling draw: neither side has a piece that can attack; playing on"
    ]


def test_a_search_that_fails_still_answers() -> None:
    heard = Heard()
    heard.searcher.error = RuntimeError("out of luck")
    assert heard.go(Limits(depth=1)).best in Board().legal_moves
    assert "out of luck" in heard.messages[0]
    heard.searcher.error = None
    assert heard.go(Limits(depth=1)).depth == 1


# From Python


def test_play() -> None:
    engine = Engine(FakeSearcher())
    board = Board()
    depths: list[int] = []
    result = engine.play(board, Limits(depth=3), lambda info: depths.append(info.depth))
    assert result.best in board.legal_moves
    assert depths == [1, 2, 3]
    assert board.ply() == 0
    assert not engine.is_thinking


@pytest.mark.parametrize("limits", [Limits(), ENDLESS, Limits(ponder=True, depth=1)])
def test_play_needs_an_end(limits: Limits) -> None:
    with pytest.raises(ValueError, match="need a limit"):
        Engine(FakeSearcher()).play(Board(), limits)


def test_play_passes_errors_on_and_is_idle_again() -> None:
    engine = Engine(FakeSearcher())

    def fail(info: object) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        engine.play(Board(), Limits(depth=3), fail)
    assert engine.play(Board(), Limits(depth=1)).best is not None


def test_play_can_be_stopped_from_another_thread() -> None:
    engine = Engine(FakeSearcher())
    timer = threading.Timer(0.05, engine.stop)
    timer.start()
    assert engine.play(Board(), Limits(movetime_ms=60_000)).best is not None
    timer.join()


def test_analyse_gives_the_last_word_on_each_line() -> None:
    engine = Engine(FakeSearcher())
    engine.set_option("multipv", 3)
    infos = engine.analyse(Board(), Limits(depth=4))
    assert [(info.multipv, info.depth, info.score) for info in infos] == [
        (1, 4, 12),
        (2, 4, 11),
        (3, 4, 10),
    ]


def test_analysis_can_be_watched_and_left() -> None:
    engine = Engine(FakeSearcher())
    with engine.analysis(Board()) as lines:
        for info in lines:
            if info.depth == 5:
                break
        assert engine.is_thinking
    assert not engine.is_thinking
    assert lines.stop().best is not None


def test_analysis_ends_by_itself() -> None:
    engine = Engine(FakeSearcher())
    analysis = engine.analysis(Board(), Limits(depth=3, infinite=True))
    assert [info.depth for info in analysis] == [1, 2, 3]
    assert list(analysis) == []
    assert analysis.stop().depth == 3


def test_leaving_one_analysis_does_not_stop_the_next_search() -> None:
    heard = Heard()
    analysis = heard.engine.analysis(Board(), Limits(depth=1))
    list(analysis)
    heard.engine.go(ENDLESS)
    analysis.stop()
    time.sleep(0.02)
    assert heard.engine.is_thinking
    assert heard.engine.quit()


def test_probe() -> None:
    searcher = FakeSearcher()
    engine = Engine(searcher)
    assert engine.probe(STARTING_FEN, ["h2e2"]) is None
    searcher.entry = (None, "lower", 10, 3)
    assert engine.probe(STARTING_FEN) == HashEntry(None, "lower", 10, 3)


@pytest.mark.parametrize(
    ("score", "moves", "decided"),
    [
        (MATE - 1, 1, True),
        (4 - MATE, -2, True),
        (-MATE, 0, True),
        (MATE - LONGEST, LONGEST // 2, True),
        (LONGEST - MATE, -LONGEST // 2, True),
        (RULE_WIN, None, True),
        (LONGEST - RULE_WIN, None, True),
        (LIMITS["value"], None, False),
        (-LIMITS["value"], None, False),
    ],
)
def test_what_scores_mean(score: int, moves: int | None, decided: bool) -> None:
    assert (moves_to_mate(score), is_mate_score(score)) == (moves, moves is not None)
    assert is_decided(score) == decided


# With the searcher that thinks


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_it_finds_a_mate(engine: Engine) -> None:
    board = Board("4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9 w")
    result = engine.play(board, Limits(depth=8))
    assert result.score == MATE - 3
    info = engine.analyse(board, Limits(mate=2))[0]
    assert info.score == MATE - 3
    assert info.pv[0] == result.best


def test_it_heeds_stop_at_any_time(engine: Engine) -> None:
    results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
    engine.on_best = results.put
    for pause in (0.0, 0.0, 0.0005, 0.001, 0.01, 0.1):
        engine.go(ENDLESS)
        time.sleep(pause)
        assert engine.stop()
        assert results.get(timeout=10).best is not None


def test_it_ponders_and_keeps_to_its_time(engine: Engine) -> None:
    results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
    engine.on_best = results.put
    for limits in (Limits(clock=Clock(1000, 50)), Limits(movetime_ms=100)):
        engine.go(dataclasses.replace(limits, ponder=True))
        time.sleep(0.2)
        assert results.empty()
        assert engine.ponderhit()
        assert results.get(timeout=10).best is not None


def test_it_takes_root_moves_and_several_lines(engine: Engine) -> None:
    engine.set_option("multipv", 2)
    wanted = moves("h2e2 b2e2 h0g2")
    infos = engine.analyse(Board(), Limits(depth=4, moves=wanted))
    assert len({info.pv[0] for info in infos}) == 2
    assert {info.pv[0] for info in infos} <= set(wanted)
    engine.set_option("multipv", 1)


def test_it_can_be_probed_and_forgets(engine: Engine) -> None:
    engine.play(Board(), Limits(depth=5))
    found = engine.probe(STARTING_FEN)
    assert found is not None
    assert found.move in Board().legal_moves
    engine.new_game()
    assert engine.probe(STARTING_FEN) is None
