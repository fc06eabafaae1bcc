"""Hooks for MkDocs: pages from outside ``docs``, links to files of the project, the reference, and
the texts of the search.

python dev.py docs                                # build/docs
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

__all__ = [
    "ELSEWHERE",
    "REFERENCE",
    "on_config",
    "on_files",
    "on_page_markdown",
    "on_post_build",
    "pages_of",
]

ROOT: Final = Path(__file__).parents[1]
ELSEWHERE: Final = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
    "cases.md": "wxf_cases/README.md",
}
"""Pages of the site from outside ``docs``: page -> file of the project."""
REFERENCE: Final = "reference/"
"""Folder of the module pages, such as ``reference/xiangqi.board.md``."""
_PLACES: Final = {path: page for page, path in ELSEWHERE.items()}
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def pages_of(nav: Any) -> Iterable[str]:
    """All pages of a navigation, at any depth."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_of(part)


def on_config(config: Any) -> None:
    """Append pages that are missing from the navigation to its section "Use"."""
    named = set(pages_of(config.nav))
    pages = sorted(path.name for path in Path(config.docs_dir).glob("*.md"))
    (use,) = (part["Use"] for part in config.nav if "Use" in part)
    use.extend(page for page in pages if page not in named)


def on_files(files: Files, config: Any) -> None:
    """Add the pages from outside ``docs``, and one for each module of the reference.

    mike's list of versions is left out of a site that mike does not publish: it fails there.
    """
    from mkdocs.structure.files import File
    from pygments.formatters import HtmlFormatter

    if "MIKE_DOCS_VERSION" not in os.environ:
        for listed in (config.extra_javascript, config.extra_css):
            listed[:] = [path for path in listed if "version-select" not in str(path)]
    files.append(
        File.generated(
            config, "highlight.css", content=HtmlFormatter().get_style_defs(".highlight")
        )
    )
    for page, path in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text("utf-8")))
    for page in pages_of(config.nav):
        if page.startswith(REFERENCE):
            module = page.removeprefix(REFERENCE).removesuffix(".md")
            text = f"---\ntitle: {module}\n---\n\n::: {module}\n"
            files.append(File.generated(config, page, content=text))


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Turn links to files into links to pages, else to the file in the repository, else into
    text."""
    uri = page.file.src_uri
    folder = posixpath.dirname(ELSEWHERE.get(uri, f"docs/{uri}"))
    source: str = config.extra["source"]

    def convert(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        path, hash_, heading = target.partition("#")
        if not path or ":" in path:
            return found[0]
        file = posixpath.normpath(posixpath.join(folder, path))
        place = _PLACES.get(file, file.removeprefix("docs/"))
        if files.get_file_from_path(place) is not None:
            relative = os.path.relpath(place, posixpath.dirname(uri) or ".").replace("\\", "/")
            return f"{mark}[{text}]({relative}{hash_}{heading})"
        return f"[{text}]({source}/{file}{hash_}{heading})" if source else text

    return _LINK.sub(convert, markdown)


def on_post_build(config: Any) -> None:
    """Write the texts of the search as a script, which a page opened as a file can load.

    ``docs_theme/search/main.js`` reads it; the worker and the index of MkDocs are not used.
    """
    folder = Path(config.site_dir, "search")
    index = folder / "search_index.json"
    docs = json.dumps(json.loads(index.read_text("utf-8"))["docs"], ensure_ascii=False)
    (folder / "search_docs.js").write_text(f"window.searchDocs = {docs};\n", encoding="utf-8")
    index.unlink()
    for unused in ("worker.js", "lunr.js"):
        (folder / unused).unlink()
