"""Facts of errors: a code and values, with a text in each language."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
import random
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from xiangqi import EngineError
from xiangqi.board import Board
from xiangqi.client.process import split_command
from xiangqi.games.pasting import read_pasted
from xiangqi.ground import errors
from xiangqi.ground.errors import (
    Fact,
    FenError,
    PositionError,
    RecordError,
    XiangqiError,
    outside,
    reason_of,
)
from xiangqi.ground.texts import LANGUAGES, has_text, text_of
from xiangqi.pieces import RED, ROOK, Piece
from xiangqi.pieces.fen import STARTING_FEN, parse_fen

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|“[^”]*”""")
_NAMES = re.compile(r"\b(?:[a-i](?:10|\d)(?:[a-i](?:10|\d))?|WXF|FEN)\b", re.ASCII)


def english_in(text: str) -> str:
    """Latin letters of a text that are neither quoted nor part of a square or a move."""
    rest = _NAMES.sub("", _QUOTED.sub("", text))
    return " ".join(re.findall(r"[A-Za-z]{2,}", rest))


@pytest.mark.parametrize(
    ("fen", "expected"),
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
def test_a_fen_that_cannot_be_read(fen: str, expected: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_fen(fen)
    found = caught.value.say("zh")
    assert expected in found
    assert not english_in(found)
    assert caught.value.say("en") == str(caught.value)


def test_an_impossible_position() -> None:
    with pytest.raises(PositionError) as caught:
        Board("4k4/9/9/9/9/9/9/9/9/4KR1R1 b")
    found = caught.value.say("zh")
    assert found.startswith("不可能的局面 '4k4/9/9/9/9/9/9/9/9/4KR1R1 b")
    assert "e0、e9的将帅照面" in found
    assert [problem.say("zh") for problem in caught.value.problems] == ["e0、e9的将帅照面"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("炮二平五 车9平9", "第2着：'车9平9'：黑车不能这样走"),
        ("a0a9", "a0的红车走不到a9"),
        ("h2e2 h0g2", "h0的红马不能走，轮到黑方走棋"),
        ("e5e6 h9g7", "e5没有棋子"),
        ("马三进四", "从走棋方右侧数起的第3路上没有红马"),
        ("h2e2 h9g7 zzz", "应为坐标、WXF、越南或中文记谱"),
        ("h2e2 (h2d2", "变着没有结束"),
        ("h2e2 {why", "注释没有结束"),
        ("https://example.org/game", "不会打开链接"),
        ("hello", "应为"),
    ],
)
def test_a_text_that_is_no_game(text: str, expected: str) -> None:
    found = fault_of(text).say("zh")
    assert expected in found
    assert not english_in(found)


def fault_of(text: str) -> XiangqiError:
    try:
        fault = read_pasted(text).fault
    except RecordError as error:
        return error
    assert fault is not None
    return fault.error()


def test_mistyped_input_is_reported_in_chinese() -> None:
    """Moves and positions with a character changed, removed or inserted."""
    lots, words = random.Random(3), "炮二平五 马8进7 h0g2 C8.5 H2+3 车九进一 P3+1 b7b0 R1.2".split()
    reported = 0
    for _ in range(1500):
        text = STARTING_FEN if lots.random() < 0.3 else " ".join(lots.sample(words, 5))
        place = lots.randrange(len(text))
        instead = lots.choice(["", *"炮车8a0九/- xKw9+", text[place] * 2])
        text = text[:place] + instead + text[place + 1 :]
        try:
            error = fault_of(text)
        except AssertionError:
            continue  # still a valid game
        found = error.say("zh")
        assert not english_in(found), (text, found)
        reported += 1
    assert reported > 800


# The tables of facts, checked against the source

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for path in sorted((ROOT / "xiangqi").rglob("*.py"))
    if path.parent != ROOT / "xiangqi/errors" or path.stem == "__init__"
]
GAP = re.compile(r"\{(\w+)(?:!r)?(?::[;\w]+)?\}")


def calls_in(names: Collection[str]) -> Iterator[tuple[str, ast.Call]]:
    """Calls of some functions in the package, each with the function's name."""
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name in names:
                    yield name, node


def test_each_fact_in_the_source_has_a_row_and_fills_its_gaps() -> None:
    count = 0
    for _, call in calls_in({"Fact"}):
        given = {keyword.arg for keyword in call.keywords}
        for code in codes_of(call.args[0]):
            assert has_text(code), code
            count += 1
            if None not in given:  # else some come from a mapping
                texts = " ".join(text_of(language, code) for language in LANGUAGES)
                assert given == set(GAP.findall(texts)), code
    assert count > 200


def codes_of(argument: ast.expr) -> list[str]:
    """Codes that an argument can have, as far as they are literals."""
    if isinstance(argument, ast.IfExp):
        return codes_of(argument.body) + codes_of(argument.orelse)
    return [str(argument.value)] if isinstance(argument, ast.Constant) else []


def test_errors_of_engines_and_requests_hold_facts_too() -> None:
    found = [*calls_in({"EngineError", "Refusal"})]
    assert len(found) > 60
    for name, call in found:
        for one in call.args:
            is_prose = isinstance(one, ast.Constant) and isinstance(one.value, str)
            assert not is_prose, (name, ast.unparse(call))
            assert not isinstance(one, ast.JoinedStr), (name, ast.unparse(call))


def test_an_error_of_an_engine_is_said_in_chinese() -> None:
    with pytest.raises(EngineError) as caught:
        split_command([])
    assert str(caught.value) == "cannot start []: expected a program to run"
    assert outside(caught.value).say("zh") == "无法启动[]：应为要运行的程序"


def test_errors_are_made_of_facts() -> None:
    """Errors are raised with facts, as mypy checks, not with sentences."""
    names = {name for name in errors.__all__ if name.endswith("Error")} - {"XiangqiError"}
    count = 0
    for name, call in calls_in(names):
        signature = inspect.signature(getattr(errors, name))
        for parameter, argument in zip(signature.parameters.values(), call.args, strict=False):
            if "Fact" in str(parameter.annotation):
                is_empty = isinstance(argument, ast.Constant) and argument.value == ""
                is_text = isinstance(argument, (ast.Constant, ast.JoinedStr))
                assert is_empty or not is_text, ast.unparse(call)
                count += 1
    assert count > 200


def test_a_fact_survives_a_copy() -> None:
    fact = Fact("illegal.unreachable", piece=Piece(ROOK, RED), square="a0", target="b7")
    for copied in (copy.copy(fact), copy.deepcopy(fact), pickle.loads(pickle.dumps(fact))):
        assert (copied, copied.code, copied.values) == (fact, fact.code, fact.values)
        assert copied.say("zh") == "a0的红车走不到b7"


def test_an_unknown_code_and_a_gap_without_value_are_refused() -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        Fact("no.such")
    with pytest.raises(KeyError, match="found"):
        Fact("fen.side")


def test_texts_from_outside_stay_as_they_are() -> None:
    for error in (OSError(2, "No such file or directory"), OSError(5, "Input/output error")):
        assert reason_of(error) == error.strerror
    assert reason_of(OSError(2, "No such file or directory")).say("zh") == "没有这个文件或文件夹"
    assert reason_of(ValueError("odd")).say("zh") == "odd"
    assert RecordError(None, "x", outside("odd")).say("zh") == "'x'：odd"
