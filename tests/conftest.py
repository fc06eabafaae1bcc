"""Fixtures of all tests: their order, profiles of hypothesis, servers, a browser, tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bench.building import build
from tests.support.devtools import Chromium
from tests.support.play_page import Page, forgetting, read_log, running_chromium
from tests.support.soak import SOAK
from tests.support.web_server import serving_pages
from xiangqi.ground.texts import Language
from xiangqi.ground.workers import in_this_process
from xiangqi.tables.classes import parse_class
from xiangqi.tables.making import make_tables
from xiangqi.tables.probing import default_folder
from xiangqi.web.serve.server import WebServer

settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=1000 if SOAK else 40,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("ci"), derandomize=False, max_examples=5000
)
settings.load_profile("ci")  # pytest --hypothesis-profile=explore looks further


def pytest_configure(config: pytest.Config) -> None:
    """Compile shared code before several processes begin, which would collide."""
    if config.getoption("numprocesses", default=None) and not hasattr(config, "workerinput"):
        build()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run long tests first: at the end other processes would wait for it.

    The static site is the first of all: one process then has all of its tests, while each process
    that has some of them builds and loads it.
    """

    def place(item: pytest.Item) -> int:
        is_long = item.get_closest_marker("long") is not None
        return 0 if item.path.stem == "test_site_chromium" else 1 if is_long else 2

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def usual_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The usual place of endgame tables is one of the tests, not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield default_folder()


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    """``xiangqi serve`` on a free port."""
    with serving_pages() as running:
        yield running


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for files that a browser opens and saves."""
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="session")
def chromium(files: Path) -> Iterator[Chromium]:
    """A headless browser, for all tests that look at pages."""
    with running_chromium(files) as driver:
        yield driver


@pytest.fixture
def language() -> Language:
    """The page's language, in tests that have no parameter of this name."""
    return "en"


@pytest.fixture
def page(chromium: Chromium, server: WebServer, language: Language) -> Iterator[Page]:
    """The page with a new game; afterwards the browser must have had nothing to complain of."""
    page = Page(chromium, server)
    with forgetting(chromium):
        page.open(f"?lang={language}")
    read_log(chromium)
    yield page
    assert [line for line in read_log(chromium) if "status of 400" not in line] == []


@pytest.fixture(scope="session")
def chariot_horse_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the endgame tables of chariot against horse under two rule sets."""
    place = tmp_path_factory.mktemp("tables")
    for rules in ("wxf", "all-draws"):
        made = list(make_tables(place, [parse_class("KRvKN")], rules, in_this_process()))
        assert [material.name for material in made] == ["KvK", "KNvK", "KRvK", "KRvKN"]
    return place
