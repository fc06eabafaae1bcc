"""What tables tell, where people read it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi import Board
from xiangqi.cli.main import main
from xiangqi.referee.rules import WXF
from xiangqi.tables.probing import Tablebase, default_folder
from xiangqi.tables.wording import compare_rules, tell_usual_tables
from xiangqi.web.serve.rulings import describe_ruling
from xiangqi.words.voice import PLAIN_VOICE, Voice

HELD_BY_CHECKS = "8R/9/4k4/9/9/9/9/8n/5K3/9 b"
SENTENCE = "Red wins in 16 plies under wxf, drawn if perpetual check were allowed"


@pytest.fixture
def usual(chariot_horse_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The usual place of tables, with chariot against horse."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    shutil.copytree(chariot_horse_tables, default_folder())
    return default_folder()


def test_what_is_told_everywhere(usual: Path) -> None:
    board = Board(HELD_BY_CHECKS)
    assert compare_rules(Tablebase(usual), board) == SENTENCE
    assert tell_usual_tables(board, Voice("zh")) == "按wxf规则：红方16步内胜，若许长将：和棋"
    assert tell_usual_tables(Board(), PLAIN_VOICE) == ""

    shown = CliRunner().invoke(main, ["show", HELD_BY_CHECKS])
    assert SENTENCE in shown.output.splitlines()

    record = {"fen": HELD_BY_CHECKS, "moves": ["i2g3"]}
    said = describe_ruling(record, WXF, PLAIN_VOICE)["verdict"]
    assert said.endswith("Red wins in 13 plies under wxf, drawn if perpetual check were allowed")

    (usual / "KRvKN.wxf.xqt").write_bytes(b"damaged")
    assert "it is no table" in tell_usual_tables(board, PLAIN_VOICE)
