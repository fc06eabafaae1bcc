"""Evidence on the moves of a cycle: checks, attacks and lines of play, with their grounds, articles
and arrows, as data and as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from xiangqi.core.move import Move
from xiangqi.pieces import KING, Color
from xiangqi.pieces.arrows import ARROW_KINDS, Arrow
from xiangqi.referee.articles import (
    articles_of_ground,
    articles_of_proof,
    articles_of_threat,
    articles_of_weight,
)
from xiangqi.referee.grounds import Ground, grounds_of, grounds_of_proof
from xiangqi.referee.marks import Clause, GroundKind, Joint, Mark, Reason
from xiangqi.referee.reasons import is_weighed, kind_of_chase
from xiangqi.referee.rule_names import cite, with_articles
from xiangqi.referee.rules import RuleSet, list_articles
from xiangqi.referee.ruling import PlyReport, Proof, Ruling, Threat, Victim
from xiangqi.words.phrases import LineOfPlay, Listing, PieceOn, Text, list_pieces
from xiangqi.words.voice import Phrase

__all__ = [
    "CycleMove",
    "MoveEvidence",
    "ProofEvidence",
    "Sentence",
    "ThreatEvidence",
    "describe_proof",
    "describe_threat",
    "explain_move",
    "join_moves",
    "ply_arrows",
    "threat_arrows",
]


@dataclass(frozen=True, slots=True)
class ThreatEvidence:
    """An attack with its grounds, and the articles on it."""

    threat: Threat
    grounds: tuple[Ground, ...]
    articles: tuple[str, ...]

    @classmethod
    def of(cls, threat: Threat, grounds: tuple[Ground, ...], rules: RuleSet) -> ThreatEvidence:
        """Evidence on an attack under a rule set."""
        return cls(threat, grounds, articles_of_threat(rules, threat, grounds))


@dataclass(frozen=True, slots=True)
class ProofEvidence:
    """A line that proves a mark, with its grounds, and the articles on it."""

    proof: Proof
    grounds: tuple[Ground, ...]
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence on a move: its checks, an attack, a line of play, or its weight."""

    text: Text
    weighs: bool
    """Is it a check, a kill, a chase, or a weight?"""
    arrows: tuple[Arrow, ...] = ()
    """Checks, or an attack with the protection of its victim."""


@dataclass(frozen=True)
class MoveEvidence:
    """A move of the cycle, with all that the ruling found about it."""

    ruling: Ruling = field(repr=False)
    report: PlyReport
    articles: tuple[str, ...]
    """Articles on the mark of the move."""
    threats: tuple[ThreatEvidence, ...]
    proofs: tuple[ProofEvidence, ...]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Sentences on the checks after the move, on its attacks with the reason why each is a
        chase or not, on the proofs of its mark, and on its weight."""
        return tuple(_list_sentences(self))


@dataclass(frozen=True, slots=True)
class CycleMove:
    """Move of a cycle, which may be played in several rounds."""

    evidence: MoveEvidence
    """Evidence on the first of the equal moves."""
    plies: tuple[int, ...]
    """Plies at which the move is played, from 0."""


def explain_move(ruling: Ruling, report: PlyReport) -> MoveEvidence:
    """Collect the evidence on a move of a ruling's window."""
    rules = ruling.rules
    threats = tuple(
        ThreatEvidence.of(threat, grounds_of(ruling, report, threat), rules)
        for threat in report.threats
    )
    proofs = tuple(
        ProofEvidence(
            proof, grounds_of_proof(ruling, report, proof), articles_of_proof(rules, proof)
        )
        for proof in report.proofs
    )
    articles = list_articles(rules, report.mark.value)
    return MoveEvidence(ruling, report, articles, threats, proofs)


def join_moves(moves: Iterable[MoveEvidence]) -> tuple[CycleMove, ...]:
    """Join moves with the same squares, mark and evidence, in the order of the game."""
    found: dict[tuple[object, ...], tuple[MoveEvidence, list[int]]] = {}
    for move in moves:
        key = move.report.move, move.report.mark, move.sentences
        found.setdefault(key, (move, []))[1].append(move.report.ply)
    return tuple(CycleMove(move, tuple(plies)) for move, plies in found.values())


# Arrows


def ply_arrows(report: PlyReport) -> tuple[Arrow, ...]:
    """Arrows of a move's checks and attacks, without duplicates, the gravest drawn last.

    Attacks on soldiers on their own bank, which any piece may attack, are left out.
    """
    shown = (threat for threat in report.threats if threat.reason is not Reason.UNCROSSED_PAWN)
    found = [arrow for threat in shown for arrow in threat_arrows(threat)]
    found += _check_arrows(report)
    return tuple(dict.fromkeys(sorted(found, key=lambda arrow: ARROW_KINDS.index(arrow.kind))))


def _check_arrows(report: PlyReport) -> Iterator[Arrow]:
    return (Arrow(square, report.king, "check") for square, _ in report.checkers)


def threat_arrows(threat: Threat) -> Iterator[Arrow]:
    """Arrows of an attack, and of the protection of its victim, real or false."""
    is_chase = threat.reason is Reason.CHASE
    yield Arrow(threat.attacker, threat.victim, "chase" if is_chase else "attack")
    if threat.root is not None:
        is_real = threat.is_protected
        yield Arrow(threat.root, threat.victim, "protection" if is_real else "false_protection")


# Sentences


def _list_sentences(move: MoveEvidence) -> Iterator[Sentence]:
    ruling, report, own = move.ruling, move.report, move.articles
    rules, cells = ruling.rules, ruling.trace.cells(report.ply + 1)
    if report.checkers:
        key = "checking" if len(report.checkers) == 1 else "checking_together"
        text = Text(key, pieces=list_pieces(report.checkers, cells))
        cited = with_articles(text, own if report.mark is Mark.CHECK else ())
        yield Sentence(cited, True, tuple(_check_arrows(report)))
    for found in move.threats:
        text = describe_threat(found, rules, cells)
        yield Sentence(text, found.threat.is_chase, tuple(threat_arrows(found.threat)))
    for line in move.proofs:
        proof = line.proof
        weighs = proof.mark.is_strike and proof.clause is None
        text = describe_proof(proof, report.color, cells)
        for ground in line.grounds:
            text = Text("proof_roots", proof=text, roots=_describe_ground(ground, cells))
        yield Sentence(with_articles(text, line.articles), weighs)
        if proof.before:
            yield Sentence(_describe_before(proof.before, report, cells), weighs)
    if not report.checkers and not report.threats and not report.proofs:
        text = Text.first(f"quiet_{report.mark.value}", "nothing")
        yield Sentence(with_articles(text, own), False)
    if is_weighed(ruling) and report.is_heavy is not None:
        articles = articles_of_weight(rules, report)
        yield Sentence(with_articles(_describe_weight(report, cells), articles), True)


def describe_threat(found: ThreatEvidence, rules: RuleSet, cells: bytes) -> Text:
    """Sentence on an attack, with the reason why it is a chase or not, its articles and grounds.

    ``cells`` are the piece codes of the position. The reply to a chase is mentioned only where the
    rule set requires one.
    """
    threat = found.threat
    is_made = threat.is_chase and rules.answers.get("answered") == "any"
    key = "reason_chase_made" if is_made else f"reason_{threat.reason.value}"
    if threat.root is not None and threat.root_piece is not None:
        reason = Text(key, root=PieceOn(threat.root_piece, threat.root, cells))
    else:
        reason = Text(key)
    support = tuple(_list_support(found, rules, cells))
    if support:
        reason = Text("with_articles", text=reason, articles=Listing(support, "semicolon"))
    return Text(
        "attack",
        attacker=PieceOn(threat.attacker_piece, threat.attacker, cells),
        victim=PieceOn(threat.victim_piece, threat.victim, cells),
        reason=reason,
    )


def _list_support(found: ThreatEvidence, rules: RuleSet, cells: bytes) -> Iterator[Phrase]:
    """Articles on an attack, and each of its grounds with the articles on it."""
    general = cite(articles_of_threat(rules, found.threat, ()))
    if general and all(one.kind is not GroundKind.PROTECTED_CHARIOT for one in found.grounds):
        yield general
    for ground in found.grounds:
        own = cite(articles_of_ground(rules, ground))
        if ground.kind is GroundKind.PROTECTED_CHARIOT:
            own = general
            fact = Text("ground_protected_chariot", attacker=found.threat.attacker_piece)
        else:
            fact = _describe_ground(ground, cells)
        yield Text("article_says", articles=own, fact=fact) if own else fact


def _describe_ground(ground: Ground, cells: bytes) -> Text:
    """Sentence on a ground that rests on pieces."""
    keys = [f"ground_{ground.kind.value}"]
    if ground.by is None:
        keys.insert(0, f"{keys[0]}_facing")
    elif ground.piece is not None and ground.piece.piece.piece_type == KING:
        keys.insert(0, f"{keys[0]}_general")
    pieces = {"piece": ground.piece, "by": ground.by}
    named = {name: _list_victims([one], cells) for name, one in pieces.items() if one is not None}
    return Text.first(*keys, **named)


def _list_victims(victims: Iterable[Victim], cells: bytes) -> Listing:
    return list_pieces([(victim.square, victim.piece) for victim in victims], cells)


def describe_proof(proof: Proof, color: Color, cells: bytes) -> Text:
    """Sentence on a threat or offer that a move of this side makes, with its line.

    ``cells`` are the piece codes after the move; in the line the other side passes first.

    >>> from xiangqi.core.board import CoreBoard
    >>> from xiangqi.pieces import RED
    >>> from xiangqi.words.voice import Voice
    >>> cells = CoreBoard("3k5/9/9/9/9/9/9/9/4R4/4K4 b").cells()
    >>> mate = Proof(Mark.KILL, (Move.from_iccs("e1d1"),))
    >>> describe_proof(mate, RED, cells).say(Voice("en", "wxf"))
    'threatens mate: R5.6#'
    """
    key = "proof_even" if proof.is_even else f"proof_{proof.mark.value}"
    if proof.clause is Clause.MATED:
        key = "proof_mated"
    text = Text.first(
        key,
        "proof_other",
        mark=Text(f"mark_{proof.mark.value}"),
        victims=_list_victims(proof.victims, cells) if proof.victims else Text("material"),
        line=LineOfPlay(proof.moves, color, cells),
        answer=LineOfPlay(proof.moves, color, cells, skip=1),
    )
    for root, pinner in proof.false_roots:
        ground = Ground(GroundKind.FALSE_ROOT, root, pinner)
        text = Text("proof_roots", proof=text, roots=_describe_ground(ground, cells))
    if proof.clause is None or proof.clause is Clause.MATED:
        return text
    why = Text(f"uncounted_{proof.clause.value}")
    return Text("proof_uncounted", proof=text, why=why)


def _describe_before(line: tuple[Move, ...], report: PlyReport, cells: bytes) -> Text:
    """Sentence on the same capture before the move, which only the move made good.

    ``cells`` are the piece codes after the move, which is no capture.
    """
    earlier, move = bytearray(cells), report.move
    earlier[move.from_square], earlier[move.to_square] = earlier[move.to_square], 0
    return Text("proof_before", line=LineOfPlay(line, report.color, bytes(earlier)))


def _describe_weight(report: PlyReport, cells: bytes) -> Text:
    """Weight of a forbidden move, with the reason."""
    if report.mark is not Mark.CHASE:
        return Text("weight_heavy", mark=Text(f"mark_{report.mark.value}"))
    if report.is_heavy:
        return Text(f"weight_{kind_of_chase(report)}")
    main = report.proofs[0]
    joint = Joint.CHECKS if main.joint is None else main.joint
    partners = _list_victims(main.partners, cells) if main.partners else ""
    return Text(f"weight_{joint.value}", partners=partners)
