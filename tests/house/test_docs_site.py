"""The docs as a site: all pages are in it, no link leads nowhere, other hosts are not needed."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
SETTINGS = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NEEDED = ("mkdocs", "mkdocstrings_handlers", "mike")
with_mkdocs = pytest.mark.skipif(
    not all(find_spec(name) for name in NEEDED), reason="the extra 'docs' is not installed"
)


def build(site: Path, settings: Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess[str]:
    """Build the site strictly: what MkDocs warns of makes it fail."""
    command = ("mkdocs", "build", "--strict", "--config-file", settings, "--site-dir", site)
    return subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=settings.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_every_place_has_its_page() -> None:
    named = set(re.findall(r"[- ](\w+\.md)$", SETTINGS, re.MULTILINE))
    written = {path.name for path in (ROOT / "docs").glob("*.md")}
    from tools.docs import ELSEWHERE

    assert named <= written | set(ELSEWHERE)
    assert all((ROOT / path).exists() for path in ELSEWHERE.values())


def test_the_reference_has_every_door_and_only_modules() -> None:
    modules = re.findall(r"- reference/(\S+)\.md", SETTINGS)
    assert all(find_spec(module) for module in modules)
    doors = {f"xiangqi.core.{path.stem}" for path in (ROOT / "xiangqi/core").glob("*.pyi")}
    assert doors - {"xiangqi.core.testing"} == {name for name in modules if ".core." in name}


@with_mkdocs
def test_the_site_is_whole(tmp_path: Path) -> None:
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    board = (tmp_path / "reference/xiangqi.core.position_board.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]*>", "", board)
    assert "push_iccs(text: str) -&gt; Move" in text  # the stub
    assert "Play a move given as coordinates" in text  # the docstring of what is compiled
    assert "Built-in immutable" not in text
    assert "__reduce_cython__" not in text
    assert 'href="xiangqi.core.move.html#xiangqi.core.move.Move"' in board
    pages = list(tmp_path.rglob("*.html"))
    listed = (tmp_path / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f'href="{page.stem}.html"' in listed
    for page in pages:
        assert not re.findall(r":(?:class|func|meth):`", page.read_text(encoding="utf-8")), page
        asked = re.findall(r"<(?:script|link|img)[^>]*https?://", page.read_text(encoding="utf-8"))
        assert asked == [], page


@with_mkdocs
def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    """In a copy of one page, without the reference."""
    for name in ("tools", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "wxf_cases"):
        (tmp_path / name).symlink_to(ROOT / name)
    settings = re.sub(
        r"^nav:\n.*?^(?=\S)", "nav: [Use: [index.md]]\n", SETTINGS, flags=re.DOTALL | re.MULTILINE
    )
    settings = re.sub(r"^  - mkdocstrings:\n(?:    .*\n)*", "", settings, flags=re.MULTILINE)
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    page = tmp_path / "docs/gui.md"
    page.parent.mkdir()
    (page.parent / "docs.css").touch()
    for text, complaint in (
        ("[up](../README.md#a-first-game)", ""),
        ("[up](../README.md#no-such-heading)", "no-such-heading"),
        ("[more](#nowhere)", "#nowhere"),
    ):
        page.write_text(f"# Page\n\n{text}\n", encoding="utf-8")
        done = build(tmp_path / "site", tmp_path / "mkdocs.yml")
        assert complaint in done.stderr
        assert bool(done.returncode) == bool(complaint), done.stderr
