"""The tags of DhtmlXQ, and games written in it."""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from xiangqi.core.move import Move
from xiangqi.errors import FormatError, XiangqiError, quote
from xiangqi.fen import Setup, format_fen
from xiangqi.games.formats.base import WriteOptions
from xiangqi.games.formats.notes import is_header_name, join_marks, put_headers
from xiangqi.games.formats.slots import fill_slots
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.pieces import RED, Square, square_file, square_rank

__all__ = ["DERIVED_TAGS", "HEADERS", "MOVE_TAG", "RESULTS", "encode_game", "unescape"]

HEADERS: Final = {
    "title": "Title",
    "event": "Event",
    "date": "Date",
    "place": "Site",
    "round": "Round",
    "red": "Red",
    "redteam": "RedTeam",
    "redrating": "RedRating",
    "redtime": "RedTime",
    "black": "Black",
    "blackteam": "BlackTeam",
    "blackrating": "BlackRating",
    "blacktime": "BlackTime",
    "result": "Result",
    "open": "Opening",
    "class": "EventClass",
    "group": "Group",
    "table": "Table",
    "timerule": "TimeRule",
    "type": "Type",
    "gametype": "GameType",
    "endtype": "Termination",
    "judge": "Referee",
    "record": "Recorder",
    "remark": "Annotator",
    "author": "Author",
    "adddate": "Created",
    "editdate": "Saved",
    "refer": "Source",
}
"""Headers by their tags; any other tag is a header under its own name."""

DERIVED_TAGS: Final = ("ver", "init", "length")
"""Tags that say nothing about the game but its length: version, size of the frame."""

RESULTS: Final = {
    "红胜": "1-0",
    "紅勝": "1-0",
    "红方胜": "1-0",
    "黑胜": "0-1",
    "黑勝": "0-1",
    "黑方胜": "0-1",
    "和棋": "1/2-1/2",
    "和局": "1/2-1/2",
    "未知": "*",
}
"""Results by their words."""

MOVE_TAG: Final = re.compile(r"move_\d{1,6}_\d{1,6}_\d{1,6}")

_TAG_OF: Final = {header: tag for tag, header in HEADERS.items()}
_RESULT_WORDS: Final = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋", "*": "未知"}
_TAKEN: Final = re.compile(r"fen|binit|movelist|move_\d.*|comment\d.*", re.ASCII)
_TAG_NAME: Final = re.compile(r"\w+")
_SPECIAL: Final = re.compile(
    r"\\(?=u[0-9a-fA-F]{4})|\[(?=/?DhtmlXQ)|^\s|\s\Z|(?<=\|)\||\|(?=\n)|[\r\n]"
)
_SPELLED: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


def encode_game(game: Game, place: str, options: WriteOptions) -> bytes:
    """A game between its frames.

    What the encoding has no character for is spelled out. Headers whose name cannot be that of a
    tag stand before the opening comment. Raises FormatError, which names *place*, where that is
    not possible either, and where the game has no starting position.
    """
    try:
        lines = [f"[DhtmlXQ_{tag}]{value}[/DhtmlXQ_{tag}]" for tag, value in _tags(game, options)]
    except FormatError as error:
        raise FormatError("dhtmlxq", f"{place}, {error.place}", error.why) from error
    text = "\n".join(["[DhtmlXQ]", *lines, "[/DhtmlXQ]", "", ""])
    errors = "replace" if options.lossy else _SPELL_OUT
    try:
        return text.encode(options.encoding, errors)
    except UnicodeEncodeError as error:
        bad = quote(error.object[error.start : error.end])
        raise FormatError("dhtmlxq", place, f"{bad} is not a character") from error


def _tags(game: Game, options: WriteOptions) -> Iterator[tuple[str, str]]:
    try:
        setup = start_board(game.fen).setup()
    except XiangqiError as error:
        raise FormatError("dhtmlxq", "starting position", str(error)) from error
    yield "ver", "www_dpxq_com"
    yield "init", "500,350"
    others = {}
    for header, value in game.headers.items():
        tag = _TAG_OF.get(header, header)
        if _is_free(tag, header):
            shown = _RESULT_WORDS.get(value, value) if tag == "result" else value
            if RESULTS.get(shown, shown) == value or tag != "result":
                yield tag, _escape(shown)
                continue
        others[header] = value
    yield "binit", "".join(map(_digits, fill_slots(setup)))
    turn = setup.turn if game.root.variations else RED
    if format_fen(Setup(setup.board, turn)) != game.fen:
        yield "fen", game.fen

    if bad := [name for name in others if not is_header_name(name)]:
        if not options.lossy:
            raise FormatError("dhtmlxq", f"header {quote(bad[0])}", "no tag can have this name")
        others = {name: value for name, value in others.items() if is_header_name(name)}
    yield from _moves(game.root, put_headers(others, join_marks(game.root.nags, game.root.comment)))


def _is_free(tag: str, header: str) -> bool:
    """Can a header be a tag with this name, and be read back under its own?"""
    if _TAG_NAME.fullmatch(tag) is None or _TAKEN.fullmatch(tag) or tag in DERIVED_TAGS:
        return False
    return HEADERS.get(tag, tag) == header


def _moves(root: GameNode, opening: str) -> Iterator[tuple[str, str]]:
    """The lines of a game, then its comments."""
    comments = [("comment0", opening)] if opening else []
    waiting = deque([(0, 1, root)])  # the line that is left, the ply, the node where it begins
    lines = 0
    while waiting:
        parent, ply, node = waiting.popleft()
        line, lines = lines, lines + 1
        played = []
        is_first = line > 0
        while True:
            if is_first:
                is_first = False
            elif node.variations:
                waiting.extend((line, node.ply + 1, other) for other in node.variations[1:])
                node = node.variations[0]
            else:
                break
            assert node.move is not None
            played.append(_move_digits(node.move))
            if comment := join_marks(node.nags, node.comment):
                own = f"{line}_" if line else ""
                comments.append((f"comment{own}{node.ply}", comment))
        yield f"move_{parent}_{ply}_{line}" if line else "movelist", "".join(played)
    for tag, comment in comments:
        yield tag, _escape(comment, is_comment=True)


def _digits(square: Square | None) -> str:
    return "99" if square is None else f"{square_file(square)}{9 - square_rank(square)}"


def _move_digits(move: Move) -> str:
    return _digits(move.from_square) + _digits(move.to_square)


# Characters


def unescape(text: str) -> str:
    """Put characters in the place of their codes.

    >>> unescape("\\\\u70ae\\\\u4e8c平五")
    '炮二平五'
    """
    return _SPELLED.sub(_character, text) if "\\" in text else text


def _character(codes: re.Match[str]) -> str:
    data = bytes.fromhex(codes[0].replace("\\u", ""))
    return data.decode("utf-16-be", "replace")


def _escape(text: str, *, is_comment: bool = False) -> str:
    """Spell out what would be read as something else."""
    text = _SPECIAL.sub(lambda found: _spell(found, is_comment), text)
    return text.replace("\n", "||") if is_comment else text


def _spell(found: re.Match[str], is_comment: bool) -> str:
    character = found[0]
    if is_comment and character == "\n" and 0 < found.start() < len(found.string) - 1:
        return character
    return f"\\u{ord(character):04x}"


def _spell_out(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    try:
        data = bad.encode("utf-16-be")
    except UnicodeEncodeError:
        raise error from None
    codes = (f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))
    return "".join(codes), error.end


_SPELL_OUT: Final = "xiangqi.dhtmlxq.spell_out"
codecs.register_error(_SPELL_OUT, _spell_out)
