"""The design of the page in headless Chromium: sizes, first steps, faults shown in place."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.play_page import (
    Page,
    board_after,
    drag,
    has_moves,
    needs_driver,
    pieces_of,
    press_mouse,
    read_log,
    window,
)
from tests.support.soak import SOAK
from tools.setup.npm_tools import TOOLS
from xiangqi.drawing.svg import View
from xiangqi.ground.texts import LANGUAGES
from xiangqi.pieces import RED

pytestmark = needs_driver

ROOT = Path(__file__).parents[2]
AXE = ROOT / TOOLS / "node_modules/axe-core/axe.min.js"
CYCLE = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w\n" + "f0e0 e8f8 e0f0 f8e8 " * 2
LOOKS = [
    (size, scheme, language)
    for size in ((1366, 650), (390, 844))
    for scheme in ("light", "dark")
    for language in LANGUAGES
]
"""Windows, colour schemes and languages for axe-core: each test takes one, and all with
MEIHUA_SOAK=1."""
SIZES = [(1440, 900), (1366, 650), (820, 1180), (390, 844), (360, 640)]
IS_SEEN = """
const element = document.querySelector(arguments[0]);
const box = element.getBoundingClientRect();
const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, innerHeight) / 2];
const isInside = box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1
  && box.right <= innerWidth + 1;
const top = document.elementFromPoint(x, y);
return isInside && (element.contains(top) || top.contains(element));
"""
"""Is an element wholly in the window and covered by nothing?"""
PASTE = """
const [selector, text] = arguments;
const data = new DataTransfer();
data.setData("text/plain", text);
const target = document.querySelector(selector);
if (target.value !== undefined) target.value = text;
target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
"""
DROP = """
const [name, text] = arguments;
const data = new DataTransfer();
data.items.add(new File([text], name));
const send = (kind) => document.querySelector("#moves, body").dispatchEvent(
  new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
send("dragover");
const isTold = document.body.classList.contains("dropping");
send("drop");
return isTold && !document.body.classList.contains("dropping");
"""


def is_seen(page: Page, selector: str) -> bool:
    return bool(page.run(IS_SEEN, selector))


def sizes(page: Page) -> tuple[int, int]:
    """Excess of the page over the window, in width and height."""
    script = """const { scrollWidth, scrollHeight } = document.scrollingElement;
        return [scrollWidth - innerWidth, scrollHeight - innerHeight]"""
    width, height = page.run(script)
    return width, height


def is_lower(page: Page, height: float) -> bool:
    return float(page.find("#table").rect["height"]) < height


def test_the_page_does_not_scroll_and_the_board_stays_in_sight(page: Page) -> None:
    page.paste(CYCLE)
    page.wait(partial(has_moves, page, 8))
    for width, height in SIZES:
        with window(page, width, height):
            for mode in ("play", "analyse", "referee"):
                page.click(f"#tab-{mode}")
                assert max(sizes(page)) <= 0, (mode, width)
                for part in (".wood", "#upper-name", "#lower-name", "#next", "#panel"):
                    assert is_seen(page, part), (mode, part, width)
            board = page.find("#table").rect["height"]
            if width > height:
                assert board > height - 100
                continue
            assert is_seen(page, "#strip [aria-current]")
            page.click("#drawer")
            if width < 800:
                page.wait(partial(is_lower, page, board))
            assert is_seen(page, ".wood")
            assert is_seen(page, "#strip [aria-current]")
            page.click("#drawer")


@pytest.mark.parametrize("size", [(1366, 650), (390, 844)])
def test_a_stranger_begins_a_game_by_one_click(page: Page, size: tuple[int, int]) -> None:
    with window(page, *size):
        assert is_seen(page, "#start-play")
        page.run("document.getElementById('panel').scrollTop = 40")
        page.find("#start-play").click()
        page.wait(lambda: page.text("status") == "Your move")
        scrolled = page.run("return document.getElementById('panel').scrollTop")
        assert scrolled == 0, "the state of the game is in sight"
        assert page.text("lower-name") == "You"
        page.move("h2e2")
        page.wait(lambda: len(page.moves) == 2 and page.text("status") == "Your move")
        page.wait(lambda: page.find("#game").get_attribute("data-sounded"))


@pytest.mark.parametrize("size", [(1366, 650), (390, 844)])
def test_a_stranger_pastes_a_game_by_two_and_sees_its_ruling(
    page: Page, size: tuple[int, int]
) -> None:
    with window(page, *size):
        page.find("#open-game").click()
        assert page.find(":focus").get_attribute("id") == "paste"
        page.run(PASTE, "#paste", CYCLE)
        page.wait(lambda: page.find("#ruling").is_displayed())
        assert not page.find("#open-dialog").is_displayed()
        for part in ("#status", "#badge", ".wood", "#cycle"):
            assert is_seen(page, part), part
        assert page.text("badge") == "Red must change"
        assert page.find("#badge").get_attribute("data-side") == "red"
        assert "Red checked perpetually" in page.text("status")


def test_a_text_is_pasted_and_a_file_dropped_anywhere(page: Page, files: Path) -> None:
    page.run(PASTE, "body", "h2e2 h9g7")
    page.wait(partial(has_moves, page, 2))
    assert page.run(DROP, "game.txt", "b2e2 h9g7 b0c2")
    page.wait(partial(has_moves, page, 3))
    game = '[Red "A"]\n\n1. h2e2 *\n\n'
    page.run(DROP, "games.pgn", game + game)
    page.wait(lambda: len(page.all("#chapters button")) == 2)


def selected(page: Page, selector: str) -> str:
    script = """const field = document.querySelector(arguments[0]);
        return field.value.slice(field.selectionStart, field.selectionEnd)"""
    return str(page.run(script, selector))


def test_unreadable_text_is_reported_and_selected_in_the_field(page: Page) -> None:
    page.paste("h2e2 h9g7\nnonsense h0g2")
    page.wait(lambda: "line 2, column 1" in page.text("paste-error"))
    assert selected(page, "#paste") == "nonsense"
    assert page.find("#paste").get_attribute("aria-invalid") == "true"
    assert len(page.moves) == 3, "reading goes on behind the words"
    page.paste("h2e2 h9h5")
    page.wait(lambda: "cannot reach h5" in page.text("paste-error"))
    page.paste("h2e2")
    page.wait(lambda: not page.find("#open-dialog").is_displayed())
    page.run(PASTE, "body", "rubbish")
    page.wait(lambda: "'rubbish'" in page.text("paste-error"))
    assert selected(page, "#paste") == "rubbish"
    page.press("#fen", Keys.CONTROL + "a")
    page.press("#fen", "9/9/9 w", Keys.ENTER)
    page.wait(lambda: "'9/9/9'" in page.text("fen-error"))
    page.find("#open-close").click()
    page.click("#open-game")
    assert page.text("paste-error") == page.text("fen-error") == ""
    page.find("#open-close").click()


def test_a_click_that_does_nothing_says_why(page: Page) -> None:
    page.settle()
    press_mouse(page, "mousePressed", "h9")
    press_mouse(page, "mouseReleased", "h9")
    page.wait(lambda: page.text("board-note") == "Red to move")
    press_mouse(page, "mousePressed", "e0")
    press_mouse(page, "mouseReleased", "e0")
    page.wait(lambda: page.all("#table .chosen"))
    drag(page, "h0", "h4")
    page.wait(lambda: "file 2 cannot go there" in page.text("board-note"))
    assert page.pieces == pieces_of(board_after().fen())
    page.move("h2e2")
    assert page.text("board-note") == ""
    page.driver.get_log("browser")  # type: ignore[no-untyped-call]


def test_evidence_is_shown_on_the_board_and_moves_are_labelled(page: Page) -> None:
    page.paste(CYCLE)
    page.wait(partial(has_moves, page, 8))
    labels = [button.get_attribute("data-conduct-name") for button in page.all("#moves button")]
    assert labels == ["check", "idle"] * 4
    page.click("#evidence > li:nth-child(3) ul button")
    page.wait(lambda: page.arrows == {("f0", "f8", "check")})
    assert page.find("#moves [aria-current]").get_attribute("data-ply") == "7", "the last of them"
    assert page.all("#evidence [aria-current]")
    assert page.find(".state").get_attribute("data-offender") == ""
    page.click("#next")
    page.wait(lambda: page.arrows == {("h0", "f0", "attack")})
    page.wait(lambda: page.find(".state").get_attribute("data-offender") == "red")


def test_rounds_are_counted_where_the_rules_count_them(page: Page) -> None:
    page.paste(CYCLE)
    page.wait(partial(has_moves, page, 8))
    page.choose("#rules", "tiantian")
    page.wait(lambda: [item.text for item in page.all("#counters li")] == ["Red: checks, 4 of 6"])
    meter = page.find("#counters meter")
    assert (meter.get_attribute("value"), meter.get_attribute("max")) == ("4", "6")


def test_heads_of_the_table_of_rules_do_not_break_inside_words(page: Page) -> None:
    with window(page, 390, 844):
        page.paste(CYCLE)
        page.wait(partial(has_moves, page, 8))
        page.click("#books-open")
        page.wait(lambda: len(page.all("#books tr")) > 10)
        heights = page.run(
            "return Array.from(document.querySelectorAll('#books th'), (th) => th.offsetHeight)"
        )
        assert max(heights) < 40
        assert max(sizes(page)) <= 0


def test_pieces_and_boards_are_chosen_and_pictures_agree(page: Page) -> None:
    part = "return document.getElementById(arguments[0]).innerHTML"
    page.choose("#pieces", "letters")
    assert ">H<" in page.run(part, "piece-N"), "as WXF names it"
    page.choose("#pieces", "pictograms")
    assert "evenodd" in page.run(part, "piece-n")
    wood = page.run(part, "empty-board")
    assert wood.count("L") > 100, "the grain"
    light = page.run(part, "piece-n")
    page.choose("#tone", "dark")
    dark = page.run(part, "piece-n")
    assert dark != light
    page.choose("#wood", "jade")
    assert page.run(part, "empty-board") != wood
    page.open()
    assert (page.value("pieces"), page.value("wood")) == ("pictograms", "jade")
    assert page.run(part, "piece-n") == dark
    page.choose("#tone", "light")
    face = ' fill="#fdf4e0"'
    assert (face in light, face in dark) == (True, False)
    assert face in page.run(part, "piece-n")
    page.choose("#wood", "wood")
    fill = "return document.querySelector('#empty-board rect').getAttribute('fill')"
    assert page.run(fill) in wood
    page.choose("#pieces", "traditional")


PIXELS = """
const [picture, width, height, points, done] = arguments;
const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
createImageBitmap(new Blob([bytes], { type: "image/png" })).then((image) => {
  const context = new OffscreenCanvas(image.width, image.height)
    .getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  done(points.map(([x, y]) => {
    const at = [Math.round(x * image.width / width), Math.round(y * image.height / height)];
    const [red, green, blue] = context.getImageData(...at, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  }));
});
"""
PARTS = """
const style = (selector) => getComputedStyle(document.querySelector(`#sprite ${selector}`));
const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
return {
  ground: style("#empty-board rect").fill,
  paper: style("#empty-board rect + rect").fill,
  line: style("#empty-board > path:last-of-type").stroke,
  label: style("#labels-red-wxf text").fill,
  last: style("#mark-last path").stroke,
  target: value("--target-mark"),
  frame: value("--frame-mark"),
};
"""


def luminance(color: str) -> float:
    """Relative luminance of ``rgb(1, 2, 3)`` or ``#010203``, as WCAG 2 defines it."""
    parts = re.findall(r"\d+", color) if color.startswith("rgb") else []
    numbers = [int(part) for part in parts] or list(bytes.fromhex(color.strip().lstrip("#")))
    shares = [one / 255 for one in numbers]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("wood", ["wood", "jade"])
def test_boards_are_darker_by_night_and_their_marks_can_be_seen(page: Page, wood: str) -> None:
    page.choose("#wood", wood)
    papers = []
    for scheme in ("light", "dark"):
        with window(page, 1366, 650, prefers_color_scheme=scheme):
            parts = page.run(PARTS)
            picture = page.driver.find_element("id", "table").screenshot_as_base64
        view = View.with_labels(RED)
        middle, edge = view.place(0.5, 0.5), (5, view.height / 2)
        size = (view.width, view.height)
        seen = page.answer(PIXELS, picture, *size, [middle, edge])
        assert seen == [parts["paper"], parts["ground"]], "copies of the parts have their colours"
        papers.append(luminance(parts["paper"]))
        assert contrast(parts["ground"], parts["label"]) >= 4.5
        for mark in ("line", "last", "target", "frame"):
            assert contrast(parts["paper"], parts[mark]) >= 3, (scheme, mark)
    assert papers[1] < 0.65 * papers[0]
    page.choose("#wood", "wood")


SOUNDS = """
window.knocks = 0;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  window.knocks += 1;
  return create.call(this);
};
"""


def test_sounds_are_switched_off_and_stay_off(page: Page) -> None:
    def knocks_of(move: str) -> int:
        page.move(move)
        return int(page.run("return window.knocks"))

    page.run(SOUNDS)
    page.click("#menu-look-open")
    assert page.find("#sounds").is_selected()
    page.press("body", Keys.ESCAPE)
    assert knocks_of("h2e2") > 0
    page.click("#sounds")
    page.press("body", Keys.ESCAPE)
    before = page.run("return window.knocks")
    assert knocks_of("h9g7") == before
    page.open()
    page.run(SOUNDS)
    assert not page.find("#sounds").is_selected()
    assert knocks_of("h0g2") == 0
    page.click("#sounds")
    page.press("body", Keys.ESCAPE)
    assert knocks_of("i9h9") > 0


def test_modes_are_tabs_for_keyboards(page: Page) -> None:
    page.press("body", "3")
    assert page.find("#tab-referee").get_attribute("aria-selected") == "true"
    page.press("#tab-referee", Keys.ARROW_LEFT)
    active = page.find(":focus")
    assert active.get_attribute("id") == "tab-analyse"
    assert page.find("#panel-analyse").is_displayed()
    page.press("body", Keys.ARROW_LEFT)
    assert page.find("#panel-analyse").is_displayed(), "elsewhere arrows step through the game"
    page.move("h2e2")
    page.wait(lambda: page.find("#spoken").get_property("textContent") == "1. C2.5")


OPENERS = (
    "#open-game",
    "#match-open",
    "#edit-position",
    "#games-open",
    "#help-open",
    "#menu-game-open",
    "#menu-look-open",
)
FINDINGS = """
const done = arguments[0];
const { violations } = await axe.run(document, { resultTypes: ["violations"] });
done(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(" "))]));
"""


def findings(page: Page) -> list[Any]:
    """Findings of axe-core, with the elements."""
    if not page.run("return typeof axe === 'object'"):
        page.run(AXE.read_text(encoding="utf-8"))
    return list(page.answer(FINDINGS))


@pytest.mark.skipif(not AXE.exists(), reason="axe-core (npm, fetched by dev.py) is not there")
@pytest.mark.parametrize(
    ("size", "scheme", "language"), LOOKS if SOAK else [((390, 844), "dark", "zh")]
)
def test_axe_finds_nothing(page: Page, size: tuple[int, int], scheme: str) -> None:
    with window(page, *size, prefers_color_scheme=scheme):
        page.settle()
        found = {"start": findings(page)}
        page.paste(CYCLE)
        page.wait(partial(has_moves, page, 8))
        page.wait(lambda: page.find("#ruling").is_displayed())
        for mode in ("referee", "analyse", "play"):
            page.click(f"#tab-{mode}")
            found[mode] = findings(page)
        for opener in OPENERS:
            page.click(opener)
            found[opener] = findings(page)
        page.run(DROP, "games.pgn", '[Red "A"]\n\n1. h2e2 *\n\n' * 2)
        page.wait(lambda: len(page.all("#chapters button")) == 2)
        found["chapters"] = findings(page)
        assert {place: list(wrong) for place, wrong in found.items() if wrong} == {}
    read_log(page.driver)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core (npm, fetched by dev.py) is not there")
@pytest.mark.parametrize(
    ("size", "scheme", "language"), LOOKS if SOAK else [((1366, 650), "light", "vi")]
)
def test_axe_finds_nothing_in_lessons(page: Page, size: tuple[int, int], scheme: str) -> None:
    with window(page, *size, prefers_color_scheme=scheme):
        page.paste("h2e2 h7e7 h0g2 h9g7 e2e6 e7e3 b0c2 g7e6")
        page.wait(partial(has_moves, page, 8))
        page.choose("#review-nodes", "2000")
        page.click("#review-game")
        page.wait(lambda: page.all("#reviewed:not([hidden])"))
        page.click("#moves button[data-ply='5']")
        page.wait(lambda: page.text("review-notes"))
        found = {"review": findings(page)}
        for begin in ("#train-red", "#puzzle-begin", "#cycle-begin"):
            page.click(begin)
            page.wait(lambda: page.text("task-text"))
            page.settle()
            found[begin] = findings(page)
            assert is_seen(page, "#task-text") or size[0] < size[1]
            if begin != "#cycle-begin":
                page.click("#task-hint")
            is_ruling = page.all("#task-answers:not([hidden])")  # others: find the move that holds
            page.click("[data-answer='nobody']" if is_ruling else "#task-solution")
            page.wait(lambda: page.text("task-said"))
            found[f"{begin} answered"] = findings(page)
            assert max(sizes(page)) <= 0
            page.click("#task-end")
        assert {place: list(wrong) for place, wrong in found.items() if wrong} == {}
    read_log(page.driver)
