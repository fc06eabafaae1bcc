"""Arrows between squares, for drawings and for the comments of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from xiangqi.ground.errors import quote
from xiangqi.pieces import Square

__all__ = ["ARROW_KINDS", "Arrow", "ArrowKind"]

ArrowKind: TypeAlias = Literal["move", "attack", "protection", "false_protection", "chase", "check"]
ARROW_KINDS: Final[tuple[ArrowKind, ...]] = get_args(ArrowKind)
"""All kinds, in rising order of their weight in a ruling."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from one square to another, or a ring if both are the same.

    >>> Arrow(tail=0, head=9, kind="chase")
    Arrow(tail=0, head=9, kind='chase')
    """

    tail: Square
    head: Square
    kind: ArrowKind = "move"

    def __post_init__(self) -> None:
        if self.kind not in ARROW_KINDS:
            kinds = ", ".join(ARROW_KINDS)
            raise ValueError(f"invalid kind of arrow {quote(self.kind)}: expected one of {kinds}")
