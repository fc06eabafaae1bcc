"""Files with which the site is installed and works without a network."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from xiangqi.drawing.arrows import Point, add
from xiangqi.drawing.svg import DISC, draw_piece
from xiangqi.ground.files import new_file
from xiangqi.pieces import Piece

__all__ = ["ICONS", "draw_icon", "offline_files", "write_file_list"]

_EDGE: Final = 6
_MASKABLE_EDGE: Final = 16
"""Edges of the icon, in units of the drawing; the wide one may be cut."""
_GROUND: Final = "#f2dcb0"
ICONS: Final = {
    "icon-192.png": (192, "any"),
    "icon-512.png": (512, "any"),
    "icon-maskable.png": (512, "maskable"),
}
"""Painted icons (``tools/make_icons.py``) with their sizes in pixels and purposes."""
_LIST: Final = "kept.js"
_UNKEPT: Final = (_LIST, "offline.js")
"""Files that the browser itself keeps for the service worker."""


def offline_files() -> Iterator[tuple[str, bytes]]:
    """Yield the icon, a piece of the board, and the manifest of the installed site."""
    yield "icon.svg", draw_icon()
    manifest = {
        "name": "Meihua",
        "short_name": "Meihua",
        "start_url": "index.html",
        "display": "standalone",
        "icons": [
            {"src": "icon.svg", "type": "image/svg+xml", "sizes": "any"},
            *(
                {"src": name, "type": "image/png", "sizes": f"{size}x{size}", "purpose": purpose}
                for name, (size, purpose) in ICONS.items()
            ),
        ],
    }
    yield "manifest.json", json.dumps(manifest, indent=1).encode()


def draw_icon(*, is_maskable: bool = False) -> bytes:
    """Draw the icon as SVG, a king; a maskable one has a ground."""
    size = 2 * (DISC + (_MASKABLE_EDGE if is_maskable else _EDGE))
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {size} {size}")
    if is_maskable:
        add(root, "rect", width=size, height=size, fill=_GROUND)
    centre = Point(size / 2, size / 2)
    draw_piece(root, centre, Piece.from_symbol("K"), "traditional")
    return ET.tostring(root)


def write_file_list(folder: Path) -> None:
    """Write the list of the site's files for the service worker, after all other files."""
    digest, names = hashlib.sha256(), []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if name not in _UNKEPT:
            names.append(name)
            digest.update(name.encode() + b"\0" + path.read_bytes())
    text = json.dumps({"version": digest.hexdigest()[:16], "names": names})
    with new_file(folder / _LIST, replace=True) as file:
        file.write(f"self.siteFiles = {text};\n".encode())
