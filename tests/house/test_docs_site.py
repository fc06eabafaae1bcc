"""The docs as a site: all pages, no broken link, no other host, and a search of any language."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.patience import PATIENCE_S
from tests.support.play_page import needs_driver, running_chromium

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


def test_navigation_names_existing_pages() -> None:
    named = set(re.findall(r"[- ](\w+\.md)$", SETTINGS, re.MULTILINE))
    written = {path.name for path in (ROOT / "docs").glob("*.md")}
    from tools.docs import ELSEWHERE

    assert named <= written | set(ELSEWHERE)
    assert all((ROOT / path).exists() for path in ELSEWHERE.values())


def test_reference_has_every_compiled_module_with_a_stub() -> None:
    modules = re.findall(r"- reference/(\S+)\.md", SETTINGS)
    assert all(find_spec(module) for module in modules)
    doors = {f"xiangqi.core.{path.stem}" for path in (ROOT / "xiangqi/core").glob("*.pyi")}
    assert doors - {"xiangqi.core.testing"} == {name for name in modules if ".core." in name}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder


@with_mkdocs
def test_site_has_all_pages_stubs_and_no_foreign_resources(site: Path) -> None:
    board = (site / "reference/xiangqi.core.position_board.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]*>", "", board)
    assert "push_iccs(text: str) -&gt; Move" in text  # the stub
    assert "Play a move given as coordinates" in text  # the docstring of what is compiled
    assert "Built-in immutable" not in text
    assert "__reduce_cython__" not in text
    assert 'href="xiangqi.core.move.html#xiangqi.core.move.Move"' in board
    pages = list(site.rglob("*.html"))
    listed = (site / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f'href="{page.stem}.html"' in listed
    for page in pages:
        assert not re.findall(r":(?:class|func|meth):`", page.read_text(encoding="utf-8")), page
        asked = re.findall(r"<(?:script|link|img)[^>]*https?://", page.read_text(encoding="utf-8"))
        assert asked == [], page


@pytest.fixture(scope="module", params=["server", "file"])
def address(site: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Address of the site, served or opened as files."""
    if request.param == "file":
        yield site.as_uri()
        return
    handler = partial(QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        pass


RESULTS = "mkdocs-search-results"
LINKS = "return [...document.querySelectorAll(`#${arguments[0]} a`)].map((link) => link.href)"
TYPE = """
const input = document.getElementById("mkdocs-search-query");
input.value = arguments[0];
input.dispatchEvent(new Event("input"));
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with running_chromium(tmp_path_factory.mktemp("browser")) as running:
        yield running


def read_page(driver: Chrome, address: str, query: str = "") -> list[str]:
    """Open a page whose scripts must not fail; the addresses that its search finds."""
    driver.get(address + (f"?q={quote(query)}" if query else ""))
    if query:
        wait = WebDriverWait(driver, PATIENCE_S)
        wait.until_not(lambda _: "Searching" in driver.find_element("id", RESULTS).text)
    return read_results(driver)


def type_query(driver: Chrome, query: str) -> list[str]:
    """Type into the open page of the search; what it finds."""
    driver.execute_script(TYPE, query)
    return read_results(driver)


def read_results(driver: Chrome) -> list[str]:
    """Addresses of the links, on a page whose scripts have not failed."""
    links = driver.execute_script(LINKS, RESULTS)
    log = driver.get_log("browser")  # type: ignore[no-untyped-call]
    faults = [line["message"] for line in log if line["level"] == "SEVERE"]
    assert not [fault for fault in faults if "favicon" not in fault]
    return list(links)


@with_mkdocs
@needs_driver
def test_the_search_finds_words_of_any_language(address: str, driver: Chrome) -> None:
    found = read_page(driver, f"{address}/search.html", "炮")
    assert any("python.html" in link for link in found)
    for query, wanted in (
        ("长捉", "rules.html"),
        ("一将一捉", "rules.html"),
        ("不变作和", "rules.html"),
        ("perpetual chase", "rules.html"),
        ("PERPET", "rules.html"),
        ("perpetual chases", "rules.html"),
        ("push_iccs", "python.html"),
        ("MEIHUA_API_KEY: --key", "api.html"),
    ):
        found = type_query(driver, query)
        assert any(wanted in link for link in found), query
        assert all(link.startswith(address) for link in found)
    (best, *_) = type_query(driver, "glossary")
    assert "glossary.html" in best, "titles weigh more"
    assert not driver.execute_script("return 'lunr' in window"), "no index is made"
    for query in ("长棰", "a:b^c~1 +*q9", "<b>q9</b>", "+*^"):
        assert type_query(driver, query) == []


@with_mkdocs
@needs_driver
def test_no_script_of_a_page_fails(address: str, driver: Chrome) -> None:
    for page in ("index.html", "rules.html", "reference/xiangqi.board.html", "search.html"):
        assert read_page(driver, f"{address}/{page}") == []


@with_mkdocs
def test_broken_link_is_an_error(tmp_path: Path) -> None:
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
    for text, complaints in (
        ("[up](../README.md#a-first-game)", []),
        ("[up](../README.md#no-such-heading), [more](#nowhere)", ["no-such-heading", "#nowhere"]),
    ):
        page.write_text(f"# Page\n\n{text}\n", encoding="utf-8")
        done = build(tmp_path / "site", tmp_path / "mkdocs.yml")
        assert all(complaint in done.stderr for complaint in complaints)
        assert bool(done.returncode) == bool(complaints), done.stderr
