"""Articles of a rule set's book on the parts of a ruling; empty where none is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xiangqi.pieces import BLACK, RED, Color, Square
from xiangqi.referee.grounds import PROFITABLE, Ground, grounds_of
from xiangqi.referee.marks import Conduct, Finding, Mark, chase_key, ground_key, protected_key
from xiangqi.referee.rules import RuleSet, list_articles
from xiangqi.referee.ruling import WEIGHED, PlyReport, Proof, Ruling, Threat

__all__ = [
    "articles_of_conduct",
    "articles_of_ground",
    "articles_of_proof",
    "articles_of_threat",
    "articles_of_verdict",
    "articles_of_weight",
    "list_losing_chases",
]


def articles_of_threat(
    rules: RuleSet, threat: Threat, grounds: Sequence[Ground]
) -> tuple[str, ...]:
    """Articles on an attack: on the kinds of pieces and the grounds of a chase, else on the reason
    why it is none."""
    kinds = threat.attacker_piece.piece_type, threat.victim_piece.piece_type
    if threat.is_protected:
        return list_articles(rules, protected_key(*kinds), threat.reason.value)
    if threat.reason not in PROFITABLE:
        return list_articles(rules, threat.reason.value)
    own = [number for ground in grounds for number in articles_of_ground(rules, ground)]
    return tuple(dict.fromkeys((*list_articles(rules, chase_key(*kinds)), *own)))


def articles_of_ground(rules: RuleSet, ground: Ground) -> tuple[str, ...]:
    """Articles on a ground: those on its kinds of pieces if there are any, else on the ground."""
    keys = [ground.kind.value]
    if ground.piece is not None:
        kind = ground.piece.piece.piece_type
        keys.append(ground_key(ground.kind, kind))
        if ground.by is not None:
            keys.append(ground_key(ground.kind, kind, ground.by.piece.piece_type))
    return next(filter(None, (list_articles(rules, key) for key in reversed(keys))), ())


def articles_of_proof(rules: RuleSet, proof: Proof) -> tuple[str, ...]:
    """Articles on a line: on its mark and its false roots, or on the reason why it does not
    count."""
    if proof.clause is not None:
        return list_articles(rules, proof.clause.value)
    even = ("even_chase",) if proof.is_even else ()
    roots = ("false_root",) if proof.false_roots else ()
    return list_articles(rules, proof.mark.value, *even, *roots)


def articles_of_weight(rules: RuleSet, report: PlyReport) -> tuple[str, ...]:
    """Articles on the weight of a forbidden move."""
    weight = Conduct.HEAVY if report.is_heavy else Conduct.LIGHT
    joint = [] if report.is_heavy else [proof.joint for proof in report.proofs[:1] if proof.joint]
    return list_articles(rules, weight.value, *(one.value for one in joint))


def articles_of_verdict(ruling: Ruling) -> tuple[str, ...]:
    """Articles on the verdict that follows from both sides' conduct."""
    finding = _find_verdict(ruling)
    return () if finding is None else list_articles(ruling.rules, finding.value)


def _find_verdict(ruling: Ruling) -> Finding | None:
    red, black, offender = ruling.conduct[RED], ruling.conduct[BLACK], ruling.offender
    if ruling.nine_round_offenders or ruling.too_many is not None or red is None:
        return None
    if offender is not None:
        if ruling.conduct[offender] is Conduct.CHECK:
            return Finding.PERPETUAL_CHECK
        if ruling.conduct[not offender] is Conduct.IDLE:
            return Finding.ONE_FORBIDDEN
        return Finding.BOTH_FORBIDDEN if ruling.conduct[offender] in WEIGHED else None
    if red is Conduct.IDLE is black:
        return Finding.BOTH_ALLOWED
    if red is black and red in _BOTH:
        return _BOTH[red]
    return Finding.BOTH_FORBIDDEN if WEIGHED & {red, black} else None


_BOTH = {Conduct.CHECK: Finding.BOTH_CHECK, Conduct.CHASE: Finding.BOTH_CHASE}


def articles_of_conduct(ruling: Ruling, color: Color) -> tuple[str, ...]:
    """Articles on a side's conduct; of a perpetual chase those on its chases."""
    if ruling.conduct[color] is not Conduct.CHASE:
        finding = _find_conduct(ruling, color)
        return () if finding is None else list_articles(ruling.rules, finding.value)
    found = (
        number
        for report, threat in list_losing_chases(ruling, color)
        for number in articles_of_threat(ruling.rules, threat, grounds_of(ruling, report, threat))
    )
    return tuple(dict.fromkeys(found))


def _find_conduct(ruling: Ruling, color: Color) -> Finding | None:
    conduct = ruling.conduct[color]
    marks = {report.mark for report in ruling.plies if report.color == color}
    if conduct is Conduct.CHECK:
        return Finding.PERPETUAL_CHECK
    if conduct in WEIGHED:
        return Finding.FORBIDDEN
    if not ruling.rules.in_search:
        return Finding.ONE_ALLOWED if any(mark.is_strike for mark in marks) else None
    if marks == {Mark.CHECK, Mark.CHASE}:
        return Finding.CHECKS_AND_CHASES
    if Mark.CHECK in marks:
        return Finding.SOME_CHECKS
    return Finding.NO_COMMON_VICTIM if marks == {Mark.CHASE} else None


def list_losing_chases(ruling: Ruling, color: Color) -> Iterator[tuple[PlyReport, Threat]]:
    """Chases of the perpetually chased pieces by a side, in order of plies."""
    found = []
    squares: set[Square] = {victim.square for victim in ruling.victims[color]}
    for report in reversed(ruling.plies):
        if report.color == color:
            chases = [threat for threat in report.chases if threat.victim in squares]
            found += [(report, threat) for threat in reversed(chases)]
        elif report.move.to_square in squares:  # a victim moved here
            squares = squares - {report.move.to_square} | {report.move.from_square}
    return reversed(found)
