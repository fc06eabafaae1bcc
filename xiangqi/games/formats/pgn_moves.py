"""The moves of PGN: numbers, comments, marks, variations and the result among them.

Behind the result some programs write a few lines of their own, such as XQWizard its address. They
are no part of the game, and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import InvalidMoveError, XiangqiError
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.line import choose_parser
from xiangqi.games.results import RESULTS
from xiangqi.games.tree import GameNode, start_board
from xiangqi.notation import RankBase, is_wxf, parse_move

__all__ = ["MARKS", "MovesReader", "find_western_move"]

MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""What is written behind a move, and its number among PGN\'s marks (section 10 of the standard)."""

_MAX_NESTED: Final = 1000
"""How deep variations may stand within variations."""
_NAG: Final = re.compile(r"\$[0-9]{1,9}")
_NUMBER: Final = re.compile(r"\d*[.．。、…]+|\d+")
_WESTERN: Final = re.compile(
    r"(?:O-O(?:-O)?|0-0(?:-0)?|Q[a-h]?[1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|[bdfh][1-8]|"
    r"([a-h])2-?\1[34])(?:=?[QRBN])?[+#]?"
)
"""Moves that only western chess has: castling, the queen's, most of its pawns'."""
_MARKED: Final = re.compile(r"(.*[^!?！？])([!?！？]+)")


class MovesReader:
    """Reads the words of one game into its tree.

    ``rank_base`` is what ranks count from as far as the file says so.
    """

    def __init__(
        self, words: list[str], builder: GameBuilder, rank_base: RankBase | None = None
    ) -> None:
        self._words = words[: _end_of_game(words)]
        self._rank_base = rank_base
        self._builder = builder
        self._branches: list[GameNode] = []  # where each open variation leaves its line
        self._early: str | None = None  # a comment at the beginning of a variation
        self._is_early = False
        self._commented: GameNode | None = None  # the node of the last comment
        self._result = ""
        self._parser: Callable[[Board, str], Move] | None = None
        self.faults: list[int] = []
        """The places among the words of what became an error."""

    def read(self) -> None:
        """Read them all."""
        place = 0
        errors = self._builder.game.errors
        while place < len(self._words):
            before, here = len(errors), place
            place = self._take_word(here)
            self.faults += [here] * (len(errors) - before)
        if self._branches:
            self._keep_early()
            self._builder.add_error("(", "the variation is not closed: expected ')'")
            self.faults.append(len(self._words) - 1)
        headers = self._builder.game.headers
        if self._result and headers.get("Result", "*") == "*":
            headers["Result"] = self._result

    def _take_word(self, place: int) -> int:
        """Take a word, or all that goes with it; the place of the next one."""
        word = self._words[place]
        first = word[0]
        if first == "{" or first == ";":
            self._take_comment(word)
        elif first == "(":
            return self._open(place)
        elif first == ")":
            self._close(word)
        elif _NAG.fullmatch(word) is not None:
            self._builder.node.nags.append(int(word[1:]))
        elif word in MARKS:
            self._builder.node.nags.append(MARKS[word])
        elif word in RESULTS:
            self._take_result(word)
        else:
            return self._take_move(place)
        return place + 1

    def _take_comment(self, word: str) -> None:
        text = word[1:-1] if word[0] == "{" else word[1:]
        text = text.removeprefix(" ").removesuffix(" ")
        if not text and word[0] == "{":
            return
        if self._is_early:
            self._early = text if self._early is None else f"{self._early}\n{text}"
        elif self._commented is self._builder.node:
            self._commented.comment += f"\n{text}"
        else:
            self._builder.add_comment(text)
            self._commented = self._builder.node

    def _take_result(self, word: str) -> None:
        header = self._builder.game.headers.get("Result", "*")
        if self._branches:
            self._builder.add_error(word, "a result within a variation")
        elif word != "*" and header in RESULTS and header not in ("*", word):
            self._builder.add_error(word, f"the header says that the result is {header!r}")
        else:
            self._result = word

    def _take_move(self, place: int) -> int:
        text, mark = _split_word(self._words[place])
        if not text:
            return place + 1
        if not self._builder.play(
            text,
            self._parse,
            lambda: self._rest_of_line(place),
            lambda: self._count_following(place),
        ):
            return self._end_of_line(place)
        self._keep_early()
        if mark:
            self._builder.node.nags.append(mark)
        return place + 1

    def _open(self, place: int) -> int:
        """Begin a variation."""
        node = self._builder.node
        reason = ""
        if node.parent is None or self._is_early:
            reason = "a variation before a move"
        elif len(self._branches) == _MAX_NESTED:
            reason = f"expected at most {_MAX_NESTED} variations within each other"
        if node.parent is None or reason:
            end = self._end_of_variation(place)
            rest = " ".join(self._words[place:end])
            self._builder.add_error("(", reason, node.ply + 1, rest)
            return end
        self._branches.append(node)
        self._builder.go_to(node.parent)
        self._is_early = True
        return place + 1

    def _close(self, word: str) -> None:
        """End a variation."""
        self._keep_early()
        if self._branches:
            self._builder.go_to(self._branches.pop())
        else:
            self._builder.add_error(word, "no variation is open here")

    def _keep_early(self) -> None:
        """Put the comment that began a variation where it can stay."""
        self._is_early = False
        if self._early is not None:
            self._builder.add_comment(self._early)
            self._early = None

    def _end_of_variation(self, place: int) -> int:
        """The place behind the variation that a word opens."""
        depth = 0
        for end in range(place, len(self._words)):
            depth += (self._words[end] == "(") - (self._words[end] == ")")
            if depth == 0:
                return end + 1
        return len(self._words)

    def _rest_of_line(self, place: int) -> str:
        """What is not read if a word cannot be."""
        return " ".join(self._words[place : self._end_of_line(place)])

    def _count_following(self, place: int) -> int:
        """The moves of a line behind the one at a place, without those of variations."""
        depth = count = 0
        for word in self._words[place + 1 : self._end_of_line(place)]:
            depth += (word == "(") - (word == ")")
            if depth == 0 and word[0] not in "{;()$" and word not in MARKS and word not in RESULTS:
                count += bool(_split_word(word)[0])
        return count

    def _end_of_line(self, place: int) -> int:
        """The place of the word that ends the line of play to which a word belongs."""
        depth = 0
        for end in range(place, len(self._words)):
            word = self._words[end]
            if word == "(":
                depth += 1
            elif word == ")" and depth == 0 and self._branches:
                return end
            elif word == ")":
                depth -= 1
        is_result = not self._branches and self._words[-1] in RESULTS
        return len(self._words) - is_result

    def _parse(self, board: Board, text: str) -> Move:
        if self._parser is None:
            texts = [_split_word(word)[0] for word in self._words if word[0] not in "{;()$"]
            start = start_board(self._builder.game.fen)
            self._parser = choose_parser(start, [text for text in texts if text], self._rank_base)
        return self._parser(board, text)


def find_western_move(words: Iterable[str]) -> str | None:
    """The first of the words that is a move of western chess and cannot be one of Xiangqi."""
    moves = (_split_word(word)[0] for word in words if word[0] not in "{;($")
    return next((move for move in moves if _WESTERN.fullmatch(move) is not None), None)


def _end_of_game(words: list[str]) -> int:
    """The place behind the result from which there are no moves, only a program's own words."""
    if not words or words[-1] in RESULTS:
        return len(words)
    depth = 0
    is_over = False
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in RESULTS:
            is_over = True
        elif is_over and word[0] not in "{;()$" and not _may_be_move(_split_word(word)[0]):
            return place
    return len(words)


def _may_be_move(text: str) -> bool:
    """Has the text the form of a move? Nothing, which a number leaves, goes with the next word."""
    if not text or text in MARKS or text in RESULTS:
        return True
    try:
        parse_move(start_board(), text)
    except InvalidMoveError:
        return False
    except XiangqiError:  # such as that it is not legal there
        pass
    return True


@lru_cache(maxsize=8192)
def _split_word(word: str) -> tuple[str, int]:
    """A move without its number, which may be all there is, and the mark behind it, or 0."""
    match = _NUMBER.match(word)
    if match is not None and not is_wxf(word):
        word = word[match.end() :]
    marked = _MARKED.fullmatch(word)
    if marked is None:
        return word, 0
    marks = marked[2].replace("！", "!").replace("？", "?")
    return (marked[1], MARKS[marks]) if marks in MARKS else (word, 0)
