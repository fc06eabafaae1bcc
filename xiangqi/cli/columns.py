"""Columns of text on a terminal, where a Chinese character takes two places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

__all__ = ["align_columns"]


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of as many cells each, as lines whose columns stand below one another.

    >>> list(align_columns([("a", "bc", "d"), ("ef", "\u7ea2", "g")]))
    ['a   bc  d', 'ef  \u7ea2  g']
    """
    *widths, _ = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    for row in rows:
        padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=False))
        yield "  ".join((*padded, row[-1]))
