"""Checks of books, and playable moves of books."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from tests.support import books as support
from xiangqi import ALL_DRAWS, BLACK, CHECKS_ONLY, STARTING_FEN, WXF, Board, Move, RuleSet
from xiangqi.books import BookMove, open_book
from xiangqi.books.base import choose_move, is_playable, walk_book
from xiangqi.books.checking import BookReport, check_book

CHECKING = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
ROUND = "f0e0 e8f8 e0f0 f8e8"
"""Red checks, the general steps to and fro."""
OPENING = "h0g2 h9g7 i0i1 i9i8"
CHASE = "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 c6c5 b0b6 c7d5 h0g2 g9e7 h2i2 c5c4 b6b5 d5c7 b5b6"
"""Black's horse attacks the chariot by going to d5."""
HARMLESS = f"{OPENING} i1i0 i8i9 i0i1 i9i8"
"""Chariots go to and fro."""


def report_of(path: Path, rules: RuleSet = WXF) -> BookReport:
    report = BookReport()
    with open_book(path) as book:
        for _ in check_book(book, rules, report):
            pass
    return report


def board_after(fen: str, line: str) -> Board:
    board = Board(fen)
    for text in line.split():
        board.push_iccs(text)
    return board


def move(text: str, weight: int = 1) -> BookMove:
    return BookMove(Move.from_iccs(text), weight)


# Walking and checking


def test_every_position_is_met_once(tmp_path: Path) -> None:
    games = support.random_games(21, 40)
    path = support.write_book(tmp_path / "a.obk", games)
    images = set()
    for game in games:
        board = Board()
        for played in game.moves():
            images.add(min(f"{one.fen().split()[0]} {one.turn}" for one in (board, board.mirror())))
            board.push(played)
    met = []
    with open_book(path) as book:
        for visit in walk_book(book.find_all, Board()):
            one, other = visit.board, visit.board.mirror()
            met.append(min(f"{board.fen().split()[0]} {board.turn}" for board in (one, other)))
            assert not visit.illegal
            assert [found.move for found in visit.legal] == [
                found.move for found in book.find(visit.board)
            ]
        assert len(met) == len(set(met)) == len(images)
    report = report_of(path)
    assert report.is_sound
    assert report.positions == len(images)


def test_faults_are_reported(tmp_path: Path) -> None:
    key = support.key_of(Board())
    rows = [
        (key, support.code_of("h2e2"), -1, 1, 0, 0, 1, ""),
        (key, support.code_of("a0a5"), 1, 0, 0, 0, 1, ""),
        (key, support.code_of("c3c4"), 3, 0, -2, 0, 1, ""),
        (key ^ 1, support.code_of("c3c4"), 3, 0, 0, 0, 1, ""),
    ]
    report = report_of(support.write_table(tmp_path / "a.obk", rows))
    assert not report.is_sound
    assert report.faults == Counter(illegal=2, weight=2, counts=2)  # each of them mirrored, too
    text = "\n".join(report.lines())
    assert "a0a5: the red chariot on a0 cannot reach a5" in text
    assert "h2e2: weight -1, expected 0 or more" in text
    assert "c3c4: counts (0, -2, 0), expected 0 or more" in text
    assert "4 rows; from the beginning 4 moves in 1 position\n" in text


def test_repetitions_are_ruled_as_the_rules_rule_them(tmp_path: Path) -> None:
    """A line of tournament games in which a horse chases a chariot, and one in which nothing is."""
    harmless = support.line_book(tmp_path / "a.obk", [HARMLESS])
    assert report_of(harmless).repetitions == Counter(drawn=1)
    chasing = support.line_book(tmp_path / "b.obk", [f"{CHASE} c7d5"])
    assert report_of(chasing).repetitions == Counter(lost=1)
    assert report_of(chasing, ALL_DRAWS).repetitions == Counter(drawn=1)
    assert report_of(chasing, CHECKS_ONLY).repetitions == Counter(drawn=1)


# Playing


def test_a_move_back_to_a_position_of_the_game_is_not_playable() -> None:
    assert is_playable(Board(CHECKING), move("f0e0"), WXF)
    assert not is_playable(board_after(CHECKING, ROUND), move("f0e0"), WXF)


def test_a_move_with_which_the_reply_would_be_ruled_against_its_player_is_not_playable() -> None:
    """The general goes back to e8, and Red, who has done nothing but check, has lost by it."""
    board = board_after(CHECKING, "f0e0 e8f8")
    twice = WXF.replace({"occurrences": 2})
    after = board_after(CHECKING, ROUND).outcome(twice)
    assert after is not None
    assert after.winner == BLACK
    assert not is_playable(board, move("e0f0"), twice)
    assert is_playable(board, move("e0f0"), WXF)
    assert is_playable(board, move("e0f0"), ALL_DRAWS.replace({"occurrences": 2}))


def test_a_move_that_is_ruled_at_once() -> None:
    begun = board_after(CHECKING, "f0e0").fen()
    late = board_after(begun, "e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8")
    assert not is_playable(late, move("f0e0"), WXF)  # it loses
    begun = board_after(CHECKING, "f0e0 e8f8").fen()
    late = board_after(begun, "e0f0 f8e8 f0e0 e8f8 e0f0 f8e8 f0e0")
    assert is_playable(late, move("e8f8"), WXF)  # it wins


def test_a_draw_is_left_to_the_search() -> None:
    late = board_after(STARTING_FEN, f"{OPENING} i1i0 i8i9 i0i1 i9i8 i1i0 i8i9 i0i1")
    assert not is_playable(late, move("i9i8"), WXF)
    assert is_playable(late, move("h7h6"), WXF)


def test_mate_may_be_played() -> None:
    board = Board("3k5/1R7/9/8p/9/9/9/9/R8/4K4 w - - 119 100")
    assert is_playable(board, move("a1a9"), WXF)
    assert not is_playable(board, move("a1a2"), WXF)  # a draw by the limit


def test_moves_are_chosen_by_weight() -> None:
    moves = [move("h2e2", 3), move("c3c4", 1), move("g3g4", 0), move("b0c2", -5)]
    chosen: Counter[str] = Counter()
    random = Random(1)
    for _ in range(4000):
        found = choose_move(moves, random)
        assert found is not None
        chosen[found.move.iccs()] += 1
    assert set(chosen) == {"h2e2", "c3c4"}
    assert 2.6 < chosen["h2e2"] / chosen["c3c4"] < 3.4
    assert choose_move(moves[2:], random) is None
    same = [choose_move(moves, Random(7)) for _ in range(3)]
    assert same[0] == same[1] == same[2]
