"""Games on the page in headless Chromium: against the engine, by the clock, at odds, for two."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.devtools import Chromium
from tests.support.play_page import Page, forgetting, has_moves, needs_driver, pieces_of, read_log
from xiangqi.web.serve.openings import HANDICAPS
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver


@pytest.fixture(scope="module")
def page(chromium: Chromium, server: WebServer) -> Iterator[Page]:
    page = Page(chromium, server)
    with forgetting(chromium):
        page.open()
    read_log(chromium)
    yield page
    assert read_log(chromium) == []


def open_dialog(page: Page) -> None:
    """Open the dialog of a new game, from the start or from a game."""
    page.click("#tab-play")
    page.click("#start-more" if page.find("#start").is_displayed() else "#match-open")


def begin(page: Page, kind: str, minutes: float = 0, increment: float = 0, **choices: str) -> None:
    """Begin a game; ``choices`` are what is chosen in the dialog's lists, by their ids."""
    open_dialog(page)
    page.choose("#match-kind", kind)
    for name in ("side", "level_red", "level_black", "handicap"):
        if name in choices:
            page.choose(f"#match-{name.replace('_', '-')}", choices[name])
    for name, value in (("minutes", minutes), ("increment", increment)):
        page.find(f"#match-{name}").fill(str(value))
    page.click("#match-begin")
    page.wait(lambda: page.find("#match").is_displayed())


def is_persons_turn(page: Page) -> bool:
    return page.find("#resign").is_displayed() and page.find("#hint").is_displayed()


def test_a_game_against_a_level_at_odds(page: Page, files: Path) -> None:
    horse = HANDICAPS["horse"]
    begin(page, "engine", 10, 5, side="black", level_red="1", handicap=horse)
    page.wait(lambda: len(page.moves) == 1 and is_persons_turn(page))
    assert "b0" not in pieces_of(horse)
    assert page.text("lower-name") == "You"
    assert page.text("lower-clock").partition(":")[0] in ("9", "10")
    page.move("i9i8")  # a level moves at random: nothing it does first forbids this, or a9a8 below
    page.wait(lambda: len(page.moves) == 3 and is_persons_turn(page))
    page.click("#hint")
    page.wait(lambda: page.all("#table [data-layer=hint] *"))
    page.click("#take-back")
    page.wait(lambda: len(page.moves) == 1 and is_persons_turn(page))
    page.move("a9a8")
    main_line = "#moves > li:not(.variation) > button"
    page.wait(lambda: len(page.all(main_line)) == 3 and is_persons_turn(page))
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.text("status") == "Red wins: by resignation")
    game = page.save(files)
    assert game.fen == horse
    assert game.headers["TimeControl"] == "600+5"
    assert (game.headers["Red"], game.headers["Black"]) == ("Meihua, level 1", "You")
    assert (game.headers["Result"], game.headers["Termination"]) == ("1-0", "resignation")
    page.click("#rematch")
    page.wait(lambda: page.text("lower-name") == "You" and is_persons_turn(page))
    assert page.find("#lower-name").get_attribute("class") == "name red"


def test_choices_are_kept_by_name_not_by_place(page: Page) -> None:
    """In another order, beside an unknown field, and where an older page has kept a list."""
    begin(page, "people", 7, 3)
    kept = json.loads(page.run("return localStorage['meihua-match']"))
    assert (kept["match-kind"], kept["match-minutes"]) == ("people", "7")
    other = {"match-gone": "1", **dict(reversed(kept.items()))}
    for stored, minutes in ((other, "7"), (list(kept.values()), "0")):
        script = "localStorage['meihua-match'] = arguments[0]"
        page.run(script, json.dumps(stored))
        page.open()
        assert page.value("match-minutes") == minutes


def test_an_engine_agrees_to_a_draw_unless_it_stands_better(page: Page) -> None:
    begin(page, "engine", side="red", level_red="3", handicap=HANDICAPS["nine"])
    page.wait(lambda: is_persons_turn(page))
    page.click("#offer-draw")
    page.wait(lambda: "declined" in page.text("match-note"))
    begin(page, "engine", side="black", level_red="1", handicap=HANDICAPS["nine"])
    page.wait(lambda: len(page.moves) == 1 and is_persons_turn(page))
    page.click("#offer-draw")
    page.wait(lambda: page.text("status") == "Draw: agreed")


PAUSES = """
window.pauses = [];
const { setTimeout: later } = window;
window.setTimeout = (action, delay, ...rest) => {
  if (delay < 350 || delay > 1300) return later(action, delay, ...rest);
  window.pauses.push(delay);
  return window.hasPauses ? later(action, delay, ...rest) : 0;
};
"""
"""Records the pauses of a level's answers; without ``hasPauses`` they never end."""


def test_a_level_takes_a_persons_time_which_can_be_cut_short(page: Page) -> None:
    page.run(PAUSES + "window.hasPauses = true")
    begin(page, "engine", side="red", level_red="1", handicap=HANDICAPS["none"])
    page.move("h2e2")
    page.wait(lambda: len(page.moves) == 2 and is_persons_turn(page))
    (pause,) = page.run("return window.pauses")
    assert 350 <= pause <= 1300
    page.run("window.hasPauses = false")
    page.click("#table [data-square=b2]")
    page.click("#table .target[data-mark=d2]")
    page.wait(lambda: page.run("return window.pauses.length") == 2)
    page.wait(lambda: page.find("#match-hurry").is_enabled())
    assert len(page.moves) == 3, "the pause has not ended"
    page.click("#match-hurry")
    page.wait(lambda: len(page.moves) == 4 and is_persons_turn(page))
    page.open()


def test_two_people_play_until_a_flag_falls(page: Page) -> None:
    open_dialog(page)
    page.choose("#match-kind", "people")
    page.click("#match-turns")
    page.click("#match-close")
    begin(page, "people", 0.04, 0, handicap=HANDICAPS["none"])
    assert page.find("#lower-name").get_attribute("class") == "name red"
    page.move("h2e2")
    page.wait(lambda: page.find("#lower-name").get_attribute("class") == "name black")
    page.wait(lambda: page.text("status") == "Red wins: on time")
    page.run("document.getElementById('match-turns').click()")


def test_two_people_agree_to_a_draw(page: Page) -> None:
    begin(page, "people", handicap=HANDICAPS["none"])
    page.move("h2e2")
    page.click("#offer-draw")
    page.click("#decline")
    page.wait(lambda: "declined" in page.text("match-note"))
    page.click("#offer-draw")
    page.click("#accept")
    page.wait(lambda: page.text("status") == "Draw: agreed")


PLACES = """
const done = arguments[0];
const places = new Set();
const count = () => document.querySelectorAll("#moves button").length;
const before = count();
(function look() {
  const { x, y } = document.getElementById("match-end").getBoundingClientRect();
  places.add(`${x} ${y}`);
  if (count() >= before + 4) done(places.size);
  else requestAnimationFrame(look);
})();
"""
"""Number of places of the button that ends the game, while four moves are played."""


def test_engines_play_each_other_until_they_are_stopped(page: Page) -> None:
    begin(page, "engines", level_red="1", level_black="2", handicap=HANDICAPS["none"])
    page.wait(lambda: len(page.moves) >= 4)
    assert page.answer(PLACES) == 1
    page.click("#match-end")
    page.wait(lambda: page.text("status") == "The game has been ended")
    count = len(page.moves)
    page.settle()
    assert len(page.moves) == count


def come_back(page: Page, how: str) -> None:
    """Leave the page and open it again, in the same tab."""
    if how == "reload":
        page.driver.refresh()
    else:
        page.driver.get("about:blank")
        page.driver.back()
    page.settle()


def test_a_person_in_check_is_to_move(page: Page) -> None:
    page.paste("3k5/9/9/9/9/9/9/9/4r4/4K4 w")
    page.wait(lambda: page.text("status") == "Red to move, in check")
    page.click("#play-on")
    page.wait(lambda: page.text("status") == "Your move: you are in check")
    page.click("#resign")
    page.click("#resign")


def test_a_match_begins_at_a_position_that_the_server_has_not_described_yet(page: Page) -> None:
    page.paste("h2e2 h9g7")
    page.wait(lambda: has_moves(page, 2))
    page.click("#tab-play")
    page.run("""document.getElementById("previous").click();
        document.getElementById("play-on").click();""")
    page.wait(lambda: page.text("status") == "Your move")
    assert page.text("lower-name") == "You"
    page.click("#resign")
    page.click("#resign")


@pytest.mark.parametrize("how", ["reload", "return"])
def test_a_match_goes_on_when_its_page_is_opened_again(page: Page, files: Path, how: str) -> None:
    """Its clocks stand meanwhile, and run on."""
    begin(page, "engine", 10, 0, side="red", level_red="1", handicap=HANDICAPS["none"])
    page.move("h2e2")
    page.wait(lambda: has_moves(page, 2) and is_persons_turn(page))
    moves = page.moves
    come_back(page, how)
    page.wait(lambda: has_moves(page, 2) and is_persons_turn(page))
    assert page.moves == moves
    assert (page.text("lower-name"), page.text("status")) == ("You", "Your move")
    page.wait(lambda: page.text("lower-clock").startswith("9:"))
    assert page.find("#lower-clock").get_attribute("class") == "clock running"
    page.move("h0g2")
    page.wait(lambda: len(page.moves) == 4 and is_persons_turn(page))
    come_back(page, how)
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.text("status") == "Black wins: by resignation")
    come_back(page, how)
    assert page.text("status") == "Black wins: by resignation"
    game = page.save(files)
    assert (game.headers["Result"], len(game.moves())) == ("0-1", 4)
    assert (game.headers["Red"], game.headers["TimeControl"]) == ("You", "600+0")


def test_engines_go_on_when_their_page_is_opened_again(page: Page) -> None:
    begin(page, "engines", level_red="1", level_black="1", handicap=HANDICAPS["none"])
    page.wait(lambda: len(page.moves) >= 2)
    page.driver.refresh()
    page.wait(lambda: page.text("status"))
    count = len(page.moves)
    assert count >= 2
    page.wait(lambda: len(page.moves) >= count + 2)
    page.click("#match-end")
    page.wait(lambda: page.text("status") == "The game has been ended")
