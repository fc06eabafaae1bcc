"""Takes the pictures of the documentation: XBoard with Meihua, and the board in the browser.

    python -m tools.make_screenshots xboard page

XBoard is shown on a screen of its own by Xvfb, and taken by ``import`` of ImageMagick; the
page by Chromium, which needs no screen. Both are asked to play before they are looked at.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["take_page", "take_xboard"]

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
SCREEN: Final = ":97"
SIZE: Final = "640x720"
PLAYING_S: Final = 12
"""How long XBoard plays before it is looked at."""


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


def take_xboard(path: Path) -> None:
    """XBoard with a game between two of us."""
    games = f"{os.environ['PATH']}{os.pathsep}/usr/games"
    meihua = f"{sys.executable} -m xiangqi.engine.meihua"
    screen = ["Xvfb", SCREEN, "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"]
    words = "-variant xiangqi -mg 1 -tc 5 -searchDepth 6 -size 49 -geometry +0+0".split()
    with running(screen):
        time.sleep(2)
        xboard = ["xboard", *words, "-fcp", meihua, "-scp", meihua]
        with running(xboard, DISPLAY=SCREEN, PATH=games, PYTHONPATH=str(ROOT)):
            time.sleep(PLAYING_S)
            command = ["import", "-display", SCREEN, "-window", "root", "-colors", "64", str(path)]
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
