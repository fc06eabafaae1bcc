"""DhtmlXQ, the UBB code of dpxq.com (东萍象棋): games as tags in forum posts and web pages.

    [DhtmlXQ]
    [DhtmlXQ_red]湖北 洪智[/DhtmlXQ_red]
    [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
    [DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]
    [DhtmlXQ_comment2]对进右马[/DhtmlXQ_comment2]
    [/DhtmlXQ]

A move is four digits, the file and rank of both squares, counted from 0 at a9. ``move_0_2_1`` is
variation 1, which replaces ply 2 of line 0, the main line; the comment on ply 3 of variation 1 is
``comment1_3``. ``binit`` has the squares of the 32 pieces in the starting position, 99 for a
captured piece; it may be missing. Pages of the site have the main line as ``[0_1_0]...[/0_1_0]``
and variations as ``[0_2_1]...[/0_2_1]``. ``||`` in a comment is a line break, ``\\u4e00`` a
character, as in vschess (``dataToNode_DhtmlXQ``). Other tags are kept as headers.

Pages of 01xq.com have ``DHJHtmlXQ`` with numbers for names, read but not written: 34 is
``movelist``, whose ranks are counted from Red's side, 31 the board from a9 to i0 with ``0`` or
``*`` for an empty square, 32 is 1 if Black begins; ``[game_comment_0_3]...[/comment_0_3]`` is the
comment on ply 3 (vschess, ``dataToNode_DHJHtmlXQ``).
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import IO, Final

from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.plain import (
    PlainMove,
    fill_slots,
    find_turn,
    format_tree,
    is_header_name,
    join_marks,
    play_tree,
    put_headers,
    set_pieces,
    split_marks,
    take_headers,
    take_slots,
)
from xiangqi.games.results import parse_result
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.ground.errors import Fact, FormatError, XiangqiError
from xiangqi.ground.lines import FaultyText, LineReader
from xiangqi.pieces import RED, Square, square, square_file, square_rank
from xiangqi.pieces.fen import Setup, format_fen

__all__ = ["DHTMLXQ", "HEADERS"]

HEADERS: Final = {
    "title": "Title", "event": "Event", "date": "Date", "place": "Site", "round": "Round",
    "red": "Red", "redteam": "RedTeam", "redrating": "RedRating", "redtime": "RedTime",
    "black": "Black", "blackteam": "BlackTeam", "blackrating": "BlackRating",
    "blacktime": "BlackTime", "result": "Result", "open": "Opening", "class": "EventClass",
    "group": "Group", "table": "Table", "timerule": "TimeRule", "type": "Type",
    "gametype": "GameType", "endtype": "Termination", "judge": "Referee", "record": "Recorder",
    "remark": "Annotator", "author": "Author", "adddate": "Created", "editdate": "Saved",
    "refer": "Source",
}  # fmt: skip
"""Headers by tag; any other tag is a header of its own name."""

_DERIVED_TAGS: Final = ("ver", "init", "length", "DHJHtmlXQ_33")
"""Tags that are not headers: version, size of the board on the page, number of moves, and the ply
from which the page shows the game."""

_NUMBERED: Final = {
    f"DHJHtmlXQ_{number}": name
    for number, name in {
        10: "title", 11: "event", 13: "date", 14: "place", 15: "round", 16: "table",
        17: "redteam", 18: "red", 19: "redlevel", 20: "redrating", 21: "blackteam", 22: "black",
        23: "blacklevel", 24: "blackrating", 28: "result", 29: "redtime", 30: "blacktime",
        34: "movelist", 36: "open", 37: "variation", 40: "remark", 41: "author", 42: "record",
    }.items()
}  # fmt: skip
"""Tags of 01xq.com."""

_MOVE_TAG: Final = re.compile(r"move_\d{1,6}_\d{1,6}_\d{1,6}")

_TAG_OF: Final = {header: tag for tag, header in HEADERS.items()}
_RESULT_WORDS: Final = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋", "*": "未知"}
_TAKEN: Final = re.compile(r"fen|binit|movelist|move_\d.*|comment\d.*", re.ASCII)
_TAG_NAME: Final = re.compile(r"\w+")
_SPECIAL: Final = re.compile(
    r"\\(?=u[0-9a-fA-F]{4})|\[(?=/?DhtmlXQ)|^\s|\s\Z|(?<=\|)\||\|(?=\n)|[\r\n]"
)
_ESCAPES: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


def _encode_game(game: Game, place: Fact, options: WriteOptions) -> bytes:
    """Encode a game with its opening and closing tag.

    Characters missing in the encoding are escaped. Headers whose name cannot be a tag are put
    before the opening comment. Raises FormatError, which names *place*, for a header that cannot be
    put there either, and for an invalid starting position.
    """
    try:
        lines = [f"[DhtmlXQ_{tag}]{value}[/DhtmlXQ_{tag}]" for tag, value in _tags(game, options)]
    except FormatError as error:
        where = Fact("both", first=place, second=error.place)
        raise FormatError("dhtmlxq", where, error.why) from error
    text = "\n".join(["[DhtmlXQ]", *lines, "[/DhtmlXQ]", "", ""])
    errors = "replace" if options.lossy else _ERROR_HANDLER
    try:
        return text.encode(options.encoding, errors)
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        raise FormatError("dhtmlxq", place, Fact("write.character", found=bad)) from error


def _tags(game: Game, options: WriteOptions) -> Iterator[tuple[str, str]]:
    try:
        setup = start_board(game.fen).setup()
    except XiangqiError as error:
        raise FormatError("dhtmlxq", Fact("place.start"), error.fact) from error
    yield "ver", "www_dpxq_com"
    yield "init", "500,350"
    others = {}
    for header, value in game.headers.items():
        tag = _TAG_OF.get(header, header)
        is_tag = _TAG_NAME.fullmatch(tag) is not None and _TAKEN.fullmatch(tag) is None
        if is_tag and tag not in _DERIVED_TAGS and HEADERS.get(tag, tag) == header:
            text = _RESULT_WORDS.get(value, value) if tag == "result" else value
            if tag != "result" or parse_result(text) == value:
                yield tag, _escape(text)
                continue
        others[header] = value
    yield "binit", "".join(map(_digits, fill_slots(setup)))
    turn = setup.turn if game.root.variations else RED
    if format_fen(Setup(setup.board, turn)) != game.fen:
        yield "fen", game.fen

    if bad := [name for name in others if not is_header_name(name)]:
        if not options.lossy:
            at = Fact("place.header", name=bad[0])
            raise FormatError("dhtmlxq", at, Fact("write.tag_name"))
        others = {name: value for name, value in others.items() if is_header_name(name)}
    yield from _moves(game.root, put_headers(others, join_marks(game.root.nags, game.root.comment)))


def _moves(root: GameNode, opening: str) -> Iterator[tuple[str, str]]:
    """Tags of the lines of a game, then of its comments."""
    comments = [("comment0", opening)] if opening else []
    queue = deque([(0, root)])  # line that a variation leaves, its first node; first the root
    lines = 0
    while queue:
        parent, first = queue.popleft()
        line, lines = lines, lines + 1
        digits = ""
        for node in (first, *first.mainline()):
            queue.extend((line, other) for other in node.variations[1:])
            if node.move is None:  # the root
                continue
            digits += _digits(node.move.from_square) + _digits(node.move.to_square)
            if comment := join_marks(node.nags, node.comment):
                prefix = f"{line}_" if line else ""
                comments.append((f"comment{prefix}{node.ply}", comment))
        yield f"move_{parent}_{first.ply}_{line}" if line else "movelist", digits
    for tag, comment in comments:
        yield tag, _escape(comment, is_comment=True)


def _digits(square: Square | None) -> str:
    return _CAPTURED if square is None else f"{square_file(square)}{9 - square_rank(square)}"


# Characters


def _unescape(text: str) -> str:
    """Replace escapes by their characters.

    >>> _unescape("\\\\u70ae\\\\u4e8c平五")
    '炮二平五'
    """
    return _ESCAPES.sub(
        lambda codes: bytes.fromhex(codes[0].replace("\\u", "")).decode("utf-16-be", "replace"),
        text,
    )


def _escape(text: str, *, is_comment: bool = False) -> str:
    """Escape characters with a meaning in the format."""

    def escape(found: re.Match[str]) -> str:
        is_inner = 0 < found.start() < len(text) - 1
        if is_comment and found[0] == "\n" and is_inner:
            return "||"
        return f"\\u{ord(found[0]):04x}"

    return _SPECIAL.sub(escape, text)


def _escape_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Error handler that replaces characters by their ``\\uXXXX`` escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    try:
        data = bad.encode("utf-16-be")
    except UnicodeEncodeError:
        raise error from None
    codes = (f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))
    return "".join(codes), error.end


_ERROR_HANDLER: Final = "xiangqi.dhtmlxq"
codecs.register_error(_ERROR_HANDLER, _escape_unencodable)


_FRAME = re.compile(r"\[(/?)D(?:HJH|h)tmlXQ(?!_)\w*\]")
_TAG = re.compile(r"\[(?:DhtmlXQ_|(?=DHJHtmlXQ_))(\w+)\]")
_TAG_END = re.compile(r"\[/D(?:HJH|h)tmlXQ_\w*\]|(?=\[D(?:HJH|h)tmlXQ_)")
_NUMBERED_COMMENT = re.compile(
    r"\[(?:game_)?comment_0_(\d{1,6})\]((?:(?!\[/?(?:game_)?comment_0_).)*)\[/comment_0_\1\]", re.S
)
_PAGE_LINE = re.compile(r"\[(\d{1,6}_\d{1,6}_\d{1,6})\]([\d\s]*)\[/\1\]")
_COMMENT_TAG = re.compile(r"comment(?:(\d{1,6})_)?(\d{1,6})")
_DETECTED = re.compile(rb"\[D(?:HJH|h)tmlXQ[\]_iH]")
_PIECES: Final = 32
_CAPTURED: Final = "99"
_SQUARES: Final = {
    f"{file}{9 - rank}": square(file, rank) for file in range(9) for rank in range(10)
}
_SQUARES_FROM_RED: Final = {
    f"{file}{rank}": square(file, rank) for file in range(9) for rank in range(10)
}
_MAIN_LINE: Final = 0


class DhtmlxqFormat:
    """The format DhtmlXQ; see the module."""

    name = "dhtmlxq"
    suffixes = (".ubb", ".dhtmlxq", ".dpxq", ".html", ".htm")
    can_write = True
    notations: tuple[Notation, ...] = ()
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        return _DETECTED.search(head) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        lines = LineReader(data, source)
        is_empty = True
        for block in _split_blocks(lines):
            is_empty = False
            yield FaultyText(block, lines.take_faults())
        if is_empty:
            raise FormatError(source, "", Fact("tag.none"))

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        for text, why in cut.faults:
            builder.add_error(text, why)
        return _Reader(builder, cut.text).read()

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        choose_notation(self, options)
        for number, game in enumerate(games, start=1):
            out.write(_encode_game(game, Fact("place.game", number=number), options))


DHTMLXQ: Final = DhtmlxqFormat()
"""The format of DhtmlXQ, as in :data:`xiangqi.games.formats.FORMATS`."""


def _split_blocks(lines: Iterable[str]) -> Iterator[str]:
    """Iterate over the texts with tags, between ``[DhtmlXQ]`` and ``[/DhtmlXQ]`` or without
    these."""
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
    """Reader of one game."""

    def __init__(self, builder: GameBuilder, block: str) -> None:
        self._builder = builder
        self._tags: dict[str, str] = {}
        self._lines: dict[int, list[PlainMove]] = {}
        self._starts: dict[int, tuple[int, int]] = {_MAIN_LINE: (_MAIN_LINE, 1)}
        self._groups: dict[tuple[int, int], list[PlainMove]] = {}
        self._squares = _SQUARES
        for tag in _TAG.finditer(block):
            end = _TAG_END.search(block, tag.end())
            value = block[tag.end() : end.start() if end else len(block)].strip()
            if end is None or not end[0]:
                builder.add_error(tag[0], Fact("tag.end", name=tag[0][1:-1]))
            self._add_tag(tag[1], value)
        if any(name.startswith("DHJHtmlXQ_") for name in self._tags):
            self._squares = _SQUARES_FROM_RED
            self._name_numbers()
        for comment in _NUMBERED_COMMENT.finditer(block):
            self._add_tag(f"comment{comment[1]}", comment[2].strip())
        for line in _PAGE_LINE.finditer(block):
            self._add_tag(f"move_{line[1]}", line[2].strip())

    def _add_tag(self, name: str, value: str) -> None:
        if self._tags.setdefault(name, value) != value:
            self._builder.add_error(value, Fact("tag.twice", name=name), rest=value)

    def _name_numbers(self) -> None:
        """Give the tags of 01xq.com their names, and join the board to a FEN."""
        tags = self._tags
        for team, player in (("DHJHtmlXQ_17", "DHJHtmlXQ_18"), ("DHJHtmlXQ_21", "DHJHtmlXQ_22")):
            if not tags.get(player):  # vschess writes a player as a team
                tags[player] = tags.pop(team, "")
        letters, turn = tags.pop("DHJHtmlXQ_31", ""), tags.pop("DHJHtmlXQ_32", "0")
        rows = (letters[at : at + 9] for at in range(0, len(letters), 9))
        board = "/".join(re.sub(r"[0*]+", lambda empty: str(len(empty[0])), row) for row in rows)
        if board:
            self._add_tag("fen", f"{board} {'b' if turn == '1' else 'w'}")
        for number, name in _NUMBERED.items():
            if number in tags:
                self._add_tag(name, tags.pop(number))

    def read(self) -> Game:
        game = self._builder.game
        first = self._read_lines()
        opening = self._read_comments()
        own, opening = take_headers(opening)
        game.root.nags, game.root.comment = split_marks(opening)
        fen = own.pop("FEN", "") or _unescape(self._tags.pop("fen", ""))
        self._set_start(fen, self._tags.pop("binit", ""), first)
        for tag in _DERIVED_TAGS:
            self._tags.pop(tag, None)
        for tag, value in self._tags.items():
            if value:
                text = _unescape(value)
                if tag == "result":
                    self._builder.set_result(text)
                else:
                    game.headers[HEADERS.get(tag, tag)] = text
        game.headers.update(own)
        play_tree(self._builder, first)
        return game

    # Moves

    def _read_lines(self) -> list[PlainMove]:
        """Read all lines and join them to a tree; return the first moves."""
        main = self._tags.pop("move_0_1_0", "")
        self._add_line(_MAIN_LINE, self._tags.pop("movelist", "") or main)
        branches: dict[int, list[tuple[str, int, int]]] = {}  # by the line that they leave
        for tag in filter(_MOVE_TAG.fullmatch, self._tags):
            parent, ply, line = map(int, tag.split("_")[1:])
            branches.setdefault(parent, []).append((tag, ply, line))
        queue = deque([_MAIN_LINE])
        while queue:
            parent = queue.popleft()
            for tag, ply, line in branches.pop(parent, ()):
                value = self._tags.pop(tag)
                if line in self._starts:
                    self._builder.add_error(tag, Fact("tag.line_twice", line=line), ply, value)
                    continue
                self._starts[line] = (parent, ply)
                self._add_line(line, value, tag)
                queue.append(line)
        for tag in filter(_MOVE_TAG.fullmatch, list(self._tags)):
            self._builder.add_error(tag, Fact("tag.no_line"), rest=self._tags.pop(tag))
        return self._group(_MAIN_LINE, 1) or []

    def _add_line(self, line: int, value: str, tag: str = "movelist") -> None:
        """Read a line's moves and join it to the line that it leaves."""
        digits = "".join(value.split())
        parent, ply = self._starts[line]
        moves = [self._read_move(digits[at : at + 4]) for at in range(0, len(digits), 4)]
        for move, following in pairwise(moves):
            move.next.append(following)
        group = self._group(parent, ply) if line != _MAIN_LINE else []
        if group is None:
            reason = Fact("tag.no_ply", line=parent, ply=ply)
            self._builder.add_error(tag, reason, ply, format_tree(moves[:1]))
            return
        group.extend(moves[:1])
        self._groups[line, ply] = group
        self._lines[line] = moves

    def _read_move(self, digits: str) -> PlainMove:
        source, target = self._squares.get(digits[:2]), self._squares.get(digits[2:])
        if source is None or target is None or source == target:
            return PlainMove(digits, None)
        return PlainMove.between(source, target)

    def _group(self, line: int, ply: int) -> list[PlainMove] | None:
        """Alternatives at a ply of a line, to which more can be added; None for a wrong ply."""
        while line != _MAIN_LINE and ply < self._starts[line][1]:
            line = self._starts[line][0]
        moves, index = self._lines.get(line, []), ply - self._starts[line][1]
        if index == 0:
            return self._groups.get((line, ply), [])
        return moves[index - 1].next if 0 < index <= len(moves) else None

    # Comments, headers and position

    def _read_comments(self) -> str:
        """Attach the comments to their moves; return the one before the first move."""
        opening = ""
        for tag in list(self._tags):
            found = _COMMENT_TAG.fullmatch(tag)
            if found is None:
                continue
            text = _unescape(self._tags.pop(tag).replace("||", "\n"))
            line, ply = int(found[1] or _MAIN_LINE), int(found[2])
            moves = self._lines.get(line, [])
            index = ply - self._starts[line][1] if line in self._starts else -1
            if ply == 0 and line == _MAIN_LINE:
                opening = text
            elif 0 <= index < len(moves):
                moves[index].comment = text
            elif text:
                reason = Fact("tag.no_comment_ply", ply=ply, line=line)
                self._builder.add_error(text, reason, ply, text)
        return opening

    def _set_start(self, fen: str, binit: str, first: list[PlainMove]) -> None:
        digits = "".join(binit.split())
        if fen:
            self._builder.set_start(fen)
        elif re.fullmatch(rf"[0-9]{{{2 * _PIECES}}}", digits):
            codes = [digits[at : at + 2] for at in range(0, len(digits), 2)]
            for code in codes:
                if code != _CAPTURED and code not in _SQUARES:
                    self._builder.add_error(code, Fact("tag.point"))
            pieces = take_slots(list(map(_SQUARES.get, codes)), self._builder)
            set_pieces(self._builder, pieces, find_turn(pieces, first, RED))
        elif digits:
            reason = Fact("tag.digits", count=2 * _PIECES, found=len(digits))
            self._builder.add_error(digits, reason)
            self._builder.set_start(digits)
