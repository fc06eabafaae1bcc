"""Rulings as JSON data: the type of each part, and the function that makes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias, TypedDict

from xiangqi.contract.schema import Choice
from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, Square, square_name
from xiangqi.referee.comparison import Comparison, Difference, marked_otherwise
from xiangqi.referee.evidence import MoveEvidence, ProofEvidence, ThreatEvidence
from xiangqi.referee.explanation import explain
from xiangqi.referee.grounds import Ground
from xiangqi.referee.marks import GroundKind
from xiangqi.referee.rule_names import describe_clause
from xiangqi.referee.ruling import (
    Clause,
    Conduct,
    Joint,
    Mark,
    Offence,
    OffenceCount,
    Reason,
    Ruling,
    Verdict,
    Victim,
)
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "ClauseData",
    "ComparisonData",
    "DifferenceData",
    "FalseRootData",
    "GroundData",
    "MarkedData",
    "OffenceCountData",
    "PlyData",
    "ProofData",
    "RulingData",
    "SideName",
    "ThreatData",
    "VictimData",
    "VictimsData",
    "comparison_to_dict",
    "count_to_dict",
    "difference_to_dict",
    "ruling_to_dict",
    "threat_to_dict",
]

SideName: TypeAlias = Annotated[str, Choice("Side", COLOR_NAMES)]


class VictimData(TypedDict):
    """A piece and its square, mostly the victim of a threat."""

    piece: Annotated[str, "FEN letter."]
    on: Annotated[str, "Square."]


class FalseRootData(VictimData):
    """A protector that cannot recapture, as that would expose its general."""

    pinner: Annotated[VictimData | None, "Pinning piece; null if the generals would face."]


Articles: TypeAlias = Annotated[
    list[str],
    "Articles of the rule book, such as 15-16, 26.1.3 or 7:6 (chapter 7, rule 6); as far as known.",
]


class GroundData(TypedDict):
    """A fact that makes a capture profitable, or a threat new."""

    ground: Annotated[str, GroundKind]
    piece: Annotated[VictimData | None, "Protector, moved piece, or victim that cannot take back."]
    by: Annotated[VictimData | None, "Piece that pins or blocks it."]


_From = TypedDict("_From", {"from": Annotated[str, "Square of the attacker."]})


class ThreatData(_From):
    """An attack after a ply, with the reason why it is a chase, or is not."""

    attacker: Annotated[str, "FEN letter."]
    victim: Annotated[str, "FEN letter."]
    on: Annotated[str, "Square of the victim."]
    reason: Annotated[str, Reason]
    root: Annotated[str | None, "Square of the protector."]
    articles: Articles
    grounds: list[GroundData]


class ProofData(TypedDict):
    """A line that proves a mark, or a threat that does not count."""

    mark: Annotated[str, Mark]
    moves: Annotated[list[str], "From the position after the marked move; the other side passes."]
    victims: Annotated[list[VictimData], "Pieces that the line wins."]
    heavy: bool
    even: Annotated[bool, "Does the line win no more than is lost elsewhere?"]
    clause: Annotated[str | None, Clause, "Why it does not count; null if it counts."]
    joint: Annotated[str | None, Joint, "Why it is light; null if it is heavy."]
    partners: Annotated[
        list[VictimData], "The root that could recapture, or the other pieces involved."
    ]
    before: Annotated[
        list[str], "Line after the same capture before the move, if the move made it good."
    ]
    false_roots: Annotated[list[FalseRootData], "Pieces that could recapture in form only."]
    articles: Articles
    grounds: Annotated[list[GroundData], "The moved piece, if it uncovers the attack."]


class PlyData(TypedDict):
    """A move of the cycle, with its checks and threats."""

    ply: Annotated[int, "From 0."]
    side: SideName
    piece: Annotated[str, "FEN letter."]
    move: str
    conduct: Annotated[str, Conduct]
    mark: Annotated[str, Mark]
    heavy: Annotated[
        bool | None, "Does a forbidden move outweigh light ones? null where moves are not weighed."
    ]
    articles: Articles
    checkers: Annotated[list[str], "Squares of the pieces that give check."]
    threats: list[ThreatData]
    proofs: list[ProofData]


class OffenceCountData(TypedDict):
    """Rounds of an offence by a side, and the number allowed."""

    side: SideName
    offence: Annotated[str, Offence]
    rounds: int
    allowed: int
    first: Annotated[int, "First ply that counts."]
    victim: Annotated[VictimData | None, "The chased piece."]
    pieces: Annotated[list[str], "Squares of the offending pieces."]


class VictimsData(TypedDict):
    """The chased pieces of each side's chases."""

    red: list[VictimData]
    black: list[VictimData]


class _Verdict(TypedDict):
    verdict: Annotated[str, Verdict]
    red: Annotated[str | None, Conduct, "Conduct of Red in the cycle; null without a ruling."]
    black: Annotated[str | None, Conduct, "Conduct of Black in the cycle; null without a ruling."]
    occurrences: Annotated[int, "Occurrences of the last position."]
    window: Annotated[tuple[int, int] | None, "First and last ply of the cycle, from 0."]
    offender: Annotated[SideName | None, "The side that must change."]
    victim: Annotated[VictimData | None, "The piece chased perpetually."]
    reason: Annotated[str, "The reason in a sentence."]
    rules: Annotated[str, "Rule set and changed options."]


class RulingData(_Verdict, total=False):
    """A ruling on a repetition; without evidence, only what is required."""

    counters: Annotated[
        list[OffenceCountData], "Only with rule sets that count the rounds of an offence."
    ]
    fen: Annotated[str, "Position before the first move."]
    moves: list[str]
    victims: VictimsData
    articles: Articles
    questions: Annotated[list[str], "Open questions of the rules that decide the verdict."]
    unsettled: Annotated[list[int], "Plies with an undetermined mark."]
    too_many: Annotated[OffenceCountData | None, "The offence that exceeded its number of rounds."]
    nine_round_offenders: list[SideName]
    plies: Annotated[list[PlyData], "The moves of the cycle."]


def ruling_to_dict(
    ruling: Ruling, voice: Voice = PLAIN_VOICE, *, evidence: bool = True
) -> RulingData:
    """JSON data of a ruling; ``evidence`` adds the game and every ply.

    >>> from xiangqi.board import Board
    >>> ruling_to_dict(Board().judge(), evidence=False)["reason"]
    'the position has occurred once; a ruling takes 3 occurrences'
    """
    found = explain(ruling)
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    data: RulingData = {
        "verdict": ruling.verdict.value,
        "red": None if red is None else red.value,
        "black": None if black is None else black.value,
        "occurrences": ruling.occurrences,
        "window": ruling.window,
        "offender": None if ruling.offender is None else COLOR_NAMES[ruling.offender],
        "victim": _optional_victim(ruling.victim),
        "reason": found.reason.say(voice),
        "rules": ruling.rules.describe(),
    }
    if ruling.rules.rounds is not None:
        data["counters"] = [count_to_dict(count) for count in ruling.counts]
    if evidence:
        data["fen"] = ruling.fen
        data["moves"] = _names(ruling.moves)
        data["victims"] = {
            "red": _victims(ruling.victims[RED]),
            "black": _victims(ruling.victims[BLACK]),
        }
        data["articles"] = list(found.articles)
        data["questions"] = list(ruling.questions)
        data["unsettled"] = list(ruling.unsettled)
        data["too_many"] = None if ruling.too_many is None else count_to_dict(ruling.too_many)
        data["nine_round_offenders"] = [COLOR_NAMES[color] for color in ruling.nine_round_offenders]
        data["plies"] = [_move_to_dict(move) for move in found.moves]
    return data


def count_to_dict(count: OffenceCount) -> OffenceCountData:
    """JSON data of the rounds of an offence."""
    return {
        "side": COLOR_NAMES[count.color],
        "offence": count.offence.value,
        "rounds": count.rounds,
        "allowed": count.allowed,
        "first": count.first,
        "victim": _optional_victim(count.victim),
        "pieces": _squares(count.pieces),
    }


def threat_to_dict(found: ThreatEvidence) -> ThreatData:
    """JSON data of a threat with its grounds."""
    threat = found.threat
    return {
        "attacker": threat.attacker_piece.symbol(),
        "from": square_name(threat.attacker),
        "victim": threat.victim_piece.symbol(),
        "on": square_name(threat.victim),
        "reason": threat.reason.value,
        "root": None if threat.root is None else square_name(threat.root),
        "articles": list(found.articles),
        "grounds": [_ground_to_dict(ground) for ground in found.grounds],
    }


def _ground_to_dict(ground: Ground) -> GroundData:
    return {
        "ground": ground.kind.value,
        "piece": _optional_victim(ground.piece),
        "by": _optional_victim(ground.by),
    }


def _move_to_dict(move: MoveEvidence) -> PlyData:
    report = move.report
    return {
        "ply": report.ply,
        "side": COLOR_NAMES[report.color],
        "piece": report.piece.symbol(),
        "move": report.move.iccs(),
        "conduct": report.conduct.value,
        "mark": report.mark.value,
        "heavy": report.is_heavy,
        "articles": list(move.articles),
        "checkers": _squares(square for square, _ in report.checkers),
        "threats": [threat_to_dict(threat) for threat in move.threats],
        "proofs": [_proof_to_dict(line) for line in move.proofs],
    }


def _proof_to_dict(line: ProofEvidence) -> ProofData:
    proof = line.proof
    return {
        "mark": proof.mark.value,
        "moves": _names(proof.moves),
        "victims": _victims(proof.victims),
        "heavy": proof.is_heavy,
        "even": proof.is_even,
        "clause": None if proof.clause is None else proof.clause.value,
        "joint": None if proof.joint is None else proof.joint.value,
        "partners": _victims(proof.partners),
        "before": _names(proof.before),
        "false_roots": [
            {**_victim_to_dict(false.root), "pinner": _optional_victim(false.pinner)}
            for false in proof.false_roots
        ],
        "articles": list(line.articles),
        "grounds": [_ground_to_dict(ground) for ground in line.grounds],
    }


def _victim_to_dict(victim: Victim) -> VictimData:
    return {"piece": victim.piece.symbol(), "on": square_name(victim.square)}


def _optional_victim(victim: Victim | None) -> VictimData | None:
    return None if victim is None else _victim_to_dict(victim)


def _victims(victims: Iterable[Victim]) -> list[VictimData]:
    return [_victim_to_dict(victim) for victim in victims]


def _names(moves: Iterable[Move]) -> list[str]:
    return [move.iccs() for move in moves]


def _squares(squares: Iterable[Square]) -> list[str]:
    return [square_name(square) for square in squares]


# Comparisons of rule sets


class ClauseData(TypedDict):
    """A field in which two rule sets differ, with its values and what they say in English."""

    field: str
    first: Any
    second: Any
    first_says: str
    second_says: str


class MarkedData(TypedDict):
    """A move that two rulings mark differently."""

    ply: int
    move: str
    first: Annotated[str, Mark]
    second: Annotated[str, Mark]


class DifferenceData(TypedDict):
    """Two rule sets whose rulings differ, with the fields and moves that make the difference."""

    first: str
    second: str
    clauses: Annotated[list[list[ClauseData]], "Each list alone makes the difference."]
    marks: list[MarkedData]


class ComparisonData(TypedDict):
    """Rulings of several rule sets on one position, by their names, with the differences."""

    rulings: dict[str, RulingData]
    differences: list[DifferenceData]


def comparison_to_dict(comparison: Comparison, *, evidence: bool = True) -> ComparisonData:
    """JSON data of the rulings, by name of their rule set, and of the differences."""
    rulings = {ruling.rules: ruling for ruling in comparison.rulings}
    return {
        "rulings": {
            ruling.rules.describe(): ruling_to_dict(ruling, evidence=evidence)
            for ruling in comparison.rulings
        },
        "differences": [
            difference_to_dict(one, rulings[one.first], rulings[one.second])
            for one in comparison.differences
        ],
    }


def difference_to_dict(
    difference: Difference, first: Ruling | None, second: Ruling | None
) -> DifferenceData:
    """JSON data of a difference: the clauses of both rule sets in English, and the moves that their
    rulings mark differently."""
    marks = [] if first is None or second is None else marked_otherwise(first, second)
    return {
        "first": difference.first.describe(),
        "second": difference.second.describe(),
        "clauses": [
            [
                {
                    "field": field,
                    "first": difference.first.answers.get(field),
                    "second": difference.second.answers.get(field),
                    "first_says": str(describe_clause(difference.first, field)),
                    "second_says": str(describe_clause(difference.second, field)),
                }
                for field in fields
            ]
            for fields in difference.clauses
        ],
        "marks": [
            {
                "ply": ours.ply,
                "move": ours.move.iccs(),
                "first": ours.mark.value,
                "second": theirs.mark.value,
            }
            for ours, theirs in marks
        ],
    }
