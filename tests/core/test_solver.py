"""Mate by checks alone, and what captures and checks win: against exhaustive searches, by hand."""

import random
from typing import TypedDict

import pytest

from tests.oracle.gains import Question, gain_of
from tests.oracle.game import BLACK as BLACK_SIDE
from tests.oracle.game import RED as RED_SIDE
from tests.oracle.mates import moves_to_mate
from tests.oracle.tactics import letters_of, move_number
from tests.support.helpers import oracle_position, played_fens, playout, wild_boards, wild_fens
from xiangqi import BLACK, RED, Board
from xiangqi.core.move import Move
from xiangqi.core.solver import MAX_BANNED, MAX_CHECKS, MAX_PLIES, find_check_mate, find_gains

ENOUGH = 1_000_000


def check_line(board: Board, line: tuple[Move, ...]) -> None:
    """Checks and replies by turns, the last move mates, and no position comes back."""
    seen = set()
    for i, move in enumerate(line):
        board.push(move)
        assert board.is_check() or i % 2 == 1
        assert board.key not in seen
        seen.add(board.key)
    assert board.is_check()
    assert not board.has_legal_move()


def compare(board: Board, most: int) -> int | None:
    """The solver and the oracle find the same number of checks, and the line has it."""
    expected = moves_to_mate(oracle_position(board), most, by_checks=True)
    line, settled, nodes = find_check_mate(board, most, ENOUGH)
    assert settled
    assert nodes <= ENOUGH
    assert (None if line is None else (len(line) + 1) // 2) == expected, board.fen()
    if line is not None:
        check_line(board.copy(), line)
    return expected


def test_mates_in_wild_positions() -> None:
    """Crowds around the kings, where checks abound."""
    rng = random.Random(7)
    found = [compare(board, 2) for board, _ in zip(wild_boards(rng), range(100), strict=False)]
    assert found.count(1) > 5
    assert 2 in found
    assert found.count(None) > 20


def test_mates_in_games() -> None:
    """Positions near the ends of random games."""
    found = []
    for seed in range(8):
        boards = [board.copy() for board in playout(random.Random(seed), 300)]
        found += [compare(board, 2) for board in boards[-5:]]
    assert {None, 1} <= set(found)


def test_the_other_side_passes() -> None:
    """Red's cannon steps aside, and would mate in four from the last rank (figure 7)."""
    board = Board("2bak1c2/4aRN1r/4b4/9/9/9/3pp4/2n1B4/9/2B1K2C1 b")
    line, settled, _ = find_check_mate(board, 8, ENOUGH, RED)
    assert settled
    assert line is not None
    assert " ".join(move.iccs() for move in line) == "h0h9 e8f9 f8f9 e9e8 g8f6 e8d8 f9d9"
    assert find_check_mate(board, 3, ENOUGH, RED)[:2] == (None, True)
    # Without its first move there is none.
    assert find_check_mate(board, 8, ENOUGH, RED, [line[0]])[:2] == (None, True)


def test_a_side_in_check_cannot_pass() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/4R4/3K5 b")
    with pytest.raises(ValueError, match="cannot pass"):
        find_check_mate(board, 3, ENOUGH, RED)
    with pytest.raises(ValueError, match="cannot pass"):
        find_gains(board, RED, ENOUGH)


def test_a_limit_is_reported() -> None:
    """Fewer nodes than it takes: not settled, and no more nodes than allowed, give or take the
    checks of one position."""
    rng = random.Random(3)
    stopped = 0
    for board, _ in zip(wild_boards(rng), range(60), strict=False):
        line, settled, nodes = find_check_mate(board, 6, 200)
        assert settled or line is None
        assert nodes < 200 + 256 or line is not None
        stopped += not settled
        if settled:
            assert (line is None) == (find_check_mate(board, 6, ENOUGH)[0] is None)
    assert 0 < stopped < 60


def test_solving_for_either_side_leaves_the_board() -> None:
    """Both sides can be solved on one board, which stays as it is."""
    board = Board()
    for color in (RED, BLACK):
        assert find_check_mate(board, 4, ENOUGH, color)[:2] == (None, True)
    assert board == Board()


@pytest.mark.parametrize("max_checks", [0, -1, MAX_CHECKS + 1])
def test_numbers_that_make_no_sense(max_checks: int) -> None:
    with pytest.raises(ValueError, match="invalid max_checks"):
        find_check_mate(Board(), max_checks, ENOUGH)


class Options(TypedDict, total=False):
    alone: bool
    local: bool
    idle: int
    aims: frozenset[int]


def compare_gains(fen: str, options: Options, rng: random.Random) -> list[int]:
    """Gains of a position's captures and checks equal the oracle's, move by move."""
    board = Board(fen)
    gains, settled, _ = find_gains(
        board, board.turn, ENOUGH, plies=4, check_plies=2, least=-20_000, **options
    )
    side = RED_SIDE if board.turn else BLACK_SIDE
    question = Question(side, 4, 2, **options)
    assert settled
    for move, score, line in rng.sample(gains, min(len(gains), 2)):
        assert line[0] == move
        letters = letters_of(oracle_position(board))
        assert score == gain_of(letters, move_number(move.iccs()), question), (fen, move)
    return [score for _, score, _ in gains]


ANY_OF_BLACKS_HOME = frozenset(range(72, 90))
QUESTIONS: list[Options] = [
    {},
    {"alone": True},
    {"local": True},
    {"idle": 22},
    {"aims": ANY_OF_BLACKS_HOME},
]


@pytest.mark.parametrize("options", QUESTIONS, ids=str)
def test_gains_in_games(options: Options) -> None:
    """Against the oracle, with each question."""
    rng = random.Random(2)
    scores = []
    for fen in played_fens(seed=9, games=4)[::20]:
        scores += compare_gains(fen, options, rng)
    for fen in wild_fens(seed=9, count=12):
        scores += compare_gains(fen, options, rng)
    # Else the sample would prove little: wins, losses and even trades.
    assert min(scores) <= -200
    assert max(scores) >= 400
    assert any(-20 < score < 20 for score in scores)


def gains_by_name(fen: str, **options: object) -> dict[str, int]:
    board = Board(fen)
    gains, settled, _ = find_gains(board, board.turn, ENOUGH, **options)  # type: ignore[arg-type]
    assert settled
    return {move.iccs(): score for move, score, _ in gains}


def test_accounts_by_hand() -> None:
    # A chariot may not take a horse that an elephant protects, even where another follows.
    one = "3k5/9/4b4/9/2n6/9/9/9/2R6/4K4 w"
    assert gains_by_name(one)["c1c5"] <= -50
    two = "3k1a3/9/4b4/9/2n6/9/9/2R6/2R6/5K3 w"
    assert gains_by_name(two)["c2c5"] <= -50  # the first is worth more than horse and elephant
    # The elephant is pinned between the generals.
    assert gains_by_name(one.replace("3k5", "4k4"))["c1c5"] == 200
    # A cannon for a protected chariot.
    cannon = "3k5/9/9/9/1nr6/9/2P6/9/2C6/4K4 w"
    assert gains_by_name(cannon)["c1c5"] == 400
    # The general takes nothing by itself.
    assert "e0e1" in gains_by_name("3k5/9/9/9/9/9/9/9/4n4/4K4 w")


def test_soldiers_float() -> None:
    """A crossed soldier is even against a horse, less than a chariot, and counts by itself."""
    assert gains_by_name("3k5/9/9/9/p8/9/9/9/R8/4K4 w")["a1a5"] == 0  # not crossed
    assert gains_by_name("3k5/9/9/9/9/p8/9/9/R8/4K4 w")["a1a4"] == 30


def test_moves_that_are_left_out() -> None:
    fen = "4ka3/4a4/9/9/n8/9/9/9/R8/3K5 w"
    assert gains_by_name(fen) == {"a1a5": 200}  # and no check
    assert gains_by_name(fen, moves=[Move.from_iccs("a1i1")]) == {}
    assert gains_by_name(fen, banned=[Move.from_iccs("a1a5")]) == {}
    # A protected horse is won by a horse and the chariot behind it.
    pair = "4ka3/9/9/1n7/3n5/9/4N4/9/3R5/5K3 w"
    assert gains_by_name(pair)["e3d5"] == 200
    assert gains_by_name(pair, alone=True)["e3d5"] == 0
    assert gains_by_name(pair, idle=12)["e3d5"] == 0


def test_numbers_of_gains_that_make_no_sense() -> None:
    board = Board()
    for options in ({"plies": 0}, {"plies": MAX_PLIES + 1}, {"check_plies": -1}, {"idle": 90}):
        with pytest.raises(ValueError, match=f"invalid {next(iter(options))}"):
            find_gains(board, RED, ENOUGH, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="invalid node_limit"):
        find_gains(board, RED, 0)
    with pytest.raises(ValueError, match="too many banned"):
        find_gains(board, RED, 1, banned=[Move(0, 1)] * (MAX_BANNED + 1))
