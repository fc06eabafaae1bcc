"""Writes the static site: pages, scripts, and the packs with Python and the package."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from jinja2 import ChoiceLoader, PackageLoader

from xiangqi.ground.errors import Fact, FormatError
from xiangqi.ground.files import new_file
from xiangqi.ground.texts import LANGUAGES
from xiangqi.referee.rules import WXF
from xiangqi.web.pages.render import environment
from xiangqi.web.serve.application import MAX_UPLOAD
from xiangqi.web.serve.entry import asset_files, page_name, render_entry
from xiangqi.web.site.offline import offline_files, write_file_list
from xiangqi.words.voice import PAGE_VOICE

__all__ = ["PACK_FILES", "Site", "own_files"]

PACK_FILES: Final = ("pyodide.js", "python.pack", "board.pack", "rest.pack")
"""Files of a folder of packs (``tools/packs.py``) that browsers load."""
_AT_ONCE: Final = ("python.pack", "board.pack")
"""Packs that board and referee need."""
_SIGN: Final = "worker.js"
"""File by which an older site is recognised, which may be overwritten."""


@dataclass(frozen=True, slots=True)
class Site:
    """Folder with the static site, for any web server.

    ``packs`` is the folder of its packs, as ``python dev.py site`` makes them.
    """

    folder: Path
    packs: Path

    def write(self) -> int:
        """Write the site and return its size in bytes.

        Raises FormatError if a pack is missing, or if the folder has other files than those of an
        older site.
        """
        for name in PACK_FILES:
            if not (self.packs / name).is_file():
                raise FormatError(str(self.packs), "", Fact("file.packs", name=name))
        is_site = (self.folder / _SIGN).exists()
        if not is_site and self.folder.exists() and any(self.folder.iterdir()):
            raise FormatError(str(self.folder), "", Fact("file.old_site"))
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in PACK_FILES:
            shutil.copyfile(self.packs / name, self.folder / name)
        size = sum((self.packs / name).stat().st_size for name in _AT_ONCE)
        self._write("size.js", f"export const SIZE = {size};\n".encode())
        for name, content in (*asset_files(), *own_files(), *_pages(), *offline_files()):
            self._write(name, content)
        write_file_list(self.folder)
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _write(self, name: str, content: bytes) -> None:
        with new_file(self.folder / name, replace=True) as file:
            file.write(content)


def own_files() -> Iterator[tuple[str, bytes]]:
    """Yield the site's own files; some replace a server's file of the same name (``reach.js``)."""
    for file in resources.files("xiangqi.web.site").joinpath("static").iterdir():
        if file.name.endswith((".css", ".js", ".png")):
            yield file.name, file.read_bytes()


def _pages() -> Iterator[tuple[str, bytes]]:
    shared = environment()
    assert shared.loader is not None
    own = PackageLoader("xiangqi.web.site")
    templates = shared.overlay(loader=ChoiceLoader([own, shared.loader]))
    yield "report.html", templates.get_template("report.html").render().encode()
    for language in LANGUAGES:
        voice = replace(PAGE_VOICE, language=language)
        page = render_entry(voice, WXF, max_upload=MAX_UPLOAD, has_server=False)
        yield page_name(language), page.encode()
        check = templates.get_template("check.html").render(
            lang=language, board=page_name(language)
        )
        yield f"check-{page_name(language)}", check.encode()
