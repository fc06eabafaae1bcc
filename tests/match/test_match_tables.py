"""Games of a match decided by endgame tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from xiangqi import Board
from xiangqi.match.adjudication import Adjudicator, TableRule
from xiangqi.match.arguments import build_config, split_words
from xiangqi.match.config import ConfigError
from xiangqi.referee.rules import ALL_DRAWS, WXF


@pytest.fixture
def folder(chariot_horse_tables: Path) -> Path:
    """Chariot against horse under two rule sets."""
    return chariot_horse_tables


def test_a_capture_into_the_tables_ends_the_game(folder: Path) -> None:
    """The chariot takes one of two horses; the other can only check for ever."""
    board = Board("R7n/9/4k4/9/9/9/9/8n/5K3/9 w")
    strict = Adjudicator(tables=TableRule(folder, WXF))
    mild = Adjudicator(tables=TableRule(folder, ALL_DRAWS))
    board.push_iccs("a9i9")
    decision = strict.add_move(board, None)
    assert decision is not None
    assert (decision.result, decision.termination) == ("1-0", "adjudication")
    assert decision.reason == "Endgame tables: Red wins in 16 plies under wxf"
    drawn = mild.add_move(board, None)
    assert drawn is not None
    assert drawn.result == "1/2-1/2"
    board.push_iccs("i2g3")
    assert strict.add_move(board, None) is None  # what was played may matter by now


def test_a_limit_that_comes_first_is_minded(folder: Path) -> None:
    board = Board("R7n/9/4k4/9/9/9/9/8n/5K3/9 w")
    board.push_iccs("a9i9")
    for limit, decided in ((15, False), (16, True)):
        rules = WXF.replace({"no_capture_limit": limit})
        assert (TableRule(folder, rules).find(board) is not None) == decided
    other = WXF.replace({"answered": "victim"})
    assert TableRule(folder, other).find(board) is None


def test_the_word_of_the_command(folder: Path) -> None:
    words = "-engine cmd=a name=a -engine cmd=b name=b -each depth=1 -tb".split()
    assert build_config(split_words([*words, str(folder)])).tb == folder
    with pytest.raises(ConfigError, match="a folder of endgame tables"):
        build_config(split_words([*words, str(folder / "nowhere")]))
