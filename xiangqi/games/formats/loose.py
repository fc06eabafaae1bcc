"""Moves as people copy them from a page, a chat or a book, cut into words with their places.

Moves may run together (``炮二平五马8进7``), stand in characters of full width, behind circled
numbers or ``第1回合``, between Chinese commas, with comments in any brackets; lines before them may
be headers (``红方：...``) or a title. What comes out are the words that the reader of PGN's moves
takes.

>>> loose = cut_words("第1回合：炮二平五，马８进７（好）②马二进三 红胜")
>>> loose.words
['炮二平五', '马8进7', '{好}', '马二进三', '1-0']
>>> loose.places
[5, 10, 14, 18, 23]
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from xiangqi.games.formats.dhtmlxq_writer import HEADERS as TAGS
from xiangqi.games.formats.pgn_tokens import is_header_line, read_header_line
from xiangqi.games.results import RESULTS
from xiangqi.notation import is_like_a_move, is_wxf, match_move

__all__ = ["PLACEMENT", "Loose", "cut_words"]

_PLAIN: Final[dict[int, int | str]] = {
    **{0xFF01 + i: 0x21 + i for i in range(94)},
    **dict.fromkeys(map(ord, "‐‑‒–—−﹣"), "-"),
    **dict.fromkeys(map(ord, "\u3000\xa0\u200b\u200c\u200d\u2060\ufeff"), " "),
    **dict.fromkeys(map(ord, "。·．"), "."),
    **dict.fromkeys(map(ord, "，、"), ","),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}  # fmt: skip
"""One character for one: a place in the plain text is that in the text."""
_CIRCLED: Final = "①-⒛㉑-㉟㊱-㊿⓫-⓴⓵-⓾❶-➓"
_NUMERALS: Final = "一二三四五六七八九十百零〇两"
_NUMBER: Final = re.compile(
    rf"(?:第\s*(?:\d{{1,4}}|[{_NUMERALS}]{{1,6}})\s*(?:回合|回|轮|輪|着|著|步|手)"
    rf"|(?:round|move|no)\b[.\s]*\d{{1,4}}|[{_CIRCLED}]|[{_NUMERALS}]{{1,3}}(?=[,.:])|\d{{1,4}}(?!\d))"
    r"(?:[^\S\n]|[.:,)…])*|[.…]+",
    re.IGNORECASE,
)
_BLANK: Final = re.compile(r"\n|(?:[^\S\n]|[,|~→])+|[-=]>|/(?!\d)|-(?=\s|[^\x00-\x7f])")
_SIDE: Final = re.compile(
    r"(?:[红紅黑](?:[方先]|(?=[ :]))|red\b|black\b|white\b)[ :]*", re.IGNORECASE
)
_MARK: Final = re.compile(r"\$\d{1,9}|[!?]{1,2}")
_RESULT_WORDS: Final = {
    "1-0": "[红紅]方?[胜勝赢贏]|黑方?(?:[负負]|[认認投][负負输輸])|red wins",
    "0-1": "黑方?[胜勝赢贏]|[红紅]方?(?:[负負]|[认認投][负負输輸])|black wins",
    "1/2-1/2": r"½-½|(?:[双雙]方)?[议議作成]?和[棋局]?(?!\w)|draw\b",
}
_RESULT: Final = re.compile(
    r"(?:1-0|0-1|1/2-1/2|\*)(?![\d-])|{1-0}|{0-1}|{1/2-1/2}".format_map(_RESULT_WORDS),
    re.IGNORECASE,
)
_UNKNOWN: Final = re.compile(r"[^\s,(){}\[\]]+|.", re.DOTALL)
_CHUNK: Final = re.compile(r"[^\s,(){}\[\]]{1,12}")
PLACEMENT: Final = re.compile(
    r"[a-z0-9]+(?:/[a-z0-9]+){9}(?:\s+[wbr]\b(?:\s+-\s+-(?:\s+\d+(?!\S)){0,2})?)?",
    re.IGNORECASE | re.ASCII,
)
"""A FEN as far as one can be told from what follows it."""
_START: Final = re.compile(
    r"[^\S\n]*(?:position +)?(?:startpos\b|fen +(?P<bad>(?![a-z0-9]+/)[^\n]*?)"
    rf"|(?:fen|局面)? *[:=]? *[\"']?(?P<fen>{PLACEMENT.pattern})[\"']?)"
    r"(?:\s+moves\b|[^\S\n]*(?:\n|$)|(?=\s))",
    re.IGNORECASE | re.ASCII,
)
_LINE: Final = re.compile(r"[^\n]*")
_BRACKETS: Final = {
    "(": ")",
    "[": "]",
    "<": ">",
    "【": "】",
    "〔": "〕",
    "「": "」",
    "『": "』",
    "《": "》",
}
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


@dataclass(slots=True)
class Loose:
    """A text with moves, taken to pieces."""

    words: list[str] = field(default_factory=list)
    """As in :class:`~xiangqi.games.formats.pgn_tokens.RawGame`, comments as they stand there."""
    places: list[int] = field(default_factory=list)
    """Where each of them begins in the text."""
    headers: list[tuple[str, str]] = field(default_factory=list)
    faults: list[tuple[int, str, str]] = field(default_factory=list)
    """Place, text and reason of what is no part of a game."""
    fen: str | None = None
    """The position that stands before the moves, outside of headers."""
    fen_place: int = 0
    rest: int | None = None
    """Where another game begins."""


def cut_words(text: str) -> Loose:
    """Cut a text into words, up to where another game begins."""
    return _Cutter(text).cut()


class _Cutter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._plain = text.translate(_PLAIN)
        self._place = 0
        self._loose = Loose()
        self._closing = _find_pairs(self._plain)
        self._open: set[int] = set()  # where the variations that are open end
        self._round = 0
        self._has_moves = self._is_over = False
        self._is_pgn = False  # headers of PGN tell that a semicolon begins a comment

    def cut(self) -> Loose:
        steps = (
            self._take_line, self._take_blank, self._take_comment, self._take_bracket,
            self._take_result, self._take_move, self._take_number, self._take_mark,
            self._take_side,
        )  # fmt: skip
        while self._place < len(self._plain) and self._loose.rest is None:
            if not any(step() for step in steps) and self._take_unknown():
                break
        return self._loose

    def _take_unknown(self) -> bool:
        """Take what is no word; does it end what can be read?"""
        found = _UNKNOWN.match(self._plain, self._place)
        assert found is not None
        self._has_moves = True
        self._add(found[0])
        return not (self._is_pgn or self._is_over or self._open)

    def _add(self, word: str, size: int | None = None) -> bool:
        """Add a word that begins here, and go on behind what stands for it in the text."""
        self._loose.words.append(word)
        self._loose.places.append(self._place)
        self._place += len(word) if size is None else size
        return True

    # Lines that are no moves

    def _take_line(self) -> bool:
        """A header, a title, or the beginning of another game, at the beginning of a line."""
        if self._place and self._plain[self._place - 1] != "\n":
            return False
        found = _LINE.match(self._text, self._place)
        assert found is not None
        line, is_first = found[0], not self._has_moves
        start = _START.match(self._plain, self._place)
        is_header = is_header_line(line) or (is_first and bool(read_header_line(line)))
        if not is_first and (is_header or start is not None):
            self._loose.rest = self._place
            return True
        if start is not None:
            return self._take_start(start)
        if is_header:
            self._loose.headers += read_header_line(line)
            self._is_pgn = True
        elif line.lstrip().startswith("%"):
            self._add(f";{line}", 0)
        elif is_first and self._is_title(self._plain[self._place : found.end()]):
            self._add(f"{{{line.strip()}}}", 0)
        elif not (is_first and self._take_label(line)):
            return False
        self._place = found.end()
        return True

    def _take_start(self, start: re.Match[str]) -> bool:
        if start["fen"] or start["bad"]:
            self._loose.fen = " ".join((start["fen"] or start["bad"]).split())
            self._loose.fen_place = start.start("fen" if start["fen"] else "bad")
        self._has_moves = True
        self._place = start.end()
        return True

    def _is_title(self, plain: str) -> bool:
        """Is it a line of words in which no move can stand?"""
        if not plain.strip():
            return False
        is_marked = any(sign in plain for sign in "{}()[];*$:%") or _NUMBER.match(plain.lstrip())
        return not is_marked and not is_like_a_move(plain) and not _RESULT.match(plain.strip())

    def _take_label(self, line: str) -> bool:
        """A line such as ``红方：许银川``, unless moves stand in it."""
        found = _LABEL.fullmatch(line)
        if found is None or is_like_a_move(line.translate(_PLAIN)):
            return False
        label = found["name"].strip().strip("【[")
        if not label or _NUMBER.match(label):
            return False
        name = _NAMES.get(label, _NAMES.get(label.lower(), "".join(label.split())))
        value = found["value"].strip().rstrip("】")
        self._loose.headers.append(
            (name, _read_result(value) or value if name == "Result" else value)
        )
        return True

    # Words

    def _take_blank(self) -> bool:
        found = _BLANK.match(self._plain, self._place)
        if found is None:
            return False
        self._place = found.end()
        return True

    def _take_comment(self) -> bool:
        sign = self._plain[self._place]
        if sign == "{":
            end = self._plain.find("}", self._place) + 1
            if not end:
                end = len(self._plain)
                fault = (
                    self._place,
                    self._text[self._place :],
                    "the comment is not closed: expected '}'",
                )
                self._loose.faults.append(fault)
            comment = self._text[self._place + 1 : end].strip("}｝")
            return self._add(f"{{{comment}}}", end - self._place)
        if sign != ";":
            return False
        behind = self._place + 1
        is_written = self._text[self._place] == ";" and (
            self._is_pgn or not (_begins_moves(self._plain, behind) or self._is_result(behind))
        )
        if is_written:
            line = _LINE.match(self._text, self._place)
            assert line is not None
            return self._add(line[0])
        self._place = behind
        return True

    def _is_result(self, place: int) -> bool:
        blank = _BLANK.match(self._plain, place)
        return _RESULT.match(self._plain, place if blank is None else blank.end()) is not None

    def _take_bracket(self) -> bool:
        """A variation, the number of a round, a result, or else a comment."""
        sign = self._plain[self._place]
        if self._is_pgn:
            return sign in "()" and self._add(sign)
        if self._place in self._open:
            self._open.discard(self._place)
            return self._add(")", 1)
        closing = self._closing.get(self._place)
        if closing is None:
            return sign in "()" and self._add(sign)
        inner, behind = self._plain[self._place + 1 : closing].strip(), closing + 1
        if not inner or _NUMBER.fullmatch(inner):
            self._place = behind
            return True
        if sign == "(" and _begins_moves(self._plain, self._place + 1):
            self._open.add(closing)
            return self._add("(", 1)
        result = _read_result(inner)
        comment = self._text[self._place + 1 : closing].replace("}", ")")
        self._is_over |= result is not None
        return self._add(result or f"{{{comment}}}", behind - self._place)

    def _take_result(self) -> bool:
        found = _RESULT.match(self._plain, self._place)
        result = None if found is None else _read_result(found[0])
        if found is None or result is None:
            return False
        self._is_over = not self._open
        return self._add(result, len(found[0]))

    def _take_move(self) -> bool:
        move = match_move(self._plain, self._place)
        if move is None or not self._may_be_pawn(move) or not self._may_end(move):
            return False
        self._has_moves = True
        return self._add(re.sub(r"\s", "", move), len(move))

    def _may_end(self, move: str) -> bool:
        """Does something that can be read follow a move that letters run into?"""
        end = self._place + len(move)
        behind = self._plain[end : end + 1]
        is_glued = move.isascii() and behind.isascii() and behind.isalnum()
        return not is_glued or bool(match_move(self._plain, end) or _NUMBER.match(self._plain, end))

    def _may_be_pawn(self, move: str) -> bool:
        """Is a move of WXF that begins with a digit, such as 33.4, more than a round's number?"""
        number = _NUMBER.match(self._plain, self._place)
        if not move.isascii() or number is None:
            return True
        if _number_of(number[0]) not in (self._round, self._round + 1):
            return True
        chunk = _CHUNK.match(self._plain, self._place)
        is_alone = chunk is not None and is_wxf(chunk[0])
        return is_alone and match_move(self._plain, number.end()) is None

    def _take_number(self) -> bool:
        found = _NUMBER.match(self._plain, self._place)
        if found is None:
            return False
        number = _number_of(found[0])
        if self._is_over and not self._open and number == 1:
            self._loose.rest = self._place
            return True
        self._round = number or self._round
        self._place = found.end()
        return True

    def _take_mark(self) -> bool:
        found = _MARK.match(self._plain, self._place)
        return found is not None and self._add(found[0])

    def _take_side(self) -> bool:
        """``红：`` before a move."""
        found = _SIDE.match(self._plain, self._place)
        if found is None or not _begins_moves(self._plain, found.end()):
            return False
        self._place = found.end()
        return True


def _begins_moves(plain: str, place: int) -> bool:
    """Does a move come next, or a number and then one?"""
    while (found := _BLANK.match(plain, place) or _NUMBER.match(plain, place)) is not None:
        if match_move(plain, place) is not None:
            return True
        place = found.end()
    return match_move(plain, place) is not None


def _read_result(text: str) -> str | None:
    """The result that a text says, in the words of records or of people."""
    if text in RESULTS:
        return text
    for result, words in _RESULT_WORDS.items():
        if re.fullmatch(words, text, re.IGNORECASE):
            return result
    return None


def _number_of(text: str) -> int:
    """The number of a round in digits, also circled ones; of Chinese numerals up to ten."""
    digits = re.search(r"\d+", text, re.ASCII)
    if digits is not None:
        return int(digits[0])
    return next((int(value) for sign in text if (value := unicodedata.numeric(sign, 0))), 0)


def _find_pairs(plain: str) -> dict[int, int]:
    """Where the bracket that stands at a place is closed, comments in braces left out."""
    pairs: dict[int, int] = {}
    waiting: list[int] = []
    for found in re.finditer(r"\{[^}]*\}?|[()\[\]<>【】〔〕「」『』《》]", plain):
        sign = found[0]
        if sign in _BRACKETS:
            waiting.append(found.start())
        elif waiting and sign == _BRACKETS[plain[waiting[-1]]]:
            pairs[waiting.pop()] = found.start()
    return pairs
