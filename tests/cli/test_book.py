"""The command ``xiangqi book``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support import books as support
from tests.support.patience import PATIENCE_S
from tests.support.systems import hear_interrupts, with_signals
from xiangqi import Board
from xiangqi.cli.main import main
from xiangqi.games.formats import FORMATS
from xiangqi.games.formats.jsonl import JSON_LINES

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["book", *map(str, arguments)], catch_exceptions=False)


def test_make_show_check_merge(tmp_path: Path) -> None:
    made, merged = tmp_path / "my.obk", tmp_path / "both.pfBook"
    result = run("make", EXAMPLES, "-o", made, "--min", "1")
    assert result.exit_code == 0
    assert result.stderr.endswith(f"6 games, 0 of them with errors, went into {made}\n")
    shown = run("show", made, "--json")
    assert {one["move"] for one in json.loads(shown.output)} >= {"h2e2", "b2e2", "c3c4"}
    assert run("show", made, "炮二平五", "--notation", "chinese").output.startswith(
        "马８进７  h9g7"
    )
    assert run("check", made).exit_code == 0
    assert run("merge", made, made, "-o", merged).exit_code == 0
    for one, twice in zip(
        json.loads(shown.output), json.loads(run("show", merged, "--json").output), strict=True
    ):
        assert twice["move"] == one["move"]
        assert twice["weight"] == 2 * one["weight"]


@pytest.mark.parametrize("words", [["--moves", "h2e2"], ["h2e2"], ["position startpos moves h2e2"]])
def test_a_position_is_given_in_any_way(words: list[str], tmp_path: Path) -> None:
    made = support.line_book(tmp_path / "my.obk", ["h2e2 h9g7"])
    assert run("show", made, *words).output == "h9g7         1\n"
    board = Board()
    board.push_iccs("h2e2")
    assert run("show", made, *board.fen().split()).output == "h9g7         1\n"
    assert run("show", made, "c3c4").output.startswith("no moves for rnbakabnr/")


def test_games_of_any_format_make_the_same_book(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    with games.open("wb") as out:
        JSON_LINES.write(support.random_games(31, 20), out)
    assert run("make", games, "-o", tmp_path / "a.obk", "--min", "1").exit_code == 0
    expected = (tmp_path / "a.obk").read_bytes()
    for name, known in FORMATS.items():
        if not known.can_write or name == "positions":
            continue
        target = tmp_path / name if known.single else tmp_path / f"b{known.suffixes[0]}"
        if known.single:
            target.mkdir()
        arguments = ["convert", str(games), str(target), "--to", name, "--force", "--lossy"]
        assert CliRunner().invoke(main, arguments, catch_exceptions=False).exit_code == 0
        made = tmp_path / f"{name}.obk"
        assert run("make", target, "-o", made, "--min", "1").exit_code == 0
        assert made.read_bytes() == expected, name


def test_wrong_input_of_book_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(
        '[Result "1-0"]\n\n1. C2.5 H8+9 1-0\n\n[Result "*"]\n\n1. C9.1 *\n'
    )
    result = run("make", tmp_path / "a.pgn", "-o", tmp_path / "a.obk", "--min", "1")
    assert result.exit_code == 1
    assert "a.pgn:2:1: " in result.stderr
    assert "1 of them with errors" in result.stderr
    wrong: list[tuple[list[str | Path], str]] = [
        (["make", tmp_path / "a.pgn", "-o", tmp_path / "a.txt"], "ends with .obk or .pfbook"),
        (["make", tmp_path / "none.pgn", "-o", tmp_path / "b.obk"], "none.pgn"),
        (
            ["make", tmp_path / "a.pgn", "-o", tmp_path / "a.obk"],
            "file exists; use --force",
        ),
        (["show", tmp_path / "none.obk"], "found no file"),
        (["show", tmp_path / "a.pgn"], "found the start"),
        (["check", tmp_path / "a.pgn"], "found the start"),
        (["merge", tmp_path / "a.pgn", "-o", tmp_path / "b.obk"], "found the start"),
        (["show", tmp_path / "a.obk", "h2h9h"], "h2h9h"),
        (["show", tmp_path / "a.obk", "zzz"], "xiangqi: 'zzz': expected a game"),
    ]
    for arguments, complaint in wrong:
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert complaint in result.stderr
    names = tmp_path / "names.json"
    names.write_text('{"A01": "x"}')
    result = run("make", tmp_path / "a.pgn", "-o", tmp_path / "c.obk", "--names", names)
    assert "expected JSON, a list of objects" in result.stderr


def test_an_empty_book_is_not_written(tmp_path: Path) -> None:
    result = run("make", EXAMPLES / "games.pgn", "-o", tmp_path / "a.obk", "--min", "100")
    assert "0 rows: no book is written" in result.stderr
    assert "went into" not in result.stderr
    assert not (tmp_path / "a.obk").exists()


def test_a_faulty_book_gives_an_exit_code(tmp_path: Path) -> None:
    row = (support.key_of(Board()), support.code_of("a0a5"), 1, 0, 0, 0, 1, "")
    result = run("check", support.write_table(tmp_path / "a.obk", [row]))
    assert result.exit_code == 1
    assert "faults: illegal 2, weight 0, counts 0" in result.output


@with_signals
def test_ctrl_c_keeps_what_has_been_read(tmp_path: Path) -> None:
    made = tmp_path / "a.obk"
    command = [sys.executable, "-m", "xiangqi", "book", "make", "-", "-o", str(made), "--min", "1"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        game = b'{"moves": ["h2e2"], "result": "1-0"}\n'
        process.stdin.write(game * 3000 + b"rubbish\n" + game * 3000)
        process.stdin.flush()
        assert b"rubbish" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert b"interrupted; the book holds the games read so far" in said
    (found,) = [
        one for one in json.loads(run("show", made, "--json").output) if one["move"] == "h2e2"
    ]
    assert found["wins"] >= 3000
