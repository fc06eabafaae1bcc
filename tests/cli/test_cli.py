"""The command ``xiangqi``, as people and programs call it."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

from tests.support.patience import PATIENCE_S
from tests.support.systems import hear_interrupts, with_a_shell, with_signals
from xiangqi.cli.base import configure_output
from xiangqi.cli.bench import perft
from xiangqi.cli.judge import judge
from xiangqi.cli.main import main
from xiangqi.cli.verify import verify

CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CHECK_MOVES = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8"


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin, catch_exceptions=False)


# judge


def test_judge_by_fen_and_moves() -> None:
    result = run("judge", "--fen", CHECK_FEN, "--moves", CHECK_MOVES)
    assert result.exit_code == 0
    assert result.output == (
        "Black wins: Red checked perpetually and had to change; Black: idle moves\n"
    )


@pytest.mark.parametrize("split", [False, True])
def test_judge_by_a_position_line(split: bool) -> None:
    line = f"position fen {CHECK_FEN} - - 0 1 moves {CHECK_MOVES}"
    result = run("judge", *(line.split() if split else [line]))
    assert result.output.startswith("Black wins")


def test_judge_explains_in_two_languages() -> None:
    english = run("judge", "--fen", CHECK_FEN, "--moves", CHECK_MOVES, "--explain").output
    assert "the red chariot on e0 gives check" in english
    assert "Moves: 1. f0e0 e8f8 2. e0f0" in english
    chinese = run(
        "judge", "--fen", CHECK_FEN, "--moves", CHECK_MOVES, "--explain", "--lang", "zh"
    ).output
    assert "裁决：黑胜" in chinese


def test_judge_as_json() -> None:
    result = run("judge", "--fen", CHECK_FEN, "--moves", CHECK_MOVES, "--json")
    data = json.loads(result.output)
    assert data["verdict"] == "black_wins"
    assert data["plies"][0]["checkers"] == ["e0"]


def test_judge_a_case_and_a_rule_set() -> None:
    assert run("judge", "--case", "D2a").output.startswith("Black wins")
    assert run("judge", "--case", "d2a", "--rules", "all-draws").output.startswith("draw")
    five = run("judge", "--case", "D2a", "--occurrences", "5", "--json")
    assert json.loads(five.output)["occurrences"] == 5
    assert run("judge", "--case", "V3", "--set", "answered=victim").output.startswith("draw")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "found none"),
        (["--case", "D2a", "--fen", CHECK_FEN], "found --fen/--moves and --case"),
        (["--case", "D999"], "case D999: there is no such case"),
        (["--fen", ""], "invalid FEN '': piece placement"),
        (["--fen", "x"], "invalid FEN 'x': piece placement"),
        (["--moves", "h2e2 h9"], "move 2: 'h9': no black soldier can go to h9"),
        (["--moves", "h2e2 h2e2"], "move 2: 'h2e2': there is no piece on h2"),
        (["position", "depth", "3"], "'position depth 3': expected 'position fen"),
        (["go", "depth", "3"], "go: No such file or directory"),
        (["--case", "D2a", "--rules", "fide"], "'fide' is not one of"),
        (["--case", "D2a", "--occurrences", "1"], "invalid rule occurrences 1"),
        (["--case", "D2a", "--set", "identity"], "invalid option --set 'identity'"),
        (["--case", "D2a", "--set", "identity=x"], "expected one of 'piece', 'square'"),
        (["--case", "D2a", "--set", "x=1"], "invalid rule 'x': expected one of occurrences"),
        (["--jsonl", "--fen", CHECK_FEN], "cannot be combined with a game"),
    ],
)
def test_judge_refuses(arguments: list[str], message: str) -> None:
    result = run("judge", *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_judge_lines_of_json() -> None:
    lines = [
        json.dumps({"id": "a", "fen": CHECK_FEN, "moves": CHECK_MOVES.split()}),
        "",
        '{"id": 2, "fe',
        json.dumps({"id": [3], "moves": ["h2e2", "h2e2"]}),
        json.dumps({"id": None, "fen": CHECK_FEN}),
        json.dumps({"moves": ["h2e2"]}),
    ]
    result = run("judge", "--jsonl", stdin="\n".join(lines).encode() + b"\n\xff\xfe\n")
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert answers[0] == {
        "id": "a",
        "verdict": "black_wins",
        "red": "check",
        "black": "idle",
        "occurrences": 3,
        "window": [0, 7],
        "offender": "red",
        "victim": None,
        "reason": "Red checked perpetually and had to change; Black: idle moves",
        "rules": "wxf",
    }
    assert answers[1]["id"] is None
    assert answers[1]["error"]["message"].startswith("line 3: ")
    assert answers[2]["id"] == [3]
    assert "move 2: 'h2e2': there is no piece on h2" in answers[2]["error"]["message"]
    assert answers[3]["verdict"] == answers[4]["verdict"] == "undecided"
    assert answers[3]["window"] is None
    assert "not UTF-8" in answers[5]["error"]["message"]
    assert len(answers) == 6


def test_judge_lines_succeeds_when_all_can_be_ruled() -> None:
    assert run("judge", "--jsonl", stdin="{}\n").exit_code == 0
    assert run("judge", "--jsonl", stdin="").exit_code == 0


# perft


def test_perft() -> None:
    result = run("perft", "3")
    assert result.output.startswith("depth 3: 79,666 nodes, ")
    assert "nodes/s" in result.output


def test_perft_divide() -> None:
    result = run("perft", "2", "--divide", "--fen", "4k4/4a4/9/9/9/9/9/9/4R4/3K5 w")
    *divided, total = result.output.splitlines()
    counts = {move: int(count) for move, count in (line.split(": ") for line in divided)}
    assert f"depth 2: {sum(counts.values()):,} nodes" in total
    assert "e1e8" in counts


@pytest.mark.parametrize("depth", ["0", "-1", "x", "31"])
def test_perft_refuses_a_depth(depth: str) -> None:
    assert run("perft", "--", depth).exit_code == 2


# As processes


@pytest.mark.parametrize("command", ["", "verify", "judge", "perft"])
def test_help_has_examples(command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert not command or "Examples:\n  xiangqi " in result.output


@pytest.mark.parametrize("command", [verify, judge, perft], ids=lambda command: command.name)
def test_examples_of_the_help_work(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text('[Red "A"]\n\n1. C2.5 H8+7 *\n')
    assert run("convert", "games.pgn", "more.xqf").exit_code == 0
    assert command.epilog
    for line in command.epilog.strip().splitlines():
        program, *arguments = shlex.split(line.split("<")[0].split(">")[0])
        assert program == "xiangqi"
        if "wxf_cases" not in line:
            assert run(*arguments).exit_code == 0


@pytest.mark.parametrize(
    "command", ["verify", "judge", "analyse -o out.pgn", "match", "judge --case D12 --rules"]
)
def test_a_missing_file_is_reported_in_words(command: str) -> None:
    result = CliRunner().invoke(main, [*command.split(), "nowhere.toml"])
    assert result.exit_code in (1, 2)
    assert "No such file or directory" in result.output
    assert result.output.count("nowhere.toml") == 1


def test_version() -> None:
    assert "Meihua, version " in run("--version").output


def test_answers_come_line_by_line() -> None:
    """A program may wait for one answer before its next question."""
    command = [sys.executable, "-m", "xiangqi", "judge", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(b'{"id": %d}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=PATIENCE_S) == 0


@with_a_shell
def test_a_closed_pipe_ends_quietly() -> None:
    command = f"{shlex.quote(sys.executable)} -m xiangqi verify | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@with_signals
@pytest.mark.parametrize(
    ("arguments", "begins"),
    [
        ("perft 6 --divide", "a0a1: "),
        ("bench 60", "Evaluation: "),
    ],
)
def test_ctrl_c_ends_long_work(arguments: str, begins: str) -> None:
    command = [sys.executable, "-m", "xiangqi", *arguments.split()]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(begins)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert complaint == "xiangqi: interrupted\n"


# Letters that a system's encoding has not


def printed(monkeypatch: pytest.MonkeyPatch, system: str, encoding: str) -> bytes:
    """Output for a move in Chinese on a stream with this encoding."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        configure_output(system)
        print("炮二平五", end="")
    return raw.getvalue()


def test_windows_writes_utf_8_into_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    assert printed(monkeypatch, "nt", "cp1252") == "炮二平五".encode()
    assert printed(monkeypatch, "nt", "gbk") == "炮二平五".encode()
    monkeypatch.setenv("PYTHONIOENCODING", "gbk")
    assert printed(monkeypatch, "nt", "gbk") == "炮二平五".encode("gbk")


def test_other_systems_keep_their_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, "posix", "gb18030") == "炮二平五".encode("gb18030")
    assert printed(monkeypatch, "posix", "latin-1") == rb"\u70ae\u4e8c\u5e73\u4e94"


def test_a_poor_encoding_ends_no_command() -> None:
    command = [sys.executable, "-m", "xiangqi", "judge", "--case", "D84", "--lang", "zh"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert r"\u" in done.stdout
