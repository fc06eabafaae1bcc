"""Pieces in drawings: their characters or letters, and the numbers of the files."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.support.svg import (
    DISC,
    EMPTY,
    START,
    Point,
    centre,
    characters,
    draw,
    elements,
    outlines,
    place,
    texts,
    titled,
    titles,
)
from xiangqi.drawing.arrows import EM, glyph_path
from xiangqi.drawing.svg import FILE_NUMERALS, View, board_svg, draw_file_numbers
from xiangqi.pieces import BLACK, RED, Color, square_name


def test_every_piece_has_its_title_and_its_character() -> None:
    root = draw()
    expected = [f"{piece.name()} on {square_name(sq)}" for sq, piece in START.piece_map().items()]
    assert titles(root) == expected
    assert len(expected) == 32
    general = titled(root, "black general on e9")
    assert characters(general) == "將"
    assert characters(titled(root, "red chariot on a0")) == "俥"


def test_an_empty_board_has_no_pieces() -> None:
    root = draw(EMPTY)
    assert not titles(root)
    assert not elements(root, "circle")


def test_the_two_sides_differ_in_more_than_color() -> None:
    root = draw()
    pairs = [("red general on e0", "black general on e9"), ("red horse on b0", "black horse on b9")]
    for red, black in pairs:
        assert characters(titled(root, red)) != characters(titled(root, black))


@pytest.mark.parametrize("piece", ["red general on e0", "black general on e9"])
def test_the_ink_of_a_piece_is_red_or_dark(piece: str) -> None:
    (outline,) = outlines(titled(draw(), piece))
    red, green, blue = bytes.fromhex(outline.attrib["fill"].removeprefix("#"))
    assert (red > 2 * max(green, blue)) == piece.startswith("red")
    assert max(green, blue) < 64


def test_the_character_stands_in_the_middle_of_its_piece() -> None:
    group = titled(draw(), "red horse on h0")
    (outline,) = outlines(group)
    x, y, size = place(outline)
    assert (x, y) == centre(group)
    assert size / 2 * math.sqrt(2) < DISC, "its square fits into the piece"


def test_a_letter_stands_in_the_middle_of_its_piece() -> None:
    group = titled(draw(lettering="letters"), "red horse on h0")
    (text,) = elements(group, "text")
    x, y = centre(group)
    size = float(text.attrib["font-size"])
    assert text.attrib["text-anchor"] == "middle"
    assert float(text.attrib["x"]) == x
    assert 0.3 * size < float(text.attrib["y"]) - y < 0.4 * size


def outline_points(data: str) -> list[Point]:
    """The points of an outline in relative commands, control points included."""
    at, start, found = (0.0, 0.0), (0.0, 0.0), []
    for command, text in re.findall(r"([mlhvcz])([^mlhvcz]*)", data):
        values = [float(value) for value in re.findall(r"-?\d+", text)]
        if command == "h":
            values.append(0)
        elif command == "v":
            values.insert(0, 0)
        steps = list(zip(values[::2], values[1::2], strict=True))
        found += [(at[0] + x, at[1] + y) for x, y in steps]
        at = start if command == "z" else found[-1]
        start = at if command == "m" else start
    return found


@pytest.mark.parametrize("character", sorted({*"帥仕相傌俥炮兵將士象馬車砲卒楚河漢界帅马车将汉"}))
def test_an_outline_fills_its_square(character: str) -> None:
    """It reaches from edge to edge, less a margin, and its middle is near the square's."""
    data = glyph_path(character)
    assert re.fullmatch(r"([mlhvc]-?\d+([ -]-?\d+)*|z)+", data)
    assert data.startswith("m")
    assert data.endswith("z")
    for values in zip(*outline_points(data), strict=True):
        low, high = min(values), max(values)
        assert -0.52 * EM < low < high < 0.52 * EM, "control points may lie outside"
        assert high - low > 0.75 * EM
        assert abs(high + low) / 2 < 0.06 * EM


@pytest.mark.parametrize(
    ("lettering", "general", "river"),
    [("traditional", "將", "楚河漢界"), ("simplified", "将", "楚河汉界"), ("letters", "k", "")],
)
def test_lettering(lettering: Any, general: str, river: str) -> None:
    root = draw(lettering=lettering, coordinates=False)
    words = characters(root) or "".join(texts(root))
    piece = titled(root, "black general on e9")
    assert (characters(piece) or "".join(texts(piece))) == general
    assert words.startswith(river)
    assert len(words) == len(river) + 32


@pytest.mark.parametrize("lettering", ["traditional", "simplified"])
def test_characters_need_no_font(lettering: Any) -> None:
    """Only the names of files and ranks are text."""
    assert "".join(texts(draw(lettering=lettering))).isascii()
    assert not texts(draw(lettering=lettering, coordinates=False))


@pytest.mark.parametrize("orientation", [RED, BLACK])
@pytest.mark.parametrize("chinese", [True, False])
def test_files_are_numbered_from_the_right_of_either_side(
    orientation: Color, chinese: bool
) -> None:
    root = ET.Element("svg")
    draw_file_numbers(root, View.with_labels(orientation), chinese=chinese)
    rows: dict[float, list[tuple[float, str]]] = {}
    for label in root[0]:
        if label.tag == "path":
            x, y = map(float, re.findall(r"[\d.]+", label.get("transform", ""))[:2])
            y += 0.36 * 15  # where the base line of a figure would be
        else:
            x, y = float(label.get("x", "")), float(label.get("y", ""))
        name = label.get("data-character") or label.text or ""
        rows.setdefault(round(y / 20), []).append((x, name))
    above, below = ("".join(name for _, name in sorted(rows[y])) for y in sorted(rows))
    red = FILE_NUMERALS if chinese else "123456789"
    own, other = (red, "123456789") if orientation == RED else ("123456789", red)
    assert (above, below) == (other, own[::-1])


def test_letters_are_no_characters() -> None:
    assert board_svg(START, lettering="letters").isascii()
