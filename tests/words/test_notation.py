"""Notation: each row of the styles' table by hand, round trips, and pyffish where it is there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import pytest

from tests.support.game_trees import real_games
from tests.support.helpers import played_fens, wild_fens
from xiangqi import (
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    STARTING_FEN,
    AmbiguousMoveError,
    Board,
    IllegalMoveError,
    InvalidMoveError,
    MissingPieceError,
    Move,
    Piece,
    PositionError,
    Setup,
    Square,
)
from xiangqi.notation import (
    WXF_STYLES,
    WxfStyle,
    format_coordinates,
    format_iccs,
    format_san,
    guess_rank_base,
    match_move,
    parse_coordinates,
    parse_move,
    parse_san,
)
from xiangqi.pieces import COLORS, square, square_name

# Positions


def board_of(pieces: str, turn: str = "w") -> Board:
    """A board with pieces by their squares: "Pe6 Ke0"."""
    placed = {}
    for word in pieces.split():
        piece = Piece.from_symbol(word[0])
        placed[square("abcdefghi".index(word[1]), int(word[2]))] = piece
    return Board(Setup.from_piece_map(placed, turn == "w"))


KINGS = "Kd0 kf9"


def tandem_boards(rng: random.Random) -> Iterator[Board]:
    """Positions without end with many soldiers, chariots, cannons and horses on few files."""
    while True:
        placed: dict[Square, Piece] = {
            square(rng.choice((3, 4, 5)), 0): Piece(KING, RED),
            square(rng.choice((3, 4, 5)), 9): Piece(KING, BLACK),
        }
        for color in COLORS:
            files = rng.choices(range(9), k=rng.randint(1, 3))
            ranks = range(5, 9) if color == RED else range(1, 5)
            for _ in range(5):
                placed.setdefault(square(rng.choice(files), rng.choice(ranks)), Piece(PAWN, color))
            for kind in (ROOK, CANNON, KNIGHT):
                file = rng.randrange(9)
                for _ in range(rng.randint(0, 2)):
                    placed.setdefault(square(file, rng.randrange(1, 9)), Piece(kind, color))
        try:
            yield Board(Setup.from_piece_map(placed, rng.random() < 0.5))
        except PositionError:
            continue


@lru_cache
def fens() -> tuple[str, ...]:
    """Positions of all sorts."""
    tandems = islice(tandem_boards(random.Random(5)), 250)
    return (
        *played_fens(seed=3, games=2),
        *wild_fens(seed=4, count=150),
        *(board.fen() for board in tandems),
    )


# The table of the styles


@pytest.mark.parametrize(
    ("pieces", "move", "wxf", "xqbase", "fairy"),
    [
        # Sideways.
        ("Ch2", "h2e2", "C2.5", "C2.5", "C2=5"),
        # Two on a file and no other tandem.
        ("Pe7 Pe5", "e7d7", "P+.6", "P+.6", "P+=6"),
        ("Pe7 Pe5", "e5e6", "P-+1", "P-+1", "P-+1"),
        ("Rb7 Rb2", "b7c7", "R+.7", "R+.7", "R+=7"),
        ("Rb7 Rb2", "b2b1", "R--1", "R--1", "R--1"),
        ("Cb6 Cb1", "b1b3", "C-+2", "C-+2", "C-+2"),
        # Fairy's sign rule: the cannon on b6 could not go eight ranks up.
        ("Cb6 Cb1", "b6b9", "C++3", "C++3", "C++3"),
        ("Cb6 Cb1", "b6b2", "C+-4", "C+-4", "C8-4"),
        # Three on a file.
        ("Pc8 Pc7 Pc5", "c8b8", "P+.8", "P+.8", "17=8"),
        ("Pc8 Pc7 Pc5", "c7b7", "P7.8", "P..8", "27=8"),
        ("Pc8 Pc7 Pc5", "c5c6", "P-+1", "P-+1", "37+1"),
        # Four on a file.
        ("Pc8 Pc7 Pc6 Pc5", "c8b8", "++.8", "Pa.8", "17=8"),
        ("Pc8 Pc7 Pc6 Pc5", "c7b7", "P+.8", "Pb.8", "27=8"),
        ("Pc8 Pc7 Pc6 Pc5", "c6b6", "P-.8", "Pc.8", "37=8"),
        ("Pc8 Pc7 Pc6 Pc5", "c5b5", "--.8", "Pd.8", "47=8"),
        # Five on a file.
        ("Pc9 Pc8 Pc7 Pc6 Pc5", "c9b9", "++.8", "Pa.8", "17=8"),
        ("Pc9 Pc8 Pc7 Pc6 Pc5", "c8b8", "P+.8", "Pb.8", "27=8"),
        ("Pc9 Pc8 Pc7 Pc6 Pc5", "c7b7", "P7.8", "Pc.8", "37=8"),
        ("Pc9 Pc8 Pc7 Pc6 Pc5", "c6b6", "P-.8", "Pd.8", "47=8"),
        ("Pc9 Pc8 Pc7 Pc6 Pc5", "c5b5", "--.8", "Pe.8", "57=8"),
        # Two files with two, and a single soldier elsewhere.
        ("Pg7 Pg5 Pc8 Pc6 Pe5", "g7f7", "3+.4", "Pa.4", "13=4"),
        ("Pg7 Pg5 Pc8 Pc6 Pe5", "g5f5", "3-.4", "Pb.4", "23=4"),
        ("Pg7 Pg5 Pc8 Pc6 Pe5", "c8b8", "7+.8", "Pc.8", "17=8"),
        ("Pg7 Pg5 Pc8 Pc6 Pe5", "c6c7", "7-+1", "Pd+1", "27+1"),
        ("Pg7 Pg5 Pc8 Pc6 Pe5", "e5d5", "P5.6", "P5.6", "P5=6"),
        # A file with three and one with two.
        ("Pg8 Pg7 Pg5 Pc8 Pc6", "g8f8", "3+.4", "Pa.4", "13=4"),
        ("Pg8 Pg7 Pg5 Pc8 Pc6", "g7f7", "33.4", "Pb.4", "23=4"),
        ("Pg8 Pg7 Pg5 Pc8 Pc6", "g5f5", "3-.4", "Pc.4", "33=4"),
        ("Pg8 Pg7 Pg5 Pc8 Pc6", "c6b6", "7-.8", "Pe.8", "27=8"),
        # Advisors and elephants: the file, whichever can move.
        ("Ae1 Ad2", "e1f2", "A5+4", "A5+4", "A5+4"),
        ("Bc4 Bc0", "c0e2", "E7+5", "E7+5", "E7+5"),
        ("Hb2", "b2c4", "H8+7", "H8+7", "H8+7"),
    ],
)  # fmt: skip
def test_each_style_writes_and_reads_its_own(
    pieces: str, move: str, wxf: str, xqbase: str, fairy: str
) -> None:
    board = board_of(f"{KINGS} {pieces}")
    meant = Move.from_iccs(move)
    texts: dict[WxfStyle, str] = {"wxf": wxf, "xqbase": xqbase, "fairy": fairy}
    for style, text in texts.items():
        assert board.wxf(meant, style) == text
        assert board.parse_wxf(text, style) == meant
        assert board.parse_wxf(text) == meant


def test_black_counts_from_its_own_right_hand() -> None:
    board = board_of(f"{KINGS} pg2 pg4 pc1 pc3 pe4", "b")
    found = {board.wxf(move): move.iccs() for move in board.legal_moves if "P" in board.wxf(move)}
    assert found == {"P5.4": "e4d4", "P5.6": "e4f4", "P5+1": "e4e3"}
    assert board.wxf(Move.from_iccs("g2h2")) == "7+.8"
    assert board.chinese(Move.from_iccs("c3b3")) == "二卒平２"


@pytest.mark.parametrize(
    ("pieces", "move", "text", "traditional"),
    [
        ("Ch2", "h2e2", "炮二平五", "炮二平五"),
        ("Rb7 Rb2", "b7c7", "前车平七", "前車平七"),
        ("Hb7 Hb2", "b2c4", "后马进七", "後馬進七"),
        ("Pe7 Pe5", "e5e6", "后兵进一", "後兵進一"),
        ("Pc8 Pc7 Pc5", "c7b7", "中兵平八", "中兵平八"),
        ("Pc8 Pc7 Pc6 Pc5", "c8b8", "一兵平八", "一兵平八"),
        ("Pc9 Pc8 Pc7 Pc6 Pc5", "c5b5", "五兵平八", "五兵平八"),
        ("Pg7 Pg5 Pc8 Pc6", "c8b8", "三兵平八", "三兵平八"),
        ("Pg8 Pg7 Pg5 Pc8 Pc6", "c6b6", "五兵平八", "五兵平八"),
        ("Ae1 Ad2", "e1f2", "仕五进四", "仕五進四"),
        ("Bc4 Bc0", "c4a2", "相七退九", "相七退九"),
    ],
)
def test_chinese(pieces: str, move: str, text: str, traditional: str) -> None:
    board = board_of(f"{KINGS} {pieces}")
    meant = Move.from_iccs(move)
    assert board.chinese(meant) == text
    assert board.chinese(meant, traditional=True) == traditional
    assert board.parse_chinese(text) == board.parse_chinese(traditional) == meant


# What readers take besides


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("c2.5", "h2e2"), ("C2=5", "h2e2"), ("C25", "h2e2"), (" C2.5! ", "h2e2"),
        ("Ｃ２．５", "h2e2"), ("N2+3", "h0g2"), ("H2+3?!", "h0g2"), ("B3+5", "g0e2"),
        ("E3+5", "g0e2"), ("C2+7+", "h2h9"), ("炮2平5", "h2e2"), ("砲二平五", "h2e2"),
        ("包二平五", "h2e2"), ("馬二進三", "h0g2"), ("傌二上三", "h0g2"), ("俥一進一", "i0i1"),
        ("象三进五", "g0e2"), ("士四上五", "f0e1"), ("将五进一", "e0e1"), ("卒三进一", "g3g4"),
        ("炮二平五！", "h2e2"), ("炮二 平五", "h2e2"), ("H2-E2", "h2e2"), ("h2–e2", "h2e2"),
        ("Ce2", "h2e2"), ("Che2", "h2e2"),
    ],
)  # fmt: skip
def test_other_spellings(text: str, move: str) -> None:
    board = Board()
    if text == "Ce2":
        with pytest.raises(AmbiguousMoveError):
            board.parse_move(text)
    else:
        assert board.parse_move(text) == Move.from_iccs(move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("+C-2", "b6b4"), ("C+-2", "b6b4"), ("-C.5", "b1e1"), ("C−−1", "b1b0"),
        ("C8-4", "b6b2"), ("前7平6", ""), ("前八平五", ""),
    ],
)  # fmt: skip
def test_signs_and_files_of_pairs(text: str, move: str) -> None:
    board = board_of(f"{KINGS} Cb6 Cb1")
    if move:
        assert board.parse_move(text) == Move.from_iccs(move)
    else:
        with pytest.raises(IllegalMoveError):
            board.parse_move(text)


def test_front_soldier_of_a_file_as_older_prints_name_it() -> None:
    board = board_of(f"{KINGS} Pg7 Pg5 Pc8 Pc6")
    assert board.parse_chinese("前七平八") == Move.from_iccs("c8b8")
    assert board.parse_chinese("后三平四") == Move.from_iccs("g5f5")
    black = board_of(f"{KINGS} pg2 pg4 pc1 pc3", "b")
    assert black.parse_chinese("前７平８") == black.parse_chinese("前7平8")


def test_a_file_of_two_is_enough_where_only_one_can_move_so() -> None:
    board = board_of(f"{KINGS} Ra8 Ra1")
    assert board.parse_wxf("R9-2") == Move.from_iccs("a8a6")
    with pytest.raises(AmbiguousMoveError) as caught:
        board.parse_wxf("R9.8")
    assert caught.value.candidates == ("a8b8", "a1b1")
    assert "a8b8, a1b1" in str(caught.value)


def test_front_is_ambiguous_where_two_files_have_a_front() -> None:
    board = board_of(f"{KINGS} Pg7 Pg5 Pc8 Pc6")
    with pytest.raises(AmbiguousMoveError) as caught:
        board.parse_chinese("前兵进一")
    assert caught.value.candidates == ("g7g8", "c8c9")
    assert board.parse_chinese("前兵平八") == Move.from_iccs("c8b8")


def test_the_one_text_on_which_styles_differ() -> None:
    board = board_of(f"{KINGS} Pi8 Pi6 Pi5 Pc8 Pc6")
    assert board.parse_wxf("11+1", "wxf") == Move.from_iccs("i6i7")
    assert board.parse_wxf("11+1", "fairy") == Move.from_iccs("i8i9")
    assert board.parse_wxf("11.2") == Move.from_iccs("i6h6")
    assert board.parse_wxf("11=2") == Move.from_iccs("i8h8")
    with pytest.raises(AmbiguousMoveError) as caught:
        board.parse_wxf("11+1")
    assert set(caught.value.candidates) == {"i8i9", "i6i7"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("C1.5", "there is no red cannon on file 1"),
        ("C2+6", "cannot reach"),
        ("C2+9", "the red cannon cannot move like this"),
        ("H2+5", "the red horse cannot move like this"),
        ("H2.3", "the red horse cannot move like this"),
        ("R1.2", "occupied by red's own horse"),
        ("P+.4", "no file has as many red soldiers"),
        ("炮三平五", "there is no red cannon on file 3"),
        ("前炮平五", "no file has as many red cannons"),
        ("Ce5", "no red cannon can go to e5"),
        ("h2h3h4", "coordinates, WXF, Vietnamese or Chinese notation"),
        ("", "coordinates, WXF, Vietnamese or Chinese notation"),
        ("炮二平十", "coordinates, WXF, Vietnamese or Chinese notation"),
        ("h2h2", "two different squares"),
    ],
)
def test_errors_say_why(text: str, why: str) -> None:
    with pytest.raises((IllegalMoveError, InvalidMoveError)) as caught:
        Board().parse_move(text)
    assert why in str(caught.value)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "is_missing"),
    [
        ("C1.5", True),
        ("C2+6", False),
        ("C2+9", False),
        ("R1.2", False),
        ("P+.4", True),
        ("炮三平五", True),
        ("前炮平五", True),
        ("马二进五", False),
        ("h2h8", False),
        ("h2a0", False),
        ("e4e5", True),
        ("h9g7", True),  # the other side's horse
        ("Ce5", False),
        ("Cbe5", False),
        ("Cae5", True),
    ],
)
def test_a_piece_that_is_not_there_is_distinguished(text: str, is_missing: bool) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Board().parse_move(text)
    assert isinstance(caught.value, MissingPieceError) == is_missing


PARSERS: dict[str, Callable[[Any], Move]] = {
    "any": Board().parse_move,
    "push": Board().push_move,
    "san": Board().parse_san,
    "wxf": Board().parse_wxf,
    "chinese": Board().parse_chinese,
    "coordinates": parse_coordinates,
}


@pytest.mark.parametrize("text", [None, 3, b"h2e2", Move.from_iccs("h2e2")], ids=repr)
@pytest.mark.parametrize("parse", PARSERS.values(), ids=PARSERS)
def test_parsers_refuse_other_types(parse: Callable[[Any], Move], text: object) -> None:
    with pytest.raises(TypeError, match=f"a move must be a str, not {type(text).__name__}$"):
        parse(text)


def test_illegal_moves_are_not_written() -> None:
    board, illegal = Board(), Move.from_iccs("h2h9")
    board.push_iccs("h2e2")
    for write in (board.wxf, board.chinese, lambda move: format_san(board, move)):
        with pytest.raises(IllegalMoveError):
            write(illegal)
    with pytest.raises(ValueError, match="style 'axf'"):
        Board().wxf(Move.from_iccs("h2e2"), "axf")  # type: ignore[arg-type]


# Round trips


def check_round_trip(board: Board) -> None:
    """Every legal move in every notation: read back, and no text twice."""
    texts: dict[str, set[str]] = {}
    moves = board.list_moves()
    for move in moves:
        for style in WXF_STYLES:
            text = board.wxf(move, style)
            assert board.parse_wxf(text, style) == move, (board.fen(), text)
            texts.setdefault(style, set()).add(text)
        for traditional in (False, True):
            text = board.chinese(move, traditional=traditional)
            assert board.parse_chinese(text) == move, (board.fen(), text)
            texts.setdefault(f"chinese {traditional}", set()).add(text)
        san = format_san(board, move)
        assert parse_san(board, san) == move
        assert parse_move(board, format_san(board, move, rank_base=0)) == move
        assert parse_coordinates(format_iccs(move)) == move
        assert parse_coordinates(format_coordinates(move, 1), rank_base=1) == move
    assert all(len(found) == len(moves) for found in texts.values()), board.fen()


@pytest.mark.long
def test_round_trip_of_all_moves() -> None:
    for fen in fens():
        check_round_trip(Board(fen))


@pytest.mark.long
def test_round_trip_in_real_games() -> None:
    rng = random.Random(1)
    for game in real_games(400, step=87):
        board = Board(game.fen)
        for move in game.moves():
            if rng.random() < 0.02:
                check_round_trip(board)
            board.push(move)


def random_line(rng: random.Random, start: str) -> Iterator[tuple[Board, Move]]:
    """A game in which soldiers like to move: the board before each move, and the move."""
    board = Board(start)
    for _ in range(30):
        moves = board.list_moves()
        pawns = [move for move in moves if board.piece_code_at(move.from_square) & 7 == PAWN]
        if not moves:
            return
        move = rng.choice(pawns if pawns and rng.random() < 0.5 else moves)
        yield board, move
        board.push(move)


def test_equal_to_pyffish() -> None:
    pyffish = pytest.importorskip("pyffish")
    rng = random.Random(2)
    starts = [board.fen() for board in islice(tandem_boards(rng), 150)]
    for start in [*starts, *[STARTING_FEN] * 10]:
        played, line, fairy, algebraic = [], [], [], []
        for board, move in random_line(rng, start):
            played.append(move)
            line.append(format_coordinates(move, rank_base=1))
            fairy.append(board.wxf(move, "fairy"))
            algebraic.append(format_san(board, move))
        for notation, texts in (
            (pyffish.NOTATION_XIANGQI_WXF, fairy),
            (pyffish.NOTATION_SAN, algebraic),
        ):
            found = pyffish.get_san_moves("xiangqi", start, line, False, notation)
            assert found == texts, (start, line)
        long = pyffish.get_san_moves("xiangqi", start, line, False, pyffish.NOTATION_LAN)
        board = Board(start)
        for text, move in zip(long, played, strict=True):
            assert match_move(f"{text} ") == text
            assert board.push_san(text, rank_base=1) == move


# Ranks


@pytest.mark.parametrize(
    ("texts", "base"),
    [
        (["h2e2", "h9g7"], 0), (["h3e3", "h10g8"], 1), (["a0a1"], 0), (["h3e3", "h8e8"], 1),
        (["H2-E2", "H7-E7"], 0), (["Che3", "Hg8"], 1), (["Che2", "Hg7"], 0), (["C2.5"], 0), ([], 0),
    ],
)  # fmt: skip
def test_rank_base_is_guessed(texts: list[str], base: int) -> None:
    assert guess_rank_base(Board(), texts) == base


def test_coordinates_with_ranks_from_one() -> None:
    assert parse_coordinates("h10g8", 1).iccs() == "h9g7"
    for text in ("h0g2", "h11g8", "h2h2"):
        with pytest.raises(InvalidMoveError, match="a1 to i10"):
            parse_coordinates(text, 1)
    with pytest.raises(InvalidMoveError, match="a0 to i9"):
        parse_coordinates("h10g8", 0)
    assert square_name(parse_coordinates("A1-A10", 1).to_square) == "a9"
