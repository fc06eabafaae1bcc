"""The program's options: help, version, and the self-test."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from xiangqi.engine import check, meihua
from xiangqi.engine.check import CheckError, check_lines, check_protocol, own_command
from xiangqi.engine.network import NetworkFile
from xiangqi.ground.errors import Fact, NetworkError
from xiangqi.ground.installed import __version__

MEIHUA = [sys.executable, "-m", "xiangqi.engine.meihua"]
UCI = next(one for one in check.DIALOGUES if one.protocol == "UCI")

ENGINE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in {answers}:
        print({answers}[word], flush=True)
    elif word == "quit":
        sys.exit({code})
"""


def mock(code: int = 0, **answers: str) -> list[str]:
    """Command of an engine with these answers to commands, and this exit code."""
    return [sys.executable, "-c", ENGINE.format(answers=answers, code=code)]


def ask(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MEIHUA, *words], input=said, capture_output=True, text=True, check=False, timeout=120
    )


def test_help_and_version() -> None:
    for word in ("--help", "-h"):
        done = ask(word)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Usage: meihua")
        assert "--check" in done.stdout
    assert ask("--version").stdout == f"Meihua {__version__}\n"


def test_another_argument_is_reported_and_ignored() -> None:
    """GUIs that pass one still expect an answer."""
    done = ask("engine", said="uci\nquit\n")
    assert done.returncode == 0
    assert done.stdout.endswith("uciok\n")
    assert done.stderr == "meihua: ignored argument 'engine': expected none\n"


def test_an_unknown_option_is_an_error() -> None:
    done = ask("--nosuch", said="uci\nquit\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "meihua: unknown option '--nosuch': expected --help, --version, --check or nothing\n"
    )


def test_all_checks_pass() -> None:
    done = ask("--check")
    assert done.returncode == 0, done.stdout + done.stderr
    *lines, end = done.stdout.splitlines()
    assert end == "All checks passed."
    assert lines[0].startswith(f"Meihua {__version__}, Python {sys.version_info[0]}.")
    assert lines[1] == f"Give your GUI: {' '.join(MEIHUA)}"
    assert lines[2].startswith("Network: meihua.nnue, ")
    for line, dialogue in zip(lines[-3:], check.DIALOGUES, strict=True):
        assert line.startswith(f"{dialogue.protocol}:")
        assert re.search(
            rf"'{dialogue.greeting}' after [\d.]+ s, '{dialogue.ready[1]}' after .*"
            r"the best move [a-i]\d[a-i]\d \(legal\) after [\d.]+ s, exited after 'quit'$",
            line,
        )


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["no-such-program"], "cannot start 'no-such-program'"),
        ([sys.executable, "-c", "print('no library')"], "it ended before 'uciok'"),
        ([sys.executable, "-c", "print('no library')"], "its last line: 'no library'"),
        (mock(uci="uciok"), "no 'readyok' within"),
        (mock(uci="uciok", isready="readyok", go="bestmove a0a5"), "'a0a5' is not legal"),
        (mock(uci="uciok", isready="readyok", go="bestmove"), "'' is not legal"),
        (mock(9, uci="uciok", isready="readyok", go="bestmove h2e2"), "with the exit code 9"),
    ],
)
def test_a_step_that_fails_is_reported(
    command: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "PATIENCE_S", 2)
    with pytest.raises(CheckError, match=re.escape(why)):
        check_protocol(command, UCI)


def test_a_good_engine_passes() -> None:
    lines = check_protocol(mock(uci="uciok", isready="readyok", go="bestmove h2e2 ponder x"), UCI)
    assert "the best move h2e2 (legal)" in lines


def test_one_failed_protocol_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "PATIENCE_S", 1)
    command = mock(uci="uciok", isready="readyok", go="bestmove h2e2")
    lines = list(check_lines(command))
    failed = [line for line, _ in lines if "FAILED" in line]
    assert [line.split(":")[0] for line in failed] == ["UCCI", "XBoard"]
    assert lines[-1] == ("A check failed: see above.", False)


def test_the_check_fails_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> NetworkFile:
        raise NetworkError("meihua.nnue", Fact("no_file"), Fact("network.file"))

    monkeypatch.setattr(check, "choose_network", refuse)
    monkeypatch.setattr(check, "DIALOGUES", ())
    lines = list(check_lines(["x"]))
    assert lines[-1][1] is False
    found = "FAILED: cannot use the network 'meihua.nnue': found no file"
    assert any(found in line for line, _ in lines)


def test_the_exit_code_reports_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    for well, code in ((True, 0), (False, 1)):
        monkeypatch.setattr(check, "check_lines", lambda well=well: iter([("so", well)]))
        monkeypatch.setattr(sys, "argv", ["meihua", "--check"])
        with pytest.raises(SystemExit) as stop:
            meihua.command()
        assert stop.value.code == code


def test_a_frozen_executable_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["no-such-program"])
    assert own_command() == MEIHUA
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command() == [sys.executable]
