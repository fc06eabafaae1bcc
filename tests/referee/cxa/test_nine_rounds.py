"""Nine rounds of forbidden moves without a repetition."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.oracle.cxa import must_change_after_nine_rounds
from xiangqi import BLACK, RED, WXF, Board, Move, Piece, PositionError, Referee, Verdict
from xiangqi.casebook.random_cycles import random_square, record_of_board
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.pieces import COLOR_NAMES, Color
from xiangqi.pieces.fen import Setup
from xiangqi.referee.cxa.judging import ROUNDS, find_nine_round_offenders
from xiangqi.referee.explanation import explain, format_reason, format_ruling
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.words.voice import Voice

CXA = find_rule_set("cxa2020")
TWO_CHARIOTS = "4k4/9/9/9/9/9/9/9/9/R2K1R3 w - - 0 1"
CHASED_ABOUT = (
    "f0f9 e9e8 f9f8 e8e7 f8f7 e7e8 f7e7 e8f8 a0a8 f8f9 a8a9 f9f8 e7e8 f8f7 e8f8 f7e7 f8f7 e7e8"
).split()
"""Nine checks by two chariots without a repetition."""
ALONE = (RED,)
GAMES = 120


def play(moves: list[str], fen: str = TWO_CHARIOTS) -> Board:
    board = Board(fen)
    for move in moves:
        board.push_iccs(move)
    return board


@pytest.mark.parametrize(
    ("moves", "rules", "nine_round_offenders"),
    [
        (CHASED_ABOUT, CXA, ALONE),
        (CHASED_ABOUT[:-1], CXA, ()),
        (CHASED_ABOUT, find_rule_set("cxa1999"), ()),
        (CHASED_ABOUT, CXA.replace({"nine_rounds": "none"}), ()),
        (CHASED_ABOUT, WXF, ()),
        (["f0f1", "e9e8", "f1f8", "e8e7", *CHASED_ABOUT[4:]], CXA, ()),  # the first is no check
    ],
)
def test_nine_rounds_of_offences_must_change(
    moves: list[str], rules: RuleSet, nine_round_offenders: tuple[Color, ...]
) -> None:
    ruling = Referee(rules).judge(play(moves))
    assert ruling.nine_round_offenders == nine_round_offenders
    assert ruling.verdict is (Verdict.BLACK_WINS if nine_round_offenders else Verdict.UNDECIDED)
    assert len(ruling.plies) == (2 * ROUNDS if nine_round_offenders else 0)


def test_the_other_side_has_to_change_too() -> None:
    board = play(CHASED_ABOUT).flip_colors()
    ruling = Referee(CXA).judge(board)
    assert ruling.nine_round_offenders == (BLACK,)
    assert ruling_to_dict(ruling)["nine_round_offenders"] == ["black"]


def test_between_two_points_nothing_is_ordered() -> None:
    """Checks between two squares repeat positions, which are ruled on anyway."""
    fen = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
    ruling = Referee(CXA).judge(play("f0e0 e8f8 e0f0 f8e8".split() * 5, fen))
    assert (ruling.verdict, ruling.nine_round_offenders) == (Verdict.BLACK_WINS, ())


def test_a_capture_begins_anew() -> None:
    fen = "4k4/9/9/9/9/9/9/9/p8/R2K1R3 w - - 0 1"
    board = play(["a0a1", "e9e8", "a1a0", "e8e9", *CHASED_ABOUT[:-4]], fen)
    assert Referee(CXA).judge(board).nine_round_offenders == ()


def test_nine_rounds_are_reported_and_end_no_game() -> None:
    board = play(CHASED_ABOUT)
    ruling = Referee(CXA).judge(board)
    assert "Red has made nothing but forbidden moves for nine rounds" in format_reason(ruling)
    assert "红方连续九回合均为禁止着法" in format_reason(ruling, Voice("zh"))
    assert str(explain(ruling).verdict) == "Red must change, or loses"
    assert "No position was repeated" in format_ruling(ruling)
    assert "局面未重复" in format_ruling(ruling, Voice("zh"))
    assert board.outcome(CXA) is None


# Beside the oracle

MEN = ("KRRkab", "KRCkp", "KRRNka", "KRNkn")


def random_start(rng: Random) -> Board:
    """Random position with Red to move."""
    while True:
        men = [Piece.from_symbol(letter) for letter in rng.choice(MEN)]
        pieces = {random_square(piece, rng): piece for piece in men}
        try:
            return Board(Setup.from_piece_map(pieces, RED))
        except PositionError:
            continue


def checking_game(rng: Random) -> Board:
    """Random game in which Red mostly checks, without mates and with few captures."""
    board = random_start(rng)
    for ply in range(2 * ROUNDS + rng.randrange(3)):
        moves = [move for move in board.legal_moves if not ends_game(board, move)]
        quiet = [move for move in moves if not board.is_capture(move)]
        checks = [move for move in quiet if board.gives_check(move)]
        wanted = checks if ply % 2 == 0 and rng.random() < 0.99 else quiet
        chosen = wanted or quiet or moves
        if not chosen:
            break
        board.push(rng.choice(chosen))
    return board


def ends_game(board: Board, move: Move) -> bool:
    after = board.copy()
    after.push_unchecked(move)
    return not after.has_legal_move()


def test_the_oracle_agrees() -> None:
    """With chases and kills among the checks; every other game with colours exchanged."""
    rng = Random(9)
    found: Counter[tuple[Color, ...]] = Counter()
    for number in range(GAMES):
        board = checking_game(rng)
        if number % 2:
            board = board.flip_colors()
        nine_round_offenders = find_nine_round_offenders(board, CXA)
        game = record_of_board(board)
        expected = must_change_after_nine_rounds(game.fen, game.moves)
        assert {COLOR_NAMES[color] for color in nine_round_offenders} == expected, game
        found[nine_round_offenders] += 1
    assert min(found[()], found[RED,], found[BLACK,]) > GAMES // 20
