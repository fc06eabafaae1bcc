"""Reading pasted or typed text: moves, positions, whole files, links.

Text is read up to the first unknown word, whose place is reported.

>>> pasted = read_pasted("1.炮二平五马8进7 2.马二进三车９平９")
>>> [move.iccs() for move in pasted.game.moves()]
['h2e2', 'h9g7', 'h0g2']
>>> print(pasted.fault)
line 1, column 18: move 4: '车9平9': the black chariot cannot move like this
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from xiangqi.board import Board
from xiangqi.games.formats import CutGame, cut_games, guess_format
from xiangqi.games.formats.base import HEAD_SIZE
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.loose import PLACEMENT, cut_texts
from xiangqi.games.formats.moves_reader import find_western_move
from xiangqi.games.formats.pgn import PGN, WHITE_PGN
from xiangqi.games.formats.pgn_reader import find_other_game, western_reason
from xiangqi.games.formats.positions import POSITIONS
from xiangqi.games.formats.text import TEXT, build_loose
from xiangqi.games.record import GameRecord
from xiangqi.games.tree import Game, GameError
from xiangqi.ground.errors import Fact, FormatError, RecordError, quote
from xiangqi.notation import is_like_a_move
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["Pasted", "TextFault", "last_position", "read_moves", "read_pasted"]

_SOURCE: Final = "text"
_LOOSE: Final = (PGN.name, WHITE_PGN.name, POSITIONS.name, TEXT.name)
"""Formats that people edit by hand, and that are therefore read leniently."""
_LINK: Final = re.compile(r"\s*(?:https?://|www\.)\S+\s*", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\s*(?:[0-8][0-9]){4,}\s*", re.ASCII)
_POSITION: Final = re.compile(rf"(?<![a-z0-9]){PLACEMENT.pattern}", PLACEMENT.flags)
"""A FEN in a link, only at the beginning of a word, so that a search reads a long word once."""
_TAG: Final = "DhtmlXQ"


@dataclass(frozen=True, slots=True)
class TextFault:
    """First unknown word or unplayable move of a text."""

    line: int
    """Line, from 1 like the column; both are 0 if the place is unknown."""
    column: int
    text: str
    reason: Fact
    ply: int | None = None
    """Ply of a faulty move, from 0; None for other text."""

    def error(self) -> RecordError:
        """Make an error of the fault."""
        place = Fact("place.column", line=self.line, column=self.column) if self.line else ""
        return RecordError(self.ply, self.text, self.reason, place)

    def __str__(self) -> str:
        return str(self.error())


@dataclass(frozen=True, slots=True)
class Pasted:
    """Content of a pasted text."""

    game: Game
    """First game, up to the fault."""
    fault: TextFault | None
    has_more: bool
    """Do other games follow?"""
    is_ambiguous: bool = False
    """Are as many moves legal with ranks counted from 1? They were read with ranks from 0."""


def read_pasted(text: str, fen: str = STARTING_FEN) -> Pasted:
    """Read a text; ``fen`` is the default starting position.

    Raises RecordError for a text, or a link, with neither a game nor a position.
    """
    text = _unfold(text.replace("\r\n", "\n").replace("\r", "\n"))
    data = text.encode("utf-8", "replace")
    try:
        name = guess_format(data[:HEAD_SIZE], _SOURCE).name
    except FormatError:
        name = TEXT.name
    if name in _LOOSE:
        return _read_loose(text, fen)
    try:
        cuts: list[CutGame] = list(islice(cut_games(io.BytesIO(data), source=_SOURCE), 2))
    except FormatError as error:
        raise RecordError(None, text, error.why) from error
    if not cuts:
        raise RecordError(None, text, Fact("record.game"))
    game = cuts[0].read()
    faults = [_locate_fault(text, text.find(one.rest or one.text), one) for one in game.errors]
    return Pasted(game, faults[0] if faults else None, len(cuts) > 1)


def read_moves(text: str, fen: str = STARTING_FEN) -> GameRecord:
    """Read pasted moves, possibly none.

    >>> read_moves("1. 炮二平五 马8进7 2. H2+3").moves
    ('h2e2', 'h9g7', 'h0g2')

    Raises FenError or PositionError for ``fen``, RecordError for an unknown word or illegal move.
    """
    fen = Board(fen).fen()
    if not text.strip():
        return GameRecord(fen)
    pasted = read_pasted(text, fen)
    if pasted.fault is not None:
        raise pasted.fault.error()
    return pasted.game.record()


def last_position(text: str) -> str:
    """FEN of the last position of a game, or the text itself if it has no move.

    >>> last_position("1. 炮二平五")
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1'

    Raises like :func:`read_moves`.
    """
    found = PLACEMENT.match(text)
    if found is None and "/" in text.split(" ")[0]:
        return text
    moves = text if found is None else text[found.end() :]
    return read_moves(text).play().fen() if is_like_a_move(moves) else text


# Moves and positions


def _read_loose(text: str, fen: str) -> Pasted:
    texts = cut_texts(text)
    loose = next(texts)
    while loose.rest is not None and not (loose.has_game or loose.headers or loose.words):
        loose = next(texts)
    builder = GameBuilder(_SOURCE, 1)
    places, bases = build_loose(loose, builder, fen)
    if (other := find_other_game(loose.headers)) is not None:
        raise RecordError(None, *other)
    western = find_western_move(loose.words, builder.game.errors)
    if western is not None:
        raise RecordError(None, western, western_reason(western))
    faults = sorted(zip(places, builder.game.errors, strict=True), key=lambda fault: fault[0])
    fault = _locate_fault(text, *faults[0]) if faults else None
    is_empty = not (builder.game.root.variations or loose.headers)
    if is_empty and (fault is not None or loose.fen is None):
        if fault is not None:
            raise fault.error()
        raise RecordError(None, text, Fact("record.pasted"))
    has_more = any(other.has_game for other in texts)
    return Pasted(builder.game, fault, has_more, len(bases) > 1)


def _locate_fault(text: str, place: int, error: GameError) -> TextFault:
    ply = None if error.ply is None else error.ply - 1
    if place < 0:
        return TextFault(0, 0, error.text, error.reason, ply)
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return TextFault(line, column, error.text, error.reason, ply)


# Links


def _unfold(text: str) -> str:
    """Extract the game from a link, or tag a row of DhtmlXQ's digits; return other text unchanged.

    Links are not followed: raises RecordError for one that does not contain a game.
    """
    if _DIGITS.fullmatch(text):
        return _tag("movelist", text.strip())
    if not _LINK.fullmatch(text):
        return text
    link = unquote(text.strip())
    if f"[{_TAG}" in link:
        return link[link.index(f"[{_TAG}") :]
    parts = urlsplit(text.strip())
    fields = {
        name.lower().removeprefix(f"{_TAG.lower()}_"): value
        for part in (parts.query, parts.fragment.lstrip("?"))
        for name, value in parse_qsl(part)
    }
    tags = [name for name in ("binit", "movelist") if fields.get(name, "").strip().isdigit()]
    if tags:
        return "".join(_tag(name, fields[name]) for name in tags)
    moves = fields.get("moves") or fields.get("game") or fields.get("pgn") or ""
    fen = _POSITION.search(fields.get("fen") or fields.get("board") or link.replace("_", " "))
    if fen is None and not moves:
        raise RecordError(None, quote(text.strip()), Fact("record.link"))
    return f"{'' if fen is None else fen[0]}\n{moves.replace('_', ' ')}"


def _tag(name: str, value: str) -> str:
    return f"[{_TAG}_{name}]{value}[/{_TAG}_{name}]"
