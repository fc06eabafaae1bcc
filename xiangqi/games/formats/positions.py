"""Lines with a position or game each: ``position fen F moves ...``, a FEN, or EPD.

Lines of engine protocols have a starting position and moves in coordinates, nothing else. Ranks are
counted from 0 (UCCI) or from 1 (UCI of Fairy-Stockfish), the same in a whole line. A FEN may be
followed by ``moves ...`` or operations of EPD, as in ``bm h2e2; id "a name";``: ``id`` is the
game's title, ``c0`` to ``c9`` are comments, others become headers. Lines that begin with ``#`` are
skipped.

Collections of endgames have a title before each position, and maybe moves behind it, separated by
``,``, ``|`` or a tabulator, as in ``A title|4k4/... w|g8f8,e9f9`` of cchess (``.eglib``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Final, NamedTuple

from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import (
    GameBuilder,
    build_line,
    find_losses,
    play_line,
    split_lines,
)
from xiangqi.games.formats.phrases import PLAIN, begins_moves
from xiangqi.games.record import parse_position
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError, RecordError
from xiangqi.ground.lines import FaultyText
from xiangqi.notation import RankBase, format_coordinates
from xiangqi.pieces.fen import STARTING_FEN, begins_fen, unwrap_fen

__all__ = ["POSITIONS", "EpdLine", "PositionsFormat", "read_epd"]

_COMMAND: Final = re.compile(r"\s*(?:position\s+)?(?:startpos\b|fen\s)")
_EPD: Final = re.compile(
    r"(?P<fen>\S+(?:\s+(?i:[wbr]|red|black|white)(?![^\s;]))?(?:\s+-){0,2}(?:\s+\d+(?![^\s;])){0,2})"
    r"\s*;?\s*(?:moves\s+(?P<moves>.*)|(?P<operations>.*))",
    re.ASCII,
)
_OPERATION: Final = re.compile(r'\s*([A-Za-z]\w+)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_NAMES: Final = {"id": "Title"}
_COMMENT: Final = re.compile(r"c[0-9]")
_HASH: Final = "#"
_TITLED: Final = re.compile(r"(?P<title>[^,|\t/]{1,200})(?P<separator>[,|\t])\s*(?=[^\s/]+/)")
"""Title before a position, up to its first rank."""


class PositionsFormat:
    """The format of positions, one per line; see the module."""

    name = "positions"
    suffixes = (".ucci", ".uci", ".fen", ".epd", ".eglib")
    can_write = True
    notations: tuple[Notation, ...] = ("iccs", "uci")
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        """Does the first line begin with a position, and no other line with moves?"""
        text = head.decode("utf-8-sig", "replace")
        lines = [line for line in text.splitlines() if line.strip() and line[0] != _HASH]
        if not lines or _COMMAND.match(lines[0]) or _split_title(lines[0]) is not None:
            return bool(lines)
        return begins_fen(lines[0]) and not any(
            begins_moves(line.translate(PLAIN)) for line in lines if not begins_fen(line)
        )

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        cuts = split_lines(data, source)
        return (cut for cut in cuts if cut.faults or not cut.text.lstrip().startswith(_HASH))

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        return build_line(cut, source, number, _read_line)

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one, in coordinates of UCCI or, on request, of UCI.

        Raises FormatError for a game with headers, comments, marks or variations.
        """
        base: RankBase = 1 if choose_notation(self, options) == "uci" else 0
        for game in games:
            losses = find_losses(game, headers=True)
            if losses and not options.lossy:
                raise FormatError(self.name, "", Fact("write.loses", losses=losses))
            moves = [format_coordinates(move, base) for move in game.moves()]
            start = "startpos" if game.fen == STARTING_FEN else f"fen {game.fen}"
            line = " ".join(["position", start, *(["moves"] if moves else []), *moves])
            out.write(f"{line}\n".encode(options.encoding))


class EpdLine(NamedTuple):
    """A FEN with its moves or operations."""

    fen: str
    moves: tuple[str, ...]
    """Moves played from the position."""
    operations: dict[str, str]
    """EPD operands by opcode, without quotes."""


def read_epd(line: str) -> EpdLine:
    """Parse a FEN with its moves or operations; the FEN itself is not checked.

    >>> read_epd('9/4k4/9/9/9/9/9/9/9/3K5 w - - bm d0d1; id "one";').operations
    {'bm': 'd0d1', 'id': 'one'}

    Raises RecordError for other text after the FEN, or without a FEN.
    """
    found = _EPD.fullmatch(unwrap_fen(line))
    if found is None or "/" not in found["fen"]:
        raise RecordError(None, line, Fact("record.position_or_fen"))
    text = found["operations"] or ""
    operations: dict[str, str] = {}
    place = 0
    while place < len(text):
        one = _OPERATION.match(text, place)
        if one is None:
            raise RecordError(None, text[place:], Fact("record.epd"))
        operations[one[1]] = one[2].strip().strip('"')
        place = one.end()
    fen = found["fen"]
    if re.search(r"\d$", fen) is None and "hmvc" in operations and " " in fen:
        sides = " ".join(fen.split()[:2])
        fen = f"{sides} - - {operations.pop('hmvc')} {operations.pop('fmvn', '1')}"
    return EpdLine(fen, tuple((found["moves"] or "").split()), operations)


def _split_title(line: str) -> tuple[str, str] | None:
    """Split a line into its title and the position with its moves; None without a title."""
    found = _TITLED.match(line)
    if found is None or not begins_fen(line[found.end() :]):
        return None
    fen, _, moves = line[found.end() :].partition(found["separator"])
    moves = moves.replace(",", " ").strip()
    return found["title"].strip(), f"{fen.strip()} moves {moves}" if moves else fen


def _read_line(builder: GameBuilder, line: str) -> None:
    titled = _split_title(line)
    if titled is not None:
        builder.game.headers["Title"], line = titled
    if _COMMAND.match(line):
        record = parse_position(line)
        fen, moves = record.fen, record.moves
    else:
        fen, moves, operations = read_epd(line)
        for code, operand in operations.items():
            if _COMMENT.fullmatch(code):
                builder.add_comment(operand)
            else:
                builder.game.headers[_NAMES.get(code, code)] = operand
    if fen != STARTING_FEN:
        builder.set_start(fen)
    play_line(builder, moves)


POSITIONS: Final = PositionsFormat()
