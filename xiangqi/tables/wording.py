"""Values of the tables in words."""

from __future__ import annotations

from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.errors import TableError
from xiangqi.pieces import Color
from xiangqi.tables.classes import SOLVED_RULES
from xiangqi.tables.probing import Prober, Tablebase, TableValue, default_folder
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["compare_rules", "describe_value", "tell_outcome", "tell_usual_tables"]

_MILDER: Final = {"checks-only": "table_if_chase", "all-draws": "table_if_check"}
"""The sentences for what would be under rules that allow more."""


def describe_value(value: TableValue, mover: Color, rules: str, voice: Voice = PLAIN_VOICE) -> str:
    """A value in a few words.

    >>> describe_value(TableValue(-1, 22, 1), False, "wxf")
    'Red wins in 22 plies under wxf'
    """
    return voice.say("table_under", outcome=tell_outcome(value, mover, voice), rules=rules)


def tell_outcome(value: TableValue, mover: Color, voice: Voice = PLAIN_VOICE) -> str:
    """The winner and the number of plies, or a draw."""
    if not value.value:
        return voice.say("table_draw")
    winner = mover if value.value > 0 else not mover
    return voice.say("table_win", side=voice.side(winner), plies=value.distance)


def compare_rules(tables: Prober, board: CoreBoard, voice: Voice = PLAIN_VOICE) -> str:
    """Value of a position under the first rule set with a table, and under milder rule sets where
    it differs; empty without any table."""
    told: list[str] = []
    known = None
    for name in SOLVED_RULES:
        value = tables.probe(board, name)
        if value is None:
            continue
        if known is None:
            told.append(describe_value(value, board.turn, name, voice))
        elif value.value != known.value:
            told.append(voice.say(_MILDER[name], outcome=tell_outcome(value, board.turn, voice)))
        known = value
    return ", ".join(told) if voice.language == "en" else "，".join(told)


def tell_usual_tables(board: CoreBoard, voice: Voice) -> str:
    """The same by the tables of the usual folder, or what is wrong with them."""
    try:
        return compare_rules(Tablebase(default_folder()), board, voice)
    except TableError as error:
        return error.fact
