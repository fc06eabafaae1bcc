"""The headers of PGN: what they say of the file's own form, and what they say of the game.

Headers about the form (``Game``, ``Format``, ``Variant``, ``SetUp``) are left to the writer;
``FEN`` is the game's starting position. ``White`` becomes ``Red``, and so does every header that
begins with it, unless the game has both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from xiangqi.errors import quote
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.notation import RankBase

__all__ = ["NOT_XIANGQI", "find_other_game", "find_rank_base", "take_headers", "western_reason"]

NOT_XIANGQI: Final = "not Xiangqi"
"""How the reason begins for which a game is not read at all."""
_OWN_FORM: Final = {
    "Game": ("chinese chess", "xiangqi"),
    "Format": ("chinese", "wxf", "iccs", "san", "uci"),
    "Variant": ("xiangqi",),
    "SetUp": ("0", "1"),
}
_RANK_BASES: Final[dict[str, RankBase]] = {"iccs": 0, "san": 1, "uci": 1}
_XIANGQI: Final = ("", "?", "xiangqi", "cchess", "chinesechess")
"""Names of the game in the header ``Variant``, without case and blanks."""
_APART: Final = re.compile(r"[\W_]+")
_RANKS: Final = 10


def find_rank_base(headers: Iterable[tuple[str, str]]) -> RankBase | None:
    """The number of Red's back rank, as far as the header ``Format`` tells."""
    for name, value in headers:
        if name == "Format":
            return _RANK_BASES.get(value.lower())
    return None


def find_other_game(headers: Iterable[tuple[str, str]]) -> tuple[str, str] | None:
    """The value of a header by which the game is not Xiangqi, and the reason; None if it may be.

    A ``Variant`` in Chinese is taken for the name of an opening.
    """
    for name, value in headers:
        variant = _APART.sub("", value).lower()
        if name == "Variant" and value.isascii() and variant not in _XIANGQI:
            return value, f"{NOT_XIANGQI}: the header Variant is {quote(value)}"
        ranks = value.split(" ")[0].count("/") + 1
        if name == "FEN" and ranks == 8:
            return value, f"{NOT_XIANGQI}: the position has {ranks} ranks, expected {_RANKS}"
    return None


def western_reason(move: str) -> str:
    """Why a game with a move of western chess is not read."""
    return f"{NOT_XIANGQI}: {quote(move)} is a move of western chess"


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
