"""Explanations of rulings as JSON data, in the language of a request."""

from __future__ import annotations

from typing import Annotated, TypedDict

from xiangqi.contract.rulings import SideName
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, square_name
from xiangqi.referee.evidence import CycleMove
from xiangqi.referee.explanation import Explanation
from xiangqi.referee.ruling import Mark
from xiangqi.words.voice import Voice

__all__ = [
    "CycleMoveData",
    "ExplanationData",
    "RemedyData",
    "SentenceData",
    "explanation_to_dict",
]


class SentenceData(TypedDict):
    """A sentence on a move of the cycle: a check, an attack, or a line of play."""

    text: str
    weighs: Annotated[bool, "Is it a check, a kill, a chase, or a weight?"]
    arrows: Annotated[list[str], "From and to squares of its checks or its attack: e0e8."]


class CycleMoveData(TypedDict):
    """A move of the cycle, which may be played in several rounds."""

    plies: Annotated[list[int], "From 0."]
    move: Annotated[str, "In the notation of the request."]
    rounds: Annotated[str, "Its rounds in words."]
    side: SideName
    mark: Annotated[str, Mark]
    name: Annotated[str, "Name of the mark."]
    sentences: list[SentenceData]


class RemedyData(TypedDict):
    """A line on the side that had to change."""

    text: str
    is_move: Annotated[bool, "Is it an offending move, in a list below the line before?"]


class ExplanationData(TypedDict):
    """An explanation of a ruling in words, with its parts."""

    text: Annotated[str, "The full text, move by move."]
    window: Annotated[str | None, "The moves that are judged; null for an undecided repetition."]
    sides: Annotated[list[str], "Conduct of Red, then of Black; empty without a window."]
    counts: Annotated[list[str], "Current offences, if rounds are counted."]
    remedies: Annotated[list[RemedyData], "Side that had to change, and sufficient changes."]
    doubts: Annotated[list[str], "Open questions of the rules that decide, and unsettled moves."]
    moves: Annotated[list[CycleMoveData], "Moves of the window, equal ones joined."]


def explanation_to_dict(found: Explanation, voice: Voice) -> ExplanationData:
    """JSON data of an explanation."""
    sides = () if found.window is None else (found.side(RED), found.side(BLACK))
    return {
        "text": found.say(voice),
        "window": None if found.window is None else found.window.say(voice),
        "sides": [side.say(voice) for side in sides],
        "counts": [count.say(voice) for count in found.counts],
        "remedies": [{"text": text.say(voice), "is_move": move} for text, move in found.remedies],
        "doubts": [doubt.say(voice) for doubt in found.doubts],
        "moves": [_move_to_dict(found, move, voice) for move in found.cycle],
    }


def _move_to_dict(found: Explanation, move: CycleMove, voice: Voice) -> CycleMoveData:
    report = move.evidence.report
    return {
        "plies": list(move.plies),
        "move": found.sheet.move(report.ply).say(voice),
        "rounds": found.sheet.list_rounds(move.plies).say(voice),
        "side": COLOR_NAMES[report.color],
        "mark": report.mark.value,
        "name": voice.say(f"mark_{report.mark.value}"),
        "sentences": [
            {
                "text": one.text.say(voice),
                "weighs": one.weighs,
                "arrows": [square_name(each.tail) + square_name(each.head) for each in one.arrows],
            }
            for one in move.evidence.sentences
        ],
    }
