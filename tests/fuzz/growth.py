"""CPU time of reading and writing files of two sizes: does it grow with the size?

    python -m tests.fuzz.growth
    python -m tests.fuzz.growth --seconds 600 --seed 2

Places and pieces of text are those of ``tests/games/formats/test_growth.py``, which counts steps of
Python and of patterns on small files. Here work in C counts as well, such as that of ``str``
methods. The larger file is read and written first; where that is quick, the smaller one is not
needed. The exit code is 1 if a file of four times the size took more than eight times the CPU time,
three times in a row.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random

from tests.fuzz.run import limited, make_parser, report
from tests.support.growing_files import PIECES, PLACES, Place, repeat, use

LARGER = 4
"""Ratio of the sizes; work that grows with the square takes 16 times the time."""
MAX_GROWTH = 8.0
ENOUGH_S = 0.5
"""Time for the larger file that is no fault, whatever the smaller one takes."""
TRIES = 3

Clock = Callable[[], float]


def growth(work: Callable[[int], object], size: int, clock: Clock = time.process_time) -> float:
    """Ratio of the times of some work for a size and for LARGER times that, the least of TRIES;
    0 where it takes no more than ENOUGH_S."""
    found = []
    for _ in range(TRIES):
        large = timed(work, LARGER * size, clock)
        if large <= ENOUGH_S:
            return 0.0
        found.append(large / max(timed(work, size, clock), 1e-3))
        if found[-1] <= MAX_GROWTH:
            break
    return min(found)


def timed(work: Callable[[int], object], size: int, clock: Clock) -> float:
    """Seconds that some work takes."""
    began = clock()
    work(size)
    return clock() - began


def fill(place: Place, piece: str, size: int) -> None:
    """Read and write a file of about this size."""
    use(place, place.fill(repeat(piece, size)))


def main() -> int:
    """Try the places and pieces in random order; the exit code."""
    parser = make_parser(__doc__, count=len(PLACES) * len(PIECES))
    parser.add_argument("--size", type=int, default=60_000, help="characters of the smaller file")
    options = parser.parse_args()
    cases = [(place, piece) for place in PLACES for piece in PIECES]
    Random(options.seed).shuffle(cases)
    failures = 0
    slowest = (0.0, "")
    for place, piece in limited(cases, options):
        name = f"{place.format or 'text'}, {place.name}: {piece!r}"
        began = time.process_time()
        times = growth(partial(fill, place, piece), options.size)
        slowest = max(slowest, (time.process_time() - began, name))
        if times > MAX_GROWTH:
            failures += 1
            print(f"{name}: {times:.1f} times the time for {LARGER} times the size", flush=True)
    report(f"slowest: {slowest[1]}, {slowest[0]:.1f} s")
    print(f"{failures} of more than {MAX_GROWTH:g} times")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
