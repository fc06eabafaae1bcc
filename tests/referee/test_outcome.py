"""Outcomes of games: the verdict without evidence, callers, and explanations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from tests.fuzz.agreement import variants
from tests.support.soak import SOAK
from xiangqi import (
    RED,
    RULE_SETS,
    WXF,
    Board,
    Conduct,
    Outcome,
    Referee,
    RuleSet,
    Termination,
    Verdict,
)
from xiangqi.casebook.cases import find_case, load_all_cases, load_cases
from xiangqi.casebook.random_cycles import random_games
from xiangqi.games.arbiter import format_game, rule_game
from xiangqi.games.tree import Game
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.match.adjudication import find_banned_moves, rule, rule_without_move
from xiangqi.referee.endings import describe_termination, explain_outcome
from xiangqi.referee.explanation import format_sentence
from xiangqi.referee.outcome import find_outcome, no_capture_limit_in_search, win_for
from xiangqi.web.serve.positions import describe_position
from xiangqi.words.voice import Voice

pytestmark = pytest.mark.long

BARE = "3ak4/9/9/9/9/9/9/9/9/5K3 w"
CHECKER = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CHECKS = "f0e0 e8f8 e0f0 f8e8".split() * 2
GAMES = 400
SHARE = 1 if SOAK else 6
"""Each rule set rules on one of so many boards."""
ALL_RULES = [*(rules for rules in RULE_SETS.values() if rules.occurrences <= 3), *variants()]
"""Rule sets that rule on these games, in which a position occurs three times."""
OFFENCES = {
    Conduct.CHECK: Termination.PERPETUAL_CHECK,
    Conduct.CHASE: Termination.PERPETUAL_CHASE,
    Conduct.LIGHT: Termination.PERPETUAL_STRIKE,
    Conduct.HEAVY: Termination.PERPETUAL_STRIKE,
}


def checked_perpetually() -> Board:
    board = Board(CHECKER)
    for move in CHECKS:
        board.push_iccs(move)
    return board


def case_boards() -> Iterator[Board]:
    """Every case, entered at each ply of its cycle: without a round and after two."""
    for case in load_cases():
        for phase in range(len(case.cycle)):
            for rounds in (0, 2):
                yield case.record(rounds=rounds, phase=phase).play()


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    """Positions of the cases and of random games, by turns."""
    games = [game.play() for game in islice(random_games(seed=11), GAMES)]
    cases = list(case_boards())
    return random.Random(1).sample([*cases, *games], len(cases) + len(games))


# The verdict without evidence


def outcome_by_evidence(board: Board, rules: RuleSet) -> Outcome | None:
    """Outcome of a repetition by the full ruling; None if the game is not over."""
    ruling = board.judge(rules)
    if ruling.window is None:
        return None
    if ruling.offender is None:
        return Outcome(Termination.REPETITION, None)
    if rules.bars_moves:
        is_barred = ruling.offender != board.turn  # else it has to change, and the game goes on
        return Outcome(Termination.BARRED_MOVE, board.turn) if is_barred else None
    conduct = ruling.conduct[ruling.offender]
    assert conduct is not None
    may_change = rules.penalty == "must_change" and conduct is not Conduct.CHECK
    if may_change and ruling.occurrences == rules.occurrences:
        return None
    return Outcome(OFFENCES[conduct], not ruling.offender)


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
def test_the_verdict_is_that_of_the_evidence(boards: list[Board], rules: RuleSet) -> None:
    """Each rule set rules on a sixth of the boards, another one each; with MEIHUA_SOAK=1 on all."""
    referee = Referee(rules)
    found: Counter[Termination | None] = Counter()
    for board in boards[ALL_RULES.index(rules) % SHARE :: SHARE]:
        ruling, (verdict, conduct) = referee.judge(board), referee.judge_cycle(board)
        if ruling.nine_round_offenders:  # nine rounds without a repetition end no game
            assert verdict is Verdict.UNDECIDED
            assert find_outcome(board, rules) is None
            continue
        assert (verdict, dict(conduct)) == (ruling.verdict, dict(ruling.conduct)), board.fen()
        by_evidence = outcome_by_evidence(board, rules)
        if by_evidence is not None:
            assert find_outcome(board, rules) == by_evidence, board.fen()
        found[None if by_evidence is None else by_evidence.termination] += 1
    assert found[None] > GAMES / SHARE  # before the first round nothing is decided
    repeated = Termination.REPETITION if rules.prohibition == "none" else Termination.BARRED_MOVE
    assert found[repeated] > GAMES / SHARE / 4
    if rules.penalty == "barred":
        assert found[Termination.BARRED_MOVE] > GAMES / SHARE / 20
        return
    if rules.offences != "none":
        assert found[Termination.PERPETUAL_CHECK] > GAMES / SHARE / 20
    if rules.offences == "check_and_chase":
        assert found[Termination.PERPETUAL_CHASE] > GAMES / SHARE / 20


def test_result_gathers_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(self: Referee, board: Board) -> None:
        raise AssertionError("evidence was gathered")

    monkeypatch.setattr(Referee, "judge", judge)
    board = checked_perpetually()
    assert board.result() == "0-1"
    assert board.is_game_over()
    board.pop()
    assert find_banned_moves(board, WXF) == []


def test_explanation_gathers_evidence_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    judge = Referee.judge

    def counted(self: Referee, board: Board) -> Any:
        asked.append(board.fen())
        return judge(self, board)

    monkeypatch.setattr(Referee, "judge", counted)
    board = checked_perpetually()
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    assert "perpetually" in format_game(rule_game(game))
    assert len(asked) == 1
    decision = rule(board, WXF)
    assert decision is not None
    assert "perpetually" in decision.ruling
    assert len(asked) == 2
    state = describe_position({"fen": CHECKER, "moves": CHECKS}, WXF, Voice())
    assert "perpetually" in state["status"]
    assert len(asked) == 3


# Orders to change


def played(case: str, occurrences: int) -> Board:
    return find_case(case, load_all_cases()).play_until(occurrences)


@pytest.mark.parametrize(
    ("case", "rules"),
    [("cxa2020-c8-02", RULE_SETS["cxa2020"]), ("D32a", WXF.replace({"penalty": "must_change"}))],
)
def test_an_offender_has_to_change_and_then_loses(case: str, rules: RuleSet) -> None:
    """At the third occurrence the game continues, at the fourth the same conduct loses."""
    ordered, lost = played(case, 3), played(case, 4)
    ruling = ordered.judge(rules)
    assert ruling.offender is not None
    assert find_outcome(ordered, rules) is None
    outcome = find_outcome(lost, rules)
    assert outcome is not None
    assert outcome.winner is not ruling.offender
    assert outcome.termination.is_repetition
    assert "must change, or loses" in format_sentence(ruling)
    assert "must change, or loses" not in format_sentence(lost.judge(rules))
    game = Game(ordered.root_fen())
    game.add_line(ordered.move_stack)
    ruled = rule_game(game, rules)
    assert (ruled.outcome, ruled.ruling) == (None, ruling)
    assert "nothing is decided, but " in format_game(ruled)
    assert "未分胜负，但" in format_game(ruled, Voice("zh"))
    state = describe_position(
        {"fen": ordered.root_fen(), "moves": ruled_moves(ordered)}, rules, Voice()
    )
    assert state["outcome"] is None
    assert "must change, or loses" in state["warning"]
    assert rule(ordered, rules) is None
    stopped = rule_without_move(ordered, rules)  # an engine that stops there does not change
    assert stopped is not None
    assert stopped.result == outcome.result()


def ruled_moves(board: Board) -> list[str]:
    return [move.iccs() for move in board.move_stack]


def test_perpetual_check_alone_loses_at_once() -> None:
    board = checked_perpetually()
    outcome = find_outcome(board, RULE_SETS["cxa2020"])
    assert outcome == Outcome(Termination.PERPETUAL_CHECK, not RED)
    assert format_sentence(board.judge(RULE_SETS["cxa2020"])).startswith("Black wins: ")


def test_drawn_repetition_ends_the_game_at_once() -> None:
    drawn = find_outcome(played("cxa2020-c8-03", 3), RULE_SETS["cxa2020"])
    assert drawn == Outcome(Termination.REPETITION, None)


def test_the_page_warns_where_moves_are_barred() -> None:
    """Even if the offender is to move and has other moves."""
    case = find_case("D32a", load_all_cases())
    for phase, words in enumerate((" is barred (", "may not go on: ")):
        record = case.record(rounds=1, phase=phase)
        data = {"fen": record.fen, "moves": list(record.moves)}
        warning = describe_position(data, RULE_SETS["xiangqi.com"], Voice())["warning"]
        assert words in warning
        assert "chased the black cannon" in warning


# No attacking pieces


def test_draw_without_attackers_is_the_same_everywhere() -> None:
    board = Board(BARE)
    drawn = Outcome(Termination.NO_ATTACKERS, None)
    assert board.outcome() == find_outcome(board, WXF) == drawn
    ruled = rule_game(Game(board.fen()))
    assert (ruled.outcome, ruled.ply) == (drawn, 0)
    assert format_game(ruled).endswith("draw: neither side has a piece that can attack")
    decision = rule(board, WXF)
    assert decision is not None
    assert (decision.result, decision.termination, decision.reason, decision.ruling) == (
        ("1/2-1/2", "normal", "Neither side has a piece that can attack", "")
    )
    state = describe_position({"fen": board.fen()}, WXF, Voice("zh"))
    assert state["outcome"] == {"result": "1/2-1/2", "termination": "no_attackers"}
    assert state["status"] == "和棋：双方均无进攻子力"


def test_play_on_continues_without_attackers() -> None:
    rules = WXF.replace({"no_attackers": "play_on"})
    assert rules.describe() == "wxf no_attackers=play_on"
    board = Board(BARE)
    assert board.outcome(rules) is None
    assert rule(board, rules) is None
    assert rule_game(Game(board.fen()), rules).outcome is None


# Explanations


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_plain_termination_has_a_name(language: Language) -> None:
    voice = Voice(language)
    plain = [
        termination
        for termination in Termination
        if not termination.is_repetition and termination is not Termination.ILLEGAL_MOVE
    ]
    assert (
        len({describe_termination(termination).say(voice) for termination in plain})
        == len(plain)
        == 6
    )


def test_a_repetition_is_explained() -> None:
    board = checked_perpetually()
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.result() == win_for(not RED)
    assert str(explain_outcome(board, outcome, WXF)) == (
        "Black wins: Red checked perpetually and had to change; Black: idle moves"
    )


# Plies that do not count


def slow_count(board: Board, free_checks: int) -> int:
    """Plies since the last capture, without excess checks of each side and the replies to them."""
    game = Board(board.root_fen())
    checks = {RED: 0, not RED: 0}
    quiet, after_free = game.halfmove_clock, False
    for move in board.move_stack:
        mover, takes = game.turn, game.is_capture(move)
        game.push(move)
        checks[mover] += game.is_check()
        if takes:
            checks = {RED: 0, not RED: 0}
            quiet, after_free = 0, False
            continue
        is_free = game.is_check() and checks[mover] > free_checks
        quiet += not (is_free or after_free)
        after_free = is_free
    return quiet


def test_checks_beyond_the_number_and_their_replies_do_not_count() -> None:
    board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 7 20")
    for move in "f0e0 e8f8 e0f0 f8e8".split() * 8:
        board.push_iccs(move)
    assert [board.quiet_plies(n) for n in (0, 1, 10, 16, 99)] == [7, 9, 27, 39, 39]
    rules = WXF.replace({"no_capture_limit": 39, "offences": "none", "occurrences": 1000})
    assert find_outcome(board, rules) == Outcome(Termination.NO_CAPTURE, None)
    free = rules.replace({"free_checks": 10})
    assert find_outcome(board, free) is None
    assert find_outcome(board, free.replace({"no_capture_limit": 27})) is not None
    assert no_capture_limit_in_search(board, rules) == 39
    assert no_capture_limit_in_search(board, free) == 39 + 12
    assert no_capture_limit_in_search(board, rules.replace({"no_capture_limit": None})) == 0


def test_plies_are_counted_as_a_slow_count_has_them() -> None:
    """In random games with many checks, and captures by both sides."""
    rng = random.Random(5)
    compared = 0
    for _ in range(60):
        board = Board()
        for _ in range(120):
            moves = board.list_moves()
            if not moves:
                break
            checks = [move for move in moves if board.gives_check(move)]
            board.push(rng.choice(checks if checks and rng.random() < 0.9 else moves))
            free_checks = rng.randrange(4)
            counted = board.quiet_plies(free_checks)
            assert counted == slow_count(board, free_checks)
            compared += counted != board.halfmove_clock
    assert compared > 200


def test_total_limit_ends_a_game() -> None:
    rules = WXF.replace({"total_limit": 40})
    board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 20")
    board.push_iccs("f0e0")
    assert find_outcome(board, rules) is None
    board.push_iccs("e8f8")
    assert find_outcome(board, rules) == Outcome(Termination.TOTAL_LIMIT, None)
