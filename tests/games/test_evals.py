"""Evaluations and arrows in comments, as python-chess reads them too."""

from __future__ import annotations

import chess.pgn
import pytest

from xiangqi import A0, A1, B2, E2, E9, H2, I0, I9, GameNode, svg
from xiangqi.games.comments import (
    Eval,
    put_arrows,
    put_eval,
    read_arrows,
    read_eval,
    without_eval,
)
from xiangqi.pieces.arrows import Arrow


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
def test_evaluations_are_read(comment: str, value: Eval | None) -> None:
    assert read_eval(comment) == value


@pytest.mark.parametrize("value", [Eval(cp=0), Eval(cp=-7), Eval(cp=123_456), Eval(mate=-1)])
@pytest.mark.parametrize("words", ["", "a slip", "[%clk 0:01:00] [%eval 9.00] two\nlines"])
def test_written_evaluations_are_read_by_python_chess(value: Eval, words: str) -> None:
    comment = put_eval(words, value)
    assert read_eval(comment) == value
    node = chess.pgn.Game()
    node.comment = comment
    score = node.eval()
    assert score is not None
    assert (score.white().score(), score.white().mate()) == (value.cp, value.mate)
    assert comment.count("[%eval") == 1
    assert without_eval(comment) == without_eval(words)


def test_other_comments_stay_as_they_are() -> None:
    for comment in ("  two  blanks ", "[%clk 0:00:01]", "[%evaluation 3]", "[%eval soon] "):
        assert without_eval(comment).strip() == comment.strip()


# Arrows


@pytest.mark.parametrize(
    ("comment", "arrows"),
    [
        ("[%csl Ge2]", [Arrow(E2, E2)]),
        ("[%cal Gh2e2,Re2e9] words", [Arrow(H2, E2), Arrow(E2, E9, "check")]),
        ("a [%csl Ya0] b [%cal Bi9i0]", [Arrow(A0, A0, "chase"), Arrow(I9, I0, "protection")]),
        ("[%cal h2e2]", [Arrow(H2, E2)]),
        ("", []),
        ("[%cal]", []),
        ("[%cal Gh2j2]", []),
        ("[%cal Xh2e2]", []),
        ("[%cal Gh2e2", []),
    ],
)
def test_arrows_that_are_read(comment: str, arrows: list[Arrow]) -> None:
    assert read_arrows(comment) == arrows


@pytest.mark.parametrize("words", ["", "a slip", "[%clk 0:01:00] two\nlines", "[%cal Ga0a1] old"])
def test_arrows_that_are_written_are_read_by_others(words: str) -> None:
    arrows = [Arrow(H2, E2), Arrow(E2, E2, "check"), Arrow(A1, B2, "chase")]
    comment = put_arrows(words, arrows)
    assert sorted(read_arrows(comment), key=arrows.index) == arrows
    assert put_arrows(comment, []) == put_arrows(words, [])
    node = chess.pgn.Game()
    node.comment = comment
    found = [(chess.square_name(one.tail), chess.square_name(one.head)) for one in node.arrows()]
    assert found == [("e2", "e2"), ("h2", "e2"), ("a1", "b2")]


def test_arrows_of_a_node_can_be_drawn() -> None:
    node = GameNode()
    node.set_arrows([(H2, E2), Arrow(E2, E9, "check")])
    assert node.comment == "[%cal Gh2e2,Re2e9]"
    drawn = [Arrow(H2, E2), Arrow(E2, E9, "check")]
    assert svg.board(arrows=node.arrows()) == svg.board(arrows=drawn)
    with pytest.raises(ValueError, match="'attack' in a comment: expected one of move, check"):
        node.set_arrows([Arrow(H2, E2, "attack")])
    assert node.arrows() == drawn
