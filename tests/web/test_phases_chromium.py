"""Phases of the game on the board: what shows in each mode and window, and what a game forbids."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, has_moves, needs_driver, window, without_connection

pytestmark = needs_driver

SIZES = [(1440, 900), (1366, 650), (820, 1180), (390, 844)]
CYCLE = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w\n" + "f0e0 e8f8 e0f0 f8e8 " * 2
LAYOUT = """
const isShown = (one) => one.checkVisibility({ visibilityProperty: true })
  && !one.closest(".unseen, dialog") && one.getClientRects().length > 0;
const shown = [...document.querySelectorAll("#game [id]")].filter(isShown);
const clipped = (one) => {
  let { left, top, right, bottom } = one.getBoundingClientRect();
  for (let at = one.parentElement; at; at = at.parentElement) {
    if (getComputedStyle(at).overflowY === "visible" && at !== document.body) continue;
    const box = at.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return { left, top, right, bottom };
};
const controls = [...document.querySelectorAll(
  "#game :is(button, input, select, textarea, #table, #graph, .side, #status)")].filter(isShown);
const boxes = controls.map((one) => [one, clipped(one)])
  .filter(([, { left, right, top, bottom }]) => right - left > 2 && bottom - top > 2);
const overlaps = [];
boxes.forEach(([one, a], place) => boxes.slice(place + 1).forEach(([other, b]) => {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const isPart = one.contains(other) || other.contains(one);
  if (wide > 1 && high > 1 && !isPart) overlaps.push([one.id, other.id, other.textContent]);
}));
return { shown: shown.map(({ id }) => id), overlaps };
"""
"""Ids of the elements of the game that show, and pairs of controls that overlap."""
ALWAYS = {"table", "status", "upper-name", "lower-name", "next", "flip"}
PHASES = ("start", "match", "over", "task", "solved", "review")
UNAIDED = ("match", "task")
PARTS: dict[str, dict[str, set[str]]] = {
    "play": {
        "start": {"start-play", "examples", "puzzle-begin", "helper"},
        "match": {"match", "match-open", "resign", "offer-draw", "take-back", "hint"},
        "over": {"match", "rematch", "match-open", "play-on", "puzzle-begin", "helper"},
        "task": {"task", "task-text", "task-hint", "task-next", "task-end"},
        "solved": {"task", "task-text", "task-said", "task-next", "task-end"},
        "review": {"match", "match-open", "play-on", "puzzle-begin", "helper"},
    },
    "analyse": {
        **{
            phase: {"analyse", "threats", "review-game"} for phase in PHASES if phase not in UNAIDED
        },
        **{phase: set() for phase in UNAIDED},
    },
    "referee": {phase: set() if phase == "task" else {"rules", "books-open"} for phase in PHASES},
}
"""Parts that show in a mode and phase."""
LISTED = {part for phases in PARTS.values() for parts in phases.values() for part in parts}


def begin_match(page: Page) -> None:
    page.click("#tab-play")
    page.click("#start-play")
    page.wait(lambda: page.text("status") == "Your move")
    page.move("h2e2")
    page.wait(lambda: len(page.moves) == 2 and page.text("status") == "Your move")


def resign(page: Page) -> None:
    page.click("#tab-play")
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.text("status") == "Black wins: by resignation")


def begin_task(page: Page) -> None:
    page.click("#tab-play")
    page.click("#puzzle-begin")
    page.wait(lambda: page.text("task-text"))


def solve_task(page: Page) -> None:
    page.click("#tab-play")
    page.click("#task-solution")
    page.wait(lambda: page.text("task-said"))


def review(page: Page) -> None:
    page.click("#tab-play")
    page.click("#task-end")
    page.paste("h2e2 h9g7 h0g2")
    page.wait(partial(has_moves, page, 3))


STEPS: dict[str, Callable[[Page], None]] = {
    "start": lambda page: None,
    "match": begin_match,
    "over": resign,
    "task": begin_task,
    "solved": solve_task,
    "review": review,
}


def phase_of(page: Page) -> str | None:
    return page.find("#game").get_attribute("data-phase")


def is_in(page: Page, phase: str) -> bool:
    return phase_of(page) == phase


def layout(page: Page) -> tuple[set[str], list[Any]]:
    found = page.run(LAYOUT)
    return set(found["shown"]), found["overlaps"]


def test_each_mode_shows_its_parts_in_each_phase_and_window(page: Page) -> None:
    for phase, step in STEPS.items():
        step(page)
        page.wait(partial(is_in, page, phase))
        page.settle()
        for width, height in SIZES:
            with window(page, width, height):
                if width < height:
                    page.click("#drawer")
                for mode, parts in PARTS.items():
                    page.click(f"#tab-{mode}")
                    shown, overlaps = layout(page)
                    where = (phase, mode, width)
                    assert overlaps == [], where
                    assert shown >= ALWAYS, where
                    assert shown & LISTED == parts[phase], where
                if width < height:
                    page.click("#drawer")


def test_no_engine_helps_in_a_match_or_a_task(page: Page) -> None:
    page.click("#analyse")
    page.wait(lambda: page.all("#table [data-layer=best] *"))
    begin_match(page)
    for key in ("a", "a", " ", "t", "t", "a", "a"):
        page.press("body", key)
    page.settle()
    page.click("#tab-analyse")
    assert page.text("bar-score") == ""
    assert page.all("#table [data-layer=best] *") == []
    assert "No engine helps" in page.text("panel-analyse")
    assert len(page.moves) == 2
    resign(page)
    page.wait(lambda: page.all("#table [data-layer=best] *"))
    begin_task(page)
    page.settle()
    assert page.text("bar-score") == ""
    assert page.all("#table [data-layer=best] *") == []
    page.click("#tab-referee")
    assert page.find("#rules").is_displayed() is False
    solve_task(page)
    page.click("#first")  # the last position may be a mate
    page.wait(lambda: page.all("#table [data-layer=best] *"))
    page.click("#analyse")


def test_earlier_positions_of_a_match_are_only_shown(page: Page) -> None:
    begin_match(page)
    page.click("#first")
    page.settle()
    page.click("#table [data-square=b2]")
    page.wait(lambda: "Back at" in page.text("board-note"))
    page.wait(lambda: len(page.present) == 1)
    assert page.all("#table .target") == []
    page.click("#previous")
    page.settle()
    page.press("#move", "b2e2", Keys.ENTER)
    page.wait(lambda: "Back at" in page.text("move-error"))
    assert len(page.moves) == 2
    page.move("h0g2")
    page.wait(lambda: len(page.moves) == 4 and page.text("status") == "Your move")
    assert page.all("#moves .variation") == []


def test_a_match_goes_on_by_itself_after_a_lost_connection(page: Page) -> None:
    begin_match(page)
    with without_connection(page):
        page.click("#table [data-square=h0]")
        page.click("#table .target[data-mark=g2]")
        page.wait(lambda: page.text("status") == "No connection: trying again")
        assert page.find("#match-again").is_displayed()
    page.wait(lambda: len(page.moves) == 4 and page.text("status") == "Your move")
    assert page.text("error") == ""
    assert not page.find("#match-again").is_displayed()


def test_one_press_does_not_end_a_match(page: Page) -> None:
    begin_match(page)
    page.click("#resign")
    page.wait(lambda: page.text("resign") == "Press again to resign")
    assert not page.find("#undo").is_displayed()
    for _ in range(3):
        page.press("body", "z")
    assert len(page.moves) == 2
    page.click("#new-game")
    page.wait(lambda: page.moves == [])
    assert phase_of(page) == "start"
    page.click("#undo")
    page.wait(lambda: len(page.moves) == 2 and page.text("status") == "Your move")
    assert phase_of(page) == "match"
    page.move("h0g2")
    page.wait(lambda: len(page.moves) == 4 and page.text("status") == "Your move")


def test_an_engine_declines_a_draw_in_the_opening(page: Page) -> None:
    begin_match(page)
    page.click("#offer-draw")
    page.wait(lambda: "declined" in page.text("match-note"))
    resign(page)
    assert page.text("match-note") == ""


@pytest.mark.parametrize("ply", [1, 6])
def test_rules_are_compared_by_the_ruling_of_the_line(page: Page, ply: int) -> None:
    page.paste(CYCLE)
    page.wait(lambda: page.find("#ruling").is_displayed())
    page.click(f"#moves button[data-ply='{ply}']")
    page.settle()
    page.click("#books-open")
    page.wait(lambda: page.all("#books tr:nth-child(2)"))
    assert "Black wins" in page.text("books")
    page.click("#books-close")


SCROLLS = """
const [game, moves] = ["game", "moves"].map((id) => document.getElementById(id));
const places = [];
document.getElementById("tab-analyse").click();
places.push(moves.scrollTop);
requestAnimationFrame(() => requestAnimationFrame(() => {
  places.push(moves.scrollTop);
  arguments[0](places);
}));
"""
"""Position of the move list as soon as another mode is shown, and two frames later."""


def test_another_mode_moves_the_list_at_once_not_under_a_later_click(page: Page) -> None:
    with window(page, 1200, 1000):
        page.paste(" ".join(["h2e2 h9g7 e2h2 g7h9"] * 3))
        page.wait(partial(has_moves, page, 12))
        page.click("#tab-play")
        before, after = page.answer(SCROLLS)
        assert before == after > 0


def test_a_tab_under_the_pointer_has_no_bar_above_it(page: Page) -> None:
    for mode, below in (("analyse", False), ("play", True)):
        tab = page.find(f"#tab-{mode}")
        page.hover(f"#tab-{mode}")
        assert tab.style("border-top-color") == "rgba(0, 0, 0, 0)"
        is_seen = tab.style("border-bottom-color") != "rgba(0, 0, 0, 0)"
        assert is_seen == below
