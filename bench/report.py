"""Results as tables for the terminal, as JSON, and as Markdown for the repository."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.measure import Result, Row, Samples
from xiangqi import __version__

COLUMNS = ("", "Meihua", "peer", "ratio", "by pairs")
PLOT = "RESULTS.svg"
BY_HAND = "BY_HAND.md"
LEGEND = (
    "Figures are medians (minimum-maximum) over alternating runs. 'ratio' is how many times "
    "faster, or smaller, Meihua is by the medians; 'by pairs' is the median ratio of adjacent runs."
)


@dataclass(frozen=True)
class Machine:
    """Machine, software and date of a run."""

    date: str
    processor: str
    cores: int
    load: float
    system: str
    python: str
    compiler: str
    meihua: str

    @classmethod
    def here(cls) -> Machine:
        """Describe this machine."""
        return cls(
            date=time.strftime("%Y-%m-%d"),
            processor=_processor(),
            cores=os.cpu_count() or 1,
            load=os.getloadavg()[0],
            system=f"{platform.system()} {platform.machine()}",
            python=f"{platform.python_implementation()} {platform.python_version()}",
            compiler=_compiler(),
            meihua=__version__,
        )

    def __str__(self) -> str:
        return (
            f"{self.date}, Meihua {self.meihua}, {self.processor}, {self.cores} cores "
            f"(load {self.load:.1f}), {self.system}, {self.python}, {self.compiler}"
        )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown processor"


def _compiler() -> str:
    path = shutil.which("cc")
    if path is None:
        return "no C compiler"
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0] or "unknown C compiler"


def cells(row: Row) -> tuple[str, ...]:
    """Format a row, one cell for each of :data:`COLUMNS`."""
    return (
        f"{row.what} ({row.unit})",
        _figures(row.ours),
        "" if row.theirs is None else f"{row.theirs.name}: {_figures(row.theirs)}",
        "" if row.ratio is None else _number(row.ratio),
        "" if row.pairwise_ratio is None else _number(row.pairwise_ratio),
    )


def _figures(samples: Samples) -> str:
    return f"{_number(samples.median)} ({_number(samples.least)}-{_number(samples.most)})"


def _number(value: float) -> str:
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


def print_result(result: Result, console: Console) -> None:
    """Print a result as a table."""
    table = Table(*COLUMNS, title=result.title, title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in result.rows:
        table.add_row(*cells(row))
    console.print(table)
    for note in result.notes:
        console.print(f"  {note}", highlight=False)


def to_json(machine: Machine, results: Mapping[str, Result]) -> str:
    """Format all measurements, including those of single runs, as JSON."""
    data = {
        "machine": vars(machine),
        "results": {name: _result_data(result) for name, result in results.items()},
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _result_data(result: Result) -> dict[str, Any]:
    return {
        "title": result.title,
        "notes": result.notes,
        "curves": [vars(curve) for curve in result.curves],
        "rows": [
            {
                "what": row.what,
                "unit": row.unit,
                "ours": row.ours.values,
                "peer": None if row.theirs is None else row.theirs.name,
                "theirs": None if row.theirs is None else row.theirs.values,
                "ratio": row.ratio,
                "pairwise_ratio": row.pairwise_ratio,
            }
            for row in result.rows
        ],
    }


def to_markdown(machine: Machine, results: Mapping[str, Result]) -> str:
    """Format the results as the page of the repository."""
    lines = ["# Benchmark results", "", f"By `python -m bench --write`, on {machine}."]
    lines += [f"Other measurements are in [{BY_HAND}]({BY_HAND}).", "", LEGEND, ""]
    if any(result.curves for result in results.values()):
        lines += [f"![Cost by size]({PLOT})", ""]
    for result in results.values():
        lines += [f"## {result.title}", "", _line(COLUMNS), _line(["---"] + ["---:"] * 4)]
        lines += [_line(cells(row)) for row in result.rows]
        lines += ["", *(f"- {note}" for note in result.notes)]
        lines += [""] if result.notes else []
    return "\n".join(lines).rstrip() + "\n"


def _line(texts: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(texts)} |"
