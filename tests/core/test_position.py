"""Making and unmaking moves, and the keys of positions."""

import random
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from tests.support.helpers import boards, choices, played_fens, playout, wild, wild_fens
from xiangqi import (
    BLACK,
    PAWN,
    RED,
    STARTING_FEN,
    Board,
    Move,
    Piece,
    PositionError,
    Setup,
    parse_fen,
    parse_square,
)

MASK = 2**64 - 1


def with_turn(fen: str, turn: str) -> str:
    placement, _, *rest = fen.split()
    return " ".join([placement, turn, *rest])


# Making and unmaking


def check_every_move(board: Board) -> None:
    """Each legal move keeps key and board in step, and taking it back restores every byte."""
    before = board.raw()
    for move in board.list_moves():
        board.push(move)
        assert board.is_consistent(), move
        assert board.key == board.compute_key(), move
        assert board.raw() != before
        assert board.pop() == move
        assert board.raw() == before, move


def test_unmaking_restores_every_byte_in_games() -> None:
    for seed in range(10):
        for board in playout(random.Random(seed), plies=150):
            check_every_move(board)


def test_unmaking_restores_every_byte_in_wild_positions() -> None:
    """Many captures, kings that take, moves out of check."""
    for fen in wild_fens(seed=1, count=1500):
        check_every_move(Board(fen))


def test_pop_restores_every_byte_of_a_long_game() -> None:
    """The bytes of every position of a long game, forwards and then backwards."""
    for seed in range(20):
        trail = []
        for board in playout(random.Random(seed), plies=300):
            trail.append(board.raw())
        for raw in reversed(trail):
            assert board.raw() == raw
            if board.ply():
                board.pop()
        assert board.ply() == 0


def test_go_to_start() -> None:
    *_, board = playout(random.Random(1), plies=200)
    assert board.ply() == 200
    board.go_to_start()
    assert board.ply() == 0
    assert board.raw() == Board().raw()


@given(st.lists(st.one_of(choices, st.none()), max_size=80))
def test_any_order_of_pushing_and_popping(steps: list[int | None]) -> None:
    """A number plays a move, None takes one back; the trail has the expected position."""
    board = Board()
    trail = [board.raw()]
    for choice in steps:
        moves = board.list_moves()
        if choice is not None and moves:
            board.push(moves[choice % len(moves)])
            trail.append(board.raw())
        elif len(trail) > 1:
            board.pop()
            trail.pop()
        assert board.raw() == trail[-1]
        assert board.ply() == len(trail) - 1
        assert board.is_consistent()


@given(boards())
def test_a_board_from_fen_is_the_board_that_was_played(board: Board) -> None:
    """Every byte, the key and the counters included, is the same as if set up anew."""
    assert Board(board.fen()).raw() == board.raw()


@given(wild)
def test_moves_and_a_setup_meet(board: Board) -> None:
    """The position after a move is the same as its FEN set up."""
    for move in board.list_moves():
        board.push(move)
        assert Board(board.fen()).raw() == board.raw()
        board.pop()


# Keys


def random_numbers(seed: int) -> list[int]:
    """SplitMix64, written anew from Steele, Lea and Flood (2014)."""
    numbers = []
    for count in range(1, 2 + 15 * 90):
        mixed = (seed + count * 0x9E3779B97F4A7C15) & MASK
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        numbers.append(mixed ^ mixed >> 31)
    return numbers


NUMBERS = random_numbers(int.from_bytes(b"meihuapu", "big"))


def slow_key(setup: Setup) -> int:
    """The turn's number is the first; those of piece 1 on a0 to i9 follow, and so on."""
    key = 0 if setup.turn == RED else NUMBERS[0]
    for square, piece in setup.piece_map().items():
        key ^= NUMBERS[1 + (piece.code - 1) * 90 + square]
    return key


def test_keys_are_fixed_numbers() -> None:
    """The same number means the same position on every machine and in every version."""
    assert Board().key == 0x122B21B5656916B2
    assert Board(with_turn(STARTING_FEN, "b")).key == 0xABACE809C979C6D9
    assert Board("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1").key == 0x11369E51F09DDDCD


def test_keys_from_scratch() -> None:
    for fen in played_fens(seed=1, games=5) + wild_fens(seed=1, count=500):
        board = Board(fen)
        assert board.key == board.compute_key() == slow_key(parse_fen(fen)), fen


def test_the_random_numbers_are_all_different() -> None:
    """Else two pieces, or two squares, would be one to the key."""
    assert len(set(NUMBERS)) == len(NUMBERS)
    assert 0 not in NUMBERS


def test_keys_differ_by_side_to_move() -> None:
    """And by the same number in every position."""
    differences = set()
    for fen in wild_fens(seed=2, count=500):
        try:
            red, black = (Board(with_turn(fen, turn)) for turn in "wb")
        except PositionError:  # the other side may not be to move here
            continue
        differences.add(red.key ^ black.key)
    assert differences == {NUMBERS[0]}


def test_keys_do_not_know_the_counters() -> None:
    """A repetition is one of placement and side to move."""
    start = parse_fen(STARTING_FEN)
    assert Board(Setup(start.board, RED, 37, 80)).key == Board().key


def test_keys_of_many_positions_differ() -> None:
    """One key for one placement and side to move, among some 10,000."""
    keys: dict[int, str] = {}
    fens = {" ".join(fen.split()[:2]) for fen in played_fens(seed=3, games=60)}
    fens |= {" ".join(fen.split()[:2]) for fen in wild_fens(seed=3, count=3000)}
    for fen in sorted(fens):
        key = Board(fen).key
        assert key not in keys, (fen, keys[key])
        keys[key] = fen
    assert len(keys) > 10_000


def test_one_piece_more_changes_the_key() -> None:
    """Any soldier on any square, of either side, by a number of its own."""
    seen = {Board("3k5/9/9/9/9/9/9/9/9/5K3 w").key}
    bare = parse_fen("3k5/9/9/9/9/9/9/9/9/5K3 w")
    kings = set(bare.piece_map())
    for color in (RED, BLACK):
        for square in set(range(90)) - kings:
            pieces = {**bare.piece_map(), square: Piece(PAWN, color)}
            for turn in (RED, BLACK):  # a soldier may give check
                try:
                    seen.add(Board(Setup.from_piece_map(pieces, turn)).key ^ slow_turn(turn))
                except PositionError:
                    continue
                break
    assert len(seen) == 1 + 2 * 88


def slow_turn(turn: bool) -> int:
    return 0 if turn == RED else NUMBERS[0]


def key_after(line: str) -> int:
    board = Board()
    for move in line.split():
        board.push_iccs(move)
    return board.key


def test_orders_of_moves() -> None:
    """Quiet moves may change places; where a soldier is taken or not, and by whom, they may not."""
    key = key_after("h2e2 h9g7 b0c2 i9i8")
    assert key == key_after("b0c2 h9g7 h2e2 i9i8")
    assert key == key_after("b0c2 i9i8 h2e2 h9g7")
    assert key_after("a3a4 a6a5 a4a5 e9e8") != key_after("a3a4 e9e8 a4a5 a6a5")


def test_equal_positions_have_equal_keys_whatever_led_there() -> None:
    """Two red moves played in either order, Black's replies in between the same."""
    rng = random.Random(4)
    met = 0
    for board in chain.from_iterable(playout(rng, plies=200) for _ in range(6)):
        line = random_line(board, rng, plies=4)
        if len(line) < 4:
            continue
        first, reply, third, last = line
        swapped = board.copy()
        if not play(swapped, [third, reply, first, last]):
            continue
        straight = board.copy()
        assert play(straight, line)
        if straight.cells() == swapped.cells():
            met += 1
            assert straight.key == swapped.key
        else:
            assert straight.key != swapped.key
    assert met > 100


def random_line(board: Board, rng: random.Random, plies: int) -> list[Move]:
    work = board.copy()
    line: list[Move] = []
    while len(line) < plies and work.legal_moves:
        line.append(rng.choice(work.list_moves()))
        work.push(line[-1])
    return line


def play(board: Board, line: list[Move]) -> bool:
    """Play a line as far as it is legal; True if that was to the end."""
    for move in line:
        if not board.is_legal(move):
            return False
        board.push(move)
    return True


def test_a_move_there_and_back_restores_the_key() -> None:
    """Four plies with two pieces there and back: the same key, not the same clock."""
    board = Board()
    for move in ["h2h4", "h7h5", "h4h2", "h5h7"]:
        board.push_iccs(move)
    assert board.key == Board().key
    assert board.halfmove_clock == 4
    assert board.raw() != Board().raw()


def test_squares_of_the_kings_are_kept() -> None:
    board = Board()
    for move, red, black in [("e0e1", "e1", "e9"), ("e9e8", "e1", "e8"), ("e1f1", "f1", "e8")]:
        board.push_iccs(move)
        kings = board.king(RED), board.king(BLACK)
        assert kings == (parse_square(red), parse_square(black))
