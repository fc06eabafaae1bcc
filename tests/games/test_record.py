"""Records: positions as engines get them, and lines of JSON."""

from __future__ import annotations

import pytest

from xiangqi import STARTING_FEN
from xiangqi.contract.errors import FieldError
from xiangqi.games.record import GameRecord, parse_json_object, parse_position, record_of
from xiangqi.ground.errors import FenError, PositionError, RecordError


@pytest.mark.parametrize(
    ("text", "fen", "moves"),
    [
        ("position startpos", STARTING_FEN, ()),
        ("startpos moves h2e2", STARTING_FEN, ("h2e2",)),
        ("  position   startpos  moves  h2e2   h9g7 ", STARTING_FEN, ("h2e2", "h9g7")),
        ("position fen 4k4/9 w - - 0 1 moves a0a1", "4k4/9 w - - 0 1", ("a0a1",)),
        ("fen 4k4/9 w", "4k4/9 w", ()),
        ("position startpos moves", STARTING_FEN, ()),
    ],
)
def test_parse_position(text: str, fen: str, moves: tuple[str, ...]) -> None:
    assert parse_position(text) == GameRecord(fen, moves)


@pytest.mark.parametrize(
    "text", ["", "position", "position fen", "go depth 3", "moves h2e2", "fen"]
)
def test_parse_position_quotes_what_it_cannot_read(text: str) -> None:
    with pytest.raises(RecordError, match="expected 'position fen F") as caught:
        parse_position(text)
    assert repr(text) in str(caught.value)


def test_play() -> None:
    assert GameRecord(moves=("h2e2", "H9-G7")).play().ply() == 2


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (("h2e2", "h9g"), r"move 2: 'h9g': expected two different squares"),
        (("h2e2", "h2e2"), r"move 2: 'h2e2': there is no piece on h2"),
        (("h2h8",), r"move 1: 'h2h8': the red cannon on h2 cannot reach h8"),
        (("a9a8",), r"move 1: 'a9a8': the black chariot on a9 cannot move, it is red's turn"),
        (("a0b0",), r"move 1: 'a0b0': b0 is occupied by red's own horse"),
        (("a0b1",), r"move 1: 'a0b1': the red chariot on a0 cannot reach b1"),
    ],
)
def test_play_says_which_move_and_why(moves: tuple[str, ...], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        GameRecord(moves=moves).play()


def test_play_says_that_a_move_leaves_a_check() -> None:
    with pytest.raises(RecordError, match="it leaves the red general in check"):
        GameRecord("4k4/4r4/9/9/9/9/9/4R4/9/4K4 w", ("e2d2",)).play()


def test_play_raises_for_the_position_itself() -> None:
    with pytest.raises(FenError):
        GameRecord("nonsense").play()
    with pytest.raises(PositionError):
        GameRecord("4k4/9/9/9/9/9/9/9/9/9 w").play()


def test_json_records() -> None:
    data = parse_json_object('{"id": 7, "fen": "4k4/9 w", "moves": ["h2e2"], "more": null}')
    assert record_of(data) == GameRecord("4k4/9 w", ("h2e2",))
    assert record_of({}) == GameRecord()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"id":2,"fe',
        "[1]",
        "3",
        "null",
        "nan",
        "[" * 100_000,
        "1" * 10_000,
        '"\\ud8',
        "{,}",
    ],
    ids=lambda text: text[:8],
)
def test_json_that_is_no_object(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_json_object(text)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"fen": 3}, "fen: 3: expected text"),
        ({"fen": None}, "fen: null: expected text"),
        ({"moves": "h2e2"}, "moves: 'h2e2': expected text or a list of texts"),
        ({"moves": {"a": 1}}, 'moves: {"a": 1}: expected text or a list of texts'),
        ({"moves": ["h2e2", 3]}, r"moves\[1\]: 3: expected text"),
    ],
)
def test_records_with_wrong_keys(data: dict[str, object], message: str) -> None:
    with pytest.raises(FieldError, match=message):
        record_of(data)
