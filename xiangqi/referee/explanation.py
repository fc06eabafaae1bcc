"""A ruling in words, to be read by people and pasted into a dispute; and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.errors import IllegalMoveError
from xiangqi.facts import Fact
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, Color
from xiangqi.referee.barring import is_barred
from xiangqi.referee.clauses import format_clause
from xiangqi.referee.judging import Referee
from xiangqi.referee.outcome import Outcome, Termination
from xiangqi.referee.proofs import format_before, format_proof, format_weight
from xiangqi.referee.reasons import (
    WEIGHED,
    format_reason,
    is_mixture,
    name_conduct,
    name_offence,
    name_verdict,
    name_victims,
)
from xiangqi.referee.remedies import INDENT, format_remedies
from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_book
from xiangqi.referee.ruling import PlyReport, Reason, Ruling, Threat
from xiangqi.words import enumerate_words
from xiangqi.words.voice import PLAIN_VOICE, ScoreSheet, Voice

__all__ = [
    "explain_bar",
    "explain_outcome",
    "format_counts",
    "format_doubts",
    "format_evidence",
    "format_outcome",
    "format_reports",
    "format_rules",
    "format_ruling",
    "format_sentence",
    "format_termination",
    "format_threat",
    "name_rules",
    "require_allowed",
    "ruling_to_dict",
]


def explain_outcome(
    board: CoreBoard, outcome: Outcome, rules: RuleSet, voice: Voice = PLAIN_VOICE
) -> str:
    """Winner on a board, and the reason; the evidence on a repetition is gathered for it."""
    ruling = Referee(rules).judge(board) if outcome.termination.is_repetition else None
    return format_outcome(outcome, ruling, voice)


def format_outcome(outcome: Outcome, ruling: Ruling | None, voice: Voice = PLAIN_VOICE) -> str:
    """Winner, and the reason; ``ruling`` is that of the repetition, if one ended the game."""
    winner = outcome.winner
    verdict = "draw" if winner is None else "red_wins" if winner else "black_wins"
    why = (
        format_termination(outcome.termination, voice)
        if ruling is None
        else format_reason(ruling, voice)
    )
    if outcome.termination is Termination.BARRED_MOVE:
        why = voice.say("ended_barred_move", why=why)
    return voice.say("ending", verdict=voice.say(verdict), why=why)


def explain_bar(
    board: CoreBoard, move: Move, rules: RuleSet, voice: Voice = PLAIN_VOICE
) -> str | None:
    """Reason why a rule set bars a legal move, in one sentence; None if it does not."""
    if not is_barred(board, move, rules):
        return None
    after = board.copy()
    after.push_unchecked(move)
    return format_reason(Referee(rules).judge(after), voice)


def require_allowed(
    board: CoreBoard, move: Move, rules: RuleSet, voice: Voice = PLAIN_VOICE
) -> None:
    """Raise IllegalMoveError, which says why, if a rule set bars this legal move."""
    why = explain_bar(board, move, rules, voice)
    if why is not None:
        fact = Fact("illegal.barred", rules=rules.name, why=why)
        raise IllegalMoveError(move.iccs(), board.fen(), fact)


def format_termination(termination: Termination, voice: Voice = PLAIN_VOICE) -> str:
    """Reason for the end of a game, where it is only a name: neither repetition nor fault."""
    return voice.say(f"ended_{termination.name.lower()}")


def format_sentence(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The verdict and its reason, in one sentence."""
    verdict, why = name_verdict(ruling, voice), format_reason(ruling, voice)
    return voice.say("ending", verdict=verdict, why=why)


def format_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The verdict and its reason, the case (position, moves, rules), who had to change, every ply.

    Rounds are counted from the number that the first position has.
    """
    return "\n".join(_lines(ruling, voice))


def _lines(ruling: Ruling, voice: Voice) -> Iterator[str]:
    sheet = ScoreSheet(ruling.fen, ruling.moves, voice)
    verdict = name_verdict(ruling, voice)
    yield voice.say("heading", verdict=verdict, reason=format_reason(ruling, voice))
    yield voice.say("rules", rules=format_rules(ruling.rules, voice))
    yield voice.say("position", fen=ruling.fen)
    yield voice.say("moves", moves=str(sheet))
    yield from format_counts(ruling, voice)
    if ruling.window is None or not ruling.plies:
        return
    first, last = map(sheet.place, ruling.window)
    yield ""
    if ruling.pressing:
        yield voice.say("window_nine", first=first, last=last)
    elif ruling.too_many is None:
        yield voice.say("window", occurrences=ruling.occurrences, first=first, last=last)
    else:
        allowed = ruling.too_many.allowed
        yield voice.say("window_rounds", rounds=allowed, first=first, last=last)
    for color in (RED, BLACK):
        yield _side_line(ruling, color, voice)
    yield from format_doubts(ruling, voice)
    yield ""
    yield voice.say("who_changes")
    yield from format_remedies(ruling, voice)
    yield ""
    for report, evidence in format_reports(ruling, voice):
        yield voice.say(
            "ply",
            number=sheet.rounds.number(report.ply),
            side=voice.side(report.color),
            move=sheet.move(report.ply),
            conduct=voice.say(f"mark_{report.mark.value}"),
        )
        yield from (INDENT + line for line, _ in evidence)


def format_counts(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Both sides' offences as they stand, a line each: ``Black: chase of the red cannon, 4 of 6``.

    Nothing where rounds are not counted.
    """
    for count in ruling.counts:
        yield voice.say(
            "count",
            side=voice.side(count.color),
            offence=name_offence(count, ruling, voice),
            rounds=count.rounds,
            allowed=count.allowed,
        )


def format_rules(rules: RuleSet, voice: Voice = PLAIN_VOICE) -> str:
    """The name of a rule set, and what was changed of it as the option ``--set`` takes it.

    In Chinese it is the title that the book's file has.

    >>> format_rules(RULE_SETS["checks-only"].replace({"occurrences": 2}))
    'checks-only occurrences=2'
    """
    name = rules.name
    if voice.language == "zh" and name in RULE_SETS:
        name = find_rule_book(name).title_zh
    _, _, changes = rules.describe().partition(" ")
    return voice.say("rules_changed", rules=name, changes=changes) if changes else name


def format_doubts(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """On which open questions the ruling hangs, and what could not be settled; line by line."""
    rules = format_rules(ruling.rules, voice)
    for question in ruling.questions:
        clause = format_clause(ruling.rules, question, voice)
        yield voice.say("hangs_on", rules=rules, clause=clause)
    if ruling.unsettled:
        sheet = ScoreSheet(ruling.fen, ruling.moves, voice)
        moves = [sheet.repeated([ply]) for ply in ruling.unsettled]
        yield voice.say("unsettled", moves=enumerate_words(voice.language, moves))


def name_rules(rules: RuleSet, voice: Voice = PLAIN_VOICE) -> str:
    """Name of a rule set beside others: of one in a user's file the name says enough."""
    return format_rules(rules, voice) if rules.name in RULE_SETS else rules.name


def _side_line(ruling: Ruling, color: Color, voice: Voice) -> str:
    victims = "" if is_mixture(ruling, color) else name_victims(ruling, color, voice)
    return voice.say(
        "side",
        side=voice.side(color),
        conduct=name_conduct(ruling, color, voice),
        of=voice.say("of_victims", victims=victims) if victims else "",
    )


def format_reports(
    ruling: Ruling, voice: Voice = PLAIN_VOICE
) -> Iterator[tuple[PlyReport, list[tuple[str, bool]]]]:
    """Each move of the cycle with its evidence, as :func:`format_evidence` tells it."""
    sheet = ScoreSheet(ruling.fen, ruling.moves, voice)
    asks_reply = ruling.rules.answered != "any"
    for report in ruling.plies:
        cells = sheet.cells(report.ply + 1)
        evidence = list(format_evidence(report, cells, voice, asks_reply=asks_reply))
        weight = format_weight(report, cells, voice) if _is_weighed(ruling) else ""
        yield report, [*evidence, (weight, True)] if weight else evidence


def _is_weighed(ruling: Ruling) -> bool:
    """Do both sides make nothing but forbidden moves, so that light and heavy decide?"""
    return not ruling.pressing and WEIGHED.issuperset(ruling.conduct.values())


def format_evidence(
    report: PlyReport, cells: bytes, voice: Voice = PLAIN_VOICE, *, asks_reply: bool = True
) -> Iterator[tuple[str, bool]]:
    """Checks and attacks after a move, the reason why each is a chase or none, and the lines that
    prove the mark.

    ``cells`` are the codes of all pieces after the move. ``asks_reply`` tells whether a chase must
    be parried by the reply. Each line comes with the answer whether it tells of a check, a kill or
    a chase.
    """
    if report.checkers:
        key = "checking" if len(report.checkers) == 1 else "checking_together"
        yield voice.say(key, pieces=voice.pieces(report.checkers, cells)), True
    for threat in report.threats:
        line = format_threat(threat, cells, voice, asks_reply=asks_reply)
        yield line, threat in report.chases
    for proof in report.proofs:
        weighs = proof.mark.is_strike and proof.clause is None
        yield format_proof(proof, report.color, cells, voice), weighs
        before = format_before(proof, report.move, report.color, cells, voice)
        if before:
            yield before, weighs
    if not report.checkers and not report.threats and not report.proofs:
        yield voice.say("nothing"), False


def format_threat(
    threat: Threat, cells: bytes, voice: Voice = PLAIN_VOICE, *, asks_reply: bool = True
) -> str:
    """Attack, and the reason why it is a chase or none.

    ``cells`` are the codes of all pieces of the position. Unless ``asks_reply`` nothing is said of
    the reply to a chase.
    """
    root = ""
    if threat.root is not None and threat.root_piece is not None:
        root = voice.piece(threat.root_piece, threat.root, cells)
    is_made = threat.reason is Reason.CHASE and not asks_reply
    key = "reason_chase_made" if is_made else f"reason_{threat.reason.value}"
    reason = voice.say(key, root=root)
    if root and not threat.is_protected:
        reason += voice.say("false_root", root=root)
    return voice.say(
        "attack",
        attacker=voice.piece(threat.attacker_piece, threat.attacker, cells),
        victim=voice.piece(threat.victim_piece, threat.victim, cells),
        reason=reason,
    )


def ruling_to_dict(ruling: Ruling, *, evidence: bool = True) -> dict[str, Any]:
    """The ruling as JSON data, its reason in English; without ``evidence`` the plies are left out.

    >>> from xiangqi.board import Board
    >>> ruling_to_dict(Board().judge(), evidence=False)["reason"]
    'the position has occurred once; a ruling takes 3 occurrences'
    """
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    data: dict[str, Any] = {
        "verdict": ruling.verdict.value,
        "red": None if red is None else red.value,
        "black": None if black is None else black.value,
        "occurrences": ruling.occurrences,
        "window": None if ruling.window is None else list(ruling.window),
        "offender": None if ruling.offender is None else COLOR_NAMES[ruling.offender],
        "victim": None if ruling.victim is None else ruling.victim.to_dict(),
        "reason": format_reason(ruling),
        "rules": ruling.rules.describe(),
    }
    if ruling.rules.counts_rounds:
        data["counters"] = [count.to_dict() for count in ruling.counts]
    if evidence:
        data["fen"] = ruling.fen
        data["moves"] = [move.iccs() for move in ruling.moves]
        data["victims"] = {
            COLOR_NAMES[color]: [victim.to_dict() for victim in ruling.victims[color]]
            for color in (RED, BLACK)
        }
        data["questions"] = list(ruling.questions)
        data["unsettled"] = list(ruling.unsettled)
        data["too_many"] = None if ruling.too_many is None else ruling.too_many.to_dict()
        data["pressing"] = [COLOR_NAMES[color] for color in ruling.pressing]
        data["plies"] = [report.to_dict() for report in ruling.plies]
    return data
