"""The oracle's own tests: counts, hand-made positions, and for each rule a pair that differs in it.

Most positions have the red king on d0 and the black one on f9, where they are out of the way.
"""

import pytest

from tests.oracle.game import (
    BLACK,
    RED,
    apply,
    checkers,
    is_check,
    legal_moves,
    perft,
    pseudo_legal_moves,
    read_fen,
    write_fen,
)
from tests.oracle.judge import Choices, judge, name_pieces, names_at, replay, verdict_of_levels
from tests.oracle.see import exchange_value
from tests.oracle.threats import find_candidates

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


# The game


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        (START, [1, 44, 1920]),
        ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", [1, 38, 1128]),
    ],
)
def test_perft(fen: str, counts: list[int]) -> None:
    """The published numbers of move sequences."""
    assert [perft(read_fen(fen), depth) for depth in range(3)] == counts


def test_fen_round_trip() -> None:
    """E and H are the same as B and N, r is the same as w, and what is written reads the same."""
    assert write_fen(read_fen(START)) == START
    other = START.replace("n", "h").replace("b", "e").replace("N", "H").replace("B", "E")
    assert write_fen(read_fen(other.replace(" w ", " r "))) == START


@pytest.mark.parametrize(
    "fen",
    [
        "4k4/9/9/9/9/9/9/9/9/4K4",
        "4k4/9/9/9/9/9/9/9/4K4 w",
        "4k4/9/9/9/9/9/9/9/8/4K4 w",
        "4k4/9/9/9/9/9/9/9/9/4K3X w",
        "4k4/9/9/9/9/9/9/9/9/9 w",
        "4k4/9/9/9/9/9/9/9/9/4K4 x",
    ],
)
def test_bad_fen(fen: str) -> None:
    """No side, nine rows, a short row, an unknown letter, a missing king, an unknown side."""
    with pytest.raises(ValueError, match="FEN"):
        read_fen(fen)


def moves_from(fen: str, square: str) -> list[str]:
    """Legal targets of the piece on one square."""
    return [move[2:] for move in legal_moves(read_fen(fen)) if move[:2] == square]


@pytest.mark.parametrize(
    ("what", "fen", "square", "targets"),
    [
        ("a pawn that has not crossed goes ahead", "5k3/9/9/9/9/4P4/9/9/9/3K5 w", "e4", "e5"),
        ("a crossed pawn also sideways", "5k3/9/9/9/4P4/9/9/9/9/3K5 w", "e5", "d5 e6 f5"),
        ("a pawn on the last row only sideways", "4P4/3k5/9/9/9/9/9/9/9/5K3 w", "e9", "d9 f9"),
        ("a black pawn goes down", "5k3/9/9/9/9/4p4/9/9/9/3K5 b", "e4", "d4 e3 f4"),
        ("an elephant, one eye blocked", "5k3/9/9/9/9/9/9/4B4/3P5/3K5 w", "e2", "c4 g0 g4"),
        ("an elephant does not cross", "5k3/9/9/9/9/4B4/9/9/9/3K5 w", "e4", "c2 g2"),
        ("an advisor stays in", "5k3/9/9/9/9/9/9/9/4A4/3K5 w", "e1", "d2 f0 f2"),
        ("a horse with one leg blocked", "5k3/9/9/9/9/1P7/N8/9/9/3K5 w", "a3", "b1 b5 c2 c4"),
        ("the same horse, blocked", "5k3/9/9/9/9/9/NP7/9/9/3K5 w", "a3", "b1 b5"),
        ("a cannon takes over one, not two", "5k3/9/n8/p8/9/9/9/9/R8/C2K5 w", "a0", "a6 b0 c0"),
        (
            "a cannon goes up to its mount",
            "5k3/9/n8/9/9/p8/9/9/9/C2K5 w",
            "a0",
            "a1 a2 a3 a7 b0 c0",
        ),
        ("a king may not face the king", "4k4/9/9/9/9/9/9/9/9/3K5 w", "d0", "d1"),
        ("nor be unveiled to it", "4k4/9/9/9/9/9/4N4/9/9/4K4 w", "e3", ""),
    ],
)
def test_movement(what: str, fen: str, square: str, targets: str) -> None:
    """Each kind of piece, with what stops it."""
    assert moves_from(fen, square) == targets.split(), what


def test_checkers() -> None:
    """A chariot, a horse with a free leg and the facing king check; a blocked horse does not."""
    assert checkers(read_fen("3k5/9/9/9/9/9/9/5n3/9/3rK4 w"), RED) == ["d0", "f2"]
    assert checkers(read_fen("3k5/9/9/9/9/9/9/5n3/5P3/4K4 w"), RED) == []
    facing = read_fen("4k4/9/9/9/9/9/9/9/9/4K4 w")
    assert checkers(facing, RED) == ["e9"]
    assert checkers(facing, BLACK) == ["e0"]
    assert is_check(facing)


def test_moves_are_sorted_and_apply_copies() -> None:
    """Moves come sorted, and playing one leaves the old position alone."""
    start = read_fen(START)
    assert pseudo_legal_moves(start) == sorted(legal_moves(start))
    after = apply(start, "h2e2")
    assert (write_fen(start), after.side) == (START, BLACK)
    with pytest.raises(ValueError, match="no red piece"):
        apply(start, "h7e7")


# Exchange


VALUES = {"K": 10_000, "R": 10, "C": 5, "N": 4, "B": 2, "A": 2, "P": 1}


@pytest.mark.parametrize(
    ("what", "fen", "move", "gain"),
    [
        ("nothing takes back", "5k3/9/9/9/p8/9/9/9/9/R2K5 w", "a0a5", 1),
        ("a chariot for a pawn", "r4k3/9/9/9/p8/9/9/9/9/R2K5 w", "a0a5", -9),
        ("a chariot behind it keeps the pawn", "r4k3/9/9/9/p8/9/9/9/R8/R2K5 w", "a1a5", 1),
        ("the chariot was the cannon's mount", "r4k3/9/9/9/p8/9/9/R8/9/C2K5 w", "a2a5", -9),
        ("so the cannon goes first", "r4k3/9/9/9/p8/9/9/R8/9/C2K5 w", "a0a5", 1),
        ("a taker becomes the cannon's mount", "r4k3/p8/9/9/9/9/9/9/9/C2K4R w", "i0i8", 0),
        ("a quiet move to a square under attack", "r4k3/9/9/9/8R/9/9/9/9/3K5 w", "i5a5", -10),
        ("the king takes back", "4k4/4p4/9/9/9/9/9/9/4R4/3K5 w", "e1e8", -9),
        ("not where it would be taken", "4k4/4p4/9/9/9/9/9/9/4R4/3KR4 w", "e1e8", 1),
        ("the horse takes back, not the chariot", "r4k3/9/9/2n6/pP7/2N6/9/9/9/3K5 w", "b5a5", 0),
        ("the taker has opened the horse's leg", "3k5/9/9/9/9/9/9/3p5/4An3/4K4 w", "e1d2", -1),
    ],
)
def test_exchange(what: str, fen: str, move: str, gain: int) -> None:
    """The net gain of a capture, the board being looked at anew after each one."""
    assert exchange_value(read_fen(fen), move, VALUES) == gain, what


# Threats: each pair of positions differs in the clause named


def reasons(fen: str, move: str, reply: str, **choices: str) -> dict[str, str]:
    """Attacker and victim -> reason, for the ply `move` answered by `reply`."""
    replay(fen, [move, reply])  # refuses illegal moves
    found = find_candidates(read_fen(fen), move, reply, Choices(**choices))  # type: ignore[arg-type]
    return {candidate.attacker + candidate.victim: candidate.reason for candidate in found}


@pytest.mark.parametrize(
    ("what", "fen", "move", "reply", "pair", "reason"),
    [
        (
            "a pawn on its own half may be chased",
            *("5k3/9/9/p8/9/9/9/9/9/3K4R w", "i0i6", "f9f8", "i6a6", "uncrossed_pawn"),
        ),
        (
            "a pawn across the river is a victim",
            *("5k3/9/9/9/9/p8/9/9/9/3K4R w", "i0i4", "a4a3", "i4a4", "chase"),
        ),
        (
            "a pawn may chase a horse",
            *("5k3/9/3n5/4P4/9/9/9/9/9/3K5 w", "e6d6", "d7b8", "d6d7", "king_or_pawn"),
        ),
        (
            "a chariot in its place may not",
            *("5k3/9/3n5/4R4/9/9/9/9/9/3K5 w", "e6d6", "d7b8", "d6d7", "chase"),
        ),
        (
            "a king may chase a horse",
            *("4k4/9/4b4/9/9/9/9/9/4n4/3K5 w", "d0d1", "e1g2", "d1e1", "king_or_pawn"),
        ),
        (
            "a pawn that unveils a chariot makes the chariot chase",
            *("5k3/9/9/9/RP3n3/9/9/9/9/3K5 w", "b5b6", "f5g7", "a5f5", "chase"),
        ),
        (
            "a chariot pinned to its king cannot take sideways",
            *("3r1k3/9/9/9/n8/3R5/9/9/9/3K5 w", "d4d5", "a5b7", "d5a5", "pinned"),
        ),
        (
            "nothing pins it here",
            *("5k3/9/9/9/n8/3R5/9/9/9/3K5 w", "d4d5", "a5b7", "d5a5", "chase"),
        ),
        (
            "along its pin it attacks, and here the other chariot could take it",
            *("3r1k3/9/9/9/n8/3R5/9/9/9/3K5 w", "d4d5", "a5b7", "d5d9", "exchange"),
        ),
        (
            "two chariots face each other: an offer",
            *("4k4/9/9/9/3r5/9/9/9/9/R2R1K3 w", "a0a5", "e9e8", "a5d5", "exchange"),
        ),
        (
            "but a chariot pinned on the file cannot take the other",
            *("3k5/9/9/9/3r5/9/9/9/9/R2R1K3 w", "a0a5", "d9e9", "a5d5", "chase"),
        ),
        (
            "two horses see each other: an offer",
            *("5k3/9/9/3n5/N8/9/9/9/9/3K5 w", "a5c4", "d6b7", "c4d6", "exchange"),
        ),
        (
            "one of them has its leg blocked",
            *("5k3/9/9/3n5/N2p5/9/9/9/9/3K5 w", "a5c4", "d6b7", "c4d6", "chase"),
        ),
        (
            "a chariot attacks a protected horse",
            *("r4k3/9/9/9/n8/9/9/9/9/3K4R w", "i0i5", "a5b7", "i5a5", "protected"),
        ),
        (
            "the king protects as well",
            *("5k3/5n3/9/9/9/9/9/9/9/3K4R w", "i0i8", "f8g6", "i8f8", "protected"),
        ),
        (
            "but not where a pawn would take it in turn",
            *("5k3/4Pn3/9/9/9/9/9/9/9/3K4R w", "i0i8", "f8g6", "i8f8", "chase"),
        ),
        (
            "a cannon attacks a protected horse",
            *("r4k3/9/9/9/n3p4/9/9/8C/9/3K5 w", "i2i5", "a5b7", "i5a5", "protected"),
        ),
        (
            "protection does not save a chariot from a cannon",
            *("r4k3/9/9/9/r3p4/9/9/8C/9/3K5 w", "i2i5", "a5a4", "i5a5", "chase"),
        ),
        (
            "the elephant protects the cannon",
            *("4k4/4a4/4b4/9/6c2/8R/9/9/9/3K5 w", "i4i5", "g5g4", "i5g5", "protected"),
        ),
        (
            "pinned by a cannon it is a false root",
            *("4k4/4a4/4b4/9/6c2/8R/9/4C4/9/3K5 w", "i4i5", "g5g4", "i5g5", "chase"),
        ),
        (
            "the attacker is the only mount of the cannon behind it, so that is no root",
            *("c4k3/9/9/6R2/9/9/n8/9/9/3K5 w", "g6a6", "a3b5", "a6a3", "chase"),
        ),
        (
            "with another mount behind the attacker it is one",
            *("c4k3/p8/9/6R2/9/9/n8/9/9/3K5 w", "g6a6", "a3b5", "a6a3", "protected"),
        ),
        (
            "a chariot that steps along the file attacked before",
            *("5k3/9/9/9/n8/9/9/9/9/R2K5 w", "a0a1", "a5b7", "a1a5", "stood_before"),
        ),
        (
            "a chariot that comes to the file did not",
            *("5k3/9/9/9/n8/9/9/9/9/1R1K5 w", "b0a0", "a5b7", "a0a5", "chase"),
        ),
        (
            "the root looked through the resting attacker: blocking it is no chase",
            *("5k3/9/n8/9/R8/2N6/9/r8/9/3K5 w", "c4a3", "a7c8", "a5a7", "line_exempt"),
        ),
        (
            "the root stood on another line: blocking it is one",
            *("5k3/9/n3r4/9/R2N5/9/9/9/9/3K5 w", "d5c7", "a7c8", "a5a7", "chase"),
        ),
        (
            "the root itself stays, and a chariot protects through the attacker",
            *("5k3/9/n8/9/R8/9/9/r8/9/3K5 w", "a5a6", "a7c8", "a6a7", "protected"),
        ),
        (
            "nobody answers the threat",
            *("5k3/9/9/9/n8/9/9/9/9/1R1K5 w", "b0a0", "f9f8", "a0a5", "unanswered"),
        ),
        (
            "a step on the same file is no answer",
            *("5k3/9/9/9/c8/9/9/9/9/1R1K5 w", "b0a0", "a5a6", "a0a5", "unanswered"),
        ),
        (
            "protecting the piece is one",
            *("5k2r/9/9/9/n8/9/9/9/9/1R1K5 w", "b0a0", "i9i5", "a0a5", "chase"),
        ),
        (
            "and so is a check that the capture does not end",
            *("5k3/8r/9/9/n8/9/9/9/9/1R1K5 w", "b0a0", "i8d8", "a0a5", "chase"),
        ),
    ],
)
def test_reason(what: str, fen: str, move: str, reply: str, pair: str, reason: str) -> None:
    """One attack and what it is: mostly in pairs, one that is a chase and one that is not."""
    assert reasons(fen, move, reply).get(pair, "") == reason, what


def test_dismissed_attacks_are_listed() -> None:
    """All attacks after the ply are there, sorted, also those that are none of this ply's doing."""
    found = reasons("5k3/9/9/4n4/p3R3p/9/9/9/9/3K5 w", "e5d5", "e6g7")
    assert list(found.items()) == [("d5a5", "uncrossed_pawn"), ("d5i5", "uncrossed_pawn")]


def test_check_has_no_candidates() -> None:
    """A move that checks is a check only, even if it attacks a piece as well."""
    ply = ("5k2n/9/9/9/9/9/9/9/9/3K2R2 w", "g0g9", "f9f8")
    assert reasons(*ply) == {}
    assert reasons(*ply, checking_move="check_and_chase") == {"g9i9": "unanswered"}


# What is open, each choice against its default


def test_choice_new_threat() -> None:
    """A second chariot joins in: new as a pair, not new for the victim."""
    fen = "5k3/9/9/9/n8/9/9/9/9/R2K4R w"
    assert reasons(fen, "i0i5", "a5b7")["i5a5"] == "chase"
    assert reasons(fen, "i0i5", "a5b7", new_threat="victim")["i5a5"] == "stood_before"


def test_choice_answered() -> None:
    """The horse flees from one chariot into the line of another: is the first answered?"""
    ply = ("5k3/9/9/9/n8/9/9/9/9/1RRK5 w", "b0a0", "a5c6")
    assert reasons(*ply)["a0a5"] == "chase"
    assert reasons(*ply, answered="victim")["a0a5"] == "unanswered"


def test_choice_check_escape() -> None:
    """The king leaves a check: the chariot's attack was there all the time, or is made by it."""
    fen = "3r1k3/9/9/9/n7R/9/9/9/9/3K5 w"
    assert reasons(fen, "d0e0", "a5b7")["i5a5"] == "stood_before"
    assert reasons(fen, "d0e0", "a5b7", check_escape="new")["i5a5"] == "chase"


def test_choice_check_escape_line() -> None:
    """The line exemption compares with the position before in the same way.

    The chariot that steps between king and checker was the mount of the cannon that protected the
    horse through the other chariot.
    """
    ply = ("3r1k3/9/n8/9/R8/9/R8/c8/9/3K5 w", "a3d3", "a7c8")
    assert reasons(*ply)["a5a7"] == "line_exempt"
    assert reasons(*ply, check_escape="new")["a5a7"] == "chase"


def test_choice_legality() -> None:
    """A pinned attacker threatens and a pinned defender protects if the kings are not looked at."""
    pinned = ("3r1k3/9/9/9/n8/3R5/9/9/9/3K5 w", "d4d5", "a5b7")
    assert reasons(*pinned, legality="pseudo")["d5a5"] == "chase"
    false_root = ("4k4/4a4/4b4/9/6c2/8R/9/4C4/9/3K5 w", "i4i5", "g5g4")
    assert reasons(*false_root, legality="pseudo")["i5g5"] == "protected"


def test_choice_minor_attackers() -> None:
    """An advisor attacks a protected cannon."""
    ply = ("3k1r3/9/9/9/9/9/9/5c3/9/3AK4 w", "d0e1", "f2i2")
    assert reasons(*ply)["e1f2"] == "protected"
    assert reasons(*ply, minor_attackers="profit")["e1f2"] == "chase"


def test_choices_are_checked() -> None:
    """A value that no choice offers is refused."""
    with pytest.raises(ValueError, match="new_threat 'piece'"):
        Choices(new_threat="piece")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="occurrences 1"):
        Choices(occurrences=1)


# The judge


CHECKING = ("5k3/9/9/9/9/9/9/9/9/3KR4 w", "e0f0 f9e9 f0e0 e9f9")
CHASING = ("3k5/9/9/9/1c7/9/9/9/9/R4K3 w", "a0b0 b5a5 b0a0 a5b5")
STANDING = ("7c1/3k5/3C4b/6p2/6N2/2r5c/9/1N1A5/4A4/3K5 w", "d0e0 c4e4 e0d0 e4c4")
MUTUAL = ("3akab2/c2R1R2c/4b4/9/9/9/9/4B4/4K4/2B6 w", "f8f6 f9e8 f6f8 e8f9")


def mirror(text: str) -> str:
    """The same move with left and right exchanged."""
    return "".join("ihgfedcba"["abcdefghi".index(c)] if c.isalpha() else c for c in text)


def turn(text: str) -> str:
    """The same move seen from the other side of the board."""
    return "".join(str(9 - int(c)) if c.isdigit() else c for c in text)


def mirrored_fen(fen: str) -> str:
    """The same position with left and right exchanged."""
    placement, side = fen.split()
    return "/".join(row[::-1] for row in placement.split("/")) + " " + side


def turned_fen(fen: str) -> str:
    """The same position with the colours exchanged."""
    placement, side = fen.split()
    rows = placement.swapcase().split("/")
    return "/".join(reversed(rows)) + (" b" if side == "w" else " w")


@pytest.mark.parametrize(
    ("case", "verdict", "red", "black"),
    [
        (CHECKING, "black_wins", "check", "idle"),
        (CHASING, "black_wins", "chase", "idle"),
        (STANDING, "draw", "idle", "idle"),
        (MUTUAL, "draw", "chase", "chase"),
    ],
)
def test_judge(case: tuple[str, str], verdict: str, red: str, black: str) -> None:
    """The verdict at every phase of the cycle, mirrored, turned over, and after a further round."""
    fen, cycle = case[0], case[1].split()
    turned_verdict = {"black_wins": "red_wins", "red_wins": "black_wins"}.get(verdict, verdict)
    for phase in range(len(cycle)):
        for rounds in (2, 3):
            moves = cycle * rounds + cycle[:phase]
            found = judge(fen, moves)
            assert (found.verdict, found.red, found.black) == (verdict, red, black)
            assert found.window == (len(moves) - 8, len(moves) - 1)
            assert found.occurrences == rounds + 1
            found = judge(mirrored_fen(fen), [mirror(move) for move in moves])
            assert (found.verdict, found.red, found.black) == (verdict, red, black)
            found = judge(turned_fen(fen), [turn(move) for move in moves])
            assert (found.verdict, found.red, found.black) == (turned_verdict, black, red)


def test_undecided() -> None:
    """Twice is not enough, the occurrences are counted all the same; no moves are once."""
    fen, cycle = CHASING[0], CHASING[1].split()
    found = judge(fen, cycle)
    assert (found.verdict, found.red, found.black) == ("undecided", None, None)
    assert (found.occurrences, found.window, found.plies) == (2, None, [])
    assert judge(fen, []).occurrences == 1
    assert judge(fen, cycle, Choices(occurrences=2)).verdict == "black_wins"


def test_facts_of_a_chase() -> None:
    """The victim is named by its square at the window's start, wherever it has gone since."""
    found = judge(CHASING[0], CHASING[1].split() * 2)
    assert found.red_victims == {"b5"}
    assert not found.black_victims
    assert [facts.ply for facts in found.plies] == list(range(8))
    red = [facts for facts in found.plies if facts.side == RED]
    assert [facts.victims for facts in red] == [{"b5"}] * 4
    assert [c.victim for facts in red for c in facts.candidates] == ["b5", "a5"] * 2


def test_reply_to_the_last_ply() -> None:
    """The last ply is answered by what was played the last time, so it is a chase as before."""
    found = judge(CHASING[0], [*CHASING[1].split() * 2, "a0b0", "b5a5", "b0a0"])
    assert found.plies[-1].move == "b0a0"
    assert found.plies[-1].victims == found.red_victims == {"a5"}


def test_window_counts_backwards() -> None:
    """An idle round before the two rounds of chase is outside the window of three occurrences."""
    moves = ["a0a1", "d9d8", "a1a0", "d8d9", *CHASING[1].split() * 2]
    found = judge(CHASING[0], moves)
    assert (found.window, found.occurrences, found.red) == ((4, 11), 4, "chase")
    found = judge(CHASING[0], moves, Choices(occurrences=4))
    assert (found.window, found.occurrences, found.red) == ((0, 11), 4, "idle")


def test_choice_levels() -> None:
    """Chases and even checks that are not punished are idle, but their facts are reported."""
    for case, level in ((CHECKING, "check"), (CHASING, "chase")):
        moves = case[1].split() * 2
        only_check = judge(case[0], moves, Choices(levels="check"))
        nothing = judge(case[0], moves, Choices(levels="none"))
        assert only_check.red == ("check" if level == "check" else "idle")
        assert nothing.red == "idle"
        assert not nothing.red_victims
        assert nothing.plies == judge(case[0], moves).plies


def test_choice_common_victim() -> None:
    """Two mutual chases mixed: no victim lasts, but each two plies of Black share one."""
    lead = ["d8d6", "d9e8"]
    cycle = ["d6d8", "e8d9", "f8f6", "f9e8", "f6f8", "e8f9", "d8d6", "d9e8"]
    found = judge(MUTUAL[0], lead + cycle * 2)
    assert (found.verdict, found.red, found.black) == ("draw", "idle", "idle")
    found = judge(MUTUAL[0], lead + cycle * 2, Choices(common_victim="successive"))
    assert (found.verdict, found.red, found.black) == ("red_wins", "idle", "chase")
    assert found.black_victims == {"d6", "f8"}


def test_choice_identity() -> None:
    """Two chariots change places: the names go along with them, or start anew with the position."""
    fen = "5k3/9/9/9/9/9/9/9/9/RR1K5 w"
    moves = ["a0a1", "f9f8", "b0a0", "f8f9", "a1b1", "f9f8", "b1b0", "f8f9"]
    positions = replay(fen, moves)
    assert positions[-1] == positions[0]
    start = name_pieces(positions[0])
    by_piece = names_at(positions, moves, Choices())[-1]
    assert (by_piece[0, 0], by_piece[1, 0]) == ("b0", "a0")
    by_square = names_at(positions, moves, Choices(identity="square"))[-1]
    assert by_square == start


def test_verdict_of_levels() -> None:
    """Check is worse than chase, chase worse than idle; equal conduct is a draw."""
    order = ["idle", "chase", "check"]
    for red in order:
        for black in order:
            worse = order.index(red) - order.index(black)
            expected = "draw" if worse == 0 else "black_wins" if worse > 0 else "red_wins"
            assert verdict_of_levels(red, black) == expected


@pytest.mark.parametrize("move", ["a0b1", "a9a8", "d9d8", "f0g0", "zz", "a0a0"])
def test_illegal_moves_are_refused(move: str) -> None:
    """No such move, an empty square, a piece of the other side, out of the palace, no square."""
    with pytest.raises(ValueError, match="ply 4") as caught:
        judge(CHASING[0], [*CHASING[1].split(), move])
    assert repr(move) in str(caught.value)
