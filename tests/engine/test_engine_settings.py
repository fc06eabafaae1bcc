"""Settings of an engine before a search: positions and options."""

from __future__ import annotations

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.engines.heard import CHECK_FEN, CHECK_MOVES, Heard
from tests.support.patience import PATIENCE_S
from xiangqi import (
    STARTING_FEN,
    Board,
    FenError,
    Move,
    PositionError,
    RecordError,
    Setup,
    parse_fen,
)
from xiangqi.engine import Engine, Limits
from xiangqi.engine.options import OPTIONS, REPETITION_RULES, Option, OptionError
from xiangqi.referee.rules import RULE_SETS, WXF

# Positions


def test_positions_are_set_up_and_kept_when_wrong() -> None:
    engine = Engine(FakeSearcher())
    assert engine.board.fen() == STARTING_FEN
    engine.set_position(moves=["h2e2", Move.from_iccs("h9g7")])
    before = engine.board
    assert before.ply() == 2
    with pytest.raises(RecordError, match="move 2: 'h2e2': there is no piece on h2") as caught:
        engine.set_position(moves=["h2e2", "h2e2"])
    assert caught.value.ply == 1
    with pytest.raises(FenError):
        engine.set_position("nonsense")
    with pytest.raises(PositionError):
        engine.set_position("4k4/9/9/9/9/9/9/9/9/9 w")
    assert engine.board == before
    assert engine.board.ply() == 2


def test_a_board_brings_its_history() -> None:
    board = Board(CHECK_FEN)
    for move in CHECK_MOVES[:-1]:
        board.push_iccs(move)
    engine = Engine(FakeSearcher())
    engine.set_position(board, CHECK_MOVES[-1:])
    assert engine.board.repetitions() == 3
    board.pop()
    with pytest.raises(RecordError, match="move 7: 'f8e8'") as caught:
        engine.set_position(board, CHECK_MOVES[-1:])
    assert caught.value.ply == 6
    assert (board.ply(), engine.board.ply()) == (6, 8)


class Unwritable(Board):
    """A board that cannot be converted to text."""

    def fen(self) -> str:
        raise AssertionError("the board is at hand")

    root_fen = fen

    @property
    def move_stack(self) -> list[Move]:
        raise AssertionError("the board is at hand")


def test_a_board_is_not_converted_to_text() -> None:
    board = Unwritable(CHECK_FEN)
    for move in CHECK_MOVES[:4]:
        board.push_iccs(move)
    heard = Heard()
    heard.engine.set_position(board)
    heard.engine.probe(board, ["f0e0"])
    assert heard.go(Limits(depth=1)).best in board.legal_moves
    assert heard.engine.play(board, Limits(depth=1)).best in board.legal_moves
    with heard.engine.analysis(board, Limits(depth=1)) as lines:
        assert list(lines)
    assert (board.ply(), heard.engine.board.ply()) == (4, 4)
    assert heard.messages == []


@pytest.mark.parametrize(
    ("lines", "parsed"),
    [
        (["uci", f"position fen {CHECK_FEN} moves f0e0 e8f8", "go depth 1"], 1),
        (["uci", f"position fen {CHECK_FEN} moves f1e1 e9f9", "go depth 1"], 2),
        (["ucci", f"position fen {CHECK_FEN} moves f0e0 e8f8", "go depth 1"], 1),
        (["ucci", f"probe fen {CHECK_FEN} moves f0e0"], 1),
        (["xboard", f"setboard {CHECK_FEN}", "force", "usermove f0e0", "undo", "hard", "sd 1"], 1),
        (["xboard", f"setboard {CHECK_FEN}", "force", "sd 1", "hard", "go", "usermove e8f8"], 1),
    ],
)
def test_a_position_is_read_once(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], parsed: int
) -> None:
    """Or once for each count of ranks, until one fits."""
    read: list[str] = []

    def parse_and_note(fen: str) -> Setup:
        if fen != STARTING_FEN:
            read.append(fen)
        return parse_fen(fen)

    with Conversation() as talk:
        monkeypatch.setattr("xiangqi.core.position_board.parse_fen", parse_and_note)
        talk.ask(*lines)
        assert talk.engine.wait(PATIENCE_S)
    assert len(read) == parsed, read


def test_changing_a_board_does_not_change_its_search() -> None:
    heard = Heard(step_ms=20)
    board = Board(CHECK_FEN)
    with heard.engine.analysis(board, Limits(depth=3)) as lines:
        board.push(next(iter(board.legal_moves)))
        best = lines.stop().best
    assert best in Board(CHECK_FEN).legal_moves


# Options


@pytest.mark.parametrize(
    ("name", "value", "parsed"),
    [
        ("hash", "64", 64),
        ("hash", 128, 128),
        ("multipv", "003", 3),
        ("ponder", "TRUE", True),
        ("ponder", True, True),
        ("ponder", "on", True),
        ("ponder", "1", True),
        ("ponder", "Yes", True),
        ("repetition", "CheckBan", "checkban"),
        ("no_capture_rounds", 0, 0),
    ],
)
def test_options(name: str, value: str | int | bool, parsed: object) -> None:
    engine = Engine(FakeSearcher())
    engine.set_option(name, value)
    assert engine.options[name] == parsed


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("hash", "0", "invalid option hash '0': expected a number 1 to 65536"),
        ("hash", "65537", "expected a number 1 to 65536"),
        ("hash", "9" * 10_000, "expected a number 1 to 65536"),
        ("hash", "-1", "expected a number"),
        ("hash", "1_6", "expected a number"),
        ("hash", "", "expected a number"),
        ("hash", "8192", r"expected a smaller value \(no memory\)"),
        ("ponder", "2", "expected true or false"),
        ("repetition", "fide", "expected one of wxf, axf"),
        ("skill", "3", "expected one of the options hash, threads"),
    ],
)
def test_options_refused(name: str, value: str, message: str) -> None:
    engine = Engine(FakeSearcher())
    before = dict(engine.options)
    with pytest.raises(OptionError, match=message):
        engine.set_option(name, value)
    assert engine.options == before


@pytest.mark.parametrize("value", ["false", "OFF", "0", "no", False])
def test_check_options_are_switched_off(value: str | bool) -> None:
    engine = Engine(FakeSearcher())
    engine.set_option("ponder", True)
    engine.set_option("ponder", value)
    assert engine.options["ponder"] is False


def test_defaults_are_within_their_ranges() -> None:
    for option in OPTIONS.values():
        assert option.parse(option.default) == option.default
    assert Option("clear", "button").parse("whatever") == ""


def test_options_reach_the_searcher() -> None:
    heard = Heard()
    heard.engine.set_option("hash", 32)
    heard.engine.set_option("threads", 2)
    heard.engine.new_game()
    assert heard.searcher.calls == ["hash 32", "threads 2", "clear"]
    heard.engine.set_option("multipv", 5)
    heard.go(Limits(depth=2))
    assert heard.searcher.limits.multipv == 5


def test_rule_sets() -> None:
    engine = Engine(FakeSearcher())
    assert engine.rules == WXF
    for name, rules in REPETITION_RULES.items():
        engine.set_option("repetition", name)
        assert engine.rules == RULE_SETS[rules]
    assert set(REPETITION_RULES.values()) == set(RULE_SETS)
    engine.set_option("repetition", "taiwan2024")
    assert engine.rules.no_capture_limit == 100
    engine.set_option("no_capture_rounds", 40)
    assert engine.rules.no_capture_limit == 80
    engine.set_option("repetition", "wxf")
    assert engine.rules.no_capture_limit == 80
    engine.set_option("no_capture_rounds", 50)
    assert engine.rules.no_capture_limit == 100
    engine.set_option("no_capture_rounds", 0)
    assert engine.rules.no_capture_limit is None
