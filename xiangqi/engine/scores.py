"""Scores of the engine: centipawns for the side to move, mates, and wins by rule.

A mate in N plies is MATE - N, a win by the repetition rules in N plies RULE_WIN - N. The constants
come from the core.
"""

from __future__ import annotations

from typing import Final

from xiangqi.core.searches import SCORES

__all__ = ["MATE", "RULE_WIN", "is_decided", "is_mate_score", "moves_to_mate"]

MATE: Final = SCORES["mate"]
RULE_WIN: Final = SCORES["rule_win"]


def is_mate_score(score: int) -> bool:
    """Does the score tell a forced mate, for whichever side?"""
    return abs(score) >= SCORES["least_mate"]


def is_decided(score: int) -> bool:
    """Does the score tell a forced win, by mate or by the repetition rules, for whichever side?"""
    return abs(score) >= SCORES["least_decided"]


def moves_to_mate(score: int) -> int | None:
    """The moves until a mate, negative where the side to move is mated; None if it tells no mate.

    >>> moves_to_mate(MATE - 3), moves_to_mate(-MATE + 4), moves_to_mate(-MATE), moves_to_mate(35)
    (2, -2, 0, None)
    """
    if not is_mate_score(score):
        return None
    plies = MATE - abs(score)
    return (plies + 1) // 2 if score > 0 else -(plies // 2)
