"""Takes the screenshots of the docs: XBoard with Meihua, a report, and the board in the browser.

    python -m tools.make_screenshots xboard page board

XBoard runs on a virtual screen of Xvfb, which ``import`` of ImageMagick captures; the pages are
captured by headless Chromium.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["take_board", "take_page", "take_xboard"]

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
SCREEN: Final = ":97"
SIZE: Final = "640x720"
PORT: Final = "8097"
COLOURS: Final = 24
"""Minimum number of colours of a drawn board; an empty window has a few."""
FRAMES: Final = 8
"""Number of different boards that must have been shown before the picture is taken."""
PATIENCE_S: Final = 180


@contextmanager
def running(command: list[str], **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, and kill it at the end."""
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


def capture_screen() -> bytes:
    """The screen as RGB bytes; empty if there is no screen yet."""
    command = ["import", "-display", SCREEN, "-window", "root", "-depth", "8", "rgb:-"]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).stdout


def wait_until(condition: Callable[[], object], expected: str) -> None:
    """Test a condition every second; raises RuntimeError after PATIENCE_S."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f"no {expected} within {PATIENCE_S} s")
        time.sleep(1)


class Watcher:
    """Watches a board for moves."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()

    def has_seen_moves(self) -> bool:
        """Capture the screen; have FRAMES different boards been seen?"""
        screen = capture_screen()
        if len({screen[at : at + 3] for at in range(0, len(screen), 3)}) >= COLOURS:
            self.seen.add(hashlib.sha256(screen).digest())
        return len(self.seen) >= FRAMES


def take_xboard(path: Path) -> None:
    """Take XBoard with a game of Meihua against itself."""
    games = f"{os.environ['PATH']}{os.pathsep}/usr/games"
    meihua = shlex.join([sys.executable, "-m", "xiangqi.engine.meihua"])
    screen = ["Xvfb", SCREEN, "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"]
    words = "-variant xiangqi -mg 1 -tc 5 -searchDepth 8 -size 49".split()
    with running(screen):
        wait_until(capture_screen, "screen")
        xboard = ["xboard", *words, "-fcp", meihua, "-scp", meihua]
        with running(xboard, DISPLAY=SCREEN, PATH=games, PYTHONPATH=str(ROOT)):
            wait_until(Watcher().has_seen_moves, "game")
            options = "-window root -trim +repage +dither -colors 32".split()
            command = ["import", "-display", SCREEN, *options, f"png8:{path}"]
            subprocess.run(command, check=True, timeout=60)


def take_page(path: Path) -> None:
    """Take a page of ``xiangqi report``."""
    browser = shutil.which("chromium") or "chromium"
    work = ROOT / "build" / "screenshots"
    report = [sys.executable, "-m", "xiangqi", "report", "examples/games.pgn", "-o", str(work)]
    subprocess.run(report, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=120)
    page = next(one for one in sorted(work.rglob("*.html")) if one.name != "index.html")
    options = (
        f"--headless --no-sandbox --hide-scrollbars --window-size=1100,760 --screenshot={path}"
    )
    subprocess.run([browser, *options.split(), page.as_uri()], check=True, timeout=120)


GAME: Final = """[Red "Red"]
[Black "Black"]

1. h2e2 {[%eval 0.22]} h9g7 {[%eval 0.18]} 2. h0g2 {[%eval 0.2]} i9h9 {[%eval 0.24]}
3. i0h0 {[%eval 0.19]} g6g5 {[%eval 0.31]} 4. h0h6 $5 {[%eval 0.28]} (4. c3c4 b9c7) b9c7
{[%eval 0.9] Black waits a move too long.} 5. c3c4 $1 {[%eval 0.86][%csl Rg7][%cal Gh6g6]
The river is Red's.} *
"""


def take_board(path: Path) -> None:
    """Take the page of ``xiangqi serve`` with a game from a link."""
    packed = zlib.compress(GAME.encode(), wbits=-zlib.MAX_WBITS)
    game = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    browser = shutil.which("chromium") or "chromium"
    serve = [sys.executable, "-m", "xiangqi", "serve", "--no-open", "--port", PORT]
    options = (
        "--headless --no-sandbox --hide-scrollbars --window-size=1280,990 "
        f"--virtual-time-budget=8000 --screenshot={path}"
    )
    with running(serve):
        time.sleep(3)
        address = f"http://127.0.0.1:{PORT}/#game={game}"
        subprocess.run([browser, *options.split(), address], check=True, timeout=120)


TAKERS: Final = {"xboard": take_xboard, "page": take_page, "board": take_board}


def main() -> None:
    """Take the named screenshots."""
    parser = argparse.ArgumentParser(description="Take the screenshots of the docs.")
    parser.add_argument("names", nargs="+", choices=TAKERS)
    PICTURES.mkdir(exist_ok=True)
    for name in parser.parse_args().names:
        TAKERS[name](PICTURES / f"{name}.png")


if __name__ == "__main__":
    main()
