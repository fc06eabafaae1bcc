"""Demands and offers of the rules of repetition."""

from __future__ import annotations

import pytest

from xiangqi import BLACK, CHECKS_ONLY, RED, RULE_SETS, WXF, Board, Move, RuleSet
from xiangqi.analysis.knowledge import Demand, DemandKind, Played, find_demands, find_returns

CHECK = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
"""Red checks to and fro, Black's general steps."""
BLOCKED = "9/4k4/9/9/8r/9/9/9/2p6/3K1RBc1 w"
"""The same, and Black has a chariot to put between."""
CYCLE = "f0e0 e8f8 e0f0 f8e8".split()
SHUFFLE = "a0a1 a9a8 a1a0 a8a9".split()
"""Chariots to and fro: idle on both sides."""


def play(fen: str, moves: list[str]) -> Board:
    board = Board(fen)
    for move in moves:
        board.push_iccs(move)
    return board


def demands(
    fen: str,
    moves: list[str],
    rules: RuleSet = WXF,
    before: float = 0.5,
    after: float = 0.5,
    *,
    is_best: bool = False,
) -> list[Demand]:
    board = play(fen, moves)
    returns = find_returns(play(fen, moves[:-1]), rules)
    played = Played(board, board.outcome(rules), before, after, is_best)
    return find_demands(played, returns, rules)


def kinds(*args: object, **more: object) -> list[DemandKind]:
    return [demand.kind for demand in demands(*args, **more)]  # type: ignore[arg-type]


START = Board().fen()


def test_offender_that_repeats_must_change() -> None:
    """The position after five plies has come back; only Red's conduct is forbidden."""
    (demand,) = demands(CHECK, (CYCLE * 2)[:5])
    assert (demand.kind, demand.side) == (DemandKind.MUST_CHANGE, RED)
    assert demand.ruling is not None
    assert demand.ruling.offender == RED
    assert kinds(CHECK, (CYCLE * 2)[:6]) == []  # Black only steps out of check
    assert kinds(CHECK, (CYCLE * 2)[:3]) == []  # nothing has come back yet
    assert kinds(CHECK, (CYCLE * 2)[:5], RULE_SETS["all-draws"]) == []


def test_the_game_is_over_by_rule() -> None:
    (demand,) = demands(CHECK, CYCLE * 2)
    assert (demand.kind, demand.side) == (DemandKind.DECIDED, BLACK)
    fen = Board(CHECK).fen()
    lost = play(fen, CYCLE[:1]).fen()  # the same, where Red's move completes it
    (demand,) = demands(lost, (CYCLE[1:] + CYCLE[:1]) * 2)
    assert (demand.kind, demand.side) == (DemandKind.LOST, RED)


def test_better_side_that_repeats_lets_the_draw_stand() -> None:
    moves = SHUFFLE * 2
    assert kinds(START, moves, before=0.8) == [DemandKind.LET_STAND]
    assert kinds(START, moves, before=0.6) == [DemandKind.DECIDED]
    assert kinds(START, moves, before=0.8, is_best=True) == [DemandKind.DECIDED]


def test_a_draw_that_was_there() -> None:
    moves = [*(SHUFFLE * 2)[:-1], "i9i8"]
    (demand,) = demands(START, moves, before=0.5, after=0.2)
    assert demand.kind is DemandKind.DRAW_MISSED
    assert demand.move == Move.from_iccs("a8a9")
    assert kinds(START, moves, before=0.5, after=0.5) == []


def test_a_win_that_was_there() -> None:
    moves = [*(CYCLE * 2)[:-1], "i5f5"]
    (demand,) = demands(BLOCKED, moves)
    assert (demand.kind, demand.side, demand.move) == (
        DemandKind.WIN_MISSED,
        BLACK,
        Move.from_iccs("f8e8"),
    )
    assert kinds(BLOCKED, moves, RULE_SETS["all-draws"]) == []


def test_a_cycle_that_need_not_be_left() -> None:
    """Black may go on, since only Red has to change; another move loses."""
    moves = [*(CYCLE * 2)[:3], "i5f5"]
    (demand,) = demands(BLOCKED, moves, before=0.9, after=0.5)
    assert (demand.kind, demand.move) == (DemandKind.GAVE_WAY, Move.from_iccs("f8e8"))
    assert kinds(BLOCKED, moves, before=0.9, after=0.88) == []


def test_returning_moves_are_found_with_their_rulings() -> None:
    board = play(CHECK, (CYCLE * 2)[:-1])
    fen = board.fen()
    returns = find_returns(board, WXF)
    assert returns.wins == (Move.from_iccs("f8e8"),)
    assert not returns.draws
    assert board.fen() == fen
    assert find_returns(board, RULE_SETS["all-draws"]).draws == returns.wins
    assert find_returns(play(CHECK, CYCLE[:-1]), WXF).pressing == returns.wins
    assert find_returns(Board(), CHECKS_ONLY) == ((), (), ())


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_can_be_asked(name: str) -> None:
    rules = RULE_SETS[name]
    for fen, cycle in ((CHECK, CYCLE), (START, SHUFFLE)):
        for length in range(1, 9):
            for demand in demands(fen, (cycle * 2)[:length], rules, 0.8, 0.2):
                assert demand.kind in DemandKind
