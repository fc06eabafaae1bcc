"""Takes the pictures of the documentation: XBoard with Meihua, and the board in the browser.

    python -m tools.make_screenshots xboard page

XBoard is shown on a screen of its own by Xvfb, and taken by ``import`` of ImageMagick; the
page by Chromium, which needs no screen. Both are asked to play before they are looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["take_page", "take_xboard"]

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
SCREEN: Final = ":97"
SIZE: Final = "640x720"
COLOURS: Final = 24
"""So many at least has a board that is drawn: an empty window has a few."""
LOOKS: Final = 8
"""The picture is taken when so many looks at the board have each shown another one: it plays."""
PATIENCE_S: Final = 180


@contextmanager
def running(command: list[str], **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is surely gone afterwards."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def look() -> bytes:
    """The screen, three bytes for each of its points; nothing where there is no screen yet."""
    command = ["import", "-display", SCREEN, "-window", "root", "-depth", "8", "rgb:-"]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).stdout


def wait_until(condition: Callable[[], object], wanted: str) -> None:
    """Look every second; RuntimeError if what is wanted does not come."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f"no sign of {wanted} within {PATIENCE_S} s")
        time.sleep(1)


class Watcher:
    """Looks at a board."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()

    def has_seen_moves(self) -> bool:
        """Look: is a board drawn, and have moves been made on it since the first look?"""
        shown = look()
        if len({shown[at : at + 3] for at in range(0, len(shown), 3)}) >= COLOURS:
            self.seen.add(hashlib.sha256(shown).digest())
        return len(self.seen) >= LOOKS


def take_xboard(path: Path) -> None:
    """XBoard with a game between two of us."""
    games = f"{os.environ['PATH']}{os.pathsep}/usr/games"
    meihua = f"{sys.executable} -m xiangqi.engine.meihua"
    screen = ["Xvfb", SCREEN, "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"]
    words = "-variant xiangqi -mg 1 -tc 5 -searchDepth 8 -size 49".split()
    with running(screen):
        wait_until(look, "a screen")
        xboard = ["xboard", *words, "-fcp", meihua, "-scp", meihua]
        with running(xboard, DISPLAY=SCREEN, PATH=games, PYTHONPATH=str(ROOT)):
            wait_until(Watcher().has_seen_moves, "a game")
            options = "-window root -trim +repage +dither -colors 32".split()
            command = ["import", "-display", SCREEN, *options, f"png8:{path}"]
            subprocess.run(command, check=True, timeout=60)


def take_page(path: Path) -> None:
    """The page of ``xiangqi report`` for a case, as Chromium shows it."""
    browser = shutil.which("chromium") or "chromium"
    work = ROOT / "build" / "screenshots"
    report = [sys.executable, "-m", "xiangqi", "report", "examples/games.pgn", "-o", str(work)]
    subprocess.run(report, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=120)
    page = next(one for one in sorted(work.rglob("*.html")) if one.name != "index.html")
    options = (
        f"--headless --no-sandbox --hide-scrollbars --window-size=1100,760 --screenshot={path}"
    )
    subprocess.run([browser, *options.split(), page.as_uri()], check=True, timeout=120)


TAKERS: Final = {"xboard": take_xboard, "page": take_page}


def main() -> None:
    """Take what is named."""
    parser = argparse.ArgumentParser(description="Take the pictures of the documentation.")
    parser.add_argument("names", nargs="+", choices=TAKERS)
    PICTURES.mkdir(exist_ok=True)
    for name in parser.parse_args().names:
        TAKERS[name](PICTURES / f"{name}.png")


if __name__ == "__main__":
    main()
