"""DhtmlXQ, the UBB code of dpxq.com (东萍象棋): games as tags in the text of forums and pages.

    [DhtmlXQ]
    [DhtmlXQ_red]湖北 洪智[/DhtmlXQ_red]
    [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
    [DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]
    [DhtmlXQ_comment2]对进右马[/DhtmlXQ_comment2]
    [/DhtmlXQ]

A move is four digits, file and rank of two points counted from Black's left-hand corner as Red
sees it. ``move_0_2_1`` is variation 1, which leaves line 0, the main line, at ply 2; the comment to
ply 3 of variation 1 is ``comment1_3``. ``binit`` has the 32 pieces of the starting position, 99 for
a captured one; it may be missing. Pages of the site have the moves as ``[0_1_0]...[/0_1_0]``, the
main line, and ``[0_2_1]...[/0_2_1]``. ``||`` in a comment is a new line, ``\\u4e00`` a character;
so vschess reads it (``dataToNode_DhtmlXQ``). Tags without a meaning here are kept as headers.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import IO, Final

from xiangqi.counting import plural
from xiangqi.errors import FormatError
from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.dhtmlxq_writer import (
    DERIVED_TAGS,
    HEADERS,
    MOVE_TAG,
    RESULTS,
    encode_game,
    unescape,
)
from xiangqi.games.formats.notes import split_marks, take_headers
from xiangqi.games.formats.plain import PlainMove, format_tree, play_tree
from xiangqi.games.formats.slots import find_turn, set_pieces, take_slots
from xiangqi.games.tree import Game
from xiangqi.lines import FaultyText, LineReader
from xiangqi.pieces import RED, square

__all__ = ["DHTMLXQ"]

_FRAME = re.compile(r"\[(/?)DhtmlXQ(?!_)\w*\]")
_TAG = re.compile(r"\[DhtmlXQ_(\w+)\]")
_TAG_END = re.compile(r"\[/DhtmlXQ_\w*\]|(?=\[DhtmlXQ_)")
_PAGE_LINE = re.compile(r"\[(\d{1,6}_\d{1,6}_\d{1,6})\]([\d\s]*)\[/\1\]")
_COMMENT_TAG = re.compile(r"comment(?:(\d{1,6})_)?(\d{1,6})")
_DETECTED = re.compile(rb"\[DhtmlXQ[\]_iH]")
_PLACES: Final = 32
_CAPTURED: Final = "99"
_SQUARES: Final = {
    f"{file}{9 - rank}": square(file, rank) for file in range(9) for rank in range(10)
}
_MAIN_LINE: Final = 0


class DhtmlxqFormat:
    """DhtmlXQ; see the module."""

    name = "dhtmlxq"
    suffixes = (".ubb", ".dhtmlxq")
    can_write = True
    notations: tuple[Notation, ...] = ()
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        """Is one of its tags there?"""
        return _DETECTED.search(head) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        """Cut a text into its games; see :class:`~xiangqi.games.formats.base.Format`."""
        lines = LineReader(data, source)
        is_empty = True
        for block in _split_blocks(lines):
            is_empty = False
            yield FaultyText(block, lines.take_faults())
        if is_empty:
            raise FormatError(source, "", "no game: expected tags such as [DhtmlXQ_movelist]")

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        """Read the tags of a game; see :class:`~xiangqi.games.formats.base.Format`."""
        builder = GameBuilder(source, number)
        for text, why in cut.faults:
            builder.add_error(text, why)
        return _Reader(builder, cut.text).read()

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one; see :class:`~xiangqi.games.formats.base.Format`."""
        choose_notation(self, options)
        for number, game in enumerate(games, start=1):
            out.write(encode_game(game, f"game {number}", options))


DHTMLXQ: Final = DhtmlxqFormat()
"""The format."""


def _split_blocks(lines: Iterable[str]) -> Iterator[str]:
    """The text of each game: between frames, and before or behind them if it has tags."""
    parts: list[str] = []
    for line in lines:
        start = 0
        for frame in _FRAME.finditer(line):
            parts.append(line[start : frame.start()])
            if _TAG.search(block := "\n".join(parts)):
                yield block
            parts, start = [], frame.end()
        parts.append(line[start:])
    if _TAG.search(block := "\n".join(parts)):
        yield block


class _Reader:
    """Reads one game."""

    def __init__(self, builder: GameBuilder, block: str) -> None:
        self._builder = builder
        self._tags: dict[str, str] = {}
        self._lines: dict[int, list[PlainMove]] = {}
        self._starts: dict[int, tuple[int, int]] = {_MAIN_LINE: (_MAIN_LINE, 1)}
        self._groups: dict[tuple[int, int], list[PlainMove]] = {}
        for name, value in self._split_tags(block):
            if self._tags.setdefault(name, value) != value:
                builder.add_error(value, f"the tag {name} is there twice", rest=value)

    def read(self) -> Game:
        """The game."""
        game = self._builder.game
        first = self._read_lines()
        opening = self._read_comments()
        own, opening = take_headers(opening)
        game.root.nags, game.root.comment = split_marks(opening)
        fen = own.pop("FEN", "") or unescape(self._tags.pop("fen", ""))
        self._set_start(fen, self._tags.pop("binit", ""), first)
        for tag in DERIVED_TAGS:
            self._tags.pop(tag, None)
        for tag, value in self._tags.items():
            if value:
                text = unescape(value)
                game.headers[HEADERS.get(tag, tag)] = (
                    RESULTS.get(text, text) if tag == "result" else text
                )
        game.headers.update(own)
        play_tree(self._builder, first)
        return game

    def _split_tags(self, block: str) -> Iterator[tuple[str, str]]:
        for tag in _TAG.finditer(block):
            end = _TAG_END.search(block, tag.end())
            value = block[tag.end() : end.start() if end else len(block)].strip()
            if end is None or not end[0]:
                self._builder.add_error(tag[0], f"expected [/DhtmlXQ_{tag[1]}] behind it")
            yield tag[1], value
        for line in _PAGE_LINE.finditer(block):
            yield f"move_{line[1]}", line[2].strip()

    # Moves

    def _read_lines(self) -> list[PlainMove]:
        """All lines, tied to one another; the first moves."""
        main = self._tags.pop("move_0_1_0", "")
        self._add_line(_MAIN_LINE, self._tags.pop("movelist", "") or main)
        leaving: dict[int, list[tuple[str, int, int]]] = {}
        for tag in filter(MOVE_TAG.fullmatch, self._tags):
            parent, ply, line = map(int, tag.split("_")[1:])
            leaving.setdefault(parent, []).append((tag, ply, line))
        found = deque([_MAIN_LINE])
        while found:
            parent = found.popleft()
            for tag, ply, line in leaving.pop(parent, ()):
                value = self._tags.pop(tag)
                if line in self._starts:
                    self._builder.add_error(tag, f"line {line} is there twice", ply, value)
                    continue
                self._starts[line] = (parent, ply)
                self._add_line(line, value, tag)
                found.append(line)
        for tag in filter(MOVE_TAG.fullmatch, list(self._tags)):
            reason = "it leaves a line that is not there"
            self._builder.add_error(tag, reason, rest=self._tags.pop(tag))
        return self._group(_MAIN_LINE, 1) or []

    def _add_line(self, line: int, value: str, tag: str = "movelist") -> None:
        """Read a line's moves and tie it to the line that it leaves."""
        digits = "".join(value.split())
        parent, ply = self._starts[line]
        moves = [_read_move(digits[at : at + 4]) for at in range(0, len(digits), 4)]
        for at in range(1, len(moves)):
            moves[at - 1].next.append(moves[at])
        group = self._group(parent, ply) if line != _MAIN_LINE else []
        if group is None:
            reason = f"line {parent} has no ply {ply} to leave it at"
            self._builder.add_error(tag, reason, ply, format_tree(moves[:1]))
            return
        group.extend(moves[:1])
        self._groups[line, ply] = group
        self._lines[line] = moves

    def _group(self, line: int, ply: int) -> list[PlainMove] | None:
        """The moves that a line has to choose from at a ply."""
        while line != _MAIN_LINE and ply < self._starts[line][1]:
            line = self._starts[line][0]
        moves, before = self._lines.get(line, []), ply - self._starts[line][1]
        if before == 0:
            return self._groups.get((line, ply), [])
        return moves[before - 1].next if 0 < before <= len(moves) else None

    # Comments, headers and position

    def _read_comments(self) -> str:
        """Put the comments to their moves; the one to the starting position."""
        opening = ""
        for tag in list(self._tags):
            found = _COMMENT_TAG.fullmatch(tag)
            if found is None:
                continue
            text = unescape(self._tags.pop(tag).replace("||", "\n"))
            line, ply = int(found[1] or _MAIN_LINE), int(found[2])
            moves = self._lines.get(line, [])
            place = ply - self._starts[line][1] if line in self._starts else -1
            if ply == 0 and line == _MAIN_LINE:
                opening = text
            elif 0 <= place < len(moves):
                moves[place].comment = text
            elif text:
                self._builder.add_error(text, f"there is no ply {ply} of line {line}", ply, text)
        return opening

    def _set_start(self, fen: str, places: str, first: list[PlainMove]) -> None:
        digits = "".join(places.split())
        if fen:
            self._builder.set_start(fen)
        elif re.fullmatch(rf"[0-9]{{{2 * _PLACES}}}", digits):
            codes = [digits[at : at + 2] for at in range(0, len(digits), 2)]
            for code in codes:
                if code != _CAPTURED and code not in _SQUARES:
                    self._builder.add_error(code, "binit: expected a point of the board, or 99")
            pieces = take_slots(list(map(_SQUARES.get, codes)), self._builder)
            set_pieces(self._builder, pieces, find_turn(pieces, first, RED))
        elif digits:
            expected = (
                f"binit: expected {2 * _PLACES} digits, found {plural(len(digits), 'character')}"
            )
            self._builder.add_error(digits, expected)
            self._builder.set_start(digits)


def _read_move(digits: str) -> PlainMove:
    source, target = _SQUARES.get(digits[:2]), _SQUARES.get(digits[2:])
    if source is None or target is None or source == target:
        return PlainMove(digits, None)
    return PlainMove.between(source, target)
