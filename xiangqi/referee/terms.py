"""Terms of rulings, each with its anchor in the glossary (``docs/glossary.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from xiangqi.referee.evidence import MoveEvidence
from xiangqi.referee.marks import GroundKind, Joint, Mark
from xiangqi.words.phrases import Text

__all__ = ["Term", "describe_term", "list_terms", "terms_of"]


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


def list_terms(moves: Iterable[MoveEvidence]) -> tuple[Term, ...]:
    """Terms in the evidence on moves, in the order of the glossary."""
    found = {term for move in moves for term in terms_of(move)}
    return tuple(term for term in Term if term in found)


def terms_of(move: MoveEvidence) -> Iterator[Term]:
    """Terms that the mark and the evidence of a move show."""
    report = move.report
    yield _OF_MARKS[report.mark]
    for found in move.threats:
        if found.threat.is_protected:
            yield Term.ROOT
        for ground in found.grounds:
            if ground.kind in _OF_GROUNDS:
                yield _OF_GROUNDS[ground.kind]
    for line in move.proofs:
        if line.proof.false_roots:
            yield Term.FALSE_ROOT
        if line.grounds:
            yield Term.UNCOVERED
    if report.mark is Mark.CHASE and report.is_heavy is not None and report.proofs:
        joint = report.proofs[0].joint
        if report.is_heavy:
            yield Term.SINGLE
        else:
            yield Term.FEW_ROOTS if joint is Joint.ROOT else Term.JOINT


def describe_term(term: Term) -> Text:
    """Name of a term.

    >>> from xiangqi.words.voice import Voice
    >>> print(describe_term(Term.CHASE), describe_term(Term.FALSE_ROOT).say(Voice("zh")))
    chase 假根
    """
    return Text.first(f"mark_{term.value}", f"term_{term.value}")
