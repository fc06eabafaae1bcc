"""The characters of the pieces and the river as outlines, so that a drawing needs no font.

The outlines are those of Noto Serif CJK Bold (https://github.com/notofonts/noto-cjk), under the
SIL Open Font License 1.1 (``LICENSE.OFL``). ``tools/make_glyphs.py`` makes them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Final

__all__ = ["EM", "glyph_path"]

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
