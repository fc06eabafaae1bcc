"""Templates and static files of the pages, and the parts of a board for their scripts.

The parts are drawn by :mod:`xiangqi.drawing`; ``board.js`` finds them by their ids:
``empty-board``, ``labels-red`` and ``labels-black`` (names of files and ranks as seen by a side),
``labels-red-wxf`` and the like (numbers of files in a notation), ``piece-R`` and so on,
``mark-last``, ``mark-check``, and for each kind of arrow ``head-KIND``, ``shaft-KIND`` and
``ring-KIND``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Final, cast
from xml.etree import ElementTree as ET

from jinja2 import Environment, PackageLoader, StrictUndefined

from xiangqi.drawing.arrows import (
    BASE,
    START,
    Point,
    add,
    draw_arrow,
    draw_head,
    draw_ring,
    draw_shaft,
    format_number,
)
from xiangqi.drawing.svg import (
    CELL,
    DISC,
    Lettering,
    View,
    draw_board,
    draw_brackets,
    draw_check,
    draw_coordinates,
    draw_file_numbers,
    draw_piece,
)
from xiangqi.ground.texts import LANGUAGES, Language, say, text_of
from xiangqi.pieces import BLACK, COLOR_NAMES, COLORS, PIECE_TYPES, RED, Piece
from xiangqi.pieces.arrows import ARROW_KINDS, ArrowKind
from xiangqi.words import name_side

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "arrow_key",
    "board_module",
    "board_sprite",
    "board_view_box",
    "environment",
    "lettering_of",
    "static_files",
]

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""Content security policy of a page: only files from its own origin."""
_BOARD_MODULE: Final = "board.js"
_GAME_SCRIPT: Final = "game.js"


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Environment of the templates; values are escaped, and a missing value is an error.

    The globals are ``say(lang, key)``, ``name_side(lang, color)``, ``languages``, ``policy``, and
    for the board ``board_sprite(lettering)``, ``board_view_box()`` and ``arrow_key(kind)``.
    """
    templates = Environment(
        loader=PackageLoader("xiangqi.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(
        arrow_key=arrow_key,
        board_sprite=board_sprite,
        board_view_box=board_view_box,
        languages=LANGUAGES,
        policy=CONTENT_SECURITY_POLICY,
        name_side=name_side,
        say=say,
    )
    return templates


def lettering_of(language: Language) -> Lettering:
    """Default lettering of the pieces beside texts of a language."""
    return cast(Lettering, text_of(language, "language.lettering"))


def static_files() -> Iterator[tuple[str, bytes]]:
    """Names and contents of the style sheets and scripts."""
    for file in resources.files("xiangqi.web.pages").joinpath("static").iterdir():
        if file.name == _GAME_SCRIPT:
            _, module = board_module()
            # Browsers load no modules from files: the module is put before the script.
            plain = re.sub(r"^export ", "", module.decode(), flags=re.MULTILINE)
            script = file.read_text(encoding="utf-8")
            yield file.name, f'"use strict";\n\n{plain}\n{script}'.encode()
        elif file.name.endswith((".css", ".js")) and file.name != _BOARD_MODULE:
            yield file.name, file.read_bytes()


def board_module() -> tuple[str, bytes]:
    """Name and content of the module that draws boards."""
    file = resources.files("xiangqi.web.pages").joinpath("static", _BOARD_MODULE)
    return _BOARD_MODULE, file.read_bytes()


# Parts of a board


_SVG: Final = "http://www.w3.org/2000/svg"
_VIEW: Final = View.with_labels(RED)
_ORIGIN: Final = Point(0, 0)
_WEST: Final = Point(-10 * CELL, 0)


def board_view_box() -> str:
    """The ``viewBox`` of the board that the script draws."""
    return f"0 0 {format_number(_VIEW.width)} {format_number(_VIEW.height)}"


@lru_cache
def board_sprite(
    lettering: Lettering = "traditional",
    sets: tuple[Lettering, ...] = (),
    *,
    numbered: bool = False,
) -> str:
    """Invisible SVG with the parts of a board, once in each page.

    ``sets`` adds pieces in other letterings, as ``simplified-R`` and so on; ``numbered`` adds the
    file numbers of WXF and Chinese notation.
    """
    sprite = ET.Element(
        "svg",
        {
            "xmlns": _SVG,
            "id": "sprite",
            "width": "0",
            "height": "0",
            "aria-hidden": "true",
            "data-cell": format_number(CELL),
            "data-margin": format_number(_VIEW.margin),
            "data-shaft-start": format_number(START),
            "data-shaft-end": format_number(BASE),
        },
    )
    defs = add(sprite, "defs")
    draw_board(_part(defs, "empty-board"), _VIEW, lettering, has_grain=True)
    for color in (RED, BLACK):
        name, view = f"labels-{COLOR_NAMES[color]}", View.with_labels(color)
        draw_coordinates(_part(defs, name), view)
        if not numbered:
            continue
        draw_file_numbers(_part(defs, f"{name}-wxf"), view, chinese=False)
        draw_file_numbers(_part(defs, f"{name}-chinese"), view, chinese=True)
    for piece in (Piece(kind, color) for color in COLORS for kind in PIECE_TYPES):
        draw_piece(_part(defs, f"piece-{piece.symbol()}"), _ORIGIN, piece, lettering)
        for other in sets:
            draw_piece(_part(defs, f"{other}-{piece.symbol()}"), _ORIGIN, piece, other)
    draw_brackets(_part(defs, "mark-last"), _ORIGIN)
    draw_check(_part(defs, "mark-check"), _ORIGIN)
    for arrow in ARROW_KINDS:  # along the x axis to the origin; the script sets its length
        draw_shaft(_part(defs, f"shaft-{arrow}"), "", arrow)
        draw_head(_part(defs, f"head-{arrow}"), _WEST, _ORIGIN, arrow)
        ring = _part(defs, f"ring-{arrow}")
        ring.set("fill", "none")
        draw_ring(ring, _ORIGIN, DISC, arrow)
    return ET.tostring(sprite, encoding="unicode")


@lru_cache
def arrow_key(kind: ArrowKind) -> str:
    """Small drawing of an arrow for the legend."""
    drawing = ET.Element("svg", {"xmlns": _SVG, "viewBox": "0 0 128 32", "aria-hidden": "true"})
    draw_arrow(add(drawing, "g", fill="none"), Point(-10, 16), Point(134, 16), kind)
    return ET.tostring(drawing, encoding="unicode")


def _part(defs: ET.Element, name: str) -> ET.Element:
    return add(defs, "g", id=name)
