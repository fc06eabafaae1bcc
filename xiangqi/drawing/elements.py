"""Points and SVG elements, with numbers written in few digits."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

__all__ = [
    "EM",
    "Point",
    "add",
    "add_glyph",
    "add_text",
    "add_title",
    "format_number",
    "glyph_path",
    "path",
    "towards",
]

_DATA: Final = "glyphs.json"

EM: Final = 360
"""The side of a glyph's square, in units of its outline; the origin is the square's middle."""


def glyph_path(character: str) -> str:
    """The SVG path data of a character; KeyError if it is on no piece and not in the river.

    >>> glyph_path("車")[0]
    'm'
    """
    return _outlines()[character]


@lru_cache(maxsize=1)
def _outlines() -> dict[str, str]:
    text = resources.files("xiangqi.drawing").joinpath(_DATA).read_text(encoding="utf-8")
    outlines: dict[str, str] = json.loads(text)["paths"]
    return outlines


_CAP_HEIGHT: Final = 0.36
"""Distance of the baseline below the middle of a text, as a part of the font size."""


class Point(NamedTuple):
    """A point of a drawing: x grows to the right, y downwards."""

    x: float
    y: float


def add(parent: ET.Element, tag: str, **attributes: str | float) -> ET.Element:
    """Add an element; an attribute such as ``stroke-width`` is given as ``stroke_width``."""
    named = {name.replace("_", "-"): format_number(value) for name, value in attributes.items()}
    return ET.SubElement(parent, tag, named)


def add_text(parent: ET.Element, at: Point, text: str, size: float, fill: str) -> ET.Element:
    """Add a text with its middle at a point."""
    # `dominant-baseline: central` is not understood everywhere, so the base line is computed.
    y = at.y + _CAP_HEIGHT * size
    element = add(parent, "text", x=at.x, y=y, font_size=size, fill=fill)
    element.text = text
    return element


def add_glyph(parent: ET.Element, at: Point, character: str, size: float, fill: str) -> ET.Element:
    """Add a Chinese character as an outline, with the middle of its square at a point."""
    transform = f"translate({format_number(at.x)} {format_number(at.y)}) scale({size / EM:.4f})"
    attributes = {"data-character": character, "transform": transform}
    return ET.SubElement(parent, "path", {**attributes, "fill": fill, "d": glyph_path(character)})


def add_title(parent: ET.Element, title: str) -> None:
    """Give an element a title: a tooltip, and words for screen readers."""
    add(parent, "title").text = title


def format_number(value: str | float) -> str:
    """Write a number with at most two decimals; leave a text as it is.

    >>> format_number(1.5), format_number(3.0), format_number("none")
    ('1.5', '3', 'none')
    """
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".")


def path(*points: Point) -> str:
    """Give the path data of an open line through points."""
    return "M" + "L".join(f"{format_number(x)} {format_number(y)}" for x, y in points)


def towards(point: Point, goal: Point, distance: float) -> Point:
    """Give the point at a distance from a point, on the way to another."""
    part = distance / math.dist(point, goal)
    return Point(point.x + part * (goal.x - point.x), point.y + part * (goal.y - point.y))
