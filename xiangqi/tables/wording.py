"""What tables tell, in words."""

from __future__ import annotations

from xiangqi.core.board import CoreBoard
from xiangqi.counting import plural
from xiangqi.pieces import Color
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.tables.classes import SOLVED_RULES
from xiangqi.tables.probing import Prober, TableValue

__all__ = ["compare_rules", "describe_value"]

_ALLOWED = {
    "checks-only": "if perpetual chase were allowed",
    "all-draws": "if perpetual check were allowed",
}


def describe_value(value: TableValue, mover: Color, rules: RuleSet) -> str:
    """A value in a few words.

    >>> from xiangqi.referee.rules import WXF
    >>> describe_value(TableValue(-1, 22, 1), False, WXF)
    'Red wins in 22 plies under wxf'
    """
    return f"{_outcome(value, mover)} under {rules.name}"


def _outcome(value: TableValue, mover: Color) -> str:
    if not value.value:
        return "draw"
    winner = "Red" if mover == (value.value > 0) else "Black"
    return f"{winner} wins in {plural(value.distance, 'ply')}"


def compare_rules(tables: Prober, board: CoreBoard) -> str:
    """What a position is worth under the first rule set that is known, and what it would be under
    milder ones where that is something else; empty where nothing is known."""
    told = ""
    known = None
    for name in SOLVED_RULES:
        value = tables.probe(board, name)
        if value is None:
            continue
        if known is None:
            told = describe_value(value, board.turn, find_rule_set(name))
        elif value.value != known.value:
            told += f", {_outcome(value, board.turn)} {_ALLOWED[name]}"
        known = value
    return told
