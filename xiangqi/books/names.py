"""Names of openings, with codes of ECCO, by the first moves of a game.

>>> from xiangqi.board import Board
>>> board = Board()
>>> for move in "h2e2 h9g7 h0g2 b9c7".split():
...     _ = board.push_iccs(move)
>>> name_opening(board.move_stack).describe("en")
'C Central cannon against the screen horses'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import islice
from typing import Final, NamedTuple

from xiangqi.core.move import Move
from xiangqi.games.tree import Game
from xiangqi.pieces import square_name
from xiangqi.pieces.fen import STARTING_FEN, parse_fen

__all__ = ["NAMED_PLIES", "Opening", "add_opening_headers", "list_openings", "name_opening"]

NAMED_PLIES: Final = 20
"""Number of plies from the starting position that determine the name."""
_FULL_CODE: Final = 3
"""Length of a code that is no chapter or section."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Opening with its code and its names."""

    code: str
    """Code of ECCO, such as ``C40``; a letter is a chapter, a letter and a digit a section."""
    chinese: str
    english: str
    vietnamese: str

    def name(self, language: str) -> str:
        """Name in a language: Chinese for ``zh``, Vietnamese for ``vi``, otherwise English."""
        return {"zh": self.chinese, "vi": self.vietnamese}.get(language, self.english)

    def describe(self, language: str) -> str:
        return f"{self.code} {self.name(language)}"


class _Row(NamedTuple):
    opening: Opening
    conditions: tuple[str, ...]


def name_opening(moves: Iterable[Move]) -> Opening | None:
    """Name the opening of a game from the starting position; None if it has no name."""
    line = [move.iccs() for move in islice(moves, NAMED_PLIES)]
    mirrored = [move.mirror().iccs() for move in map(Move.from_iccs, line)]
    histories = [_events(line), _events(mirrored)]
    for row in reversed(_rows()):
        if any(all(_holds(one, events) for one in row.conditions) for events in histories):
            return row.opening
    return None


def list_openings() -> list[Opening]:
    """List the openings that have names, the more special ones later."""
    return list(dict.fromkeys(row.opening for row in _rows()))


def add_opening_headers(game: Game, language: str) -> None:
    """Add the headers ``ECCO`` and ``Opening`` to a game that has neither.

    A game with another starting position, and one without a name, stay as they are.
    """
    if game.fen.split()[:2] != STARTING_FEN.split()[:2] or {"ECCO", "Opening"} & {*game.headers}:
        return
    found = name_opening(game.moves())
    if found is None:
        return
    if len(found.code) == _FULL_CODE:
        game.headers["ECCO"] = found.code
    game.headers["Opening"] = found.name(language)


def _events(line: Sequence[str]) -> dict[str, int]:
    """First ply of each event of a line: a ply, a piece on a square, a move of a piece."""
    cells = dict(_start())
    found: dict[str, int] = {}
    for ply, move in enumerate(line):
        letter = cells.pop(move[:2])
        cells[move[2:]] = letter
        for event in (f"{ply + 1}.{move}", letter + move[2:], letter + move):
            found.setdefault(event, ply)
    return found


@lru_cache(maxsize=1)
def _start() -> dict[str, str]:
    """Letters of the pieces by square, in the starting position."""
    pieces = parse_fen(STARTING_FEN).piece_map()
    return {square_name(square): piece.symbol() for square, piece in pieces.items()}


def _holds(condition: str, events: dict[str, int]) -> bool:
    if condition.startswith("!"):
        return not _holds(condition[1:], events)
    first, _, second = condition.partition("<")
    if second:
        return first in events and second in events and events[first] < events[second]
    return first in events


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    text = resources.files("xiangqi.books").joinpath("openings.txt").read_text("utf-8")
    rows = []
    defined: dict[str, list[str]] = {}
    for line in text.splitlines():
        if "|" in line and not line.startswith("#"):
            code, conditions, *names = (part.strip() for part in line.split("|"))
            words = [one for word in conditions.split() for one in defined.get(word, [word])]
            rows.append(_Row(Opening(code, *names), tuple(words)))
        elif " = " in line:
            name, meaning = line.split(" = ")
            defined[name] = meaning.split()
    return tuple(rows)
