"""Errors quote the invalid input, have one base class, and can be copied and pickled."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi.ground import errors
from xiangqi.ground.errors import (
    AmbiguousMoveError,
    BookError,
    CaseError,
    FenError,
    FormatError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPieceError,
    InvalidSquareError,
    InvalidTextError,
    MissingPieceError,
    NamedValueError,
    NetworkError,
    PositionError,
    RatingError,
    RecordError,
    RuleSetError,
    TableError,
    WorkersError,
    XiangqiError,
    outside,
    quote,
)
from xiangqi.pieces.fen import Status

FEN = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"

EXAMPLES: list[XiangqiError] = [
    XiangqiError("something is wrong"),
    FenError(FEN, outside("side to move"), outside("found 'x'")),
    PositionError(
        FEN,
        Status.NO_RED_KING | Status.KINGS_FACING,
        [outside("no general"), outside("an open file")],
    ),
    InvalidTextError("?", outside("a word")),
    InvalidSquareError("k4", outside("a square")),
    InvalidPieceError("q", outside("a piece")),
    InvalidMoveError("h2", outside("a move")),
    IllegalMoveError("e0e2", FEN, outside("too far")),
    MissingPieceError("a0a1", FEN, outside("there is no piece on a0")),
    AmbiguousMoveError("C.5", FEN, ["b2e2", "h2e2"]),
    RecordError(3, "C2.9", outside("too far"), "final.pgn"),
    RecordError(None, "FEN", outside("missing")),
    CaseError("cases.toml", "D7", "verdict", outside("found 'win'")),
    RuleSetError(outside("option natural_limit"), -1, outside("a number")),
    NamedValueError("hash", "lots", outside("a number")),
    RatingError(outside("no game has a result")),
    FormatError("games.xqf", outside("game 2"), outside("no place for a draw offer")),
    NetworkError("new.nnue", outside("version 2"), outside("version 1")),
    BookError("my.obk", outside("no file"), outside("an OBK book")),
    TableError("KRvKN.wxf.xqt", outside("it is no table: too short")),
    WorkersError(outside("scheduler 'tcp://10.0.0.1:8786'"), outside("cannot be reached")),
]

each_error = pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)


def through_pickle(error: XiangqiError) -> XiangqiError:
    restored = pickle.loads(pickle.dumps(error))
    assert isinstance(restored, XiangqiError)
    return restored


def test_every_error_has_an_example() -> None:
    named = [getattr(errors, name) for name in errors.__all__ if name.endswith("Error")]
    assert {type(error) for error in EXAMPLES} == set(named)


@each_error
@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, through_pickle])
def test_a_copy_is_faithful(
    error: XiangqiError, clone: Callable[[XiangqiError], XiangqiError]
) -> None:
    copied = clone(error)
    assert copied is not error
    assert type(copied) is type(error)
    assert copied.args == error.args
    assert vars(copied) == vars(error)
    assert str(copied) == str(error)


@each_error
def test_errors_are_value_errors(error: XiangqiError) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        raise error
    assert caught.value is error


@each_error
def test_errors_have_a_short_message_of_one_line(error: XiangqiError) -> None:
    assert 5 < len(str(error)) < 200
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("error", "parts"),
    [
        (
            FenError(FEN, outside("side to move"), outside("found 'x'")),
            [repr(FEN), "side to move", "found 'x'"],
        ),
        (
            PositionError(FEN, Status.KINGS_FACING, iter([outside("first"), outside("second")])),
            [repr(FEN), "first; second"],
        ),
        (InvalidSquareError("k4", outside("a square")), ["square", "'k4'", "a square"]),
        (InvalidPieceError("q", outside("a letter")), ["piece", "'q'", "a letter"]),
        (InvalidMoveError("h2", outside("two squares")), ["move", "'h2'", "two squares"]),
        (IllegalMoveError("e0e2", FEN, outside("too far")), ["'e0e2'", repr(FEN), "too far"]),
        (AmbiguousMoveError("C.5", FEN, iter(["b2e2", "h2e2"])), ["'C.5'", "b2e2, h2e2"]),
        (RecordError(0, "C2.9", outside("too far")), ["move 1: 'C2.9': too far"]),
        (
            RecordError(3, "C2.9", outside("too far"), "final.pgn"),
            ["final.pgn: move 4: 'C2.9': too far"],
        ),
        (RecordError(None, "FEN", outside("missing"), "final.pgn"), ["final.pgn: 'FEN': missing"]),
        (CaseError("a.toml", "D7", "verdict", outside("why")), ["a.toml: case D7: verdict: why"]),
        (CaseError("a.toml", "", "", outside("why")), ["a.toml: why"]),
        (
            RuleSetError(outside("rule set"), "wfx", outside("'wxf'")),
            ["rule set", "'wfx'", "'wxf'"],
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, XiangqiError) else "",
)
def test_messages_name_what_they_are_about(error: XiangqiError, parts: list[str]) -> None:
    for part in parts:
        assert part in str(error)


def test_attributes_tell_what_the_message_tells() -> None:
    fen = FenError(FEN, outside("side to move"), outside("found 'x'"))
    assert (fen.text, fen.field, fen.why) == (FEN, "side to move", "found 'x'")
    position = PositionError(FEN, Status.KINGS_FACING, iter([outside("first"), outside("second")]))
    assert position.fen == FEN
    assert position.status == Status.KINGS_FACING
    assert position.problems == ("first", "second")
    move = InvalidMoveError("h2", outside("two squares"))
    assert (move.text, move.expected) == ("h2", "two squares")
    illegal = IllegalMoveError("e0e2", FEN, outside("too far"))
    assert (illegal.move, illegal.fen, illegal.why) == ("e0e2", FEN, "too far")
    ambiguous = AmbiguousMoveError("C.5", FEN, iter(["b2e2", "h2e2"]))
    assert (ambiguous.text, ambiguous.fen) == ("C.5", FEN)
    assert ambiguous.candidates == ("b2e2", "h2e2")
    record = RecordError(3, "C2.9", outside("too far"), "final.pgn")
    assert (record.ply, record.text, record.why) == (3, "C2.9", "too far")
    assert record.source == "final.pgn"
    rules = RuleSetError(outside("option natural_limit"), -1, outside("a number"))
    assert (rules.subject, rules.value, rules.expected) == ("option natural_limit", -1, "a number")


def test_keywords_make_the_same_error() -> None:
    named = through_pickle(
        FenError(why=outside("found 'x'"), field=outside("side to move"), text=FEN)
    )
    assert str(named) == str(FenError(FEN, outside("side to move"), outside("found 'x'")))


def test_notes_travel_along() -> None:
    error = InvalidMoveError("h2", outside("two squares"))
    error.__dict__["__notes__"] = ["in line 7"]  # what add_note() of Python 3.11 does
    assert vars(through_pickle(error))["__notes__"] == ["in line 7"]


# Quoting


@given(st.text(max_size=40))
def test_short_text_is_quoted_in_full(text: str) -> None:
    if len(repr(text)) <= 120:
        assert quote(text) == repr(text)
    else:
        assert len(quote(text)) <= 120


def test_long_text_keeps_its_two_ends() -> None:
    text = "start" + "-" * 1_000_000 + "finish"
    assert quote(text).startswith("'start--")
    assert quote(text).endswith("--finish'")
    assert "..." in quote(text)
    assert len(quote(text)) == 120


@pytest.mark.parametrize("text", ["\0" * 500, "\n" * 500, "\U0010ffff" * 500, "\ud800" * 500])
def test_escapes_do_not_make_a_quotation_long(text: str) -> None:
    assert len(quote(text)) <= 120
    assert quote(text).isprintable()


@pytest.mark.parametrize("value", [None, 7, -(10**200), b"\xff" * 999, [["x" * 999]]])
def test_other_values_are_quoted_too(value: object) -> None:
    assert 0 < len(quote(value)) <= 130


def test_numbers_too_long_for_python_to_write_are_quoted_too() -> None:
    assert 0 < len(quote(10**10_000)) <= 120
    assert str(
        RuleSetError(outside("option natural_limit"), -(10**10_000), outside("fewer digits"))
    )


def test_a_message_about_a_long_text_is_short() -> None:
    assert len(str(FenError("9/" * 10_000, outside("piece placement"), outside("too long")))) < 200
