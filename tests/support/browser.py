"""Headless Chromium for tests: a page's DOM after its scripts, and its picture."""

from __future__ import annotations

import base64
import os
import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Final

from selenium import webdriver

__all__ = [
    "CHROMIUM",
    "FLAGS",
    "Picture",
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


class Picture:
    """The pixels of a PNG of 8 bits in RGB or RGBA."""

    def __init__(self, data: bytes) -> None:
        chunks, place, packed = {}, 8, b""
        while place < len(data):
            length, kind = struct.unpack(">I4s", data[place : place + 8])
            body = data[place + 8 : place + 8 + length]
            packed += body if kind == b"IDAT" else b""
            chunks[kind] = body
            place += length + 12
        self.width, self.height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
        assert depth == 8
        self.size = {2: 3, 6: 4}[color]
        self.rows = self._rows(zlib.decompress(packed))

    def _rows(self, raw: bytes) -> list[bytes]:
        """Undo the filters of PNG (https://www.w3.org/TR/png/#9Filters)."""
        stride = self.width * self.size
        above, rows = bytes(stride), []
        for start in range(0, len(raw), stride + 1):
            kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
            for i in range(stride if kind else 0):
                left = row[i - self.size] if i >= self.size else 0
                corner = above[i - self.size] if i >= self.size else 0
                row[i] = (row[i] + _predict(kind, left, above[i], corner)) & 255
            above = bytes(row)
            rows.append(above)
        return rows

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Red, green and blue of a point."""
        red, green, blue = self.rows[y][x * self.size : x * self.size + 3]
        return red, green, blue


def _predict(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up, (left + up) // 2)[kind]


def take_picture(
    page: Path, profile: Path, size: tuple[int, int], environment: Mapping[str, str] | None = None
) -> Picture:
    """The page in a window of this size."""
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
    return Picture(target.read_bytes())


def text_of(dom: str, name: str) -> str:
    """The text of an element without children, by its id."""
    _, _, rest = dom.partition(f'id="{name}"')
    return unescape(rest.partition(">")[2].partition("<")[0])
