"""Table values in texts for people."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi import Board
from xiangqi.cli.main import main
from xiangqi.referee.rules import WXF
from xiangqi.tables.probing import Tablebase, compare_rules, default_folder, describe_default_tables
from xiangqi.web.serve.positions import describe_ruling
from xiangqi.words.voice import PLAIN_VOICE, Voice

HELD_BY_CHECKS = "8R/9/4k4/9/9/9/9/8n/5K3/9 b"
SENTENCE = "Red wins in 16 plies under wxf, drawn if perpetual check were allowed"


@pytest.fixture
def usual(chariot_horse_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The usual place of tables, with chariot against horse."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    shutil.copytree(chariot_horse_tables, default_folder())
    return default_folder()


def run(*arguments: str, said: str = "") -> tuple[str, str]:
    """Output of a command, and its messages."""
    result = CliRunner().invoke(main, arguments, input=said)
    assert result.exit_code == 0
    return result.stdout, result.stderr


def test_table_values_are_the_same_in_every_output(usual: Path) -> None:
    board = Board(HELD_BY_CHECKS)
    assert compare_rules(Tablebase(usual), board) == SENTENCE
    assert describe_default_tables(board, Voice("zh")) == "按wxf规则：红方16步内胜，若许长将：和棋"
    assert describe_default_tables(Board(), PLAIN_VOICE) == ""

    assert SENTENCE in run("show", HELD_BY_CHECKS)[0].splitlines()

    record = {"fen": HELD_BY_CHECKS, "moves": ["i2g3"]}
    said = describe_ruling(record, WXF, PLAIN_VOICE)["verdict"]
    assert said.endswith("Red wins in 13 plies under wxf, drawn if perpetual check were allowed")

    (usual / "KRvKN.wxf.xqt").write_bytes(b"damaged")
    assert "not a table file" in describe_default_tables(board, PLAIN_VOICE)


def test_the_judge_tells_of_games_that_go_on(usual: Path, tmp_path: Path) -> None:
    out, _ = run("judge", HELD_BY_CHECKS)
    assert out.splitlines()[1:] == [SENTENCE]
    assert json.loads(run("judge", HELD_BY_CHECKS, "--json")[0])["tables"] == SENTENCE
    assert SENTENCE in run("judge", HELD_BY_CHECKS, "--rules", "all")[0].splitlines()

    line = json.dumps({"fen": HELD_BY_CHECKS, "moves": []})
    assert json.loads(run("judge", "--jsonl", said=line)[0])["tables"] == SENTENCE
    games = tmp_path / "games.pgn"
    games.write_text(f'[FEN "{HELD_BY_CHECKS}"]\n\n*\n\n[Red "A"]\n\n*\n', encoding="utf-8")
    _, line, _ = run("judge", str(games))[0].splitlines()
    assert line.strip() == SENTENCE
    one, other = map(json.loads, run("judge", str(games), "--json")[0].splitlines())
    assert one["tables"] == SENTENCE
    assert "tables" not in other
    assert "tables" not in json.loads(run("judge", "startpos", "--json")[0])


def test_the_judge_tells_nothing_of_games_that_have_ended(usual: Path) -> None:
    mated = "3k4R/8R/9/9/9/9/9/9/9/4K4 b"
    assert "tables" not in json.loads(run("judge", mated, "--json")[0])
    assert not list(usual.glob("KRRvK*"))


def test_small_tables_are_made_when_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fen = "4k4/9/4P4/9/9/9/9/9/9/3K5 w"
    out, line = run("show", fen)
    assert line == f"6 tables made in {default_folder()}, for KPvK\n"
    assert any(line.endswith(" under wxf") for line in out.splitlines())
    assert run("show", fen) == (out, "")


def test_unwritable_table_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meihua").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    out, line = run("judge", "4k4/9/4P4/9/9/9/9/9/9/3K5 w")
    assert out.startswith("undecided")
    assert line.startswith("no tables of KPvK made: ")
