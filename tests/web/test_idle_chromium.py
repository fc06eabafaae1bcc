"""The page leaves the processor alone while nothing happens on it."""

from __future__ import annotations

import pytest

from tests.support.devtools import Chromium
from tests.support.play_page import Page, forgetting, needs_driver, running_first
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver

WATCHED = """{
window.intervals = new Set();
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
window.setTimeout = (action, delay, ...rest) => later(action, Math.min(delay, 500), ...rest);
window.AudioContext = class extends Sounds {
  constructor() {
    super();
    window.sounds = this;
  }
};
}"""
"""Keeps timers that run and the context of sounds; a pause ends after half a second."""


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
    for move in ("h2e2", "h9g7"):
        page.move(move)
        page.wait(lambda: page.run("return sounds.state") == "running")
        page.wait(lambda: page.run("return sounds.state") == "suspended")
