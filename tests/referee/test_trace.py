"""Rulings and explanations parse a record's FEN and replay its moves only once."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from xiangqi.board import Board
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.games.record import play_moves
from xiangqi.pieces import BLACK, RED, fen
from xiangqi.referee.comparison import compare, format_differences
from xiangqi.referee.endings import describe_ending
from xiangqi.referee.explanation import explain, format_reason, format_ruling
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY, RULE_SETS, WXF
from xiangqi.referee.ruling import Ruling, Trace
from xiangqi.words.phrases import Rounds
from xiangqi.words.voice import Voice

CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 7", "f0e0 e8f8 e0f0 f8e8".split()
VOICES = [Voice(), Voice("en", "wxf"), Voice("zh")]

parses: list[str] = []


class CountingBoard(Board):
    """Board that counts the moves played on it and on its copies."""

    played = 0

    def push_unchecked(self, move: Move) -> None:
        CountingBoard.played += 1
        super().push_unchecked(move)

    def push_iccs(self, text: str) -> Move:
        CountingBoard.played += 1
        return super().push_iccs(text)


@pytest.fixture(autouse=True)
def count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count FEN parses, wherever the function is imported, and moves played."""
    original = fen.parse_fen

    def parse(text: str) -> Any:
        parses.append(text)
        return original(text)

    for name, module in list(sys.modules.items()):
        if name.startswith("xiangqi.") and getattr(module, "parse_fen", None) is original:
            monkeypatch.setattr(module, "parse_fen", parse)
    parses.clear()
    CountingBoard.played = 0


def played(record: tuple[str, list[str]], times: int = 2) -> CountingBoard:
    board = CountingBoard(record[0])
    play_moves(board, record[1] * times)
    return board


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_record_is_parsed_and_replayed_once(name: str, times: int) -> None:
    board = played(CHECKS, times)
    ruling = Referee(name).judge(board)
    if RULE_SETS[name].in_search:  # gains are found by playing on
        assert CountingBoard.played == board.ply()
    before = CountingBoard.played
    assert not ruling.plies or ruling.window is not None
    for voice in VOICES:
        text = format_ruling(ruling, voice)
        assert all(move in text for move in set(ruling.trace.names(voice.notation, voice.move)))
        found = explain(ruling)
        assert all(line.text.say(voice) in text for line in found.remedies)
        assert format_reason(ruling, voice) in text
        assert bool(found.window) == bool(found.extent) == (ruling.window is not None)
    assert CountingBoard.played == before
    assert parses == [CHECKS[0]]


def test_a_comparison_shares_the_game_behind_each_ruling() -> None:
    board = played(CHECKS)
    compared = compare(board, [WXF, CHECKS_ONLY, ALL_DRAWS])
    assert list(format_differences(compared))
    assert parses == [CHECKS[0]]
    assert CountingBoard.played == board.ply()


def test_a_trace_has_the_positions_and_names_of_the_game() -> None:
    board = played(CHECKS)
    trace = Trace(board)
    again = CoreBoard(CHECKS[0])
    voices = {voice.notation: voice for voice in VOICES}
    names: dict[str, list[str]] = {notation: [] for notation in voices}
    for plies, move in enumerate(board.move_stack):
        for notation, voice in voices.items():
            names[notation].append(voice.move(again, move))
        assert trace.side(plies) == again.turn
        again.push_unchecked(move)
        assert trace.cells(plies + 1) == again.cells()
        assert [square for square, _ in trace.checkers(plies + 1)] == sorted(again.checkers())
    assert trace.cells(0) == CoreBoard(CHECKS[0]).cells()
    assert {n: list(trace.names(n, voices[n].move)) for n in voices} == names
    assert (trace.number, trace.turn) == (7, RED)
    assert trace.board() == board


@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("number", [1, 20])
@pytest.mark.parametrize("plies", [0, 1, 2, 3])
def test_a_trace_counts_rounds_as_the_fen_does(turn: str, number: int, plies: int) -> None:
    record = f"3k5/9/9/9/9/9/9/9/9/5K3 {turn} - - 0 {number}"
    moves = ["f0f1", "d9d8", "f1f0"] if turn == "w" else ["d9d8", "f0f1", "d8d9"]
    board = played((record, moves[:plies]), times=1)
    ruling = Referee().judge(board)
    assert explain(ruling).sheet.rounds == Rounds.from_fen(record)
    assert ruling.trace.turn == (RED if turn == "w" else BLACK)


def test_a_trace_does_not_follow_the_board() -> None:
    board = played(CHECKS)
    ruling = Referee().judge(board)
    text = format_ruling(Referee().judge(board))
    while board.ply():
        board.pop()
    assert format_ruling(ruling) == text


def test_a_ruling_made_by_hand_plays_its_game_again() -> None:
    board = played(CHECKS)
    judged = Referee().judge(board)
    values = {name: getattr(judged, name) for name in Ruling.__dataclass_fields__}
    made = Ruling(**{name: value for name, value in values.items() if name != "_trace"})
    assert made == judged
    assert format_ruling(made) == format_ruling(judged)
    assert made.board() == judged.board() == board


@pytest.mark.parametrize(
    ("position", "moves", "in_rounds", "said"),
    [
        ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", "b0b9", False, "Black is mated"),
        ("3k5/R8/9/9/9/9/9/9/9/4K4 b", "", False, "Black has no legal move"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w", "a0a1", False, None),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 119 60", "a0a1", False, "120 plies without a capture"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 119 60", "a0a1", True, "60 rounds without a capture"),
    ],
)
def test_endings_are_explained_in_one_place(
    position: str, moves: str, in_rounds: bool, said: str | None
) -> None:
    board = Board(position)
    play_moves(board, moves.split())
    outcome = board.outcome(WXF)
    found = outcome and str(describe_ending(board, outcome, WXF, in_rounds=in_rounds))
    assert found == said
