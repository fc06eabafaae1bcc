"""Levels: their table, the choice of moves, when they apply, and what they never do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.networks import SMALL, random_payload
from tests.support.patience import PATIENCE_S
from xiangqi import Board, Move
from xiangqi.core.searches import SearchInfo, SearchResult
from xiangqi.engine import MATE, RULE_WIN, Clock, Engine, Limits
from xiangqi.engine.levels import (
    FULL_SKILL,
    LEVELS,
    MAX_ELO,
    MIN_ELO,
    RANDOMNESS,
    elo_of_skill,
    mix_levels,
)
from xiangqi.engine.network import pack_network
from xiangqi.engine.options import OptionValue
from xiangqi.engine.weakness import choose_line
from xiangqi.pieces import RED
from xiangqi.referee.outcome import lets_lose_by_repetition, losing_repetitions
from xiangqi.referee.rules import WXF

MIDDLE_GAME = "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 6"


def make_engine(**options: OptionValue) -> Engine:
    engine = Engine()
    for name, value in options.items():
        engine.set_option(name, value)
    return engine


# The table


def test_ten_levels_each_a_step_stronger() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
    steps = [upper.elo - lower.elo for lower, upper in pairwise(LEVELS)]
    assert min(steps) >= 100
    assert sum(step > 200 for step in steps) <= 1  # the page names it
    assert all(level.handicap.limits_search and level.handicap.lines > 1 for level in LEVELS)


def test_an_elo_between_two_levels_is_a_mixture_of_them() -> None:
    lower, upper = LEVELS[2:4]
    mixture = mix_levels(lower.elo + 0.25 * (upper.elo - lower.elo))
    assert (mixture.lower, mixture.upper) == (lower, upper)
    lots = Random(1)
    chosen = Counter(mixture.choose(lots.random()).number for _ in range(4000))
    assert set(chosen) == {3, 4}
    assert 900 < chosen[4] < 1100


@pytest.mark.parametrize(("elo", "number"), [(0, 1), (MIN_ELO, 1), (MAX_ELO, 10), (9999, 10)])
def test_the_ends_of_the_scale(elo: int, number: int) -> None:
    mixture = mix_levels(elo)
    assert {mixture.choose(lot / 100).number for lot in range(100)} == {number}


def test_skill_levels_climb_the_whole_scale() -> None:
    elos = [elo_of_skill(skill) for skill in range(FULL_SKILL)]
    assert elos == sorted(set(elos))
    assert (elos[0], elos[-1]) == (MIN_ELO, MAX_ELO)


# Choosing among lines


def make_lines(*scores: int) -> list[SearchInfo]:
    moves = sorted(Board().legal_moves)
    rows = enumerate(zip(scores, moves, strict=False), start=1)
    return [
        SearchInfo(3, 5, number, score, "exact", 9, 0, 0, (move,)) for number, (score, move) in rows
    ]


def count_choices(scores: tuple[int, ...], temperature: float, times: int = 3000) -> list[float]:
    lots, lines = Random(5), make_lines(*scores)
    chosen = Counter(choose_line(lines, temperature, lots).multipv for _ in range(times))
    return [chosen[number] / times for number in range(1, len(scores) + 1)]


def test_a_worse_line_is_chosen_less_often() -> None:
    """Probabilities of lines that differ by the temperature are as 1 to 1/e."""
    shares = count_choices((100, 50, -100), 50)
    assert shares == pytest.approx([0.721, 0.265, 0.013], abs=0.03)
    assert count_choices((100, 50, -100), 0) == [1, 0, 0]


@pytest.mark.parametrize("lost", [-MATE + 2, -RULE_WIN + 1])
def test_a_lost_line_is_not_played_unless_all_are_lost(lost: int) -> None:
    assert count_choices((-900, lost), 300) == [1, 0]
    assert count_choices((lost, lost), 300) == pytest.approx([0.5, 0.5], abs=0.05)


@pytest.mark.parametrize("won", [MATE - 3, RULE_WIN - 1])
def test_a_win_that_is_seen_is_played(won: int) -> None:
    assert count_choices((won, won - 2, 900), 300) == [1, 0, 0]


# When levels apply


class Asked:
    """An engine with a searcher that records its requests."""

    def __init__(self, **options: OptionValue) -> None:
        self.searcher = FakeSearcher()
        self.engine = Engine(self.searcher)
        for name, value in options.items():
            self.engine.set_option(name, value)

    def is_weakened(self, limits: Limits) -> bool:
        self.searcher.limits = None
        self.engine.play(Board(), limits)
        return self.searcher.limits is None  # levels have another searcher


def test_full_strength_is_the_default() -> None:
    asked = Asked()
    assert not asked.is_weakened(Limits(depth=2))
    assert asked.searcher.limits.multipv == 1
    assert asked.is_weakened(Limits(level=10))
    assert not Asked(elo=MIN_ELO).is_weakened(Limits(depth=2))
    assert Asked(elo=MAX_ELO, limit_strength=True).is_weakened(Limits(depth=2))
    assert Asked(skill_level=19).is_weakened(Limits(depth=2))


def test_analysis_is_never_weakened() -> None:
    asked = Asked(skill_level=0)
    asked.engine.analyse(Board(), Limits(depth=2, level=1))
    assert asked.searcher.limits.depth == 2
    assert not asked.is_weakened(Limits(mate=2, depth=3))
    with pytest.raises(ValueError, match="need a limit"):
        asked.engine.analyse(Board(), Limits(level=1))


def test_a_level_ends_a_search_and_limits_may_end_it_sooner() -> None:
    engine = make_engine(skill_level=12)
    assert engine.play(Board(), Limits()).best is not None
    assert engine.play(Board(), Limits(level=10, depth=2)).depth <= 2
    strongest = LEVELS[-1].handicap
    assert engine.play(Board(), Limits(level=10)).nodes <= strongest.nodes
    assert engine.play(Board(), Limits(level=10, nodes=900)).nodes <= 900


@pytest.mark.parametrize("level", [-1, 11])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(ValueError, match=f"invalid level {level}: expected 1 to 10"):
        Limits(level=level)


@pytest.mark.parametrize("level", [1, 5, 9])
def test_a_seed_makes_a_level_repeatable(level: int) -> None:
    """Threads, memory, time and earlier searches do not change its moves."""
    board, limits = Board(MIDDLE_GAME), Limits(level=level)
    plain = make_engine(skill_seed=7)
    busy = make_engine(skill_seed=7, threads=3, hash=8, multipv=4)
    busy.play(board, Limits(depth=7))
    expected = plain.play(board, limits)
    for engine, more in ((busy, Limits(level=level, movetime_ms=60_000)), (plain, limits)):
        found = engine.play(board, more)
        assert (found.best, found.score, found.nodes) == (
            expected.best,
            expected.score,
            expected.nodes,
        )


def test_a_mate_that_is_found_ends_no_search_of_a_level() -> None:
    board = Board("4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9 w")
    engine, level = make_engine(skill_seed=7), Limits(level=10)
    expected = engine.play(board, level)
    found = engine.play(board, replace(level, clock=Clock(600_000)))
    assert (found.best, found.depth, found.nodes) == (
        expected.best,
        expected.depth,
        expected.nodes,
    )


def test_other_seeds_and_no_seed_vary_the_moves() -> None:
    board, limits = Board(MIDDLE_GAME), Limits(level=1)
    seeded = {make_engine(skill_seed=seed).play(board, limits).best for seed in range(1, 9)}
    assert len(seeded) > 2
    engine = make_engine()
    assert len({engine.play(board, limits).best for _ in range(12)}) > 2


def test_randomness_varies_the_moves_of_a_whole_search() -> None:
    engine = make_engine(randomness="huge")
    chosen = set()
    for _ in range(20):
        engine.new_game()  # earlier results would change the best four lines
        chosen.add(engine.play(Board(), Limits(depth=3)).best)
    assert 1 < len(chosen) <= 4
    asked = Asked(randomness="tiny")
    assert not asked.is_weakened(Limits(depth=4))
    assert (asked.searcher.limits.depth, asked.searcher.limits.nodes) == (4, 0)
    assert asked.searcher.limits.multipv > 1
    assert set(RANDOMNESS) == {"none", "tiny", "small", "medium", "large", "huge"}


def test_the_line_reported_last_is_played() -> None:
    engine = make_engine()
    for _ in range(8):
        infos: list[SearchInfo] = []
        result = engine.play(Board(), Limits(level=1), infos.append)
        assert (infos[-1].pv[0], infos[-1].score) == (result.best, result.score)
        assert {info.multipv for info in infos} == {1}


def test_levels_use_a_new_network(tmp_path: Path) -> None:
    other = tmp_path / "random.nnue"
    other.write_bytes(pack_network(random_payload(1), SMALL, {}))
    board, limits = Board(MIDDLE_GAME), Limits(level=3)
    engine = make_engine(skill_seed=1)
    before = engine.play(board, limits).score
    engine.set_option("eval_file", str(other))
    expected = make_engine(skill_seed=1, eval_file=str(other)).play(board, limits).score
    assert before != engine.play(board, limits).score == expected


# Style

SHUFFLE = "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0".split()
"""Black's horse can complete a third occurrence, which is a draw."""


@pytest.mark.parametrize(("style", "worth"), [("solid", 20), ("normal", 0), ("risky", -40)])
def test_style_sets_the_value_of_a_draw(style: str, worth: int) -> None:
    engine = make_engine(style=style)
    board = Board()
    for move in SHUFFLE:
        board.push_iccs(move)
    drawing = (Move.from_iccs("g7h9"),)
    assert engine.play(board, Limits(depth=1, moves=drawing)).score == worth
    assert engine.analyse(board, Limits(depth=1, moves=drawing))[0].score == 0
    assert engine.play(board, Limits(depth=1, mate=3, moves=drawing)).score == 0


@pytest.mark.parametrize("played", [0, 1])
def test_a_draw_is_worth_the_same_whoever_completes_it(played: int) -> None:
    """Two plies before the limit without a capture, and one ply before it."""
    engine = make_engine(style="risky", no_capture_rounds=4)
    board = Board(f"3k5/9/9/9/9/9/9/9/R8/5K3 w - - {6 + played} 9")
    assert engine.play(board, Limits(depth=4)).score == -40


# Repetitions


def play_game(red: int, black: int, seed: int, plies: int) -> Board:
    """Play a game between two levels; no move may be illegal, or lose by rule, itself or by the
    reply, while others do not."""
    engine, board = make_engine(skill_seed=seed), Board()
    while board.ply() < plies and board.outcome() is None:
        losing = set(losing_repetitions(board, WXF))
        number = red if board.turn == RED else black
        move = engine.play(board, Limits(level=number)).best
        assert move is not None
        assert move in board.legal_moves
        assert move not in losing or losing == set(board.legal_moves)
        if lets_lose_by_repetition(board, move, WXF):
            safe = (one for one in board.legal_moves if one not in losing)
            assert all(lets_lose_by_repetition(board, one, WXF) for one in safe)
        board.push(move)
    return board


def test_levels_obey_the_rules_of_repetition() -> None:
    for seed in range(1, 5):
        play_game(1, 2, seed, 300)


def test_a_chase_is_not_completed() -> None:
    """Black's horse has chased the chariot from c7 and d5; one more such move loses."""
    moves = (
        "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 c6c5 b0b6 c7d5 h0g2 g9e7 h2i2 c5c4 b6b5 d5c7 b5b6 c7d5"
        " b6b5 d5c7 b5b6"
    )
    board = Board()
    for move in moves.split():
        board.push_iccs(move)
    (losing,) = losing_repetitions(board, WXF)
    engine = make_engine()
    assert losing not in {engine.play(board, Limits(level=1)).best for _ in range(100)}


CHASE = "4k4/4a2c1/5a3/9/6C1P/7r1/2R6/4B4/4A4/2BAK4 b - - 0 1"
"""Black's chariot chases the soldier from h4 and i4; Red's move completes a cycle."""
TO_THE_TRAP = "h4i4 i5h5 i4h4 h5i5 h4i4 i5h5".split()


def test_no_move_lets_the_reply_complete_a_lost_repetition() -> None:
    board = Board(CHASE)
    for move in TO_THE_TRAP:
        assert not any(lets_lose_by_repetition(board, one, WXF) for one in board.legal_moves)
        board.push_iccs(move)
    traps = [one for one in board.legal_moves if lets_lose_by_repetition(board, one, WXF)]
    assert [trap.iccs() for trap in traps] == ["i4h4"]
    engine = make_engine()
    assert traps[0] not in {engine.play(board, Limits(level=1)).best for _ in range(150)}
    only = Limits(level=1, moves=tuple(traps))
    assert engine.play(board, only).best == traps[0]


# Protocols


def test_uci_options_are_those_of_stockfish() -> None:
    with Conversation() as talk:
        talk.send("uci")
        lines = talk.until("uciok")
        assert "option name Skill Level type spin default 20 min 0 max 20" in lines
        assert "option name UCI_LimitStrength type check default false" in lines
        ends = f"default {MIN_ELO} min {MIN_ELO} max {MAX_ELO}"
        assert f"option name UCI_Elo type spin {ends}" in lines
        infos = talk.ask(
            "setoption name UCI_LimitStrength value true",
            f"setoption name UCI_Elo value {MIN_ELO + 1}",
            "setoption name Skill Level value 7",
        )
        assert infos == []
        options = talk.engine.options
        assert options["limit_strength"] is True
        assert (options["elo"], options["skill_level"]) == (MIN_ELO + 1, 7)
        talk.send("position startpos", "go infinite", "stop")
        talk.expect("bestmove")
        assert talk.searcher.limits.multipv == 1
        talk.searcher.limits = None
        talk.send("go wtime 1000 btime 1000")
        talk.expect("bestmove")
        assert talk.searcher.limits is None


def test_skill_levels_below_zero_are_the_weakest() -> None:
    with Conversation() as talk:
        assert talk.ask("uci", "setoption name Skill Level value -20")[-1] == "uciok"
        assert talk.engine.options["skill_level"] == 0


def test_ucci_options() -> None:
    with Conversation() as talk:
        talk.send("ucci")
        lines = talk.until("ucciok")
        assert "option skill_level type spin default 20 min 0 max 20" in lines
        words = " ".join(f"var {word}" for word in RANDOMNESS)
        assert f"option randomness type combo default none {words}" in lines
        assert "option style type combo default normal var solid var normal var risky" in lines
        infos = talk.ask("setoption randomness large", "setoption Skill Level 3")
        (refusal,) = talk.ask("setoption style risky", "setoption style wild")
        assert refusal.endswith("style 'wild': expected one of solid, normal, risky")
        assert talk.engine.options["style"] == "risky"
        assert infos == []
        assert talk.engine.options["randomness"] == "large"
        assert talk.engine.options["skill_level"] == 3


def test_a_pondering_level_waits_for_the_move() -> None:
    engine = make_engine(skill_level=3)
    answers: list[SearchResult] = []
    engine.on_best = answers.append
    engine.go(Limits(ponder=True))
    assert not engine.wait(0.2)
    assert engine.ponderhit()
    assert engine.wait(PATIENCE_S)
    assert len(answers) == 1
