"""Drawings of boards, taken apart into what they say and where it stands."""

from __future__ import annotations

import re
from typing import Any, get_args
from xml.etree import ElementTree as ET

from xiangqi.drawing.arrows import EM
from xiangqi.drawing.svg import ArrowKind, board_svg
from xiangqi.pieces import Piece, parse_square
from xiangqi.pieces.fen import STARTING_FEN, Setup, parse_fen

NAMESPACE = "{http://www.w3.org/2000/svg}"
START = parse_fen(STARTING_FEN)
EMPTY = Setup(bytes(90))
KINDS: tuple[ArrowKind, ...] = get_args(ArrowKind)

DISC = 28  # the radius of a piece

Point = tuple[float, float]


def draw(setup: Setup = START, **options: Any) -> ET.Element:
    return ET.fromstring(board_svg(setup, **options))


def elements(root: ET.Element, tag: str) -> list[ET.Element]:
    return root.findall(f".//{NAMESPACE}{tag}")


def titled(root: ET.Element, title: str) -> ET.Element:
    """The group with this title."""
    found = [
        group
        for group in elements(root, "g")
        if group.findtext(f"{NAMESPACE}title", default="") == title
    ]
    assert len(found) == 1, title
    return found[0]


def titles(root: ET.Element) -> list[str]:
    return [element.text or "" for element in elements(root, "title")]


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in elements(root, "text")]


def outlines(root: ET.Element) -> list[ET.Element]:
    """The characters that are drawn, as outlines."""
    return [path for path in elements(root, "path") if "data-character" in path.attrib]


def characters(root: ET.Element) -> str:
    return "".join(outline.attrib["data-character"] for outline in outlines(root))


def place(outline: ET.Element) -> tuple[float, float, float]:
    """Middle of a character, and its height in units of the drawing."""
    x, y, scale = map(float, re.findall(r"-?[\d.]+", outline.attrib["transform"]))
    return x, y, scale * EM


def centre(piece: ET.Element) -> Point:
    """Point of a drawn piece: the middle of its face, not of its shadow."""
    circle = piece.findall(f"{NAMESPACE}circle")[-1]
    return float(circle.attrib["cx"]), float(circle.attrib["cy"])


def rook_at(name: str, **options: Any) -> Point:
    """Point at which a lonely red rook on a square is drawn."""
    setup = Setup.from_piece_map({parse_square(name): Piece.from_symbol("R")})
    return centre(titled(draw(setup, **options), f"red chariot on {name}"))


def box(rect: ET.Element) -> tuple[float, float, float, float]:
    """The left, upper, right and lower edges of a rectangle."""
    x, y = (float(rect.attrib.get(name, "0")) for name in ("x", "y"))
    return x, y, x + float(rect.attrib["width"]), y + float(rect.attrib["height"])


def points(path: str) -> list[Point]:
    """The points of the path of an arrow."""
    pairs = path.removeprefix("M").removesuffix("Z").split("L")
    return [(float(x), float(y)) for x, y in (pair.split() for pair in pairs)]
