"""Reason for a ruling, in one sentence."""

from __future__ import annotations

from typing import Final

from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.ruling import Conduct, Mark, OffenceCount, Ruling, Verdict, is_told
from xiangqi.words import enumerate_words
from xiangqi.words.rounds import Rounds
from xiangqi.words.voice import PLAIN_VOICE, ScoreSheet, Voice

__all__ = [
    "WEIGHED",
    "format_reason",
    "is_mixture",
    "name_conduct",
    "name_marks",
    "name_offence",
    "name_verdict",
    "name_victims",
]

WEIGHED: Final = frozenset({Conduct.LIGHT, Conduct.HEAVY})
"""Conducts whose moves, all forbidden, are weighed."""


def name_verdict(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The verdict in a few words: who wins, who must change, or which move is barred."""
    rules, offender = ruling.rules, ruling.offender
    if offender is None:
        is_free = rules.prohibition != "none" and ruling.verdict is Verdict.UNDECIDED
        return voice.say("nothing_barred" if is_free else ruling.verdict.value)
    if rules.bars_moves:
        sheet = ScoreSheet(ruling.fen, ruling.moves, voice)
        last = len(ruling.moves) - 1
        if sheet.rounds.side(last) != offender:  # whose move it is that may not repeat this
            return voice.say("may_not_go_on", side=voice.side(offender))
        return voice.say("barred_move", move=sheet.move(last), place=sheet.place(last))
    is_first_time = ruling.occurrences == rules.occurrences
    if ruling.pressing or (is_told(ruling.conduct[offender], rules) and is_first_time):
        return voice.say("must_change", side=voice.side(offender))
    return voice.say(ruling.verdict.value)


def format_reason(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The case in one sentence."""
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    if ruling.rules.prohibition != "none" and ruling.window is not None:
        return _format_return(ruling, ruling.window[0], voice)
    if len(ruling.pressing) == 1:
        return voice.say("why_pressing", side=voice.side(ruling.pressing[0]))
    if ruling.pressing:
        return voice.say("why_both_pressing")
    if red is None or black is None:
        found, required = ruling.occurrences, ruling.rules.occurrences
        if ruling.rules.counts_rounds:
            return voice.say("why_counting", found=found)
        return voice.say("why_undecided", found=found, required=required)
    offender = ruling.offender
    if offender is None:
        return _format_draw(ruling, voice)
    if ruling.too_many is not None:
        return voice.say(
            "why_rounds",
            side=voice.side(offender),
            rounds=ruling.too_many.allowed,
            offence=name_offence(ruling.too_many, ruling, voice),
        )
    conduct = red if offender == RED else black
    return voice.say(
        "why_forbidden" if is_mixture(ruling, offender) else f"why_{conduct.value}",
        side=voice.side(offender),
        victims=name_victims(ruling, offender, voice),
        marks=name_marks(ruling, offender, voice),
        other=voice.side(not offender),
        conduct=name_conduct(ruling, not offender, voice),
    )


def _format_return(ruling: Ruling, plies: int, voice: Voice) -> str:
    """Side that repeated the board of an earlier ply."""
    rounds = Rounds.from_fen(ruling.fen)
    return voice.say(
        "why_brought_back",
        side=voice.side(rounds.side(len(ruling.moves) - 1)),
        moment=voice.moment(rounds, plies),
    )


def _format_draw(ruling: Ruling, voice: Voice) -> str:
    conduct, others = (name_conduct(ruling, color, voice) for color in (RED, BLACK))
    if conduct == others:
        return voice.say("why_equal", conduct=conduct)
    return voice.say(
        "why_unlike",
        side=voice.side(RED),
        conduct=conduct,
        other=voice.side(BLACK),
        others=others,
    )


def is_mixture(ruling: Ruling, color: Color) -> bool:
    """Is what a side did forbidden together, and not as chases of one piece?

    So where a book weighs moves, and where checks and chases, or chases of several pieces, count
    in a row.
    """
    conduct = ruling.conduct[color]
    if conduct is not Conduct.CHASE:
        return conduct in WEIGHED
    marks = {report.mark for report in ruling.plies if report.color == color}
    return marks != {Mark.CHASE} or not ruling.victims[color]


def name_conduct(ruling: Ruling, color: Color, voice: Voice = PLAIN_VOICE) -> str:
    """Conduct of a side over the cycle; ``-`` where nothing is told of it."""
    conduct = ruling.conduct[color]
    if conduct is None:
        return "-"
    is_several = conduct is Conduct.CHASE and is_mixture(ruling, color)
    return voice.say("perpetual_mixture" if is_several else f"perpetual_{conduct.value}")


def name_offence(count: OffenceCount, ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Name of the counted offence: checks, checks and chases by turns, or the chase of a piece."""
    if count.victim is None:
        return voice.say(f"offence_{count.offence.value}")
    cells = ruling.board().setup().board
    victim = voice.pieces([(count.victim.square, count.victim.piece)], cells)
    return voice.say("offence_chase", victim=victim)


def name_marks(ruling: Ruling, color: Color, voice: Voice = PLAIN_VOICE) -> str:
    """Marks of a side's moves, each once, the gravest first."""
    made = {report.mark for report in ruling.plies if report.color == color}
    words = [voice.say(f"mark_{mark.value}") for mark in Mark if mark in made]
    return enumerate_words(voice.language, words) if words else ""


def name_victims(ruling: Ruling, color: Color, voice: Voice = PLAIN_VOICE) -> str:
    """The pieces that a side chased perpetually, in words; empty if there are none."""
    victims = [(victim.square, victim.piece) for victim in ruling.victims[color]]
    return voice.pieces(victims, ruling.board().setup().board) if victims else ""
