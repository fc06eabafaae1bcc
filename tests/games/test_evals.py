"""Evaluations in comments, as python-chess reads them too."""

from __future__ import annotations

import chess.pgn
import pytest

from xiangqi.games.comments import Eval, put_eval, read_eval, without_eval


@pytest.mark.parametrize(
    ("comment", "value"),
    [
        ("[%eval 0.35]", Eval(cp=35)),
        ("[%eval -12.5,18] and words", Eval(cp=-1250)),
        ("before [%eval +.7] after", Eval(cp=70)),
        ("[%clk 0:01:00] [%eval #3]", Eval(mate=3)),
        ("[%eval #-12,4]", Eval(mate=-12)),
        ("[%eval 1.00] [%eval 2.00]", Eval(cp=100)),
        ("", None),
        ("[%eval]", None),
        ("[%eval nonsense]", None),
        ("[%eval 1.2.3]", None),
        ("%eval 0.35", None),
    ],
)
def test_what_is_read(comment: str, value: Eval | None) -> None:
    assert read_eval(comment) == value


@pytest.mark.parametrize("value", [Eval(cp=0), Eval(cp=-7), Eval(cp=123_456), Eval(mate=-1)])
@pytest.mark.parametrize("words", ["", "a slip", "[%clk 0:01:00] [%eval 9.00] two\nlines"])
def test_what_is_written_is_read_by_others(value: Eval, words: str) -> None:
    comment = put_eval(words, value)
    assert read_eval(comment) == value
    node = chess.pgn.Game()
    node.comment = comment
    score = node.eval()
    assert score is not None
    assert (score.white().score(), score.white().mate()) == (value.cp, value.mate)
    assert comment.count("[%eval") == 1
    assert without_eval(comment) == without_eval(words)


def test_what_is_no_evaluation_stays() -> None:
    for comment in ("  two  blanks ", "[%clk 0:00:01]", "[%evaluation 3]", "[%eval soon] "):
        assert without_eval(comment).strip() == comment.strip()
