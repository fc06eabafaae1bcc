"""Profiles of a search and of perft: shares of CPU time by function of the core.

Each program runs under the sampling profiler ``perf`` (Linux; Debian's ``linux-perf``). Inlined
code counts for the function around it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.measure import Result, Row, Samples

PROGRAMS: Final = {
    "search": "from xiangqi.engine.bench import run_bench; run_bench(13)",
    "perft": "from xiangqi import Board; Board().perft(6)",
    "perft without bulk": "from xiangqi import Board; Board().perft(5, bulk=False)",
}
PERF: Final = "perf"
FREQUENCY: Final = 2000  # samples a second
MIN_SHARE: Final = 2.0  # percent

FOUND: Final = (
    "Perft without bulk counting, before 2026-11-21: unmake 35 %, make 30 %, half of it shifts "
    "that turn squares into bits. Both now use a table: 66 million nodes/s became 78, and the "
    "search gained 1 %.",
    "Search: no function dominates. The largest share is waiting for memory of the hash table; the "
    "network takes a tenth.",
)
"""Conclusions from profiles."""

_OWN: Final = "__pyx_f_"
_PACKAGE: Final = re.compile(r"(?P<length>\d+)(?P<rest>\w+)")
_LINE: Final = re.compile(r"\s*(?P<share>[\d.]+)%\s+\[.\]\s+(?P<symbol>\S+)")


def measure(runs: int) -> Result:
    """Measure shares in percent, by one profile of each program; ``runs`` is ignored."""
    result = Result("Profiles: shares of time by function")
    if shutil.which(PERF) is None:
        result.notes.append(f"{PERF}: not installed: apt-get install linux-perf")
        return result
    for name, program in PROGRAMS.items():
        for function, share in profile(program):
            if share >= MIN_SHARE:
                samples = Samples("Meihua", (share,))
                result.rows.append(Row(f"{name}: {function}", "%", samples))
    result.notes.extend(FOUND)
    return result


def profile(program: str) -> Iterator[tuple[str, float]]:
    """Profile a Python program; yields functions and their shares in percent."""
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "perf.data"))
        record = [PERF, "record", "-q", "-F", str(FREQUENCY), "-o", data]
        subprocess.run([*record, sys.executable, "-c", program], check=True, capture_output=True)
        report = [PERF, "report", "--stdio", "-i", data, "--fields", "overhead,symbol"]
        output = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    yield from read_report(output)


def read_report(output: str) -> Iterator[tuple[str, float]]:
    """Parse functions and shares from the output of ``perf report``.

    >>> list(read_report("    23.76%  [.] __pyx_f_7xiangqi_4core_6search_2tt_probe"))
    [('tt.probe', 23.76)]
    """
    for line in output.splitlines():
        found = _LINE.match(line)
        if found:
            yield _plain_name(found["symbol"]), float(found["share"])


def _plain_name(symbol: str) -> str:
    """Module and function of a Cython symbol, in which the length of each package's and module's
    name precedes the name; other symbols unchanged."""
    rest = symbol.removeprefix(_OWN)
    module = ""
    while rest != symbol and (found := _PACKAGE.match(rest)):
        end = int(found["length"])
        module, rest = found["rest"][:end], found["rest"][end + 1 :]
    return f"{module}.{rest}" if module else symbol
