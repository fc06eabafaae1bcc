"""Drawings of the board as SVG, for notebooks, reports and web pages.

A drawing stands for itself: it brings its own background, so that it can be read on light and
dark pages, and has neither ids nor style sheets, so that many can stand inside one page. The same
arguments always give the same text. Coordinates follow SVG: x grows to the right, y downwards.

Colour is never the only sign. The pieces of the two sides carry different characters, and kinds
of arrows have dashes of their own. Pieces and arrows have titles, which browsers show as tooltips
and screen readers can read out. As in ``chess.svg`` of python-chess the tree of elements is built
with the standard library, which escapes all that must be escaped.

>>> from xiangqi.fen import STARTING_FEN, parse_fen
>>> drawing = board_svg(parse_fen(STARTING_FEN), size=300)
>>> drawing[:47]
'<svg xmlns="http://www.w3.org/2000/svg" version'
>>> drawing.count("<title>")
32
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args
from xml.etree import ElementTree as ET

from xiangqi.errors import quote
from xiangqi.fen import Setup, format_fen
from xiangqi.pieces import (
    COLOR_NAMES,
    FILE_NAMES,
    RANK_NAMES,
    RED,
    SQUARES,
    Color,
    Piece,
    Square,
    parse_square,
    square_file,
    square_name,
    square_rank,
)

__all__ = ["Arrow", "ArrowKind", "Lettering", "board_svg"]

ArrowKind: TypeAlias = Literal["move", "check", "chase", "protection"]
Lettering: TypeAlias = Literal["traditional", "simplified", "letters"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from one square to another, or a ring if both are the same.

    >>> Arrow(tail=0, head=9, kind="chase")
    Arrow(tail=0, head=9, kind='chase')
    """

    tail: Square
    head: Square
    kind: ArrowKind = "move"

    def __post_init__(self) -> None:
        if self.kind not in get_args(ArrowKind):
            kinds = ", ".join(get_args(ArrowKind))
            raise ValueError(f"invalid kind of arrow {quote(self.kind)}: expected one of {kinds}")


# Measures, in units of the drawing

_CELL: Final = 64.0
_MARGIN: Final = 42.0
_LABEL_ROOM: Final = 20.0
_FRAME_GAP: Final = 6.0
_DISC: Final = 28.0
_FONT_SIZE: Final = 30.0
_CAP_HEIGHT: Final = 0.36
"""How far below the middle a line of text has its base, as a part of the font size."""

# Colours and fonts

_GROUND: Final = "#e3bf86"
_PAPER: Final = "#f2dcb0"
_INK: Final = "#6b4423"
_RIM: Final = "#c99a55"
_RIM_EDGE: Final = "#7d5527"
_FACE: Final = "#fdf4e0"
_RED_INK: Final = "#b01c1c"
_BLACK_INK: Final = "#20242b"
_LAST_MOVE: Final = "#1d62a8"
_ALARM: Final = "#d3121f"
_CASING: Final = "#fffaf0"

_PIECE_FONTS: Final = (
    "'Kaiti TC', 'Kaiti SC', STKaiti, KaiTi, BiauKai, DFKai-SB, 'AR PL UKai TW', 'TW-Kai', "
    "'Noto Serif CJK TC', 'Noto Serif TC', 'Source Han Serif TC', 'Songti TC', PMingLiU, SimSun, "
    "'Noto Sans CJK TC', 'Noto Sans TC', 'PingFang TC', 'Microsoft JhengHei', "
    "'Microsoft YaHei', 'WenQuanYi Zen Hei', serif"
)
_LABEL_FONTS: Final = "'Helvetica Neue', Helvetica, Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"

# Where cannons and pawns start

_MARKED_SQUARES: Final = tuple(
    parse_square(file + rank)
    for files, ranks in (("bh", "27"), ("acegi", "36"))
    for file in files
    for rank in ranks
)


class _Stroke(NamedTuple):
    color: str
    dashes: str
    cap: str


_ARROW_STROKES: Final[dict[ArrowKind, _Stroke]] = {
    "move": _Stroke("#1d62a8", "none", "butt"),
    "check": _Stroke("#d3121f", "16 4 4 4", "butt"),
    "chase": _Stroke("#7a2e9e", "10 6", "butt"),
    "protection": _Stroke("#17803d", "0.1 9", "round"),
}


class _Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _View:
    """Where things are: the drawing as seen by one side."""

    orientation: Color
    margin: float

    @property
    def width(self) -> float:
        return 8 * _CELL + 2 * self.margin

    @property
    def height(self) -> float:
        return 9 * _CELL + 2 * self.margin

    def place(self, column: float, row: float) -> _Point:
        """Give the point of a column and a row, counted from the upper left corner."""
        return _Point(self.margin + column * _CELL, self.margin + row * _CELL)

    def column(self, file: int) -> int:
        return file if self.orientation == RED else 8 - file

    def row(self, rank: int) -> int:
        return 9 - rank if self.orientation == RED else rank

    def centre(self, square: Square) -> _Point:
        if square not in SQUARES:
            raise ValueError(f"invalid square {quote(square)}: expected 0 to {SQUARES[-1]}")
        return self.place(self.column(square_file(square)), self.row(square_rank(square)))


def board_svg(
    setup: Setup,
    *,
    size: int | None = 480,
    orientation: Color = RED,
    lastmove: tuple[Square, Square] | None = None,
    arrows: Iterable[Arrow] = (),
    check: Square | None = None,
    coordinates: bool = True,
    lettering: Lettering = "traditional",
) -> str:
    """Draw a position.

    *size* is the width in pixels; None leaves it to the page. *orientation* is the side that sits
    below. *lastmove* marks two squares by brackets, *check* gives the king on a square a red halo.
    The characters on the pieces are those of *lettering*; ``"letters"`` needs no Chinese font.
    """
    view = _View(orientation, _MARGIN + _LABEL_ROOM if coordinates else _MARGIN)
    root = _make_root(view, setup, size)
    _draw_ground(root, view)
    _draw_lines(root, view)
    _draw_river(root, view, lettering)
    if coordinates:
        _draw_coordinates(root, view)
    if check is not None:
        _draw_check(root, view.centre(check))
    for square, piece in setup.piece_map().items():
        _draw_piece(root, view, square, piece, lettering)
    for square in lastmove or ():
        _draw_brackets(root, view.centre(square))
    for arrow in arrows:
        _draw_arrow(root, view, arrow)
    return ET.tostring(root, encoding="unicode")


# Elements


def _add(parent: ET.Element, tag: str, **attributes: str | float) -> ET.Element:
    """Add an element; an attribute such as ``stroke-width`` is given as ``stroke_width``."""
    named = {name.replace("_", "-"): _format(value) for name, value in attributes.items()}
    return ET.SubElement(parent, tag, named)


def _add_text(parent: ET.Element, at: _Point, text: str, size: float, fill: str) -> ET.Element:
    """Add a text with its middle at a point."""
    # `dominant-baseline: central` is not understood everywhere, so the base line is computed.
    y = at.y + _CAP_HEIGHT * size
    element = _add(parent, "text", x=at.x, y=y, font_size=size, fill=fill)
    element.text = text
    return element


def _add_title(parent: ET.Element, title: str) -> None:
    _add(parent, "title").text = title


def _format(value: str | float) -> str:
    """Write a number with at most two decimals; leave a text as it is."""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _path(*points: _Point) -> str:
    """Give the path data of an open line through points."""
    return "M" + "L".join(f"{_format(x)} {_format(y)}" for x, y in points)


def _make_root(view: _View, setup: Setup, size: int | None) -> ET.Element:
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "version": "1.1",
        "viewBox": f"0 0 {_format(view.width)} {_format(view.height)}",
    }
    if size is not None:
        attributes["width"] = str(size)
        attributes["height"] = str(round(size * view.height / view.width))
    attributes["aria-label"] = f"Xiangqi position, {COLOR_NAMES[setup.turn]} to move"
    root = ET.Element("svg", attributes)
    _add(root, "desc").text = format_fen(setup)
    return root


# The board


def _draw_ground(root: ET.Element, view: _View) -> None:
    _add(root, "rect", width=view.width, height=view.height, rx=10, fill=_GROUND)
    corner, far = view.place(0, 0), view.place(8, 9)
    width, height = far.x - corner.x, far.y - corner.y
    _add(root, "rect", x=corner.x, y=corner.y, width=width, height=height, fill=_PAPER)
    _add(
        root,
        "rect",
        x=corner.x - _FRAME_GAP,
        y=corner.y - _FRAME_GAP,
        width=width + 2 * _FRAME_GAP,
        height=height + 2 * _FRAME_GAP,
        fill="none",
        stroke=_INK,
        stroke_width=3,
    )


def _draw_lines(root: ET.Element, view: _View) -> None:
    lines = [_path(view.place(0, row), view.place(8, row)) for row in range(10)]
    lines += [_path(view.place(column, 0), view.place(column, 9)) for column in (0, 8)]
    for column in range(1, 8):
        lines.append(_path(view.place(column, 0), view.place(column, 4)))
        lines.append(_path(view.place(column, 5), view.place(column, 9)))
    for row in (0, 7):
        lines.append(_path(view.place(3, row), view.place(5, row + 2)))
        lines.append(_path(view.place(5, row), view.place(3, row + 2)))
    for square in _MARKED_SQUARES:
        lines += _corner_marks(view, square)
    _add(root, "path", d="".join(lines), fill="none", stroke=_INK, stroke_width=1.4)


def _corner_marks(view: _View, square: Square) -> list[str]:
    """Give the angles around a starting point of a cannon or a pawn, as far as on the board."""
    gap, arm = 5, 11
    centre = view.centre(square)
    left_edge, right_edge = view.place(0, 0).x, view.place(8, 0).x
    marks = []
    for side in (-1, 1):
        if left_edge < centre.x + side * arm < right_edge:
            marks += [_angle(centre, side, up_down, gap, arm) for up_down in (-1, 1)]
    return marks


def _angle(centre: _Point, side: int, up_down: int, gap: float, arm: float) -> str:
    """Give a right angle whose vertex lies *gap* from the centre, both ways; each leg is *arm*."""
    near = _Point(centre.x + side * gap, centre.y + up_down * gap)
    return _path(_Point(near.x, near.y + up_down * arm), near, _Point(near.x + side * arm, near.y))


def _draw_river(root: ET.Element, view: _View, lettering: Lettering) -> None:
    if lettering == "letters":
        return
    words = "楚河漢界" if lettering == "traditional" else "楚河汉界"
    river = _add(root, "g", font_family=_PIECE_FONTS, text_anchor="middle", opacity=0.7)
    for column, character in zip((1.1, 2.3, 5.7, 6.9), words, strict=True):
        _add_text(river, view.place(column, 4.5), character, 34, _INK)


def _draw_coordinates(root: ET.Element, view: _View) -> None:
    labels = _add(root, "g", font_family=_LABEL_FONTS, text_anchor="middle", font_weight="bold")
    away = (_DISC + view.margin) / 2 / _CELL
    for file, name in enumerate(FILE_NAMES):
        for row in (-away, 9 + away):
            _add_text(labels, view.place(view.column(file), row), name, 15, _INK)
    for rank, name in enumerate(RANK_NAMES):
        for column in (-away, 8 + away):
            _add_text(labels, view.place(column, view.row(rank)), name, 15, _INK)


# What stands on it


def _draw_piece(
    root: ET.Element, view: _View, square: Square, piece: Piece, lettering: Lettering
) -> None:
    x, y = view.centre(square)
    ink = _RED_INK if piece.color == RED else _BLACK_INK
    group = _add(root, "g", font_family=_PIECE_FONTS, text_anchor="middle", font_weight="bold")
    _add_title(group, f"{piece.name()} on {square_name(square)}")
    _add(group, "circle", cx=x, cy=y + 2.5, r=_DISC, fill="#000", fill_opacity=0.28)
    _add(group, "circle", cx=x, cy=y, r=_DISC, fill=_RIM, stroke=_RIM_EDGE)
    _add(group, "circle", cx=x, cy=y, r=_DISC - 3, fill=_FACE)
    _add(group, "circle", cx=x, cy=y, r=_DISC - 5, fill="none", stroke=ink, stroke_width=1.5)
    _add_text(group, _Point(x, y), _character(piece, lettering), _FONT_SIZE, ink)


def _character(piece: Piece, lettering: Lettering) -> str:
    return piece.symbol() if lettering == "letters" else piece.chinese(lettering)


def _draw_check(root: ET.Element, centre: _Point) -> None:
    for radius, opacity in ((_DISC + 8, 0.35), (_DISC + 4, 0.8)):
        _add(root, "circle", cx=centre.x, cy=centre.y, r=radius, fill=_ALARM, fill_opacity=opacity)


def _draw_brackets(root: ET.Element, centre: _Point) -> None:
    """Mark a square by four angles around it, which open towards its centre."""
    reach, arm = _DISC + 2, -10
    corners = [_angle(centre, side, up_down, reach, arm) for side in (-1, 1) for up_down in (-1, 1)]
    _add(root, "path", d="".join(corners), fill="none", stroke=_LAST_MOVE, stroke_width=3)


# Arrows


def _draw_arrow(root: ET.Element, view: _View, arrow: Arrow) -> None:
    tail, head = view.centre(arrow.tail), view.centre(arrow.head)
    stroke = _ARROW_STROKES[arrow.kind]
    group = _add(root, "g", fill="none", opacity=0.92)
    _add_title(group, f"{arrow.kind}: {square_name(arrow.tail)} to {square_name(arrow.head)}")
    if tail == head:
        _draw_ring(group, tail, stroke)
    else:
        _draw_shaft_and_tip(group, tail, head, stroke)


def _draw_ring(group: ET.Element, centre: _Point, stroke: _Stroke) -> None:
    x, y = centre
    _add(group, "circle", cx=x, cy=y, r=_DISC, stroke=_CASING, stroke_width=9)
    _add(group, "circle", cx=x, cy=y, r=_DISC, stroke_width=6, **_dashed(stroke))


def _draw_shaft_and_tip(group: ET.Element, tail: _Point, head: _Point, stroke: _Stroke) -> None:
    start, base, end = (_towards(tail, head, 14), _towards(head, tail, 29), _towards(head, tail, 9))
    shaft = _path(start, base)
    tip = _tip(base, end, 11)
    _add(group, "path", d=shaft, stroke=_CASING, stroke_width=9, stroke_linecap="round")
    _add(group, "path", d=shaft, stroke_width=6, **_dashed(stroke))
    _add(group, "path", d=tip, fill=stroke.color, stroke=_CASING, stroke_width=1.5)


def _dashed(stroke: _Stroke) -> dict[str, str]:
    return {
        "stroke": stroke.color,
        "stroke_dasharray": stroke.dashes,
        "stroke_linecap": stroke.cap,
    }


def _towards(point: _Point, goal: _Point, distance: float) -> _Point:
    """Give the point at a distance from a point, on the way to another."""
    part = distance / math.dist(point, goal)
    return _Point(point.x + part * (goal.x - point.x), point.y + part * (goal.y - point.y))


def _tip(base: _Point, end: _Point, half_width: float) -> str:
    """Give the path data of a triangle that points from the middle of its base to its end."""
    part = half_width / math.dist(base, end)
    across = _Point(part * (base.y - end.y), part * (end.x - base.x))
    left = _Point(base.x + across.x, base.y + across.y)
    right = _Point(base.x - across.x, base.y - across.y)
    return _path(left, end, right) + "Z"
