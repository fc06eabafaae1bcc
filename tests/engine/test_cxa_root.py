"""The engine under rules that the search does not support: the referee filters the root moves."""

import pytest

from xiangqi.casebook.cases import find_case, find_case_folder, load_cases
from xiangqi.engine import Engine, Limits
from xiangqi.referee.outcome import losing_repetitions
from xiangqi.referee.rules import WXF, find_rule_set

CXA = find_rule_set("cxa2020")


@pytest.mark.parametrize("name", ["cxa2020-c8-07", "cxa2020-c8-23", "cxa2020-c9-49"])
def test_no_root_move_loses_by_the_rules(name: str) -> None:
    """Cases that are draws under the search's rules, but losses under the full rules."""
    case = find_case(name, load_cases([find_case_folder("cxa2020")]))
    board = case.record(rounds=2, phase=1).play()
    board.pop()
    losing = list(losing_repetitions(board, CXA))
    assert losing
    assert not set(losing) & set(losing_repetitions(board, WXF))
    engine = Engine()
    engine.set_option("repetition", "cxa2020")
    (other,) = [move for move in board.legal_moves if move not in losing][:1]
    limits = Limits(depth=1, moves=(losing[0], other))
    assert engine.play(board, limits).best == other
