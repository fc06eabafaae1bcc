"""Headless Chromium for tests: a page's DOM after its scripts, and its picture."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Final

from PIL import Image
from selenium import webdriver

__all__ = [
    "CHROMIUM",
    "FLAGS",
    "browser_variables",
    "count_printed_pages",
    "dump_dom",
    "take_picture",
    "text_of",
]

_PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM: Final = next(filter(None, map(shutil.which, _PROGRAMS)), None)
"""The browser: rather the one without windows, which takes a quarter less of the processor."""
FLAGS: Final = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


def browser_variables() -> dict[str, str]:
    """Environment of the browser: in English, and with the names of files in UTF-8.

    Its own language is the user's otherwise, and in a locale without the letters of a file's name
    the tab crashes in which that file is opened.
    """
    return {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"}


def dump_dom(driver: webdriver.Chrome, page: Path, fragment: str = "") -> str:
    """The page as HTML when its scripts have run; entities are kept."""
    driver.get("about:blank")  # another fragment alone would not load the page again
    driver.get(page.as_uri() + fragment)
    return str(driver.execute_script("return document.documentElement.outerHTML"))


def count_printed_pages(driver: webdriver.Chrome, page: Path) -> int:
    """The number of sheets of paper when the page is printed."""
    driver.get(page.as_uri())
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    return len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"])))


def take_picture(
    page: Path, profile: Path, size: tuple[int, int], environment: Mapping[str, str] | None = None
) -> Image.Image:
    """The page in a window of this size, in RGB."""
    assert CHROMIUM is not None
    target = profile.parent / f"{page.stem}.png"
    width, height = size
    command = [CHROMIUM, *FLAGS, "--hide-scrollbars", "--virtual-time-budget=5000"]
    command += [f"--user-data-dir={profile}", f"--window-size={width},{height}"]
    subprocess.run(
        [*command, f"--screenshot={target}", page.as_uri()],
        capture_output=True,
        timeout=60,
        check=True,
        env={**browser_variables(), **(environment or {})},
    )
    with Image.open(target) as picture:
        return picture.convert("RGB")


def text_of(dom: str, name: str) -> str:
    """The text of an element without children, by its id."""
    _, _, rest = dom.partition(f'id="{name}"')
    return unescape(rest.partition(">")[2].partition("<")[0])
