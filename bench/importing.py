"""How long a program waits for ``import xiangqi``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.measure import Result, Row, Samples, seconds_of

ROOT = Path(__file__).parent.parent
LIMIT = 150.0  # milliseconds


def measure(runs: int) -> Result:
    """Milliseconds of a fresh process that imports, less those of one that does nothing."""
    run_python("import xiangqi; assert xiangqi.Board().perft(2) == 1920")  # fills the caches, too
    bare, importing = [], []
    for _ in range(max(runs, 9)):
        bare.append(1000 * seconds_of(lambda: run_python("pass")))
        importing.append(1000 * seconds_of(lambda: run_python("import xiangqi")))
    extra = [longer - shorter for longer, shorter in zip(importing, bare, strict=True)]
    rows = [
        Row("import xiangqi, alone", "ms", Samples("Meihua", tuple(extra)), more_is_better=False),
        Row("python -c 'import xiangqi'", "ms", Samples("Meihua", tuple(importing))),
        Row("python -c 'pass'", "ms", Samples("Python", tuple(bare))),
    ]
    within = "within" if rows[0].ours.median < LIMIT else "NOT within"
    return Result("Import", rows, [f"{within} the limit of {LIMIT:.0f} ms."])


def run_python(program: str) -> None:
    """Run a line of Python in a process of its own."""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
