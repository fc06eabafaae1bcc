"""Legal moves, checks and pins against the oracle."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import pytest
from hypothesis import given

from tests.oracle import game
from tests.support.helpers import boards, iccs, oracle_position, played_fens, wild, wild_fens
from tests.support.soak import SOAK
from xiangqi import BLACK, RED, SQUARES, Board, Color, Move, Piece, square_name
from xiangqi.core import testing

pytestmark = pytest.mark.long

Fens: TypeAlias = Callable[[], tuple[str, ...]]

games: Fens = partial(played_fens, seed=1, games=20)
wild_ones: Fens = partial(wild_fens, seed=1, count=2500)


def mixed() -> tuple[str, ...]:
    """Fewer of both, for tests that take longer; more of them with MEIHUA_SOAK=1."""
    return games()[:: 6 if SOAK else 14] + wild_ones()[:: 5 if SOAK else 11]


ORACLE_SIDE = {RED: game.RED, BLACK: game.BLACK}
ALL_MOVES = [Move(a, b) for a in SQUARES for b in SQUARES if a != b]


def pairs(fens: tuple[str, ...]) -> Iterator[tuple[Board, game.Position]]:
    """Each position on the core's board and on the oracle's."""
    for fen in fens:
        yield Board(fen), game.read_fen(fen)


# Against the oracle


@pytest.mark.parametrize("fens", [games, wild_ones], ids=["games", "wild"])
def test_legal_moves(fens: Fens) -> None:
    """The same moves, each of them once, and the same number by all ways of counting.

    MEIHUA_SOAK=1 looks at all positions of the sample, else at each fifth.
    """
    for board, position in pairs(fens()[:: 1 if SOAK else 5]):
        moves = board.list_moves()
        assert iccs(moves) == game.legal_moves(position), board.fen()
        assert board.legal_moves.count() == len(board.legal_moves) == len(moves)
        assert board.has_legal_move() == bool(board.legal_moves) == bool(moves)


@given(boards())
def test_legal_moves_of_any_game(board: Board) -> None:
    assert iccs(board.list_moves()) == game.legal_moves(oracle_position(board))


@given(wild)
def test_legal_moves_of_any_position(board: Board) -> None:
    assert iccs(board.list_moves()) == game.legal_moves(oracle_position(board))


@pytest.mark.parametrize("fens", [games, wild_ones], ids=["games", "wild"])
def test_stages(fens: Fens) -> None:
    """Captures and quiet moves are all the legal moves, and none is both."""
    for fen in fens():
        board = Board(fen)
        captures, quiets = board.list_moves("captures"), board.list_moves("quiets")
        assert all(board.is_capture(move) for move in captures)
        assert not any(board.is_capture(move) for move in quiets)
        assert sorted(captures + quiets) == sorted(board.list_moves())
        if board.is_check():
            assert sorted(board.list_moves("evasions")) == sorted(board.list_moves())
        else:
            with pytest.raises(ValueError, match="not in check"):
                board.list_moves("evasions")


def test_is_legal() -> None:
    """Each of the 90 x 89 moves is legal if and only if it is generated."""
    for fen in mixed():
        board = Board(fen)
        legal = set(board.list_moves())
        assert {move for move in ALL_MOVES if board.is_legal(move)} == legal, fen
        assert {move for move in ALL_MOVES if move in board.legal_moves} == legal, fen


def test_is_pseudo_legal() -> None:
    """Moves by the pieces' ways of moving, the king's safety aside."""
    for board, position in pairs(mixed()[::2]):
        found = [move for move in ALL_MOVES if board.is_pseudo_legal(move)]
        assert iccs(found) == game.pseudo_legal_moves(position), board.fen()


def test_numbers_that_are_no_moves() -> None:
    """Any number may be passed: a damaged hash entry is a number too."""
    for fen in mixed()[::40]:
        board = Board(fen)
        legal = {move.code for move in board.list_moves()}
        pseudo = {move.code for move in ALL_MOVES if board.is_pseudo_legal(move)}
        numbers = [*range(-300, 2**16), *range(-(2**31), -(2**31) + 300), 2**31 - 1]
        assert {code for code in numbers if testing.is_legal_code(board, code)} == legal
        assert {code for code in numbers if testing.is_pseudo_legal_code(board, code)} == pseudo


def test_gives_check() -> None:
    for board, position in pairs(mixed()):
        enemy = game.enemy(position.side)
        for move in board.list_moves():
            after = game.apply(position, move.iccs())
            assert board.gives_check(move) == game.is_attacked(after, enemy), (board.fen(), move)


def test_gives_check_is_being_in_check_afterwards() -> None:
    """The same by the core alone, on more positions."""
    for fen in games() + wild_ones():
        board = Board(fen)
        for move in board.list_moves():
            expected = board.gives_check(move)
            board.push(move)
            assert board.is_check() == bool(board.checkers()) == expected, (fen, move)
            board.pop()


def test_checkers() -> None:
    for board, position in pairs((games() + wild_ones())[:: 1 if SOAK else 3]):
        found = sorted(square_name(square) for square in board.checkers())
        assert found == game.checkers(position, position.side), board.fen()
        assert board.is_check() == game.is_check(position)


def slow_attackers(position: game.Position, color: Color, square: int) -> list[str]:
    """Pieces of this colour that could capture an enemy on the square."""
    board = dict(position.board)
    target = game.read_square(square_name(square))
    board[target] = "p" if color == RED else "P"
    found = game.attackers(board, target, ORACLE_SIDE[color])
    return sorted(game.write_square(origin) for origin in found)


@pytest.mark.parametrize("color", [RED, BLACK])
def test_attackers(color: Color) -> None:
    for board, position in pairs(mixed()[::5]):
        for square in SQUARES:
            found = sorted(square_name(origin) for origin in board.attackers(color, square))
            assert found == slow_attackers(position, color, square), (board.fen(), square)


def slow_pinned(position: game.Position, color: Color) -> list[str]:
    """The pieces without which something more would attack the own king."""
    side = ORACLE_SIDE[color]
    checking = set(game.king_attackers(position.board, side))
    found = []
    for square in game.pieces_of(position.board, side):
        board = dict(position.board)
        if game.kind(board.pop(square)) != "K" and set(game.king_attackers(board, side)) - checking:
            found.append(game.write_square(square))
    return sorted(found)


@pytest.mark.parametrize("color", [RED, BLACK])
def test_pinned(color: Color) -> None:
    for board, position in pairs(mixed()):
        found = sorted(square_name(square) for square in board.pinned(color))
        assert found == slow_pinned(position, color), board.fen()


def test_king_safety() -> None:
    """Check each part of a position's king safety by its definition.

    The checkers. The pieces held: at least all whose leaving changes who attacks the king. The
    mounts: all empty squares on which a piece would make a cannon attack it. The answers: in
    check at least all targets of pieces that are not held, else everywhere.
    """
    for board, position in pairs(mixed()):
        checkers, held, mounts, answers = testing.king_safety(board)
        side, cells = position.side, position.board
        attackers = set(game.king_attackers(cells, side))
        assert as_names(checkers) == sorted(map(game.write_square, attackers))
        for square in game.pieces_of(cells, side):
            without = {sq: piece for sq, piece in cells.items() if sq != square}
            if cells[square] not in "Kk" and set(game.king_attackers(without, side)) != attackers:
                assert game.write_square(square) in as_names(held), board.fen()
        blocker = "P" if side == game.RED else "p"
        assert as_names(mounts) == sorted(
            game.write_square(square)
            for square in game.ALL_SQUARES
            if square not in cells
            and set(game.king_attackers({**cells, square: blocker}, side)) - attackers
        )
        if not attackers:
            assert answers == 2**90 - 1
        for move in board.list_moves():
            bound = held >> move.from_square & 1 or move.from_square == board.king(board.turn)
            assert bound or answers >> move.to_square & 1, (board.fen(), move)


def test_checks_by_the_squares_that_unveil() -> None:
    """The squares found once for a position give the same as a look at what each move leaves; the
    sample has checks by the piece that moves and by others."""
    direct = unveiled = 0
    for board, position in pairs(mixed()):
        for move in board.list_moves():
            after = game.apply(position, move.iccs())
            attackers = game.king_attackers(after.board, after.side)
            found = testing.is_check_by_squares(board, move.code)
            assert found == bool(attackers), (board.fen(), move)
            is_direct = game.read_square(square_name(move.to_square)) in attackers
            direct += is_direct
            unveiled += bool(attackers) and not is_direct
    assert direct >= 200, direct
    assert unveiled >= 15, unveiled


def as_names(found: int) -> list[str]:
    return sorted(square_name(square) for square in SQUARES if found >> square & 1)


def test_the_sample_has_what_matters() -> None:
    """Else the comparisons above would prove little."""
    found = {"check": 0, "double": 0, "triple": 0, "pin": 0, "mate": 0, "stalemate": 0, "mount": 0}
    for fen in wild_ones():
        board = Board(fen)
        checkers = len(board.checkers())
        found["check"] += checkers == 1
        found["double"] += checkers == 2
        found["triple"] += checkers > 2
        found["pin"] += checkers == 0 and bool(board.pinned(board.turn))
        found["mate"] += board.is_checkmate()
        found["stalemate"] += board.is_stalemate()
        found["mount"] += testing.king_safety(board)[2] != 0
    least = {
        "check": 500,
        "double": 100,
        "triple": 10,
        "pin": 100,
        "mount": 100,
        "mate": 50,
        "stalemate": 5,
    }
    assert all(found[what] >= count for what, count in least.items()), found


# Capacity for the moves


def test_no_position_has_more_moves_than_there_is_room_for() -> None:
    """The most that each piece can have, for a full set, fits; so does the widest board found."""
    counts = {"K": 1, "A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}
    most = 0
    for letter, count in counts.items():
        # On an empty board a cannon goes where a chariot does.
        code = Piece.from_symbol("R" if letter == "C" else letter).code
        most += count * max(testing.attacks(code, sq, 0).bit_count() for sq in SQUARES)
    assert most == 119
    assert most <= testing.MAX_MOVES
    board = Board("3k5/4P4/1P1N1P3/2R6/1P1P1N3/8C/7R1/B2ABA3/6C2/4K4 w - - 0 1")
    assert board.legal_moves.count() == len(game.legal_moves(oracle_position(board))) == 110
    assert len(board.list_moves()) == 110
