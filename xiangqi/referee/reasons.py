"""Why a ruling is as it is, in one sentence."""

from __future__ import annotations

from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.ruling import Ruling
from xiangqi.words.rounds import Rounds
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["format_reason", "name_victims"]


def format_reason(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The case in one sentence."""
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    if ruling.rules.prohibition != "none" and ruling.window is not None:
        return _format_return(ruling, ruling.window[0], voice)
    if red is None or black is None:
        found, required = ruling.occurrences, ruling.rules.occurrences
        return voice.say("why_undecided", found=found, required=required)
    offender = ruling.offender
    if offender is None:
        return voice.say("why_equal", conduct=voice.say(f"perpetual_{red.value}"))
    conduct, other = (red, black) if offender == RED else (black, red)
    return voice.say(
        f"why_{conduct.value}",
        side=voice.side(offender),
        victims=name_victims(ruling, offender, voice),
        other=voice.side(not offender),
        conduct=voice.say(f"perpetual_{other.value}"),
    )


def _format_return(ruling: Ruling, plies: int, voice: Voice) -> str:
    """Who brought back the board that had stood after so many plies."""
    rounds = Rounds.from_fen(ruling.fen)
    return voice.say(
        "why_brought_back",
        side=voice.side(rounds.side(len(ruling.moves) - 1)),
        moment=voice.moment(rounds, plies),
    )


def name_victims(ruling: Ruling, color: Color, voice: Voice = PLAIN_VOICE) -> str:
    """The pieces that a side chased perpetually, in words; empty if there are none."""
    victims = [(victim.square, victim.piece) for victim in ruling.victims[color]]
    return voice.pieces(victims, ruling.board().setup().board) if victims else ""
