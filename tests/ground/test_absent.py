"""Names of python-chess: each is there, or its absence says what to use instead."""

from __future__ import annotations

import pydoc
import re
from importlib import import_module
from types import ModuleType
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.svg
import pytest

import xiangqi
from xiangqi import Board, Move, SquareSet, engine, pgn, svg
from xiangqi.games import Game, GameNode
from xiangqi.ground.errors.absent import _HINTS, CHESS_ONLY, find_hint

COUNTERPARTS: list[tuple[str, object, object]] = [
    ("chess.Board", chess.Board, Board()),
    ("chess.Board", chess.Board, Board),
    ("chess.Move", chess.Move, Move(0, 9)),
    ("chess.SquareSet", chess.SquareSet, SquareSet()),
    ("chess.SquareSet", chess.SquareSet, SquareSet),
    ("chess", chess, xiangqi),
    ("chess.engine", chess.engine, engine),
    ("chess.pgn", chess.pgn, pgn),
    ("chess.svg", chess.svg, svg),
    ("chess.pgn.Game", chess.pgn.Game, Game()),
    ("chess.pgn.GameNode", chess.pgn.ChildNode, GameNode()),
]


def public_names(theirs: object) -> list[str]:
    """Public names, of a module without those that it imports from elsewhere."""
    names = [name for name in dir(theirs) if not name.startswith("_")]
    if not isinstance(theirs, ModuleType):
        return names
    homes = {name: getattr(getattr(theirs, name), "__module__", theirs.__name__) for name in names}
    return [
        name
        for name in names
        if homes[name] == theirs.__name__ and not isinstance(getattr(theirs, name), ModuleType)
    ]


NAMES = [
    (owner, ours, name) for owner, theirs, ours in COUNTERPARTS for name in public_names(theirs)
]


def test_all_names_of_python_chess_are_in_the_table() -> None:
    counts = {owner: len(public_names(theirs)) for owner, theirs, _ in COUNTERPARTS}
    assert counts["chess.Board"] > 100
    assert counts["chess"] > 200
    assert len(NAMES) > 700


@pytest.mark.parametrize(
    ("owner", "ours", "name"),
    NAMES,
    ids=[
        f"{owner}-{'class' if isinstance(ours, type) else 'object'}-{name}"
        for owner, ours, name in NAMES
    ],
)
def test_a_name_of_python_chess_is_there_or_has_a_hint(owner: str, ours: Any, name: str) -> None:
    if not hasattr(ours, name):
        hint = find_hint(owner, name)
        assert hint
        with pytest.raises(AttributeError, match=re.escape(f"no attribute {name!r}: {hint}")):
            getattr(ours, name)


def test_names_that_chess_alone_needs_share_a_sentence() -> None:
    for name in "castling_rights ep_square promoted is_en_passant uci_variant drop_moves".split():
        with pytest.raises(AttributeError, match=CHESS_ONLY):
            getattr(Board(), name)
    for name in ("promotion", "drop"):
        with pytest.raises(AttributeError, match=CHESS_ONLY):
            getattr(Move(0, 9), name)
    with pytest.raises(AttributeError, match="no side may pass"):
        Move.null()


def test_hints_name_what_exists() -> None:
    """Each of our modules and names that a hint mentions."""
    found = {
        word
        for hints in _HINTS.values()
        for hint in hints.values()
        for word in re.findall(r"xiangqi\.[\w.]*\w", hint)
    }
    assert len(found) > 15
    for word in found:
        owner, _, name = word.rpartition(".")
        try:
            import_module(word)
        except ImportError:
            assert hasattr(import_module(owner), name), word


def test_an_unknown_name_has_no_hint() -> None:
    for ours in (
        Board(),
        Board,
        Move(0, 9),
        SquareSet(),
        Game(),
        GameNode(),
        xiangqi,
        engine,
        pgn,
        svg,
    ):
        with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
            getattr(ours, "nonsense")  # noqa: B009


def test_the_help_begins_with_lines_that_lead_on() -> None:
    lines = pydoc.plain(pydoc.render_doc(xiangqi)).splitlines()
    begin = lines.index("DESCRIPTION") + 1
    first = " ".join(lines[begin : begin + 10])
    for word in ("Board", "Game", "Referee", "Meihua", "open_engine", "docs/python.md"):
        assert word in first
    for name in re.findall(r"help\((xiangqi[.\w]*)\)", first):
        assert pydoc.locate(name) is not None, name
