"""Output of an engine in UCCI."""

from __future__ import annotations

import re

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
BEST = re.compile(r"bestmove [a-i][0-9][a-i][0-9]( ponder [a-i][0-9][a-i][0-9])?( draw)?")
INFO = re.compile(
    r"info depth \d+ seldepth \d+ (multipv \d+ )?score -?\d+ nodes \d+ nps \d+"
    r" hashfull \d+ time \d+ pv( [a-i]\d[a-i]\d)+"
)


def best_of(lines: list[str]) -> str:
    assert BEST.fullmatch(lines[-1]), lines
    return lines[-1].split()[1]
