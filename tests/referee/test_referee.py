"""Rulings: content, immutability, and invariance under transformations of the board."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from xiangqi import BLACK, RED, Board, Conduct, Piece, Reason, Referee, Verdict, square_name
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import IllegalMoveError, InvalidMoveError, PositionError
from xiangqi.ground.texts import LANGUAGES, Language, has_text
from xiangqi.referee.explanation import format_reason, format_ruling
from xiangqi.referee.judging import Ruling, Victim
from xiangqi.referee.ruling import Mark
from xiangqi.words.voice import Voice

CHECK = GameRecord("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", tuple(["f0e0", "e8f8", "e0f0", "f8e8"] * 2))
CHASE = GameRecord(
    "2bk1a3/4a4/4b4/9/c8/1R7/3r5/4B4/4A4/4KAB2 w", tuple(["b4a4", "a5b5", "a4b4", "b5a5"] * 2)
)
IDLE = GameRecord("4k4/9/9/9/9/9/9/9/9/R2K5 w", tuple(["a0a1", "e9e8", "a1a0", "e8e9"] * 2))
MUTUAL = GameRecord(
    "3akab2/c2R1R2c/4b4/9/9/9/9/4B4/4K4/2B6 w", tuple(["f8f6", "f9e8", "f6f8", "e8f9"] * 2)
)

OFFER = GameRecord("4k4/9/9/9/r8/9/9/1R7/9/3K5 w", tuple(["b2a2", "e9e8", "a2b2", "e8e9"] * 2))


def rule(record: GameRecord) -> Ruling:
    return record.play().judge()


def test_perpetual_check_loses() -> None:
    ruling = rule(CHECK)
    assert ruling.verdict is Verdict.BLACK_WINS
    assert (ruling.conduct[RED], ruling.conduct[BLACK]) == (Conduct.CHECK, Conduct.IDLE)
    assert ruling.offender is not None
    assert ruling.offender == RED
    assert ruling.victim is None
    assert ruling.window == (0, 7)
    red_plies = [report for report in ruling.plies if report.color == RED]
    assert [report.conduct for report in red_plies] == [Conduct.CHECK] * 4
    (square, piece) = red_plies[0].checkers[0]
    assert (square_name(square), piece) == ("e0", Piece.from_symbol("R"))
    assert red_plies[0].threats == ()


def test_perpetual_chase_loses_and_names_the_victim_where_it_stands() -> None:
    ruling = rule(CHASE)
    assert ruling.verdict is Verdict.BLACK_WINS
    assert ruling.victim == Victim(Piece.from_symbol("c"), 45)
    assert ruling.victims[BLACK] == ()
    for report in ruling.plies[::2]:
        (chase,) = report.chases
        assert chase.victim_piece == Piece.from_symbol("c")
        assert chase.attacker == report.move.to_square
    assert all(not report.chases for report in ruling.plies[1::2])


def test_idle_against_idle_is_a_draw_with_nobody_to_blame() -> None:
    ruling = rule(IDLE)
    assert ruling.verdict is Verdict.DRAW
    assert ruling.offender is None
    assert ruling.victim is None


def test_both_sides_chasing_is_a_draw_for_that_reason() -> None:
    ruling = rule(MUTUAL)
    assert ruling.verdict is Verdict.DRAW
    assert ruling.conduct == {RED: Conduct.CHASE, BLACK: Conduct.CHASE}
    assert ruling.victims[RED]
    assert ruling.victims[BLACK]
    assert ruling.victim is None


def test_too_few_occurrences_are_undecided_but_counted() -> None:
    ruling = rule(GameRecord(CHECK.fen, CHECK.moves[:-1]))
    assert ruling.verdict is Verdict.UNDECIDED
    assert ruling.occurrences == 2
    assert ruling.window is None
    assert ruling.conduct == {RED: None, BLACK: None}
    assert ruling.plies == ()


def test_a_shuffle_beside_a_walk_between_attacked_squares_is_no_chase() -> None:
    """A king's move does not renew an existing threat."""
    fen = "7c1/3k5/3C4b/6p2/6N2/2r5c/9/1N1A5/4A4/3K5 w"
    ruling = rule(GameRecord(fen, tuple(["d0e0", "c4e4", "e0d0", "e4c4"] * 2)))
    assert ruling.verdict is Verdict.DRAW
    found = {threat.reason for report in ruling.plies for threat in report.threats}
    assert Reason.STOOD_BEFORE in found


def test_every_move_has_a_mark() -> None:
    """A moved piece that only attacks one of its kind is marked as an exchange."""
    for record, marks in (
        (CHECK, "check idle"),
        (CHASE, "chase idle"),
        (IDLE, "idle idle"),
        (MUTUAL, "chase chase"),
        (OFFER, "exchange idle"),
    ):
        assert [report.mark.value for report in rule(record).plies[:2]] == marks.split()
    assert ruling_to_dict(rule(OFFER))["plies"][0]["mark"] == "exchange"
    assert [mark.value for mark in Mark if mark.is_strike] == ["check", "kill", "chase"]


def test_judge_moves_raises_for_what_cannot_be_played() -> None:
    referee = Referee()
    with pytest.raises(PositionError):
        referee.judge_moves("9/9/9/9/9/9/9/9/9/9 w", [])
    with pytest.raises(InvalidMoveError):
        referee.judge_moves(IDLE.fen, ["a0"])
    with pytest.raises(IllegalMoveError):
        referee.judge_moves(IDLE.fen, ["a0b1"])


def test_judging_leaves_the_board_as_it_was() -> None:
    board = CHASE.play()
    before = board.raw(), board.move_stack
    board.judge()
    assert (board.raw(), board.move_stack) == before


@pytest.mark.parametrize(
    "record", [CHECK, CHASE, IDLE, MUTUAL], ids=["check", "chase", "idle", "both"]
)
def test_a_ruling_is_data(record: GameRecord) -> None:
    ruling = rule(record)
    data = json.loads(json.dumps(ruling_to_dict(ruling)))
    assert data["verdict"] == ruling.verdict.value
    assert data["window"] == [0, 7]
    assert len(data["plies"]) == 8
    assert {"plies", "moves", "fen"}.isdisjoint(ruling_to_dict(ruling, evidence=False))
    assert [Board(data["fen"]).fen(), data["moves"]] == [
        Board(record.fen).fen(),
        list(record.moves),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "record", [CHECK, CHASE, IDLE, MUTUAL], ids=["check", "chase", "idle", "both"]
)
def test_words_tell_every_ply(record: GameRecord, language: Language) -> None:
    ruling = rule(record)
    voice = Voice(language, "iccs")
    text = format_ruling(ruling, voice)
    for report in ruling.plies:
        assert report.move.iccs() in text
    assert format_reason(ruling, voice) in text
    assert Board(record.fen).fen() in text
    assert "{" not in text


def test_words_name_the_offence() -> None:
    assert format_reason(rule(CHECK)) == (
        "Red checked perpetually and had to change; Black: idle moves"
    )
    assert format_reason(rule(CHASE)) == (
        "Red chased the black cannon on a5 perpetually and had to change; Black: idle moves"
    )
    assert format_reason(rule(CHASE), Voice("zh")) == ("红方长捉黑方１路炮，黑方闲，红方不变判负")
    assert format_reason(rule(MUTUAL)) == "both sides alike: perpetual chase"


def test_every_reason_has_words() -> None:
    for reason in Reason:
        assert has_text(f"reason_{reason.value}")


def test_rulings_are_values() -> None:
    ruling = rule(CHASE)
    assert ruling == rule(CHASE)
    assert ruling != rule(CHECK)
    with pytest.raises(AttributeError):
        ruling.verdict = Verdict.DRAW  # type: ignore[misc]
    threat = ruling.plies[0].threats[0]
    assert pickle.loads(pickle.dumps(threat)) == threat


@pytest.mark.parametrize("board", [None, 3, "h2e2", [], RED], ids=repr)
def test_judge_refuses_other_types(board: Any) -> None:
    with pytest.raises(TypeError, match="expected a Board"):
        Referee().judge(board)
