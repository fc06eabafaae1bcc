"""Phrases of game texts written by people: round numbers, results, sides, titles, labels.

The patterns match text translated by :data:`PLAIN`. Labels are lines before the moves, such as
``红方：许银川``; they become headers.

>>> number_of("第十回合"), is_title("五七炮进三兵 对 屏风马进7卒")
(10, True)
>>> is_title("1. 炮二平五 马8进7"), is_title("炮二平午"), is_title("和棋")
(False, False, False)
>>> read_labels("红方：某甲　黑方：某乙"), read_labels("红方：炮二平五")
([('Red', '某甲'), ('Black', '某乙')], [])
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from xiangqi.games.formats.dhtmlxq import HEADERS as TAGS
from xiangqi.games.results import RESULT
from xiangqi.notation import is_nearly_a_move, match_move

__all__ = [
    "BLANK",
    "CHECK",
    "GAME_NUMBER",
    "MARK",
    "NUMBER",
    "PLAIN",
    "SIDE",
    "begins_moves",
    "begins_sentence",
    "find_last_moves",
    "find_pairs",
    "holds_moves",
    "is_remark",
    "is_title",
    "number_of",
    "read_labels",
    "read_labels_before_moves",
    "read_players",
]

PLAIN: Final[dict[int, int | str]] = {
    **{0xFF01 + i: 0x21 + i for i in range(94)},
    **dict.fromkeys(map(ord, "‐‑‒–—−﹣"), "-"),
    **dict.fromkeys(map(ord, "\u3000\xa0\u200b\u200c\u200d\u2060\ufeff"), " "),
    **dict.fromkeys(map(ord, "。·．"), "."),
    **dict.fromkeys(map(ord, "，、"), ","),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}  # fmt: skip
"""Translation of single characters, mainly full-width ones; offsets stay the same."""
_CIRCLED: Final = "①-⒛㉑-㉟㊱-㊿⓫-⓴⓵-⓾❶-➓"
_NUMERALS: Final = "一二三四五六七八九十百零〇两"
NUMBER: Final = re.compile(
    rf"(?:第\s*(?:\d{{1,4}}|[{_NUMERALS}]{{1,6}})\s*(?:回合|回|轮|輪|着|著|步|手)"
    rf"|(?:round|move|no)\b[.\s]*\d{{1,4}}|[{_CIRCLED}]|[{_NUMERALS}]{{1,3}}(?=[,.:])|\d{{1,4}}(?!\d))"
    r"(?:[^\S\n]|[.:,)…])*|[.…]+",
    re.IGNORECASE,
)
"""Round number with its punctuation."""
GAME_NUMBER: Final = re.compile(
    rf"\s*(?:第\s*(?:\d{{1,4}}|[{_NUMERALS}]{{1,6}})\s*[局盘盤]|game\s+\d)", re.IGNORECASE
)
"""Game number at the beginning of a title."""
BLANK: Final = re.compile(r"\n|(?:[^\S\n]|[,|~→])+|[-=]>|/(?!\d)|-(?=\s|[^\x00-\x7f])")
SIDE: Final = re.compile(
    r"(?:[红紅黑](?:[方先]|(?=[ :]))|red\b|black\b|white\b)[ :]*", re.IGNORECASE
)
MARK: Final = re.compile(
    r"\$\d{1,9}|[!?]{1,2}|(?:\+/?-|-/?\+|\+/=|=/\+|\+=|=\+|[±∓⩲⩱∞□†#=+])(?![\w=+-])|[ND](?=\s|$)"
)
"""Mark of a move: a NAG, a suffix or an evaluation glyph."""
_NUMBER_IN_BRACKETS: Final = re.compile(r"[(]\d{1,4}[)]")
CHECK: Final = re.compile(r"(?:check(?:mate)?|mate)\b[.!]*(?=\s|$)", re.IGNORECASE)
"""Word behind a move that says nothing new."""
_MAX_NUMBERS: Final = 8
"""Maximum number of round numbers, blanks and names of sides before a move."""
_MAX_TITLE_LENGTH: Final = 200
_FIRST_PLAYER: Final = dict(zip("胜勝负負和", ("1-0", "1-0", "0-1", "0-1", "1/2-1/2"), strict=True))
_PLAYED: Final = re.compile(
    r"(?:.*\s)?(?P<red>(?![(]|[红紅]先)\S+?)(?:\s+[红紅]|\s*[(][红紅]?|\s*)先[)]?"
    r"(?P<result>[胜勝负負和])[)]?\s*(?P<black>\S+)"
)
_PLAYERS: Final = re.compile(
    r"(?:.*\s)?(?P<red>[^\s()]+) ?[(][红紅][方先]?[)]\s*"
    r"(?:对|對|vs[.]?|-+|先?(?P<result>[胜勝负負和]))?\s*(?P<black>[^\s()]+) ?[(]黑[方后後]?[)]",
    re.IGNORECASE,
)
_VERSUS: Final = re.compile(
    r"(?P<red>[^\d/()]{1,40}?) (?:-|vs[.]?|对|對) (?P<black>[^\d/()]{1,40}?)(?: / (?P<event>.+))?",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    "[炮砲马馬兵卒相象仕士局车車]|cannon|horse|pawn|elephant|opening|defen[cs]e", re.IGNORECASE
)
"""Words in the name of an opening, which may look like two players: ``中炮 对 屏风马``."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_BRACKETS: Final = dict(zip("([<【〔「『《", ")]>】〕」』》", strict=True))
_WORD: Final = re.compile(r"[^\s,;|~→]+")
_AFTER_MOVE: Final = re.compile(r"[^\w]|$")
_SENTENCE: Final = re.compile(
    r"[^\S\n]+(?!(?:red|black|white|check|mate|checkmate)\b)[a-z]{2,}(?![\w=+.-])"
)
"""Word behind a move, other than one that may follow a move of a record."""
_VERB: Final = re.compile(
    r" +(?:is|was|were|has|had|does|did|would|could|should|can|may|might|must|will|looks?|seems?)\b"
)
_LETTERED: Final = re.compile(r"\d{1,3}[a-h]i{0,3}\.")
_RULE: Final = "*=-_#~·— "
"""Characters that decorate titles."""
_NOT_A_TITLE: Final = "{([;*$%<"
"""First characters of comments, results and marks."""


def begins_moves(plain: str, place: int = 0) -> bool:
    """Does a move begin here, possibly after blanks and round numbers?"""
    for _ in range(_MAX_NUMBERS):
        if match_move(plain, place) is not None:
            return True
        found = (
            BLANK.match(plain, place)
            or NUMBER.match(plain, place)
            or _NUMBER_IN_BRACKETS.match(plain, place)
        )
        if found is None:
            return False
        place = found.end()
    return False


def begins_sentence(plain: str, place: int) -> bool:
    """Is a move that begins here, behind the name of a side, part of a sentence?

    >>> begins_sentence("Red C8=5 is common", 4), begins_sentence("Red C8=5 Black H8+7", 4)
    (True, False)
    """
    move = match_move(plain, place)
    return move is not None and _SENTENCE.match(plain, place + len(move)) is not None


def is_remark(line: str) -> bool:
    """Is a line between moves a sentence about a move, or a variation with letters for its rounds?

    >>> is_remark("K5=4 would not help."), is_remark("5a. ...  K5=4  6a. E5+3")
    (True, True)
    >>> is_remark("K5=4 good"), is_remark("K5=4 E5+3")
    (False, False)
    """
    move = match_move(line)
    return _LETTERED.match(line) is not None or (
        move is not None and _VERB.match(line, len(move)) is not None
    )


def holds_moves(line: str) -> bool:
    """Does a line contain a move, or nearly one?"""
    return any(
        _is_move(line, found.start()) or is_nearly_a_move(found[0])
        for found in _WORD.finditer(line)
    )


def _is_move(line: str, place: int) -> bool:
    """Does a word consist of one move or begin with two?

    One at its beginning is not enough: ``中炮进三兵`` begins like a move, but names an opening.
    """
    for is_second in (False, True):
        for _ in range(_MAX_NUMBERS):
            move = match_move(line, place)
            number = SIDE.match(line, place) or NUMBER.match(line, place)
            if move is not None or number is None:
                break
            place = number.end()
        if move is None:
            return False
        place += len(move)
        if is_second or _AFTER_MOVE.match(line, place) is not None:
            return True
    return False


def is_title(line: str) -> bool:
    """Does a line consist of words only, without moves and results?"""
    text = line.strip().strip(_RULE)
    return (
        _LETTER.search(text) is not None
        and text[0] not in _NOT_A_TITLE
        and "{" not in text
        and RESULT.fullmatch(text.rstrip(".!;")) is None
        and not holds_moves(text)
    )


def read_players(title: str) -> dict[str, str]:
    """Headers from a title that names both players.

    >>> read_players("某甲(红方)对某乙(黑方)"), read_players("第5轮 某甲 先胜 某乙")
    ({'Red': '某甲', 'Black': '某乙'}, {'Red': '某甲', 'Black': '某乙', 'Result': '1-0'})
    >>> read_players("上海某甲  红先负  北京某乙")
    {'Red': '上海某甲', 'Black': '北京某乙', 'Result': '0-1'}
    >>> read_players("某甲(红先胜)某乙") == read_players("某甲(红) 胜 某乙(黑)")
    True
    >>> read_players("Alice Lee - Bob / City Cup"), read_players("中炮 对 屏风马")
    ({'Red': 'Alice Lee', 'Black': 'Bob', 'Event': 'City Cup'}, {})
    """
    title = title.strip()
    if len(title) > _MAX_TITLE_LENGTH:
        return {}
    found = _PLAYERS.fullmatch(title) or _PLAYED.fullmatch(title)
    if found is None and _OPENING.search(title) is None:
        found = _VERSUS.fullmatch(title)
    if found is None:
        return {}
    headers = {"Red": found["red"], "Black": found["black"]}
    more = found.groupdict()
    if more.get("event"):
        headers["Event"] = more["event"]
    return headers | ({"Result": _FIRST_PLAYER[more["result"]]} if more.get("result") else {})


def find_last_moves(plain: str) -> int:
    """Offset of the last line that holds moves; -1 if there is none."""
    end = len(plain)
    while end >= 0:
        start = plain.rfind("\n", 0, end) + 1
        if holds_moves(plain[start:end]):
            return start
        end = start - 1
    return -1


def find_pairs(plain: str) -> dict[int, int]:
    """Match brackets outside comments in braces: offset of each closing one by its opening one."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for found in re.finditer(r"\{[^}]*\}?|[()\[\]<>【】〔〕「」『』《》]", plain):
        sign = found[0]
        if sign in _BRACKETS:
            stack.append(found.start())
        elif stack and sign == _BRACKETS[plain[stack[-1]]]:
            pairs[stack.pop()] = found.start()
    return pairs


def number_of(text: str) -> int:
    """Parse a round number in digits, circled digits, or Chinese numerals up to ten; 0 without."""
    digits = re.search(r"\d+", text, re.ASCII)
    if digits is not None:
        return int(digits[0])
    return next((int(value) for sign in text if (value := unicodedata.numeric(sign, 0))), 0)


POSITION: Final = re.compile(
    r"[a-z0-9]+(?:/[a-z0-9]+){9}(?:\[\])?(?:[ _].*)?", re.IGNORECASE | re.ASCII
)
"""A FEN as the value of a label."""
_LABEL: Final = re.compile(r"\s*(?P<name>[^\W\d][^:：\n\"{}()]{0,19})[:：] *(?P<value>[^\n]*)")
_NAMES: Final = {
    **{tag: name for tag, name in TAGS.items() if tag.isalpha()},
    "white": "White",
    **{
        chinese: name
        for name, words in {
            "Title": "标题 標題 棋局标题 棋局標題",
            "Event": "赛事 賽事 比赛 比賽 赛事名称 賽事名稱 比赛名称 比賽名稱",
            "Date": "日期 比赛日期 比賽日期 时间 時間",
            "Site": "地点 地點 比赛地点 比賽地點",
            "Round": "轮次 輪次 比赛轮次 比賽輪次",
            "Red": "红方 紅方 红 紅 先手 红方名称 紅方名稱 红方棋手",
            "Black": "黑方 黑 后手 後手 黑方名称 黑方名稱 黑方棋手",
            "RedTeam": "红方团体 红队",
            "BlackTeam": "黑方团体 黑队",
            "RedTime": "红方用时",
            "BlackTime": "黑方用时",
            "RedRating": "红方等级分",
            "BlackRating": "黑方等级分",
            "Result": "结果 結果 比赛结果 比賽結果 结局 結局 胜负 勝負 对局结果 對局結果",
            "Opening": "布局 佈局 开局 開局 布局类型",
            "Variation": "变例类型",
            "ECCO": "开局编号",
            "TimeRule": "记时规则 计时规则",
            "Group": "赛事组别",
            "Table": "比赛台次",
            "Referee": "执台裁判",
            "Recorder": "棋谱记录员",
            "Author": "作者 棋谱作者",
            "Annotator": "评注 評註 评论 评注人员",
        }.items()
        for chinese in words.split()
    },
}  # fmt: skip
"""Headers by label."""
_LABEL_NAMES: Final = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_BETWEEN: Final = " \t\u3000,;/|，；、"
"""Characters between two labels on a line."""
_LABELS: Final = re.compile(
    rf"(?:^|(?<=[\s{_BETWEEN}])|(?=[红紅黑]方))({_LABEL_NAMES})\s?[:：]", re.IGNORECASE
)
"""A label with its colon, in a line of several."""


def read_labels(line: str) -> list[tuple[str, str]]:
    """Headers of a line of labels; empty for any other line, or one with moves.

    A label makes a header whatever its value looks like, such as the code of an opening; only after
    the name of a side a single move is a move. A value that is a FEN is the starting position.

    >>> read_labels("Red: Alice  Black: Bob"), read_labels("红方：某甲，黑方：某乙，结果：红胜")[-1]
    ([('Red', 'Alice'), ('Black', 'Bob')], ('Result', '红胜'))
    """
    found = _LABEL.fullmatch(line)
    if found is None:
        return []
    label, value = found["name"].strip(), found["value"].translate(PLAIN)
    if NUMBER.fullmatch(label):
        begins_game = begins_moves(value)
    elif _NAMES.get(label, _NAMES.get(label.lower())) in _SIDES:
        begins_game = holds_moves(value)
    else:  # such as ``着法：``
        begins_game = _begin_several(value.lstrip())
    if begins_game:
        return []
    starts = [label.span() for label in _LABELS.finditer(line)]
    if starts and line[: starts[0][0]].strip():  # an unknown label comes first
        starts.insert(0, (found.start("name"), found.start("value")))
    if len(starts) > 1:
        ends = [*(start for start, _ in starts[1:]), len(line)]
        return [
            _make_header(line[start:colon].rstrip(" :："), line[colon:end].strip(_BETWEEN))
            for (start, colon), end in zip(starts, ends, strict=True)
        ]
    label = label.strip("【[")
    if not label or NUMBER.match(label):
        return []
    return [_make_header(label, found["value"].strip().rstrip("】"))]


_SIDES: Final = ("Red", "Black")


def _begin_several(plain: str) -> bool:
    """Does a text begin with a numbered move, or with several moves?"""
    if not begins_moves(plain):
        return False
    is_numbered = NUMBER.match(plain) is not None and match_move(plain) is None
    moves = sum(_is_move(plain, found.start()) for found in _WORD.finditer(plain))
    return is_numbered or moves > 1


def read_labels_before_moves(line: str) -> tuple[list[tuple[str, str]], int]:
    """Headers of several labels at the beginning of a line, and the offset of the moves after them;
    empty for fewer than two labels.

    >>> read_labels_before_moves("红方：某甲 黑方：某乙 1. 炮二平五")
    ([('Red', '某甲'), ('Black', '某乙')], 12)
    """
    if _LABELS.match(line) is None:
        return [], 0
    plain = line.translate(PLAIN)
    starts = (found.start() for found in _WORD.finditer(plain))
    place = next((place for place in starts if _begin_several(plain[place:])), 0)
    labels = read_labels(line[:place])
    return (labels, place) if len(labels) > 1 else ([], 0)


def _make_header(label: str, value: str) -> tuple[str, str]:
    """Make a header of a label and its value."""
    if POSITION.fullmatch(value.strip("\"' ").translate(PLAIN)) is not None:
        return "FEN", value.strip("\"' ")
    name = _NAMES.get(label, _NAMES.get(label.lower(), "".join(label.split())))
    return name, value
