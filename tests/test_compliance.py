"""The compliance checks: each passes for an engine that behaves, and is seen to fail."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from chess.engine import EngineError
from click.testing import CliRunner, Result

from xiangqi.cli import main
from xiangqi.client.dialogue import Dialogue, NoAnswerError
from xiangqi.compliance import CHECKS, CheckResult, check_engine, find_dialect

ROOT = Path(__file__).parents[1]
MOCK = [sys.executable, str(ROOT / "tests/engines/mock_engine.py")]
MEIHUA = [sys.executable, "-m", "xiangqi", "engine"]
PATIENCE_S = 2.0

# The check, the dialects, a behaviour that must fail it, and what is said about it.
FAULTS = [
    ("handshake", "ucci uci", "silent", "no .*ok within"),
    ("handshake", "uci", "fragile --dialect ucci", "ended instead of saying uciok"),
    ("handshake", "uci", "mute --dialect ucci", "found 'Unknown command: uci'"),
    ("name", "ucci", "no-name", "no line 'id name"),
    ("options", "ucci uci", "bad-option", "type slider.* expected 'option"),
    ("usemillisec", "ucci", "no-millisec", "usemillisec"),
    ("encoding", "ucci", "bytes", r"cannot read b'id author \\xff"),
    ("isready", "ucci", "not-ready", "no readyok within"),
    ("newgame", "ucci uci", "illegal", "'a0a9' is not legal"),
    ("newgame", "ucci uci", "crash", "ended instead of saying bestmove"),
    ("startpos", "ucci", "illegal", "'a0a9' is not legal"),
    ("fen", "ucci", "illegal", "'a0a9' is not legal"),
    ("moves", "ucci", "forgetful", "is not legal"),
    ("game", "ucci", "crash --after 5", "ended instead of saying bestmove"),
    ("cycle", "ucci", "no-cycle", "no move, although 44 are legal"),
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
    ("movetime", "ucci", "late --seconds 2.5", "no bestmove within"),
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
    ("unknown-command", "ucci", "fragile", "ended instead of saying readyok"),
    ("unknown-option", "ucci", "strict-options", "ended instead of saying readyok"),
    ("quit", "ucci", "stays", "does not end within"),
    ("bye", "ucci", "no-bye", "no line 'bye'"),
    ("quit-thinking", "ucci", "no-quit", "does not end within"),
    ("end-of-input", "ucci", "survive", "does not end within"),
]
CASES = [
    (name, dialect, behaviour, reason)
    for name, dialects, behaviour, reason in FAULTS
    for dialect in dialects.split()
]


def run_check(name: str, command: Sequence[str], dialect: str, patience: float) -> CheckResult:
    chosen = [item for item in CHECKS if item.name == name]
    return next(check_engine(command, dialect, patience=patience, checks=chosen))


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as executor:
        yield executor


@pytest.fixture(scope="module")
def failures(pool: ThreadPoolExecutor) -> dict[tuple[str, str, str], Future[CheckResult]]:
    """All misbehaving engines, most of which are waited for, examined side by side."""
    return {
        (name, dialect, behaviour): pool.submit(
            run_check,
            name,
            [*MOCK, "--dialect", dialect, "--behaviour", *behaviour.split()],
            dialect,
            PATIENCE_S,
        )
        for name, dialect, behaviour, _ in CASES
    }


@pytest.mark.parametrize(("name", "dialect", "behaviour", "reason"), CASES)
def test_each_check_fails_when_it_should(
    failures: dict[tuple[str, str, str], Future[CheckResult]],
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
    assert {name for name, _, _, _ in CASES} == {item.name for item in CHECKS}


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
    with pytest.raises(EngineError, match="answers neither ucci nor uci"):
        find_dialect([*MOCK, "--behaviour", "silent"], 0.1)
    with pytest.raises(EngineError, match="not found"):
        next(check_engine("no-such-engine-anywhere", "ucci"))


def test_a_flood_ends() -> None:
    with Dialogue([*MOCK, "--behaviour", "endless"]) as talk:
        talk.send("ucci", "position startpos", "go depth 1")
        with pytest.raises(NoAnswerError, match="no bestmove among 20000 lines"):
            talk.hear_until(lambda line: line.startswith("bestmove"), "bestmove")


# The command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compliance", *arguments], catch_exceptions=False)


def test_command() -> None:
    engine = shlex.join([*MOCK, "--behaviour", "no-bye"])
    chosen = "--only name --only isready --only bye".split()
    result = run(engine, *chosen)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == f"{engine}: UCCI"
    assert lines[1].split() == "ok name The engine tells its name".split()
    assert lines[3].startswith("FAIL  bye ")
    assert lines[3].endswith(": no line 'bye'")
    assert lines[4] == "        > quit"
    assert lines[-1] == "3 checks, 2 passed, 1 failed."
    result = run(engine, *chosen, "--proto", "uci", "--verbose")
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


def test_command_cuts_long_dialogues() -> None:
    result = run(shlex.join([*MOCK, "--behaviour", "endless"]), "--only", "depth")
    assert result.exit_code == 1
    assert re.search(r"\.\.\. \d{5} lines \.\.\.", result.output)
    assert len(result.output.splitlines()) < 80
