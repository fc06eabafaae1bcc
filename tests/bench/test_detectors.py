"""The detectors of the bench agree with each other and with slow, obvious twins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bench import building, detecting
from bench.building import build
from xiangqi import STARTING_FEN, Board, IllegalMoveError, Move

if "PYTEST_XDIST_WORKER" not in os.environ:  # or else tests/conftest.py has done so for all
    build()

from bench.detectors import (
    REVERSIBLE_MOVES,
    CountingTable,
    Detector,
    KeyList,
    MoveChains,
    OpenFlag,
    Upcoming,
    Walk,
)

SHUFFLES = (
    "3k5/9/9/9/9/9/9/9/4A4/3AK4 w",  # advisors that change places
    "3k5/9/9/9/9/9/9/R8/R8/4K4 w",
    "4ka3/4a4/4b4/9/2b6/9/9/4B4/4A4/2BAK4 b",
    "3k5/9/4bn3/9/2b3n2/9/4N4/4B4/3NA4/4K4 w",  # legs and eyes to block
    "3k5/9/9/3PP4/2c6/9/3p1p3/4C4/4A4/4KA3 w",
)
LENGTH = 500


class Wanderer:
    """A random walk, with what stood on the way, as text and by the identity of the pieces."""

    def __init__(self, fen: str, seed: int) -> None:
        self.rng = Random(seed)
        self.walk = Walk(Board(fen))
        self.texts = [self.text()]
        self.identities = {
            square: square for square in range(90) if self.walk.board.piece_code_at(square)
        }
        self.placements = [self.identities]

    def text(self) -> str:
        return " ".join(self.walk.board.fen().split()[:2])

    def moves(self) -> list[Move]:
        return list(self.walk.board.legal_moves)

    def push(self, move: Move) -> None:
        self.walk.push(move)
        placed = dict(self.placements[-1])
        placed[move.to_square] = placed.pop(move.from_square)
        self.texts.append(self.text())
        self.placements.append(placed)

    def pop(self) -> None:
        self.walk.pop()
        self.texts.pop()
        self.placements.pop()

    def go(self) -> Iterator[None]:
        """Moves at random, many of them to and fro, some taken back; a step is a move."""
        while len(self.walk) < LENGTH:
            moves = self.moves()
            deep = len(self.texts) > 1
            if not moves or (deep and self.rng.random() < 0.25) or len(self.texts) > 100:
                self.pop()
            else:
                undoing = self.undoing_move()
                back = undoing in moves and self.rng.random() < 0.3
                self.push(undoing if back and undoing else self.rng.choice(moves))
                yield

    def undoing_move(self) -> Move | None:
        """The way back of the mover's last move."""
        if len(self.texts) < 3:
            return None
        last = self.walk.board.move_stack[-2]
        return Move(last.to_square, last.from_square)

    def repeats(self) -> bool:
        return self.texts[-1] in self.texts[:-1]

    def is_home(self) -> bool:
        """Has the same side to move and every piece, by its identity, where it was?"""
        return self.placements[-1] in self.placements[-3::-2]

    def can_repeat(self) -> bool:
        """Plays every legal move."""
        found = False
        for move in self.moves():
            self.walk.board.push(move)
            found |= self.text() in self.texts
            self.walk.board.pop()
        return found


def play(fen: str, moves: str, detector: Detector) -> list[bool]:
    walk = Walk(Board(fen))
    for move in moves.split():
        walk.push(Move.from_iccs(move))
    return walk.answers(detector)


@pytest.mark.parametrize("fen", [STARTING_FEN, *SHUFFLES])
@pytest.mark.parametrize("seed", range(3))
def test_detectors_agree_with_the_texts_of_the_positions(fen: str, seed: int) -> None:
    path = Wanderer(fen, seed)
    expected = [path.repeats() for _ in path.go()]
    for detector in (KeyList(), CountingTable(), OpenFlag()):
        assert path.walk.answers(detector) == expected, detector
    assert any(expected)


@pytest.mark.parametrize("fen", [STARTING_FEN, *SHUFFLES])
@pytest.mark.parametrize("seed", range(3))
def test_chains_of_moves_miss_only_like_pieces_that_changed_places(fen: str, seed: int) -> None:
    path = Wanderer(fen, seed)
    homes, repeats = [], []
    for _ in path.go():
        homes.append(path.is_home())
        repeats.append(path.repeats())
    assert path.walk.answers(MoveChains()) == homes
    assert all(repeat for home, repeat in zip(homes, repeats, strict=True) if home)


@pytest.mark.parametrize("fen", [STARTING_FEN, *SHUFFLES])
def test_an_upcoming_repetition_is_seen_if_a_legal_move_makes_it(fen: str) -> None:
    path = Wanderer(fen, 1)
    expected = [path.can_repeat() for _ in path.go()]
    assert path.walk.answers(Upcoming()) == expected
    assert any(expected)
    assert not all(expected)


EVERY = (KeyList(), CountingTable(), OpenFlag(), MoveChains())
CHARIOTS = "3k5/9/9/9/9/9/9/R8/R8/4K4 w"


@pytest.mark.parametrize("detector", EVERY, ids=lambda detector: type(detector).__name__)
def test_a_position_with_the_other_side_to_move_is_another_one(detector: Detector) -> None:
    """Three moves home against two: every piece is where it was, but the turn is not."""
    assert not any(play(CHARIOTS, "a2a3 d9d8 a3a4 d8d9 a4a2", detector))


def test_chariots_that_change_places_leave_their_chains_open() -> None:
    swap = "a2b2 d9d8 a1a2 d8d9 b2b1 d9d8 b1a1 d8d9"
    answers = play(CHARIOTS, f"{swap} {swap}", KeyList())
    assert next(ply for ply, answer in enumerate(answers, start=1) if answer) == 8
    chains = play(CHARIOTS, f"{swap} {swap}", MoveChains())
    assert [ply for ply, answer in enumerate(chains, start=1) if answer] == [16]


@pytest.mark.parametrize(
    ("piece", "fen", "moves", "expected"),
    [
        ("horse", "3k5/9/9/9/9/9/4N4/9/9/4K4 b", "e3g4", True),
        ("horse, its leg blocked", "3k5/9/9/9/9/5P3/4N4/9/9/4K4 b", "e3g4", False),
        ("cannon", "3k5/9/9/9/9/9/1C7/9/9/5K3 b", "b3b4 b4f4 f4f3", True),
        ("cannon, a piece between", "3k5/9/9/9/9/9/1C1P5/9/9/5K3 b", "b3b4 b4f4 f4f3", False),
        ("elephant", "3k5/9/9/9/9/9/9/4B4/9/5K3 b", "e2c4 c4a2 a2c0", True),
        ("elephant, its eye blocked", "3k5/9/9/9/9/9/9/4B4/3N5/5K3 b", "e2c4 c4a2 a2c0", False),
        ("soldier, sideways", "3k5/9/9/4P4/9/9/9/9/9/4K4 b", "e6f6", True),
        ("soldier, never back", "3k5/9/9/4P4/9/9/9/9/9/4K4 b", "e6e7", False),
        ("king", "3k5/9/9/9/9/9/9/9/9/4K4 b", "e0e1", True),
    ],
)
def test_the_way_back_must_be_free(piece: str, fen: str, moves: str, expected: bool) -> None:
    """Black's king comes home with its last move, so that only the first position can return."""
    red = moves.split()
    black = ("d9d8 d8d9" if len(red) == 1 else "d9d8 d8e8 e8e9 e9d9").split()
    line = " ".join(move for pair in zip(black, red, strict=False) for move in pair)
    assert play(fen, f"{line} {black[-1]}", Upcoming())[-1] == expected, piece


def test_the_table_has_every_reversible_move() -> None:
    """Counted on the empty board, a move and its way back as one."""
    files, ranks = 9, 10
    slides = ranks * files * (files - 1) // 2 + files * ranks * (ranks - 1) // 2
    jumps = 2 * (files - 1) * (ranks - 2) + 2 * (files - 2) * (ranks - 1)
    palace = 12 + 8  # straight and diagonal steps
    elephants = 2 * 3 * 7  # between all points of one bank, also those that none ever reaches
    soldiers = 5 * (files - 1)
    pieces = 2 * slides + jumps + palace + elephants + soldiers
    assert 2 * pieces == REVERSIBLE_MOVES


def test_moves_behind_a_walk_count_but_are_not_gone_back_over() -> None:
    board = Board(CHARIOTS)
    for move in ("a2a3", "d9d8", "a3a2"):
        board.push_iccs(move)
    walk = Walk(board)
    assert len(walk) == 0
    with pytest.raises(IndexError, match="no move to unmake"):
        walk.pop()
    walk.push(Move.from_iccs("d8d9"))
    assert len(walk) == 1
    for detector in EVERY:
        assert walk.answers(detector) == [False, False, False, True]
        assert walk.count_answers(detector, 1000) == 1000
    assert board.ply() == 3


def test_a_walk_refuses_what_it_cannot_hold() -> None:
    walk = Walk(Board(CHARIOTS))
    with pytest.raises(IllegalMoveError):
        walk.push(Move.from_iccs("a2i9"))
    there, back = Move.from_iccs("a2a3"), Move.from_iccs("d9d8")
    for ply in range(512):
        move = (there, back)[ply % 2]
        if ply % 4 >= 2:
            move = Move(move.to_square, move.from_square)
        walk.push(move)
    with pytest.raises(ValueError, match="expected at most"):
        walk.push(there)
    for detector in EVERY:
        assert sum(walk.answers(detector)) == 512 - 3


def test_the_bench_compares_every_detector_with_the_list() -> None:
    result = detecting.measure(1)
    assert len(result.rows) == 4 * len(detecting.BEHIND)
    assert all(row.theirs is not None and row.ours.median > 0 for row in result.rows)


def test_the_bench_says_so_if_the_detectors_cannot_be_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(building, "ROOT", Path(__file__).parent)
    result = detecting.measure(1)
    assert not result.rows
    assert "cannot be compiled" in result.notes[0]
