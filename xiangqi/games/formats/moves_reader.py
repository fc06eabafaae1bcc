"""Reading the moves of a game in PGN or plain text: words into a tree.

Evaluation glyphs and marks after a move become NAGs (PGN standard, section 10). Round numbers, the
writing of moves and the side to move have to agree; what does not fit is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.formats.builder import GameBuilder, choose_parser
from xiangqi.games.formats.numbering import Mark, moves_first, parse_mark, sides_of
from xiangqi.games.pgn import MAX_NESTED
from xiangqi.games.record import RESULTS
from xiangqi.games.results import parse_result
from xiangqi.games.tree import GameError, GameNode, start_board
from xiangqi.ground.errors import Fact, InvalidMoveError, XiangqiError
from xiangqi.notation import (
    MoveStyle,
    RankBase,
    choose_styles,
    is_nearly_a_move,
    is_wxf,
    match_move,
    parse_move,
)
from xiangqi.pieces import BLACK, RED, Color

__all__ = ["MARKS", "MovesReader", "find_western_move"]

GLYPHS: Final = {
    "□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15,
    "±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "N": 146, "D": 220,
    "+": 0, "#": 0, "†": 0,
}  # fmt: skip
"""NAG of each evaluation glyph after a move; 0 for signs of check, which the position shows.

The numbers are those of the PGN standard and, for novelty and diagram, of ChessBase.
"""
MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""NAG of each move suffix (section 10 of the PGN standard)."""

_NAG: Final = re.compile(r"\$[0-9]{1,9}")
_NUMBER: Final = re.compile(r"\d*[.．。、…]+|\d+")
_WESTERN: Final = re.compile(
    r"(?:O-O(?:-O)?|0-0(?:-0)?|Q[a-h]?[1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|[bdfh][1-8])"
    r"(?:=?[QRBN])?[+#]?"
)
"""Moves that only western chess has: castling, and most moves of queens and pawns."""
_MARKED: Final = re.compile(r"(.*[^!?！？])([!?！？]+)")


class MovesReader:
    """Reader of the words of one game into its tree.

    ``rank_base`` is the number of Red's back rank and ``style`` that of moves in letters and
    digits, if the file defines them. ``numbers`` are the round numbers before words, by index, if
    they are not among the words; ``between`` gives the text from one word up to another.

    Words that are not understood are kept as a comment and reported, and reading goes on at the
    next legal move that fits the round numbers.
    """

    def __init__(
        self,
        words: list[str],
        builder: GameBuilder,
        rank_base: RankBase | None = None,
        numbers: Mapping[int, str] | None = None,
        between: Callable[[int, int], str] | None = None,
        *,
        style: MoveStyle | None = None,
    ) -> None:
        self._style = style
        self._words = words[: _end_of_game(words)]
        self._rank_base = rank_base
        self._builder = builder
        self._marks = _find_marks(self._words) if numbers is None else _parse_marks(numbers)
        self._between = between or (lambda first, end: " ".join(self._words[first:end]))
        self._first_round = 1
        """Number of the first round."""
        self._has_rounds = self._has_plies = False
        """Do the numbers count rounds, or plies? Neither without several numbers."""
        self._sides: dict[int, Color | None] = {}
        """Side of each move of the main line by its writing, by index."""
        self._missing: tuple[int, Fact] | None = None
        """Index of a word whose move cannot follow, as moves before it are missing; the reason."""
        self._branches: list[GameNode] = []  # for each open variation, the node that it replaces
        self._early: str | None = None  # comment before the first move of a variation
        self._is_early = False
        self._commented: GameNode | None = None  # node of the last comment
        self._result = ""
        self._parser: Callable[[Board, str], Move] | None = None
        self.faults: list[int] = []
        """Indices of the words that became errors."""

    def read(self) -> None:
        self._examine()
        place = 0
        errors = self._builder.game.errors
        while place < len(self._words):
            before, here = len(errors), place
            place = self._take_word(here)
            self.faults += [here] * (len(errors) - before)
        if self._branches:
            self._keep_early()
            self._builder.add_error("(", Fact("text.variation"))
            self.faults.append(len(self._words) - 1)
        headers = self._builder.game.headers
        if self._result and headers.get("Result", "*") == "*":
            headers["Result"] = self._result

    def _take_word(self, place: int) -> int:
        """Read a word, with a faulty one the rest of its line; return the index of the next."""
        word = self._words[place]
        first = word[0]
        text = "" if first in "{;()" else _split_word(word)[0]
        node = self._builder.node
        if first == "{" or first == ";":
            self._take_comment(word)
        elif first == "(":
            return self._open(place)
        elif first == ")":
            self._keep_early()
            if self._branches:
                self._builder.go_to(self._branches.pop())
            else:
                self._builder.add_error(word, Fact("text.no_variation"))
        elif _has_form_of_move(text):
            return self._take_move(place)
        elif _NAG.fullmatch(word) is not None:
            node.nags.append(int(word[1:]))
        elif word in MARKS:
            node.nags.append(MARKS[word])
        elif word in GLYPHS and node.parent is not None:
            if GLYPHS[word]:
                node.nags.append(GLYPHS[word])
        elif (result := _result_of(word)) is not None:
            self._take_result(result)
        elif text:
            after = self._find_resumption(place)
            if after is None:
                return self._take_move(place)  # which reports it and ends the line
            self._take_comment(f"{{{self._between(place, after)}}}")
            self._builder.add_error(text, Fact("text.kept", ply=node.ply))
            return after
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
            self._builder.add_error(word, Fact("text.inner_result"))
        elif word != "*" and header in RESULTS and header not in ("*", word):
            self._builder.add_error(word, Fact("text.other_result", result=header))
        else:
            self._result = word

    def _take_move(self, place: int) -> int:
        text, mark = _split_word(self._words[place])
        is_marked = place in self._marks or self._missing is not None
        if is_marked and not self._branches and (missing := self._find_missing(place)) is not None:
            rest = self._rest_of_line(place)
            self._builder.add_error(text, missing, self._builder.node.ply + 1, rest)
            return self._end_of_line(place)
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

    # Round numbers and colours

    def _examine(self) -> None:
        """Find the first round, the kind of numbers, and whether Black moves first."""
        places = list(self._find_moves(0, len(self._words)))
        marks = [(ply, self._marks[at]) for ply, at in enumerate(places) if at in self._marks]
        numbered = [(ply, mark) for ply, mark in marks if mark.number]
        if numbered:
            self._first_round = numbered[0][1].number
            counts = [
                after[0] - before[0]
                for before, after in pairwise(numbered)
                if after[1].number == before[1].number + 1
            ]
            last_count = len(places) - numbered[-1][0]
            self._has_rounds = 2 in (*counts, last_count) or any(
                mark.is_black for _, mark in numbered
            )
            self._has_plies = not self._has_rounds and len(counts) > 1
        board = self._builder.board
        if board is None or not places:
            return
        texts = [_split_word(self._words[place])[0] for place in places]
        sides = sides_of(texts)
        self._sides = dict(zip(places, sides, strict=True))
        if len(texts) == len(numbered) == len(counts) + 1 == 2 and not self._has_rounds:
            self._has_rounds = sides[0] == sides[1] and self._are_both_of_one_side(texts)
        has_dots = self._marks.get(places[0], Mark(0, is_black=False)).is_black
        begins = moves_first(sides)
        if board.turn == RED and (begins == BLACK or (has_dots and begins is None)):
            self._let_black_begin(texts)
        elif begins == (not board.turn):
            self._report_sides(texts)
        if not self._has_rounds:
            self._find_shift(places, sides)

    def _find_shift(self, places: Sequence[int], sides: Sequence[Color | None]) -> None:
        """Find the first move that the other side should have made, by its writing alone.

        If the next one differs as well, a move is missing; a single one may be a slip.
        """
        board = self._builder.board
        if board is None or moves_first(sides) is not None:
            return
        wrong = [
            side is not None and side != board.turn ^ (ply % 2 == 1)
            for ply, side in enumerate(sides)
        ]
        first = wrong.index(True) if True in wrong else -1
        if first > 0 and all(wrong[first : first + 2]):
            number = self._first_round + (first + (board.turn == BLACK)) // 2
            side = Fact("side_red" if board.turn ^ (first % 2 == 1) else "side_black")
            self._missing = places[first], Fact("text.missing_move", side=side, round=number)

    def _find_moves(self, start: int, end: int) -> Iterator[int]:
        """Indices of the moves between two indices, without variations."""
        depth = 0
        for place in range(start, end):
            word = self._words[place]
            depth += (word == "(") - (word == ")")
            if depth == 0 and word[0] not in "{;()$" and _has_form_of_move(_split_word(word)[0]):
                yield place

    def _let_black_begin(self, texts: list[str]) -> None:
        """Give Black the first move if the moves fit better so; report it, or that they do not."""
        fen = self._builder.game.fen
        other = fen.replace(" w", " b", 1)
        red, black = (self._count_playable(one, texts) for one in (fen, other))
        if black >= red and black > 0:
            self._builder.set_start(other)
            self._builder.add_error(texts[0], Fact("text.black_first"))
            self.faults.append(0)
        else:
            self._report_sides(texts)

    def _report_sides(self, texts: list[str]) -> None:
        board = self._builder.board
        assert board is not None
        self._builder.add_error(texts[0], Fact("text.sides", side=board.turn))
        self.faults.append(0)

    def _are_both_of_one_side(self, texts: Sequence[str]) -> bool:
        """Could one side play both moves in a row?"""
        board = start_board(self._builder.game.fen)
        parse = self._choose_parser(board, texts)
        try:
            board.push(parse(board, texts[0]))
            parse(Board(board.fen().replace(" b ", " w ", 1)), texts[1])
        except XiangqiError:
            return False
        return True

    def _count_playable(self, fen: str, texts: list[str]) -> int:
        """Number of moves that can be played in a row from a position."""
        board = start_board(fen)
        parse = self._choose_parser(board, texts)
        for count, text in enumerate(texts):
            try:
                board.push(parse(board, text))
            except XiangqiError:
                return count
        return len(texts)

    def _round(self, turn: Color) -> int:
        """Number of the round of the next move, which this side makes."""
        ply = self._builder.node.ply
        if self._has_plies:
            return self._first_round + ply
        is_black_first = (ply + (turn == BLACK)) % 2
        return self._first_round + (ply + is_black_first) // 2

    def _find_missing(self, place: int) -> Fact | None:
        """Reason why the move of a word cannot follow: the round number shows that the move before
        it is missing."""
        if self._missing is not None and place == self._missing[0]:
            return self._missing[1]
        mark, board = self._marks.get(place), self._builder.board
        if mark is None or board is None or not (self._has_rounds and mark.number):
            return None
        if self._builder.node.parent is None:
            return None
        expected = self._round(board.turn)
        if board.turn == BLACK and mark == (expected + 1, False):
            return Fact("text.missing_move", side=Fact("side_black"), round=expected)
        if board.turn == RED and mark == (expected, True):
            return Fact("text.missing_move", side=Fact("side_red"), round=expected)
        if board.turn == RED and mark.number == expected and self._sides.get(place) == BLACK:
            after = next((at for at in self._sides if at > place), None)
            if after is not None and self._marks.get(after) == (expected + 1, False):
                return Fact("text.missing_move", side=Fact("side_red"), round=expected)
        if board.turn == RED and mark.number > expected and not mark.is_black:
            following = (self._marks[at] for at in sorted(self._marks) if at > place)
            if next(following, None) == (mark.number + 1, False):
                return Fact("text.missing_rounds", first=expected, last=mark.number - 1)
        return None

    def _find_resumption(self, place: int) -> int | None:
        """Index at which reading goes on after words that are not understood; None if the moves
        after them do not fit."""
        board = self._builder.board
        if board is None or is_nearly_a_move(_split_word(self._words[place])[0]):
            return None  # a move with a slip of the pen, not a word
        expected, is_black = self._round(board.turn), board.turn == BLACK
        moves: list[int] = []
        for at in self._find_moves(place + 1, self._end_of_line(place)):
            mark = self._marks.get(at)
            if mark is None or not mark.number:
                moves.append(at)
                continue
            # number of moves between the next one and the marked one
            if self._has_plies:
                count = mark.number - expected
            elif mark.number == expected and is_black:
                count = 0  # some records number both moves of a round
            else:
                count = 2 * (mark.number - expected) + mark.is_black - is_black
            if not 0 <= count <= 2:
                return None
            for first in range(len(moves) - count, -1, -1):
                if self._is_playable([*moves[first : first + count], at]):
                    return moves[first] if count else at
            return None
        return next((one for i, one in enumerate(moves) if self._is_playable(moves[i:])), None)

    def _is_playable(self, places: Sequence[int]) -> bool:
        """Can the moves of these words be played from the current position?"""
        board = self._builder.board
        assert board is not None
        work = board.copy(stack=False)
        for place in places:
            try:
                work.push(self._parse(work, _split_word(self._words[place])[0]))
            except XiangqiError:
                return False
        return True

    def _open(self, place: int) -> int:
        """Begin a variation, or skip a move that is written again in another notation."""
        node = self._builder.node
        if self._repeats_move(place):
            return place + 3
        parent, board = node.parent, self._builder.board
        reason = None
        if parent is None or self._is_early:
            reason = Fact("text.early_variation")
        elif len(self._branches) == MAX_NESTED:
            reason = Fact("record.nested", most=MAX_NESTED)
        if parent is None or reason is not None:
            end = self._end_of_variation(place)
            rest = " ".join(self._words[place:end])
            self._builder.add_error("(", reason or Fact("text.early_variation"), node.ply + 1, rest)
            return end
        self._branches.append(node)
        if (
            board is not None
            and board.turn == RED
            and self._has_rounds
            and self._marks.get(place + 1) == (self._round(RED) - 1, False)
        ):
            parent = parent.parent or parent  # it replaces the move of Red before the last one
        self._builder.go_to(parent)
        self._is_early = True
        return place + 1

    def _repeats_move(self, place: int) -> bool:
        """Do brackets have nothing but the move before them, as in ``炮二平五 (h2e2)``?"""
        builder, node = self._builder, self._builder.node
        word, end = self._words[place + 1 : place + 2], self._words[place + 2 : place + 3]
        if node.parent is None or end != [")"] or not _has_form_of_move(word[0]):
            return False
        builder.go_to(node.parent)
        board = builder.board
        try:
            return board is not None and self._parse(board, word[0]) == node.move
        except XiangqiError:
            return False
        finally:
            builder.go_to(node)

    def _keep_early(self) -> None:
        """Add the comment before the first move of a variation to the current node."""
        self._is_early = False
        if self._early is not None:
            self._builder.add_comment(self._early)
            self._early = None

    def _end_of_variation(self, place: int) -> int:
        """Index after the variation that begins at ``place``."""
        depth = 0
        for end in range(place, len(self._words)):
            depth += (self._words[end] == "(") - (self._words[end] == ")")
            if depth == 0:
                return end + 1
        return len(self._words)

    def _rest_of_line(self, place: int) -> str:
        return " ".join(self._words[place : self._end_of_line(place)])

    def _count_following(self, place: int) -> int:
        """Number of moves in the line after ``place``, without variations."""
        depth = count = 0
        for word in self._words[place + 1 : self._end_of_line(place)]:
            depth += (word == "(") - (word == ")")
            if depth == 0 and word[0] not in "{;()$" and word not in MARKS and word not in RESULTS:
                count += bool(_split_word(word)[0])
        return count

    def _end_of_line(self, place: int) -> int:
        """Index of the word that ends the line from ``place`` on."""
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

    def _choose_parser(self, board: Board, texts: Sequence[str]) -> Callable[[Board, str], Move]:
        return choose_parser(board, texts, self._rank_base, self._style)

    def _parse(self, board: Board, text: str) -> Move:
        if self._parser is None:
            texts = [_split_word(word)[0] for word in self._words if word[0] not in "{;()$"]
            texts = [*filter(_has_form_of_move, texts)]
            start = start_board(self._builder.game.fen)
            self._parser = self._choose_parser(start, texts)
            styles = choose_styles(start, texts) if self._style is None else (self._style,)
            if len(styles) > 1:
                self._builder.add_error(text, Fact("text.two_notations", chosen=styles[0]))
        return self._parser(board, text)


def _find_marks(words: Sequence[str]) -> dict[int, Mark]:
    """Round numbers among the words, by the index of the move after them."""
    numbers: dict[int, str] = {}
    before = ""
    for place, word in enumerate(words):
        if word[0] in "{;()$":
            continue
        number = _number_before(word)
        before += number
        if number == word:
            continue
        if before:
            numbers[place] = before
            before = ""
    return _parse_marks(numbers)


@lru_cache(maxsize=8192)
def _number_before(word: str) -> str:
    """Round number at the beginning of a word, or an empty text."""
    found = None if is_wxf(word) else _NUMBER.match(word)
    return "" if found is None else found[0]


def _parse_marks(numbers: Mapping[int, str]) -> dict[int, Mark]:
    return {place: parse_mark(text) for place, text in numbers.items()}


def find_western_move(words: Iterable[str], errors: Iterable[GameError]) -> str | None:
    """Find a move that shows a game with faulty moves to be western chess; None if there is none.

    It is the first move that only western chess has, or else the first faulty move, if all moves
    up to it are legal in western chess.
    """
    ply = next((error.ply for error in errors if error.ply), None)
    if ply is None:
        return None
    main = []
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth == 0 and word[0] not in "{;($)" and word not in MARKS and word not in RESULTS:
            main.append(_split_word(word)[0])
    moves = [move for move in main if move]
    found = next((move for move in moves if _WESTERN.fullmatch(move) is not None), None)
    if found is None and ply <= len(moves) and _is_western(moves[:ply]):
        return moves[ply - 1]
    return found


def _is_western(moves: Iterable[str]) -> bool:
    """Are these the first moves of a game of western chess?"""
    try:
        from chess import Board as WesternBoard  # only for faulty games: the import is slow
    except ImportError:  # in a browser
        return False
    board = WesternBoard()
    try:
        for move in moves:
            board.push_san(move)
    except ValueError:
        return False
    return True


def _end_of_game(words: list[str]) -> int:
    """Index of the first word after the result that cannot be a move, such as a program's name."""
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
    """Has a word without its number the form of a move, a mark or a result, or nothing left?"""
    if not text or text in MARKS or text in RESULTS:
        return True
    try:
        parse_move(start_board(), text)
    except InvalidMoveError:
        return False
    except XiangqiError:  # for example illegal in this position
        pass
    return True


_result_of: Final = lru_cache(maxsize=8192)(parse_result)


@lru_cache(maxsize=8192)
def _has_form_of_move(text: str) -> bool:
    return bool(text) and match_move(text) == text and parse_result(text) is None


@lru_cache(maxsize=8192)
def _split_word(word: str) -> tuple[str, int]:
    """Split a word into its move, without the round number and possibly empty, and its NAG or 0."""
    match = _NUMBER.match(word)
    if match is not None and not is_wxf(word):
        word = word[match.end() :]
    marked = _MARKED.fullmatch(word)
    if marked is None:
        move = match_move(word) or ""
        glyph = word[len(move) :]
        return (move, GLYPHS[glyph]) if move and glyph in GLYPHS else (word, 0)
    marks = marked[2].replace("！", "!").replace("？", "?")
    return (marked[1], MARKS[marks]) if marks in MARKS else (word, 0)
