"""UCCI: searches, stops and answers, bans and draws, and commands for users."""

from __future__ import annotations

import time

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.ucci import INFO, START, best_of
from xiangqi import Board
from xiangqi.engine.protocol import Tools
from xiangqi.engine.search import DRAW_MARGIN, QUIET_DRAW_MARGIN
from xiangqi.engine.timing import Clock, Limits, plan_time

MATED = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b - - 0 1"
CHECKED = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1 moves " + "f0e0 e8f8 e0f0 f8e8 " * 2


# Searches


def test_one_answer_and_complete_info(talk: Conversation) -> None:
    with talk:
        talk.send("position startpos", "go depth 5")
        lines = talk.until("bestmove")
        assert [line.split()[2] for line in lines[:-1]] == ["1", "2", "3", "4", "5"]
        assert all(INFO.fullmatch(line) for line in lines[:-1])
        assert talk.ask() == []


@pytest.mark.parametrize(
    ("usemillisec", "words", "time_ms", "increment_ms"),
    [("false", "time 3 increment 1", 3000, 1000), ("true", "time 3000 increment 50", 3000, 50)],
)
def test_units_of_time(
    talk: Conversation, usemillisec: str, words: str, time_ms: int, increment_ms: int
) -> None:
    with talk:
        talk.send(f"setoption usemillisec {usemillisec}", "position startpos", f"go {words}")
        talk.hear()
        talk.send("stop")
        talk.expect("bestmove")
        plan = plan_time(Limits(clock=Clock(time_ms, increment_ms)), 10)
        limits = talk.searcher.limits
        assert (limits.soft_ms, limits.hard_ms) == (plan.soft_ms, plan.hard_ms)


def test_stopping_twice_and_without_a_search(talk: Conversation) -> None:
    with talk:
        talk.send("go infinite", "stop", "stop")
        lines = talk.until("bestmove")
        time.sleep(0.05)
        assert sum(line.startswith("bestmove") for line in lines) == 1
        assert all(line == "nobestmove" for line in talk.ask())
        assert talk.ask("stop") == ["nobestmove"]


def test_commands_during_a_search_have_no_effect(talk: Conversation) -> None:
    with talk:
        talk.send("go infinite")
        ignored = ["go depth 1", "position startpos moves h2e2", "setoption hashsize 8"]
        heard = talk.ask(*ignored, "banmoves h2e2", "ucinewgame", "newgame x")
        assert [line for line in heard if "info depth" not in line] == [
            "info message unknown command 'newgame x'"
        ]
        talk.send("stop")
        talk.expect("bestmove")
        assert talk.engine.board.ply() == 0
        assert talk.searcher.calls == []


def test_debug_reports_commands_without_effect(talk: Conversation) -> None:
    with talk:
        talk.send("setoption debug true", "go infinite", "go depth 1")
        said = talk.expect("info message")
        assert said == "info message without effect: 'go depth 1': the engine is thinking"
        talk.send("stop")
        talk.expect("bestmove")


def test_a_command_after_stop_waits_for_the_answer(talk: Conversation) -> None:
    with talk:
        for _ in range(20):
            talk.send("go infinite", "stop", "position startpos moves h2e2", "go depth 1")
            talk.expect("bestmove")
            talk.expect("bestmove")
        assert talk.engine.board.ply() == 1


def test_ready_while_thinking(thinking: Conversation) -> None:
    with thinking:
        for _ in range(20):
            assert thinking.ask() == []
        thinking.send("stop")
        thinking.expect("bestmove")


def test_no_move(talk: Conversation) -> None:
    with talk:
        talk.send(f"position fen {MATED}", "go depth 3")
        assert talk.hear() == "nobestmove"


def test_a_game_that_is_over_by_rule_is_played_on(talk: Conversation) -> None:
    with talk:
        talk.send(f"position fen {CHECKED}", "go depth 1")
        assert talk.hear().startswith("info message ruling Black wins: Red checked perpetually")
        best_of(talk.until("bestmove"))
        talk.send("setoption repetition alwaysdraw", "go depth 1")
        assert talk.hear().startswith("info message ruling draw: ")
        best_of(talk.until("bestmove"))


def test_rules_of_other_names(talk: Conversation) -> None:
    with talk:
        assert talk.ask("setoption repetition chineserule") == [
            "info message chineserule: the search uses the nearest rules that it knows, wxf"
        ]
        for word, name in (("asianrule", "axf"), ("ComputerRule", "computer")):
            assert talk.ask(f"setoption repetition {word}") == []
            assert talk.engine.rules.name == name
        (refusal,) = talk.ask("setoption repetition skyrule")
        assert "expected one of wxf, axf" in refusal
        assert talk.ask("setoption drawmoves 30") == []
        assert talk.engine.rules.no_capture_limit == 60


def test_depth_0_evaluates() -> None:
    with Conversation(tools=Tools(evaluate=lambda board, network: 77)) as talk:
        talk.send("ucci", "go depth 0")
        talk.expect("ucciok")
        assert talk.ask() == ["info depth 0 score 77", "nobestmove"]


def test_bare_go_and_combined_limits(talk: Conversation) -> None:
    with talk:
        talk.send("go", "stop")
        best_of(talk.until("bestmove"))
        talk.send("go nodes 3000 depth 50")
        assert " nodes 3000 " in talk.until("bestmove")[-2]


def test_batch_reads_on_after_the_answer(talk: Conversation) -> None:
    with talk:
        talk.send("setoption batch true", "go depth 3", "go ponder depth 2", "go infinite")
        assert len(talk.until("bestmove")) == 4
        assert len(talk.until("bestmove")) == 3
        assert talk.ask() == ["info message in batch mode a search needs a limit", "nobestmove"]


def test_names_of_several_words(talk: Conversation) -> None:
    """TCHESS sends the names that the engine declares in UCI."""
    with talk:
        known = ["Move Overhead 30", "No Capture Rounds 50", "Repetition Rule all-draws"]
        others = ["Debug Log File <empty>", "UCI_ShowWDL false", "a b c d e f"]
        assert talk.ask(*(f"setoption {words}" for words in known + others)) == []
        assert talk.engine.options["move_overhead"] == 30
        assert talk.engine.options["no_capture_rounds"] == 50
        assert talk.engine.options["repetition"] == "all-draws"


@pytest.mark.parametrize(("on", "off"), [("on", "off"), ("1", "0"), ("yes", "no")])
def test_all_values_of_check_options(talk: Conversation, on: str, off: str) -> None:
    with talk:
        for option in ("ponder", "usemillisec", "debug", "batch"):
            assert talk.ask(f"setoption {option} {on}") == []
        assert talk.engine.options["ponder"] is True
        talk.send("go time 300", "go infinite")  # in milliseconds; endless in batch mode
        best_of(talk.until("bestmove"))
        assert talk.until("nobestmove")[-2].startswith("info message in batch mode")
        for option in ("ponder", "usemillisec", "debug", "batch"):
            assert talk.ask(f"setoption {option} {off}") == []
        assert talk.engine.options["ponder"] is False
        talk.send("go infinite", "stop")
        best_of(talk.until("bestmove"))


def test_a_long_search_reports_its_root_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never after the answer, and not at all in a search with a short hard limit."""
    monkeypatch.setattr("xiangqi.engine.search.CURRENT_MOVE_AFTER_S", 0.05)
    monkeypatch.setattr("xiangqi.engine.search.CURRENT_MOVE_EVERY_S", 0.001)
    with Conversation(FakeSearcher(step_ms=10)) as talk:
        talk.searcher.at = (4, Board().parse_move("h2e2"), 17)
        talk.send("ucci", "go infinite")
        assert talk.expect("info currmove") == "info currmove h2e2"
        talk.searcher.at = (5, Board().parse_move("b0c2"), 1)
        assert talk.expect("info currmove") == "info currmove b0c2"
        talk.send("stop")
        talk.expect("bestmove")
        assert talk.ask() == []
        talk.send("go movetime 40")
        assert not [line for line in talk.until("bestmove") if "currmove" in line]


def test_a_bound_is_sent_without_score_and_line() -> None:
    searcher = FakeSearcher()
    searcher.bound = "lower"
    with Conversation(searcher) as talk:
        talk.send("ucci", "go depth 1")
        info = talk.expect("info depth 1")
        assert " nodes 1000 nps " in info
        assert " score " not in info
        assert " pv " not in info


# Bans, draws, the hash table


def test_bans_hold_until_the_next_position(talk: Conversation) -> None:
    with talk:
        every = sorted(move.iccs() for move in Board().legal_moves)
        talk.send("position startpos", f"banmoves {' '.join(every[:-1])}", "go depth 1")
        assert best_of(talk.until("bestmove")) == every[-1]
        talk.send("position startpos moves nonsense", "go depth 1")
        assert best_of(talk.until("bestmove")) == every[-1]
        talk.send("position startpos", "go depth 1")
        assert best_of(talk.until("bestmove")) == every[0]
        talk.send(f"banmoves {' '.join(every)}", "go depth 1")
        talk.expect("info message all moves are banned")
        best_of(talk.until("bestmove"))


def test_wrong_bans_are_reported(talk: Conversation) -> None:
    with talk:
        heard = talk.ask("banmoves h2e2 h2h8 xyz")
        assert len(heard) == 2
        assert "'h2h8'" in heard[0]
        assert "'xyz'" in heard[1]


@pytest.mark.parametrize(
    ("fen", "score", "accepts"),
    [
        (START, DRAW_MARGIN - 1, True),
        (START, DRAW_MARGIN, False),
        (START, 500, False),
        (START.replace("0 1", "60 40"), QUIET_DRAW_MARGIN - 1, True),
        (START.replace("0 1", "60 40"), QUIET_DRAW_MARGIN, False),
    ],
)
def test_draws(fen: str, score: int, accepts: bool) -> None:
    with Conversation(FakeSearcher(score=score)) as talk:
        talk.send("ucci", f"position fen {fen}", "go draw depth 1")
        assert talk.until("bestmove")[-1].endswith(" draw") == accepts
        talk.send("go depth 1")
        assert not talk.until("bestmove")[-1].endswith(" draw")
        talk.send("go ponder time 1", "ponderhit draw")
        assert talk.until("bestmove")[-1].endswith(" draw") == accepts


def test_probe(talk: Conversation) -> None:
    with talk:
        assert talk.ask("probe startpos moves h2e2") == ["pophash"]
        best = Board().list_moves()[0]
        for bound, words in (
            ("exact", " lowerbound 12 depth 5 upperbound 12 depth 5"),
            ("lower", " lowerbound 12 depth 5"),
            ("upper", " upperbound 12 depth 5"),
            ("none", ""),
        ):
            talk.searcher.entry = (best, bound, 12, 5)
            assert talk.ask("probe startpos") == [f"pophash bestmove {best}{words}"]
        talk.searcher.entry = (None, "upper", -3, 1)
        assert talk.ask("probe startpos") == ["pophash upperbound -3 depth 1"]


# Commands for users


def test_commands_for_users() -> None:
    tools = Tools(
        evaluate=lambda board, network: 5,
        format_evaluation=lambda board, network: "material 5\ntotal 5",
        bench=lambda words, network: [f"bench of {' '.join(words)}", "Nodes searched: 1"],
    )
    with Conversation(tools=tools) as talk:
        talk.send("ucci")
        talk.expect("ucciok")
        shown = talk.ask("position startpos moves h2e2", "d")
        assert shown[0] == "9 r n b a k a b n r"
        assert any(line.startswith("Fen: rnbakabnr/") for line in shown)
        assert shown[-1] == "Result: *"
        assert talk.ask("position fen 3ak4/9/9/9/9/9/9/9/9/5K3 w", "d")[-1] == "Result: 1/2-1/2"
        assert talk.ask("eval") == ["material 5", "total 5"]
        assert talk.ask("bench 4 x") == ["bench of 4 x", "Nodes searched: 1"]
        counted = talk.ask("position startpos", "go perft 2")
        assert len(counted) == 44 + 2
        assert "a0a1: 44" in counted
        assert counted[-1] == "Nodes searched: 1920"
        ruled = talk.ask(f"position fen {CHECKED}", "judge")
        assert any("Black wins" in line for line in ruled)


def test_missing_tools(talk: Conversation) -> None:
    with talk:
        assert talk.ask("eval") == ["info message there is no evaluation to show"]
        assert talk.ask("bench") == ["info message there is no bench"]
