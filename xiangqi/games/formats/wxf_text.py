"""Text files of the WXF family, as PlayOK writes them.

    FORMAT  WXF
    GAME    a title
    RED     a name;1500;;
    BLACK   a name;1480;;
    RESULT  1-0
    DATE    2008-05-01
    EVENT   a cup
    START{
        1. C2.5  h8+7
        2. H2+3  r9.8
    }END

A header line is a keyword, a tab and a value. ``FEN`` or ``SETUP{ }`` has a starting position.
``FORMAT`` is the notation of the moves: WXF, or in files after Huayong Yang's draft of the 1990s
ICCS (its default), AXF, LALG (``Ch2-e2``) or SALG (``Che2``). The draft's piece letters are G for
the advisor and M for the elephant; a file may define others: ``FORMAT AXF, R(C) N(H)``.

Comments, marks and variations are written as in PGN. Vietnamese files, with moves such as ``P2-5``,
also have comments between ``/*`` and ``*/``, and requests for a diagram, ``DIAG{ #4 RED }``, which
are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.moves_reader import MARKS, MovesReader
from xiangqi.games.formats.pgn_reader import RawGame, read_words
from xiangqi.games.pgn import MovetextWriter, encode
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError
from xiangqi.ground.lines import LineReader
from xiangqi.notation import format_iccs, is_coordinates
from xiangqi.pieces import RED
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["WXF_TEXT", "WxfTextFormat"]

_HEADERS: Final = {
    "GAME": "Title", "EVENT": "Event", "SITE": "Site", "DATE": "Date", "ROUND": "Round",
    "RED": "Red", "BLACK": "Black", "RESULT": "Result", "OPENING": "Opening",
}  # fmt: skip
_KEYWORDS: Final = {name: keyword for keyword, name in _HEADERS.items()}
_PLAYERS: Final = ("Red", "Black")
_RESERVED: Final = frozenset(("FORMAT", "FEN", "SETUP", "START", "END", *_HEADERS))
_BEGINNING: Final = re.compile(rb"\A\s*(?:FORMAT\b|GAME\b|RED\b)|^[ \t]*START\s*\{", re.MULTILINE)
_HEADER: Final = re.compile(r"\s*([A-Z][A-Z0-9_]*)(?:(?:\t+| *: ?| +)(.*))?|(\S+)\t(.*)")
_BLOCK: Final = re.compile(r"\s*(START|SETUP)\s*\{(.*)")
_NEW_GAME: Final = re.compile(r"\s*FORMAT\b")
_DIAGRAM: Final = re.compile(r"\bDIAG\s*\{[^}]*\}?")
_NO_BRACES: Final = str.maketrans("{}", "()")
_PLAYER: Final = re.compile(r"([^;]*);\s*([0-9]*)\s*[;\s]*")
_NUMBER: Final = re.compile(r"[0-9]+")
_SYMBOL: Final = re.compile(r"([KRNCGMP])\s*\(\s*([A-Za-z])\s*\)")
_DRAFT_FORMATS: Final = ("ICCS", "AXF", "LALG", "SALG")
_DRAFT_LETTERS: Final = {"G": "A", "M": "E"}
_MARKS: Final = {nag: mark for mark, nag in MARKS.items()}


class WxfTextFormat:
    """The format WXF text; see the module."""

    name = "wxf"
    suffixes = (".wxf",)
    can_write = True
    notations: tuple[Notation, ...] = ("wxf", "iccs")
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        return _BEGINNING.search(head.removeprefix(b"\xef\xbb\xbf")) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[_RawText]:
        lines = LineReader(data, source)
        game = _RawText()
        has_begun = False
        reader = iter(lines)
        for line in reader:
            if not line or line.isspace():
                continue
            if has_begun and (game.has_moves or _NEW_GAME.match(line)):
                game.moves.faults += lines.take_faults()
                yield game
                game = _RawText()
            has_begun = True
            while (block := _BLOCK.fullmatch(line)) is not None:
                next_line = _read_block(game, block[1], block[2], reader)
                if next_line is None:
                    break
                game.moves.faults += lines.take_faults()
                yield game
                game, line = _RawText(), next_line
            else:
                header = _HEADER.fullmatch(line)
                if header is None:
                    game.moves.faults.append((line.strip(), Fact("text.keyword")))
                elif header[1] == "FEN":
                    game.setup = header[2] or ""
                else:
                    name, value = header[1] or header[3], header[2] or header[4] or ""
                    game.moves.headers.append((name, value))
        if has_begun:
            game.moves.faults += lines.take_faults()
            yield game

    def build(self, cut: _RawText, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        for text, reason in cut.moves.faults:
            builder.add_error(text, reason)
        words = cut.moves.words
        headers = builder.game.headers
        for keyword, value in cut.moves.headers:
            name = _HEADERS.get(keyword, keyword)
            if keyword == "FORMAT":
                words = _with_standard_letters(words, value)
            elif name in headers:
                builder.add_error(value, Fact("text.second_keyword", name=keyword))
            elif name == "Result":
                builder.set_result(value)
            else:
                player = _PLAYER.fullmatch(value) if name in _PLAYERS else None
                headers[name] = value if player is None else player[1].strip()
                if player is not None and player[2]:
                    headers[f"{name}Elo"] = player[2]
        if cut.setup:
            builder.set_start(cut.setup)
        MovesReader(words, builder).read()
        return builder.game

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one, in WXF notation or ICCS; raises FormatError for another."""
        is_wxf = choose_notation(self, options) == "wxf"
        for game in games:
            out.write(encode(self.name, _write_game(game, options, is_wxf=is_wxf), options))


WXF_TEXT: Final = WxfTextFormat()


# Reading


@dataclass(slots=True)
class _RawText:
    """A game split into headers, starting position and words."""

    moves: RawGame = field(default_factory=RawGame)
    """Headers, words of the moves, and faults."""
    setup: str | None = None
    has_moves: bool = False


def _read_block(game: _RawText, keyword: str, line: str, lines: Iterator[str]) -> str | None:
    """Read ``START{ }END`` or ``SETUP{ }``; return the first line of the next game if that begins
    before the end of the block."""
    words = RawGame()
    comment = None
    is_open = False
    text: str | None = line
    while text is not None and (text is line or not _NEW_GAME.match(text)):
        known = len(words.words)
        plain, is_open = _with_braces(text, is_open)
        comment = read_words(words, plain, comment)
        if "}" in words.words[known:]:
            text = None
            break
        text = next(lines, None)
    else:
        game.moves.faults.append((f"{keyword}{{", Fact("text.block")))
    if comment is not None:
        words.words.append("\n".join([*comment, ""]).rstrip("\n") + "}")
    end = words.words.index("}") if "}" in words.words else len(words.words)
    found, after = words.words[:end], words.words[end + 1 :]
    if after not in ([], ["END"]):
        game.moves.faults.append((" ".join(after), Fact("text.behind_block", keyword=keyword)))
    if keyword == "SETUP":
        game.setup = " ".join(found)
    else:
        game.moves.words += found
        game.has_moves = True
    return text


def _with_braces(line: str, is_open: bool) -> tuple[str, bool]:
    """Put the comments of a line into braces, and leave out its requests for a diagram.

    >>> _with_braces("1. P2-5 DIAG{ #4 RED } /*{a}*/ M8.7 /*b", False)
    ('1. P2-5  {(a)} M8.7 {b', True)
    """
    parts = []
    while line:
        before, mark, line = line.partition("*/" if is_open else "/*")
        parts.append(before.translate(_NO_BRACES) if is_open else _DIAGRAM.sub("", before))
        if mark:
            parts.append("}" if is_open else "{")
            is_open = not is_open
    return "".join(parts), is_open


def _with_standard_letters(words: list[str], form: str) -> list[str]:
    """Replace the piece letters of a ``FORMAT`` of the draft by the standard ones."""
    if form.split(",")[0].strip().upper() not in _DRAFT_FORMATS:
        return words
    letters = dict(_DRAFT_LETTERS)
    for draft, own in _SYMBOL.findall(form):
        letters[own.upper()] = _DRAFT_LETTERS.get(draft, draft)
    replaced = []
    for word in words:
        number = re.match(r"\d+\.+", word)
        place = number.end() if number is not None else 0
        letter = letters.get(word[place : place + 1])
        if letter is not None and word[0] not in "{;" and not is_coordinates(word[place:]):
            word = f"{word[:place]}{letter}{word[place + 1 :]}"
        replaced.append(word)
    return replaced


# Writing


def _write_game(game: Game, options: WriteOptions, *, is_wxf: bool) -> str:
    lines = ["FORMAT\tWXF" if is_wxf else "FORMAT\tICCS"]
    pairs = ((name, f"{name}Elo") for name in _PLAYERS if name in game.headers)
    elos = {name: elo for name, elo in pairs if _NUMBER.fullmatch(game.headers.get(elo, ""))}
    for name, value in game.headers.items():
        if name in elos.values():  # written behind the player
            continue
        elo = game.headers[elos[name]] if name in elos else ""
        if name in _PLAYERS and (elo or ";" not in value or _PLAYER.fullmatch(value)):
            _require(";" not in value, name, value, options)
            value = f"{value.replace(';', ',')};{elo};;"
        is_one_line = value.splitlines() in ([], [value]) and not value.startswith("\t")
        is_keyword = len(name.split()) == 1 and name not in _RESERVED
        _require(is_one_line and is_keyword, name, value, options)
        keyword = _KEYWORDS.get(name, re.sub(r"\s+", "_", name))
        lines.append(f"{keyword}\t{' '.join(value.splitlines())}")
    if game.fen != STARTING_FEN:
        lines.append(f"FEN\t{game.fen}")

    def format_move(board: Board, move: Move) -> str:
        if not is_wxf:
            return format_iccs(move)
        text = board.wxf(move)
        return text if board.turn == RED else text.lower()

    writer = MovetextWriter(format_move, lambda nag: _MARKS.get(nag, f"${nag}"))
    moves = game.accept(writer).text("\n}END")
    return "\n".join([*lines, "START{", moves, "", ""])


def _require(is_writable: bool, name: str, value: str, options: WriteOptions) -> None:
    if not is_writable and not options.lossy:
        why = Fact("write.header_value", name=name, value=value)
        raise FormatError(WXF_TEXT.name, "", why)
