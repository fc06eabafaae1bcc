"""Parts of an explanation: the reason in one sentence, clauses of rule sets, evidence of moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING, Any

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, KING, RED, ROOK, Color
from xiangqi.pieces.fen import Setup
from xiangqi.referee.articles import articles_of_ground, articles_of_proof, articles_of_threat
from xiangqi.referee.grounds import Ground, grounds_of, grounds_of_proof
from xiangqi.referee.marks import GroundKind
from xiangqi.referee.rules import RuleSet, find_rule_book, find_rule_set, list_articles
from xiangqi.referee.ruling import (
    WEIGHED,
    Clause,
    Conduct,
    Joint,
    Mark,
    OffenceCount,
    PlyReport,
    Proof,
    Ruling,
    Threat,
    Verdict,
    Victim,
    must_change,
)
from xiangqi.texts import has_text
from xiangqi.words import enumerate_words
from xiangqi.words.voice import PLAIN_VOICE, Rounds, Voice

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "ScoreSheet",
    "add_articles",
    "format_articles",
    "format_before",
    "format_clause",
    "format_evidence",
    "format_ground",
    "format_line",
    "format_proof",
    "format_reason",
    "format_threat",
    "format_weight",
    "is_mixture",
    "is_weighed",
    "name_conduct",
    "name_offence",
    "name_verdict",
    "name_victims",
]


class ScoreSheet:
    """Moves of a ruling's game in the notation of a voice, and the positions between them."""

    def __init__(self, ruling: Ruling, voice: Voice) -> None:
        self.voice = voice
        self.rounds = Rounds(ruling.trace.number, ruling.trace.turn)
        self.cells = ruling.trace.cells
        self._names = ruling.trace.names

    def move(self, ply: int) -> str:
        """Notation of the move of a ply, from 0."""
        return self._names(self.voice.notation, self.voice.move)[ply]

    def place(self, ply: int) -> str:
        """Description of a ply's place in the game; plies count from 0."""
        return self.voice.place(self.rounds, ply)

    def repeated(self, plies: Sequence[int]) -> str:
        """Notation of a move played at several plies, with its rounds.

        >>> from xiangqi.referee.judging import Referee
        >>> ruling = Referee().judge_moves(CoreBoard().fen(), "a0a1 i9i8 a1a0 i8i9 a0a1".split())
        >>> ScoreSheet(ruling, Voice()).repeated([0, 4])
        'a0a1 (rounds 1 and 3)'
        """
        voice = self.voice
        numbers = [str(self.rounds.number(ply)) for ply in plies]
        rounds = enumerate_words(voice.language, numbers)
        key = "in_round" if len(plies) == 1 else "in_rounds"
        return voice.say("repeated", move=self.move(plies[0]), where=voice.say(key, rounds=rounds))

    def __str__(self) -> str:
        """All moves with round numbers."""
        names = self._names(self.voice.notation, self.voice.move)
        marked = ((self.rounds.mark(ply), name) for ply, name in enumerate(names))
        return " ".join(word for pair in marked for word in pair if word)


def name_verdict(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Verdict in a few words: the winner, the side that must change, or the barred move."""
    rules, offender = ruling.rules, ruling.offender
    if offender is None:
        is_free = rules.prohibition != "none" and ruling.verdict is Verdict.UNDECIDED
        return voice.say("nothing_barred" if is_free else ruling.verdict.value)
    if rules.bars_moves:
        sheet = ScoreSheet(ruling, voice)
        last = len(ruling.moves) - 1
        if sheet.rounds.side(last) != offender:  # the offender is to move, and has to change
            return voice.say("may_not_go_on", side=voice.side(offender))
        return voice.say("barred_move", move=sheet.move(last), place=sheet.place(last))
    is_first_time = ruling.occurrences == rules.occurrences
    if ruling.nine_round_offenders or (
        must_change(ruling.conduct[offender], rules) and is_first_time
    ):
        return voice.say("must_change", side=voice.side(offender))
    return voice.say(ruling.verdict.value)


def format_reason(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Reason for a verdict in one sentence."""
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    if ruling.rules.prohibition != "none" and ruling.window is not None:
        return _format_return(ruling, ruling.window[0], voice)
    if len(ruling.nine_round_offenders) == 1:
        return voice.say("why_nine_rounds", side=voice.side(ruling.nine_round_offenders[0]))
    if ruling.nine_round_offenders:
        return voice.say("why_both_nine_rounds")
    if red is None or black is None:
        found, required = ruling.occurrences, ruling.rules.occurrences
        if ruling.rules.rounds is not None:
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
    if conduct is Conduct.IDLE:
        return voice.say("why_first_rounds")
    return voice.say(
        "why_forbidden" if is_mixture(ruling, offender) else f"why_{conduct.value}",
        side=voice.side(offender),
        victims=name_victims(ruling, offender, voice),
        own=name_conduct(ruling, offender, voice),
        other=voice.side(not offender),
        conduct=name_conduct(ruling, not offender, voice),
    )


def _format_return(ruling: Ruling, plies: int, voice: Voice) -> str:
    """Sentence on the side that repeated an earlier position."""
    rounds = Rounds(ruling.trace.number, ruling.trace.turn)
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
        "why_unlike", side=voice.side(RED), conduct=conduct, other=voice.side(BLACK), others=others
    )


def is_mixture(ruling: Ruling, color: Color) -> bool:
    """Is a side's conduct forbidden as a mixture, not as chases of one piece?

    True for conducts that are weighed, and for chases mixed with checks or without a common victim.
    """
    conduct = ruling.conduct[color]
    if conduct is not Conduct.CHASE:
        return conduct in WEIGHED
    marks = {report.mark for report in ruling.plies if report.color == color}
    return marks != {Mark.CHASE} or not ruling.victims[color]


def name_conduct(ruling: Ruling, color: Color, voice: Voice = PLAIN_VOICE) -> str:
    """Conduct of a side over the cycle, its kinds of moves counted; ``-`` if undecided.

    Weights are added where both sides make only forbidden moves, so that they decide.
    """
    conduct = ruling.conduct[color]
    if conduct is None:
        return "-"
    if conduct is Conduct.CHASE:
        if not is_mixture(ruling, color):
            return voice.say("perpetual_chase")
        if ruling.too_many is not None:
            return voice.say("perpetual_mixture")
    counted = _count_marks(ruling, color, voice)
    weights = _name_weights(ruling, color, voice) if is_weighed(ruling) else ""
    if not weights:
        return counted
    return voice.say("conduct_weighed", conduct=counted, weights=weights)


def _count_marks(ruling: Ruling, color: Color, voice: Voice) -> str:
    """Moves of a side by their marks, the gravest first: ``one check, two chases by turns``."""
    made = Counter(report.mark for report in ruling.plies if report.color == color)
    if len(made) == 1:
        (mark,) = made
        if mark is Mark.CHASE and ruling.conduct[color] is Conduct.IDLE:
            is_split = _needs_one_victim(ruling.rules)
            return voice.say("perpetual_split" if is_split else "perpetual_chases")
        return voice.say(f"perpetual_{mark.value}")
    unit = gcd(*made.values())
    numbers = voice.say("numbers").split()
    words = []
    for mark in filter(made.__contains__, Mark):
        count = made[mark] // unit
        number = numbers[count - 1] if count <= len(numbers) else str(count)
        key = f"one_{mark.value}" if count == 1 else f"many_{mark.value}"
        words.append(voice.say(key, number=number))
    moves = reduce(lambda one, other: voice.say("counted_next", first=one, second=other), words)
    return voice.say("counted_by_turns", moves=moves)


def _needs_one_victim(rules: RuleSet) -> bool:
    """Are chases with every move allowed only if they have no common victim?"""
    voids = rules.answers.get("checking_move") == "voids_all"
    return rules.offences == "check_and_chase" and not voids


def is_weighed(ruling: Ruling) -> bool:
    """Do both sides make only forbidden moves, so that their weights decide?"""
    return not ruling.nine_round_offenders and WEIGHED.issuperset(ruling.conduct.values())


def _name_weights(ruling: Ruling, color: Color, voice: Voice) -> str:
    """Distinct weights of a side's chases; empty if it does not chase."""
    chases = (one for one in ruling.plies if one.color == color and one.mark is Mark.CHASE)
    words = list(dict.fromkeys(voice.say(f"chase_{_weigh(report)}") for report in chases))
    return enumerate_words(voice.language, words) if words else ""


def _weigh(report: PlyReport) -> str:
    """Kind of chase that makes a move heavy or light."""
    main = report.proofs[0] if report.proofs else None
    if report.is_heavy:
        wins = main.victims if main is not None else ()
        return "chariot" if any(one.piece.piece_type == ROOK for one in wins) else "rootless"
    return "few_roots" if main is not None and main.joint is Joint.ROOT else "joint"


def name_offence(count: OffenceCount, ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Name of a counted offence: checks, checks and chases, or the chase of a piece."""
    if count.victim is None:
        return voice.say(f"offence_{count.offence.value}")
    cells = ruling.trace.cells(len(ruling.moves))
    victim = voice.pieces([(count.victim.square, count.victim.piece)], cells)
    return voice.say("offence_chase", victim=victim)


def name_victims(ruling: Ruling, color: Color, voice: Voice = PLAIN_VOICE) -> str:
    """Names of the pieces that a side chased perpetually; empty if there are none."""
    victims = [(victim.square, victim.piece) for victim in ruling.victims[color]]
    return voice.pieces(victims, ruling.trace.cells(len(ruling.moves))) if victims else ""


# Clauses


def format_clause(rules: RuleSet | str, field: str, voice: Voice = PLAIN_VOICE) -> str:
    """Clause on one field of a rule set.

    >>> from xiangqi.referee.rules import WXF
    >>> format_clause(WXF, "no_capture_limit")
    'a game is drawn after 120 plies without a capture'
    """
    rules = find_rule_set(rules)
    value: Any = rules.answers.get(field, ())  # () for a field of rounds that are not counted
    key = f"clause_{field}_{value}".lower()
    if has_text(key):
        return voice.say(key)
    if field not in rules.answers:
        return format_clause(rules, "check_rounds", voice)
    if field == "search_as":
        value = find_rule_book(value).titles[voice.language]
    if field == "verdicts":
        value = enumerate_words(voice.language, [_format_verdict(one, voice) for one in value])
    if isinstance(value, tuple):  # limits of rounds
        value = enumerate_words(voice.language, list(map(str, value)))
    return voice.say(f"clause_{field}", value=value)


def _format_verdict(verdict: str, voice: Voice) -> str:
    """Words for a verdict ``A>B``: conduct A loses against conduct B."""
    loser, _, winner = verdict.partition(">")
    return voice.say(
        "loses_against",
        loser=voice.say(f"perpetual_{loser}"),
        winner=voice.say(f"perpetual_{winner}"),
    )


# Evidence


def format_evidence(
    ruling: Ruling, report: PlyReport, voice: Voice = PLAIN_VOICE
) -> Iterator[tuple[str, bool]]:
    """Lines on the checks after a move, on its attacks with the reason why each is a chase or not,
    and on the proofs of its mark, each with its articles.

    Each line has a flag, true for a check, a kill or a chase.
    """
    rules, cells = ruling.rules, ruling.trace.cells(report.ply + 1)
    own = list_articles(rules, report.mark.value)
    if report.checkers:
        key = "checking" if len(report.checkers) == 1 else "checking_together"
        line = voice.say(key, pieces=voice.pieces(report.checkers, cells))
        yield add_articles(line, own if report.mark is Mark.CHECK else (), voice), True
    for threat in report.threats:
        grounds = grounds_of(ruling, report, threat)
        yield format_threat(threat, cells, voice, rules=rules, grounds=grounds), threat.is_chase
    for proof in report.proofs:
        weighs = proof.mark.is_strike and proof.clause is None
        line = format_proof(proof, report.color, cells, voice)
        for ground in grounds_of_proof(ruling, report, proof):
            uncovered = format_ground(ground, cells, voice)
            line = voice.say("proof_roots", proof=line, roots=uncovered)
        yield add_articles(line, articles_of_proof(rules, proof), voice), weighs
        before = format_before(proof, report.move, report.color, cells, voice)
        if before:
            yield before, weighs
    if not report.checkers and not report.threats and not report.proofs:
        quiet = f"quiet_{report.mark.value}"
        line = voice.say(quiet if has_text(quiet) else "nothing")
        yield add_articles(line, own, voice), False


def format_threat(
    threat: Threat,
    cells: bytes,
    voice: Voice = PLAIN_VOICE,
    *,
    rules: RuleSet,
    grounds: Sequence[Ground] = (),
) -> str:
    """Sentence on an attack, with the reason why it is a chase or not, its articles and grounds.

    ``cells`` are the piece codes of the position. The reply to a chase is mentioned only where the
    rule set requires one.
    """
    root = ""
    if threat.root is not None and threat.root_piece is not None:
        root = voice.piece(threat.root_piece, threat.root, cells)
    is_made = threat.is_chase and rules.answers.get("answered") == "any"
    key = "reason_chase_made" if is_made else f"reason_{threat.reason.value}"
    reason = voice.say(key, root=root)
    support = voice.say("semicolon").join(_list_support(threat, grounds, rules, cells, voice))
    if support:
        reason = voice.say("with_articles", text=reason, articles=support)
    return voice.say(
        "attack",
        attacker=voice.piece(threat.attacker_piece, threat.attacker, cells),
        victim=voice.piece(threat.victim_piece, threat.victim, cells),
        reason=reason,
    )


def _list_support(
    threat: Threat, grounds: Sequence[Ground], rules: RuleSet, cells: bytes, voice: Voice
) -> Iterator[str]:
    """Articles on an attack, and each of its grounds with the articles on it."""
    general = format_articles(articles_of_threat(rules, threat, ()), voice)
    if general and all(one.kind is not GroundKind.PROTECTED_CHARIOT for one in grounds):
        yield general
    for ground in grounds:
        own = format_articles(articles_of_ground(rules, ground), voice)
        if ground.kind is GroundKind.PROTECTED_CHARIOT:
            own = general
            fact = voice.say("ground_protected_chariot", attacker=threat.attacker_piece)
        else:
            fact = format_ground(ground, cells, voice)
        yield voice.say("article_says", articles=own, fact=fact) if own else fact


def format_ground(ground: Ground, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on a ground that rests on pieces."""
    key = f"ground_{ground.kind.value}"
    if ground.by is None and has_text(f"{key}_facing"):
        key += "_facing"
    elif ground.piece is not None and ground.piece.piece.piece_type == KING:
        key = f"{key}_general" if has_text(f"{key}_general") else key
    pieces = {"piece": ground.piece, "by": ground.by}
    named = {name: _name([one], cells, voice) for name, one in pieces.items() if one is not None}
    return voice.say(key, **named)


# Articles


def format_articles(numbers: Sequence[str], voice: Voice = PLAIN_VOICE) -> str:
    """Name articles of a book; empty if there are none.

    >>> format_articles(["15-16", "34"]), format_articles(["26.1.3"]), format_articles([])
    ('articles 15-16 and 34', 'article 26.1.3', '')
    >>> format_articles(["29", "7:6"], Voice("zh"))
    '第29条；第7章规则6'
    """
    plain, rules = [], []
    for number in numbers:
        chapter, _, rule = number.rpartition(":")
        first, _, last = number.partition("-")
        if chapter:
            rules.append(voice.say("article_in_chapter", chapter=chapter, number=rule))
        else:
            plain.append(voice.say("article_range", first=first, last=last) if last else number)
    if plain:
        are_many = len(plain) > 1 or "-" in plain[0]
        named = enumerate_words(voice.language, plain)
        rules.insert(0, voice.say("articles_many" if are_many else "articles_one", numbers=named))
    return voice.say("semicolon").join(rules)


def add_articles(text: str, numbers: Sequence[str], voice: Voice = PLAIN_VOICE) -> str:
    """Add articles, if any, to a text."""
    articles = format_articles(numbers, voice)
    return voice.say("with_articles", text=text, articles=articles) if articles else text


# Proofs of marks


def format_proof(proof: Proof, color: Color, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on a threat or offer that a move of this side makes, with its line.

    ``cells`` are the piece codes after the move; in the line the other side passes first.

    >>> from xiangqi.core.move import Move
    >>> from xiangqi.pieces import RED
    >>> from xiangqi.referee.ruling import Mark
    >>> cells = CoreBoard("3k5/9/9/9/9/9/9/9/4R4/4K4 b").cells()
    >>> format_proof(Proof(Mark.KILL, (Move.from_iccs("e1d1"),)), RED, cells, Voice("en", "wxf"))
    'threatens mate: R5.6#'
    """
    key = "proof_even" if proof.is_even else f"proof_{proof.mark.value}"
    if proof.clause is Clause.MATED:
        key = "proof_mated"
    text = voice.say(
        key if has_text(key) else "proof_other",
        mark=voice.say(f"mark_{proof.mark.value}"),
        victims=_name(proof.victims, cells, voice) if proof.victims else voice.say("material"),
        line=format_line(proof.moves, color, cells, voice),
        answer=format_line(proof.moves, color, cells, voice, skip=1),
    )
    for root, pinner in proof.false_roots:
        ground = Ground(GroundKind.FALSE_ROOT, root, pinner)
        roots = format_ground(ground, cells, voice)
        text = voice.say("proof_roots", proof=text, roots=roots)
    if proof.clause is None or proof.clause is Clause.MATED:
        return text
    why = voice.say(f"uncounted_{proof.clause.value}")
    return voice.say("proof_uncounted", proof=text, why=why)


def _name(victims: Iterable[Victim], cells: bytes, voice: Voice) -> str:
    named = [(victim.square, victim.piece) for victim in victims]
    return voice.pieces(named, cells) if named else ""


def format_before(proof: Proof, move: Move, color: Color, cells: bytes, voice: Voice) -> str:
    """Sentence on the same capture before the move, which only the move made good; or empty.

    ``cells`` are the piece codes after the move, which is no capture.
    """
    if not proof.before:
        return ""
    earlier = bytearray(cells)
    earlier[move.from_square], earlier[move.to_square] = earlier[move.to_square], 0
    line = format_line(proof.before, color, bytes(earlier), voice)
    return voice.say("proof_before", line=line)


def format_weight(report: PlyReport, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """Weight of a forbidden move, with the reason; empty for a move that is not weighed."""
    if report.is_heavy is None:
        return ""
    if report.mark is not Mark.CHASE:
        return voice.say("weight_heavy", mark=voice.say(f"mark_{report.mark.value}"))
    main = report.proofs[0]
    if report.is_heavy:
        return voice.say(f"weight_{_weigh(report)}")
    joint = Joint.CHECKS if main.joint is None else main.joint
    return voice.say(f"weight_{joint.value}", partners=_name(main.partners, cells, voice))


def format_line(
    moves: Sequence[Move], color: Color, cells: bytes, voice: Voice = PLAIN_VOICE, skip: int = 0
) -> str:
    """Moves of a line after the first ``skip``, in the voice's notation, with ``#`` for mate."""
    board = CoreBoard(Setup(cells, color))
    names = []
    for move in moves:
        names.append(voice.move(board, move))
        board.push_unchecked(move)
    line = voice.say("comma").join(names[skip:])
    return f"{line}#" if moves and board.is_check() and not board.has_legal_move() else line
