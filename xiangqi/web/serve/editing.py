"""A position that is set up by hand: all that is impossible about it, at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xiangqi.board import Board
from xiangqi.errors import Fact, FenError, PositionError
from xiangqi.fen import Status, describe_status, format_fen, parse_fen, setup_status
from xiangqi.referee.explanation import explain_outcome
from xiangqi.referee.rules import RuleSet
from xiangqi.web.serve.messages import text_of
from xiangqi.words.voice import Voice

__all__ = ["describe_problems"]


def describe_problems(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Problems of the position ``fen``, in words.

    ``fen`` is the position as it is usually written, None where the text cannot be read;
    ``playable`` is whether a game may begin there, in spite of a soldier where none can come,
    and ``status`` how it has ended already, if it has.
    """
    text = text_of(data, "fen")
    try:
        setup = parse_fen(text)
    except FenError as error:
        told = Fact("at", place=error.field, what=error.why).say(voice.language)
        return {"fen": None, "problems": [told], "playable": False, "status": ""}
    status, ending, is_playable = setup_status(setup), "", True
    try:
        board = Board(setup)
    except PositionError as error:
        status, is_playable = Status(error.status), False
    else:
        outcome = board.outcome(rules)
        ending = "" if outcome is None else explain_outcome(board, outcome, rules, voice)
    return {
        "fen": format_fen(setup),
        "problems": [one.say(voice.language) for one in describe_status(setup, status)],
        "playable": is_playable,
        "status": ending,
    }
