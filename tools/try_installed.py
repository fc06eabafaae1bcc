"""Tests an installation on its system; every wheel and folder has to pass.

    python tools/try_installed.py                     # the package of this Python
    python tools/try_installed.py dist/meihua         # the programs in a folder

Rules on all cases of the rule book, compares the engine's signature, checks each protocol, replays
dialogues of GUIs, and runs the commands, including those that load modules only when needed.
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
SIGNATURE: Final = 147846
"""Node count of ``xiangqi bench`` on every machine."""
_EXPECTED: Final = (
    (("verify",), "192 cases as expected, 0 different"),
    (("bench",), f"Nodes searched: {SIGNATURE}"),
    (("judge", GAMES, "-o", "rulings.jsonl", "--workers", "2"), "unread: 0"),
    (("convert", XQF, "game.pgn", "--encoding", "gb18030"), "1 of 1 game"),
    (("book", "make", GAMES, "-o", "games.obk", "--min", "1"), "went into games.obk"),
    (("book", "show", "games.obk"), "h2e2"),
    (("report", GAMES, "-o", "report"), "pages"),
    (("tables", "probe", TABLE, "--folder", "tables"), "Red wins, mate in"),
)
"""Arguments of ``xiangqi``, and a pattern in its output."""
_GROUPS: Final = ("", "book", "tables")
"""Commands with subcommands."""


def run(command: list[str], cwd: str) -> str:
    """Output of a command; if it fails, end this program."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    output = done.stdout + done.stderr
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{output}")
    return output


def try_commands(xiangqi: list[str], folder: str) -> None:
    """Run some commands and compare their output; run all commands with ``--help``."""
    for words, expected in _EXPECTED:
        output = run([*xiangqi, *words], folder)
        if re.search(expected, output) is None:
            sys.exit(f"{' '.join(words)}: {expected!r} is not in the output:\n{output}")
        print(f"{' '.join(map(os.path.basename, words))}: {expected}")
    for group in _GROUPS:
        command = [*xiangqi, *group.split()]
        listed = run([*command, "--help"], folder).partition("Commands:\n")[2]
        for name in re.findall(r"^  (\w+)", listed, re.MULTILINE):
            run([*command, name, "--help"], folder)


def try_page(xiangqi: list[str], folder: str) -> None:
    """Fetch the page of ``xiangqi serve`` from a free port."""
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
    """Try both programs outside the source tree, from which Python would import."""
    with tempfile.TemporaryDirectory() as folder:
        try_commands(xiangqi, folder)
        try_page(xiangqi, folder)
        print(run([*meihua, "--check"], folder))
        print(run([sys.executable, str(TOOLS / "dialogues.py"), *meihua], folder))


if __name__ == "__main__":
    if sys.argv[1:]:
        end = ".exe" if os.name == "nt" else ""
        folder = Path(sys.argv[1]).absolute()
        try_programs([str(folder / f"xiangqi{end}")], [str(folder / f"meihua{end}")])
    else:
        python = [sys.executable, "-m"]
        try_programs([*python, "xiangqi"], [*python, "xiangqi.engine.meihua"])
