"""Plots of cost against size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from bench.measure import Curve

COLUMNS = 3
PANEL = (4.6, 3.4)  # inches
MARKERS = "osD^v"


def plot_curves(curves: Sequence[Curve], path: Path) -> None:
    """Plot each curve in its own panel, with logarithmic axes; needs Matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "meihua"  # reproducible output
    from matplotlib import pyplot

    columns = min(COLUMNS, len(curves))
    rows = math.ceil(len(curves) / columns)
    size = (PANEL[0] * columns, PANEL[1] * rows)
    figure, panels = pyplot.subplots(rows, columns, figsize=size, squeeze=False)
    for panel in panels.flat[len(curves) :]:
        panel.set_visible(False)
    for panel, curve in zip(panels.flat, curves, strict=False):
        for (name, points), marker in zip(curve.lines.items(), MARKERS, strict=False):
            panel.plot(*zip(*points, strict=True), marker=marker, label=name)
        panel.set(title=curve.title, xlabel=curve.size, ylabel=curve.unit)
        panel.set(xscale="log", yscale="log")
        sizes = sorted({at for points in curve.lines.values() for at, _ in points})
        panel.set_xticks(sizes, [f"{at:g}" for at in sizes])
        panel.minorticks_off()
        panel.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
