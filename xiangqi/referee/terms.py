"""Terms of rulings, each with its anchor in the glossary (``docs/glossary.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, TypeAlias

from xiangqi.referee.evidence import MoveEvidence
from xiangqi.referee.marks import GroundKind, Joint, Mark
from xiangqi.words.phrases import Text

__all__ = ["TERMS", "Notion", "Term", "describe_term", "list_terms", "terms_of"]


class Notion(Enum):
    """Term that is not the mark of a move, with its anchor in the glossary."""

    ROOT = "root"
    FALSE_ROOT = "false-root"
    FEW_ROOTS = "too-few-roots"
    JOINT = "joint-chase"
    SINGLE = "single-chase"
    UNCOVERED = "uncovered-attack"


Term: TypeAlias = Mark | Notion
TERMS: Final[tuple[Term, ...]] = (*Mark, *Notion)
"""Terms in the order of the glossary; the value of each is its anchor."""
_OF_GROUNDS: Final = {
    GroundKind.FALSE_ROOT: Notion.FALSE_ROOT,
    GroundKind.MOUNT: Notion.UNCOVERED,
    GroundKind.UNCOVERED: Notion.UNCOVERED,
}


def list_terms(moves: Iterable[MoveEvidence]) -> tuple[Term, ...]:
    """Terms in the evidence on moves, in the order of the glossary."""
    found = {term for move in moves for term in terms_of(move)}
    return tuple(term for term in TERMS if term in found)


def terms_of(move: MoveEvidence) -> Iterator[Term]:
    """Terms that the mark and the evidence of a move show."""
    report = move.report
    yield report.mark
    for found in move.threats:
        if found.threat.is_protected:
            yield Notion.ROOT
        for ground in found.grounds:
            if ground.kind in _OF_GROUNDS:
                yield _OF_GROUNDS[ground.kind]
    for line in move.proofs:
        if line.proof.false_roots:
            yield Notion.FALSE_ROOT
        if line.grounds:
            yield Notion.UNCOVERED
    if report.mark is Mark.CHASE and report.is_heavy is not None and report.proofs:
        joint = report.proofs[0].joint
        if report.is_heavy:
            yield Notion.SINGLE
        else:
            yield Notion.FEW_ROOTS if joint is Joint.ROOT else Notion.JOINT


def describe_term(term: Term) -> Text:
    """Name of a term.

    >>> from xiangqi.words.voice import Voice
    >>> print(describe_term(Mark.CHASE), describe_term(Notion.FALSE_ROOT).say(Voice("zh")))
    chase 假根
    """
    return Text(f"mark_{term.value}" if isinstance(term, Mark) else f"term_{term.value}")
