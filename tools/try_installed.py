"""Tries an installed copy on the system that it is for: what every wheel and folder has to pass.

    python tools/try_installed.py                     # the package of this Python
    python tools/try_installed.py dist/meihua         # the programs in a folder

All cases of the rule book are ruled on, the engine's signature is that of every other system, and
each protocol is spoken as a GUI speaks it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["SIGNATURE", "try_programs"]

SIGNATURE: Final = 215075
"""What ``xiangqi bench`` counts, wherever it runs."""
_EXPECTED: Final = (
    (("verify",), "192 cases as expected, 0 different"),
    (("bench",), f"Nodes searched: {SIGNATURE}"),
)


def run(command: list[str], cwd: str) -> str:
    """What a command prints; it ends this program if it fails."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def try_programs(xiangqi: list[str], meihua: list[str]) -> None:
    """Try both programs, away from the source tree, which Python would look in."""
    with tempfile.TemporaryDirectory() as folder:
        for words, expected in _EXPECTED:
            said = run([*xiangqi, *words], folder)
            if re.search(rf"\b{expected}\b", said) is None:
                sys.exit(f"{' '.join(words)}: {expected!r} is not in what it says:\n{said}")
            print(f"{' '.join(words)}: {expected}")
        print(run([*meihua, "--check"], folder))


if __name__ == "__main__":
    if sys.argv[1:]:
        end = ".exe" if os.name == "nt" else ""
        place = Path(sys.argv[1]).absolute()
        try_programs([str(place / f"xiangqi{end}")], [str(place / f"meihua{end}")])
    else:
        python = [sys.executable, "-m"]
        try_programs([*python, "xiangqi"], [*python, "xiangqi.engine.meihua"])
