"""The figures of the Chinese rules, judged by their printed marks and by their positions."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from xiangqi import BLACK, RED, Board, Conduct, Referee, Verdict
from xiangqi.casebook.cases import Case, find_case_folder, load_cases
from xiangqi.casebook.verify import verify_case
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import square_flip, square_mirror
from xiangqi.pieces.fen import Setup
from xiangqi.referee.cxa.facts import Facts, Novelty, Threatened
from xiangqi.referee.cxa.judging import decide
from xiangqi.referee.cxa.search import GainLine
from xiangqi.referee.cxa.threats import Threat, ThreatLevel, Weight
from xiangqi.referee.explanation import explain, format_ruling
from xiangqi.referee.rules import find_rule_set
from xiangqi.referee.ruling import Joint, Mark
from xiangqi.words.voice import Voice

CXA = find_rule_set("cxa2020")
CASES = {case.id: case for case in load_cases([find_case_folder("cxa2020")])}
MISMARKED = {("cxa2020-c8-17", "b8b7"), ("cxa2020-c9-33", "d9d8")}
"""Moves that the referee marks otherwise than the book."""

LIGHT = {
    "cxa2020-c8-10": (0, 1),
    "cxa2020-c8-11": (1, 0),
    "cxa2020-c8-25": (1, 0),
    "cxa2020-c8-26": (1, 0),
    "cxa2020-c8-27": (0, 1),
    "cxa2020-c8-28": (1, 0),
    "cxa2020-c9-39": (1, 0),
    "cxa2020-c9-41": (1, 0),
    "cxa2020-c9-49": (0, 1),
    "own-26.9-joint-1": (0, 1),
    "own-26.9-joint-3": (1, 0),
    "own-26.9-main-1": (1, 0),
}
"""Cases in which the book speaks of joint chases, or of too few roots: whether Red's, Black's are.
"""


def strike(mark: Mark, *, is_heavy: bool) -> Facts:
    """Facts that yield a mark and a weight."""
    move = Move.from_iccs("a0a1")
    threat = Threat(
        GainLine(move, 200, (move,)), ThreatLevel.GAIN, True, frozenset({9}), frozenset({9}), 4
    )
    weight = Weight() if is_heavy else Weight(Joint.ROOT)
    chase = Threatened(threat, Novelty.NEW, weight, True, False, False)
    return Facts(
        is_check=mark is Mark.CHECK,
        is_reply=False,
        by_king=False,
        kill=(move,) if mark is Mark.KILL else (),
        is_kill_new=mark is Mark.KILL,
        threats=(chase,) if mark is Mark.CHASE else (),
        quiet=Mark.IDLE if mark.is_strike else mark,
    )


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.id)
def test_the_verdict_from_the_book_s_own_marks(case: Case) -> None:
    """The printed marks give the printed verdict in every figure."""
    first = Board(case.fen).turn ^ bool(len(case.lead_in) % 2)
    light = LIGHT.get(case.id, (0, 0))
    facts = [
        strike(mark, is_heavy=not light[0 if (first if ply % 2 == 0 else not first) else 1])
        for ply, mark in enumerate(case.marks)
    ]
    assert decide(facts, bool(first), CXA).verdict is case.verdict


WEIGHTS = {
    "cxa2020-c8-11": "light heavy light heavy",
    "cxa2020-c8-25": "light heavy light heavy",
    "cxa2020-c9-39": "light heavy light heavy",
    "own-26.5-checks-1": "light - heavy -",
    "own-26.5-checks-2": "light - heavy -",
    "own-26.5-checks-3": "- - heavy -",
    "own-24.3-new-1": "heavy - heavy heavy",
    "own-24.3-new-2": "- - heavy -",
    "own-26.1.4-1": "heavy heavy - -",
    "own-26.1.4-2": "heavy heavy - heavy",
    "own-26.9-joint-1": "heavy heavy heavy light",
    "own-26.9-joint-2": "heavy heavy heavy heavy",
    "own-26.9-joint-3": "light heavy light heavy",
    "own-26.9-pinner-1": "light - - -",
    "own-26.9-pinner-2": "heavy - - -",
    "own-26.9-main-1": "light heavy light heavy",
    "own-24.2-kill-1": "- - - -",
    "own-24.2-kill-2": "heavy - heavy -",
    "own-24.3-pinned-1": "- - - -",
    "own-24.3-pinned-2": "heavy - - -",
    "own-24.4-exchange-1": "- - - -",
    "own-24.4-exchange-2": "heavy - - -",
    "own-24.15-root-1": "- - - -",
    "own-24.15-root-2": "light - - -",
    "own-24.15-root-3": "heavy - - -",
    "own-24.15-root-4": "light - - -",
    "own-26.5-square-1": "- - - -",
    "own-26.1-soldier-1": "- - - -",
    "own-26.1-soldier-2": "heavy - heavy -",
    "own-26.1.1-soldier-1": "light - - -",
    "own-26.1.1-soldier-2": "- - - -",
    "own-26.1.2-soldier-1": "light - - -",
    "own-26.1.2-soldier-2": "- - - -",
    "own-26.1.3-king-1": "heavy - - -",
    "own-26.1.3-king-2": "heavy - - -",
    "own-26.7-soldiers-1": "heavy - heavy -",
    "own-26.7-soldiers-2": "- - - -",
    "own-26.8-soldier-1": "heavy - - -",
    "own-26.8-soldier-2": "- - - -",
    "own-26.9-mount-1": "- - - heavy",
    "own-26.9-mount-2": "- - - light",
    "own-25.1-checks-1": "heavy heavy heavy heavy",
    "own-25.1-checks-2": "heavy heavy heavy heavy",
    "own-26.2-point-1": "heavy heavy - -",
    "own-26.2-point-2": "heavy heavy heavy -",
    "own-24.3-self-1": "- heavy - -",
    "own-24.3-self-2": "- heavy - heavy",
}
"""Weights of the moves of a cycle (26.9)."""


@pytest.mark.parametrize(("name", "weights"), WEIGHTS.items())
def test_how_heavy_each_move_is(name: str, weights: str) -> None:
    case = CASES[name]
    ruling = Referee(CXA).judge(case.play_until(3))
    words = {None: "-", True: "heavy", False: "light"}
    found = [words[report.is_heavy] for report in ruling.plies[: len(case.cycle)]]
    assert found == weights.split()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("own-24.3-mated-1", "could take the red cannon on d4, but is mated by a7a9, d4d9, a9d9#"),
        ("own-24.3-mated-1", "could take the red cannon on c4, but is mated by"),
        ("own-24.3-new-1", "only this move makes it good: before it the line was c4d6, g7h5"),
        ("own-26.9-joint-3", "light: jointly with the red chariot on d4, without which the cannon"),
        ("own-26.9-joint-3", "heavy: one piece alone chases a chariot"),
        ("own-26.9-joint-1", "light: the checks or captures of several pieces win it"),
        ("cxa2020-c8-11", "the black elephant on c9 may not recapture, pinned by the red cannon"),
        ("cxa2020-c8-11", "light: jointly with the red cannon on a9, without which a root could"),
        ("cxa2020-c8-27", "light: under-rooted, the red chariot on d0 could recapture"),
        ("cxa2020-c8-12", "watches the black cannon on h7; taking would win nothing"),
        ("cxa2020-c9-27", "takes the black chariot on c1 at no loss by c6c1, f6a6"),
        (
            "own-24.4-exchange-1",
            "offers an exchange to the black chariot on f8, which may take first",
        ),
        ("own-26.1.1-soldier-1", "wins the black horse on d6 by c6d6, e8d6, d1d6"),
        ("own-24.15-root-2", "Red: one chase, one idle move by turns (article 24.14)\n"),
        ("own-26.1.4-1", "stood before this reply to a check, which takes no part in it"),
    ],
)
def test_the_explanation_tells(name: str, words: str) -> None:
    """Explanation of a move's mark, in English or Chinese."""
    ruling = Referee(CXA).judge(CASES[name].play_until(3))
    assert words in format_ruling(ruling)
    *_, evidence, _ = format_ruling(ruling, Voice("zh", "chinese")).split("\n\n")
    assert not re.search(r"[A-Za-z]{3}", evidence)


def test_no_move_follows_and_attacks_nothing() -> None:
    for case in CASES.values():
        for report in Referee(CXA).judge(case.play_until(3)).plies:
            assert report.mark is not Mark.FOLLOW or report.proofs


def test_from_the_positions() -> None:
    """In the mirror, with colours exchanged, from each ply of the cycle: every second case, all
    of them in the command ``xiangqi verify --rules cxa2020``."""
    results = {id: verify_case(CASES[id], Referee(CXA)) for id in list(CASES)[::2]}
    assert [id for id, result in results.items() if not result.passed] == []


def marks_of(board: Board, length: int, start: int) -> list[Mark]:
    """Marks of a cycle by its first ply, on a board with two rounds of it."""
    ruling = Referee(CXA).judge(board)
    assert not ruling.unsettled
    found = {(report.ply - start) % length: report.mark for report in ruling.plies}
    return [found[ply] for ply in range(length)]


def allowed(mark: Mark) -> Mark:
    return mark if mark.is_strike else Mark.IDLE


def turn_over(case: Case, *, flip: bool, mirror: bool) -> tuple[Setup, list[Move]]:
    """Position and moves of a case, mirrored or turned over."""

    def turn(square: int) -> int:
        square = square_flip(square) if flip else square
        return square_mirror(square) if mirror else square

    setup = Board(case.fen).setup()
    placed = bytearray(len(setup.board))
    for square, code in enumerate(setup.board):
        placed[turn(square)] = code ^ 8 if flip and code else code
    moves = map(Move.from_iccs, chain(case.lead_in, case.cycle, case.cycle))
    turned = [Move(turn(move.from_square), turn(move.to_square)) for move in moves]
    return Setup(bytes(placed), setup.turn ^ flip, 0, 1), turned


@pytest.mark.parametrize("view", [(False, False), (True, True)], ids=["as printed", "turned"])
def test_the_mark_of_every_move(view: tuple[bool, bool]) -> None:
    """All but MISMARKED; all marks of allowed moves are equal."""
    wrong = set()
    for id, case in CASES.items():
        setup, moves = turn_over(case, flip=view[0], mirror=view[1])
        board = Board(setup)
        for move in moves:
            board.push(move)
        marks = marks_of(board, len(case.cycle), len(case.lead_in))
        wrong |= {
            (id, move)
            for move, found, mark in zip(case.cycle, marks, case.marks, strict=True)
            if allowed(found) is not allowed(mark)
        }
    assert wrong == MISMARKED


def test_every_strike_has_its_proof() -> None:
    """A kill's line is a mate of nothing but checks; a chase's begins with a capture or a check;
    and what does not count says why."""
    kills = chases = clauses = 0
    for case in list(CASES.values())[::3]:
        board = case.play_until(3)
        ruling = Referee(CXA).judge(board)
        for report in ruling.plies:
            counted = [proof for proof in report.proofs if proof.clause is None]
            clauses += len(report.proofs) - len(counted)
            if report.mark is Mark.KILL:
                kills += 1
                check_mate(ruling.board(), report.ply, counted[0].moves)
            if report.mark is Mark.CHASE:
                chases += 1
                assert counted
                assert all(proof.moves for proof in counted)
                assert any(proof.victims for proof in counted)
                assert not any(proof.mark is Mark.KILL for proof in counted)
    assert kills > 5
    assert chases > 40
    assert clauses > 5


def check_mate(board: CoreBoard, ply: int, line: tuple[Move, ...]) -> None:
    """Check that a line mates after the move, the other side passing first."""
    while board.ply() > ply + 1:
        board.pop()
    setup = board.setup()
    passed = Board(Setup(setup.board, not setup.turn, 0, 1))
    for number, move in enumerate(line):
        passed.push(move)
        assert passed.is_check() or number % 2 == 1
    assert passed.is_checkmate()


def test_the_editions_differ() -> None:
    """Single against joint chases: in 2020 the heavy side must change, in 1999 it is a draw."""
    board = CASES["cxa2020-c8-10"].play_until(3)
    by_2020 = Referee(CXA).judge(board)
    assert by_2020.verdict is Verdict.BLACK_WINS
    assert by_2020.conduct == {RED: Conduct.HEAVY, BLACK: Conduct.LIGHT}
    assert Referee(find_rule_set("cxa1999")).judge(board).verdict is Verdict.DRAW


def test_a_ruling_names_the_questions_that_it_hangs_on() -> None:
    """Figure 18 depends on ``key_point``: the other answer changes its verdict."""
    board = CASES["cxa2020-c8-18"].play_until(3)
    ruling = Referee(CXA).judge(board)
    assert "key_point" in ruling.questions
    for question in ruling.questions:
        other = {"key_point": "chase", "king_reply": "counts"}[question]
        changed = Referee(CXA.replace({question: other})).judge_cycle(board)
        assert changed.verdict is not ruling.verdict
    assert Referee(CXA).judge(CASES["cxa2020-c8-06"].play_until(3)).questions == ()


def test_unsettled_searches_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from xiangqi.referee.cxa import facts

    monkeypatch.setattr(facts, "MOVE_NODE_LIMIT", 5)
    facts._find.cache_clear()
    try:
        ruling = Referee(CXA).judge(CASES["cxa2020-c8-02"].play_until(3))
    finally:
        facts._find.cache_clear()
    assert ruling.unsettled
    assert set(ruling.unsettled) <= {report.ply for report in ruling.plies}
    assert any("limit" in str(text) for text in explain(ruling).doubts)


def test_before_the_third_occurrence_nothing_is_ruled() -> None:
    board = CASES["cxa2020-c8-02"].play_until(2)
    ruling = Referee(CXA).judge(board)
    assert ruling.verdict is Verdict.UNDECIDED
    assert ruling.window is None
    assert ruling.conduct == {RED: None, BLACK: None}
    assert Referee(CXA).judge_cycle(board).verdict is Verdict.UNDECIDED


def test_threats_that_do_not_count_have_reasons() -> None:
    """In both languages, for every reason in the cases."""
    text = ""
    for case in CASES.values():
        ruling = Referee(CXA).judge(case.play_until(3))
        text += format_ruling(ruling)
        assert format_ruling(ruling, Voice("zh"))
    for why in (
        "threatens mate: ",
        "wins the black chariot",
        "no strike, as the threat stood before the move",
        "no strike, as the general steps out of check",
        "no strike, as generals and soldiers may attack by themselves",
        "no strike, as the last attacking piece defends",
        "no strike, as the opponent's own last move made it",
        "no strike, as more would be lost elsewhere",
    ):
        assert why in text, why
