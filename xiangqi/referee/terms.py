"""Terms of rulings, each with its anchor in the glossary (``docs/glossary.md``)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from xiangqi.referee.grounds import grounds_of, grounds_of_proof
from xiangqi.referee.marks import GroundKind, Joint, Mark
from xiangqi.referee.ruling import PlyReport, Ruling

__all__ = ["Term", "list_terms", "terms_of"]


class Term(Enum):
    """Term with its anchor in the glossary."""

    CHECK = "check"
    KILL = "kill"
    CHASE = "chase"
    EXCHANGE = "exchange"
    OFFER = "offer"
    BLOCK = "block"
    FOLLOW = "follow"
    IDLE = "idle"
    ROOT = "root"
    FALSE_ROOT = "false-root"
    FEW_ROOTS = "too-few-roots"
    JOINT = "joint-chase"
    SINGLE = "single-chase"
    UNCOVERED = "uncovered-attack"


_OF_MARKS: Final = {mark: Term(mark.value) for mark in Mark}
_OF_GROUNDS: Final = {
    GroundKind.FALSE_ROOT: Term.FALSE_ROOT,
    GroundKind.MOUNT: Term.UNCOVERED,
    GroundKind.UNCOVERED: Term.UNCOVERED,
}


def list_terms(ruling: Ruling) -> tuple[Term, ...]:
    """Terms in the explanation of a ruling, in the order of the glossary."""
    found = {term for report in ruling.plies for term in terms_of(ruling, report)}
    return tuple(term for term in Term if term in found)


def terms_of(ruling: Ruling, report: PlyReport) -> Iterator[Term]:
    """Terms that the mark and the evidence of a move show."""
    yield _OF_MARKS[report.mark]
    for threat in report.threats:
        if threat.is_protected:
            yield Term.ROOT
        for ground in grounds_of(ruling, report, threat):
            if ground.kind in _OF_GROUNDS:
                yield _OF_GROUNDS[ground.kind]
    for proof in report.proofs:
        if proof.false_roots:
            yield Term.FALSE_ROOT
        if grounds_of_proof(ruling, report, proof):
            yield Term.UNCOVERED
    if report.mark is Mark.CHASE and report.is_heavy is not None and report.proofs:
        joint = report.proofs[0].joint
        if report.is_heavy:
            yield Term.SINGLE
        else:
            yield Term.FEW_ROOTS if joint is Joint.ROOT else Term.JOINT
