"""Moves as text: coordinates, WXF, Chinese and algebraic notation.

The notations differ in form, so :func:`parse_move` can parse them all.

>>> from xiangqi import Board
>>> board = Board()
>>> {parse_move(board, text) for text in ("h2e2", "H2-E2", "C2.5", "炮二平五")}
{Move.from_iccs('h2e2')}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, InvalidMoveError, XiangqiError, require_str
from xiangqi.notation import chinese, wxf
from xiangqi.notation.algebraic import (
    COORDINATES_RUNNING,
    SAN_RUNNING,
    RankBase,
    format_coordinates,
    format_iccs,
    format_san,
    is_coordinates,
    is_san,
    parse_coordinates,
    parse_san,
)
from xiangqi.notation.chinese import format_chinese, is_chinese, parse_chinese
from xiangqi.notation.relative import locate_on_file
from xiangqi.notation.vietnamese import (
    format_vietnamese,
    is_vietnamese,
    match_vietnamese,
    parse_vietnamese,
)
from xiangqi.notation.wxf import WXF_STYLES, WxfStyle, format_wxf, is_wxf, parse_wxf

__all__ = [
    "WXF_STYLES",
    "MoveStyle",
    "RankBase",
    "WxfStyle",
    "choose_style",
    "choose_styles",
    "format_chinese",
    "format_coordinates",
    "format_iccs",
    "format_san",
    "format_vietnamese",
    "format_wxf",
    "guess_rank_base",
    "guess_rank_bases",
    "is_chinese",
    "is_coordinates",
    "is_like_a_move",
    "is_nearly_a_move",
    "is_san",
    "is_vietnamese",
    "is_wxf",
    "locate_on_file",
    "match_move",
    "parse_chinese",
    "parse_coordinates",
    "parse_move",
    "parse_san",
    "parse_vietnamese",
    "parse_wxf",
]

MoveStyle: TypeAlias = WxfStyle | Literal["vietnamese"]
"""Meaning of texts that may be WXF or Vietnamese notation."""


def parse_move(
    board: CoreBoard,
    text: str,
    *,
    style: MoveStyle | None = None,
    rank_base: RankBase = 0,
) -> Move:
    """Parse a legal move in any notation.

    ``style`` is that of WXF notation, or ``vietnamese`` if texts such as ``P2-5`` have their
    Vietnamese meaning; ``rank_base`` is the number of Red's back rank in coordinates and algebraic
    notation. Raises InvalidMoveError, IllegalMoveError or
    AmbiguousMoveError.
    """
    require_str(text, "a move")
    if is_chinese(text):
        return parse_chinese(board, text)
    if is_coordinates(text):
        move = parse_coordinates(text, rank_base)
        board.require_legal(move)
        return move
    if is_wxf(text) and style != "vietnamese":
        return parse_wxf(board, text, style)
    if is_vietnamese(text):
        return parse_vietnamese(board, text)
    if is_san(text):
        return parse_san(board, text, rank_base)
    raise InvalidMoveError(text, Fact("move.any"))


# Compiled at first use: parsing a single move needs none of these.
_RUNNING: Final = (chinese.RUNNING, wxf.RUNNING, SAN_RUNNING)
_LIKE_LATIN: Final = r"[A-Za-z][-+.=]?[0-9]|[0-9][-+=]"
_RANK: Final = r"(?ia)[a-i](10|[0-9])"
_NEARLY_LATIN: Final = (
    r"(?ia)[a-i][0-9]-?(?:[a-i].|.[0-9])|(?:[a-i].|.[0-9])-?[a-i][0-9]"
    r"|[kaebhnrcp](?:[1-9][-+.=].|[1-9].[1-9]|[-+].[1-9])"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def match_move(text: str, place: int = 0) -> str | None:
    """Match a move in any notation at a place in a text; None if there is none.

    Only the form is checked. Marks after the move are not included. Letters and signs must be
    half-width.

    >>> match_move("炮二平五马8进7"), match_move("1.C2.5H8+7", 2), match_move("炮二")
    ('炮二平五', 'C2.5', None)
    """
    found = _compiled(COORDINATES_RUNNING).match(text, place)
    if found is not None and is_coordinates(found[0].replace(" ", "")):
        return found[0]
    matches = (_compiled(form).match(text, place) for form in _RUNNING)
    found = next((match for match in matches if match is not None), None)
    if found is None:
        return match_vietnamese(text, place)
    return found[0]


def is_like_a_move(text: str) -> bool:
    """Is there anything like a move in a text, even if misspelled?

    >>> is_like_a_move("炮二平午"), is_like_a_move("第一届大赛")
    (True, False)
    """
    return any(re.search(form, text) for form in (chinese.LIKE_A_MOVE, _LIKE_LATIN))


def is_nearly_a_move(text: str) -> bool:
    """Is a text a move with one typing error, or with digits too many at its end?

    >>> is_nearly_a_move("炮二平午"), is_nearly_a_move("中炮"), is_nearly_a_move("h2x2")
    (True, False, True)
    >>> is_nearly_a_move("C2.55")
    True
    """
    if any(_compiled(form).fullmatch(text) for form in (chinese.NEARLY, _NEARLY_LATIN)):
        return True
    move = match_move(text)
    return move is not None and text[len(move) :].isdigit()


def guess_rank_base(
    board: CoreBoard, texts: Sequence[str], expected: RankBase | None = None
) -> RankBase:
    """Guess the rank base of a game's moves: 1 if there is a rank 10, 0 or 9 if there is a rank 0.

    Otherwise it is the expected base; without one, the base by which more of the moves can be
    played from the board's position, in case of a tie the first of 0, 1 and 9. Only coordinates
    and algebraic notation are examined.

    >>> guess_rank_base(CoreBoard(), ["h3e3", "h8e8"])
    1
    """
    return guess_rank_bases(board, texts, expected)[0]


def guess_rank_bases(
    board: CoreBoard, texts: Sequence[str], expected: RankBase | None = None
) -> tuple[RankBase, ...]:
    """Guess the rank base, followed by others with which as many moves can be played.

    >>> guess_rank_bases(CoreBoard(), ["h0g2"]), guess_rank_bases(CoreBoard(), ["h2e2"])
    ((0,), (0,))
    >>> guess_rank_bases(CoreBoard("3k5/9/9/9/9/9/R8/9/9/4K4 w"), ["a3a4"])
    (0,)
    >>> guess_rank_bases(CoreBoard("3k5/9/9/9/9/9/R8/R8/9/4K4 w"), ["a3b3"])
    (0, 1)
    """
    texts = [text for text in texts if is_coordinates(text) or is_san(text)]
    ranks = {rank for text in texts for rank in re.findall(_RANK, text)}
    if "10" in ranks:
        return (1,)
    is_possible = not texts or expected == 1 or _count_playable(board, texts[:1], expected or 0) > 0
    if expected is not None and is_possible and not (expected == 1 and "0" in ranks):
        return (expected,)
    bases: tuple[RankBase, ...] = (0, 9) if "0" in ranks else (0, 1, 9)
    counts = {base: _count_playable(board, texts, base) for base in bases}
    most = max(counts.values())
    return tuple(base for base in bases if counts[base] == most) if most else (0,)


def _count_playable(board: CoreBoard, texts: Sequence[str], rank_base: RankBase) -> int:
    work = board.copy(stack=False)
    for count, text in enumerate(texts):
        try:
            work.push(parse_move(work, text, rank_base=rank_base))
        except XiangqiError:
            return count
    return len(texts)


def choose_style(board: CoreBoard, texts: Sequence[str]) -> MoveStyle:
    """Choose the meaning of texts such as ``P2-5`` and ``C2.5`` in a game from this board.

    It is the style by which more of the moves can be played; in case of a tie Vietnamese if some
    texts have its form alone and none has that of WXF alone, otherwise WXF. A single such text is
    WXF, as it may be a slip.

    >>> choose_style(CoreBoard(), ["P2-5", "M8.7"]), choose_style(CoreBoard(), ["C2.5", "H8+7"])
    ('vietnamese', 'wxf')
    """
    return choose_styles(board, texts)[0]


def choose_styles(board: CoreBoard, texts: Sequence[str]) -> tuple[MoveStyle, ...]:
    """Choose the style, followed by the other one if all moves can be played in both."""
    style: WxfStyle = "fairy" if any("=" in text for text in texts) else "wxf"
    forms = {(is_wxf(text), is_vietnamese(text)) for text in texts}
    if (True, True) not in forms or (len(texts) == 1 and (False, True) not in forms):
        return (style,)
    is_written_so = (False, True) in forms and (True, False) not in forms
    work, other = board.copy(stack=False), board.copy(stack=False)
    for text in texts:
        fits = _is_played(work, text, style), _is_played(other, text, "vietnamese")
        if fits == (True, False):
            return (style,)
        if fits == (False, True):
            return ("vietnamese",)
        if fits == (False, False):
            return ("vietnamese",) if is_written_so else (style,)
    return ("vietnamese", style) if is_written_so else (style, "vietnamese")


def _is_played(board: CoreBoard, text: str, style: MoveStyle) -> bool:
    """Play a move, if it is legal."""
    try:
        board.push(parse_move(board, text, style=style))
    except XiangqiError:
        return False
    return True
