"""The engine with endgame tables: at the root and in the search."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.engines.fake_searcher import Conversation
from xiangqi import Board
from xiangqi.engine import Engine, Limits
from xiangqi.engine.searcher import MATE, RULE_WIN
from xiangqi.ground.errors import TableError
from xiangqi.tables.probing import LoadedTables

HELD_BY_CHECKS = "8R/9/4k4/9/9/9/9/8n/5K3/9 b"


@pytest.fixture
def folder(chariot_horse_tables: Path) -> Path:
    """Folder with tables of chariot against horse under two rule sets."""
    return chariot_horse_tables


@pytest.fixture
def engine(folder: Path) -> Engine:
    """An engine with these tables."""
    engine = Engine()
    engine.set_option("table_path", str(folder))
    return engine


def test_the_search_uses_them_after_a_capture(engine: Engine) -> None:
    """It reports the exact number of plies to mate."""
    board = Board("3k5/9/9/9/4p4/9/9/9/4R4/5K2n w")
    take = board.parse_iccs("e1e5")
    found = engine.play(board, Limits(depth=2, moves=(take,))).score
    board.push(take)
    value = LoadedTables(Path(str(engine.options["table_path"])), "wxf").probe(board, "wxf")
    assert value is not None
    assert (value.value, value.level) == (-1, 0)
    assert found == MATE - 1 - value.distance
    board.pop()
    without = Engine()
    assert without.play(board, Limits(depth=2, moves=(take,))).score < 20_000


def test_a_win_by_rule_is_one_only_under_the_rules(engine: Engine) -> None:
    """The chariot captures one of two horses; the other can then only check perpetually."""
    board = Board("R7n/9/4k4/9/9/9/9/8n/5K3/9 w")
    limits = Limits(depth=2, moves=(board.parse_iccs("a9i9"),))
    assert engine.play(board, limits).score == RULE_WIN - 1 - 16
    engine.set_option("repetition", "all-draws")
    assert engine.play(board, limits).score == 0
    engine.set_option("no_capture_rounds", 3)  # this draw comes first
    engine.set_option("repetition", "wxf")
    assert engine.play(board, limits).score < 20_000


def test_the_root_plays_the_nearest_win(engine: Engine) -> None:
    said: list[str] = []
    engine.on_message = said.append
    board = Board(HELD_BY_CHECKS)
    board.push_iccs("i2g3")
    rng = random.Random(4)
    while not board.is_game_over():
        move = engine.play(board, Limits(depth=1)).best if board.turn else None
        board.push(move or rng.choice(list(board.legal_moves)))
    assert board.result() == "1-0"
    assert said[0].startswith("tables: Red wins in 13 plies under wxf")


def test_wrong_paths_are_reported_and_change_nothing(engine: Engine, tmp_path: Path) -> None:
    before = engine.options["table_path"]
    with pytest.raises(TableError, match="no such folder of tables"):
        engine.set_option("table_path", str(tmp_path / "nowhere"))
    (tmp_path / "KRvK.wxf.xqt").write_bytes(b"no table")
    with pytest.raises(TableError, match="not a table file"):
        engine.set_option("table_path", str(tmp_path))
    assert engine.options["table_path"] == before
    assert engine._settings.tables.core is not None
    engine.set_option("repetition", "superko-positional")
    assert engine._settings.tables.core is None
    engine.set_option("repetition", "wxf")
    engine.set_option("table_path", "")
    assert engine._settings.tables.core is None


def test_a_folder_without_tables_is_reported_with_what_to_do(
    engine: Engine, tmp_path: Path
) -> None:
    """The engine makes no tables; a folder without tables for its rules is reported, too."""
    said: list[str] = []
    engine.on_message = said.append
    folder = engine.options["table_path"]
    engine.set_option("table_path", str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    assert "no endgame tables for wxf" in said[-1]
    assert "xiangqi tables make" in said[-1]
    engine.set_option("table_path", folder)
    engine.set_option("repetition", "checks-only")
    assert "no endgame tables for checks-only" in said[-1]
    engine.set_option("table_path", "")
    assert len(said) == 3


@pytest.mark.parametrize(
    ("first", "line"),
    [("ucci", "setoption tablepath {}"), ("uci", "setoption name TablePath value {}")],
)
def test_the_protocols_have_the_option(first: str, line: str, folder: Path, tmp_path: Path) -> None:
    with Conversation() as talk:
        talk.send(first)
        talk.expect(f"{first}ok")
        (reply,) = talk.ask(line.format(tmp_path / "nowhere"))
        assert "no such folder of tables" in reply
        (reply,) = talk.ask(line.format(folder))
        assert "4 for wxf; other material is searched" in reply
        assert talk.searcher.calls[-1] == "tables True"
