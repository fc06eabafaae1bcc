"""UCI and UCI-Cyclone: dialogues of GUIs, searches, and bad lines."""

from __future__ import annotations

import re
import time

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from xiangqi import Board, Move
from xiangqi.engine import MATE, RULE_WIN
from xiangqi.engine.timing import Clock, Limits, plan_time
from xiangqi.engine.uci import format_score
from xiangqi.ground.chances import expect_result

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
MATED = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b - - 0 1"
INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+( wdl \d+ \d+ \d+)?"
    r"( lowerbound| upperbound)? nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [a-i]\d+[a-i]\d+)+"
)


@pytest.fixture
def talk() -> Conversation:
    """A conversation after the handshake."""
    conversation = Conversation()
    conversation.send("uci")
    conversation.expect("uciok")
    return conversation


# GUIs


def test_handshake() -> None:
    with Conversation() as talk:
        talk.send("uci")
        lines = talk.until("uciok")
    assert "option name Hash type spin default 16 min 1 max 65536" in lines
    assert "option name Clear Hash type button" in lines
    assert "option name UCI_Variant type combo default xiangqi var xiangqi" in lines
    assert "option name UCI_ShowWDL type check default false" in lines
    for name in ("Threads", "MultiPV", "Ponder", "Move Overhead", "Repetition Rule"):
        assert any(line.startswith(f"option name {name} type ") for line in lines)
    for line in lines[:-1]:
        assert re.match(r"id (name|author) |option name .+ type ", line)


def test_as_sharkchess(talk: Conversation) -> None:
    with talk:
        talk.send("setoption name Threads value 2", "setoption name Hash value 64", "ucinewgame")
        talk.send("isready")
        talk.expect("readyok")
        talk.send(f"position fen {START} moves h2e2 h9g7", "go wtime 300 btime 300 winc 0 binc 0")
        lines = talk.until("bestmove")
        assert all(INFO.fullmatch(line) for line in lines[:-1])
        best, reply = lines[-1].split()[1::2]
        talk.send(f"position fen {START} moves h2e2 h9g7 {best} {reply}")
        talk.send("go ponder wtime 300 btime 300")
        time.sleep(0.03)
        talk.send("ponderhit")
        talk.expect("bestmove")
        assert talk.searcher.calls == ["threads 2", "hash 64", "clear"]
        talk.send("quit")
        assert talk.end() == []


def test_as_tchess(talk: Conversation) -> None:
    """It sends ``stop`` before every analysis, and all moves of the game."""
    with talk:
        assert talk.ask("setoption name Threads value 1", "stop") == []
        talk.send(f"position fen {START} moves h2e2", "go infinite")
        assert " nps " in talk.hear()
        talk.send("stop", f"position fen {START} moves h2e2 h9g7", "go movetime 60")
        talk.expect("bestmove")
        talk.expect("bestmove")
        talk.send("go depth 4")
        assert talk.until("bestmove")[-2].startswith("info depth 4 ")


def test_as_liground(talk: Conversation) -> None:
    """It counts ranks from 1 to 10, as engines of many variants do, and sets UCI_Chess960."""
    with talk:
        assert talk.ask("setoption name UCI_Chess960 value false") == []
        assert talk.ask("setoption name UCI_Variant value xiangqi", "ucinewgame") == []
        talk.send(f"position fen {START}", "go infinite")
        line = talk.hear()
        assert INFO.fullmatch(line)
        assert " pv a1a2 " in line
        talk.send("stop")
        assert talk.expect("bestmove").startswith("bestmove a1a2 ponder ")
        assert talk.ask(f"position fen {START} moves h3e3 h10g8") == []
        assert [str(move) for move in talk.engine.board.move_stack] == ["h2e2", "h9g7"]
        assert talk.ask(f"position fen {START} moves h3e3 h11g8") == [
            f"info string cannot do 'position fen {START} moves h3e3 h11g8': move 2: 'h11g8': "
            "expected two different squares a1 to i10, as in 'h3e3'"
        ]
        talk.send("position startpos moves h3e3", "go depth 1 searchmoves a10a9")
        assert talk.expect("bestmove").split()[1] == "a10a9"


@pytest.mark.parametrize("echo", ["UCI_Variant value xiangqi", "Repetition Rule value wxf"])
def test_setting_all_declared_options_keeps_ranks_from_0(talk: Conversation, echo: str) -> None:
    """TCHESS and uci2wb do so, and both count from 0."""
    with talk:
        assert talk.ask(f"setoption name {echo}") == []
        talk.send("position startpos", "go depth 1")
        assert talk.expect("bestmove").startswith("bestmove a0a1 ")
        assert talk.ask("position startpos moves h2e2 h9g7") == []
        assert talk.engine.board.ply() == 2


def test_chess960_is_not_declared() -> None:
    """Setting a declared variant would seem to count ranks from 1."""
    with Conversation() as talk:
        talk.send("uci")
        assert not [line for line in talk.until("uciok") if "Chess960" in line]


def test_moves_settle_the_ranks(talk: Conversation) -> None:
    """In both directions and permanently, overriding the GUI's option."""
    from_zero = ["info string ranks are counted from 0 to 9 from now on"]
    from_one = ["info string ranks are counted from 1 to 10 from now on"]
    with talk:
        assert talk.ask("position startpos moves h3e3 h10g8") == from_one
        talk.send("go depth 1")
        assert talk.expect("bestmove").startswith("bestmove a1a2 ")
        assert talk.ask("startpos", "setoption name UCI_Chess960 value false") == []
        assert talk.ask("position startpos moves h2e2 h9g7") == from_zero
        assert talk.ask("setoption name UCI_Chess960 value true") == []
        assert talk.ask("position startpos moves h2e2 h9g7") == []
        assert talk.engine.board.ply() == 2


def test_moves_to_search_show_the_ranks_too(talk: Conversation) -> None:
    with talk:
        talk.send("position startpos", "go depth 1 searchmoves h3e3 b3e3")
        assert talk.hear() == "info string ranks are counted from 1 to 10 from now on"
        assert talk.expect("bestmove").split()[1] in ("h3e3", "b3e3")
        talk.send("go depth 1 searchmoves h3e3 h2e2")
        assert "move left out" in talk.hear()
        assert talk.expect("bestmove").split()[1] == "h3e3"


def test_a_bare_position_means_ranks_from_0(talk: Conversation) -> None:
    with talk:
        talk.send("setoption name UCI_Chess960 value false", "startpos", "go depth 1")
        assert talk.expect("bestmove").startswith("bestmove a0a1 ")
        talk.send("setoption name UCI_Chess960 value false", f"fen {START}", "go depth 1")
        assert talk.expect("bestmove").startswith("bestmove a0a1 ")


# TCHESS parses a declaration by searching for these words anywhere in it.
TCHESS_WORDS = re.compile("name|type|default")


def test_setting_the_declared_defaults_changes_nothing() -> None:
    with Conversation() as talk:
        talk.send("uci")
        declared = [line for line in talk.until("uciok") if " default " in line]
        before = dict(talk.engine.options), talk.engine.network
        for line in declared:
            _, name, _, value, *_ = TCHESS_WORDS.split(line)
            talk.send(f"setoption name {name.strip()} value {value.split()[0]}")
        assert talk.ask() == []
        assert (talk.engine.options, talk.engine.network) == before
        assert len(declared) > 10


def test_unknown_options_and_commands_are_reported_once(talk: Conversation) -> None:
    unknown = {
        "setoption name UCI_AnalyseMode value {}": "no such option: 'UCI_AnalyseMode'",
        "setoption name SyzygyPath value /tmp/{}": "no such option: 'SyzygyPath'",
        "setoption name Slow Mover value {}": "no such option: 'Slow Mover'",
        "register later {}": "unknown command 'register later 0'",
    }
    with talk:
        for line, answer in unknown.items():
            heard = talk.ask(*(line.format(number) for number in range(3)))
            assert heard == [f"info string {answer}"]


def test_banmoves_are_understood(talk: Conversation) -> None:
    with talk:
        talk.send("position startpos", "banmoves a0a1", "go depth 1")
        assert talk.expect("bestmove").split()[1] != "a0a1"
        talk.send("position startpos", "go depth 1")
        assert talk.expect("bestmove").split()[1] == "a0a1"


def test_a_long_search_reports_its_root_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.engine.search.CURRENT_MOVE_AFTER_S", 0.05)
    with Conversation(FakeSearcher(step_ms=10)) as talk:
        talk.searcher.at = (4, Move.from_iccs("h2e2"), 17)
        talk.send("uci", "go infinite")
        line = talk.expect("info depth 4 currmove")
        assert line == "info depth 4 currmove h2e2 currmovenumber 17"
        talk.send("stop")
        talk.expect("bestmove")
        assert talk.ask() == []


def test_as_cyclone() -> None:
    """The word position is missing, even in the first line."""
    with Conversation() as talk:
        talk.send("startpos moves h2e2", "go depth 2")
        assert talk.expect("bestmove")
        assert talk.engine.board.ply() == 1
        assert talk.ask(f"fen {START} moves h2e2 h9g7") == []
        assert talk.engine.board.ply() == 2


def test_as_vinxiangqi() -> None:
    """It sends both handshakes at once."""
    with Conversation() as talk:
        talk.send("uci", "ucci")
        talk.expect("uciok")
        assert talk.hear() == "info string unknown command 'ucci'"


@pytest.mark.parametrize("first", ["isready", "d", "position startpos", "go depth 1", "ucinewgame"])
def test_without_a_handshake_it_is_uci(first: str) -> None:
    with Conversation() as talk:
        talk.send(first, "nonsense")
        assert talk.expect("info string") == "info string unknown command 'nonsense'"


def test_quit_before_the_handshake() -> None:
    with Conversation() as talk:
        talk.send("quit")
        assert talk.end() == []


# Searches


@pytest.mark.parametrize(("moves", "left"), [("", 40_000), ("moves h2e2", 9000)])
def test_the_clock_is_the_movers(talk: Conversation, moves: str, left: int) -> None:
    with talk:
        talk.send(f"position startpos {moves}", "go wtime 40000 btime 9000 movestogo 10")
        talk.hear()
        talk.send("stop")
        talk.expect("bestmove")
        plan = plan_time(Limits(clock=Clock(left, 0, 10)), 10)
        limits = talk.searcher.limits
        assert (limits.soft_ms, limits.hard_ms) == (plan.soft_ms, plan.hard_ms)


def test_move_overhead_counts(talk: Conversation) -> None:
    with talk:
        talk.send("setoption name Move Overhead value 100", "go movetime 130")
        talk.expect("bestmove")
        assert talk.searcher.limits.hard_ms == 30


def test_a_clock_below_zero(talk: Conversation) -> None:
    with talk:
        talk.send("go wtime -50 btime 100 winc -1 binc 0")
        assert talk.expect("bestmove")


def test_multipv_and_searchmoves(talk: Conversation) -> None:
    with talk:
        talk.send("setoption name MultiPV value 3", "go depth 2 searchmoves h2e2 b2e2 h0g2 a0a9")
        lines = talk.until("bestmove")
        assert "'a0a9'" in lines[0]
        assert [line.split()[6] for line in lines[1:-1]] == ["1", "2", "3", "1", "2", "3"]
        assert {move.iccs() for move in talk.searcher.limits.moves} == {"h2e2", "b2e2", "h0g2"}


def test_wdl(talk: Conversation) -> None:
    with talk:
        talk.send("setoption name UCI_ShowWDL value true", "go depth 1")
        line = talk.hear()
        assert INFO.fullmatch(line)
        assert f" wdl {' '.join(map(str, expect_result(12)))} " in line


def test_wdl_model() -> None:
    previous = -1
    for score in range(-2000, 2001, 20):
        win, draw, loss = expect_result(score)
        assert win + draw + loss == 1000
        assert min(win, draw, loss) >= 0
        assert win >= previous
        assert expect_result(-score) == (loss, draw, win)
        previous = win
    assert expect_result(-MATE) == (0, 0, 1000)


def test_scores() -> None:
    assert format_score(0) == "cp 0"
    assert format_score(MATE - 1) == "mate 1"
    assert format_score(MATE - 2) == "mate 1"
    assert format_score(2 - MATE) == "mate -1"
    assert format_score(RULE_WIN - 3) == "cp 28997"


def test_bounds() -> None:
    searcher = FakeSearcher(score=MATE - 7)
    searcher.bound = "lower"
    with Conversation(searcher) as talk:
        talk.send("uci", "go depth 1")
        assert " score mate 4 lowerbound nodes " in talk.expect("info depth 1")


def test_no_move(talk: Conversation) -> None:
    with talk:
        talk.send(f"position fen {MATED}", "go depth 3")
        assert talk.until("bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]


def test_each_search_with_a_limit_ends(talk: Conversation) -> None:
    with talk:
        for limit in ("depth 0", "nodes 0", "movetime 0", "depth -3", "mate 0 depth 1"):
            talk.send(f"go {limit}")
            assert talk.expect("bestmove")


def test_commands_during_a_search_are_refused_with_a_message(talk: Conversation) -> None:
    with talk:
        talk.send("go infinite")
        refused = ["go depth 1", "position startpos moves h2e2", "setoption name Hash value 8"]
        refused += ["ucinewgame", "go perft 2", "setoption name UCI_Variant value xiangqi"]
        heard = [line for line in talk.ask(*refused) if "info depth" not in line]
        assert heard == [
            f"info string cannot do '{line}': the engine is thinking" for line in refused
        ]
        talk.send("stop", "stop")
        talk.expect("bestmove")
        assert talk.ask() == []


def test_a_command_after_stop_waits_for_the_answer(talk: Conversation) -> None:
    with talk:
        for _ in range(20):
            talk.send("go infinite", "stop", "position startpos moves h2e2", "go depth 1")
            lines = talk.until("bestmove") + talk.until("bestmove")
            assert not [line for line in lines if "info string" in line]


def test_go_perft(talk: Conversation) -> None:
    with talk:
        lines = talk.ask("go perft 3")
        assert lines[-1] == "Nodes searched: 79666"
        assert len(lines) == 44 + 2


def test_ruling_and_repetition_rule(talk: Conversation) -> None:
    with talk:
        moves = "h2e2 h9g7 e2h2 g7h9 " * 2
        talk.send(
            "setoption name Repetition Rule value ChineseRule", f"position startpos moves {moves}"
        )
        talk.send("go depth 1")
        assert talk.hear() == (
            "info string ChineseRule: the search uses the nearest rules that it knows, wxf"
        )
        assert talk.hear().startswith("info string ruling draw: ")
        assert talk.expect("bestmove")


# Bad lines


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("xyzzy", "unknown command 'xyzzy'"),
        ("position startpos moves h2e2 h2e2", "move 2: 'h2e2': there is no piece on h2"),
        ("fen nonsense", "invalid FEN 'nonsense'"),
        ("setoption name Hash value 0", "invalid option Hash '0': expected a number 1 to 65536"),
        ("setoption name Hash", "invalid option Hash ''"),
        ("setoption name UCI_Variant value chess", "'chess': expected one of xiangqi"),
        ("setoption name Slow Mover value 3", "no such option: 'Slow Mover'"),
        (
            "setoption name Skill Level value 21",
            "invalid option Skill Level '21': expected a number",
        ),
        ("setoption name UCI_Elo value -1500", "invalid option UCI_Elo '-1500': expected a number"),
        ("setoption name", "no such option"),
        ("go perft five", "perft: found 'five', expected a number"),
        ("do_quit", "unknown command"),
    ],
)
def test_bad_lines_are_reported_and_change_nothing(
    talk: Conversation, line: str, part: str
) -> None:
    with talk:
        talk.ask("position startpos moves b2e2")
        heard = talk.ask(line)
        assert len(heard) == 1
        assert heard[0].startswith("info string ")
        assert part in heard[0]
        assert talk.engine.board.move_stack == [Move.from_iccs("b2e2")]


def test_words_in_any_case(talk: Conversation) -> None:
    with talk:
        assert talk.ask("SETOPTION NAME hash VALUE 8", "Position STARTPOS Moves H2E2 h9-g7") == []
        talk.send("GO Depth 1")
        assert talk.expect("bestmove").split()[1] in {
            move.iccs() for move in talk.engine.board.legal_moves
        }
        assert talk.engine.board.ply() == 2
        assert Board(START).legal_moves.count() == 44
