"""Editing boards, impossible positions included, and the API of python-chess."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable

import pytest

from tests.support.helpers import iccs, played_fens, squares
from xiangqi import (
    A0,
    BLACK,
    CANNON,
    E0,
    E4,
    E9,
    H9,
    KING,
    RED,
    ROOK,
    SQUARES,
    STARTING_FEN,
    Board,
    FenError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Piece,
    PositionError,
    SquareSet,
    Status,
    parse_fen,
)
from xiangqi.core.samples import features
from xiangqi.engine import Engine, Limits
from xiangqi.pieces import PIECE_TYPES

FENS = played_fens(40, 3)[::9]


def letter(symbol: str) -> Piece:
    return Piece.from_symbol(symbol)


# Editing


@pytest.mark.parametrize("seed", range(12))
def test_a_board_edited_piece_by_piece_is_the_board_of_its_fen(seed: int) -> None:
    """In any order, through impossible positions."""
    fen = FENS[seed]
    chance = random.Random(seed)
    board = Board(FENS[-1 - seed])
    wanted = parse_fen(fen).piece_map()
    places = list(SQUARES)
    chance.shuffle(places)
    for place in places:
        if chance.random() < 0.5 or place in wanted:
            board.set_piece_at(place, wanted.get(place))
        else:
            assert board.piece_at(place) == board.remove_piece_at(place)
        assert board.piece_at(place) == wanted.get(place)
    board.turn = parse_fen(fen).turn
    other = Board(fen)
    assert board.piece_map() == other.piece_map()
    assert board.status() == other.status()
    assert board.key == board.compute_key() == other.key
    assert board.is_consistent()
    assert board.list_moves() == other.list_moves()


def test_editing_forgets_the_moves_and_keeps_the_counters() -> None:
    board = Board()
    for text in ("h2e2", "h9g7", "h0g2"):
        board.push_iccs(text)
    board.remove_piece_at(A0)
    assert board.move_stack == []
    assert (board.turn, board.halfmove_clock, board.fullmove_number) == (BLACK, 3, 2)
    assert board.fen() == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/1NBAKAB1R b - - 3 2"
    with pytest.raises(IndexError):
        board.pop()
    board.push_iccs("i9i8")
    assert board.root().fen() == board.root_fen()
    assert board.root().ply() == 0


def test_taking_nothing_away_changes_nothing() -> None:
    board = Board()
    board.push_iccs("h2e2")
    assert board.remove_piece_at(E4) is None
    assert board.ply() == 1


def drafts() -> list[Board]:
    bare, crowded, attacked = Board.empty(), Board(), Board()
    crowded.set_piece_at(E4, letter("K"))
    attacked.set_piece_map({E0: letter("K"), E9: letter("k"), H9: letter("R"), A0: letter("A")})
    return [bare, crowded, attacked]


ASKING: list[Callable[[Board], object]] = [
    lambda board: board.push_iccs("h2e2"),
    lambda board: board.push_unchecked(Move.from_iccs("h2e2")),
    lambda board: list(board.legal_moves),
    lambda board: board.legal_moves.count(),
    lambda board: bool(board.legal_moves),
    lambda board: Move.from_iccs("h2e2") in board.legal_moves,
    lambda board: board.pseudo_legal_moves,
    lambda board: board.is_legal(Move.from_iccs("h2e2")),
    lambda board: board.is_capture(Move.from_iccs("h2e2")),
    lambda board: board.why_illegal(Move.from_iccs("h2e2")),
    lambda board: board.perft(1),
    lambda board: board.king(RED),
    lambda board: board.is_check(),
    lambda board: board.checkers(),
    lambda board: board.attackers(RED, E4),
    lambda board: board.attacks(E4),
    lambda board: board.pinned(RED),
    lambda board: board.protectors(E4),
    lambda board: board.outcome(),
    lambda board: board.judge(),
    lambda board: board.repetitions(),
    lambda board: features(board, "files"),
    lambda board: board.key,
    lambda board: board.compute_key(),
    lambda board: board.can_anyone_attack(),
    lambda board: board.quiet_plies(0),
    lambda board: board.parse_move("h2e2"),
    lambda board: Engine().play(board, Limits(depth=1)),
]


@pytest.mark.parametrize("ask", ASKING)
def test_a_draft_is_no_position(ask: Callable[[Board], object]) -> None:
    for board in drafts():
        with pytest.raises(PositionError) as caught:
            ask(board)
        assert caught.value.status == board.status() != Status.VALID


def test_a_draft_can_be_read_copied_and_described() -> None:
    board = Board.empty()
    board.turn = BLACK
    board.set_piece_at(E0, letter("K"))
    for place in SQUARES[50:53]:
        board.set_piece_at(place, letter("r"))
    for again in (board, board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert again.fen() == "9/9/9/9/5rrr1/9/9/9/9/4K4 b - - 0 1"
        assert again == board
        assert again.turn == BLACK
        assert again.piece_map()[E0] == letter("K")
        assert again.pieces(ROOK, BLACK) == {50, 51, 52}
        assert again.status() == Status.NO_BLACK_KING | Status.TOO_MANY_ROOKS
        assert not again.is_valid()
        assert again.move_stack == []
        assert str(again).count("r") == 3
    with pytest.raises(PositionError, match=r"black has no general; black has 3 chariots"):
        board.push_iccs("e0e1")
    copied = board.copy()
    copied.reset()
    assert copied.fen() == STARTING_FEN
    assert copied.push_iccs("h2e2")
    assert not board.is_valid()


def test_a_check_of_the_side_that_is_not_to_move_is_reported() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/R8/3K5 w")
    board.set_piece_at(E4, letter("R"))
    assert board.status() == Status.OPPOSITE_CHECK
    board.turn = BLACK
    assert board.is_check()


def test_whole_placements() -> None:
    board = Board()
    board.push_iccs("h2e2")
    board.set_board_fen("4k4/9/9/9/9/9/9/9/9/R2K5")
    assert board.fen() == "4k4/9/9/9/9/9/9/9/9/R2K5 b - - 1 1"
    assert board.board_fen() == "4k4/9/9/9/9/9/9/9/9/R2K5"
    board.set_fen(STARTING_FEN)
    assert board == Board()
    for text, error in (("9", FenError), ("4k4/9/9/9/9/9/9/9/9/4K4 w", PositionError)):
        with pytest.raises(error):
            board.set_fen(text)
        assert board == Board()
    with pytest.raises(FenError, match="the piece placement of a FEN alone"):
        board.set_board_fen(STARTING_FEN)
    board.push_iccs("h2e2")
    board.clear_stack()
    assert (board.ply(), board.turn) == (0, BLACK)
    board.clear()
    assert board.fen() == Board.empty().fen() == "9/9/9/9/9/9/9/9/9/9 w - - 0 1"


@pytest.mark.parametrize("square", [90, -1])
def test_no_square(square: int) -> None:
    board = Board()
    with pytest.raises(ValueError, match="expected 0 to 89"):
        board.set_piece_at(square, None)
    with pytest.raises(ValueError, match="expected 0 to 89"):
        board.remove_piece_at(square)
    with pytest.raises(TypeError, match="'R' on a square: expected a Piece"):
        board.set_piece_at(0, "R")  # type: ignore[arg-type]


# Queries


@pytest.mark.parametrize("fen", FENS[:25])
def test_sets_of_squares(fen: str) -> None:
    board = Board(fen)
    pieces = board.piece_map()
    for color in (RED, BLACK):
        for kind in PIECE_TYPES:
            places = {place for place, piece in pieces.items() if piece == Piece(kind, color)}
            assert board.pieces(kind, color) == places
        for place in SQUARES:
            attackers = board.attackers(color, place)
            assert type(attackers) is SquareSet
            assert board.is_attacked_by(color, place) == bool(attackers)
            assert attackers == {
                origin
                for origin in SQUARES
                if board.color_at(origin) == color and place in board.attacks(origin)
            }
            assert board.is_pinned(color, place) == (place in board.pinned(color))
    for place in SQUARES:
        piece = pieces.get(place)
        assert board.piece_type_at(place) == (piece.piece_type if piece else None)
        assert place in pieces or board.attacks(place) == set()
    assert type(board.checkers()) is SquareSet
    with pytest.raises(ValueError, match="invalid piece type 8: expected 1 to 7"):
        board.pieces(8, RED)


@pytest.mark.parametrize("fen", FENS[:25])
def test_moves_in_parts(fen: str) -> None:
    board = Board(fen)
    every = {Move(a, b) for a in SQUARES for b in SQUARES if a != b}
    pseudo = {move for move in every if board.is_pseudo_legal(move)}
    assert set(board.pseudo_legal_moves) == set(board.generate_pseudo_legal_moves()) == pseudo
    assert len(board.pseudo_legal_moves) == len(pseudo)
    legal = set(board.legal_moves)
    assert set(board.generate_legal_moves()) == legal
    captures = {move for move in pseudo if move.to_square in board.piece_map()}
    assert set(board.generate_pseudo_legal_captures()) == captures
    assert set(board.generate_legal_captures()) == captures & legal
    assert {move for move in every if board.is_into_check(move)} == pseudo - legal
    cannons = board.pieces(CANNON, board.turn)
    assert set(board.generate_legal_moves(cannons)) == {
        m for m in legal if m.from_square in cannons
    }
    high = SquareSet(range(45, 90))
    assert set(board.generate_legal_captures(targets=high)) == {
        move for move in captures & legal if move.to_square >= 45
    }


# Moves as text


@pytest.mark.parametrize("fen", FENS[:12])
def test_each_notation_is_read_as_it_was_written(fen: str) -> None:
    board = Board(fen)
    for move in board.legal_moves:
        for notation in ("iccs", "wxf", "chinese", "san"):
            text = board.write(move, notation)
            assert board.parse_move(text) == move
            work = board.copy()
            push = getattr(work, f"push_{notation}")
            assert push(text) == move == work.peek()
            assert getattr(board, notation)(move) == text


def test_unreadable_move_is_quoted_by_every_push() -> None:
    board = Board()
    for push in (board.push_wxf, board.push_chinese, board.push_san, board.push_move):
        with pytest.raises(InvalidMoveError, match="'what'"):
            push("what")
    for push, text in (
        (board.push_wxf, "C2.2"),
        (board.push_chinese, "炮二平二"),
        (board.push_move, "h2h9"),
    ):
        if text == "h2h9":
            continue
        with pytest.raises((InvalidMoveError, IllegalMoveError)):
            push(text)
    with pytest.raises(IllegalMoveError):
        board.find_move(A0, E4)
    assert board.find_move(A0, 9) == Move.from_iccs("a0a1")
    assert board.ply() == 0


def test_a_line() -> None:
    board = Board()
    board.push_iccs("h2e2")
    line = [Move.from_iccs(text) for text in ("h9g7", "h0g2", "i9h9")]
    assert board.variation(line) == "1... H8+7 2. H2+3 R9.8"
    assert board.variation_san(line) == "1... Hg7 2. Hg2 Rh9"
    assert board.variation([]) == ""
    with pytest.raises(IllegalMoveError):
        board.variation([Move.from_iccs("h0g2")])
    assert board.ply() == 1


def test_repetitions() -> None:
    board = Board()
    for text in "b0c2 b9c7 c2b0 c7b9".split() * 2:
        board.push_iccs(text)
    assert board.is_repetition()
    assert board.is_repetition(2)
    assert not board.is_repetition(4)


# EPD and text diagrams


def test_epd() -> None:
    board = Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - 7 12")
    line = [Move.from_iccs("b2b9")]
    epd = board.epd(bm=line, id='a "mate"; in \\one', acd=3, ce=-5, c0=None)
    assert epd == (
        '4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - bm b2b9; id "a \\"mate\\"; in \\\\one"; acd 3; ce -5; c0;'
    )
    again, operations = Board.from_epd(epd)
    assert again.fen() == "4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - 0 1"
    assert operations == {"bm": line, "id": 'a "mate"; in \\one', "acd": 3, "ce": -5, "c0": None}
    assert Board().epd() == STARTING_FEN.rsplit(maxsplit=2)[0]
    assert board.set_epd(f"{STARTING_FEN} pv 炮二平五 H8+7; hmvc 0;") == {
        "pv": [Move.from_iccs("h2e2"), Move.from_iccs("h9g7")],
        "hmvc": 0,
    }
    assert board == Board()


@pytest.mark.parametrize(
    ("epd", "error"),
    [
        (f"{STARTING_FEN} bm h2e2", FenError),
        (f"{STARTING_FEN} bm h2e2; 12;", FenError),
        (f"{STARTING_FEN} bm h2h2;", InvalidMoveError),
        (f"{STARTING_FEN} bm h2i3;", IllegalMoveError),
        ("9/9 w - - id 3;", FenError),
        ("", FenError),
    ],
)
def test_bad_epd(epd: str, error: type[Exception]) -> None:
    board = Board()
    with pytest.raises(error):
        board.set_epd(epd)
    assert board == Board()


def test_pictures_of_letters() -> None:
    rows = Board().unicode(orientation=BLACK, script="simplified").splitlines()
    assert rows[0] == "0 车马相仕帅仕相马车"[:2] + rows[0][2:]
    assert rows[0][2:] == "车马相仕帅仕相马车"
    assert rows[-1] == "  ｉｈｇｆｅｄｃｂａ"
    plain = Board().unicode(script=None, coordinates=False).splitlines()
    assert plain[0][4] == Piece(KING, BLACK).unicode_symbol()
    assert len(plain) == 10


@pytest.mark.parametrize("fen", FENS[:3])
def test_the_board_agrees_with_what_it_writes(fen: str) -> None:
    board = Board(fen)
    assert iccs(board.generate_legal_moves()) == iccs(Board(board.fen()).legal_moves)
    assert squares("e0") == {E0}
