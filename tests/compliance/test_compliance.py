"""The compliance checks: each passes for an engine that behaves, and is seen to fail."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from chess.engine import EngineError
from click.testing import CliRunner, Result

from tests.support.examining import Case, run_check, start_checks
from xiangqi.cli.main import main
from xiangqi.compliance import CHECKS, CheckResult, check_engine, examiner, find_dialect
from xiangqi.compliance.examiner import CLOCK_S, NoAnswerError, Transcript
from xiangqi.compliance.positions import CYCLE
from xiangqi.games.record import GameRecord
from xiangqi.match.config import MARGIN_S, EngineConfig
from xiangqi.referee.rules import RULE_SETS

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
MOCK = [sys.executable, str(ROOT / "tests/engines/mock_engine.py")]
UCCI_ALONE = [*MOCK, "--dialect", "ucci"]
MEIHUA = [sys.executable, "-m", "xiangqi", "engine"]

GONE = "exited without readyok|exited before 'isready'"
"""An engine may end before a command, or after it."""

# The check, the dialects, a behaviour that must fail it, and what is said about it.
FAULTS = [
    ("handshake", "ucci uci", "silent", "no .*ok within"),
    ("handshake", "uci", "fragile --dialect ucci", "exited without uciok"),
    ("handshake", "uci", "mute --dialect ucci", "found 'Unknown command: uci'"),
    ("name", "ucci", "no-name", "no line 'id name"),
    ("options", "ucci uci", "bad-option", "type slider.* expected 'option"),
    ("usemillisec", "ucci", "no-millisec", "usemillisec"),
    ("encoding", "ucci", "bytes", r"cannot read b'id author \\xff"),
    ("isready", "ucci", "not-ready", "no readyok within"),
    ("newgame", "ucci uci", "illegal", "'a0a9' is not legal"),
    ("newgame", "ucci uci", "crash", "exited without bestmove"),
    ("startpos", "ucci", "illegal", "'a0a9' is not legal"),
    ("fen", "ucci", "illegal", "'a0a9' is not legal"),
    ("moves", "ucci", "forgetful", "is not legal"),
    ("game", "ucci", "crash --after 5", "exited without bestmove"),
    ("cycle", "ucci uci", "no-cycle", "no move, although 44 are legal"),
    ("letters", "ucci", "no-letters", "is not legal"),
    ("red", "ucci", "no-red", "is not legal"),
    ("blanks", "ucci", "no-blanks", "is not legal"),
    ("crlf", "ucci", "no-crlf", "no bestmove within"),
    ("mated", "ucci uci", "never-mated", "found 'bestmove a0a1', expected"),
    ("mated", "ucci uci", "silent-mate", "no .*move.* within"),
    ("stalemated", "ucci", "never-mated", "found 'bestmove a0a1', expected"),
    ("bans", "ucci uci", "no-bans", "the only move allowed"),
    ("depth", "ucci", "no-limit", "no bestmove within"),
    ("nodes", "ucci", "no-limit", "no bestmove within"),
    ("movetime", "ucci uci", "late --seconds 2.5", "no bestmove within 2.1 seconds"),
    ("clocks", "ucci", "no-clock", "no bestmove within"),
    ("clock-order", "uci", "no-clock", "no bestmove within"),
    ("own-clock", "ucci", "one-clock", "no bestmove within"),
    ("info", "ucci", "mute", "no line 'info depth"),
    ("info-form", "ucci uci", "bad-info", "'info depth deep score good': expected a number"),
    ("score", "ucci", "no-score", "no line 'info ... score"),
    ("pv", "ucci", "bad-pv", "cannot reach|expected"),
    ("one-answer", "ucci", "twice", "a second answer"),
    ("stop", "ucci", "deaf", "no bestmove within"),
    ("stop-twice", "ucci", "twice", "a second answer"),
    ("idle-stop", "ucci uci", "idle-stop", "expected"),
    ("isready-thinking", "ucci", "busy", "no readyok within"),
    ("ponderhit", "ucci uci", "early-ponder", "while pondering"),
    ("ponderhit", "ucci uci", "deaf-ponder", "no bestmove within"),
    ("ponder-stop", "ucci", "deaf", "no bestmove within"),
    ("unknown-command", "ucci", "fragile", GONE),
    ("unknown-option", "ucci", "strict-options", GONE),
    ("quit", "ucci", "stays", "does not exit within"),
    ("bye", "ucci", "no-bye", "no line 'bye'"),
    ("quit-thinking", "ucci", "no-quit", "does not exit within"),
    ("end-of-input", "ucci", "survive", "does not exit within"),
]
CASES = [
    (name, dialect, behaviour, reason)
    for name, dialects, behaviour, reason in FAULTS
    for dialect in dialects.split()
]


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as executor:
        yield executor


@pytest.fixture(scope="module")
def failures(pool: ThreadPoolExecutor) -> dict[Case, Future[CheckResult]]:
    return start_checks(pool, [case[:3] for case in CASES], MOCK)


@pytest.mark.parametrize(("name", "dialect", "behaviour", "reason"), CASES)
def test_each_check_fails_when_it_should(
    failures: dict[Case, Future[CheckResult]],
    name: str,
    dialect: str,
    behaviour: str,
    reason: str,
) -> None:
    result = failures[name, dialect, behaviour].result()
    assert not result.passed
    assert re.search(reason, result.reason), result
    assert result.dialogue[0] == f"> {dialect}"


def test_each_check_is_seen_to_fail() -> None:
    names = {item.name for item in CHECKS if set(item.dialects) & {"ucci", "uci"}}
    assert {name for name, _, _, _ in CASES} == names


def test_engines_that_keep_to_it(pool: ThreadPoolExecutor) -> None:
    def examine(command: list[str], dialect: str) -> list[CheckResult]:
        return list(check_engine(command, dialect, patience=20))

    runs = [
        pool.submit(examine, command, dialect)
        for command in (MOCK, MEIHUA)
        for dialect in ("ucci", "uci")
    ]
    for run in runs:
        results = run.result()
        assert len(results) > 35
        assert not [result for result in results if not result.passed or result.reason]


def test_ranks_from_one() -> None:
    command = [*MOCK, "--dialect", "uci", "--ranks", "1", "--variant-option"]
    for name in ("game", "bans", "blanks", "pv"):
        assert run_check(name, command, "uci", 20).passed


def test_an_engine_is_started_again_only_where_it_must_be() -> None:
    results = list(check_engine([*MOCK, "--behaviour", "idle-stop"], "ucci"))
    assert [result.check.name for result in results if not result.passed] == ["idle-stop"]
    greeted = [result.check.name for result in results if "> ucci" in result.dialogue]
    assert greeted == "handshake isready-thinking bye quit-thinking end-of-input".split()


def test_dialects() -> None:
    assert find_dialect([*MOCK, "--dialect", "uci"]) == "uci"
    assert find_dialect([*MOCK, "--dialect", "ucci"], 2) == "ucci"
    assert find_dialect([*MOCK, "--dialect", "both"]) == "uci"
    assert find_dialect([*MOCK, "--dialect", "both"], dialect="ucci") == "ucci"
    with pytest.raises(EngineError, match="no answer to ucci or uci within"):
        find_dialect([*MOCK, "--behaviour", "silent"], 0.1)
    with pytest.raises(EngineError, match="not found"):
        next(check_engine("no-such-engine-anywhere", "ucci"))


FAIRY = Path("/usr/games/fairy-stockfish")


@pytest.mark.skipif(not FAIRY.exists(), reason="fairy-stockfish is not installed")
def test_an_engine_of_uci_is_examined_as_such() -> None:
    """It answers "ucci", and knows no more of UCCI."""
    assert find_dialect(str(FAIRY)) == "uci"
    for name in ("game", "mated", "stalemated", "info-form", "bans"):
        assert run_check(name, [str(FAIRY)], "uci", 20).status == "passed"


# What an engine must do, and what it should


def levels(dialect: str) -> dict[str, str]:
    return {check.name: check.level(dialect) for check in CHECKS if dialect in check.dialects}


def test_levels() -> None:
    """Requirements of the protocol, recommendations, and open points."""
    ucci, uci = levels("ucci"), levels("uci")
    recommended = {name for name, level in ucci.items() if level == "should"}
    assert recommended == set(
        "name usemillisec encoding letters red blanks crlf info score idle-stop"
        " unknown-command quit-thinking end-of-input".split()
    )
    recommended = {name for name, level in uci.items() if level == "should"}
    assert recommended == set(
        "encoding info score idle-stop unknown-command unknown-option end-of-input".split()
    )


def test_the_exit_code_is_by_what_an_engine_must_do() -> None:
    engine = shlex.join([*UCCI_ALONE, "--behaviour", "idle-stop,no-millisec"])
    chosen = "--only usemillisec --only idle-stop --only isready".split()
    result = run(engine, *chosen)
    assert result.exit_code == 0
    assert [line[:12] for line in result.output.splitlines()[1:] if line[:1] != " "] == [
        "warn  should",
        "ok    must  ",
        "warn  should",
        "3 checks, 1 ",
    ]
    assert "2 failed (0 must, 2 should)" in result.output


def test_json() -> None:
    chosen = "--only usemillisec --only bye --only isready --json".split()
    result = run(shlex.join([*UCCI_ALONE, "--behaviour", "no-bye,no-millisec"]), *chosen)
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["protocol"], report["passed"]) == ("ucci", False)
    found = [(check["name"], check["level"], check["status"]) for check in report["checks"]]
    assert found == [
        ("usemillisec", "should", "failed"),
        ("isready", "must", "passed"),
        ("bye", "must", "failed"),
    ]
    assert report["checks"][2]["reason"] == "no line 'bye'"
    assert report["checks"][2]["dialogue"][0] == "> quit"


# Checks of engines that play correctly


def test_a_position_that_comes_back_is_asked_about_while_the_game_goes_on() -> None:
    """An engine may say that there is no move where the game is over. So it is where no position
    may come back, which no engine takes for granted."""
    board = GameRecord(moves=CYCLE).play()
    assert board.repetitions() == 2
    for rules in RULE_SETS.values():
        assert (board.outcome(rules) is None) == (rules.prohibition == "none")


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_time_has_the_margin_of_a_match(monkeypatch: pytest.MonkeyPatch, dialect: str) -> None:
    """An answer that is on its way when its time is over costs no game either."""
    assert EngineConfig(cmd="x", name="x").timemargin == MARGIN_S * 1000 == 100
    monkeypatch.setattr(examiner, "MARGIN_S", 10.0)
    late = [*MOCK, "--behaviour", "late", "--seconds", str(CLOCK_S + 0.2)]
    assert run_check("movetime", late, dialect).passed


# Programs that are no engines


@pytest.mark.parametrize("protocol", [[], ["--protocol", "ucci"], ["--protocol", "xboard"]])
@pytest.mark.parametrize(
    "program",
    [
        "cat",
        "true",
        "yes",
        shlex.join([sys.executable, "-c", "while True: print('junk', flush=True)"]),
    ],
)
def test_a_program_that_is_no_engine_is_reported_at_once(program: str, protocol: list[str]) -> None:
    """It is waited for once, and no check is done."""
    result = run(program, "--patience", "0.5", *protocol)
    assert result.exit_code == 2
    assert not result.stdout
    assert re.search("no answer to .* within 0.5 seconds|process died|closed", result.stderr)


def test_checks_end_after_a_failed_handshake() -> None:
    results = list(check_engine([*MOCK, "--behaviour", "silent"], "ucci", patience=0.1))
    assert [result.check.name for result in results] == ["handshake"]


def test_a_flood_ends() -> None:
    with Transcript([*MOCK, "--behaviour", "endless"]) as talk:
        talk.send("ucci", "position startpos", "go depth 1")
        with pytest.raises(NoAnswerError, match="no bestmove among 20000 lines"):
            talk.read_until(lambda line: line.startswith("bestmove"), "bestmove")


# The command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compliance", *arguments], catch_exceptions=False)


def test_command() -> None:
    engine = shlex.join([*UCCI_ALONE, "--behaviour", "no-bye"])
    chosen = "--only name --only isready --only bye".split()
    result = run(engine, *chosen)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == f"{engine}: UCCI"
    assert lines[1].split() == "ok should name The engine reports its name".split()
    assert lines[3].startswith("FAIL  must    bye ")
    assert lines[3].endswith(": no line 'bye'")
    assert lines[4] == "        > quit"
    assert lines[-1] == "3 checks, 2 passed, 1 failed (1 must, 0 should)"
    result = run(shlex.join(MOCK), *chosen, "--protocol", "uci", "--verbose")
    assert result.exit_code == 0
    assert "        < readyok" in result.output


def test_command_without_an_engine() -> None:
    result = run("no-such-engine-anywhere")
    assert result.exit_code == 2
    assert "not found" in result.stderr


def test_command_with_a_check_that_there_is_not() -> None:
    result = run(shlex.join(MOCK), "--only", "everything")
    assert result.exit_code == 2
    assert "'everything': expected one of handshake, name, options, " in result.stderr
    result = run(shlex.join(UCCI_ALONE), "--only", "setboard")
    assert result.exit_code == 2
    assert "--only setboard: not checked in UCCI" in result.stderr


def test_command_cuts_long_dialogues() -> None:
    result = run(shlex.join([*MOCK, "--behaviour", "endless"]), "--only", "depth")
    assert result.exit_code == 1
    assert re.search(r"\.\.\. \d{5} lines \.\.\.", result.output)
    assert len(result.output.splitlines()) < 80
