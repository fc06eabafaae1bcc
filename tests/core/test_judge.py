"""The judge's arithmetic over invented facts: the verdicts, the conduct of a side, the window.

No chase or check is looked for on a board here; what counts as one is compared with the oracle
elsewhere. A victim is a bit.
"""

import random
import re
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi import ALL_DRAWS, CHECKS_ONLY, RED, STARTING_FEN, WXF, Board, RuleSet
from xiangqi.core import testing
from xiangqi.core.board import RuleSwitches
from xiangqi.referee.cxa.judging import QUESTIONS
from xiangqi.referee.rules import RULE_FIELDS, rule_choices

IDLE, CHASE, CHECK = range(3)
UNDECIDED, DRAW, RED_WINS, BLACK_WINS = range(4)
NOBODY = 0
EVERYBODY = 2**32 - 1

SUCCESSIVE = WXF.replace({"common_victim": "successive"})
VARYING = WXF.replace({"common_victim": "any"})
MIXED = WXF.replace({"common_victim": "any", "mixing": "any"})

Ply = tuple[bool, int]


# The verdict


@pytest.mark.parametrize(
    ("red", "black", "verdict"),
    [
        (IDLE, IDLE, DRAW),
        (IDLE, CHASE, RED_WINS),
        (IDLE, CHECK, RED_WINS),
        (CHASE, IDLE, BLACK_WINS),
        (CHASE, CHASE, DRAW),
        (CHASE, CHECK, RED_WINS),
        (CHECK, IDLE, BLACK_WINS),
        (CHECK, CHASE, BLACK_WINS),
        (CHECK, CHECK, DRAW),
    ],
)
def test_verdicts(red: int, black: int, verdict: int) -> None:
    """The graver conduct loses, like against like is a draw."""
    assert testing.verdict_of(red, black, WXF.switches) == verdict


@given(st.sets(st.sampled_from(["check>chase", "check>idle", "chase>idle", "idle>chase"])))
def test_another_table(verdicts: set[str]) -> None:
    """The side that the table names loses; what it does not name is a draw."""
    if {"chase>idle", "idle>chase"} <= verdicts:
        verdicts.remove("idle>chase")
    switches = RuleSet("other", verdicts=tuple(verdicts)).switches
    names = ("idle", "chase", "check")
    for red, black in product(range(3), repeat=2):
        expected = DRAW
        if f"{names[red]}>{names[black]}" in verdicts:
            expected = BLACK_WINS
        elif f"{names[black]}>{names[red]}" in verdicts:
            expected = RED_WINS
        assert testing.verdict_of(red, black, switches) == expected


@pytest.mark.parametrize(("red", "black"), [(-1, 0), (0, -1), (3, 0), (0, 3)])
def test_there_are_three_conducts(red: int, black: int) -> None:
    with pytest.raises(ValueError, match="invalid conducts"):
        testing.verdict_of(red, black, WXF.switches)


# The conduct of one side


def conduct(plies: Sequence[Ply], rules: RuleSet = WXF) -> int:
    return testing.conduct_of(plies, rules.switches)[0]


def common(plies: Sequence[Ply], rules: RuleSet = WXF) -> int:
    """The victims of all plies."""
    return testing.conduct_of(plies, rules.switches)[1]


def shared(plies: Sequence[Ply], rules: RuleSet = SUCCESSIVE) -> int:
    """The victims that two neighbouring plies had in common."""
    return testing.conduct_of(plies, rules.switches)[2]


def check(victims: int = NOBODY) -> Ply:
    return True, victims


def move(victims: int = NOBODY) -> Ply:
    return False, victims


@pytest.mark.parametrize(
    ("what", "plies", "expected"),
    [
        ("nothing at all", [move(), move()], IDLE),
        ("all checks", [check(), check()], CHECK),
        ("all checks but one", [check(), check(), move()], IDLE),
        ("all checks but the first", [move(), check(), check()], IDLE),
        ("one victim by every move", [move(1), move(1)], CHASE),
        ("the same with the last piece of 32", [move(1 << 31), move(1 << 31)], CHASE),
        ("every move but the last", [move(1), move(1), move()], IDLE),
        ("every move but the first", [move(), move(1), move(1)], IDLE),
        ("every move but one in the middle", [move(1), move(), move(1)], IDLE),
        ("a check and a chase by turns", [check(), move(1), check(), move(1)], IDLE),
        ("two victims by turns", [move(1), move(2)], IDLE),
        ("two victims by turns and one besides", [move(5), move(6)], CHASE),
        ("no piece in all three", [move(3), move(6), move(5)], IDLE),
        ("one piece in all three", [move(11), move(14), move(13)], CHASE),
        ("two pieces always", [move(3), move(3), move(3)], CHASE),
    ],
)
def test_conducts(what: str, plies: list[Ply], expected: int) -> None:
    assert conduct(plies) == expected, what


@pytest.mark.parametrize(
    ("plies", "victims"),
    [
        ([move(1), move(1)], 1),
        ([move(5), move(6)], 4),
        ([move(3), move(3), move(3)], 3),
        ([move(11), move(14), move(13)], 8),
        ([move(3), move(6), move(5)], NOBODY),
        ([move(EVERYBODY), move(1 << 31)], 1 << 31),
    ],
)
def test_common_victims_of_all_moves(plies: list[Ply], victims: int) -> None:
    assert common(plies) == victims


def test_a_check_may_be_a_chase_too() -> None:
    """A rule set that allows it hands in the victims of checking moves as well."""
    assert conduct([check(1), move(1)]) == CHASE
    assert conduct([check(2), move(1)]) == IDLE
    assert conduct([check(1), check(1)]) == CHECK


@pytest.mark.parametrize(
    ("what", "plies", "expected", "victims"),
    [
        ("one victim by every move", [move(1), move(1)], CHASE, 1),
        ("each two neighbours have one", [move(3), move(6), move(12)], CHASE, 6),
        ("the last and the first need not", [move(1), move(3), move(2)], CHASE, 3),
        ("two neighbours have none", [move(3), move(6), move(9)], IDLE, 2),
        ("a move with no victim", [move(1), move(), move(1)], IDLE, NOBODY),
        ("the first with none", [move(), move(1), move(1)], IDLE, 1),
        ("the last with none", [move(1), move(1), move()], IDLE, 1),
        ("a check and a chase by turns", [check(), move(1), check()], IDLE, NOBODY),
    ],
)
def test_successive_victims(what: str, plies: list[Ply], expected: int, victims: int) -> None:
    """It is enough that each two neighbouring moves share a victim."""
    assert conduct(plies, SUCCESSIVE) == expected, what
    assert shared(plies) == victims, what


@pytest.mark.parametrize(
    ("rules", "checking", "chasing"),
    [(WXF, CHECK, CHASE), (CHECKS_ONLY, CHECK, IDLE), (ALL_DRAWS, IDLE, IDLE)],
    ids=lambda value: getattr(value, "name", None),
)
def test_offences(rules: RuleSet, checking: int, chasing: int) -> None:
    """Conduct that a rule set does not forbid is idle."""
    assert conduct([check(), check()], rules) == checking
    assert conduct([move(1), move(1)], rules) == chasing
    assert conduct([move(), move()], rules) == IDLE


def test_checks_that_are_no_offence_are_no_chase_either() -> None:
    """Not even where the checking moves had a victim."""
    rules = WXF.replace({"offences": "none", "checking_move": "check_and_chase"})
    assert conduct([check(1), check(1)], rules) == IDLE


def slow_conduct(plies: Sequence[Ply], rules: RuleSet) -> int:
    """Perpetual check needs all checks, perpetual chase a victim all along."""
    mixed = rules.mixing == "any"
    victims = [victims for checks, victims in plies if not (checks and mixed)]
    if rules.answers["common_victim"] == "any":
        chased = all(victims)
    elif rules.answers["common_victim"] == "window":
        chased = any(all(v >> bit & 1 for v in victims) for bit in range(32))
    else:
        chased = all(one & other for one, other in pairwise(victims))
    if all(checks for checks, _ in plies):
        return CHECK if rules.offences != "none" else IDLE
    return CHASE if chased and rules.offences == "check_and_chase" else IDLE


# Few victims, so that they are often the same.
some_victims = st.sets(st.sampled_from([0, 1, 2, 31])).map(lambda bits: sum(1 << b for b in bits))
some_plies = st.lists(st.tuples(st.booleans(), some_victims), min_size=2, max_size=6)


@given(some_plies, st.sampled_from([WXF, CHECKS_ONLY, ALL_DRAWS, SUCCESSIVE, VARYING, MIXED]))
def test_conduct_of_any_plies(plies: list[Ply], rules: RuleSet) -> None:
    assert conduct(plies, rules) == slow_conduct(plies, rules)


def test_switches_are_needed() -> None:
    with pytest.raises(TypeError):
        testing.conduct_of([check()], None)  # type: ignore[arg-type]


# The switches


RULES_PXD = Path(__file__).parents[2] / "ext/xiangqi/core/repetition/rules.pxd"


def test_core_numbers_the_answers_in_the_order_of_their_types() -> None:
    """The core's constants are named after the field and the answer."""
    blocks = re.findall(r"cdef enum:\n((?:    [A-Z_]+\n)+)", RULES_PXD.read_text(encoding="utf-8"))
    found = {tuple(block.split()) for block in blocks}
    fields = [field for field in RULE_FIELDS if field in core_fields() and rule_choices(field)]
    assert found == {
        tuple(f"{field}_{answer}".upper() for answer in rule_choices(field)) for field in fields
    }


def core_fields() -> list[str]:
    """Fields of the struct ``Rules``."""
    body = RULES_PXD.read_text(encoding="utf-8").split("cdef struct Rules:\n")[1].split("\n\n")[0]
    return [line.split("#")[0].split()[-1] for line in body.splitlines()]


def test_core_reads_every_field_that_concerns_repetitions() -> None:
    assert set(RULE_FIELDS) - set(core_fields()) == {
        *("chase", "mutual_occurrences", "no_capture_limit", "free_checks", "total_limit"),
        *("no_attackers", "search_as", *QUESTIONS, "nine_rounds", "first_rounds"),
    }
    assert set(core_fields()) <= set(RULE_FIELDS)


def make_switches(occurrences: int, **changes: Any) -> RuleSwitches:
    """Rules with the first answer to every question, and no decided verdict."""
    numbers: dict[str, Any] = dict.fromkeys(core_fields(), 0)
    numbers |= {field: [0] * 5 for field in numbers if field.endswith("_rounds")}
    return RuleSwitches({**numbers, "occurrences": occurrences, **changes})


@pytest.mark.parametrize("occurrences", [1, 0, -3])
def test_a_position_must_occur_twice_at_least(occurrences: int) -> None:
    with pytest.raises(ValueError, match="expected 2 or more"):
        make_switches(occurrences)


def test_switches_are_all_needed_and_named() -> None:
    with pytest.raises(TypeError, match=r"expected .*'answered'"):
        RuleSwitches({"occurrences": 3})
    with pytest.raises(TypeError, match="'castling'"):
        make_switches(3, castling=True)
    with pytest.raises((IndexError, ValueError)):
        make_switches(3, check_rounds=(2, 3, 4, 5, 6, 7))


def test_switches_do_what_they_are_called() -> None:
    """By the conduct of sides that checked, chased one piece, and chased two pieces in a row."""
    sides: list[list[Ply]] = [[check(), check()], [move(1), move(1)], [move(1), move(3), move(2)]]

    def conducts(**changes: object) -> list[int]:
        switches = WXF.replace(changes).switches
        return [testing.conduct_of(plies, switches)[0] for plies in sides]

    assert conducts(offences="none") == [IDLE, IDLE, IDLE]
    assert conducts(offences="check") == [CHECK, IDLE, IDLE]
    assert conducts() == [CHECK, CHASE, IDLE]
    assert conducts(common_victim="successive") == [CHECK, CHASE, CHASE]


# The window

LOOP = "e0e1 e9e8 e1e0 e8e9"
OTHER_LOOP = "a0a1 a9a8 a1a0 a8a9"


def play(moves: str, fen: str = STARTING_FEN) -> Board:
    board = Board(fen)
    for text in moves.split():
        board.push_iccs(text)
    return board


def find(board: Board, occurrences: int = 3) -> tuple[int, int, int, int]:
    return board.find_cycle(make_switches(occurrences))


@pytest.mark.parametrize(
    ("what", "moves", "occurrences", "expected"),
    [
        ("no move", "", 3, (1, -1, -1, -1)),
        ("one round", LOOP, 3, (2, -1, -1, -1)),
        ("not quite two", f"{LOOP} e0e1 e9e8 e1e0", 3, (2, -1, -1, -1)),
        ("two rounds", f"{LOOP} {LOOP}", 3, (3, 0, 7, 4)),
        ("one is enough", LOOP, 2, (2, 0, 3, 0)),
        ("and the latest is looked at", f"{LOOP} {LOOP}", 2, (3, 4, 7, 4)),
        ("the loop entered in its middle", f"{LOOP} {LOOP} e0e1", 3, (3, 1, 8, 5)),
        ("moves before the loop", f"h2e2 h9g7 {LOOP} {LOOP}", 3, (3, 2, 9, 6)),
        ("four rounds: counted backwards", f"{LOOP} {LOOP} {LOOP} {LOOP}", 3, (5, 8, 15, 12)),
        ("all five", f"{LOOP} {LOOP} {LOOP} {LOOP}", 5, (5, 0, 15, 12)),
        ("one more than there are", f"{LOOP} {LOOP} {LOOP} {LOOP}", 6, (5, -1, -1, -1)),
        ("two different rounds", f"{LOOP} {OTHER_LOOP}", 3, (3, 0, 7, 4)),
        (
            "a long round after a short one",
            f"{LOOP} h2h3 h7h6 a0a1 a9a8 h3h2 h6h7 a1a0 a8a9",
            3,
            (3, 0, 11, 4),
        ),
        ("a capture on the way", f"{LOOP} {LOOP} h2h9 i9h9 {LOOP}", 3, (2, -1, -1, -1)),
        ("since the capture", f"{LOOP} h2h9 i9h9 {LOOP} {LOOP}", 3, (3, 6, 13, 10)),
        ("the capture itself", f"{LOOP} {LOOP} h2h9", 3, (1, -1, -1, -1)),
    ],
)
def test_windows(
    what: str, moves: str, occurrences: int, expected: tuple[int, int, int, int]
) -> None:
    """(occurrences, first ply, last ply, the ply played when the position last stood)."""
    assert find(play(moves), occurrences) == expected, what


def test_the_clock_of_a_fen_is_no_history() -> None:
    """Moves before the board began are unknown; a clock of 0 hides nothing."""
    for clock in (0, 1, 50, 99_999):
        board = play(f"{LOOP} {LOOP}", STARTING_FEN.replace(" 0 1", f" {clock} 60"))
        assert find(board) == (3, 0, 7, 4)


def test_a_copy_without_moves_has_no_window() -> None:
    board = play(f"{LOOP} {LOOP}")
    assert find(board.copy()) == (3, 0, 7, 4)
    assert find(board.copy(stack=False)) == (1, -1, -1, -1)


def test_taking_back_and_playing_on() -> None:
    board = play(f"{LOOP} {LOOP}")
    board.pop()
    assert find(board) == (2, -1, -1, -1)
    board.push_iccs("e8e9")
    assert find(board) == (3, 0, 7, 4)


def slow_window(positions: Sequence[object], occurrences: int) -> tuple[int, int, int, int]:
    """The same from a list of all positions of the game, the first one included."""
    stood = [ply for ply, position in enumerate(positions) if position == positions[-1]]
    if len(stood) < occurrences:
        return len(stood), -1, -1, -1
    return len(stood), stood[-occurrences], len(positions) - 2, stood[-2]


@pytest.mark.parametrize(
    "fen",
    [
        "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/5K3 b - - 7 3",
        "3k5/4a4/9/9/p8/P8/9/9/4A4/5K3 w - - 0 1",
    ],
)
def test_windows_of_random_walks(fen: str) -> None:
    """Few pieces meet the same positions often, at all distances, with a capture now and then."""
    seen = set()
    for seed in range(10):
        rng = random.Random(seed)
        board = Board(fen)
        positions = [(board.cells(), board.turn)]
        for _ in range(150):
            moves = board.list_moves()
            if not moves:
                break
            board.push(rng.choice(moves))
            positions.append((board.cells(), board.turn))
            for occurrences in (2, 3, 5):
                expected = slow_window(positions, occurrences)
                assert find(board, occurrences) == expected
            assert board.repetitions() == expected[0]
            seen.add(expected[0])
    assert max(seen) >= 5


# From the window to the verdict

CHECKING = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1", "f0e0 e8f8 e0f0 f8e8")
CHASING = ("5k3/9/9/9/n8/9/9/9/9/1R1K5 w - - 0 1", "b0a0 a5b7 a0b0 b7a5")


@pytest.mark.parametrize(
    ("case", "rules", "verdict", "red", "black"),
    [
        (CHECKING, WXF, BLACK_WINS, CHECK, IDLE),
        (CHECKING, CHECKS_ONLY, BLACK_WINS, CHECK, IDLE),
        (CHECKING, ALL_DRAWS, DRAW, IDLE, IDLE),
        (CHASING, WXF, BLACK_WINS, CHASE, IDLE),
        (CHASING, CHECKS_ONLY, DRAW, IDLE, IDLE),
        ((STARTING_FEN, LOOP), WXF, DRAW, IDLE, IDLE),
    ],
)
def test_verdict_with_and_without_evidence(
    case: tuple[str, str], rules: RuleSet, verdict: int, red: int, black: int
) -> None:
    """The short answer and the long one agree, and the long one has facts for each ply."""
    fen, moves = case
    board = play(f"{moves} {moves}", fen)
    before = board.raw()
    assert board.judge_cycle(rules.switches) == (verdict, red, black)
    evidence = board.explain_cycle(rules.switches)
    assert evidence is not None
    assert evidence[0] == verdict
    assert evidence[1] == (black, red)
    assert len(evidence[3]) == 8
    assert board.raw() == before


def test_the_evidence_of_a_chase() -> None:
    """The horse is the third piece from a0 on; each move of the chariot chases it anew."""
    fen, moves = CHASING
    evidence = play(f"{moves} {moves}", fen).explain_cycle(WXF.switches)
    assert evidence is not None
    _, _, victims, plies = evidence
    assert victims[RED] == 1 << 2
    chase = 9  # the last of the reasons
    for number, (checks, attacks) in enumerate(plies):
        assert checks is False
        assert [attack[2] for attack in attacks] == ([chase] if number % 2 == 0 else [])


def test_the_evidence_of_checks() -> None:
    fen, moves = CHECKING
    evidence = play(f"{moves} {moves}", fen).explain_cycle(WXF.switches)
    assert evidence is not None
    assert [checks for checks, _ in evidence[3]] == [True, False] * 4


def test_no_verdict_before_its_time() -> None:
    for moves in ("", LOOP, f"{LOOP} e0e1"):
        board = play(moves)
        assert board.judge_cycle(WXF.switches) == (UNDECIDED, None, None)
        assert board.explain_cycle(WXF.switches) is None


def test_the_judge_needs_switches() -> None:
    board = play(f"{LOOP} {LOOP}")
    for ask in (board.find_cycle, board.judge_cycle, board.explain_cycle):
        for wrong in (None, WXF):
            with pytest.raises(TypeError):
                ask(wrong)  # type: ignore[arg-type]
