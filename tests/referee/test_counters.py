"""Offences counted in rounds (Tiantian), compared with the oracle's slower count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, islice, product
from random import Random
from typing import Any

import pytest

from tests.fuzz.agreement import choices_of
from tests.oracle.rounds import TIANTIAN, Allowed, Count, Counting, count_rounds
from tests.support.soak import SOAK
from xiangqi import (
    BLACK,
    RED,
    RULE_SETS,
    WXF,
    Board,
    Color,
    Move,
    Outcome,
    RuleSet,
    Termination,
    Verdict,
    square_name,
)
from xiangqi.casebook.cases import find_case, load_cases
from xiangqi.casebook.random_cycles import random_games, random_sparse, record_of_board
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.core import testing
from xiangqi.ground.errors import RuleSetError
from xiangqi.referee.counters import VERDICTS, count_offences
from xiangqi.referee.explanation import explain, format_ruling
from xiangqi.referee.judging import Referee
from xiangqi.referee.ruling import Ruling
from xiangqi.words.voice import Voice

RULES = RULE_SETS["tiantian"]
QUICK = RULES.replace({"check_rounds": (2, 3, 4), "chase_rounds": (2,), "mixed_rounds": (2, 3)})
"""The same rules with lower limits, which random games reach."""
FEWER = TIANTIAN._replace(checks=(2, 3, 4), chases=(2,), mixtures=(2, 3))
LASTING = QUICK.replace({"occurrences": 1000, "mutual_occurrences": None})
"""The same without draws by occurrences, so that cycles continue until a limit is reached."""
DECIDED = (Verdict.RED_WINS, Verdict.BLACK_WINS)
QUESTIONS = {
    "check_reply": ("counts", "chase_passes", "passes"),
    "double_check": ("one", "each"),
    "both_full": ("first", "graver"),
    "mating_move": ("allowed", "counts"),
}
"""Fields of the oracle's ``Counting``, with their values."""
GAMES = 300
CASES = load_cases()


def first_barred(
    fen: str, moves: Iterable[str], rules: RuleSet = RULES
) -> tuple[Color, int, Ruling] | None:
    """Barred side, ply, and ruling after the barred move; None if no move is barred."""
    board = Board(fen)
    for move in map(Move.from_iccs, islice(moves, 110)):
        if not board.is_allowed(move, rules):
            assert move in board.barred_moves(rules)
            mover, ply = board.turn, board.ply()
            board.push(move)
            return mover, ply, board.judge(rules)
        assert board.outcome(rules) is None
        board.push(move)
    return None


def play(fen: str, moves: Iterable[str]) -> Board:
    board = Board(fen)
    for move in moves:
        board.push_iccs(move)
    return board


CHECKER = "9/4k4/9/9/P8/9/9/9/2p6/3K1RBc1 w - - 0 1"
CHECKS = "f0e0 e8f8 e0f0 f8e8".split()


@pytest.mark.parametrize(
    ("case", "rounds"),
    [
        ("D32a", 6),  # one chariot chases a cannon
        ("D81", 6),  # two chariots do, by turns
    ],
)
def test_the_rounds_of_the_text(case: str, rounds: int) -> None:
    found = find_case(case, CASES)
    barred = first_barred(found.fen, chain(found.lead_in, cycle(found.cycle)))
    assert barred is not None
    _, ply, ruling = barred
    assert ruling.too_many is not None
    assert (ply // 2, ruling.too_many.allowed) == (rounds, rounds)


def test_two_pieces_check_and_chase_by_turns_for_eighteen_rounds() -> None:
    """The chased cannon's root is pinned; without regard to pins it is no chase."""
    found = find_case("D13", CASES)
    moves = list(islice(chain(found.lead_in, cycle(found.cycle)), 110))
    barred = first_barred(found.fen, moves)
    assert barred is not None
    assert barred[:2] == (RED, 36)
    assert first_barred(found.fen, moves, RULES.replace({"legality": "pseudo"})) is None


def test_one_piece_checks_for_six_rounds() -> None:
    barred = first_barred(CHECKER, cycle(CHECKS))
    assert barred is not None
    assert barred[:2] == (RED, 12)
    assert format_ruling(barred[2]).startswith(
        "Ruling: f0e0 is barred (round 7, Red): "
        "Red has gone on for 6 rounds, the limit for this offence: checks."
    )


def test_a_move_too_many_is_barred_and_another_is_not() -> None:
    case = find_case("D32a", CASES)
    board = play(case.fen, islice(chain(case.lead_in, cycle(case.cycle)), 12))
    barred = Move.from_iccs(case.cycle[(12 - len(case.lead_in)) % len(case.cycle)])
    assert barred in board.barred_moves(RULES)
    assert board.allowed_moves(RULES)
    assert board.outcome(RULES) is None
    board.push(barred)
    assert board.outcome(RULES) == Outcome(Termination.BARRED_MOVE, BLACK)
    text = format_ruling(board.judge(RULES))
    assert "At most 6 rounds of this are allowed in a row" in text
    assert "6回合" in format_ruling(board.judge(RULES), Voice("zh"))


@pytest.mark.parametrize(("case", "times"), [("D67", 5), ("D4a", 6)])  # idle; check against check
def test_draws_wait_for_occurrences(case: str, times: int) -> None:
    board = find_case(case, CASES).play_until(times - 1)
    assert board.outcome(RULES) is None
    assert board.judge(RULES).verdict is Verdict.UNDECIDED
    board = find_case(case, CASES).play_until(times)
    assert board.outcome(RULES) == Outcome(Termination.REPETITION, None)
    assert board.judge(RULES).verdict is Verdict.DRAW


def test_a_cycle_with_a_chase_is_no_draw_by_occurrences() -> None:
    """One cannon, two chariots by turns: no count fills, and the game goes on."""
    board = find_case("D26", CASES).play_until(8)
    assert board.outcome(RULES) is None
    assert board.judge(RULES).verdict is Verdict.UNDECIDED


def test_counts_are_reported() -> None:
    case = find_case("D32a", CASES)
    board = play(case.fen, islice(chain(case.lead_in, cycle(case.cycle)), 8))
    ruling = board.judge(RULES)
    assert list(map(str, explain(ruling).counts)) == [
        "Red: chase of the black cannon on a5, 4 of 6"
    ]
    assert [one.say(Voice("zh", "iccs")) for one in explain(ruling).counts] == [
        "红方：捉a5的黑炮，4/6"
    ]
    (count,) = ruling_to_dict(ruling, evidence=False)["counters"]
    assert (count["side"], count["offence"], count["rounds"], count["allowed"]) == (
        *("red", "chase", 4, 6),
    )
    assert count["victim"] == {"piece": "c", "on": "a5"}
    assert explain(board.judge(WXF)).counts == ()


# Clauses inferred from reported rulings, each with a contrast

KING_UNVEILS = (  # Red checks and waits by turns; each step of the black general unveils a chase
    "4k1P2/1P5Cc/4ba3/3n5/3N5/9/9/3A1A2B/9/2B1K4 w - - 0 1",
    "h8h9 e9e8 h9h8 e8e9".split(),
)
CHASER_AND_CHECKER = (  # Red chases with every move, the black cannon checks and chases by turns
    "2bak4/4a4/4b4/8p/c1p1P2n1/7N1/2P5P/4B1C2/4Ar3/1RB1KA3 w - - 0 1",
    "b0b5 a5a0 b5b0 a0a5".split(),
)


def barred_by(case: tuple[str, list[str]], changes: dict[str, object]) -> tuple[Color, int] | None:
    found = first_barred(case[0], cycle(case[1]), RULES.replace(changes))
    return None if found is None else found[:2]


def test_a_reply_to_check_that_chases_passes() -> None:
    """Every second chase is a reply to check: twelve rounds instead of six."""
    assert barred_by(KING_UNVEILS, {}) == (BLACK, 27)
    assert barred_by(KING_UNVEILS, {"check_reply": "counts"}) == (BLACK, 13)


def test_one_piece_may_chase_two_by_turns_against_a_side_that_never_checks() -> None:
    """It may not against one that checks and waits by turns: replies to check pass, and its other
    chases are all of one piece."""
    checked = "2b1ka3/4a4/b6r1/9/9/4R4/4pp3/c8/9/c1RAKA3 b - - 5 58"
    assert barred_by((checked, "a0a1 c0c2 a1a0 c2c0".split()), {}) == (RED, 25)
    unchecked = "9/4ak1N1/5a3/p8/4P4/9/P1r5P/3R5/9/2CKCr3 w - - 0 1"
    assert barred_by((unchecked, "c0c2 c3e3 c2c0 e3c3".split()), {}) is None


def test_the_graver_of_two_full_counts_is_barred() -> None:
    assert barred_by(CHASER_AND_CHECKER, {}) == (BLACK, 25)
    assert barred_by(CHASER_AND_CHECKER, {"both_full": "first"}) == (RED, 24)


def test_moves_before_the_cycle_count() -> None:
    """The chase before the cycle decides; without it the checker is barred."""
    fen = "2b1karC1/n3a4/1c2bc3/p6R1/4P4/8p/P1N6/4B3B/2C1Ap3/3AK4 b - - 0 1"
    lead, moves = "f7h7", "h9h8 g9g8 h8h9 g8g9".split()
    found = first_barred(fen, chain([lead], cycle(moves)))
    assert found is not None
    assert found[:2] == (BLACK, 22)
    start = play(fen, [lead]).fen()
    found = first_barred(start, cycle(moves))
    assert found is not None
    assert found[:2] == (RED, 24)


def test_a_double_check_is_one_piece_s() -> None:
    """The cannon checks with every move, the chariots with some of them besides."""
    fen = "5Rb2/3ka1NC1/1r1nb4/p1r5p/9/4P4/P7P/5R2B/c4K3/3A5 w - - 0 37"
    moves = "f2f8 b7b1 f1f0 a1a0 d0e1 b1b0 f0f1 a0a1 e1d2 c6c1 d2e1 c1c9 e1f2".split()
    board = play(fen, moves)
    assert {move.iccs() for move in board.barred_moves(RULES)} == {"b0b1", "c9c1"}
    assert "b0f0" in {
        move.iccs() for move in board.allowed_moves(RULES)
    }  # the cannon does not check
    assert board.barred_moves(RULES.replace({"double_check": "each"})) == []


def test_a_chased_piece_is_followed_without_a_cycle() -> None:
    fen = "2bak1b1r/4a4/c8/2p1n1p1p/9/2P3PN1/P3p2CP/5R3/4A4/2B1KAB2 w - - 0 17"
    moves = "f2f6 e6d4 f6f4 d4c2 f4f2 c2d4 f2d2 d4e6 d2d6 e6f4 d6d4 f4g2 h3g3".split()
    found = first_barred(fen, moves)
    assert found is not None
    assert found[:2] == (RED, 12)
    other = [*moves[:-1], "h3g3"]
    other[-3:-1] = ["c0e2", "f4g2"]  # one move that lets the horse alone
    assert first_barred(fen, other) is None


def test_a_check_that_mates_is_none_too_many() -> None:
    quick = QUICK.replace({"check_rounds": (2,)})
    board = play("9/5k3/1R7/R4P3/9/9/9/9/9/4K4 w - - 0 1", "a6a8 f8f9 a8a9 f9f8".split())
    assert {move.iccs() for move in board.barred_moves(quick)} == {"a9f9", "a9a8"}
    strict = quick.replace({"mating_move": "counts"})
    assert {move.iccs() for move in board.barred_moves(strict)} == {
        "a9f9",
        "a9a8",
        "b7b8",
        "b7f7",
        "f6f7",
    }
    board.push_iccs("b7b8")
    assert board.outcome(quick) == Outcome(Termination.CHECKMATE, RED)
    assert board.outcome(strict) == Outcome(Termination.BARRED_MOVE, BLACK)


def test_a_capture_begins_anew() -> None:
    """The first check captures a soldier, so it does not count."""
    found = first_barred("9/4k4/9/9/P8/9/9/9/2p6/3KpRBc1 w - - 0 1", cycle(CHECKS))
    assert found is not None
    assert found[:2] == (RED, 14)


def test_a_ruling_names_the_questions_it_hangs_on() -> None:
    found = first_barred(CHASER_AND_CHECKER[0], cycle(CHASER_AND_CHECKER[1]))
    assert found is not None
    assert "both_full" not in found[2].questions  # Red goes first, but this move is too many anyhow
    found = first_barred(*(KING_UNVEILS[0], cycle(KING_UNVEILS[1])))
    assert found is not None
    assert found[2].questions == ()
    strict = first_barred(CHECKER, cycle(CHECKS))
    assert strict is not None
    assert strict[2].questions == ()


def test_the_pieces_of_a_mixture_are_all_that_took_part() -> None:
    """A cannon checks and chases by turns; a chariot that attacked a horse once before makes it
    two pieces, with eighteen rounds, so that the other side's chases are full first."""
    fen = "3rkab2/4a4/4b4/3C4p/N5p2/9/P1PRPr2c/4B4/4A4/4KA1R1 b - - 0 38"
    moves = "h0h3 i3i0 h3h0 i0i3".split()
    found = first_barred(fen, chain(["f3f5"], cycle(moves)))
    assert found is not None
    assert found[0] == RED
    alone = first_barred(play(fen, ["f3f5"]).fen(), cycle(moves))
    assert alone is not None
    assert alone[0] == BLACK
    assert alone[2].too_many is not None
    assert alone[2].too_many.allowed == 12


def test_an_attacker_at_rest_chases() -> None:
    """The root's line runs through the attacker; WXF exempts it, so that here Red's count, full one
    ply later, decides."""
    case = find_case("D40a", CASES)
    moves = list(islice(chain(case.lead_in, cycle(case.cycle)), 60))
    found = first_barred(case.fen, moves)
    assert found is not None
    assert found[:2] == (BLACK, 12)
    found = first_barred(case.fen, moves, RULES.replace({"line_exemption": "exempt"}))
    assert found is not None
    assert found[:2] == (RED, 13)


def test_sufficient_counts_are_reported() -> None:
    """The text omits draws, the weight of checks, and replies, which do not matter."""
    found = first_barred(CHASER_AND_CHECKER[0], cycle(CHASER_AND_CHECKER[1]))
    assert found is not None
    text = format_ruling(found[2])
    assert "Black had to stop checking and chasing by turns:" in text
    assert "its count would then have started again" in text
    assert "its count is full as well, but its offence is the lighter one" in text
    assert "a chase, made by this move" in text
    for wrong in ("parried", "would have been a draw", "weigh more"):
        assert wrong not in text
    alone = first_barred(CHECKER, cycle(CHECKS))
    assert alone is not None
    assert "Black did not have to change: none of its counts is full." in format_ruling(alone[2])
    chaser = first_barred(*(KING_UNVEILS[0], cycle(KING_UNVEILS[1])), RULES)
    assert chaser is not None
    assert chaser[2].offender == BLACK


# Beside the oracle


def random_game(rng: Random) -> Board:
    """Random game with a preference for checks and for moves back."""
    board = random_sparse(rng)
    for _ in range(rng.randrange(6, 20)):
        moves = board.list_moves("quiets" if rng.random() < 0.97 else "legal")
        checks = [move for move in moves if board.gives_check(move)]
        if not moves:
            break
        back = [move for move in moves if board.ply() > 3 and is_return(board, move)]
        board.push(rng.choice((rng.random() < 0.7 and checks) or back or moves))
    return board


def is_return(board: Board, move: Move) -> bool:
    """Does a move repeat the side's second last move?"""
    return board.move_stack[-4] == move


def random_boards(seed: int, number: int) -> Iterator[Board]:
    """Random games and random cycles."""
    rng, cycles = Random(seed), random_games(seed=seed)
    for count in range(number):
        yield random_game(rng) if count % 2 else next(cycles).play()


def counts_of(board: Board, color: Color, rules: RuleSet) -> list[Count]:
    """One side's counts in the oracle's form, with pieces by current square."""
    return sorted(
        Count(
            {"check_and_chase": "mixture"}.get(one.offence.value, one.offence.value),
            one.rounds,
            one.allowed,
            "" if one.victim is None else square_name(one.victim.square),
            frozenset(map(square_name, one.pieces)),
        )
        for one in count_offences(board, rules)
        if one.color == color
    )


def current_squares(moves: Iterable[str]) -> dict[str, str]:
    """Current squares of the moved pieces, by original square."""
    now: dict[str, str] = {}
    for move in moves:
        first = next((name for name, square in now.items() if square == move[:2]), move[:2])
        now = {name: square for name, square in now.items() if square != move[2:]}
        now[first] = move[2:]
    return now


def oracle_counts(counts: list[Count], moves: Iterable[str]) -> list[Count]:
    """The oracle's counts, with pieces by current square."""
    now = current_squares(moves)
    return sorted(
        one._replace(
            victim=now.get(one.victim, one.victim),
            pieces=frozenset(now.get(piece, piece) for piece in one.pieces),
        )
        for one in counts
    )


def compare_with_oracle(board: Board, rules: RuleSet, allowed: Allowed) -> str:
    """Compare both counts; return the offence that exceeds its limit, or an empty text."""
    game = record_of_board(board)
    answers: dict[str, Any] = {field: rules.answers[field] for field in QUESTIONS}
    how = Counting(**answers)
    state = count_rounds(game.fen, game.moves, allowed, choices_of(rules), how)
    assert counts_of(board, RED, rules) == oracle_counts(state.red, game.moves), game
    assert counts_of(board, BLACK, rules) == oracle_counts(state.black, game.moves), game
    ruling, judgment = board.judge(rules), Referee(rules).judge_cycle(board)
    assert (ruling.verdict, dict(ruling.conduct)) == (judgment.verdict, judgment.conduct)
    offence = "" if ruling.too_many is None else ruling.too_many.offence.value
    expected = "" if state.too_many is None else state.too_many.offence
    assert offence.replace("check_and_chase", "mixture") == expected, game
    return offence


@pytest.mark.long
def test_the_oracle_counts_the_same() -> None:
    found = Counter(compare_with_oracle(board, QUICK, FEWER) for board in random_boards(11, GAMES))
    assert found[""] > GAMES // 3
    assert min(found["check"], found["chase"], found["check_and_chase"]) >= 3, found


def test_checks_and_chases_by_turns_may_be_allowed() -> None:
    """Mixtures do not count if mixing is no offence, in the package and in the oracle."""
    rules = QUICK.replace({"mixing": "one_kind", "mixed_rounds": ()})
    for board in random_boards(16, 60):
        compare_with_oracle(board, rules, FEWER._replace(mixtures=()))
    allowed = RULES.replace({"mixing": "one_kind", "mixed_rounds": ()})
    assert barred_by(CHASER_AND_CHECKER, {}) == (BLACK, 25)
    found = first_barred(CHASER_AND_CHECKER[0], cycle(CHASER_AND_CHECKER[1]), allowed)
    assert found is not None
    assert found[:2] == (RED, 24)


ANSWERS = [dict(zip(QUESTIONS, answers, strict=True)) for answers in product(*QUESTIONS.values())]


@pytest.mark.long
@pytest.mark.parametrize("answers", ANSWERS, ids=lambda answers: "-".join(answers.values()))
def test_the_oracle_counts_the_same_with_any_answers(answers: dict[str, object]) -> None:
    rules = QUICK.replace({**answers, "legality": "pseudo", "line_exemption": "exempt"})
    for board in random_boards(12, 30 if SOAK else 6):
        compare_with_oracle(board, rules, FEWER)


def test_barred_moves_are_those_that_the_referee_rules_against() -> None:
    seen = 0
    for board in random_boards(13, 60):
        barred = set(board.barred_moves(QUICK))
        for move in board.legal_moves:
            board.push(move)
            assert (board.judge(QUICK).too_many is not None) == (move in barred)
            board.pop()
        seen += bool(barred)
    assert seen > 5


@pytest.mark.long
def test_the_search_rules_on_a_cycle_as_if_it_went_on_for_ever() -> None:
    verdicts: Counter[Verdict] = Counter()
    for game in islice(random_games(seed=15), 150):
        board = game.play()
        _, _, last, previous = board.find_cycle(WXF.switches)
        loop = [move.iccs() for move in board.move_stack[previous : last + 1]]
        if any(first != now for first, now in current_squares(loop).items()):
            continue  # two pieces change places, for which the search takes each other
        found = first_barred(" ".join(board.fen().split()[:2]), islice(cycle(loop), 110), LASTING)
        verdict = VERDICTS[testing.rule_on_cycle(board, LASTING.switches) or 0]
        loser = None if found is None else found[0]
        assert verdict.loser == loser, game
        verdicts[verdict] += 1
    assert min(verdicts[one] for one in (Verdict.DRAW, *DECIDED)) > 10, verdicts


def test_other_sides_and_colours_are_counted_alike() -> None:
    for board in random_boards(14, GAMES // 4):
        rounds = {color: counts_of(board, color, QUICK) for color in (RED, BLACK)}
        turned = board.flip_colors()
        for color in (RED, BLACK):
            ours = [(one.offence, one.rounds, one.allowed) for one in rounds[color]]
            for other, same in ((board.mirror(), color), (turned, not color)):
                theirs = counts_of(other, same, QUICK)
                assert sorted(ours) == sorted(
                    (one.offence, one.rounds, one.allowed) for one in theirs
                )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"check_rounds": (6,)}, "chase_rounds"),
        ({"check_rounds": (6,), "chase_rounds": (6,)}, "check_rounds"),
        ({"check_rounds": (6, 6)}, "increasing"),
        ({"check_rounds": (1,)}, "2 to 1000"),
        ({"check_rounds": (2, 3, 4, 5, 6, 7)}, "1 to 5 increasing"),
        ({"check_rounds": 6}, "1 to 5 increasing numbers"),
        ({"check_rounds": ("six",)}, "1 to 5 increasing numbers"),
        ({"chase_rounds": (6,)}, "chase_rounds"),
        ({"mutual_occurrences": 3}, "more than occurrences"),
        ({"mutual_occurrences": 6, "offences": "none"}, "mutual_occurrences"),
        ({"check_reply": "passes"}, "check_reply"),
        ({"double_check": "each"}, "double_check"),
        ({"both_full": "graver"}, "both_full"),
        ({"mating_move": "counts"}, "mating_move"),
        (
            {"penalty": "barred", "check_rounds": (6,), "chase_rounds": (6,), "mixed_rounds": (6,)},
            "mixed_rounds",
        ),
    ],
)
def test_incompatible_answers_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(RuleSetError, match=reason):
        WXF.replace(changes)


def test_a_threat_must_count_when_it_is_made() -> None:
    with pytest.raises(RuleSetError, match="answered is 'any'"):
        RULES.replace({"answered": "pair"})


def test_counters_are_described_as_set_reads_them() -> None:
    rules = RULES.replace({"check_rounds": (3, 5), "mutual_occurrences": None})
    assert rules.describe() == "tiantian check_rounds=3,5 mutual_occurrences=none"
