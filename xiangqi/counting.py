"""Numbers in sentences: "1 game", "2 games", "twice"."""

from __future__ import annotations

from typing import Final

__all__ = ["Count", "plural"]

_TIMES: Final = {1: "once", 2: "twice"}


def plural(count: int, noun: str) -> str:
    """A number and what is counted, in English.

    >>> plural(1, "game"), plural(0, "game"), plural(12_345, "ply")
    ('1 game', '0 games', '12345 plies')
    """
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("ly") else f"{noun}s"
    return f"{count} {noun}"


class Count(int):
    """A number that can be put into a sentence with what it counts, or as ``times``.

    >>> f"{Count(2):game} met {Count(1):times}, {Count(7):>3}"
    '2 games met once,   7'
    """

    def __format__(self, spec: str) -> str:
        if spec == "times":
            return _TIMES.get(self, f"{int(self)} times")
        return plural(self, spec) if spec.isalpha() else format(int(self), spec)
