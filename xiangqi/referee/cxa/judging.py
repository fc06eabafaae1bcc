"""Rulings where a chase is a gain: marks, conduct, verdict and evidence of cycles and nine rounds.

Implements articles 24.13-24.14, 25, 26.4 and 26.9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, KING, PAWN, RED, Color, Piece, Square
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.cxa.facts import (
    UNEXAMINED,
    Facts,
    MoveFacts,
    Novelty,
    Threatened,
    find_move_facts,
)
from xiangqi.referee.cxa.search import MATE, NO_KIND, with_turn
from xiangqi.referee.cxa.threats import ThreatLevel
from xiangqi.referee.grounds import list_false_roots
from xiangqi.referee.rule_parts import GainChase
from xiangqi.referee.rules import RuleSet, rule_choices
from xiangqi.referee.ruling import (
    NO_CONDUCT,
    NO_VICTIMS,
    WEIGHED,
    BySide,
    Clause,
    Conduct,
    FalseRoot,
    Judgment,
    Mark,
    PlyReport,
    Proof,
    Ruling,
    Verdict,
    Victim,
)

__all__ = [
    "ROUNDS",
    "RULING_NODE_LIMIT",
    "Decision",
    "MarkedMove",
    "decide",
    "find_nine_round_offenders",
    "find_questions",
    "judge_gains",
    "judge_gains_briefly",
    "mark_move",
]

_OLD_THREATS: Final = {Novelty.OLD: Clause.STOOD_BEFORE, Novelty.OLD_IN_CHECK: Clause.REPLY}
_LEVELS: Final = {ThreatLevel.MATED: Clause.MATED, ThreatLevel.LOSS: Clause.LOSING_ROOT}


@dataclass(frozen=True, slots=True)
class MarkedMove:
    """Mark of a move, with the reasons."""

    mark: Mark
    is_heavy: bool
    """Is it a heavy strike (26.9)?"""
    kill_clause: Clause | None
    """Reason why its mate threat does not count; None if it counts or there is none."""
    threats: tuple[tuple[Threatened, Clause | None], ...]
    """Threats, those that count first, then by rank; each with the reason why it does not count, or
    None."""


def mark_move(facts: Facts, chase: GainChase, *, soldiers_strike: bool = False) -> MarkedMove:
    """Mark a move by its gravest action (26.4): check, kill, chase, or a kind of allowed move.

    With ``soldiers_strike`` attacks by soldiers alone count.
    """
    king_reply = facts.is_reply and facts.by_king and chase.king_reply == "idle"
    kill_clause = _clause_of_kill(facts, king_reply, chase) if facts.kill else None
    reply_clause = Clause.KING_REPLY if king_reply else None
    threats = [
        (threat, reply_clause or _clause_of(threat, chase, soldiers_strike))
        for threat in sorted(facts.threats, key=lambda threat: threat.rank, reverse=True)
        if not facts.kill or threat.threat.line.score < MATE  # mates are kills or nothing
    ]
    ordered = tuple(sorted(threats, key=lambda pair: pair[1] is not None))
    counted = [threat for threat, clause in ordered if clause is None]
    if facts.is_check:
        return MarkedMove(Mark.CHECK, True, kill_clause, ordered)
    if facts.kill and kill_clause is None:
        return MarkedMove(Mark.KILL, True, None, ordered)
    if counted:
        # threats of the highest rank decide (26.4 and 26.9)
        main = counted[0].rank
        weights = [threat.weight.is_heavy for threat in counted if threat.rank == main]
        is_heavy = any(weights) if chase.equal_threats == "heavy" else all(weights)
        return MarkedMove(Mark.CHASE, is_heavy, kill_clause, ordered)
    return MarkedMove(facts.quiet, False, kill_clause, ordered)


def _clause_of_kill(facts: Facts, king_reply: bool, chase: GainChase) -> Clause | None:
    """Reason why a threat of mate does not count; None if it does."""
    if king_reply:
        return Clause.KING_REPLY
    king_steps = chase.mate_threat == "king_steps" and facts.is_reply and facts.by_king
    if facts.is_kill_new or not (king_steps or chase.mate_threat == "new"):
        return None
    return Clause.REPLY if facts.is_reply else Clause.STOOD_BEFORE


def _clause_of(threatened: Threatened, chase: GainChase, soldiers_strike: bool) -> Clause | None:
    """Reason why a threat does not count; None if it does."""
    threat = threatened.threat
    if threatened.is_own and (threat.own_kind == KING or not soldiers_strike):
        return Clause.KING_OR_SOLDIER
    if threat.own_kind == PAWN and not threatened.is_own and chase.soldier_joins == "idle":
        return Clause.KING_OR_SOLDIER
    if threat.level is ThreatLevel.MATED or (
        threat.level is ThreatLevel.LOSS and chase.root_attack == "weighed"
    ):
        return _LEVELS[threat.level]
    if threat.level is ThreatLevel.EVEN and chase.even_chase == "idle":
        return Clause.EVEN_CHASE
    if threatened.novelty in _OLD_THREATS:
        return _OLD_THREATS[threatened.novelty]
    if threatened.novelty is Novelty.RISEN:
        # a light threat is new only if the moved piece takes part in it (reference 37)
        is_new = threatened.weight.is_heavy or threatened.takes_part
        if chase.risen_threat == "stood" or not is_new:
            return Clause.STOOD_BEFORE
    if threatened.made_by_opponent and chase.own_doing == "idle":
        return Clause.OWN_DOING
    return Clause.KEY_POINT if threatened.is_key_point and chase.key_point == "idle" else None


# Verdict

QUESTIONS: Final = (
    "king_reply",
    "even_chase",
    "root_attack",
    "risen_threat",
    "mate_threat",
    "own_doing",
    "key_point",
    "soldier_strikes",
    "soldier_joins",
    "equal_threats",
)
"""Fields that the definitions leave open, or on which the editions differ."""

_FORBIDDEN: Final[Mapping[str, frozenset[Mark]]] = {
    "check_kill_and_chase": frozenset({Mark.CHECK, Mark.KILL, Mark.CHASE}),
    "check_and_chase": frozenset({Mark.CHECK, Mark.CHASE}),
    "check": frozenset({Mark.CHECK}),
    "none": frozenset(),
}


class Decision(NamedTuple):
    """Marks of the moves of a cycle, each side's conduct, and the verdict."""

    marked: tuple[MarkedMove, ...]
    conduct: Mapping[Color, Conduct]
    verdict: Verdict


def decide(facts: Sequence[Facts], first: Color, rules: RuleSet) -> Decision:
    """Rule on a cycle by the facts of its moves; ``first`` is the side of the first move.

    With ``soldier_strikes`` (1999), soldiers' attacks count if all moves of both sides are then
    forbidden.
    """
    chase = rules.chase
    assert isinstance(chase, GainChase)
    if chase.soldier_strikes == "chase":
        marked = tuple(mark_move(fact, chase, soldiers_strike=True) for fact in facts)
        strict = _decide(marked, first, rules)
        if Conduct.IDLE not in strict.conduct.values():
            return strict
    return _decide(tuple(mark_move(fact, chase) for fact in facts), first, rules)


def _decide(marked: tuple[MarkedMove, ...], first: Color, rules: RuleSet) -> Decision:
    conduct = {first: _conduct_of(marked[::2], rules), not first: _conduct_of(marked[1::2], rules)}
    red, black = conduct[RED].value, conduct[BLACK].value
    verdict = Verdict.DRAW
    if f"{red}>{black}" in rules.verdicts:
        verdict = Verdict.BLACK_WINS
    elif f"{black}>{red}" in rules.verdicts:
        verdict = Verdict.RED_WINS
    return Decision(marked, conduct, verdict)


def _conduct_of(marked: Sequence[MarkedMove], rules: RuleSet) -> Conduct:
    """Conduct of a side: idle if one of its moves is allowed."""
    marks = {move.mark for move in marked}
    if not marks <= _FORBIDDEN[rules.offences]:
        return Conduct.IDLE
    if marks == {Mark.CHECK}:
        return Conduct.CHECK
    if len(marks) > 1 and rules.mixing == "one_kind":
        return Conduct.IDLE
    return Conduct.HEAVY if all(move.is_heavy for move in marked) else Conduct.LIGHT


def find_questions(facts: Sequence[Facts], first: Color, rules: RuleSet) -> tuple[str, ...]:
    """Questions on moves and conduct of which another answer would give another verdict."""
    verdict = decide(facts, first, rules).verdict
    return tuple(
        dict.fromkeys(
            field
            for field, other in _list_other_answers(rules)
            if decide(facts, first, other).verdict is not verdict
        )
    )


@lru_cache(maxsize=16)
def _list_other_answers(rules: RuleSet) -> tuple[tuple[str, RuleSet], ...]:
    """Each question with the rule sets that differ only in its answer."""
    return tuple(
        (field, rules.replace({field: answer}))
        for field in QUESTIONS
        for answer in rule_choices(field)
        if answer != rules.answers[field]
    )


RULING_NODE_LIMIT: Final = 3_000_000
"""Node limit of a ruling, which its last move may exceed: some four seconds."""


class _Window(NamedTuple):
    """Range of plies to be judged, with the facts of their moves."""

    first: int
    last: int
    turn: Color
    """Side of the first move."""
    found: tuple[MoveFacts, ...]

    @property
    def facts(self) -> tuple[Facts, ...]:
        return tuple(found.facts for found in self.found)


def _find_window(board: CoreBoard, rules: RuleSet) -> _Window | None:
    """Window of the current cycle; None if the position has not occurred often enough."""
    _, first, last, _ = board.find_cycle(rules.switches)
    return None if first < 0 else _examine(board, first, last, is_cycle=True)


def _examine(board: CoreBoard, first: int, last: int, *, is_cycle: bool = False) -> _Window:
    """Window of some plies; with ``is_cycle`` the last move precedes the first."""
    found: list[MoveFacts] = []
    nodes = 0
    for ply in range(first, last + 1):
        cause = last if is_cycle and ply == first else None
        is_within = nodes < RULING_NODE_LIMIT
        found.append(find_move_facts(board, ply, cause) if is_within else UNEXAMINED)
        nodes += found[-1].nodes
    turn = board.turn if (last - first) % 2 else not board.turn
    return _Window(first, last, turn, tuple(found))


_FIRST_ROUNDS: Final = 25
"""Number of rounds in which some books order Red to change (``first_rounds``)."""


def _decide_window(board: CoreBoard, window: _Window, rules: RuleSet) -> Decision:
    """Decision on a window; with ``first_rounds`` Red must change what would be an early draw."""
    decision = decide(window.facts, window.turn, rules)
    if rules.answers["first_rounds"] == "red_changes" and _is_early(board, decision):
        return decision._replace(verdict=Verdict.BLACK_WINS)
    return decision


def _is_early(board: CoreBoard, decision: Decision) -> bool:
    """Are both sides' moves allowed in the first rounds of a game from the starting position?"""
    if board.ply() > 2 * _FIRST_ROUNDS or set(decision.conduct.values()) != {Conduct.IDLE}:
        return False
    return board.root_fen().split()[:2] == STARTING_FEN.split()[:2]


def judge_gains_briefly(board: CoreBoard, rules: RuleSet) -> Judgment:
    """Verdict and each side's conduct, without evidence."""
    window = _find_window(board, rules)
    if window is None:
        return Judgment(Verdict.UNDECIDED, NO_CONDUCT)
    decision = _decide_window(board, window, rules)
    return Judgment(decision.verdict, decision.conduct)


def judge_gains(board: CoreBoard, rules: RuleSet) -> Ruling:
    """Rule on the last position of a board's game.

    Nine rounds of forbidden moves without a repetition are judged as well, but end no game.
    """
    moves, fen = tuple(board.move_stack), board.root_fen()
    occurrences = board.repetitions()
    window = _find_window(board, rules)
    offenders = find_nine_round_offenders(board, rules) if window is None else ()
    if window is None:
        if not offenders:
            undecided = (Verdict.UNDECIDED, occurrences, None, NO_CONDUCT, NO_VICTIMS, ())
            return Ruling(rules, fen, moves, *undecided)
        window = _examine(board, board.ply() - 2 * ROUNDS, board.ply() - 1)
    decision = _decide_window(board, window, rules)
    record = _Record(board, window, decision)
    questions: tuple[str, ...] = ()
    if not offenders:
        early = ("first_rounds",) if _is_early(board, decision) else ()
        questions = (*find_questions(window.facts, window.turn, rules), *early)
    return Ruling(
        rules=rules,
        fen=fen,
        moves=moves,
        verdict=_verdict_on_nine_rounds(offenders) if offenders else decision.verdict,
        occurrences=occurrences,
        window=(window.first, window.last),
        conduct=BySide(dict(decision.conduct)),
        victims=BySide(
            {
                color: record.victims_of(color) if decision.conduct[color] in WEIGHED else ()
                for color in (RED, BLACK)
            }
        ),
        plies=tuple(record.reports),
        questions=questions,
        unsettled=tuple(
            ply for ply, found in enumerate(window.found, window.first) if not found.is_settled
        ),
        nine_round_offenders=offenders,
    )


class _Record:
    """Replay of a window: makes the reports, and records the victims of each chase."""

    def __init__(self, board: CoreBoard, window: _Window, decision: Decision) -> None:
        self.board = board.copy()
        while self.board.ply() > window.first:
            self.board.pop()
        pieces = self.board.setup().piece_map()
        self.pieces = list(pieces.values())
        self.squares = list(pieces)  # current square of each piece, -1 if captured
        self.chased: dict[Color, list[frozenset[int]]] = {RED: [], BLACK: []}
        self.reports = [
            self._report(move, found.facts, marked)
            for move, found, marked in zip(
                board.move_stack[window.first :], window.found, decision.marked, strict=True
            )
        ]

    def _report(self, move: Move, facts: Facts, marked: MarkedMove) -> PlyReport:
        ply, color = self.board.ply(), self.board.turn
        self.board.push_unchecked(move)
        if move.to_square in self.squares:
            self.squares[self.squares.index(move.to_square)] = -1
        self.squares[self.squares.index(move.from_square)] = move.to_square
        proofs = tuple(self._list_proofs(facts, marked))
        if marked.mark is Mark.CHASE:
            counted = (item.threat.victims for item, clause in marked.threats if clause is None)
            chased = frozenset().union(*counted)
            self.chased[color].append(frozenset(map(self.squares.index, chased)))
        return PlyReport(
            ply=ply,
            color=color,
            move=move,
            piece=self._piece_at(move.to_square),
            king=self.board.king(not color),
            checkers=tuple((sq, self._piece_at(sq)) for sq in sorted(self.board.checkers())),
            threats=(),
            mark=marked.mark,
            proofs=proofs,
            is_heavy=marked.is_heavy if marked.mark.is_strike else None,
        )

    def _list_proofs(self, facts: Facts, marked: MarkedMove) -> Iterable[Proof]:
        """Proofs of the mark, then threats that do not count, with the reasons; of threats to the
        same pieces only the main one."""
        main: dict[tuple[frozenset[Square], Clause | None], Threatened] = {}
        for threatened, clause in marked.threats:
            main.setdefault((threatened.threat.victims, clause), threatened)
        proofs = [self._prove(threatened, clause) for (_, clause), threatened in main.items()]
        if facts.kill:
            proofs.insert(0, Proof(Mark.KILL, facts.kill, clause=marked.kill_clause))
        if marked.mark is Mark.EXCHANGE:
            targets = sorted({capture.to_square for capture in facts.exchanges})
            proofs.append(Proof(Mark.EXCHANGE, facts.exchanges[:1], self._pieces_on(targets)))
        if marked.mark is Mark.FOLLOW:
            attacked = {square for threat, _ in marked.threats for square in threat.threat.victims}
            watched = [square for square in facts.watched if square not in attacked]
            if watched:
                proofs.append(Proof(Mark.FOLLOW, (), self._pieces_on(watched)))
        return sorted(proofs, key=lambda proof: proof.clause is not None)

    def _prove(self, threatened: Threatened, clause: Clause | None) -> Proof:
        threat, weight = threatened.threat, threatened.weight
        counts = clause is None
        false_roots: tuple[FalseRoot, ...] = ()
        if counts and threat.is_capture and threat.level is ThreatLevel.GAIN:
            board = with_turn(self.board, not self.board.turn)
            false_roots = tuple(list_false_roots(board, threat.line.first))
        return Proof(
            mark=Mark.CHASE,
            moves=self._play_out(threatened) if counts else threat.line.moves,
            victims=self._pieces_on(sorted(threat.victims)),
            is_heavy=weight.is_heavy,
            is_even=threat.level is ThreatLevel.EVEN,
            clause=clause,
            joint=weight.joint,
            partners=self._pieces_on(weight.pieces),
            before=threatened.before if counts else (),
            false_roots=false_roots,
        )

    def _play_out(self, threatened: Threatened) -> tuple[Move, ...]:
        """Line of a threat; for a joint attack that a king or soldier begins, up to two recaptures
        on the square of the first capture."""
        threat, first = threatened.threat, threatened.threat.line.first
        if threat.own_kind == NO_KIND or threatened.is_own:
            return threat.line.moves
        after = with_turn(self.board, not self.board.turn)
        line = [first]
        after.push_unchecked(first)
        for _ in range(2):
            captures = after.list_moves("captures")
            recapture = next((move for move in captures if move.to_square == first.to_square), None)
            if recapture is None:
                break
            line.append(recapture)
            after.push_unchecked(recapture)
        return tuple(line)

    def _pieces_on(self, squares: Iterable[Square]) -> tuple[Victim, ...]:
        return tuple(Victim(self._piece_at(square), square) for square in squares)

    def _piece_at(self, square: Square) -> Piece:
        return Piece.from_code(self.board.piece_code_at(square))

    def victims_of(self, color: Color) -> tuple[Victim, ...]:
        """Victims of every chase of a side, on their current squares."""
        chases = self.chased[color]
        common = frozenset.intersection(*chases) if chases else frozenset()
        return tuple(Victim(self.pieces[number], self.squares[number]) for number in sorted(common))


# Nine rounds

ROUNDS: Final = 9
_MIN_TARGETS: Final = 3
"""Minimum number of target squares of a side's moves: with two of them positions repeat anyway."""


def find_nine_round_offenders(board: CoreBoard, rules: RuleSet) -> tuple[Color, ...]:
    """Sides whose last nine moves were all forbidden, Red first.

    Reference figure 8 judges them like a cycle. There must be no capture among the last eighteen
    plies, and the moves of a side must have at least three target squares. Empty if the rule set
    has no such clause.
    """
    chase = rules.chase
    assert isinstance(chase, GainChase)
    if chase.nine_rounds == "none" or min(board.halfmove_clock, board.ply()) < 2 * ROUNDS:
        return ()
    return tuple(color for color in (RED, BLACK) if _made_only_strikes(board, color, chase))


def _verdict_on_nine_rounds(offenders: Collection[Color]) -> Verdict:
    """Verdict on nine rounds: against the side that has to change, or a draw if both have to.

    The clause is known at second hand, and it is not known whether longer series of checks may
    pursue a mate, as they did in 146 of 4,709 real games, mostly in winning attacks. So the verdict
    is given only on request, and ends no game.
    """
    if len(offenders) > 1:
        return Verdict.DRAW
    return Verdict.BLACK_WINS if RED in offenders else Verdict.RED_WINS


def _made_only_strikes(board: CoreBoard, color: Color, chase: GainChase) -> bool:
    """Are the last nine moves of a side forbidden? Checked backwards, up to an allowed move."""
    last = board.ply() - (1 if board.turn != color else 2)
    plies = range(last, board.ply() - 2 * ROUNDS - 1, -2)
    moves = board.move_stack
    if len({moves[ply].to_square for ply in plies}) < _MIN_TARGETS:
        return False
    return all(mark_move(find_move_facts(board, ply).facts, chase).mark.is_strike for ply in plies)
