"""The checks of the XBoard protocol: each passes where it should, and is seen to fail."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.examining import Case, run_check, start_checks
from xiangqi.compliance import CHECKS, CheckResult, check_engine, find_dialect

MOCK = [sys.executable, str(Path(__file__).parents[1] / "engines" / "mock_xboard.py")]
HOIXIANGQI = Path("/usr/games/hoixiangqi")
FAIRY = Path("/usr/games/fairy-stockfish")

# The check, a behaviour that must fail it, and what is said about it.
FAULTS = [
    ("handshake", "silent", "no feature done=1 within"),
    ("name", "no-name", "no 'feature myname="),
    ("features", "bad-feature", "cannot read 'nonsense': expected NAME=VALUE"),
    ("options", "bad-option", "cannot read 'Knob -dial 3'"),
    ("variants", "no-variants", "no 'feature variants="),
    ("recommended", "few-features", "no feature playother=1"),
    ("encoding", "bytes", r"cannot read b'# \\xff"),
    ("accepted", "fragile", "the engine (exited)"),
    ("ping", "wrong-pong", "found 'pong 0', expected 'pong 41'"),
    ("variant", "no-variant", "refuses a command: Error .unknown command.: variant"),
    ("opening-words", "fragile", "the engine (exited)"),
    ("newgame", "old-game", "is not legal"),
    ("setboard", "deaf-setboard", "is not legal"),
    ("force", "no-force", "without a request"),
    ("moves", "deaf-force", "refuses a command: Illegal move: a9a7"),
    ("reply", "no-reply", "no move within"),
    ("game", "illegal --after 3", "'a0a9' is not legal"),
    ("cycle", "no-cycle", "no move, although 44 are legal"),
    ("illegal-move", "trusting", "found nothing, expected 'Illegal move: a0a9'"),
    ("undo", "no-undo", "is not legal"),
    ("remove", "no-remove", "refuses a command: Illegal move: h2h9"),
    ("mated", "no-result", "no 1-0 {...} within"),
    ("stalemated", "stalemate-draw", "found '1/2-1/2 {no move}', expected '1-0 {...}'"),
    ("mates", "no-result", "no 1-0 {...} within"),
    ("crlf", "no-crlf", "no move within"),
    ("depth", "no-depth", "no move within"),
    ("new-depth", "keeps-depth", "at the depth limit of the previous game"),
    ("movetime", "late --seconds 2.5", "no move within 2.1 seconds"),
    ("clocks", "late --seconds 2.5", "no move within 2.1 seconds"),
    ("info", "mute", "no line 'PLY SCORE TIME NODES"),
    ("info-form", "bad-info", "cannot read '1 good 0 20 "),
    ("nopost", "no-nopost", "after nopost"),
    ("move-now", "deaf-now", "no move within"),
    ("idle-move-now", "idle-move", "'move a3a4' without a search"),
    ("ping-thinking", "early-pong", "pong before the move"),
    ("ponder", "hasty", "on the opponent's time"),
    ("analyze", "analysis-move", "'move h2e2' in an analysis"),
    ("draw", "fragile", "the engine (exited)"),
    ("result", "tireless", "'move a3a4' after the end of the game"),
    ("option", "no-option", "refuses a command: Error .unknown command.: option Hash=16"),
    ("unknown-command", "no-error", "found nothing, expected 'Error "),
    ("quit", "stays", "does not exit within"),
    ("quit-thinking", "no-quit", "does not exit within"),
    ("end-of-input", "survive", "does not exit within"),
]


@pytest.fixture(scope="module")
def failures() -> Iterator[dict[Case, Future[CheckResult]]]:
    with ThreadPoolExecutor(8) as pool:
        yield start_checks(pool, [(name, "xboard", how) for name, how, _ in FAULTS], MOCK)


@pytest.mark.parametrize(("name", "behaviour", "reason"), FAULTS)
def test_each_check_fails_when_it_should(
    failures: dict[Case, Future[CheckResult]], name: str, behaviour: str, reason: str
) -> None:
    result = failures[name, "xboard", behaviour].result()
    assert result.status == "failed"
    assert re.search(reason, result.reason), result
    assert result.dialogue[:2] == ("> xboard", "> protover 2")


def test_each_check_is_seen_to_fail() -> None:
    names = [check.name for check in CHECKS if "xboard" in check.dialects]
    assert [name for name, _, _ in FAULTS] == names


@pytest.mark.parametrize("words", [[], ["--usermove"]])
def test_an_engine_that_keeps_to_it(words: list[str]) -> None:
    results = list(check_engine([*MOCK, *words], "xboard", patience=20))
    assert len(results) == len(FAULTS)
    assert not [result for result in results if result.status != "passed"]
    said = {line for result in results for line in result.dialogue if line.endswith("h2e2")}
    assert ("> usermove h2e2" in said, "> h2e2" in said) == (bool(words), not words)


OPTIONAL = "draw undo remove hard easy random computer name result post nopost sd ?"
"""Commands that no game needs."""
SKIPPED = {
    "undo": "undo",
    "remove": "remove",
    "mates": "sd 3",
    "depth": "sd 2",
    "new-depth": "sd 1",
    "info": "post",
    "info-form": "post",
    "nopost": "nopost",
}
"""The checks without anything to check in such an engine, and the command that it refuses."""


def test_commands_may_be_refused_as_unknown() -> None:
    """That is the protocol's own way; a check without its command has nothing to show."""
    command = [*MOCK, "--unknown", OPTIONAL.replace(" ", ",")]
    results = list(check_engine(command, "xboard", patience=5))
    failed = {
        result.check.name for result in results if not result.passed and result.level == "must"
    }
    assert not failed
    refused = {result.check.name: result.reason for result in results if result.status == "skipped"}
    assert refused == {name: f"Error (unknown command): {line}" for name, line in SKIPPED.items()}
    draw = next(result for result in results if result.check.name == "draw")
    assert "< Error (unknown command): draw" in draw.dialogue
    assert draw.status == "passed"


@pytest.mark.parametrize("name", ["movetime", "ping-thinking"])
def test_a_time_for_a_move_may_be_refused(name: str) -> None:
    result = run_check(name, [*MOCK, "--unknown", "st"], "xboard")
    assert result.status == "skipped"
    assert result.reason.startswith("Error (unknown command): st ")


def test_levels() -> None:
    """The text's own words: must, should, recommended, permissible."""
    recommended = {
        check.name
        for check in CHECKS
        if "xboard" in check.dialects and check.level("xboard") == "should"
    }
    assert recommended == set(
        "name recommended encoding crlf info move-now unknown-command quit-thinking"
        " end-of-input".split()
    )


@pytest.mark.skipif(not HOIXIANGQI.exists(), reason="hoixiangqi is not installed")
def test_hoixiangqi() -> None:
    """Known faults of HoiXiangqi: it ends at an illegal move, and keeps the limit of depth."""
    assert find_dialect(str(HOIXIANGQI)) == "xboard"
    for name in ("setboard", "moves", "mated", "mates", "remove"):
        assert run_check(name, [str(HOIXIANGQI)], "xboard", 20).status == "passed"
    result = run_check("illegal-move", [str(HOIXIANGQI)], "xboard", 20)
    assert "< Illegal move: a0a9" in result.dialogue
    assert result.reason.startswith("the engine exited")
    assert run_check("new-depth", [str(HOIXIANGQI)], "xboard", 20).status == "failed"


@pytest.mark.skipif(not FAIRY.exists(), reason="fairy-stockfish is not installed")
def test_fairy_stockfish() -> None:
    for name in ("setboard", "moves", "move-now", "mated", "ping-thinking"):
        assert run_check(name, [str(FAIRY)], "xboard", 20).status == "passed"
    result = run_check("remove", [str(FAIRY)], "xboard", 20)
    assert result.status == "skipped"
    assert result.reason.endswith("Error (unkown command): remove")
    result = run_check("nopost", [str(FAIRY)], "xboard", 20)
    assert (result.status, result.reason) == ("skipped", "Error (unkown command): nopost")
    for name in ("illegal-move", "mates", "new-depth"):
        assert run_check(name, [str(FAIRY)], "xboard", 5).status == "failed"
