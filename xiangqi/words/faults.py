"""What is wrong with a text, in each language: a FEN, a move, a game that was pasted.

Whoever finds a fault tells it in English, as an error of :mod:`xiangqi.errors`. The sentences are
of few forms, and each has its form in Chinese here. What has none stays as it is: better told in
English than not at all.

>>> say_reason("zh", "the black chariot does not move like this")
'黑车不能这样走'
>>> say_reason("en", "the black chariot does not move like this")
'the black chariot does not move like this'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from xiangqi.errors import (
    AmbiguousMoveError,
    FenError,
    FormatError,
    IllegalMoveError,
    InvalidMoveError,
    PositionError,
    RecordError,
    XiangqiError,
    quote,
)
from xiangqi.fen import Status, find_problems, parse_fen
from xiangqi.pieces import COLOR_NAMES, COLORS, PIECE_TYPES, Piece
from xiangqi.words.problems import say_problem
from xiangqi.words.sentences import Language

__all__ = ["say_error", "say_reason"]

_FORMS: Final = (
    # A FEN: the field, and what was found there
    ("piece placement: {why}", "棋子摆放：{why}"),
    ("piece placement, rank {rank}: {why}", "棋子摆放（第{rank}横线，自下而上从0数起）：{why}"),
    ("side to move: {why}", "走棋方：{why}"),
    ("third field: {why}", "第三项：{why}"),
    ("fourth field: {why}", "第四项：{why}"),
    ("halfmove clock: {why}", "未吃子着数：{why}"),
    ("fullmove number: {why}", "回合数：{why}"),
    ("trailing text: {why}", "多余文字：{why}"),
    ("the text is empty, expected ten ranks", "内容为空，应有十条横线"),
    (
        "{found} has {count} rank(s), expected {ranks} separated by '/'",
        "{found}有{count}条横线，应为{ranks}条，以“/”分隔",
    ),
    (
        "{found} has {count} character(s), expected at most {most}",
        "{found}有{count}个字符，至多应有{most}个",
    ),
    ("{row} fills {count} file(s), expected {files}", "{row}占{count}格，应为{files}格"),
    (
        "found {found} in {row}, expected a piece or a digit 1 to 9",
        "{row}中有{found}，应为棋子或数字1至9",
    ),
    ("found {found}, expected a number 0 to {most}", "此处为{found}，应为0至{most}之间的数"),
    ("found {found}, expected 'w' or 'b'", "此处为{found}，应为“w”或“b”"),
    ("found {found}, expected '-'", "此处为{found}，应为“-”"),
    ("found {found}, expected nothing", "此处为{found}，应无内容"),
    # An impossible position
    ("{side} has no general", "{side}没有将帅"),
    (
        "the generals on {one} and {other} face each other on an open file",
        "{one}、{other}的将帅照面",
    ),
    (
        "{side} is to move, but the {piece} on {where} is in check",
        "轮到{side}走棋，而{where}的{piece}正被将军",
    ),
    ("{piece} on {where} stands outside the palace", "{where}的{piece}在九宫之外"),
    (
        "{piece} on {where} stands outside the palace's five advisor points",
        "{where}的{piece}不在九宫内士可到的五点上",
    ),
    (
        "{piece} on {where} stands outside the seven elephant points of its half",
        "{where}的{piece}不在己方象可到的七点上",
    ),
    ("{piece} on {where} stands behind its starting rank", "{where}的{piece}在其起始横线之后"),
    (
        "{piece} on {where} has moved sideways before it crossed the river",
        "{where}的{piece}未过河而横行",
    ),
    (
        "{side} has {count} {term}s ({where}), expected at most {most}",
        "{side}有{count}个{term}（{where}），至多{most}个",
    ),
    # A move
    ("there is no piece on {square}", "{square}没有棋子"),
    (
        "the {piece} on {square} cannot move, it is {side}'s turn",
        "{square}的{piece}不能走，轮到{side}走棋",
    ),
    ("{square} is held by {side}'s own {piece}", "{square}已有己方的{piece}"),
    ("the {piece} on {square} cannot reach {target}", "{square}的{piece}走不到{target}"),
    ("it leaves the {side} general in check", "走后{side}的将帅仍被将军"),
    ("the {piece} does not move like this", "{piece}不能这样走"),
    (
        "there is no {piece} on file {file}, counted from the mover's right",
        "从走棋方右侧数起的第{file}路上没有{piece}",
    ),
    (
        "there are not as many of the {piece}s on one file as this tells apart",
        "同一路上没有这么多{piece}可供区分",
    ),
    ("no {piece} can go to {square}", "没有{piece}能走到{square}"),
    ("ambiguous, expected a text for one of {moves}", "有歧义，可能是：{moves}"),
    (
        "expected coordinates, WXF or Chinese notation, as in 'h2e2', 'C2.5' or '炮二平五'",
        "应为坐标、WXF 或中文记谱，如“h2e2”、“C2.5”或“炮二平五”",
    ),
    (
        "expected piece, file or place, direction, number, as in '炮二平五' or '前马进7'",
        "应为棋子、路数或位置、方向、数字，如“炮二平五”或“前马进7”",
    ),
    (
        "expected piece, file or sign, direction, number, as in 'C2.5', 'H8+7' or 'R+.3'",
        "应为棋子、路数或记号、方向、数字，如“C2.5”、“H8+7”或“R+.3”",
    ),
    (
        "expected two different squares a0 to i9, as in 'h2e2' or 'H2-E2'",
        "应为 a0 至 i9 中两个不同的点，如“h2e2”或“H2-E2”",
    ),
    ("expected a piece and a square, as in 'Che3'", "应为棋子与落点，如“Che3”"),
    (
        "expected two different squares a1 to i10, as in 'h3e3'",
        "应为 a1 至 i10 中两个不同的点，如“h3e3”",
    ),
    # A file of games
    ("expected at most {count} moves in a line", "一条变化最多{count}着"),
    ("expected at most {count} variations within each other", "变着最多嵌套{count}层"),
    ("No such file or directory", "没有这个文件或文件夹"),
    ("Permission denied", "没有权限"),
    (
        "the folder holds no file that ends with one of {names}",
        "文件夹里没有以下列扩展名结尾的文件：{names}",
    ),
    ("not a format of games that is known: {why}", "不是已知的棋谱格式：{why}"),
    ("no text, as {name} is: {why}", "不是文本，而{name}格式应为文本：{why}"),
    ("begins with {found}", "开头为{found}"),
    ("it is empty", "内容为空"),
    (
        "no game: expected moves, as in '炮二平五' or 'h2e2'",
        "没有棋局：应有着法，如“炮二平五”或“h2e2”",
    ),
    ("no game: {found}: {why}", "没有棋局：{found}：{why}"),
    ("not Xiangqi: the header Variant is {value}", "不是中国象棋：标题 Variant 为{value}"),
    (
        "not Xiangqi: the position has {count} ranks, expected {ranks}",
        "不是中国象棋：局面有{count}条横线，应为{ranks}条",
    ),
    (
        "not Xiangqi: {move} is a move of western chess",
        "不是中国象棋：{move}是国际象棋的着法",
    ),
    ("the compressed file is damaged: {error}", "压缩文件已损坏：{error}"),
    ("longer than {count} bytes", "超过{count}字节"),
    ("longer than {count} characters", "超过{count}个字符"),
    ("line {number}: neither UTF-8 nor GB18030", "第{number}行：既非 UTF-8 也非 GB18030"),
    ('no header: expected [Name "value"]', '不是标题：应为 [名称 "内容"]'),
    ("expected a keyword and its value", "应为关键字及其内容"),
    (
        "expected 'position fen F [moves ...]' or 'position startpos [moves ...]'",
        "应为“position fen F [moves ...]”或“position startpos [moves ...]”",
    ),
    (
        "expected 'position fen F [moves ...]' or 'position startpos [moves ...]', or a FEN",
        "应为“position fen F [moves ...]”、“position startpos [moves ...]”或 FEN",
    ),
    (
        "behind a FEN expected 'moves ...' or operations of EPD, as in 'bm h2e2;'",
        "FEN 之后应为“moves ...”或 EPD 操作，如“bm h2e2;”",
    ),
    ("not JSON: {error}", "不是 JSON：{error}"),
    ("expected a move between two squares of the board", "应为棋盘上两点之间的着法"),
    ("expected the element {name}", "应为元素{name}"),
    ("a document type is not read", "不读取文档类型声明"),
    (
        "more than {most} elements within each other",
        "元素嵌套超过{most}层",
    ),
    (
        "line {line}, column {column}: no XML: {error}",
        "第{line}行第{column}列：不是 XML：{error}",
    ),
    ("moves behind the end of the line", "棋局结束之后还有着法"),
    ("the file breaks off within the game", "文件在此局中间中断"),
    (
        "the record is cut off, expected at least {count} bytes",
        "记录不完整，至少应有{count}字节",
    ),
    ("expected version {known} of CCBridge's records", "应为象棋桥记录的第{known}版"),
    ("the moves break off, expected one more", "着法中断，还应有一着"),
    # A game that was pasted
    ("the starting position cannot be read", "无法读出初始局面"),
    ("expected a game", "应为棋局"),
    (
        "expected a game: moves, a position, or the text of a file",
        "应为棋局：着法、局面，或棋谱文件的内容",
    ),
    (
        "a link is not followed: paste the text of the page to which it leads",
        "不会打开链接：请粘贴链接所指页面的内容",
    ),
    ("the comment is not closed: expected '}'", "注释没有结束：应有“}”"),
    ("the variation is not closed: expected ')'", "变着没有结束：应有“)”"),
    ("a variation before a move", "变着之前没有着法"),
    ("no variation is open here", "此处没有未结束的变着"),
    ("a result within a variation", "变着之中出现结果"),
    ("the header says that the result is {result}", "标题中的结果是{result}"),
    ("a second header {name}", "标题{name}重复"),
)
"""Sentences in English and Chinese; "(s)" is there or not."""

_FIELD: Final = re.compile(r"\{(\w+)\}")
_SIDES: Final = {"red": "红方", "black": "黑方"}
_PLACE: Final = re.compile(r"(line|game) (\d+)")
_PLACES: Final = {"line": "行", "game": "局"}
_OTHERS: Final = ("why",)
"""Fields in which another sentence stands."""


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_pattern_of(english), chinese) for english, chinese in _FORMS)


def _pattern_of(english: str) -> re.Pattern[str]:
    parts = _FIELD.split(english)
    fixed = [re.escape(part).replace(r"\(s\)", "s?") for part in parts[::2]]
    fields = [f"(?P<{name}>.+?)" for name in parts[1::2]]
    return re.compile("".join(_alternate(fixed, fields)), re.DOTALL)


def _alternate(fixed: list[str], fields: list[str]) -> Iterator[str]:
    for text, field in zip(fixed, [*fields, ""], strict=True):
        yield text
        yield field


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Sides and pieces in Chinese, by their English names."""
    names = dict(_SIDES)
    for piece in (Piece(kind, color) for kind in PIECE_TYPES for color in COLORS):
        side = _SIDES[COLOR_NAMES[piece.color]][0]
        names[piece.name()] = side + piece.chinese("simplified")
    return names


def say_reason(language: Language, reason: str) -> str:
    """Why a text cannot be read, or a move not be played."""
    if language == "en":
        return reason
    parts = reason.split("; ")
    told = [_in_chinese(part) for part in parts]
    is_list = all(one != part for one, part in zip(told, parts, strict=True))
    return "；".join(told) if is_list else _in_chinese(reason)


def _in_chinese(sentence: str) -> str:
    for pattern, chinese in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            fields = found.groupdict()
            return _fill(chinese, {name: _say_field(name, fields) for name in fields})
    return sentence


def _say_field(name: str, fields: Mapping[str, str]) -> str:
    """What stands in a field: a sentence, a side, a piece, or anything else as it is. A piece
    without its side is one of the side that the sentence names."""
    text, side = fields[name], fields.get("side", "")
    if name in _OTHERS:
        return _in_chinese(text)
    own = _names().get(f"{side} {text}")
    return _names().get(text, text) if own is None else own[1:]


def _fill(form: str, told: Mapping[str, str]) -> str:
    """A form with what stands in its fields; other braces are text."""
    return _FIELD.sub(lambda field: told[field[1]], form)


def say_error(language: Language, error: XiangqiError) -> str:
    """An error as a sentence.

    >>> print(say_error("zh", RecordError(2, "h2h9", "the red cannon on h2 cannot reach h9")))
    第3着：'h2h9'：h2的红炮走不到h9
    """
    if language == "en":
        return str(error)
    if isinstance(error, FenError):
        return f"无法读出 FEN {quote(error.text)}：{_in_chinese(f'{error.field}: {error.why}')}"
    if isinstance(error, PositionError):
        status = Status(error.status)
        found = find_problems(parse_fen(error.fen), status)
        told = "；".join(say_problem(language, problem) for problem in found)
        return f"不可能的局面 {quote(error.fen)}：{told}"
    if isinstance(error, RecordError):
        ply = "" if error.ply is None else f"第{error.ply + 1}着："
        return f"{ply}{quote(error.text)}：{say_reason(language, error.why)}"
    if isinstance(error, FormatError):
        place = _PLACE.sub(lambda found: f"第{found[2]}{_PLACES[found[1]]}", error.place)
        parts = (error.subject, place, say_reason(language, error.why))
        return "：".join(part for part in parts if part)
    if isinstance(error, IllegalMoveError):
        return f"着法 {quote(error.move)} 不合规则：{say_reason(language, error.why)}"
    if isinstance(error, InvalidMoveError):
        why = say_reason(language, f"expected {error.expected}")
        return f"着法 {quote(error.text)} 无法读懂：{why}"
    if isinstance(error, AmbiguousMoveError):
        return f"着法 {quote(error.text)} 有歧义，可能是：{', '.join(error.candidates)}"
    return str(error)
