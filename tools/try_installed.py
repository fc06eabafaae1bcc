"""Tries an installed copy on the system that it is for: what every wheel and folder has to pass.

    python tools/try_installed.py                     # the package of this Python
    python tools/try_installed.py dist/meihua         # the programs in a folder

All cases of the rule book are ruled on, the engine's signature is that of every other system, each
protocol is spoken as a GUI speaks it, what GUIs are known to say is said to it, and what a command
loads when it is needed is there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Final

__all__ = ["SIGNATURE", "try_commands", "try_page", "try_programs"]

TOOLS: Final = Path(os.path.abspath(__file__)).parent
GAMES: Final = str(TOOLS.parent / "examples/games.pgn")
XQF: Final = str(TOOLS.parent / "examples/chariot.xqf")
TABLE: Final = "8R/9/4k4/9/9/9/9/8n/5K3/9 b"
SIGNATURE: Final = 168805
"""Node count of ``xiangqi bench`` on every machine."""
_EXPECTED: Final = (
    (("verify",), "192 cases as expected, 0 different"),
    (("bench",), f"Nodes searched: {SIGNATURE}"),
    (("judge", GAMES, "-o", "rulings.jsonl", "--workers", "2"), "unread: 0"),
    (("convert", XQF, "game.pgn", "--encoding", "gb18030"), "1 of 1 game"),
    (("book", "make", GAMES, "-o", "games.obk", "--min", "1"), "went into games.obk"),
    (("book", "show", "games.obk"), "h2e2"),
    (("report", GAMES, "-o", "report"), "pages"),
    (("datagen", "some.samples", "--games", "1", "--nodes", "40"), "1 game,"),
    (("tables", "probe", TABLE, "--folder", "tables"), "Red wins, mate in"),
)
"""Words for ``xiangqi``, and a pattern of what it says."""
_GROUPS: Final = ("", "book", "tables")
"""The commands that have commands."""


def run(command: list[str], cwd: str, code: int = 0) -> str:
    """Output of a command; it ends this program if it ends otherwise than it should."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    said = done.stdout + done.stderr
    if done.returncode != code:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{said}")
    return said


def try_commands(xiangqi: list[str], folder: str) -> None:
    """Try what commands load when they are needed, and that all commands are there."""
    for words, expected in _EXPECTED:
        said = run([*xiangqi, *words], folder)
        if re.search(expected, said) is None:
            sys.exit(f"{' '.join(words)}: {expected!r} is not in what it says:\n{said}")
        print(f"{' '.join(map(os.path.basename, words))}: {expected}")
    for group in _GROUPS:
        command = [*xiangqi, *group.split()]
        listed = run([*command, "--help"], folder).partition("Commands:\n")[2]
        for name in re.findall(r"^  (\w+)", listed, re.MULTILINE):
            run([*command, name, "--help"], folder)


def try_page(xiangqi: list[str], folder: str) -> None:
    """Have the page of ``xiangqi serve`` sent, on any port that is free."""
    command = [*xiangqi, "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                sys.exit("serve: no address in its first line")
            with urllib.request.urlopen(found.group(), timeout=60) as page:
                print(f"serve: {len(page.read()):,} bytes from {found.group()}")
        finally:
            server.terminate()


def try_programs(xiangqi: list[str], meihua: list[str]) -> None:
    """Try both programs, away from the source tree, which Python would look in."""
    with tempfile.TemporaryDirectory() as folder:
        try_commands(xiangqi, folder)
        try_page(xiangqi, folder)
        print(run([*meihua, "--check"], folder))
        print(run([sys.executable, str(TOOLS / "dialogues.py"), *meihua], folder))


if __name__ == "__main__":
    if sys.argv[1:]:
        end = ".exe" if os.name == "nt" else ""
        place = Path(sys.argv[1]).absolute()
        try_programs([str(place / f"xiangqi{end}")], [str(place / f"meihua{end}")])
    else:
        python = [sys.executable, "-m"]
        try_programs([*python, "xiangqi"], [*python, "xiangqi.engine.meihua"])
