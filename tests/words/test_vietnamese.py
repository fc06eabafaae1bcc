"""Vietnamese notation, coordinates from the side of Black, and further forms of WXF notation."""

from __future__ import annotations

import io
import random
import unicodedata

import pytest

from xiangqi import Board, Move
from xiangqi.casebook.random_cycles import random_sparse
from xiangqi.games.formats import read_games
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game
from xiangqi.ground.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from xiangqi.notation import (
    choose_style,
    format_coordinates,
    format_vietnamese,
    guess_rank_bases,
    is_vietnamese,
    parse_coordinates,
    parse_move,
    parse_vietnamese,
)

WORDS = {
    "Tg": "Tướng", "S": "Sĩ", "T": "Tượng", "X": "Xe", "P": "Pháo", "M": "Mã", "B": "Tốt",
    "t": "trước", "g": "giữa", "s": "sau", ".": "tiến", "-": "bình", "/": "thoái",
}  # fmt: skip
GAME = """1. P2-5 M8.7
2. M2.3 X9-8
3. X1-2 M2.3
4. B7.1 B7.1
5. X2.6 P8-9
6. X2-3 P9/1
"""


def in_words(text: str) -> str:
    """A move in words: Pt.5 is Pháo trước tiến 5."""
    letter = "Tg" if text.startswith("Tg") else text[0]
    return " ".join([WORDS[letter], *(WORDS.get(sign, sign) for sign in text[len(letter) :])])


def random_boards(seed: int, count: int) -> list[Board]:
    rng = random.Random(seed)
    boards = []
    for _ in range(count):
        board = Board()
        for _ in range(rng.randrange(60)):
            moves = sorted(board.legal_moves, key=Move.iccs)
            if not moves:
                break
            board.push(rng.choice(moves))
        boards.append(board)
    return boards


@pytest.mark.parametrize("seed", range(3))
def test_every_legal_move_is_read_back(seed: int) -> None:
    rng = random.Random(seed)
    boards = [*random_boards(seed, 60), *(random_sparse(rng) for _ in range(60))]
    for board in boards:
        for move in board.legal_moves:
            text = format_vietnamese(board, move)
            assert is_vietnamese(text)
            assert parse_vietnamese(board, text) == move, (board.fen(), text)
            assert parse_vietnamese(board, text.lower()) == move
            if not text[1:2].isdigit() or not text[2:3].isdigit():
                assert parse_move(board, in_words(text), style="vietnamese") == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("P2-5", "h2e2"), ("Pháo 2 bình 5", "h2e2"), ("phao 2 binh 5", "h2e2"),
        ("PHÁO 2 BÌNH 5", "h2e2"), (unicodedata.normalize("NFD", "Pháo 2 bình 5"), "h2e2"),
        ("Mã 2 tấn 3", "h0g2"), ("M2.3", "h0g2"),
        ("Mã 2 tiến 3", "h0g2"), ("C7.1", "c3c4"), ("B7.1", "c3c4"),
        ("Binh 7 tiến 1", "c3c4"), ("Tượng 3 tiến 5", "g0e2"), ("tuong 3 tien 5", "g0e2"),
        ("Tướng 5 tiến 1", "e0e1"), ("tuong 5 tien 1", "e0e1"), ("Tg5.1", "e0e1"),
        ("S4.5", "f0e1"), ("Sĩ 4 tiến 5", "f0e1"),
        ("Pháo hai bình năm", "h2e2"), ("phao nhi binh ngu", "h2e2"), ("P2\u20135", "h2e2"),
        ("P2-5+", "h2e2"), ("M2.3!", "h0g2"), ("V3.5", "g0e2"), ("Xa 1 tiến 1", "i0i1"),
        ("Soái 5 tiến 1", "e0e1"), ("Mã tám tấn bảy", "b0c2"), ("ma tam tan bay", "b0c2"),
        ("Pháo2bình5", "h2e2"),
    ],
)  # fmt: skip
def test_forms_of_a_move(text: str, move: str) -> None:
    assert parse_vietnamese(Board(), text).iccs() == move


SOLDIERS = "5k3/9/4P4/3P5/4P4/9/9/9/9/4K4 w"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Tốt trước bình 4", "e7f7"), ("Tiền tốt bình 4", "e7f7"), ("tien tot binh 4", "e7f7"),
        ("Hậu tốt bình 6", "e5d5"), ("tot sau binh 6", "e5d5"), ("Tốt sáu bình năm", "d6e6"),
        ("Tốt sau tiến 1", "e5e6"),
    ],
)  # fmt: skip
def test_front_and_rear_in_words(text: str, move: str) -> None:
    assert parse_vietnamese(Board(SOLDIERS), text).iccs() == move


def test_sau_without_diacritics_is_rear_or_six() -> None:
    with pytest.raises(AmbiguousMoveError, match="e5e6, d6d7"):
        parse_vietnamese(Board(SOLDIERS), "tot sau tien 1")


def test_words_run_together_are_split() -> None:
    (game,) = read_games(io.StringIO("1. Pháo 2 bình 5Mã 8 tấn 7 2. Mã 2 tấn 3Xe 9 bình 8"))
    assert [move.iccs() for move in game.moves()] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert not game.errors


def test_a_fault_in_words_keeps_the_moves_before_it() -> None:
    text = '[Red "A"]\n\n1. Pháo 2 bình 5 Mã 8 tấn 7 2. Mã 2 tấn 9 *\n'
    (game,) = read_games(io.StringIO(text))
    assert [move.iccs() for move in game.moves()] == ["h2e2", "h9g7"]
    assert len(game.errors) == 1


def test_a_game_that_fits_both_notations_is_reported() -> None:
    text = '[FEN "3k5/9/9/9/5P3/9/9/9/9/4KC3 w"]\n{more}\n1. P4.3 d9d8 *\n'
    (game,) = read_games(io.StringIO(text.format(more="")))
    assert [move.iccs() for move in game.moves()] == ["f5g5", "d9d8"]
    assert [error.reason for error in game.errors] == [
        "the moves can be played as WXF and as Vietnamese notation; read as wxf"
    ]
    for name, first in (("WXF", "f5g5"), ("Vietnamese", "f0f3")):
        (game,) = read_games(io.StringIO(text.format(more=f'[Format "{name}"]\n')))
        assert game.moves()[0].iccs() == first
        assert not game.errors


def test_faults_are_reported() -> None:
    with pytest.raises(InvalidMoveError, match="Vietnamese notation"):
        parse_vietnamese(Board(), "H2.3")
    with pytest.raises(IllegalMoveError):
        parse_vietnamese(Board(), "X1.5")


def test_a_game_decides_what_its_signs_mean() -> None:
    assert choose_style(Board(), ["P2-5", "M8.7"]) == "vietnamese"
    assert choose_style(Board(), ["C2.5", "H8+7"]) == "wxf"
    assert choose_style(Board(), ["C2.5", "C8.5"]) == "wxf"
    assert choose_style(Board(), ["P2-5", "P8-5"]) == "vietnamese"
    assert choose_style(Board(), ["P2-5"]) == "wxf"
    assert parse_move(Board(), "C2.5").iccs() == "h2e2"


def moves_in(text: str) -> list[str]:
    (game,) = read_games(io.BytesIO(text.encode()))
    assert game.errors == []
    moves = [move.iccs() for move in game.moves()]
    assert [move.iccs() for move in read_pasted(text).game.moves()] == moves
    return moves


def test_texts_and_pgn_are_read() -> None:
    expected = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8".split()
    assert moves_in(GAME) == expected
    assert moves_in(f'[Event "x"]\n\n{GAME}') == expected
    words = "\n".join(
        " ".join(word if word.endswith(".") else in_words(word) for word in line.split())
        for line in GAME.splitlines()
    )
    assert moves_in(words) == expected


def test_the_header_of_a_file_decides() -> None:
    """With one soldier behind another both meanings can be played."""
    board = Board("9/3k5/9/4P4/9/9/9/9/4C4/5K3 w")
    move = Move.from_iccs("e1e5")
    board.push(move)
    text = Game.from_board(board).pgn("vietnamese")
    assert "P5.4" in text
    assert moves_in(text) == ["e1e5"]


def test_moves_may_run_together() -> None:
    assert moves_in("1.P2-5M8.7\n2.M2.3X9-8\n") == ["h2e2", "h9g7", "h0g2", "i9h9"]


# Coordinates


def test_ranks_from_the_side_of_black() -> None:
    assert parse_coordinates("h7e7", 9).iccs() == "h2e2"
    assert format_coordinates(Move.from_iccs("h2e2"), 9) == "h7e7"
    assert guess_rank_bases(Board(), ["h7e7", "h0g2", "h9g7"]) == (9,)
    for board in random_boards(5, 40):
        texts = [format_coordinates(move, 9) for move in board.move_stack]
        if len(texts) > 3:
            found = moves_in('[Event "x"]\n\n' + " ".join(texts) + "\n")
            assert found == [move.iccs() for move in board.move_stack]


# WXF


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        ("4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/5K3 w", "-4+1", "f6f7"),
        ("4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/5K3 w", "+6=5", "d8e8"),
        ("5k3/9/9/4C4/9/9/9/9/4C4/4K4 w", "fC+2", "e6e8"),
        ("5k3/9/9/4C4/9/9/9/9/4C4/4K4 w", "bC=7", "e1c1"),
        ("5k3/9/9/4C4/9/9/9/9/4C4/4K4 w", "rC=7", "e1c1"),
        ("3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w", "mP=4", "e7f7"),
    ],
)
def test_further_forms_of_wxf_notation(fen: str, text: str, move: str) -> None:
    assert parse_move(Board(fen), text).iccs() == move


@pytest.mark.parametrize("text", ["馬8進9999", "马8进78", "炮二平五5"])
def test_a_tail_is_not_cut_off(text: str) -> None:
    (game,) = read_games(io.BytesIO(f"1. 炮二平五 {text} 2. 马二进三\n".encode()))
    assert [move.iccs() for move in game.moves()] == ["h2e2"]
    assert game.errors[0].text == text
