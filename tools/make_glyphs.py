"""Writes ``glyphs.json``: outlines of the characters on the pieces and in the river.

With them, drawn boards need no font. The outlines come from Noto Serif CJK, whose licence, the SIL
Open Font License 1.1, is in ``LICENSE.OFL``. This needs fonttools and the font collection, which
Debian has as ``fonts-noto-cjk``:

    pip install fonttools
    python -m tools.make_glyphs NotoSerifCJK-Bold.ttc
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTCollection, TTFont

from xiangqi.drawing.svg import FILE_NUMERALS, RIVER_WORDS
from xiangqi.pieces import COLORS, PIECE_TYPES, Piece, Script

TARGET: Final = Path(__file__).parents[1] / "xiangqi" / "drawing" / "glyphs.json"
EM: Final = 360
"""Units of a glyph's square. It is drawn about 30 pixels large, so whole units are enough."""
FAMILIES: Final[dict[Script, str]] = {
    "traditional": "Noto Serif CJK TC",
    "simplified": "Noto Serif CJK SC",
}


class OutlinePen(BasePen):  # type: ignore[misc] # fonttools has no types
    """Writes SVG path data in relative whole units, centred in the glyph's square."""

    def __init__(self, font: TTFont) -> None:
        super().__init__(font.getGlyphSet())
        metrics = font["OS/2"]
        self.scale = EM / font["head"].unitsPerEm
        self.middle = (metrics.sTypoAscender + metrics.sTypoDescender) / 2
        self.half = font["head"].unitsPerEm / 2
        self.data: list[str] = []
        self.at = (0, 0)

    def place(self, point: tuple[float, float]) -> tuple[int, int]:
        """Convert a point of the font to the drawing, where y points downwards."""
        x, y = point
        return round((x - self.half) * self.scale), round((self.middle - y) * self.scale)

    def write(self, command: str, *points: tuple[float, float]) -> None:
        """Append a command, with points relative to the current one."""
        placed = [self.place(point) for point in points]
        numbers = [value for x, y in placed for value in (x - self.at[0], y - self.at[1])]
        text = " ".join(map(str, numbers)).replace(" -", "-")
        self.data.append(command + text)
        self.at = placed[-1]

    def _moveTo(self, pt: tuple[float, float]) -> None:
        if not self.data:
            self.at = (0, 0)
        self.write("m", pt)
        self.start = self.at

    def _lineTo(self, pt: tuple[float, float]) -> None:
        dx, dy = (a - b for a, b in zip(self.place(pt), self.at, strict=True))
        if dx and dy:
            self.write("l", pt)
        elif dx or dy:
            self.data.append(f"h{dx}" if dx else f"v{dy}")
            self.at = self.place(pt)

    def _curveToOne(self, *points: tuple[float, float]) -> None:
        self.write("c", *points)

    def _closePath(self) -> None:
        self.data.append("z")
        self.at = self.start


def draw(font: TTFont, character: str) -> str:
    """Path data of a character; raises SystemExit if the font does not have it."""
    name = font.getBestCmap().get(ord(character))
    if name is None:
        raise SystemExit(f"the font has no {character!r}")
    pen = OutlinePen(font)
    pen.glyphSet[name].draw(pen)
    return "".join(pen.data)


def characters(script: Script) -> str:
    """All characters of a board in this script."""
    pieces = (Piece(kind, color).chinese(script) for color in COLORS for kind in PIECE_TYPES)
    return "".join(pieces) + RIVER_WORDS[script] + FILE_NUMERALS


def find_font(collection: TTCollection, family: str) -> TTFont:
    """The font of this family in a collection; raises SystemExit if there is none."""
    for font in collection.fonts:
        if font["name"].getDebugName(1) == family:
            return font
    raise SystemExit(f"no {family} in the collection")


def main() -> None:
    """Read the font, write the outlines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path, help="the file NotoSerifCJK-Bold.ttc")
    collection = TTCollection(parser.parse_args().collection)
    paths: dict[str, str] = {}
    for script, family in FAMILIES.items():
        font = find_font(collection, family)
        for character in characters(script):
            paths.setdefault(character, draw(font, character))
    data: dict[str, Any] = {
        "font": f"Noto Serif CJK Bold, {font['name'].getDebugName(5)}",
        "copyright": font["name"].getDebugName(0),
        "licence": "SIL Open Font License 1.1, see LICENSE.OFL",
        "em": EM,
        "paths": dict(sorted(paths.items())),
    }
    TARGET.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
