"""What is wrong with a text, in Chinese: every fault that people can make has words."""

from __future__ import annotations

import random
import re

import pytest

from xiangqi.board import Board
from xiangqi.errors import FenError, PositionError, RecordError, XiangqiError
from xiangqi.fen import STARTING_FEN, parse_fen
from xiangqi.games.pasting import read_pasted
from xiangqi.words.faults import say_error, say_reason

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|“[^”]*”""")
_NAMES = re.compile(r"\b(?:[a-i](?:10|\d)(?:[a-i](?:10|\d))?|WXF|FEN)\b", re.ASCII)


def english_in(told: str) -> str:
    """The Latin letters that are neither quoted nor the name of a square or a move."""
    rest = _NAMES.sub("", _QUOTED.sub("", told))
    return " ".join(re.findall(r"[A-Za-z]{2,}", rest))


@pytest.mark.parametrize(
    ("fen", "told"),
    [
        ("", "棋子摆放：内容为空，应有十条横线"),
        ("9/9 w", "棋子摆放：'9/9'有2条横线，应为10条，以“/”分隔"),
        (STARTING_FEN.replace(" w", " x"), "走棋方：此处为'x'，应为“w”或“b”"),
        (STARTING_FEN.replace("- -", "KQ -"), "第三项：此处为'KQ'，应为“-”"),
        (STARTING_FEN.replace("0 1", "y 1"), "未吃子着数：此处为'y'，应为0至"),
        (f"{STARTING_FEN} and more", "多余文字：此处为'and more'，应无内容"),
        (STARTING_FEN.replace("RNB", "QNB"), "第0横线，自下而上从0数起）：'QNBAKABNR'中有'Q'"),
        (STARTING_FEN.replace("9/1c", "8/1c"), "'8'占8格，应为9格"),
    ],
)
def test_a_fen_that_cannot_be_read(fen: str, told: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_fen(fen)
    found = say_error("zh", caught.value)
    assert told in found
    assert not english_in(found)
    assert say_error("en", caught.value) == str(caught.value)


def test_an_impossible_position() -> None:
    with pytest.raises(PositionError) as caught:
        Board("4k4/9/9/9/9/9/9/9/9/4KR1R1 b")
    found = say_error("zh", caught.value)
    assert found.startswith("不可能的局面 '4k4/9/9/9/9/9/9/9/9/4KR1R1 b")
    assert "e0、e9的将帅照面" in found
    assert say_reason("zh", "; ".join(caught.value.problems)) == "e0、e9的将帅照面"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("炮二平五 车9平9", "第2着：'车9平9'：黑车不能这样走"),
        ("a0a9", "a0的红车走不到a9"),
        ("h2e2 h0g2", "h0的红马不能走，轮到黑方走棋"),
        ("e5e6 h9g7", "e5没有棋子"),
        ("马三进四", "从走棋方右侧数起的第3路上没有红马"),
        ("h2e2 h9g7 zzz", "应为坐标、WXF 或中文记谱"),
        ("h2e2 (h2d2", "变着没有结束"),
        ("h2e2 {why", "注释没有结束"),
        ("https://example.org/game", "不会打开链接"),
        ("hello", "应为"),
    ],
)
def test_a_text_that_is_no_game(text: str, told: str) -> None:
    found = say_error("zh", fault_of(text))
    assert told in found
    assert not english_in(found)


def fault_of(text: str) -> XiangqiError:
    try:
        fault = read_pasted(text).fault
    except RecordError as error:
        return error
    assert fault is not None
    return fault.error()


def test_what_people_may_mistype_is_told_in_chinese() -> None:
    """Moves and positions with a letter changed, taken away or put in."""
    lots, words = random.Random(3), "炮二平五 马8进7 h0g2 C8.5 H2+3 车九进一 P3+1 b7b0 R1.2".split()
    told = 0
    for _ in range(1500):
        text = STARTING_FEN if lots.random() < 0.3 else " ".join(lots.sample(words, 5))
        place = lots.randrange(len(text))
        instead = lots.choice(["", *"炮车8a0九/- xKw9+", text[place] * 2])
        text = text[:place] + instead + text[place + 1 :]
        try:
            error = fault_of(text)
        except AssertionError:
            continue  # it is a game after all
        found = say_error("zh", error)
        assert not english_in(found), (text, found)
        told += 1
    assert told > 800
