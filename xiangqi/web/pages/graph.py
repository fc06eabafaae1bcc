"""The evaluations of a game as a curve: Red below it, Black above.

A soldier more is a fifth of the way from the middle, three are half of it, and a mate is all. It is
drawn where the page is made, so that it is seen without a script; each move is a link to its
position. A file has evaluations as :mod:`xiangqi.games.comments` reads them, by any program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from xiangqi.games.comments import Eval, read_eval
from xiangqi.games.tree import Game
from xiangqi.web.pages.plies import PagePly
from xiangqi.words.voice import Voice

__all__ = ["draw_graph", "evals_of"]

HEIGHT: Final = 100
SCALE_CP: Final = 500
"""Centipawns at three quarters of the way to the edge; ``analysis_lines.js`` has the same scale."""
FAULTS: Final = {2: "mistake", 4: "blunder", 6: "inaccuracy"}
"""Marks that are shown in the curve, by their numbers in PGN."""
_LEAST: Final = 2
"""Minimum number of evaluations for a curve."""


def evals_of(game: Game) -> list[Eval | None]:
    """Values of the first position and after each move of the main line, where known."""
    return [read_eval(node.comment) for node in (game.root, *game.mainline())]


def draw_graph(game: Game, rows: Sequence[PagePly], voice: Voice) -> Markup:
    """The curve as SVG, as wide as the slider above it; empty with too few values."""
    evals = evals_of(game)
    if sum(value is not None for value in evals) < _LEAST:
        return Markup("")
    parts = [
        f'<svg class="graph" id="graph" viewBox="0 0 {len(rows)} {HEIGHT}" '
        f'preserveAspectRatio="none" role="img" aria-label="{voice.say("page_graph")}">',
        f'<path class="red" d="{_path(evals)}"/>',
        f'<line class="even" x1="0" y1="{HEIGHT / 2:g}" x2="{len(rows)}" y2="{HEIGHT / 2:g}"/>',
        *_faults(game),
        *_links(evals, rows),
        "</svg>",
    ]
    return Markup("".join(parts))


def _height(value: Eval) -> float:
    """Distance from the top."""
    if value.mate is not None:
        return 0.0 if value.mate > 0 else float(HEIGHT)
    return HEIGHT * (1 - math.tanh((value.cp or 0) / SCALE_CP)) / 2


def _path(evals: Sequence[Eval | None]) -> str:
    """Red's part; without a value the curve goes straight on, as behind a mate."""
    told = [(place, value) for place, value in enumerate(evals) if value is not None]
    points = [f"{place} {_height(value):.1f}" for place, value in told]
    first, last = told[0], told[-1]
    end = len(evals) - 1
    points = [f"{first[0]} {HEIGHT}", *points, f"{end} {_height(last[1]):.1f}", f"{end} {HEIGHT}"]
    return f"M{' L'.join(points)} Z"


def _faults(game: Game) -> Iterator[str]:
    for node in game.mainline():
        name = next((FAULTS[nag] for nag in node.nags if nag in FAULTS), "")
        if name:
            yield (
                f'<line class="fault {name}" x1="{node.ply}" y1="0" x2="{node.ply}" y2="{HEIGHT}"/>'
            )


def _links(evals: Sequence[Eval | None], rows: Sequence[PagePly]) -> Iterator[str]:
    """A column for each move, which leads to its position and describes it."""
    for row, value in zip(rows, evals[1:], strict=True):
        words = f"{row.round}. {row.names[0]}{row.marks}" + ("" if value is None else f" {value}")
        yield (
            f'<a href="#ply={row.number}" tabindex="-1">'
            f'<rect x="{row.number - 0.5:g}" y="0" width="1" height="{HEIGHT}">'
            f"<title>{Markup.escape(words)}</title></rect></a>"
        )
