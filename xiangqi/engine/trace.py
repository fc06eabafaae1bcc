"""The evaluation of a position, term by term."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.core.evaluator import LIMITS, evaluate_board, searched_value, trace_board
from xiangqi.engine.network import NetworkFile, evaluation_of
from xiangqi.engine.weights import flatten, in_order, make_terms

__all__ = ["TermValue", "format_trace", "trace_terms", "value_of"]


class TermValue(NamedTuple):
    """Contribution of a group of weights, from the side to move."""

    name: str
    middle_game: int
    end_game: int
    tapered: float
    """Both in proportion to the phase of the game."""


def trace_terms(board: CoreBoard) -> list[TermValue]:
    """The terms that count in a position, in the order of the weights."""
    phase, _, coefficients = trace_board(board, make_terms())
    weights = flatten()
    owners = [group.name for group in in_order() for _ in group.weights()]
    terms = []
    for name, members in groupby(coefficients, key=lambda pair: owners[pair[0]]):
        pairs = [(weights[index], count) for index, count in members]
        middle_game = sum(weight[0] * count for weight, count in pairs)
        end_game = sum(weight[1] * count for weight, count in pairs)
        share = phase / LIMITS["phase"]
        tapered = middle_game * share + end_game * (1 - share)
        terms.append(TermValue(name, middle_game, end_game, tapered))
    return terms


def value_of(board: CoreBoard, network: NetworkFile | None = None) -> int:
    """The value of a position from the side to move, by a network or by the hand-made terms, as
    the search takes it."""
    return searched_value(board, evaluation_of(network))


def format_trace(board: CoreBoard, network: NetworkFile | None = None) -> str:
    """A table of the terms, then phase, scale and the value, from the side to move; then the
    network's value, if one is used, and what the search makes of it, if that is something else."""
    return "\n".join(_lines(board, network))


def _lines(board: CoreBoard, network: NetworkFile | None) -> Iterator[str]:
    phase, scale, _ = trace_board(board, make_terms())
    yield f"{'term':<22}{'middle':>8}{'end':>8}{'tapered':>10}"
    for term in trace_terms(board):
        yield f"{term.name:<22}{term.middle_game:>8}{term.end_game:>8}{term.tapered:>10.1f}"
    yield f"phase {phase} of {LIMITS['phase']}, scale {scale} of {LIMITS['scale']}"
    yield f"value {evaluate_board(board, make_terms())} centipawns for the side to move"
    value = evaluate_board(board, evaluation_of(network))
    used = "the hand-made evaluation"
    if network is not None:
        yield f"network {network.name}: value {value}"
        used = f"the network {network.name}"
    if (searched := value_of(board, network)) != value:
        yield f"one attacker at most: searched as {searched}"
    yield f"used: {used}"
