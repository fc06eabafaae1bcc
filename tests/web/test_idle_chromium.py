"""The page leaves the processor alone while nothing happens on it."""

from __future__ import annotations

import pytest

from tests.support.devtools import Chromium
from tests.support.play_page import Page, forgetting, needs_driver, running_first
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver

WATCHED = """{
window.intervals = new Set();
window.states = [];
const { setInterval: begin, clearInterval: end, setTimeout: later, AudioContext: Sounds } = window;
window.setInterval = (...wishes) => {
  const timer = begin(...wishes);
  intervals.add(timer);
  return timer;
};
window.clearInterval = (timer) => {
  intervals.delete(timer);
  end(timer);
};
window.setTimeout = (action, delay, ...rest) =>
  later(action, delay > 10_000 ? 500 : delay, ...rest);
window.AudioContext = class extends Sounds {
  constructor() {
    super();
    this.addEventListener("statechange", () => states.push(this.state));
  }
};
}"""
"""Keeps timers that run and the states of sounds; long pauses end after half a second."""


@pytest.fixture
def page(chromium: Chromium, server: WebServer) -> Page:
    page = Page(chromium, server)
    with forgetting(chromium), running_first(chromium, WATCHED):
        page.open()
    return page


def count_timers(page: Page) -> int:
    return int(page.run("return intervals.size"))


def test_a_timer_runs_only_while_a_clock_does(page: Page) -> None:
    assert count_timers(page) == 0
    page.click("#start-more")
    page.choose("#match-kind", "people")
    page.find("#match-minutes").fill("5")
    page.click("#match-begin")
    page.wait(lambda: page.find("#match").is_displayed())
    assert count_timers(page) == 1
    page.move("h2e2")
    page.move("h9g7")
    assert count_timers(page) == 1
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.text("status").endswith("by resignation"))
    assert count_timers(page) == 0


def test_sounds_are_computed_only_around_a_move(page: Page) -> None:
    page.move("h2e2")
    page.wait(lambda: page.run("return states") == ["running", "suspended"])
    page.move("h9g7")
    page.wait(lambda: page.run("return states") == ["running", "suspended"] * 2)
