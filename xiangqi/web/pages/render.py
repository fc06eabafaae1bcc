"""Templates and static files of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from xiangqi.drawing.svg import Lettering
from xiangqi.web.pages.sprite import arrow_key, board_sprite, board_view_box
from xiangqi.words import LANGUAGES, Language, name_side, say

__all__ = ["CONTENT_SECURITY_POLICY", "LETTERINGS", "environment", "static_files"]

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What a page may load: the files that lie beside it, and nothing else."""
LETTERINGS: Final[dict[Language, Lettering]] = {"en": "traditional", "zh": "simplified"}
"""What stands on the pieces. Chinese words name them in simplified characters."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates. Everything put into them is escaped, and a missing value is an error.

    Every template knows ``say(lang, key)``, ``name_side(lang, color)``, ``languages``, ``policy``,
    and for the board ``board_sprite(lettering)``, ``board_view_box()`` and ``arrow_key(kind)``.
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
        board_sprite=lru_cache(board_sprite),
        board_view_box=board_view_box,
        languages=LANGUAGES,
        policy=CONTENT_SECURITY_POLICY,
        name_side=name_side,
        say=say,
    )
    return templates


def static_files() -> Iterator[tuple[str, bytes]]:
    """The files that a page loads: name and content."""
    for file in resources.files("xiangqi.web.pages").joinpath("static").iterdir():
        if file.name.endswith((".css", ".js")):
            yield file.name, file.read_bytes()
