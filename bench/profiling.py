"""Profiles: the functions of the core that a search and a count of moves spend it in.

The sampling profiler ``perf`` (Linux; Debian's ``linux-perf``) looks at a process of its own. What
the compiler has put inline counts for the function around it.
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
    "search": "from xiangqi.engine.bench import run_bench; "
    "from xiangqi.engine.network import DEFAULT, choose_network; "
    "run_bench(13, network=choose_network(DEFAULT))",
    "perft": "from xiangqi import Board; Board().perft(6)",
    "perft without bulk": "from xiangqi import Board; Board().perft(5, bulk=False)",
}
PERF: Final = "perf"
FREQUENCY: Final = 2000  # samples a second
MIN_SHARE: Final = 2.0  # percent

FOUND: Final = (
    "Perft without bulk, before 2026-11-21: unmake 35 %, make 30 %, half of it shifts that turn "
    "squares into bits. Both look them up now: 66 million nodes/s became 78, and the search gained "
    "1 %.",
    "Search: nothing stands out any more. The largest share is the wait for the hash table's "
    "memory; the network takes a tenth.",
)
"""Changes that profiles have led to."""

_OWN: Final = "__pyx_f_"
_PACKAGE: Final = re.compile(r"(?P<length>\d+)(?P<rest>\w+)")
_LINE: Final = re.compile(r"\s*(?P<share>[\d.]+)%\s+\[.\]\s+(?P<symbol>\S+)")


def measure(runs: int) -> Result:
    """Percent of each program's samples; one profile, whatever the number of runs."""
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
    """The functions of a program in Python that take most time, and their shares in percent."""
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "perf.data"))
        record = [PERF, "record", "-q", "-F", str(FREQUENCY), "-o", data]
        subprocess.run([*record, sys.executable, "-c", program], check=True, capture_output=True)
        report = [PERF, "report", "--stdio", "-i", data, "--fields", "overhead,symbol"]
        told = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    yield from read_report(told)


def read_report(told: str) -> Iterator[tuple[str, float]]:
    """The functions and shares in what ``perf report`` prints.

    >>> list(read_report("    23.76%  [.] __pyx_f_7xiangqi_4core_6search_2tt_probe"))
    [('tt.probe', 23.76)]
    """
    for line in told.splitlines():
        found = _LINE.match(line)
        if found:
            yield _plain_name(found["symbol"]), float(found["share"])


def _plain_name(symbol: str) -> str:
    """The module and function of a symbol of Cython, which writes the length of each package's and
    module's name before it; other symbols as they are."""
    rest = symbol.removeprefix(_OWN)
    module = ""
    while rest != symbol and (found := _PACKAGE.match(rest)):
        end = int(found["length"])
        module, rest = found["rest"][:end], found["rest"][end + 1 :]
    return f"{module}.{rest}" if module else symbol
