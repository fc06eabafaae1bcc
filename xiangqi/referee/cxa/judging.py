"""Rulings where a chase is a gain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.fen import Setup
from xiangqi.pieces import BLACK, RED, Color, Piece, Square
from xiangqi.referee.cxa.conduct import Decision, decide, find_questions
from xiangqi.referee.cxa.facts import Facts, Threatened, find_facts
from xiangqi.referee.cxa.finder import NODES_FOR_A_MOVE, Finder
from xiangqi.referee.cxa.marking import Marked
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import (
    Clause,
    Conduct,
    Judgment,
    Mark,
    PlyReport,
    Proof,
    Ruling,
    Verdict,
    Victim,
)

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["NODES_FOR_A_RULING", "judge_gains", "judge_gains_briefly"]

NODES_FOR_A_RULING: Final = 3_000_000
"""Moves that the solver may make for one ruling, but for those of the last question: some four
seconds."""

_NOTHING: Final = Facts(False, False, False, (), (), quiet=Mark.IDLE)


class _Found(NamedTuple):
    """What a move did, as far as could be found out."""

    facts: Facts
    is_settled: bool
    nodes: int


class _Window(NamedTuple):
    """The moves that are judged."""

    first: int
    last: int
    turn: Color
    """Who made the first of them."""
    found: tuple[_Found, ...]

    @property
    def facts(self) -> tuple[Facts, ...]:
        return tuple(found.facts for found in self.found)


@lru_cache(maxsize=4096)
def _find(start: Setup, reply: Move | None, move: Move) -> _Found:
    """What a move did, played from a setup after the enemy's last move; None if there was none."""
    board = CoreBoard(start)
    if reply is not None:
        board.push_unchecked(reply)
    finder = Finder(NODES_FOR_A_MOVE)
    facts = find_facts(finder, board, move)
    return _Found(facts, finder.is_settled, NODES_FOR_A_MOVE - finder.nodes_left)


def _open_window(board: CoreBoard, rules: RuleSet) -> _Window | None:
    """What happened since the first of the occurrences; None if these are too few."""
    _, first, last, _ = board.find_cycle(rules.switches)
    if first < 0:
        return None
    moves = board.move_stack
    replay = board.copy()
    setups: list[Setup] = []
    while replay.ply() > first:
        replay.pop()
    turn = replay.turn
    if first > 0:
        replay.pop()
        setups.append(_bare(replay))
        replay.push_unchecked(moves[first - 1])
    found: list[_Found] = []
    nodes = 0
    for ply in range(first, last + 1):
        setups.append(_bare(replay))
        past = setups[-2] if ply else setups[-1]
        reply = moves[ply - 1] if ply else None
        seen = _find(past, reply, moves[ply]) if nodes < NODES_FOR_A_RULING else None
        found.append(seen or _Found(_NOTHING, is_settled=False, nodes=0))
        nodes += found[-1].nodes
        replay.push_unchecked(moves[ply])
    return _Window(first, last, turn, tuple(found))


def _bare(board: CoreBoard) -> Setup:
    """The position without its counters."""
    setup = board.setup()
    return Setup(setup.board, setup.turn, 0, 1)


def judge_gains_briefly(board: CoreBoard, rules: RuleSet) -> Judgment:
    """The verdict and what each side did, without evidence."""
    window = _open_window(board, rules)
    if window is None:
        return Judgment(Verdict.UNDECIDED, _NO_CONDUCT)
    decision = decide(window.facts, window.turn, rules)
    return Judgment(decision.verdict, decision.conduct)


def judge_gains(board: CoreBoard, rules: RuleSet) -> Ruling:
    """Rule on the present position of a board that knows the moves which led to it."""
    window = _open_window(board, rules)
    moves, fen = tuple(board.move_stack), board.root_fen()
    occurrences = board.repetitions()
    if window is None:
        undecided = Verdict.UNDECIDED
        return Ruling(rules, fen, moves, undecided, occurrences, None, _NO_CONDUCT, _NO_VICTIMS, ())
    decision = decide(window.facts, window.turn, rules)
    record = _Record(board, window, decision)
    return Ruling(
        rules=rules,
        fen=fen,
        moves=moves,
        verdict=decision.verdict,
        occurrences=occurrences,
        window=(window.first, window.last),
        conduct=MappingProxyType(dict(decision.conduct)),
        victims=MappingProxyType({color: record.victims_of(color) for color in (RED, BLACK)}),
        plies=tuple(record.reports),
        questions=find_questions(window.facts, window.turn, rules),
        unsettled=tuple(
            ply for ply, found in enumerate(window.found, window.first) if not found.is_settled
        ),
    )


_NO_CONDUCT: Final[Mapping[Color, Conduct | None]] = MappingProxyType({RED: None, BLACK: None})
_NO_VICTIMS: Final[Mapping[Color, tuple[Victim, ...]]] = MappingProxyType({RED: (), BLACK: ()})


class _Record:
    """Plays a window again, writes its reports, and keeps apart whom each move chased."""

    def __init__(self, board: CoreBoard, window: _Window, decision: Decision) -> None:
        self.board = board.copy()
        while self.board.ply() > window.first:
            self.board.pop()
        pieces = self.board.setup().piece_map()
        self.pieces = list(pieces.values())
        self.squares = list(pieces)  # where each of them stands now
        self.chased: dict[Color, list[frozenset[int]]] = {RED: [], BLACK: []}
        self.reports = [
            self._report(move, found.facts, marked)
            for move, found, marked in zip(
                board.move_stack[window.first :], window.found, decision.marked, strict=True
            )
        ]

    def _report(self, move: Move, facts: Facts, marked: Marked) -> PlyReport:
        ply, color = self.board.ply(), self.board.turn
        self.board.push_unchecked(move)
        if move.to_square in self.squares:
            self.squares[self.squares.index(move.to_square)] = -1
        self.squares[self.squares.index(move.from_square)] = move.to_square
        proofs = tuple(self._list_proofs(facts, marked))
        if marked.mark is Mark.CHASE:
            aims = (threat.gain.aims for threat, clause in marked.threats if clause is None)
            chased = frozenset().union(*aims)
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
        )

    def _list_proofs(self, facts: Facts, marked: Marked) -> Iterable[Proof]:
        """What proves the mark, and after it what does not count, and why."""
        proofs = [self._prove(threat, clause) for threat, clause in marked.threats]
        if facts.kill:
            proofs.insert(0, Proof(Mark.KILL, facts.kill, clause=marked.kill))
        return sorted(proofs, key=lambda proof: proof.clause is not None)

    def _prove(self, threat: Threatened, clause: Clause | None) -> Proof:
        victims = sorted(threat.gain.victims)
        return Proof(
            mark=Mark.CHASE,
            moves=threat.gain.line.moves,
            victims=tuple(Victim(self._piece_at(square), square) for square in victims),
            is_heavy=threat.is_single,
            is_even=threat.gain.is_even,
            clause=clause,
        )

    def _piece_at(self, square: Square) -> Piece:
        return Piece.from_code(self.board.piece_code_at(square))

    def victims_of(self, color: Color) -> tuple[Victim, ...]:
        """The pieces that every chase of a side was about, where they stand now."""
        chases = self.chased[color]
        common = frozenset.intersection(*chases) if chases else frozenset()
        return tuple(Victim(self.pieces[number], self.squares[number]) for number in sorted(common))
