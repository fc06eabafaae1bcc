"""Names and titles with markup and scripts, on all pages in headless Chromium: they stay text."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from urllib.parse import urldefrag

import pytest

from tests.support.devtools import Chromium
from tests.support.patience import wait_until
from tests.support.play_page import Page, forgetting, needs_driver, read_log
from tests.support.soak import SOAK
from tests.support.web_server import serving_pages
from xiangqi import Move
from xiangqi.games.formats import FORMATS, WriteOptions
from xiangqi.games.tree import Game
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.web.pages.site import SiteReport
from xiangqi.web.serve.engines import Engines
from xiangqi.words.voice import Voice

pytestmark = needs_driver

ATTACKS = (
    "<script>window.taken = 1</script>",
    "</script><script>window.taken = 1</script>",
    "<img src=x onerror='window.taken = 1'>",
    "\"><svg onload='window.taken = 1'>",
    "' autofocus onfocus='window.taken = 1' x='",
    "javascript:window.taken = 1",
    "<!--</title></textarea><iframe srcdoc='<script>parent.taken = 1</script>'>",
    "`${window.taken = 1}`{{window.taken = 1}}",
    "&lt;script&gt;window.taken = 1&lt;/script&gt;",
    "\u2028window.taken = 1//\u202e\u0000<marquee>",
)
HEADERS = (
    "Event", "Site", "Date", "Round", "Red", "RedTeam", "RedElo", "Black", "BlackTeam", "Title",
    "ECCO", "Opening", "Variation", "Annotator", "TimeControl", "Termination", "Result", "Rules",
)  # fmt: skip
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CYCLE = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split()
MAX_PAGES = 60
LANGUAGE = re.compile(rf"(?:/|lang=)({'|'.join(LANGUAGES)})(?![^/&])")
"""Language in the address of a page."""
FOUND = """
return [
  window.taken,
  document.querySelectorAll('img[src="x"], svg[onload], iframe[srcdoc], [onfocus], marquee').length,
  [...document.querySelectorAll("a[href]")].filter((a) => a.checkVisibility()).map((a) => a.href),
  document.documentElement.textContent.includes("window.taken"),
];
"""
"""Did a script run, how many elements come from an attack, links of the page, and is an attack
shown as text?"""


OPTIONS = "return [...document.querySelectorAll('option')].map((one) => one.textContent)"
"""Names in the lists of a page."""


def hostile_game(attack: str) -> Game:
    """A game with the attack in each header and comment."""
    game = Game(CHECKS, dict.fromkeys(HEADERS, attack))
    game.root.comment = attack
    node = game.root
    for text in CYCLE:
        node = node.add_variation(Move.from_iccs(text), comment=attack)
    return game


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of such games whose own name is an attack."""
    path = tmp_path_factory.mktemp("names") / f"{ATTACKS[2]}.pgn"
    with path.open("wb") as out:
        FORMATS["pgn"].write(map(hostile_game, ATTACKS), out, WriteOptions(lossy=True))
    return path


def visit(driver: Chromium, address: str, language: Language) -> int:
    """Open a page and all that it links to, at one place and in one language; the number of pages
    that show attacks.
    """
    place = address.rsplit("/", 1)[0]
    ahead, seen, shown = [address], set[str](), 0
    read_log(driver)
    while ahead and len(seen) < MAX_PAGES:
        page = ahead.pop(0)
        if page in seen:
            continue
        seen.add(page)
        driver.get(page)
        taken, elements, links, is_shown = driver.tools.run(FOUND)
        assert (taken, elements) == (None, 0), page
        assert read_log(driver) == [], page
        shown += is_shown
        ahead += [
            urldefrag(link).url
            for link in links
            if link.startswith(place) and {language}.issuperset(LANGUAGE.findall(link))
        ]
    assert not [one for one in driver.window_handles if one != driver.current_window_handle]
    return shown


@pytest.mark.parametrize("language", LANGUAGES if SOAK else ["en"])
def test_names_on_served_pages_stay_text(
    chromium: Chromium, hostile_file: Path, language: Language
) -> None:
    """The board, the list of a file, and each game as a page and on the board; in each language
    with MEIHUA_SOAK=1.
    """
    voice = Voice(language)
    with serving_pages(voice=voice, files=[str(hostile_file)]) as server:
        assert visit(chromium, server.address, language) > 2 * len(ATTACKS)


@pytest.mark.parametrize("language", LANGUAGES if SOAK else ["zh"])
def test_names_in_reports_stay_text(
    chromium: Chromium, hostile_file: Path, tmp_path: Path, language: Language
) -> None:
    assert len(list(SiteReport(tmp_path, Voice(language)).write_games([str(hostile_file)]))) > 1
    assert visit(chromium, (tmp_path / "index.html").as_uri(), language) >= len(ATTACKS)


@pytest.fixture
def engines() -> Engines:
    """Engines whose names are attacks, and that give themselves such names."""
    program = (
        "import sys\n"
        "for line in sys.stdin:\n"
        f"    if line == 'uci\\n': print('id name ' + {ATTACKS[0]!r} + '\\nuciok', flush=True)\n"
        "    if line == 'isready\\n': print('readyok', flush=True)\n"
        "    if line.startswith('go'): print('info string ' + "
        f"{ATTACKS[2]!r} + '\\nbestmove h2e2', flush=True)\n"
    )
    command = shlex.join([sys.executable, "-c", program])
    return Engines({attack[:40]: command for attack in ATTACKS if "\u0000" not in attack})


def test_names_of_engines_stay_text(chromium: Chromium, engines: Engines) -> None:
    with serving_pages(engines=engines) as server:
        visit(chromium, server.address, "en")
        page = Page(chromium, server)
        with forgetting(chromium):
            page.open()
        page.click("#tab-play")
        page.click("#start-more" if page.find("#start").is_displayed() else "#match-open")
        wait_until(lambda: ATTACKS[0] in chromium.tools.run(OPTIONS))
        taken, elements, *_ = chromium.tools.run(FOUND)
        assert (taken, elements) == (None, 0)
        assert read_log(chromium) == []
