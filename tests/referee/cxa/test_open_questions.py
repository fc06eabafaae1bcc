"""Questions that no available text settles: the first 25 rounds, and threats of mate that stood."""

from __future__ import annotations

import dataclasses

import pytest

from tests.oracle.cxa import CXA2020, Edition, judge
from xiangqi import BLACK, Board, Outcome, Referee, Termination, Verdict
from xiangqi.casebook.cases import find_case_folder, load_cases
from xiangqi.casebook.random_cycles import record_of_board
from xiangqi.referee.explanation import explain, format_ruling
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.referee.ruling import Mark
from xiangqi.words.voice import Voice

CXA = find_rule_set("cxa2020")
RED_CHANGES = CXA.replace({"first_rounds": "red_changes"})
EDITION = dataclasses.replace(CXA2020, first_rounds=True)
CYCLE = "b0c2 b9c7 c2b0 c7b9".split()
ELSEWHERE = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w - - 0 1"


def play(times: int, lead: str = "", fen: str | None = None) -> Board:
    board = Board() if fen is None else Board(fen)
    for move in [*lead.split(), *CYCLE * times]:
        board.push_iccs(move)
    return board


def verdicts(board: Board, rules: RuleSet, edition: Edition) -> set[str]:
    """Verdicts of the referee, with and without evidence, and of the oracle."""
    game = record_of_board(board)
    referee = Referee(rules)
    return {
        referee.judge(board).verdict.value,
        referee.judge_cycle(board).verdict.value,
        judge(game.fen, game.moves, edition).verdict,
    }


@pytest.mark.parametrize(
    ("board", "verdict"),
    [
        (play(2), "black_wins"),
        (play(12), "black_wins"),
        (play(12, "a0a1 a9a8"), "black_wins"),  # 50 plies
        (play(13), "draw"),
        (play(2, fen=ELSEWHERE), "draw"),
    ],
    ids=["early", "48 plies", "50 plies", "52 plies", "another position"],
)
def test_red_changes_in_the_first_rounds(board: Board, verdict: str) -> None:
    assert verdicts(board, RED_CHANGES, EDITION) == {verdict}
    assert verdicts(board, CXA, CXA2020) == {"draw"}
    questions = Referee(CXA).judge(board).questions
    assert ("first_rounds" in questions) == (verdict != "draw")


def test_rule_of_the_first_rounds_is_reported() -> None:
    board = play(2)
    ruling = Referee(RED_CHANGES).judge(board)
    assert str(explain(ruling).verdict) == "Red must change, or loses"
    assert "in the first 25 rounds of a game Red has to change" in format_ruling(ruling)
    assert "25回合" in format_ruling(ruling, Voice("zh"))
    doubts = list(map(str, explain(Referee(CXA).judge(board)).doubts))
    assert any("in the first 25 rounds" in line for line in doubts)


def test_the_game_ends_at_the_next_occurrence() -> None:
    assert play(2).outcome(RED_CHANGES) is None
    assert play(3).outcome(RED_CHANGES) == Outcome(Termination.REPETITION, BLACK)
    assert play(2).outcome(CXA) == Outcome(Termination.REPETITION, None)


# Threats of mate that stood before the move


def test_a_printed_reply_to_check_is_a_kill_although_the_mate_stood() -> None:
    """Figure 19 of 2020; with ``new`` the reply b7d7 would only block."""
    case = next(
        case for case in load_cases([find_case_folder("cxa2020")]) if case.id == "cxa2020-c8-19"
    )
    board = case.play_until(3)
    ruling = Referee(CXA).judge(board)
    assert [report.mark for report in ruling.plies][3] is Mark.KILL
    assert "mate_threat" in ruling.questions
    other = Referee(CXA.replace({"mate_threat": "new"})).judge(board)
    assert [report.mark for report in other.plies][3] is Mark.BLOCK
    assert other.verdict is Verdict.BLACK_WINS
    text = format_ruling(other)
    assert "threatens mate: " in text
    assert "no strike" in text
