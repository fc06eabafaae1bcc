"""Splitting moves copied from a page, a chat or a book into words with their offsets.

Moves may run together (``炮二平五马8进7``), be in full-width characters, follow circled numbers
or ``第1回合``, be separated by Chinese commas, and have comments in any brackets; lines before them
may be headers (``红方：...``) or a title. The words are made for the reader of PGN moves.

>>> loose = cut_words("第1回合：炮二平五，马８进７（好）②马二进三 红胜")
>>> loose.words
['炮二平五', '马8进7', '{好}', '马二进三', '1-0']
>>> loose.places
[5, 10, 14, 18, 23]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from xiangqi.games.formats.phrases import (
    BLANK,
    CHECK,
    GAME_NUMBER,
    MARK,
    NUMBER,
    PLAIN,
    SIDE,
    begins_moves,
    begins_sentence,
    find_last_moves,
    find_pairs,
    is_remark,
    is_title,
    number_of,
    read_labels,
    read_labels_before_moves,
    read_players,
)
from xiangqi.games.pgn import is_header_line, read_header_line
from xiangqi.games.results import RESULT, parse_result
from xiangqi.ground.errors import Fact
from xiangqi.notation import is_wxf, match_move

__all__ = ["PLACEMENT", "Loose", "cut_texts", "cut_words"]

_UNKNOWN: Final = re.compile(r"[^\s,(){}\[\]]+|.", re.DOTALL)
_CHUNK: Final = re.compile(r"[^\s,(){}\[\]]{1,12}")
PLACEMENT: Final = re.compile(
    r"[a-z0-9]+(?:/[a-z0-9]+){9}(?:\s+[wbr]\b(?:\s+-\s+-(?:\s+\d+(?!\S)){0,2})?)?",
    re.IGNORECASE | re.ASCII,
)
"""A FEN, up to the last field that is distinct from the text after it."""
_START: Final = re.compile(
    r"[^\S\n]*(?:position +)?(?:startpos\b|fen +(?P<bad>(?![a-z0-9]+/)[^\n]*?)"
    rf"|(?:(?:fen|局面) *)?(?:[:=] *)?[\"']?(?P<fen>{PLACEMENT.pattern})[\"']?)"
    r"(?:\s+moves\b|[^\S\n]*(?:\n|$)|(?=\s))",
    re.IGNORECASE | re.ASCII,
)
_LINE: Final = re.compile(r"[^\n]*")
_EMPTY: Final = re.compile(r"[^\S\n]*(?:\n|$)")
_INDENT: Final = re.compile(r"[^\S\n]*")
_RULE: Final = re.compile(r"\s*(?:[-=_*#~·—]{3,}|`{3,}[\w-]*|\|[-|: ]*\||EOD)\s*")
"""Dividing line of a text, or of a table in Markdown, or the fence of a block; EOD, end of data, is
the line after a game."""


@dataclass(slots=True)
class Loose:
    """A text with moves, split into words."""

    words: list[str] = field(default_factory=list)
    """Words as in :class:`~xiangqi.games.formats.pgn_reader.RawGame`, with comments as written."""
    places: list[int] = field(default_factory=list)
    """Offset of each word in the text."""
    headers: list[tuple[str, str]] = field(default_factory=list)
    faults: list[tuple[int, str, Fact]] = field(default_factory=list)
    """Offset, text and reason of each fault."""
    fen: str | None = None
    """Position before the moves that is not in a header."""
    fen_place: int = 0
    rest: int | None = None
    """Offset of the lines after this game; None at the end of the text."""
    moves: int = 0
    """Number of words in the form of moves."""
    numbers: dict[int, str] = field(default_factory=dict)
    """Round number before a word, by its index."""
    text: str = ""
    """The whole text."""

    def between(self, first: int, end: int) -> str:
        """Text from one word up to another, or up to the end of the game."""
        stop = self.rest if self.rest is not None else len(self.text)
        if end < len(self.words):
            stop = self.places[end] - len(self.numbers.get(end, ""))
        return self.text[self.places[first] : stop].strip()

    @property
    def has_game(self) -> bool:
        """Does the text have a game, or at least a position?"""
        return bool(self.moves) or self.fen is not None


def cut_words(text: str) -> Loose:
    """Split a text into words, up to the beginning of the next game."""
    return next(cut_texts(text))


def cut_texts(text: str) -> Iterator[Loose]:
    """Split a text into games; some of them may have no moves."""
    cutter = _Cutter(text)
    place: int | None = 0
    while place is not None:
        loose = cutter.cut(place)
        yield loose
        place = loose.rest


class _Cutter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._plain = text.translate(PLAIN)
        self._closing = find_pairs(self._plain)
        self._last_moves = find_last_moves(self._plain)
        self._begin(0)

    def _begin(self, place: int) -> None:
        self._place = place
        self._loose = Loose(text=self._text)
        self._open: set[int] = set()  # offsets at which open variations end
        self._round = 0
        self._has_moves = self._is_over = False
        self._result: tuple[int, str] | None = None  # index and text of the last result
        self._is_pgn = False  # in PGN a semicolon begins a comment

    def cut(self, place: int) -> Loose:
        """Split the game that begins at an offset."""
        self._begin(place)
        steps = (
            self._take_line, self._take_blank, self._take_comment, self._take_bracket,
            self._take_result, self._take_move, self._take_number,
        )  # fmt: skip
        while self._place < len(self._plain) and self._loose.rest is None:
            if not any(step() for step in steps):
                self._take_other()
        return self._loose

    def _add(self, word: str, size: int | None = None) -> bool:
        """Add a word at the current offset and skip ``size`` characters, by default its length."""
        self._loose.words.append(word)
        self._loose.places.append(self._place)
        self._place += len(word) if size is None else size
        return True

    # Lines other than moves

    def _take_line(self) -> bool:
        """Take a line of headers, a title or a position; after moves, see _take_line_between."""
        if self._place and self._plain[self._place - 1] != "\n":
            return False
        if self._has_moves:
            return self._take_line_between()
        start = _START.match(self._plain, self._place)
        if start is not None:
            if start["fen"] or start["bad"]:
                self._loose.fen = " ".join((start["fen"] or start["bad"]).split())
                self._loose.fen_place = start.start("fen" if start["fen"] else "bad")
            self._has_moves = True
            self._place = start.end()
            return True
        found = _LINE.match(self._text, self._place)
        assert found is not None
        line, end = found[0], found.end()
        if headers := read_header_line(line):
            self._loose.headers += headers
            self._is_pgn = True
        elif line.lstrip().startswith("%"):
            self._add(f";{line}", 0)
        elif (found_labels := read_labels_before_moves(line))[0]:
            labels, size = found_labels
            self._loose.headers += labels
            end = self._place + size
        elif labels := read_labels(line):
            self._loose.headers += labels
        elif _RULE.fullmatch(line) is None:
            if not is_title(self._plain[self._place : end]):
                return False
            title = line.strip()
            known = dict(self._loose.headers)
            players = read_players(title.translate(PLAIN))
            self._loose.headers += [one for one in players.items() if one[0] not in known]
            self._add(f"{{{title.replace('}', ')')}}}", 0)
        self._place = end
        return True

    def _take_line_between(self) -> bool:
        """Stop at the beginning of another game, or take lines of words between two rounds."""
        if _EMPTY.match(self._plain, self._place) is not None:
            return False
        line = _LINE.match(self._text, self._place)
        assert line is not None
        if is_header_line(line[0]) or _START.match(self._plain, self._place) is not None:
            self._loose.rest = self._place
            return True
        if line[0].startswith("%"):
            return self._add(f";{line[0]}", len(line[0]))
        if _RULE.fullmatch(line[0]) is not None:
            self._place = line.end()
            return True
        if self._is_pgn or self._open:
            return False
        labels = read_labels(line[0])
        if labels and all(name == "Result" for name, _ in labels):
            self._loose.headers += labels
            self._is_over = True
            self._place = line.end()
            return True
        if self._place > self._last_moves and is_title(self._plain[self._place : line.end()]):
            return self._add_comment(line[0])  # closing lines of sites and editors
        if is_remark(self._plain[self._place : line.end()].strip()):
            return self._add_comment(line[0])
        end = _end_of_titles(self._plain, self._place)
        indent = _INDENT.match(self._plain, end)
        number = NUMBER.match(self._plain, end if indent is None else indent.end())
        value = 0 if number is None else number_of(number[0])
        has_moves = begins_moves(self._plain, end)
        if self._is_over and end == self._place and self._goes_on(value):
            return False
        if self._is_over:
            is_next_game = end > self._place or has_moves
        elif value == 1:
            is_next_game = has_moves and self._round > 1
        else:
            is_next_game = has_moves and GAME_NUMBER.match(self._plain, self._place) is not None
        if is_next_game:
            self._loose.rest = self._place
            return True
        is_next_round = value > 0 and value in (self._round, self._round + 1)
        if end == self._place or not has_moves or not is_next_round:
            return False
        return self._add_comment(self._text[self._place : end])

    def _add_comment(self, text: str) -> bool:
        return self._add(f"{{{text.strip().replace('}', ')')}}}", len(text))

    # Words

    def _take_blank(self) -> bool:
        found = BLANK.match(self._plain, self._place)
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
                rest = self._text[self._place :]
                self._loose.faults.append((self._place, rest, Fact("text.comment")))
            comment = self._text[self._place + 1 : end].strip("}｝")
            return self._add(f"{{{comment}}}", end - self._place)
        if sign != ";":
            return False
        after = self._place + 1
        blank = BLANK.match(self._plain, after)
        result = RESULT.match(self._plain, after if blank is None else blank.end())
        is_moves = result is not None or begins_moves(self._plain, after)
        if self._text[self._place] == ";" and (self._is_pgn or not is_moves):
            line = _LINE.match(self._text, self._place)
            assert line is not None
            return self._add(line[0])
        self._place = after
        return True

    def _take_bracket(self) -> bool:
        """Take a variation's bracket, a round number or result in brackets, or else a comment."""
        sign = self._plain[self._place]
        if self._is_pgn:
            return sign in "()" and self._add(sign)
        if self._place in self._open:
            self._open.discard(self._place)
            return self._add(")", 1)
        closing = self._closing.get(self._place)
        if closing is None:
            return sign in "()" and self._add(sign)
        inner, after = self._plain[self._place + 1 : closing].strip(), closing + 1
        if not inner or NUMBER.fullmatch(inner):
            self._place = after
            return True
        if sign == "(" and begins_moves(self._plain, self._place + 1):
            self._open.add(closing)
            return self._add("(", 1)
        result = parse_result(inner)
        comment = self._text[self._place + 1 : closing].replace("}", ")")
        if result is not None and self._has_moves:
            self._is_over, self._result = True, (len(self._loose.words), comment)
        return self._add(result or f"{{{comment}}}", after - self._place)

    def _take_result(self) -> bool:
        found = RESULT.match(self._plain, self._place)
        result = None if found is None else parse_result(found[0])
        if found is None or result is None:
            return False
        self._is_over = self._has_moves and not self._open
        self._result = (len(self._loose.words), found[0])
        return self._add(result, len(found[0]))

    def _goes_on(self, number: int) -> bool:
        """Does a round number go on after a result, which was then part of a remark?"""
        if number < 2 or number not in (self._round, self._round + 1):
            return False
        if self._result is not None:
            index, text = self._result
            self._loose.words[index] = f"{{{text}}}"
        self._is_over, self._result = False, None
        return True

    def _take_move(self) -> bool:
        move = match_move(self._plain, self._place)
        if move is None or not self._may_be_pawn(move) or not self._may_end(move):
            return False
        self._has_moves = True
        self._loose.moves += 1
        return self._add(re.sub(r"\s", "", move), len(move))

    def _may_end(self, move: str) -> bool:
        """May a move end here? If it runs into a digit, that must begin the next round number; if
        Latin letters run into others, the next move must follow."""
        end = self._place + len(move)
        following = self._plain[end : end + 1]
        if following in tuple("0123456789"):
            number = NUMBER.match(self._plain, end)
            if number is None or number_of(number[0]) != self._round + 1:
                return False
            return not number[0][-1].isspace() or not number[0].strip().isdecimal()
        is_glued = move.isascii() and following.isascii() and following.isalpha()
        return not is_glued or match_move(self._plain, end) is not None

    def _may_be_pawn(self, move: str) -> bool:
        """Is a word such as 33.4 a WXF pawn move, not a round number? True for other moves."""
        number = NUMBER.match(self._plain, self._place)
        if not move.isascii() or number is None:
            return True
        if number_of(number[0]) not in (self._round, self._round + 1):
            return True
        chunk = _CHUNK.match(self._plain, self._place)
        is_alone = chunk is not None and is_wxf(chunk[0])
        return is_alone and match_move(self._plain, number.end()) is None

    def _take_number(self) -> bool:
        found = NUMBER.match(self._plain, self._place)
        if found is None:
            return False
        number = number_of(found[0])
        if self._is_over and not self._open and number == 1:
            self._loose.rest = self._place
            return True
        self._round = number or self._round
        before = self._loose.numbers.get(len(self._loose.words), "")
        self._loose.numbers[len(self._loose.words)] = before + found[0]
        self._place = found.end()
        return True

    def _take_other(self) -> None:
        """Take a mark, a sentence or an unknown word, or skip a side before a move: ``红：``."""
        check = CHECK.match(self._plain, self._place)
        mark = MARK.match(self._plain, self._place)
        side = SIDE.match(self._plain, self._place)
        if check is not None and self._has_moves:
            self._place = check.end()
        elif mark is not None:
            self._add(mark[0])
        elif side is not None and begins_sentence(self._plain, side.end()):
            end = self._plain.find("\n", self._place)
            self._add_comment(self._text[self._place : end if end >= 0 else None])
        elif side is not None and begins_moves(self._plain, side.end()):
            self._place = side.end()
        else:
            unknown = _UNKNOWN.match(self._plain, self._place)
            assert unknown is not None
            self._has_moves = True
            self._add(unknown[0])


# Beginnings of games


def _end_of_titles(plain: str, place: int) -> int:
    """Offset of the first line that is neither empty, nor a dividing line, nor a title."""
    while place < len(plain):
        line = _LINE.match(plain, place)
        assert line is not None
        if line[0].strip() and _RULE.fullmatch(line[0]) is None and not is_title(line[0]):
            break
        place = min(line.end() + 1, len(plain))
    return place
