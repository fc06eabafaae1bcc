"""The page in every language but English: no label of another language, and no text cut off."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support.languages import stray
from tests.support.play_page import Page, needs_driver, window
from xiangqi.ground.texts import LANGUAGES, Language, text_of

CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8"
LABELS = """
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!node.parentElement.closest("script, style, nav [hreflang], kbd")) found.push(node.data);
}
for (const one of document.querySelectorAll("body *")) {
  for (const name of ["title", "aria-label", "placeholder", "data-empty"])
    if (one.hasAttribute(name)) found.push(one.getAttribute(name));
}
const { mode, start, rules, phase, labels, ...words } = document.getElementById("game").dataset;
return [...found, ...Object.values(words)].filter((text) => text.trim());
"""
"""All texts of the page: shown, hidden, for screen readers, and for its scripts."""
WIDTHS = """
return Array.from(document.querySelectorAll(".tabs button, .menus button, .steps button, .large"),
  (one) => one)
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim());
"""
LINES = """
const source = document.getElementById("source");
Object.assign(source, { hidden: false, textContent: "the games of a long name.pgn" });
const range = document.createRange();
return [...document.querySelectorAll(".tabs button, .menus :is(a, button)")].filter((one) => {
  range.selectNodeContents(one);
  return one.checkVisibility() && range.getBoundingClientRect().height > 30;
}).map((one) => one.textContent.trim());
"""
"""Tabs and menus whose texts have more than one line, beside the name of an open file."""
COLUMNS = """
return ["thead th", "tbody td"].map((cells) => [...document.querySelectorAll(`#book ${cells}`)]
  .slice(0, 5).map((cell) => cell.getBoundingClientRect().x));
"""
"""Places of the first columns of the book, in its head and its first row."""
HEIGHTS = "return Array.from(document.querySelectorAll(arguments[0]), (one) => one.offsetHeight)"
TOPS = """
return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())
  .map((one) => Math.round(one.getBoundingClientRect().top));
"""
EXTENT = """
const { scrollHeight, clientHeight } = document.getElementById("panel-play");
return scrollHeight - clientHeight;
"""
"""Pixels of the Play tab that are out of sight."""
EXCESS = "return document.scrollingElement.scrollWidth - innerWidth"
"""Pixels by which the page is wider than the window."""

NAMESAKES = """
const names = [...document.querySelectorAll("button")].filter((one) => one.checkVisibility())
  .map((one) => one.ariaLabel ?? one.innerText.trim());
return names.filter((name, place) => names.indexOf(name) !== place);
"""
"""Names of several buttons that show at the same time."""

pytestmark = needs_driver


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_all_labels_are_in_the_language(page: Page, language: Language) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
    page.wait(lambda: text_of(language, "perpetual_check") in page.text("status"))
    page.click("#tab-analyse")
    page.settle()
    labels = page.run(LABELS)
    assert text_of(language, "page.languages") in labels
    assert any(text_of(language, "perpetual_check") in label for label in labels)
    assert len(labels) > 400
    found = {label: words for label in labels if (words := stray(language, label))}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_are_not_cut_off(page: Page) -> None:
    for width in (1200, 800, 390, 360, 320):
        with window(page, width, 800):
            assert page.run(WIDTHS) == [], width
            assert page.run(EXCESS) == 0, width
    with window(page, 390, 844):
        page.click("#start-more")
        assert not page.is_cut("#match-kind")
        page.choose("#match-preset", "10 0 60 30")
        assert not page.is_cut("#match-preset")
        page.choose("#match-kind", "people")
        assert not page.is_cut("#match-kind")
        page.choose("#match-kind", "engine")
        page.click("#match-close")
    with window(page, 820, 1180):
        assert page.run(LINES) == []
    with window(page, 1440, 900):
        assert page.run(EXTENT) == 0
        page.move("h2e2")
        page.click("#tab-analyse")
        page.wait(lambda: page.all("#book td:last-child"))
        assert not page.is_cut("#move")
        assert not page.is_cut("#review-nodes")
        assert max(page.run(HEIGHTS, "#book td:last-child")) < 50, "openings have two lines at most"
        places = page.run(COLUMNS)
        assert places[0] == places[1], "heads are above their columns"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_button_beside_the_board_has_a_name_of_its_own(page: Page) -> None:
    for tab in ("analyse", "referee"):  # in English, "Play" is a tab and begins a game
        page.click(f"#tab-{tab}")
        assert page.run(NAMESAKES) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_of_a_ruling_are_in_two_rows_at_most(page: Page) -> None:
    with window(page, 1440, 900):
        page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
        page.wait(lambda: page.find("#ruling").is_displayed())
        places = [button.rect["y"] for button in page.all("#ruling .row button")]
    assert len(places) == 4
    assert len(set(places)) <= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_of_a_match_have_one_line_on_tablets(page: Page) -> None:
    with window(page, 820, 1180):
        page.click("#start-play")
        page.wait(lambda: page.find("#resign").is_displayed())
        sizes = [button.rect["height"] for button in page.all("#match .actions button")]
        assert len(sizes) > 6
        assert max(sizes) <= 42
        page.click("#match-abandon")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_levels_are_not_cut(page: Page) -> None:
    for size in ((1440, 900), (1366, 650), (820, 1180), (390, 844)):
        with window(page, *size):
            assert page.cut_options("#start-level") == [], size
            page.click("#start-more")
            assert page.cut_options("#match-level-red") == [], size
            page.click("#match-close")


def test_each_language_is_chosen_by_its_own_name(page: Page) -> None:
    for language in LANGUAGES:
        page.click("#menu-language-open")
        names = [link.text for link in page.all("#menu-language a")]
        assert names == [text_of(one, "language.name") for one in LANGUAGES]
        page.click(f"#menu-language a[lang={language}]")
        page.wait(partial(page.all, f"html[lang={language}]"))
        page.wait(partial(page.text, "status"))


REVIEWED = (
    '[Result "*"]\n\n1. h2e2 {[%eval 0.21]} h7e7 $4 {[%eval 5.77]} '
    "2. h0g2 $4 {[%eval -14.25]} h9g7 $4 {[%eval 10.60]} 3. e2e6 $2 {[%eval -3.72]} *"
)
"""A game with marks and evaluations."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_and_their_evaluations_have_one_line(page: Page) -> None:
    page.paste(REVIEWED)
    page.wait(lambda: len(page.all("#moves [data-evaluation]")) == 5)
    page.click("#tab-analyse")
    for size in ((360, 640), (390, 844), (1024, 768), (1366, 768)):
        with window(page, *size):
            heights = page.run(HEIGHTS, "#moves [data-evaluation]")
            assert len(heights) == 5
            assert max(heights) < 34, size
