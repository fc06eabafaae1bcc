"""Verdicts and their reasons, from each side's conduct over the cycle, as phrases."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from math import gcd

from xiangqi.pieces import BLACK, RED, ROOK, Color
from xiangqi.referee.marks import Conduct, Joint, Mark
from xiangqi.referee.ruling import WEIGHED, OffenceCount, PlyReport, Ruling, Verdict, must_change
from xiangqi.referee.scoresheet import ScoreSheet
from xiangqi.words.phrases import Listing, NumberWord, Text, list_pieces

__all__ = [
    "describe_conduct",
    "describe_offence",
    "describe_reason",
    "describe_verdict",
    "describe_victims",
    "is_mixture",
    "is_weighed",
    "kind_of_chase",
]


def describe_verdict(ruling: Ruling) -> Text:
    """Verdict in a few words: the winner, the side that must change, or the barred move."""
    rules, offender = ruling.rules, ruling.offender
    if offender is None:
        is_free = rules.prohibition != "none" and ruling.verdict is Verdict.UNDECIDED
        return Text("nothing_barred" if is_free else ruling.verdict.value)
    if rules.bars_moves:
        sheet = ScoreSheet(ruling)
        last = len(ruling.moves) - 1
        if sheet.rounds.side(last) != offender:  # the offender is to move, and has to change
            return Text("may_not_go_on", side=offender)
        return Text("barred_move", move=sheet.move(last), place=sheet.rounds.place(last))
    is_first_time = ruling.occurrences == rules.occurrences
    if ruling.nine_round_offenders or (
        must_change(ruling.conduct[offender], rules) and is_first_time
    ):
        return Text("must_change", side=offender)
    return Text(ruling.verdict.value)


def describe_reason(ruling: Ruling) -> Text:
    """Reason for a verdict in one sentence."""
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    offender = ruling.offender
    if ruling.rules.prohibition != "none" and ruling.window is not None:
        rounds = ScoreSheet(ruling).rounds
        mover = rounds.side(len(ruling.moves) - 1)
        return Text("why_brought_back", side=mover, moment=rounds.moment(ruling.window[0]))
    if len(ruling.nine_round_offenders) == 1:
        return Text("why_nine_rounds", side=ruling.nine_round_offenders[0])
    if ruling.nine_round_offenders:
        return Text("why_both_nine_rounds")
    if red is None or black is None:
        found, required = ruling.occurrences, ruling.rules.occurrences
        if ruling.rules.rounds is not None:
            return Text("why_counting", found=found)
        return Text("why_undecided", found=found, required=required)
    if offender is None:
        own, others = (describe_conduct(ruling, color) for color in (RED, BLACK))
        if own == others:
            return Text("why_equal", conduct=own)
        return Text("why_unlike", side=RED, conduct=own, other=BLACK, others=others)
    if ruling.too_many is not None:
        offence = describe_offence(ruling.too_many, ruling)
        rounds_allowed = ruling.too_many.allowed
        return Text("why_rounds", side=offender, rounds=rounds_allowed, offence=offence)
    conduct = red if offender == RED else black
    if conduct is Conduct.IDLE:
        return Text("why_first_rounds")
    values = {
        "side": offender,
        "other": not offender,
        "conduct": describe_conduct(ruling, not offender),
    }
    if is_mixture(ruling, offender):
        return Text("why_forbidden", own=describe_conduct(ruling, offender), **values)
    if conduct is Conduct.CHASE:
        return Text("why_chase", victims=describe_victims(ruling, offender), **values)
    return Text(f"why_{conduct.value}", **values)


def is_mixture(ruling: Ruling, color: Color) -> bool:
    """Is a side's conduct forbidden as a mixture, not as chases of one piece?

    True for conducts that are weighed, and for chases mixed with checks or without a common victim.
    """
    conduct = ruling.conduct[color]
    if conduct is not Conduct.CHASE:
        return conduct in WEIGHED
    marks = {report.mark for report in ruling.plies if report.color == color}
    return marks != {Mark.CHASE} or not ruling.victims[color]


def describe_conduct(ruling: Ruling, color: Color) -> Text:
    """Conduct of a side over the cycle, its kinds of moves counted.

    Weights are added where both sides make only forbidden moves, so that they decide.
    """
    conduct = ruling.conduct[color]
    if conduct is None:
        return Text("conduct_undecided")
    if conduct is Conduct.CHASE:
        if not is_mixture(ruling, color):
            return Text("perpetual_chase")
        if ruling.too_many is not None:
            return Text("perpetual_mixture")
    counted = _count_marks(ruling, color)
    if not is_weighed(ruling):
        return counted
    chases = (one for one in ruling.plies if one.color == color and one.mark is Mark.CHASE)
    weights = tuple(dict.fromkeys(Text(f"chase_{kind_of_chase(report)}") for report in chases))
    if not weights:
        return counted
    return Text("conduct_weighed", conduct=counted, weights=Listing(weights))


def _count_marks(ruling: Ruling, color: Color) -> Text:
    """Moves of a side by their marks, the gravest first: ``one check, two chases by turns``."""
    made = Counter(report.mark for report in ruling.plies if report.color == color)
    if len(made) == 1:
        (mark,) = made
        if mark is Mark.CHASE and ruling.conduct[color] is Conduct.IDLE:
            # are chases with every move allowed only if they have no common victim?
            voids = ruling.rules.answers.get("checking_move") == "voids_all"
            is_split = ruling.rules.offences == "check_and_chase" and not voids
            return Text("perpetual_split" if is_split else "perpetual_chases")
        return Text(f"perpetual_{mark.value}")
    unit = gcd(*made.values())
    words = []
    for mark in filter(made.__contains__, Mark):
        count = made[mark] // unit
        key = f"one_{mark.value}" if count == 1 else f"many_{mark.value}"
        words.append(Text(key, number=NumberWord(count)))
    moves = reduce(lambda one, other: Text("counted_next", first=one, second=other), words)
    return Text("counted_by_turns", moves=moves)


def is_weighed(ruling: Ruling) -> bool:
    """Do both sides make only forbidden moves, so that their weights decide?"""
    return not ruling.nine_round_offenders and WEIGHED.issuperset(ruling.conduct.values())


def kind_of_chase(report: PlyReport) -> str:
    """Kind of chase that makes a move heavy or light: last part of the keys of its texts."""
    main = report.proofs[0] if report.proofs else None
    if report.is_heavy:
        wins = main.victims if main is not None else ()
        return "chariot" if any(one.piece.piece_type == ROOK for one in wins) else "rootless"
    return "few_roots" if main is not None and main.joint is Joint.ROOT else "joint"


def describe_offence(count: OffenceCount, ruling: Ruling) -> Text:
    """Counted offence: checks, checks and chases, or the chase of a piece."""
    if count.victim is None:
        return Text(f"offence_{count.offence.value}")
    cells = ruling.trace.cells(len(ruling.moves))
    victim = list_pieces([(count.victim.square, count.victim.piece)], cells)
    return Text("offence_chase", victim=victim)


def describe_victims(ruling: Ruling, color: Color) -> Listing:
    """The pieces that a side chased perpetually, of which there is at least one."""
    victims = [(victim.square, victim.piece) for victim in ruling.victims[color]]
    return list_pieces(victims, ruling.trace.cells(len(ruling.moves)))
