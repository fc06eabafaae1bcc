"""Games that last: kept in the browser, continued later; clocks with time for single moves."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.play_page import Page, needs_driver
from xiangqi import web

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
STATIC = Path(web.__file__).parent / "serve/static"
MOVES_OF_CLOCK = """
import {{ Clocks }} from {module};
let time = 0;
const clocks = new Clocks({rules}, () => time);
const seen = [];
clocks.start("red");
for (const spent of {times}) {{
  time += spent * 1000;
  seen.push([clocks.remaining(clocks.side) / 1000, clocks.untilFlag(clocks.side) / 1000,
             clocks.expiredSide]);
  clocks.press();
}}
console.log(JSON.stringify(seen));
"""


def run_clocks(rules: dict[str, int], *times: float) -> list[list[object]]:
    """Time of the side to move before each press: for the game, until its flag, and the flag."""
    module = json.dumps((STATIC / "clocks.js").as_uri())
    return list(
        run(MOVES_OF_CLOCK.format(module=module, rules=json.dumps(rules), times=list(times)))
    )


def run(script: str) -> Any:
    """Run a module with node, and read the JSON that it prints."""
    command = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def accepts_draw(scores: list[int], round: int) -> bool:
    module = json.dumps((STATIC / "draw_offers.js").as_uri())
    call = f"console.log(JSON.stringify(acceptsDraw({scores}, {round})))"
    return bool(run(f"import {{ acceptsDraw }} from {module}; {call}"))


@needs_node
def test_an_engine_agrees_to_a_draw_late_or_when_it_loses() -> None:
    assert not accepts_draw([0], 1), "in the opening"
    assert not accepts_draw([0, 0, 0, 0], 24)
    assert accepts_draw([90, 15, 0, -20, 5], 25)
    assert not accepts_draw([0, 16, 0, 0], 40), "it was better"
    assert not accepts_draw([0, 0, 0], 40), "too few moves"
    assert accepts_draw([-150], 1)


@needs_node
def test_a_clock_counts_the_game_the_move_and_the_time_after_it() -> None:
    fischer = {"main": 60_000, "increment": 5_000}
    assert run_clocks(fischer, 20, 10, 30) == [[40, 40, None], [50, 50, None], [15, 15, None]]
    byoyomi = {"main": 20_000, "increment": 0, "step": 15_000, "last": 10_000}
    times = (14, 1, 8, 1, 9, 1, 10)
    assert run_clocks(byoyomi, *times)[::2] == [
        [6, 1, None],
        [0, 7, None],
        [0, 1, None],
        [0, 0, "red"],
    ]
    assert run_clocks(byoyomi, 15) == [[5, 0, "red"]], "a move has its own limit"


def begin(page: Page, preset: str) -> None:
    page.click("#tab-play")
    page.click("#start-more" if page.find("#start-more").is_displayed() else "#match-open")
    page.choose("#match-kind", "engine")
    page.choose("#match-preset", preset)
    page.click("#match-begin")
    page.wait(lambda: page.text("status") == "Your move")


def come_back_in_another_tab(page: Page) -> None:
    page.run("sessionStorage.clear()")
    page.run("addEventListener('pagehide', () => sessionStorage.clear())")
    page.open()


@needs_driver
def test_a_game_is_continued_after_its_tab_was_closed(page: Page) -> None:
    begin(page, "10 0 60 30")
    assert page.text("lower-clock").startswith(("10:00 (1:00)", "9:59 ("))
    page.move("h2e2")
    page.wait(lambda: len(page.moves) == 2 and page.text("status") == "Your move")
    page.wait(lambda: page.text("lower-clock").startswith("9:55"))
    come_back_in_another_tab(page)
    assert page.moves == []
    page.wait(lambda: page.find("#continue-game").is_displayed())
    assert "You – Meihua" in page.text("continue-game")
    page.click("#continue-game")
    page.wait(lambda: len(page.moves) == 2 and page.text("status") == "Your move")
    assert page.text("lower-clock").startswith("9:5")
    page.move("h0g2")
    page.wait(lambda: len(page.moves) == 4 and page.text("status") == "Your move")
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.find("#review-now").is_displayed())
    come_back_in_another_tab(page)
    assert not page.find("#continue-game").is_displayed()
    page.click("#games-open")
    page.wait(lambda: "0-1" in page.text("kept-games"))
    assert "moves: 4" in page.text("kept-games")
    page.click("#kept-games button.wide")
    page.wait(lambda: page.text("status") == "Black wins: by resignation")
    assert len(page.moves) == 4
    page.click("#games-open")
    page.wait(lambda: page.all("#kept-games button.icon"))
    page.click("#kept-games button.icon")
    page.wait(lambda: page.find("#no-kept-games").is_displayed())


@needs_driver
def test_presets_set_the_numbers_and_numbers_the_preset(page: Page) -> None:
    page.click("#start-more")
    page.choose("#match-preset", "5 0 30 15")
    assert [page.value(f"match-{name}") for name in ("minutes", "increment", "step", "last")] == [
        "5",
        "0",
        "30",
        "15",
    ]
    page.find("#match-step").fill("31")
    assert page.value("match-preset") == "other"
    page.choose("#match-preset", "0 0 0 0")
    page.click("#match-close")


KEEP = """
const [games, done] = arguments;
import(new URL("database.js", document.scripts[0].src)).then(async ({ put }) => {
  const person = { name: "You", engine: "", level: 0 };
  for (const [place, [engine, level, side, result, fen]] of games.entries()) {
    const other = { name: engine, engine, level };
    const players = side === "red" ? { red: person, black: other } : { red: other, black: person };
    const game = { fen: fen ?? document.getElementById("game").dataset.start, headers: {} };
    const match = { id: `kept ${place}`, node: 0, result, players };
    await put("games", match.id, { saved: place, game, match });
  }
  done();
});
"""
"""Keeps games: engine, level, the user's side, result, and an unusual starting position."""
NINE_GIVEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/1P5P1/1C5C1/9/RN2K2NR w"


def keep(page: Page, *games: tuple[object, ...]) -> None:
    """Keep finished games in the browser, the latest last, and open the page again."""
    page.answer(KEEP, games)
    page.driver.refresh()
    page.wait(lambda: page.text("status"))


@needs_driver
def test_results_against_the_chosen_level_are_counted(page: Page) -> None:
    assert page.text("start-level-results") == ""
    keep(
        page,
        ("Meihua", 5, "red", "1-0"),
        ("Meihua", 3, "red", "1-0"),
        ("Meihua", 3, "black", "1-0"),
        ("Meihua", 3, "black", "0-1"),
        ("Meihua", 3, "red", "1/2-1/2"),
        ("Meihua", 3, "red", "*"),
        ("Other", 0, "red", "1-0"),
        ("Meihua", 3, "red", "0-1", NINE_GIVEN),
        ("Meihua", 3, "red", None),
    )
    page.wait(lambda: page.text("start-level-results") == "2 won, 1 drawn, 1 lost")
    assert not page.find("#start-level-results button").is_displayed()
    page.choose("#start-level", "5")
    assert page.text("start-level-results") == "1 won, 0 drawn, 0 lost"
    page.choose("#start-level", "0")
    assert page.text("start-level-results") == ""


@needs_driver
def test_the_next_level_is_proposed_after_three_wins_in_a_row(page: Page) -> None:
    lost, won = ("Meihua", 4, "red", "0-1"), ("Meihua", 4, "black", "0-1")
    keep(page, lost, won, won)
    page.wait(lambda: page.text("start-level-results") == "2 won, 0 drawn, 1 lost")
    assert page.value("start-level") == "4", "that of the last game"
    assert not page.find("#start-level-results button").is_displayed()
    keep(page, lost, won, won, won)
    page.wait(lambda: "Three wins in a row: try 5 Medium" in page.text("start-level-results"))
    page.click("#start-level-results button")
    assert page.value("start-level") == "5"
    assert page.text("start-level-results") == ""
    strongest = ("Meihua", 0, "red", "1-0")
    keep(page, *[strongest] * 5)
    page.wait(lambda: page.text("start-level-results") == "5 won, 0 drawn, 0 lost")
    assert not page.find("#start-level-results button").is_displayed(), "nothing is stronger"


@needs_driver
def test_results_are_beside_the_level_of_a_new_match(page: Page) -> None:
    keep(page, *[("Meihua", 4, "red", "1-0")] * 3)
    page.click("#start-more")
    page.choose("#match-level-red", "4")
    page.wait(lambda: "3 won, 0 drawn, 0 lost" in page.text("match-level-red-results"))
    page.choose("#match-kind", "engines")
    assert page.text("match-level-red-results") == "", "the engine's opponent is an engine"
    page.choose("#match-kind", "engine")
    page.click("#match-level-red-results button")
    assert page.value("match-level-red") == "5"
    assert page.text("match-level-red-results") == ""
    page.choose("#match-level-red", "3")
    page.click("#match-close")
