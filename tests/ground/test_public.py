"""Public names: complete, lazily imported, and with the modules of python-chess."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable

import pytest

import xiangqi
from xiangqi import E2, H2, Board, Move, public, svg
from xiangqi.drawing.svg import board_svg


def loaded_by(program: str) -> set[str]:
    """Modules of the package that a program imports."""
    code = f"{program}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split() if name.startswith("xiangqi")}


def test_every_public_name_is_found_where_the_table_says() -> None:
    assert len(public.__all__) == len(set(public.__all__)) > 150
    for name in public.__all__:
        assert getattr(xiangqi, name) is getattr(public, name)
    assert set(public.__all__) <= set(dir(xiangqi))


def test_a_board_loads_no_more_than_it_needs() -> None:
    modules = loaded_by("from xiangqi import Board; Board().push_iccs('h2e2')")
    assert "xiangqi.board.board" in modules
    for part in ("words", "engine", "client", "games", "drawing", "notation", "referee.judging"):
        assert f"xiangqi.{part}" not in modules
    assert not {name for name in modules if name.startswith("xiangqi.referee.cxa")}


@pytest.mark.parametrize("name", ["engine", "pgn", "svg"])
def test_modules_of_python_chess_are_there_at_once(name: str) -> None:
    assert f"xiangqi.{name}" in loaded_by(f"import xiangqi; xiangqi.{name}")


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'xiangqi' has no attribute 'nonsense'"):
        getattr(xiangqi, "nonsense")  # noqa: B009


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        ("pgn", "read_game", "read_games(file)"),
        ("pgn", "StringExporter", "str(game)"),
        ("engine", "SimpleEngine", "it is xiangqi.SimpleEngine"),
        ("engine", "EngineTerminatedError", "it is xiangqi.EngineTerminatedError"),
        ("engine", "popen_uci", "await xiangqi.open_engine(command)"),
    ],
)
def test_a_missing_name_of_python_chess_says_what_to_use(module: str, name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(importlib.import_module(f"xiangqi.{module}"), name)
    assert name in str(caught.value)
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize("call", [lambda: Move.from_uci("h2e2"), lambda: Move(0, 9).uci()])
def test_moves_in_uci_name_the_methods_for_either_count(call: Callable[[], object]) -> None:
    with pytest.raises(AttributeError, match=r"Move\.from_iccs.* from 1: parse_coordinates"):
        call()


@pytest.mark.parametrize(
    "method", ["push", "is_legal", "is_pseudo_legal", "gives_check", "is_capture"]
)
def test_a_text_in_place_of_a_move_is_quoted(method: str) -> None:
    board = Board()
    with pytest.raises(TypeError) as caught:
        getattr(board, method)("h9g7")
    assert str(caught.value).startswith(f"{method}('h9g7'): expected a Move; Move.from_iccs(text)")
    assert board == Board()


def test_a_position_is_drawn_as_python_chess_does() -> None:
    board = Board()
    move = board.push_iccs("h2e2")
    drawn = svg.board(board, lastmove=move, arrows=[(H2, E2)], size=300)
    assert drawn == drawn._repr_svg_()
    arrow = svg.Arrow(H2, E2)
    assert drawn == board_svg(board.setup(), lastmove=(H2, E2), arrows=[arrow], size=300)
    assert svg.board() == board_svg(Board().setup())
