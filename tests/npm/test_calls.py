"""The referee's calls as JSON, errors as data, and the engine in one thread."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from xiangqi import Board
from xiangqi.casebook.cases import load_cases
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.engine.bench import run_bench
from xiangqi.engine.slices import Conversation
from xiangqi.referee.explanation import format_ruling, format_sentence
from xiangqi.web.calls import CALLS, answer
from xiangqi.words.voice import Voice

CYCLE: dict[str, Any] = {
    "fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
    "moves": "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split(),
}


def call(name: str, **data: Any) -> Any:
    return json.loads(answer(name, json.dumps(data)))["value"]


def fail(name: str, **data: Any) -> dict[str, Any]:
    error = json.loads(answer(name, json.dumps(data)))["error"]
    assert isinstance(error, dict)
    return error


def board() -> Board:
    board = Board(CYCLE["fen"])
    for move in CYCLE["moves"]:
        board.push_iccs(move)
    return board


def test_a_ruling_is_that_of_the_command() -> None:
    ruling = board().judge()
    data = json.loads(json.dumps(ruling_to_dict(ruling)))
    found = call("judge", **CYCLE)
    assert {key: found[key] for key in data} == data
    assert found["words"] == format_sentence(ruling)
    assert found["outcome"] == call("outcome", **CYCLE)
    assert call("explain", **CYCLE) == format_ruling(ruling)
    assert call("explain", **CYCLE, language="zh") == format_ruling(ruling, Voice("zh"))
    assert "红方长将" in call("judge", **CYCLE, language="zh")["reason"]


def test_rules_and_occurrences_are_chosen() -> None:
    assert call("judge", **CYCLE, rules="all-draws")["verdict"] == "draw"
    assert call("judge", **CYCLE, rules="WXF", occurrences=4)["verdict"] == "undecided"
    shorter = {**CYCLE, "moves": CYCLE["moves"][:4]}
    assert call("judge", **shorter, occurrences=2)["verdict"] == "black_wins"


def test_every_case_is_ruled_as_data() -> None:
    cases = list(load_cases())
    boards = [case.play_until(3) for case in cases]
    data = [{"fen": one.root_fen(), "moves": [m.iccs() for m in one.move_stack]} for one in boards]
    found = json.loads(answer("judge", json.dumps(data)))
    assert [one["value"]["verdict"] for one in found] == [
        one.judge().verdict.value for one in boards
    ]
    assert len(found) == 192


def test_the_outcome_is_reported_in_both_languages() -> None:
    assert call("outcome") is None
    found = call("outcome", **CYCLE)
    assert (found["result"], found["winner"]) == ("0-1", "black")
    assert found["termination"] == "perpetual_check"
    assert found["words"].startswith("Black wins: Red checked perpetually")
    assert call("outcome", **CYCLE, language="zh")["words"].startswith("黑胜")


def test_moves_are_listed_read_and_written() -> None:
    assert sorted(call("legalMoves")) == sorted(move.iccs() for move in Board().legal_moves)
    assert call("fenAfter", moves=["h2e2"]).split()[1] == "b"
    text = "1. 炮二平五 马8进7 2. H2+3"
    assert call("parseMoves", text=text)["moves"] == ["h2e2", "h9g7", "h0g2"]
    assert call("fenAfter", moves=text) == call("fenAfter", moves=["h2e2", "h9g7", "h0g2"])
    assert call("formatMoves", moves=text) == ["C2.5", "H8+7", "H2+3"]
    assert call("formatMoves", moves=text, notation="chinese")[0] == "炮二平五"
    assert call("formatMoves", moves=text, notation="san")[0] == "Che2"


def test_barred_moves_have_reasons() -> None:
    data = {"fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w", "moves": "a1a2 d9d8 a2a1"}
    assert call("barredMoves", **data) == []
    (barred,) = call("barredMoves", **data, rules="superko-situational")
    assert barred["move"] == "d8d9"
    assert "brings back" in barred["reason"]


def test_a_drawing_has_the_arrows_of_a_repetition() -> None:
    assert call("draw").count("<title>") == 32
    assert "check" in call("draw", **CYCLE)


@pytest.mark.parametrize(
    ("name", "data", "code", "place", "ply", "quotation"),
    [
        ("judge", {"fen": "9/9 w"}, "bad_fen", "fen: piece placement", None, "9/9 w"),
        ("judge", {"fen": 3}, "bad_field", "fen", None, "3"),
        ("judge", {"moves": ["h2e2", "h9h1"]}, "illegal_move", "moves[1]", 1, "h9h1"),
        ("judge", {"moves": ["h2e2", 7]}, "bad_field", "moves[1]", None, "7"),
        ("judge", {"moves": {}}, "bad_field", "moves", None, "{}"),
        ("judge", {"moves": None}, "bad_field", "moves", None, "null"),
        ("judge", {"moves": ["h2e2", None]}, "bad_field", "moves[1]", None, "null"),
        ("judge", {"language": None}, "bad_field", "language", None, "null"),
        ("judge", {"rules": [True, None]}, "bad_field", "rules", None, "[true, null]"),
        ("judge", {"occurrences": True}, "bad_field", "occurrences", None, "true"),
        (
            "legalMoves",
            {"moves": "C2.5 H8+9 xx"},
            "bad_move",
            "moves[2], line 1, column 11",
            2,
            "xx",
        ),
        (
            "parseMoves",
            {"text": "炮二平五 马8进7 车九平九"},
            "illegal_move",
            "moves[2], line 1, column 11",
            2,
            "车九平九",
        ),
        ("parseMoves", {}, "bad_move", "moves", None, ""),
        ("outcome", {"rules": "wfx"}, "bad_rules", "rules", None, "wfx"),
        ("outcome", {"occurrences": "many"}, "bad_rules", "rules", None, "many"),
        ("explain", {"language": "fr"}, "bad_field", "language", None, "fr"),
        ("explain", {"rules": []}, "bad_field", "rules", None, "[]"),
        ("formatMoves", {"notation": "uci"}, "bad_field", "notation", None, "uci"),
        ("judge", {"fon": "9"}, "bad_field", "fon", None, "9"),
    ],
)
def test_an_error_has_code_place_and_quotation(
    name: str, data: dict[str, Any], code: str, place: str, ply: int | None, quotation: str
) -> None:
    error = fail(name, **data)
    assert (error["code"], error["place"], error["quotation"]) == (code, place, quotation)
    if ply is not None:
        assert error["ply"] == ply
    assert quotation in error["message"]


def test_no_error_is_in_the_words_of_python() -> None:
    """Callers send JSON; they know neither None nor True."""
    keys = "fen moves position rules occurrences language notation x".split()
    for value in (None, True, [None], {"a": False}, 1.5):
        for key in keys:
            for error in json.loads(answer("explain", json.dumps([{key: value}, value]))):
                text = json.dumps(error)
                assert not any(word in text for word in ("None", "True", "False")), text


def test_an_impossible_position_is_an_error_in_both_languages() -> None:
    fen = "4k4/9/9/9/9/9/9/9/9/9 w"
    assert fail("fenAfter", fen=fen)["code"] == "impossible_position"
    assert "red has no general" in fail("legalMoves", fen=fen)["message"]
    assert "红方没有帅" in fail("judge", fen=fen, language="zh")["message"]


def test_one_error_in_a_list_leaves_the_others() -> None:
    first, second, third = json.loads(answer("fenAfter", '[{}, {"fen": "9"}, 7]'))
    assert first["value"] == Board().fen()
    assert second["error"]["code"] == "bad_fen"
    assert third["error"]["code"] == "bad_field"


def test_every_call_has_a_name_for_javascript() -> None:
    names = "judge explain legalMoves barredMoves fenAfter outcome parseMoves formatMoves draw"
    assert set(CALLS) == set(names.split())


# The engine


def talk(*commands: str) -> list[str]:
    """Send commands; wait for the answer if the last one is ``go``."""
    heard: list[str] = []

    async def run() -> None:
        conversation = Conversation(heard.append)
        for command in commands:
            assert await conversation.receive(command)
        while commands[-1].startswith("go") and not heard[-1].startswith("bestmove"):
            await asyncio.sleep(0)
        assert not await conversation.receive("quit")

    asyncio.run(run())
    return heard


def test_engine_answers_uci() -> None:
    lines = talk("uci", "isready", "position startpos moves h2e2", "go depth 4")
    assert {"uciok", "readyok"} <= set(lines)
    assert lines[-1].startswith("bestmove ")


def test_bench_has_the_signature_of_the_engine() -> None:
    nodes = run_bench(5).nodes
    assert f"Nodes searched: {nodes}" in talk("bench 5")


def test_a_fault_is_a_line() -> None:
    (line,) = talk("position fen 9/9 w")
    assert line.startswith("info string cannot do 'position fen 9/9 w'")
