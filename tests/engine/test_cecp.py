"""The engine's XBoard protocol: conversations, claims, and bad lines."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from xiangqi import BLACK, RED, Board, Move
from xiangqi.engine import MATE
from xiangqi.engine.cecp import CecpServer
from xiangqi.engine.options import UCI
from xiangqi.engine.searcher import make_searcher
from xiangqi.engine.timing import Clock, Limits, plan_time

THOUGHT = re.compile(r"\d+ -?\d+ \d+ \d+( [a-i]\d[a-i]\d)+")
CHECKED = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
"""Red checks perpetually by f0e0, e8f8, e0f0, f8e8."""
CYCLE = "f0e0 e8f8 e0f0 f8e8".split()
NEARLY_MATED = "3k5/4R4/9/9/9/9/9/9/9/R3K4 w - - 0 1"


def converse(searcher: Any = None) -> Conversation:
    """A conversation at the start of a game, with the engine playing Black."""
    talk = Conversation(searcher or FakeSearcher())
    talk.send("xboard", "protover 2")
    talk.expect("feature done=1")
    talk.send("accepted setboard", "new", "variant xiangqi", "level 0 0:30 0.5", "post", "easy")
    return talk


@pytest.fixture
def talk() -> Conversation:
    return converse()


def heard(talk: Conversation, *lines: str) -> list[str]:
    """Lines of output without the thinking output."""
    return [line for line in talk.ask(*lines) if not THOUGHT.fullmatch(line)]


def force(talk: Conversation, fen: str, *moves: str) -> None:
    """Set up a position and play moves in force mode."""
    assert heard(talk, "force", f"setboard {fen}", *(f"usermove {move}" for move in moves)) == []


# The handshake


def test_features() -> None:
    with Conversation() as talk:
        talk.send("xboard", "protover 2")
        lines = talk.until("feature done=1")
    assert lines[0] == "feature done=0"
    features = dict(
        word.split("=", 1) for line in lines for word in shlex.split(line)[1:] if "=" in word
    )
    wanted = "setboard usermove ping time analyze memory smp playother".split()
    assert {features[name] for name in wanted} == {"1"}
    assert {features[name] for name in "colors sigint sigterm san nps".split()} == {"0"}
    assert features["variants"] == "xiangqi"
    assert features["myname"].startswith("Meihua ")
    options = [line for line in lines if line.startswith("feature option=")]
    assert 'feature option="MultiPV -spin 1 1 128"' in options
    assert any('"Repetition Rule -combo *wxf /// ' in option for option in options)
    names = {option.split('"')[1].split(" -")[0] for option in options}
    assert names >= UCI.names.keys() - {"Hash", "Threads", "Ponder"}
    assert not names & {"Hash", "Threads", "Ponder"}


# Games


def test_a_game(talk: Conversation) -> None:
    """The engine answers as Black, with ranks from 0 to 9, after its thinking output."""
    with talk:
        talk.send("time 3000", "otim 3000", "usermove h2e2")
        *thoughts, move = talk.until("move")
        assert thoughts
        assert all(THOUGHT.fullmatch(line) for line in thoughts)
        board = talk.engine.board
        assert board.move_stack[0] == Move.from_iccs("h2e2")
        assert move == f"move {board.move_stack[1]}"
        assert (
            talk.searcher.limits.hard_ms == plan_time(Limits(clock=Clock(30_000, 500)), 10).hard_ms
        )
        talk.send("nopost", "usermove h0g2")
        assert talk.hear().startswith("move ")
        assert talk.engine.board.ply() == 4


def test_the_engine_plays_either_side(talk: Conversation) -> None:
    with talk:
        assert heard(talk, "force", "usermove h2e2", "usermove h9g7") == []
        talk.send("go")
        talk.expect("move")
        board = talk.engine.board
        assert (board.ply(), board.turn) == (3, BLACK)
        assert heard(talk, "force", "usermove i9i8", "playother") == []
        talk.send("usermove c3c4")
        talk.expect("move")
        assert talk.engine.board.turn == RED


def test_force_stops_the_search_without_a_move(talk: Conversation) -> None:
    with talk:
        for end in ("force", "result 1-0 {time}", "new"):
            assert heard(talk, "new", "force", "st 1000", "go", end, "ping 7") == ["pong 7"]
            assert talk.engine.wait(20)
            assert talk.engine.board.ply() == 0


def test_move_now_and_a_ping_that_waits_for_the_move(talk: Conversation) -> None:
    with talk:
        talk.send("force", "st 1000", "go", "ping 1", "?", "ping 2")
        lines = [line for line in talk.until("pong 2") if not THOUGHT.fullmatch(line)]
        assert lines[0].startswith("move ")
        assert lines[1:] == ["pong 1", "pong 2"]


def test_taking_back(talk: Conversation) -> None:
    with talk:
        force(talk, Board().fen(), "h2e2", "h9g7", "h0g2")
        assert heard(talk, "undo") == []
        assert talk.engine.board.ply() == 2
        assert heard(talk, "remove", "undo") == [
            "Error (expected 1 moves to take back, found 0): undo"
        ]


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ("level 40 5 0", Limits(clock=Clock(300_000, 0, 40))),
        ("level 0 2:30 1.5", Limits(clock=Clock(150_000, 1500))),
        ("level 0 2:30 2,time 912,otim 500", Limits(clock=Clock(9120, 2000))),
        ("level 2 1 0,time 1000,usermove h2e2,usermove h9g7,usermove h0g2,usermove i9i8",
         Limits(clock=Clock(10_000, 0, 2))),
        ("level 2 1 0,time 1000,usermove h2e2,usermove h9g7", Limits(clock=Clock(10_000, 0, 1))),
        ("level 0 1 0,st 3", Limits(movetime_ms=3000)),
        ("st 3,level 0 1 0", Limits(clock=Clock(60_000))),
        ("level 0 1 0,st 3,st x,sd x,sd -1", Limits(movetime_ms=3000)),
        ("level 0 1 0,level 40 5 x,level 40 -5 0", Limits(clock=Clock(60_000))),
        ("level 0 1 0,st 3,st infinite,sd 2,sd infinite", Limits(clock=Clock(60_000))),
        ("st 2e0", Limits(movetime_ms=2000)),
        ("", Limits(clock=Clock(300_000, 0, 40))),
    ],
)  # fmt: skip
def test_clocks(talk: Conversation, commands: str, expected: Limits) -> None:
    with talk:
        talk.send("new", "force", *filter(None, commands.split(",")), "go", "?")
        talk.expect("move")
        plan = plan_time(expected, 10)
        limits = talk.searcher.limits
        assert (limits.soft_ms, limits.hard_ms) == (plan.soft_ms, plan.hard_ms)


def test_a_depth_holds_until_the_next_game(talk: Conversation) -> None:
    with talk:
        talk.send("force", "sd 3", "go")
        assert talk.until("move")[-2].startswith("3 ")
        talk.send("new", "force", "go")
        talk.expect("1 ")  # with an early command to move it would search one ply
        talk.send("?")
        talk.expect("move")
        assert talk.searcher.limits.depth == 0


def test_hard_ponders_the_expected_reply(talk: Conversation) -> None:
    with talk:
        talk.send("hard", "force", "sd 2", "go")
        talk.expect("move")
        hint, _ = heard(talk, "hint", "ping 1")
        assert talk.engine.is_thinking  # on the opponent's time, without output
        assert talk.engine.board.ply() == 1
        talk.send(f"usermove {hint.removeprefix('Hint: ')}")
        talk.expect("move")
        assert talk.engine.board.ply() == 3
        assert heard(talk, "easy") == []
        assert talk.engine.wait(20)


def test_a_mate_is_reported_beyond_100000() -> None:
    with converse(FakeSearcher(score=MATE - 7)) as talk:
        talk.send("force", "sd 1", "go")
        assert talk.until("move")[0].split()[:2] == ["1", "100004"]


# Analysis


def test_analysis(talk: Conversation) -> None:
    with talk:
        talk.send("analyze")
        assert THOUGHT.fullmatch(talk.hear())
        status = heard(talk, ".")
        assert re.fullmatch(r"stat01: \d+ \d+ \d+ 0 0", status[0])
        assert heard(talk, "usermove h2e2", "usermove a0a1") == [
            "Illegal move (the red chariot on a0 cannot move, it is black's turn): a0a1"
        ]
        talk.expect("5 ")
        assert heard(talk, "undo", "exit", ".") == []
        assert talk.engine.wait(20)
        assert talk.engine.board.ply() == 0


# How games end


def test_mate_is_claimed() -> None:
    with converse() as talk:
        force(talk, NEARLY_MATED)
        talk.send("computer", "playother")
        assert heard(talk, "usermove a0d0", "ping 1") == ["1-0 {Black is mated}", "pong 1"]
        assert heard(talk, "go") == ["1-0 {Black is mated}"]


def test_the_engine_claims_its_own_mate() -> None:
    with converse(make_searcher(hash_mb=1)) as talk:
        force(talk, NEARLY_MATED)
        talk.send("nopost", "sd 3", "go", "ping 1")
        assert talk.until("pong") == ["move a0d0", "1-0 {Black is mated}", "pong 1"]


def test_a_repetition_is_claimed_by_the_rules(talk: Conversation) -> None:
    with talk:
        force(talk, CHECKED, *CYCLE, *CYCLE[:3])
        talk.send("playother")  # Red, which has checked perpetually
        claim = heard(talk, f"usermove {CYCLE[3]}")
        assert claim == ["0-1 {Red checked perpetually and had to change; Black: idle moves}"]
        assert talk.engine.wait(20)
        talk.send("go")  # the GUI continues the game
        talk.expect("move")


def test_a_repetition_is_not_claimed_against_a_program(talk: Conversation) -> None:
    """XBoard has rules of its own, and a claim that it rejects loses."""
    with talk:
        force(talk, CHECKED, *CYCLE, *CYCLE[:3])
        talk.send("computer", "playother", f"usermove {CYCLE[3]}")
        lines = talk.until("move")
        assert not [line for line in lines if line.startswith(("0-1", "1-0", "1/2"))]


def test_a_game_without_captures_is_a_draw(talk: Conversation) -> None:
    with talk:
        force(talk, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 119 80")
        talk.send("playother")
        assert heard(talk, "usermove e0e1") == ["1/2-1/2 {120 plies without a capture}"]


def test_a_game_without_attackers_is_a_draw(talk: Conversation) -> None:
    with talk:
        force(talk, "3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 0 80")
        talk.send("playother")
        assert heard(talk, "usermove e0e1") == [
            "1/2-1/2 {neither side has a piece that can attack}"
        ]


@pytest.mark.parametrize(("score", "accepts"), [(-400, True), (30, False)])
def test_a_draw_is_accepted_where_the_engine_stands_worse(score: int, accepts: bool) -> None:
    with converse(FakeSearcher(score=score)) as talk:
        talk.send("nopost", "force", "sd 1", "draw", "go")
        assert ("offer draw" in talk.until("move")) is accepts
        talk.send("usermove i9i8")
        assert talk.until("move")[0].startswith("move ")  # the offer was for one move


# Options


def test_options(talk: Conversation) -> None:
    with talk:
        lines = ["memory 32", "cores 2", "option MultiPV=3", "option Move Overhead=50"]
        assert heard(talk, *lines, "option Clear Hash") == []
        assert talk.searcher.calls == ["clear", "hash 32", "threads 2", "clear"]
        options = talk.engine.options
        assert (options["multipv"], options["move_overhead"]) == (3, 50)
        assert heard(talk, "option MultiPV=0", "option Colour=red") == [
            "Error (invalid option MultiPV '0': expected a number 1 to 128): option MultiPV=0",
            "Error (there is no such option): option Colour=red",
        ]


# Bad lines


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy", "Error (unknown command): xyzzy"),
        ("usermove e0e5", "Illegal move (the red general on e0 cannot reach e5): e0e5"),
        ("usermove h3e3", "Illegal move (there is no piece on h3): h3e3"),
        ("usermove", "Illegal move (expected two different squares a0 to i9, as in 'h2e2' or"),
        ("usermove h11e3", "Illegal move (expected two different squares"),
        ("setboard 9/9/9 w", "Error (invalid FEN '9/9/9 w': piece placement"),
        ("setboard", "Error ("),
        ("variant chess", "Error (expected the variant xiangqi): variant chess"),
        ("level 40 five 0", "Error (expected MOVES MINUTES[:SECONDS] INCREMENT)"),
        ("time soon", "Error (time: found 'soon', expected a number): time soon"),
        ("sd", "Error (sd: found '', expected a number): sd"),
        ("sd -3", "Error (sd: found '-3', expected 0 or more): sd -3"),
        ("st x", "Error (st: found 'x', expected a number): st x"),
        ("st -1", "Error (st: found '-1', expected 0 or more): st -1"),
        ("level 40 5 x", "Error (increment: found 'x', expected a number): level 40 5 x"),
        ("level -1 5 0", "Error (expected MOVES MINUTES[:SECONDS] INCREMENT)"),
        ("memory lots", "Error (invalid option memory 'lots': expected a number 1 to 65536)"),
    ],
)
def test_bad_lines_are_reported_and_change_nothing(
    talk: Conversation, line: str, answer: str
) -> None:
    with talk:
        force(talk, Board().fen(), "b2e2", "i9i8")
        before = talk.engine.board.move_stack
        said = heard(talk, line)
        assert len(said) == 1
        assert said[0].startswith(answer)
        assert talk.engine.board.move_stack == before


def test_commands_during_a_search_are_refused(talk: Conversation) -> None:
    with talk:
        talk.send("force", "st 1000", "go")
        assert heard(talk, "usermove h9g7", "setboard 9/9/9 w", "undo", "go", "memory 8") == [
            "Illegal move (the engine is thinking about its move): h9g7",
            "Error (the engine is thinking about its move): setboard 9/9/9 w",
            "Error (the engine is thinking about its move): undo",
            "Error (the engine is thinking about its move): go",
            "Error (the engine is thinking about its move): memory 8",
        ]
        talk.send("?")
        talk.expect("move")


def test_commands_without_an_answer(talk: Conversation) -> None:
    with talk:
        lines = ["random", "name Hoi", "rating 0 0", "rejected name", "nopost", "otim 100", "bk"]
        assert heard(talk, *lines) == [""]


def test_every_command_has_a_docstring() -> None:
    commands = [name for name in vars(CecpServer) if name.startswith("do_")]
    assert len(commands) > 25
    assert all(getattr(CecpServer, name).__doc__ for name in commands)
