"""Legal moves, checks and pins by hand.

Most positions have the red king on d0 and the black one on f9, where they are out of each other's
way.
"""

import pytest

from tests.support.helpers import iccs, names, squares
from xiangqi import BLACK, RED, Board, IllegalMoveError, Move

# By hand: where a piece may go


def targets(fen: str, square: str) -> str:
    (origin,) = squares(square)
    moves = Board(fen).list_moves()
    return names(move.to_square for move in moves if move.from_square == origin)


@pytest.mark.parametrize(
    ("what", "fen", "square", "expected"),
    [
        # The open file
        ("a king may not face the other", *("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0", "d1")),
        ("with a piece in between it may", *("4k4/9/9/9/9/4p4/9/9/9/3K5 w", "d0", "e0 d1")),
        ("the only piece in between may not leave", *("4k4/9/9/9/9/9/4N4/9/9/4K4 w", "e3", "")),
        (
            "one of two may",
            *("4k4/9/9/4p4/9/9/4N4/9/9/4K4 w", "e3", "d1 f1 c2 g2 c4 g4 d5 f5"),
        ),
        (
            "along the file it may as well",
            *("4k4/9/9/9/9/9/4C4/9/9/4K4 w", "e3", "e1 e2 e4 e5 e6 e7 e8"),
        ),
        # The cannon
        (
            "a cannon takes over one piece of either side",
            *("5k3/9/n8/P8/9/9/9/9/9/C2K5 w", "a0", "b0 c0 a1 a2 a3 a4 a5 a7"),
        ),
        (
            "not over none",
            *("5k3/9/n8/9/9/9/9/9/9/C2K5 w", "a0", "b0 c0 a1 a2 a3 a4 a5 a6"),
        ),
        (
            "and not over two",
            *("5k3/9/n8/P8/p8/9/9/9/9/C2K5 w", "a0", "b0 c0 a1 a2 a3 a4"),
        ),
        (
            "nor a piece of its own",
            *("5k3/9/N8/P8/9/9/9/9/9/C2K5 w", "a0", "b0 c0 a1 a2 a3 a4 a5"),
        ),
        (
            "it takes on the rank as well, over its own king",
            *("5k3/9/9/9/9/9/9/9/9/C2K3n1 w", "a0", "b0 c0 h0 a1 a2 a3 a4 a5 a6 a7 a8 a9"),
        ),
        # The horse
        (
            "a horse has eight jumps",
            *("5k3/9/9/9/4N4/9/9/9/9/3K5 w", "e5", "d3 f3 c4 g4 c6 g6 d7 f7"),
        ),
        (
            "a piece on its north side takes two of them",
            *("5k3/9/9/4p4/4N4/9/9/9/9/3K5 w", "e5", "d3 f3 c4 g4 c6 g6"),
        ),
        (
            "a piece diagonally beside it takes none",
            *("5k3/9/9/3p1p3/4N4/3p1p3/9/9/9/3K5 w", "e5", "d3 f3 c4 g4 c6 g6 d7 f7"),
        ),
        (
            "shut in from all sides it has none",
            *("5k3/9/9/4P4/3pNp3/4P4/9/9/9/3K5 w", "e5", ""),
        ),
        ("in the corner it has two", *("5k3/9/9/9/9/9/9/9/9/3K4N w", "i0", "g1 h2")),
        ("over the edge there is nothing", *("5k3/9/9/9/8N/p8/9/9/9/3K5 w", "i5", "h3 g4 g6 h7")),
        # The elephant
        ("an elephant has four steps", *("5k3/9/9/9/9/9/9/4B4/9/3K5 w", "e2", "c0 g0 c4 g4")),
        (
            "a piece on its eye takes one of them",
            *("5k3/9/9/9/9/9/5p3/4B4/9/3K5 w", "e2", "c0 g0 c4"),
        ),
        ("it does not cross the river", *("5k3/9/9/9/9/2B6/9/9/9/3K5 w", "c4", "a2 e2")),
        ("nor does Black's", *("5k3/9/9/9/2b6/9/9/9/9/3K5 b", "c5", "a7 e7")),
        # The palace
        ("a king does not leave the palace", *("5k3/9/9/9/9/9/9/3K5/9/9 w", "d2", "d1 e2")),
        ("an advisor has four steps", *("5k3/9/9/9/9/9/9/9/4A4/4K4 w", "e1", "d0 f0 d2 f2")),
        ("and stays in the palace", *("5k3/9/9/9/9/9/9/5A3/9/3K5 w", "f2", "e1")),
        # The soldier
        ("a soldier goes ahead", *("5k3/9/9/9/9/2P6/9/9/9/3K5 w", "c4", "c5")),
        ("across the river also sideways", *("5k3/9/9/9/2P6/9/9/9/9/3K5 w", "c5", "b5 d5 c6")),
        ("at the edge to one side only", *("5k3/9/9/9/P8/9/9/9/9/3K5 w", "a5", "b5 a6")),
        ("never back, on the last rank either", *("2P2k3/9/9/9/9/9/9/9/9/3K5 w", "c9", "b9 d9")),
        ("Black's go the other way", *("5k3/9/9/9/9/2p6/9/9/9/3K5 b", "c4", "c3 b4 d4")),
        # The chariot
        (
            "a chariot goes up to its own pieces and takes the enemy's",
            *("5k3/9/9/9/2p6/9/2R2P3/9/9/3K5 w", "c3", "c0 c1 c2 a3 b3 d3 e3 c4 c5"),
        ),
        # Pins
        (
            "a chariot shielding its king from a chariot moves along the file",
            *("3r1k3/9/9/9/3R5/9/9/9/9/3K5 w", "d5", "d1 d2 d3 d4 d6 d7 d8 d9"),
        ),
        (
            "behind a second shield it is free",
            *(
                "3r1k3/9/9/3p5/3R5/9/9/9/9/3K5 w",
                "d5",
                "d1 d2 d3 d4 a5 b5 c5 e5 f5 g5 h5 i5 d6",
            ),
        ),
        ("a horse in the same place may not move", *("3r1k3/9/9/9/3N5/9/9/9/9/3K5 w", "d5", "")),
        (
            "one of two pieces between a cannon and the king may not leave",
            *("3c1k3/9/9/9/3N5/9/9/3A5/9/3K5 w", "d5", ""),
        ),
        ("nor may the other", *("3c1k3/9/9/9/3N5/9/9/3A5/9/3K5 w", "d2", "")),
        (
            "of three any may",
            *("3c1k3/9/3p5/9/3N5/9/9/3A5/9/3K5 w", "d5", "c3 e3 b4 f4 b6 f6 c7 e7"),
        ),
        (
            "a piece on the leg of a horse that would check may not leave",
            *("5k3/9/9/9/9/9/9/4n4/4A4/3K5 w", "e1", ""),
        ),
        (
            "except to take that horse",
            *("5k3/9/9/9/9/9/9/4n4/4R4/3K5 w", "e1", "e2"),
        ),
        (
            "a horse that does not aim at the king binds nobody",
            *("5k3/9/9/9/9/9/4n4/9/4A4/3K5 w", "e1", "f0 d2 f2"),
        ),
        # The hollow cannon
        (
            "between a bare cannon and the king nobody may stand",
            *(
                "3c1k3/9/9/9/R8/9/9/9/9/3K5 w",
                "a5",
                "a0 a1 a2 a3 a4 b5 c5 e5 f5 g5 h5 i5 a6 a7 a8 a9",
            ),
        ),
        (
            "in front of two mounts anybody may",
            *(
                "3c1k3/9/3n5/3n5/R8/9/9/9/9/3K5 w",
                "a5",
                "a0 a1 a2 a3 a4 b5 c5 d5 e5 f5 g5 h5 i5 a6 a7 a8 a9",
            ),
        ),
        (
            "a soldier may not step in front of a bare cannon",
            *("3c1k3/9/4P4/9/9/9/9/9/9/3K5 w", "e7", "f7 e8"),
        ),
        # Out of check
        (
            "a king in check from a chariot does not flee along the file",
            *("4k4/4r4/9/9/9/9/9/9/4K4/9 w", "e1", "d1 f1"),
        ),
        (
            "it takes the piece that checks",
            *("5k3/9/9/9/9/9/9/9/3r5/3K5 w", "d0", "e0 d1"),
        ),
        (
            "unless that is protected",
            *("3r1k3/9/9/9/9/9/9/9/3r5/3K5 w", "d0", "e0"),
        ),
        (
            "or protected by the other king",
            *("3k5/9/9/9/9/9/9/9/3r5/3K5 w", "d0", "e0"),
        ),
    ],
)
def test_targets_of_each_piece(what: str, fen: str, square: str, expected: str) -> None:
    assert targets(fen, square) == expected, what


# By hand: all moves in check


@pytest.mark.parametrize(
    ("what", "fen", "expected"),
    [
        (
            "check from a chariot: take it, stand in between, or step aside",
            "3r1k3/9/9/R8/9/9/9/9/9/3K5 w",
            "a6d6 d0e0",
        ),
        (
            "a chariot that can do both",
            "R2r1k3/9/9/9/9/9/9/9/1R7/3K5 w",
            "a9d9 b1d1 d0e0",
        ),
        (
            "check from a cannon over an own horse: the mount leaves, or a second one comes",
            "3c1k3/9/9/3N5/9/9/R8/9/9/3K5 w",
            "a3d3 d0e0 d6b5 d6b7 d6c4 d6c8 d6e4 d6e8 d6f5 d6f7",
        ),
        (
            "over an enemy soldier: taking the mount is no help, taking the cannon is",
            "R2c1k3/9/9/9/R2p5/9/9/9/9/3K5 w",
            "a9d9 d0e0",
        ),
        (
            "check from a horse: take it, or stand on its leg",
            "5k3/9/9/9/9/9/9/R3n4/R8/3K5 w",
            "a1e1 a2e2 d0d1 d0e0",
        ),
        (
            "check from a soldier: take it or leave",
            "5k3/9/9/9/9/9/9/9/R2p5/3K5 w",
            "a1d1 d0d1 d0e0",
        ),
        (
            "double check from chariot and horse: only the king can help",
            "3r1k3/9/9/R8/9/9/9/R3n4/9/3K5 w",
            "d0e0",
        ),
        (
            "from a chariot and the cannon behind it: one piece in between ends both",
            "5k3/9/3c5/9/R2r5/9/R8/9/9/3K5 w",
            "a3d3 d0e0",
        ),
        (
            "mate by two chariots",
            "5k3/9/9/9/9/9/9/9/r8/r2K5 w",
            "",
        ),
    ],
)
def test_moves_out_of_check(what: str, fen: str, expected: str) -> None:
    board = Board(fen)
    assert board.is_check()
    assert " ".join(iccs(board.list_moves())) == expected, what
    assert " ".join(iccs(board.list_moves("evasions"))) == expected


# By hand: giving check


@pytest.mark.parametrize(
    ("what", "fen", "move", "check"),
    [
        ("a chariot checks on the open file", "5k3/9/9/9/R8/9/9/9/9/3K5 w", "a5f5", True),
        ("not through a piece", "5k3/5n3/9/9/R8/9/9/9/9/3K5 w", "a5f5", False),
        ("a cannon checks over one piece", "5k3/5n3/9/9/C8/9/9/9/9/3K5 w", "a5f5", True),
        ("not over none", "5k3/9/9/9/C8/9/9/9/9/3K5 w", "a5f5", False),
        ("nor over two", "5k3/5n3/5n3/9/C8/9/9/9/9/3K5 w", "a5f5", False),
        ("a horse checks over its free leg", "5k3/9/9/2N6/9/9/9/9/9/3K5 w", "c6e7", True),
        ("not over a blocked one", "5k3/4n4/9/2N6/9/9/9/9/9/3K5 w", "c6e7", False),
        ("a soldier checks ahead", "5k3/9/5P3/9/9/9/9/9/9/3K5 w", "f7f8", True),
        ("and sideways", "9/5k3/3P5/9/9/9/9/9/9/3K5 w", "d7d8", False),
        ("once beside the king", "9/5k3/4P4/9/9/9/9/9/9/3K5 w", "e7e8", True),
        ("a piece unveils a chariot", "5k3/9/5N3/9/5R3/9/9/9/9/3K5 w", "f7d6", True),
        ("a piece steps between cannon and king", "5k3/9/9/N8/5C3/9/9/9/9/3K5 w", "a6c7", False),
        ("as its mount", "5k3/9/9/3N5/5C3/9/9/9/9/3K5 w", "d6f7", True),
        ("a piece leaves the leg of a horse", "5k3/4C4/4N4/9/9/9/9/9/9/3K5 w", "e8a8", True),
        ("and does not leave it", "5k3/3C5/4N4/9/9/9/9/9/9/3K5 b", "f9f8", False),
        ("a mount leaves and one is left", "5k3/5N3/5R3/9/5C3/9/9/9/9/3K5 w", "f7a7", True),
        ("who takes a mount is one", "5k3/5n3/R4n3/9/5C3/9/9/9/9/3K5 w", "a7f7", False),
        ("the king was one of two mounts", "4k4/9/9/9/4N4/9/9/9/4K4/4C4 w", "e1d1", True),
        ("the king was one of three", "4k4/9/9/4N4/4N4/9/9/9/4K4/4C4 w", "e1d1", False),
    ],
)
def test_giving_check(what: str, fen: str, move: str, check: bool) -> None:
    board = Board(fen)
    assert board.gives_check(board.parse_iccs(move)) == check, what


def test_gives_check_asks_for_a_legal_move() -> None:
    with pytest.raises(IllegalMoveError, match="cannot reach"):
        Board().gives_check(Move.from_iccs("a0a5"))


# The end


def test_stalemate_is_no_way_out() -> None:
    """The side that is not in check but cannot move has no move at all."""
    board = Board("3k5/4P4/9/9/9/9/9/9/9/4K4 b")
    assert not board.is_check()
    assert not board.has_legal_move()
    assert board.list_moves() == board.list_moves("captures") == board.list_moves("quiets") == []
    assert (board.is_stalemate(), board.is_checkmate()) == (True, False)


def test_one_free_soldier_ends_the_stalemate() -> None:
    board = Board("3k5/4P4/9/9/9/9/p8/9/9/4K4 b")
    assert iccs(board.list_moves()) == ["a3a2", "a3b3"]
    assert not board.is_stalemate()


# Attackers and pins by hand


def test_attackers_of_any_square() -> None:
    """Attackers of an empty square, of an enemy's, and of an own one, which they protect."""
    board = Board("3k5/9/9/9/4p4/9/4R3R/9/4K4/9 w")
    assert names(board.attackers(RED, *squares("e5"))) == "e3"
    assert names(board.attackers(RED, *squares("g3"))) == "e3 i3"
    assert names(board.attackers(RED, *squares("e3"))) == "i3"
    assert names(board.attackers(BLACK, *squares("e4"))) == "e5"


def test_a_cannon_attacks_over_its_mount_only() -> None:
    board = Board("3k5/9/9/9/4p4/9/C3P4/9/4K4/9 w")
    assert names(board.attackers(RED, *squares("g3"))) == "a3"
    assert names(board.attackers(RED, *squares("c3"))) == ""


def test_the_facing_king_is_no_attacker_of_a_square_but_checks() -> None:
    """It could never be used to capture; still a king may not stand where it would face it."""
    board = Board("4k4/9/9/9/9/9/9/4N4/9/4K4 w")
    assert names(board.attackers(BLACK, *squares("e2"))) == ""
    assert names(board.pinned(RED)) == "e2"
    assert names(board.pinned(BLACK)) == ""


@pytest.mark.parametrize(
    ("what", "fen", "pinned"),
    [
        ("in front of a chariot", "3r1k3/9/9/9/3R5/9/9/9/9/3K5 w", "d5"),
        ("two in front of a chariot are free", "3r1k3/9/9/9/3R5/9/9/3A5/9/3K5 w", ""),
        ("two in front of a cannon are both bound", "3c1k3/9/9/9/3R5/9/9/3A5/9/3K5 w", "d2 d5"),
        ("one and an enemy's one", "3c1k3/9/9/9/3n5/9/9/3A5/9/3K5 w", "d2"),
        ("on a horse's leg", "5k3/9/9/9/9/9/9/4n4/4A4/3K5 w", "e1"),
        ("in check, but not because of it", "3r1k3/9/9/9/9/9/9/9/4A4/3K5 w", ""),
        ("in check over a mount, which may leave", "3c1k3/9/9/9/3R5/9/9/9/4A4/3K5 w", ""),
    ],
)
def test_pinned_by_hand(what: str, fen: str, pinned: str) -> None:
    """The pieces without which something more would attack the king."""
    assert names(Board(fen).pinned(RED)) == pinned, what
