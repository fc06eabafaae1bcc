"""Elements of SVG, and arrows on a board.

The kinds of arrows differ in colour, dashes and head, so that each of the three is enough:

* a move: a solid line and a filled head;
* an attack that is no chase: a thin line of short dashes and an open head;
* a protection: dots that end in a filled disc;
* a false protection: wide dots that end in an empty disc with a bar across;
* a chase: dashes and a filled head;
* a check: dash and dot, and two filled heads in a row.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from xiangqi.pieces.arrows import ArrowKind

__all__ = [
    "BASE",
    "EM",
    "START",
    "Point",
    "add",
    "add_glyph",
    "add_text",
    "add_title",
    "draw_arrow",
    "draw_head",
    "draw_ring",
    "draw_shaft",
    "format_number",
    "glyph_path",
    "path",
    "towards",
]

EM: Final = 360
"""Em size of the glyphs, in units of their outlines; the origin is the centre of the em square."""


def glyph_path(character: str) -> str:
    """SVG path data of a character. Raises KeyError for one that no board or piece has.

    >>> glyph_path("車")[0]
    'm'
    """
    return _outlines()[character]


@lru_cache(maxsize=1)
def _outlines() -> dict[str, str]:
    text = resources.files("xiangqi.drawing").joinpath("glyphs.json").read_text(encoding="utf-8")
    outlines: dict[str, str] = json.loads(text)["paths"]
    return outlines


_CAP_HEIGHT: Final = 0.36
"""Distance of the baseline below the middle of a text, as a fraction of the font size."""


class Point(NamedTuple):
    """A point of a drawing: x grows to the right, y downwards."""

    x: float
    y: float


def add(parent: ET.Element, tag: str, **attributes: str | float) -> ET.Element:
    """Add an element; the attribute ``stroke-width`` is passed as ``stroke_width``."""
    named = {name.replace("_", "-"): format_number(value) for name, value in attributes.items()}
    return ET.SubElement(parent, tag, named)


def add_text(parent: ET.Element, at: Point, text: str, size: float, fill: str) -> ET.Element:
    """Add a text, vertically centred at a point."""
    # `dominant-baseline: central` is not supported everywhere, so the baseline is computed.
    y = at.y + _CAP_HEIGHT * size
    element = add(parent, "text", x=at.x, y=y, font_size=size, fill=fill)
    element.text = text
    return element


def add_glyph(parent: ET.Element, at: Point, character: str, size: float, fill: str) -> ET.Element:
    """Add a Chinese character as an outline, centred at a point."""
    transform = f"translate({format_number(at.x)} {format_number(at.y)}) scale({size / EM:.4f})"
    attributes = {"data-character": character, "transform": transform}
    return ET.SubElement(parent, "path", {**attributes, "fill": fill, "d": glyph_path(character)})


def add_title(parent: ET.Element, title: str) -> None:
    """Add a title to an element, for tooltips and screen readers."""
    add(parent, "title").text = title


def format_number(value: str | float) -> str:
    """Format a number with at most two decimals; return a text unchanged.

    >>> format_number(1.5), format_number(3.0), format_number("none")
    ('1.5', '3', 'none')
    """
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".")


def path(*points: Point) -> str:
    """SVG path data of an open polyline."""
    return "M" + "L".join(f"{format_number(x)} {format_number(y)}" for x, y in points)


def towards(point: Point, goal: Point, distance: float) -> Point:
    """Point at a distance from a point in the direction of another."""
    ratio = distance / math.dist(point, goal)
    return Point(point.x + ratio * (goal.x - point.x), point.y + ratio * (goal.y - point.y))


class _Stroke(NamedTuple):
    color: str
    dashes: str
    cap: str = "butt"
    width: float = 6


_STROKES: Final[dict[ArrowKind, _Stroke]] = {
    "move": _Stroke("#1d62a8", "none"),
    "attack": _Stroke("#4d5560", "5 4", width=3),
    "protection": _Stroke("#17803d", "0.1 9", "round"),
    "false_protection": _Stroke("#8a6100", "0.1 15", "round"),
    "chase": _Stroke("#7a2e9e", "10 6"),
    "check": _Stroke("#d3121f", "16 4 4 4"),
}
_CASING: Final = "#fffaf0"

# Distances from the centres of the squares, in units of the drawing

START: Final = 18.0
"""Distance from the tail's square to the start of the shaft."""
BASE: Final = 37.0
"""Distance from the head's square to the end of the shaft, where the head begins."""
_END: Final = 17.0
"""Distance from the head's square to the tip, which covers no character."""
_HALF_WIDTH: Final = 11.0
_SECOND_HEAD: Final = 13.0
_CASING_WIDTH: Final = 3.0
"""Additional width of the light casing under the line."""


def draw_arrow(group: ET.Element, tail: Point, head: Point, kind: ArrowKind) -> None:
    """Draw an arrow between two points."""
    draw_shaft(group, path(towards(tail, head, START), towards(head, tail, BASE)), kind)
    draw_head(group, tail, head, kind)


def draw_shaft(group: ET.Element, line: str, kind: ArrowKind) -> None:
    """Draw the line of an arrow over a wider, light casing."""
    add(group, "path", d=line, **_casing(kind), stroke_linecap="round")
    add(group, "path", d=line, **_dashed(kind))


def draw_head(group: ET.Element, tail: Point, head: Point, kind: ArrowKind) -> None:
    """Draw the head of an arrow from ``tail`` to ``head``."""
    color = _STROKES[kind].color
    base, end = towards(head, tail, BASE), towards(head, tail, _END)
    if kind == "attack":
        across = _across(base, end, _HALF_WIDTH - 2)
        lines = path(_plus(base, across, 1), end, _plus(base, across, -1)) + path(base, end)
        for stroke, width in ((_CASING, 6), (color, 3)):
            add(group, "path", d=lines, fill="none", stroke=stroke, stroke_width=width)
    elif kind == "protection":
        _add_disc(group, towards(head, tail, (BASE + _END) / 2), color, color)
    elif kind == "false_protection":
        middle = Point((base.x + end.x) / 2, (base.y + end.y) / 2)
        _add_disc(group, middle, _CASING, color)
        across = _across(base, end, _HALF_WIDTH + 3)
        bar = path(_plus(middle, across, 1), _plus(middle, across, -1))
        add(group, "path", d=bar, stroke=color, stroke_width=4)
    else:
        if kind == "check":
            behind = towards(base, tail, _SECOND_HEAD)
            _add_tip(group, behind, towards(end, tail, _SECOND_HEAD), color)
        _add_tip(group, base, end, color)


def draw_ring(group: ET.Element, centre: Point, radius: float, kind: ArrowKind) -> None:
    """Draw a ring, the arrow from a square to itself."""
    x, y = centre
    add(group, "circle", cx=x, cy=y, r=radius, **_casing(kind))
    add(group, "circle", cx=x, cy=y, r=radius, **_dashed(kind))


def _add_tip(group: ET.Element, base: Point, end: Point, color: str) -> None:
    """Add a filled arrowhead."""
    across = _across(base, end, _HALF_WIDTH)
    triangle = path(_plus(base, across, 1), end, _plus(base, across, -1)) + "Z"
    add(group, "path", d=triangle, fill=color, stroke=_CASING, stroke_width=1.5)


def _add_disc(group: ET.Element, middle: Point, fill: str, edge: str) -> None:
    x, y = middle
    add(group, "circle", cx=x, cy=y, r=_HALF_WIDTH + 1, fill=_CASING)
    add(group, "circle", cx=x, cy=y, r=_HALF_WIDTH - 2, fill=fill, stroke=edge, stroke_width=4)


def _across(base: Point, end: Point, length: float) -> Point:
    """Vector of a length, at right angles to the line from base to end."""
    ratio = length / math.dist(base, end)
    return Point(ratio * (base.y - end.y), ratio * (end.x - base.x))


def _plus(point: Point, step: Point, times: int) -> Point:
    return Point(point.x + times * step.x, point.y + times * step.y)


def _casing(kind: ArrowKind) -> dict[str, str | float]:
    return {"stroke": _CASING, "stroke_width": _STROKES[kind].width + _CASING_WIDTH}


def _dashed(kind: ArrowKind) -> dict[str, str | float]:
    stroke = _STROKES[kind]
    return {
        "stroke": stroke.color,
        "stroke_width": stroke.width,
        "stroke_dasharray": stroke.dashes,
        "stroke_linecap": stroke.cap,
    }
