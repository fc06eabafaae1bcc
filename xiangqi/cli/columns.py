"""Columns of text on a terminal, where a Chinese character is two cells wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

__all__ = ["align_columns"]


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align the cells of rows of equal length in columns.

    >>> list(align_columns([("a", "bc", "d"), ("ef", "\u7ea2", "g")]))
    ['a   bc  d', 'ef  \u7ea2  g']
    """
    *widths, _ = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    for row in rows:
        padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=False))
        yield "  ".join((*padded, row[-1]))
