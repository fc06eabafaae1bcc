"""``xiangqi api``: its answers and its errors."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from tests.support.api_server import CHECKS, lines_of, post, running_searches, serving_api
from tests.support.soak import SOAK
from tests.support.web_server import Reply, request
from xiangqi import Board
from xiangqi.casebook.cases import load_cases
from xiangqi.cli.main import main
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.ground.errors import quote
from xiangqi.ground.workers import in_this_process
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import RULE_SETS, WXF
from xiangqi.tables.classes import parse_class
from xiangqi.tables.making import make_tables
from xiangqi.web.api.answers import Answers, play_game
from xiangqi.web.api.application import ApiSettings
from xiangqi.web.api.messages import JudgeRequest
from xiangqi.web.api.openapi import make_document
from xiangqi.web.api.server import ApiServer

ROOK = "3k5/9/9/9/9/9/9/9/4R4/4K4 w"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    assert list(make_tables(folder, [parse_class("KRvK")], "wxf", in_this_process()))
    return folder


@pytest.fixture(scope="module")
def server(tables: Path) -> Iterator[ApiServer]:
    with serving_api(ApiSettings(tables=tables)) as running:
        yield running


# Answers


def test_a_ruling_is_that_of_the_command(server: ApiServer) -> None:
    data = post(server, "judge", CHECKS).data
    game = ["--fen", CHECKS["fen"], "--moves", " ".join(CHECKS["moves"])]
    printed = json.loads(CliRunner().invoke(main, ["judge", *game, "--json"]).stdout)
    for name in ("words", "outcome", "tables"):
        printed[name] = data[name]
    assert data == printed
    assert data["words"].startswith("Black wins: Red checked perpetually")
    assert data["outcome"] == {
        "result": "0-1",
        "winner": "black",
        "termination": "perpetual_check",
        "words": data["words"],
    }


def test_a_ruling_before_it_is_too_late(server: ApiServer) -> None:
    """At the second occurrence, if that is requested."""
    game = CHECKS | {"moves": CHECKS["moves"][:4]}
    assert post(server, "judge", game).data["offender"] is None
    data = post(server, "judge", game | {"occurrences": 2}).data
    assert (data["offender"], data["rules"]) == ("red", "wxf occurrences=2")
    for wrong, bound in ((1, "2 or more"), (1_001, "1000 or less")):
        reply = post(server, "judge", game | {"occurrences": wrong})
        error = reply.data["error"]
        assert (reply.status, error["place"]) == (400, "occurrences")
        assert error["message"].endswith(f"expected a whole number, {bound}")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_case_has_a_typed_answer(rules: str, tmp_path: Path) -> None:
    """All rulings fit the schema of the OpenAPI document.

    WXF rules on every second case, the others on every sixth, and with MEIHUA_SOAK=1 on all.
    """
    answers = Answers(1 << 20, 10, tmp_path)
    schema = Draft202012Validator(
        {"$ref": "#/components/schemas/Judged", "components": make_document()["components"]}
    )
    for case in load_cases()[:: 1 if SOAK else 2 if rules == "wxf" else 6]:
        board = case.play_until(RULE_SETS[rules].occurrences)
        moves = [move.iccs() for move in board.move_stack]
        found = answers.judge(JudgeRequest(fen=board.root_fen(), moves=moves, rules=rules))
        assert found["verdict"] == board.judge(RULE_SETS[rules]).verdict.value
        schema.validate(msgspec.json.decode(msgspec.json.encode(found)))
        if rules == "wxf":
            assert found["verdict"] == case.verdict.value, case.id


def test_a_ruling_with_moves_that_are_not_settled() -> None:
    """Plies whose marks no search settled are numbers."""
    ruling = replace(Referee(WXF).judge(play_game(JudgeRequest(**CHECKS))[0]), unsettled=(2, 4))
    assert ruling_to_dict(ruling)["unsettled"] == [2, 4]


def test_a_ruling_in_chinese_without_evidence(server: ApiServer) -> None:
    asked = CHECKS | {"language": "zh", "evidence": False, "explain": True}
    data = post(server, "judge", asked).data
    assert "红方长将" in data["words"]
    assert "红方长将" in data["reason"]
    assert data["outcome"]["words"].startswith("黑胜")
    explained = data["explanation"]
    assert "车" in explained["text"]
    assert all(line["text"] in explained["text"] for line in explained["remedies"])
    assert [(one["plies"], one["mark"]) for one in explained["moves"]][:2] == [
        ([0, 4], "check"), ([1, 5], "idle"),
    ]  # fmt: skip
    assert not {"plies", "moves", "fen", "victims"} & set(data)


@pytest.mark.parametrize("moves", ["炮二平五 马8进7", "1. C2.5 H8+7", ["h2e2", "h9g7"]])
def test_moves_in_any_notation(server: ApiServer, moves: object) -> None:
    data = post(server, "moves", {"moves": moves}).data
    assert data["fen"].startswith("rnbakab1r/9/1c4nc1/")
    assert (data["turn"], data["check"], data["occurrences"], data["outcome"]) == (
        "red", False, 1, None,
    )  # fmt: skip
    names = {"chinese": "马二进三", "wxf": "H2+3", "vietnamese": "M2.3"}
    assert {"move": "h0g2", **names, "barred": None} in data["moves"]


def test_barred_moves_have_the_reason(server: ApiServer) -> None:
    game = {"fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w", "moves": ["a1a2", "d9d8", "a2a1"]}
    data = post(server, "moves", game | {"rules": "superko-situational"}).data
    barred = {one["move"]: one["barred"] for one in data["moves"] if one["barred"]}
    assert set(barred) == {"d8d9"}


def test_values_of_the_tables(server: ApiServer) -> None:
    data = post(server, "tables", {"fen": ROOK}).data
    assert (data["value"], data["rules"], data["by_rule"]) == (1, "wxf", False)
    assert data["words"].startswith("Red wins in ")
    assert data["moves"][0]["value"] == 1
    assert data["distance"] == data["moves"][0]["distance"]
    unknown = post(server, "tables", {}).data
    assert (unknown["value"], unknown["moves"]) == (None, [])


def test_files_in_other_formats(server: ApiServer) -> None:
    """Text to a binary format, that packed with gzip and back."""
    text = {"text": "1. C2.5 H8+7 2. H2+3", "to": "xqf"}
    binary = base64.b64decode(post(server, "convert", text).data["data"])
    assert binary.startswith(b"XQ")
    packed = base64.b64encode(gzip.compress(binary)).decode()
    asked = {"data": packed, "to": "pgn", "notation": "iccs"}
    data = post(server, "convert", asked).data
    assert (data["games"], data["written"], data["problems"]) == (1, 1, [])
    assert "1. H2-E2 H9-G7\n2. H0-G2 *" in data["text"]


# Searches


def test_a_search_streams_lines(server: ApiServer) -> None:
    reply = post(server, "analyse", {"moves": ["h2e2"], "depth": 6, "lines": 2})
    assert reply.headers["Content-Type"] == "application/x-ndjson"
    *before, last = lines_of(reply)
    assert last["final"]
    assert not any(line["final"] for line in before)
    assert last["depth"] == 6
    assert len(last["lines"]) == 2
    assert len({line["wxf"][0] for line in last["lines"]}) == 2
    for line in last["lines"]:
        board = Board()
        for move in ("C2=5", *line["wxf"]):
            board.push_wxf(move)


def test_a_search_without_a_stream_answers_with_the_final_result(server: ApiServer) -> None:
    reply = post(server, "analyse", {"moves": ["h2e2"], "depth": 5, "stream": False})
    assert reply.headers["Content-Type"] == "application/json"
    assert (reply.data["final"], reply.data["depth"]) == (True, 5)
    streamed = lines_of(post(server, "analyse", {"moves": ["h2e2"], "depth": 5}))[-1]
    assert reply.data["lines"] == streamed["lines"]
    assert running_searches(server) == 0


def test_a_search_knows_nothing_of_the_one_before(server: ApiServer) -> None:
    asked = {"moves": ["h2e2"], "depth": 7}
    first = lines_of(post(server, "analyse", asked))[-1]
    post(server, "analyse", {"moves": ["h2e2", "h9g7"], "depth": 8})
    again = lines_of(post(server, "analyse", asked))[-1]
    assert first["nodes"] == again["nodes"]


def test_a_mate_and_a_game_that_is_over(server: ApiServer) -> None:
    mate = lines_of(post(server, "analyse", {"fen": "4k4/R8/9/9/9/9/9/9/1R7/3K5 w", "depth": 4}))
    assert mate[-1]["lines"][0]["score"] == {"mate": 1}
    over = {"fen": "4k4/R8/9/9/9/9/9/9/1R7/3K5 w", "moves": ["b1b9"], "depth": 4}
    assert [line["final"] for line in lines_of(post(server, "analyse", over))] == [True]


# Errors


@pytest.mark.parametrize(
    ("name", "data", "status", "error"),
    [
        ("judge", {"moves": ["h2e3"]}, 422, ("illegal_move", "h2e3", "moves[0]")),
        ("judge", {"moves": ["h2e2", "x"]}, 422, ("bad_move", "x", "moves[1]")),
        (
            "judge", {"moves": "C2.5 H9.9"}, 422,
            ("illegal_move", "H9.9", "moves[1], line 1, column 6"),
        ),
        ("moves", {"fen": "x"}, 422, ("bad_fen", "x", "fen: piece placement")),
        (
            "moves", {"fen": "9/9/9/9/9/9/9/9/9/9 w"}, 422,
            ("impossible_position", "9/9/9/9/9/9/9/9/9/9 w - - 0 1", "fen"),
        ),
        ("judge", {"rules": "fide"}, 422, ("bad_rules", "fide", "rules")),
        ("judge", {"moves": ["h2e2", 7]}, 400, ("bad_field", "7", "moves[1]")),
        ("judge", {"moves": ["h2e2"] * 5_001}, 400, ("bad_field", None, "moves")),
        ("judge", {"lang": "zh"}, 400, ("bad_field", "zh", "lang")),
        ("judge", {"language": "fr"}, 400, ("bad_field", "fr", "language")),
        ("judge", [], 400, ("bad_field", "[]", "")),
        ("judge", b"{", 400, ("bad_json", "{", "")),
        ("judge", b"", 400, ("bad_json", "", "")),
        ("judge", b'{"fen": NaN}', 400, ("bad_json", "{\"fen\": NaN}", "byte 8")),
        ("judge", b'{"fen": "\xff"}', 400, ("bad_json", "{\"fen\": \"\ufffd\"}", "")),
        ("judge", b"[" * 100_000, 400, ("bad_json", None, "")),
        ("judge", b'{"moves":' + b"[" * 100_000, 400, ("bad_json", None, "")),
        ("judge", b'{"evidence": 1' + b"0" * 9_999 + b"}", 400, ("bad_json", None, "")),
        ("judge", b"\xef\xbb\xbf{}", 400, ("bad_json", "\ufeff{}", "byte 0")),
        ("judge", '{"rules": "wxf"}'.encode("utf-16"), 400, ("bad_json", None, "byte 0")),
        ("judge", gzip.compress(b"{}", mtime=0), 400, ("bad_json", None, "byte 0")),
        ("judge", b'{"fen": "\\ud800"}', 400, ("bad_json", None, "")),
        ("judge", b'{"\\udc00": 1}', 400, ("bad_json", None, "byte 8")),
        ("judge", {"moves": "h2e2\0h9g7"}, 422, None),
        ("judge", {"notation": "san"}, 400, ("bad_field", "san", "notation")),
        ("judge", {"fen": None}, 400, ("bad_field", "null", "fen")),
        ("judge", {"evidence": "yes"}, 400, ("bad_field", "yes", "evidence")),
        ("judge", {"moves": [["h2e2"]]}, 400, ("bad_field", '["h2e2"]', "moves[0]")),
        ("judge", {"moves": [{"a": "b" * 999}]}, 400, ("bad_field", None, "moves[0]")),
        ("analyse", {"depth": True}, 400, ("bad_field", "true", "depth")),
        ("analyse", {"depth": 2.5}, 400, ("bad_field", "2.5", "depth")),
        ("analyse", {"depth": 10**400}, 400, ("bad_field", None, "depth")),
        ("analyse", {"seconds": 10**400}, 400, ("bad_field", None, "seconds")),
        ("analyse", b'{"seconds": 1e400}', 400, ("bad_json", "{\"seconds\": 1e400}", "")),
        ("analyse", b'{"seconds": -Infinity}', 400, ("bad_json", None, "byte 13")),
        ("convert", {}, 400, ("bad_field", "{}", "")),
        ("convert", {"to": "pgn", "notation": "x"}, 400, ("bad_field", "x", "notation")),
        ("analyse", {"nodes": 0}, 400, ("bad_field", "0", "nodes")),
        ("analyse", {"lines": 6}, 400, ("bad_field", "6", "lines")),
        ("convert", {"to": "pgn"}, 400, ("bad_field", "null", "data")),
        (
            "convert", {"to": "pgn", "text": "C2.5", "data": "AA=="}, 400,
            ("bad_field", '"AA=="', "data"),
        ),
        ("convert", {"to": "pgn", "data": "?"}, 400, ("bad_field", "?", "data")),
        ("convert", {"to": "doc", "text": "x"}, 400, ("bad_field", "doc", "to")),
        ("convert", {"to": "pgn", "from": "x", "text": "x"}, 400, ("bad_field", "x", "from")),
        ("convert", {"to": "pgn", "text": ""}, 422, ("bad_file", None, "text")),
        ("convert", {"to": "pgn", "data": "AAAA"}, 422, ("bad_file", None, "data")),
        (
            "convert", {"to": "pgn", "from": "xqf", "text": "x"}, 422,
            ("bad_file", None, "text"),
        ),
        ("convert", {"to": "cbr", "text": "x"}, 400, ("bad_field", "cbr", "to")),
    ],
)  # fmt: skip
def test_errors_have_one_shape(
    server: ApiServer, name: str, data: object, status: int, error: tuple[Any, Any, Any] | None
) -> None:
    reply = post(server, name, data)
    assert reply.status == status
    found = reply.data["error"]
    code, given, place = error or (found["code"], found["quotation"], found["place"])
    assert (found["code"], found["place"]) == (code, place)
    assert found["quotation"] == given if given is not None else len(found["quotation"]) <= 120
    assert set(found) == {"code", "message", "place", "ply", "quotation"}
    assert found["ply"] is None or code in ("illegal_move", "bad_move")
    assert "expected" in found["message"] or code not in ("bad_field", "bad_rules")
    assert "Invalid" not in found["message"]


def test_an_error_in_chinese(server: ApiServer) -> None:
    error = post(server, "judge", {"moves": ["h2h9", "h2e2"], "language": "zh"}).data["error"]
    assert error["message"] == "第2着：'h2e2'：h2没有棋子"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("judge", {"moves": ["h2e2", 7]}, "moves[1]：7：应为文字"),
        ("judge", {"moves": 7}, "moves：7：应为文字或列表"),
        ("judge", {"evidence": "yes"}, "evidence：'yes'：应为true 或 false"),
        ("judge", {"occurrences": 2.5}, "occurrences：2.5：应为整数或null"),
        ("judge", {"fen": "9" * 2_000}, None),
        ("analyse", {"lines": 6}, "lines：6：应为整数，不大于5"),
        ("analyse", {"depth": 0}, "depth：0：应为整数，不小于1"),
        ("convert", {"to": "pgn", "data": "?"}, "data：'?'：应为base64"),
        ("convert", {"to": 7}, "to：7：应为文字"),
        ("convert", {}, "{\"language\": \"zh\"}：应为字段to"),
        (
            "moves", {"lang": "zh"},
            "lang：'zh'：应为fen、language、moves、notation、occurrences、position、rules之一",
        ),
    ],
)  # fmt: skip
def test_a_fault_of_a_field_is_reported_in_chinese(
    server: ApiServer, name: str, data: dict[str, object], message: str | None
) -> None:
    error = post(server, name, {**data, "language": "zh"}).data["error"]
    assert error["message"] == (message or f"fen：{quote('9' * 2_000)}：应为文字，长度至多1000")


def test_unknown_addresses_and_methods(server: ApiServer) -> None:
    def code(reply: Reply) -> tuple[int, str]:
        return reply.status, reply.data["error"]["code"]

    assert code(post(server, "nothing", {})) == (404, "not_found")
    assert code(post(server, "judge/", {})) == (404, "not_found")
    for method, path, allowed in (
        ("POST", "/v1/health", {"GET", "HEAD"}),
        ("OPTIONS", "/v1/judge", {"POST"}),
        ("HEAD", "/v1/judge", {"POST"}),
        ("TRACE", "/", {"GET", "HEAD"}),
    ):
        reply = request(server, method, path)
        assert set(str(reply.headers["Allow"]).split(", ")) == allowed
        if method == "HEAD":
            assert (reply.status, reply.body) == (405, b"")
        else:
            assert code(reply) == (405, "method_not_allowed")
    head = request(server, "HEAD", "/v1/health")
    assert (head.status, head.body) == (200, b"")


def test_the_default_position_is_that_of_the_game(server: ApiServer) -> None:
    assert post(server, "moves", {}).data["fen"] == STARTING_FEN
