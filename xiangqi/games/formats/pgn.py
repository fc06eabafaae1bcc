"""PGN, in the form of xqbase and in that of programs for chess and its variants.

The one has ``[Game "Chinese Chess"]``, headers ``Red`` and ``Black``, and moves in Chinese, WXF or
ICCS notation, as ``Format`` says (https://www.xqbase.com/protocol/cchess_pgn.htm). The other has
``[Variant "xiangqi"]``, ``White`` and ``Black``, and moves like ``Che3`` or ``h3e3`` with ranks
from 1 to 10. Either reader takes both: a move's form tells its notation, and all moves of a game
together tell what the ranks count from.

Headers about the file's own form (``Game``, ``Format``, ``Variant``, ``SetUp``) are left to the
writer; ``FEN`` is the game's starting position. ``White`` becomes ``Red``, and so does every header
that begins with it, unless the game has both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Final

from xiangqi.games.formats.base import DEFAULT_OPTIONS, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.pgn_moves import MovesReader
from xiangqi.games.formats.pgn_tokens import RawGame, read_game, split_games
from xiangqi.games.formats.pgn_writer import RED_BLACK, WHITE_BLACK, Style, write_pgn
from xiangqi.games.tree import Game
from xiangqi.lines import FaultyText, LineReader
from xiangqi.notation import RankBase

__all__ = ["PGN", "WHITE_PGN", "PgnFormat", "find_rank_base", "take_headers"]

_OWN_FORM: Final = {
    "Game": ("chinese chess", "xiangqi"),
    "Format": ("chinese", "wxf", "iccs", "san", "uci"),
    "Variant": ("xiangqi",),
    "SetUp": ("0", "1"),
}
_RANK_BASES: Final[dict[str, RankBase]] = {"iccs": 0, "san": 1, "uci": 1}
_BEGINNING: Final = re.compile(
    rb'\s*(?:\[\s*[^\s"\[\]]+\s+"|1\s*(?:[.]|\xef\xbc\x8e|\xe2\x80\xa6))'
)


class PgnFormat:
    """PGN in one of its two styles."""

    can_write = True
    is_text = True
    single = False
    suffixes = (".pgn",)

    def __init__(self, name: str, style: Style) -> None:
        self.name = name
        self.notations = tuple(style.notations)
        self._style = style

    def detects(self, head: bytes) -> bool:
        """Does it begin with a header, or with the first move?"""
        return _BEGINNING.match(head.removeprefix(b"\xef\xbb\xbf")) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        """Cut a file into its games; see :class:`~xiangqi.games.formats.base.Format`."""
        return split_games(LineReader(data, source))

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        """Read a game; see :class:`~xiangqi.games.formats.base.Format`."""
        return _build(read_game(cut), GameBuilder(source, number))

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one; raises FormatError for what PGN has no place for."""
        notation = choose_notation(self, options)
        assert notation is not None  # both styles have several
        for game in games:
            out.write(write_pgn(game, self._style, options, notation))


PGN: Final = PgnFormat("pgn", RED_BLACK)
WHITE_PGN: Final = PgnFormat("white-pgn", WHITE_BLACK)


def _build(raw: RawGame, builder: GameBuilder) -> Game:
    for text, reason in raw.faults:
        builder.add_error(text, reason)
    take_headers(raw.headers, builder)
    MovesReader(raw.words, builder, find_rank_base(raw.headers)).read()
    return builder.game


def find_rank_base(headers: Iterable[tuple[str, str]]) -> RankBase | None:
    """What ranks count from, as far as the header ``Format`` tells."""
    for name, value in headers:
        if name == "Format":
            return _RANK_BASES.get(value.lower())
    return None


def take_headers(headers: Iterable[tuple[str, str]], builder: GameBuilder) -> None:
    """Give a game its headers and its starting position; what is wrong becomes an error."""
    given: dict[str, str] = {}
    for name, value in headers:
        if given.setdefault(name, value) != value:
            builder.add_error(value, f"a second header {name!r}")
    own = builder.game.headers
    for name, value in given.items():
        if name == "FEN":
            if value.strip():
                builder.set_start(value)
        elif name.startswith("White"):
            red = f"Red{name.removeprefix('White')}"
            if red not in given:
                own[red] = value
            elif value != given[red]:
                own[name] = value
        elif value.lower() not in _OWN_FORM.get(name, ()):
            own[name] = value
