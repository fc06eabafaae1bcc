"""Lines of labels before the moves of a text, such as ``红方：许银川``, and the headers they are.

>>> read_labels("红方：某甲　黑方：某乙"), read_labels("红方：炮二平五")
([('Red', '某甲'), ('Black', '某乙')], [])
"""

from __future__ import annotations

import re
from typing import Final

from xiangqi.games.formats.dhtmlxq_writer import HEADERS as TAGS
from xiangqi.games.formats.phrases import NUMBER, PLAIN, holds_moves, read_result

__all__ = ["read_labels"]

_LABEL: Final = re.compile(r"\s*(?P<name>[^\W\d][^:\n\"{}()]{0,19})[:：] *(?P<value>[^\n]*)")
_NAMES: Final = {
    **{tag: name for tag, name in TAGS.items() if tag.isalpha()},
    **{
        chinese: name
        for name, words in {
            "Title": "标题 標題",
            "Event": "赛事 賽事 比赛 比賽",
            "Date": "日期 比赛日期 比賽日期 时间",
            "Site": "地点 地點 比赛地点 比賽地點",
            "Round": "轮次 輪次",
            "Red": "红方 紅方 红 紅 先手",
            "Black": "黑方 黑 后手 後手",
            "RedTeam": "红方团体 红队",
            "BlackTeam": "黑方团体 黑队",
            "Result": "结果 結果 比赛结果",
            "Opening": "布局 佈局 开局 開局",
            "TimeRule": "记时规则 计时规则",
            "Author": "作者",
            "Annotator": "评注 評註 评论",
        }.items()
        for chinese in words.split()
    },
}  # fmt: skip
"""Headers by what people call them."""
_LABEL_NAMES: Final = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_LABELS: Final = re.compile(
    rf"(?<!\w)({_LABEL_NAMES})[:：]((?:(?!\s(?:{_LABEL_NAMES})[:：])[^\n])*)"
)
"""A label and its value, where several stand on a line."""


def read_labels(line: str) -> list[tuple[str, str]]:
    """The headers of a line of labels; none where it is anything else, or moves stand in it."""
    found = _LABEL.fullmatch(line)
    if found is None or holds_moves(line.translate(PLAIN)):
        return []
    pairs = _LABELS.findall(line)
    if len(pairs) > 1:
        return [(_NAMES[name], value.strip()) for name, value in pairs]
    label = found["name"].strip().strip("【[")
    if not label or NUMBER.match(label):
        return []
    name = _NAMES.get(label, _NAMES.get(label.lower(), "".join(label.split())))
    value = found["value"].strip().rstrip("】")
    return [(name, read_result(value) or value if name == "Result" else value)]
