"""Writes the static site: pages, scripts, the package as an archive, and Pyodide's files."""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import metadata, resources
from pathlib import Path, PurePosixPath
from typing import Final

from jinja2 import ChoiceLoader, Environment, PackageLoader

from xiangqi.errors import Fact, FormatError, reason_of
from xiangqi.files import new_file
from xiangqi.referee.rules import WXF
from xiangqi.texts import LANGUAGES
from xiangqi.web.pages.render import environment
from xiangqi.web.serve.application import MAX_UPLOAD
from xiangqi.web.serve.entry import asset_files, page_name, render_entry
from xiangqi.web.site.offline import offline_files, write_file_list
from xiangqi.words.voice import PAGE_VOICE

__all__ = ["RUNTIME_FILES", "Site", "own_files"]

RUNTIME_FILES: Final = (
    "pyodide.js",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
"""Files of Pyodide's npm package that a browser loads."""
_NEEDED: Final = ("jinja2", "markupsafe")
"""Required packages; both are pure Python but for an optional accelerator."""
_CORE_MODULE: Final = "xiangqi/core/board"
_PACKED: Final = "meihua.pack"
"""Archive (tar, gzip) of the package and its requirements; by this name no server decompresses it
on the way."""
_STATE: Final = "python.state"
"""Memory snapshot of a started Python (gzip); empty if none has been saved."""
_SIGN: Final = "worker.js"
"""File by which an older site is recognised, which may be overwritten."""


@dataclass(frozen=True, slots=True)
class Site:
    """Folder with the static site, for any web server.

    ``runtime`` is the folder of Pyodide's package, ``wheel`` the package built for WebAssembly.
    """

    folder: Path
    runtime: Path
    wheel: Path

    def write(self) -> int:
        """Write the site and return its size in bytes.

        Raises FormatError if a file of the runtime or the wheel is missing or wrong, or if the
        folder has other files than those of an older site.
        """
        self._check()
        (self.folder / "runtime").mkdir(parents=True, exist_ok=True)
        for name in RUNTIME_FILES:
            shutil.copyfile(self.runtime / name, self.folder / "runtime" / name)
        self._pack()
        for name, content in (*asset_files(), *own_files(), *_pages(), *offline_files()):
            self._write(name, content)
        write_file_list(self.folder)
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _check(self) -> None:
        for name in RUNTIME_FILES:
            if not (self.runtime / name).is_file():
                raise FormatError(str(self.runtime), "", Fact("file.pyodide", name=name))
        if not any(name.startswith(_CORE_MODULE) for name in self._wheel_names()):
            raise FormatError(str(self.wheel), "", Fact("file.wheel"))
        is_site = (self.folder / _SIGN).exists()
        if not is_site and self.folder.exists() and any(self.folder.iterdir()):
            raise FormatError(str(self.folder), "", Fact("file.old_site"))

    def _wheel_names(self) -> list[str]:
        try:
            with zipfile.ZipFile(self.wheel) as wheel:
                return [name for name in wheel.namelist() if name.endswith(".so")]
        except (OSError, zipfile.BadZipFile) as error:
            raise FormatError(str(self.wheel), "", reason_of(error)) from error

    def _pack(self) -> None:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            with zipfile.ZipFile(self.wheel) as wheel:
                for name in sorted(wheel.namelist()):
                    _add_file(archive, name, wheel.read(name))
            for name, content in sorted(_needed_files()):
                _add_file(archive, name, content)
        self._write(_PACKED, gzip.compress(packed.getvalue(), mtime=0))
        self._write(_STATE, gzip.compress(b"", mtime=0))

    def _write(self, name: str, content: bytes) -> None:
        with new_file(self.folder / name, replace=True) as file:
            file.write(content)


def _add_file(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a file to an archive, without a time, so that builds are reproducible."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    archive.addfile(info, io.BytesIO(content))


def _needed_files() -> Iterator[tuple[str, bytes]]:
    for name in _NEEDED:
        for path in metadata.files(name) or ():
            if path.suffix in (".py", ".txt", ".rst") or path.name == "METADATA":
                yield str(PurePosixPath(path)), path.read_binary()


def own_files() -> Iterator[tuple[str, bytes]]:
    """Yield the site's own files; some replace a server's file of the same name (``reach.js``)."""
    for file in resources.files("xiangqi.web.site").joinpath("static").iterdir():
        if file.name.endswith((".css", ".js")):
            yield file.name, file.read_bytes()


def _templates() -> Environment:
    shared = environment()
    own = PackageLoader("xiangqi.web.site")
    assert shared.loader is not None
    return shared.overlay(loader=ChoiceLoader([own, shared.loader]))


def _pages() -> Iterator[tuple[str, bytes]]:
    templates = _templates()
    yield "report.html", templates.get_template("report.html").render().encode()
    for language in LANGUAGES:
        voice = replace(PAGE_VOICE, language=language)
        page = render_entry(voice, WXF, max_upload=MAX_UPLOAD, has_server=False)
        yield page_name(language), page.encode()
        check = templates.get_template("check.html").render(
            lang=language, board=page_name(language)
        )
        yield f"check-{page_name(language)}", check.encode()
