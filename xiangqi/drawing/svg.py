"""Drawings of the board as SVG, for notebooks, reports and web pages.

A drawing is self-contained: it has its own background, so that it can be read on light and dark
pages, and neither ids nor style sheets, so that a page can have many. The same arguments always
give the same text. Coordinates follow SVG: x grows to the right, y downwards.

Pieces need no font: their characters are outlines. Nothing is distinguished by colour alone: the
sides' pieces have different characters, and the kinds of arrows different dashes and heads. Pieces
and arrows have titles, for tooltips and screen readers. As in ``chess.svg`` of python-chess, the
tree of elements is built with the standard library, which escapes texts.

>>> from xiangqi.pieces import PIECE_TYPES
>>> from xiangqi.pieces.fen import STARTING_FEN, parse_fen
>>> drawing = board_svg(parse_fen(STARTING_FEN), size=300)
>>> drawing[:47]
'<svg xmlns="http://www.w3.org/2000/svg" version'
>>> drawing.count("<title>")
32
>>> sorted(PICTOGRAMS) == sorted(PIECE_TYPES)
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from xml.etree import ElementTree as ET

from xiangqi.drawing.arrows import (
    Point,
    add,
    add_glyph,
    add_text,
    add_title,
    draw_arrow,
    draw_ring,
    format_number,
    path,
)
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    COLOR_NAMES,
    FILE_NAMES,
    KING,
    KNIGHT,
    PAWN,
    RANK_NAMES,
    RED,
    ROOK,
    Color,
    Piece,
    PieceType,
    Script,
    Square,
    parse_square,
    require_color,
    require_square,
    square_file,
    square_name,
    square_rank,
)
from xiangqi.pieces.arrows import Arrow, ArrowKind
from xiangqi.pieces.fen import Setup, format_fen

__all__ = [
    "CELL",
    "DISC",
    "FILE_NUMERALS",
    "PICTOGRAMS",
    "RIVER_WORDS",
    "Arrow",
    "ArrowKind",
    "Lettering",
    "View",
    "board_svg",
    "draw_board",
    "draw_brackets",
    "draw_check",
    "draw_coordinates",
    "draw_file_numbers",
    "draw_piece",
]

PICTOGRAMS: Final[dict[PieceType, str]] = {
    # a crown
    KING: "M-14 7L-15 -7L-7 -1L0 -13L7 -1L15 -7L14 7ZM-13 9H13V13H-13Z",
    # a folding fan
    ADVISOR: "M0 13L-16 -4A21 21 0 0 1 16 -4ZM-3 5L-10 -4A14 14 0 0 1 -1.5 -7ZM3 5L1.5 -7"
    "A14 14 0 0 1 10 -4Z",
    # an elephant with its trunk to the right
    BISHOP: "M-15 12V-2Q-15 -10 -6 -10H2Q12 -11 14 -2Q15 4 15 11Q12 13 10 10Q11 5 9 3"
    "L6 4V12H1V5H-6V12ZM5 -5.5A1.7 1.7 0 1 0 8.4 -5.5A1.7 1.7 0 1 0 5 -5.5Z",
    # the head of a horse
    KNIGHT: "M-9 13H12Q13 -2 6 -9L5 -15L0 -11Q-8 -8 -14 3L-10 8L-4 4Q0 4 2 1Q2 7 -9 13Z"
    "M-3 -4A1.7 1.7 0 1 0 0.4 -4A1.7 1.7 0 1 0 -3 -4Z",
    # a wheel with spokes
    ROOK: "M-15 0A15 15 0 1 1 15 0A15 15 0 1 1 -15 0ZM-1.5 -3.5V-11.5A11.5 11.5 0 0 0 -11.5 "
    "-1.5H-3.5ZM1.5 -3.5V-11.5A11.5 11.5 0 0 1 11.5 -1.5H3.5ZM-1.5 3.5V11.5A11.5 11.5 0 0 1 "
    "-11.5 1.5H-3.5ZM1.5 3.5V11.5A11.5 11.5 0 0 0 11.5 1.5H3.5Z",
    # a gun on its wheel
    CANNON: "M-15 1L10 -12L15 -4L2 3.5A7.5 7.5 0 1 1 -12 4ZM-8 7A3 3 0 1 0 -2 7A3 3 0 1 0 -8 7Z",
    # a foot soldier below his hat
    PAWN: "M-14 -3L0 -14L14 -3ZM-6 0H6Q7 4 10 13H-10Q-7 4 -6 0Z",
}
"""Pictures of the pieces for readers who know neither Chinese characters nor letters: outlines in a
square of 36 units around the centre of a piece, filled by the even-odd rule."""


Lettering: TypeAlias = Literal["traditional", "simplified", "letters", "pictograms"]
"""Lettering of the pieces. Letters are those of FEN."""

# Dimensions, in units of the drawing

CELL: Final = 64.0
"""Side of a cell."""
_MARGIN: Final = 42.0
_LABEL_WIDTH: Final = 20.0
_FRAME_GAP: Final = 6.0
DISC: Final = 28.0
"""Radius of a piece."""
_FONT_SIZE: Final = 30.0
_GLYPH_SIZE: Final = 38.0

# Colours and fonts

_GROUND: Final = "#e3bf86"
_PAPER: Final = "#f2dcb0"
_GRAIN: Final = "#e9d0a0"
_GRAIN_LINES: Final = 24
"""Fifths of them are drawn, those that an uneven sequence chooses."""
_INK: Final = "#6b4423"
_RIM: Final = "#c99a55"
_RIM_EDGE: Final = "#7d5527"
_FACE: Final = "#fdf4e0"
_RED_INK: Final = "#b01c1c"
_BLACK_INK: Final = "#20242b"
_LAST_MOVE: Final = "#1d62a8"
_ALARM: Final = "#d3121f"

_FONTS: Final = "'Helvetica Neue', Helvetica, Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"

RIVER_WORDS: Final[dict[Script, str]] = {"traditional": "楚河漢界", "simplified": "楚河汉界"}
"""Characters in the river, from left to right."""

FILE_NUMERALS: Final = "一二三四五六七八九"
"""Numerals of Red's files in Chinese notation."""

# Starting squares of cannons and pawns

_MARKED_SQUARES: Final = tuple(
    parse_square(file + rank)
    for files, ranks in (("bh", "27"), ("acegi", "36"))
    for file in files
    for rank in ranks
)


@dataclass(frozen=True, slots=True)
class View:
    """Geometry of a drawing, seen from one side."""

    orientation: Color
    margin: float
    """Distance from the edge of the drawing to the first line."""

    def __post_init__(self) -> None:
        require_color(self.orientation)

    @classmethod
    def with_labels(cls, orientation: Color) -> View:
        """View with margins for the names of files and ranks."""
        return cls(orientation, _MARGIN + _LABEL_WIDTH)

    @property
    def width(self) -> float:
        return 8 * CELL + 2 * self.margin

    @property
    def height(self) -> float:
        return 9 * CELL + 2 * self.margin

    def place(self, column: float, row: float) -> Point:
        """Point of a column and a row, counted from the upper left corner."""
        return Point(self.margin + column * CELL, self.margin + row * CELL)

    def column(self, file: int) -> int:
        return file if self.orientation == RED else 8 - file

    def row(self, rank: int) -> int:
        return 9 - rank if self.orientation == RED else rank

    def centre(self, square: Square) -> Point:
        """Centre of a square. Raises ValueError if it is off the board."""
        require_square(square)
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
    numbers: Literal["chinese", "wxf"] | None = None,
    lettering: Lettering = "traditional",
) -> str:
    """Draw a position.

    *size* is the width in pixels; None leaves it to the page. *orientation* is the side at the
    bottom. *lastmove* marks two squares by brackets, *check* draws a red halo around the king on a
    square. *numbers* replaces the coordinates by the file numbers of a notation.
    """
    is_labelled = coordinates or numbers is not None
    view = View.with_labels(orientation) if is_labelled else View(orientation, _MARGIN)
    root = _make_root(view, setup, size)
    draw_board(root, view, lettering)
    if numbers is not None:
        draw_file_numbers(root, view, chinese=numbers == "chinese")
    elif coordinates:
        draw_coordinates(root, view)
    if check is not None:
        draw_check(root, view.centre(check))
    for square, piece in setup.piece_map().items():
        group = add(root, "g")
        add_title(group, f"{piece.name()} on {square_name(square)}")
        draw_piece(group, view.centre(square), piece, lettering)
    for square in lastmove or ():
        draw_brackets(root, view.centre(square))
    for arrow in arrows:
        tail, head = view.centre(arrow.tail), view.centre(arrow.head)
        group = add(root, "g", fill="none", opacity=0.92)
        kind = arrow.kind.replace("_", " ")
        add_title(group, f"{kind}: {square_name(arrow.tail)} to {square_name(arrow.head)}")
        if tail == head:
            draw_ring(group, tail, DISC, arrow.kind)
        else:
            draw_arrow(group, tail, head, arrow.kind)
    return ET.tostring(root, encoding="unicode")


def _make_root(view: View, setup: Setup, size: int | None) -> ET.Element:
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "version": "1.1",
        "viewBox": f"0 0 {format_number(view.width)} {format_number(view.height)}",
    }
    if size is not None:
        attributes["width"] = str(size)
        attributes["height"] = str(round(size * view.height / view.width))
    attributes["aria-label"] = f"Xiangqi position, {COLOR_NAMES[setup.turn]} to move"
    root = ET.Element("svg", attributes)
    add(root, "desc").text = format_fen(setup)
    return root


# The board


def draw_board(
    root: ET.Element, view: View, lettering: Lettering, *, has_grain: bool = False
) -> None:
    """Draw the empty board without the names of files and ranks, with a grain or without."""
    add(root, "rect", width=view.width, height=view.height, rx=10, fill=_GROUND)
    corner, far = view.place(0, 0), view.place(8, 9)
    width, height = far.x - corner.x, far.y - corner.y
    add(root, "rect", x=corner.x, y=corner.y, width=width, height=height, fill=_PAPER)
    if has_grain:
        _draw_grain(root, view)
    _draw_frame(root, view)
    _draw_lines(root, view)
    if lettering == "traditional" or lettering == "simplified":
        river = add(root, "g", opacity=0.7)
        for column, character in zip((1.1, 2.3, 5.7, 6.9), RIVER_WORDS[lettering], strict=True):
            add_glyph(river, view.place(column, 4.5), character, 36, _INK)


def _draw_grain(root: ET.Element, view: View) -> None:
    """Draw uneven, nearly level lines, a little darker than the board."""
    lines = []
    for row in range(1, 5 * _GRAIN_LINES):
        if math.sin(row * row) < 0.6:
            continue
        heights = [
            row / 5 * 9 / _GRAIN_LINES + 0.07 * math.sin(1.3 * column + 0.21 * row)
            for column in range(9)
        ]
        lines.append(path(*(view.place(*at) for at in enumerate(heights))))
    add(root, "path", d="".join(lines), fill="none", stroke=_GRAIN, stroke_width=2)


def _draw_frame(root: ET.Element, view: View) -> None:
    corner, far = view.place(0, 0), view.place(8, 9)
    width, height = far.x - corner.x, far.y - corner.y
    add(
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


def _draw_lines(root: ET.Element, view: View) -> None:
    lines = [path(view.place(0, row), view.place(8, row)) for row in range(10)]
    lines += [path(view.place(column, 0), view.place(column, 9)) for column in (0, 8)]
    for column in range(1, 8):
        lines.append(path(view.place(column, 0), view.place(column, 4)))
        lines.append(path(view.place(column, 5), view.place(column, 9)))
    for row in (0, 7):
        lines.append(path(view.place(3, row), view.place(5, row + 2)))
        lines.append(path(view.place(5, row), view.place(3, row + 2)))
    gap, arm = 5, 11
    left_edge, right_edge = view.place(0, 0).x, view.place(8, 0).x
    for square in _MARKED_SQUARES:
        centre = view.centre(square)
        for side in (-1, 1):
            if left_edge < centre.x + side * arm < right_edge:  # no marks off the board
                lines += [_angle(centre, side, up_down, gap, arm) for up_down in (-1, 1)]
    add(root, "path", d="".join(lines), fill="none", stroke=_INK, stroke_width=1.4)


def _angle(centre: Point, side: int, up_down: int, gap: float, arm: float) -> str:
    """Right angle with its vertex *gap* from the centre in x and y, and legs of length *arm*."""
    near = Point(centre.x + side * gap, centre.y + up_down * gap)
    return path(Point(near.x, near.y + up_down * arm), near, Point(near.x + side * arm, near.y))


def draw_coordinates(root: ET.Element, view: View) -> None:
    """Write the names of files and ranks around the board."""
    labels = add(root, "g", font_family=_FONTS, text_anchor="middle", font_weight="bold")
    away = (DISC + view.margin) / 2 / CELL
    for file, name in enumerate(FILE_NAMES):
        for row in (-away, 9 + away):
            add_text(labels, view.place(view.column(file), row), name, 15, _INK)
    for rank, name in enumerate(RANK_NAMES):
        for column in (-away, 8 + away):
            add_text(labels, view.place(column, view.row(rank)), name, 15, _INK)


def draw_file_numbers(root: ET.Element, view: View, *, chinese: bool) -> None:
    """Write each side's file numbers, counted from its right, at its edge of the board.

    With *chinese*, Red's are Chinese numerals, as in Chinese notation.
    """
    labels = add(root, "g", font_family=_FONTS, text_anchor="middle", font_weight="bold")
    away = (DISC + view.margin) / 2 / CELL
    for file in range(len(FILE_NAMES)):
        for color, number in ((RED, 9 - file), (BLACK, file + 1)):
            row = 9 + away if color == view.orientation else -away
            at = view.place(view.column(file), row)
            if chinese and color == RED:
                add_glyph(labels, at, FILE_NUMERALS[number - 1], 18, _INK)
            else:
                add_text(labels, at, str(number), 15, _INK)


# Pieces and marks


def draw_piece(group: ET.Element, centre: Point, piece: Piece, lettering: Lettering) -> None:
    """Draw a piece, centred at a point."""
    x, y = centre
    ink = _RED_INK if piece.color == RED else _BLACK_INK
    add(group, "circle", cx=x, cy=y + 2.5, r=DISC, fill="#000", fill_opacity=0.28)
    add(group, "circle", cx=x, cy=y, r=DISC, fill=_RIM, stroke=_RIM_EDGE)
    add(group, "circle", cx=x, cy=y, r=DISC - 3, fill=_FACE)
    add(group, "circle", cx=x, cy=y, r=DISC - 5, fill="none", stroke=ink, stroke_width=1.5)
    if lettering == "letters":
        letter = add_text(group, centre, piece.symbol(), _FONT_SIZE, ink)
        letter.attrib |= {"font-family": _FONTS, "font-weight": "bold", "text-anchor": "middle"}
    elif lettering == "pictograms":
        place = f"translate({format_number(x)} {format_number(y)})"
        outline = PICTOGRAMS[piece.piece_type]
        add(group, "path", d=outline, fill=ink, fill_rule="evenodd", transform=place)
    else:
        add_glyph(group, centre, piece.chinese(lettering), _GLYPH_SIZE, ink)


def draw_check(root: ET.Element, centre: Point) -> None:
    """Draw the red halo around a king in check."""
    for radius, opacity in ((DISC + 8, 0.35), (DISC + 4, 0.8)):
        add(root, "circle", cx=centre.x, cy=centre.y, r=radius, fill=_ALARM, fill_opacity=opacity)


def draw_brackets(root: ET.Element, centre: Point) -> None:
    """Mark a square by four corner brackets."""
    reach, arm = DISC + 2, -10
    corners = [_angle(centre, side, up_down, reach, arm) for side in (-1, 1) for up_down in (-1, 1)]
    add(root, "path", d="".join(corners), fill="none", stroke=_LAST_MOVE, stroke_width=3)
