"""Answers of the server to requests, and those of the engine."""

from __future__ import annotations

import io
import json
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.web_server import (
    JSON,
    as_line,
    ask,
    get,
    is_alive,
    main_line,
    request,
    serving,
)
from xiangqi.board import Board
from xiangqi.cli.main import main
from xiangqi.games.formats import read_games
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rules import RULE_SETS, WXF
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.positions import MAX_PLIES
from xiangqi.web.serve.server import WebServer

CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = ["f0e0", "e8f8", "e0f0", "f8e8"]

ANNOTATED = """[Event "A"]
[Result "1-0"]

{before} 1. 炮二平五 $1 {centre} 马8进7 (1... 马2进3 $2 {aside}) (1... 卒7进1)
2. 马二进三 车9平8 1-0
"""
SHUFFLE = ["a0a1", "a9a8", "a1a0", "a8a9"]
LONG = SHUFFLE * (MAX_PLIES // 4) + SHUFFLE[:1]


# Questions


def test_a_position_tells_whose_move_it_is_and_where_it_may_go(server: WebServer) -> None:
    data = ask(server, "/api/position", moves=["h2e2", "h9g7"]).data
    board = Board()
    board.push_iccs("h2e2")
    board.push_iccs("h9g7")
    assert data["position"] == board.fen()
    assert data["turn"] == "red"
    assert set(data["legal"]) == {move.iccs() for move in board.legal_moves}
    assert data["last"] == ["h9", "g7"]
    assert data["chinese"] == ["炮二平五", "马８进７"]
    assert data["vietnamese"] == ["P2-5", "M8.7"]
    assert data["wxf"] == ["C2.5", "H8+7"]
    assert (data["ply"], data["outcome"], data["warning"]) == (2, None, None)
    assert data["status"] == "Red to move"


def test_counts_of_offences_are_reported(server: WebServer) -> None:
    game = {"fen": CHECKS, "moves": CYCLE * 2, "rules": "tiantian"}
    data = ask(server, "/api/position", **game).data
    (count,) = data["counters"]
    assert (count["side"], count["offence"], count["rounds"], count["allowed"]) == (
        *("red", "check", 4, 6),
    )
    assert data["warning"] == count["text"] == "Red: checks, 4 of 6"
    assert ask(server, "/api/position", lang="zh", **game).data["warning"] == "红方：连续将军，4/6"
    assert ask(server, "/api/position", **{**game, "rules": "wxf"}).data["counters"] == []


def test_a_barred_move_is_reported_with_its_reason(server: WebServer) -> None:
    game = {
        "fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w",
        "moves": ["a1a2", "d9d8", "a2a1"],
        "rules": "superko-positional",
    }
    data = ask(server, "/api/position", **game).data
    assert sorted(data["legal"]) == ["d8d7", "d8e8"]
    why = "Black brings back the board as it stood in the first position"
    assert data["barred"] == {"d8d9": f"K4-1 is barred: {why}."}
    assert ask(server, "/api/position", lang="zh", **game).data["barred"] == {
        "d8d9": "将４退１为禁着：黑方使最初局面的盘面重现。"
    }
    assert ask(server, "/api/position", **{**game, "rules": "wxf"}).data["barred"] == {}
    reply = ask(server, "/api/move", text="d8d9", **game)
    assert reply.status == 400
    assert f"superko-positional bars it: {why}" in reply.data["error"]["message"]
    assert ask(server, "/api/move", text="d8e8", **game).data == {"move": "d8e8"}
    found = ask(server, "/api/engine", seconds=0.05, **game).data
    assert found["move"] in ("d8d7", "d8e8")


def test_a_check_is_shown_by_an_arrow(server: WebServer) -> None:
    data = ask(server, "/api/position", fen=CHECKS, moves=CYCLE[:1]).data
    assert data["check"] == "e8"
    assert [(a["from"], a["to"], a["kind"]) for a in data["arrows"]] == [("e0", "e8", "check")]


def test_an_attack_at_a_profit_is_shown_by_an_arrow(server: WebServer) -> None:
    data = ask(server, "/api/position", fen="3k5/9/9/9/9/n8/9/9/9/1R2K4 w", moves=["b0a0"]).data
    assert data["arrows"] == [{"from": "a0", "to": "a4", "kind": "chase"}]
    assert data["pieces"]["a4"] == "black horse on a4"


def test_the_second_occurrence_is_warned_of_with_what_would_be_ruled(server: WebServer) -> None:
    data = ask(server, "/api/position", fen=CHECKS, moves=CYCLE).data
    assert data["outcome"] is None
    assert "occurred twice" in data["warning"]
    assert "Red checked perpetually" in data["warning"]


def test_the_third_occurrence_is_ruled_on(server: WebServer) -> None:
    data = ask(server, "/api/position", fen=CHECKS, moves=CYCLE * 2).data
    assert data["outcome"] == {"result": "0-1", "termination": "perpetual_check"}
    assert data["status"].startswith("Black wins: Red checked perpetually")
    assert data["warning"] is None
    zh = ask(server, "/api/position", fen=CHECKS, moves=CYCLE * 2, lang="zh").data
    assert zh["status"].startswith("黑胜：红方长将")


def test_all_rules_are_reported_side_by_side(server: WebServer) -> None:
    question = {"fen": CHECKS, "moves": CYCLE * 2}
    found = ask(server, "/api/books", **question, rules="checks-only").data
    assert found["head"] == ["Rules", "Red", "Black", "Verdict"]
    assert [row[0] for row in found["rows"][:2]] == [
        "Perpetual check alone is forbidden",
        "World Xiangqi Rules",
    ]
    assert found["names"][:2] == ["checks-only", "wxf"]
    verdicts = {name: row[-1] for name, row in zip(found["names"], found["rows"], strict=True)}
    assert len(verdicts) == len(RULE_SETS)
    assert (verdicts["wxf"], verdicts["all-draws"]) == ("Black wins", "draw")
    assert any(line.startswith("all-draws: draw; by") for line in found["differences"])
    chinese = ask(server, "/api/books", **question, lang="zh").data
    assert chinese["rows"][0][0] == "世界象棋规则"


def test_another_rule_set_rules_otherwise(server: WebServer) -> None:
    data = ask(server, "/api/position", fen=CHECKS, moves=CYCLE * 2, rules="all-draws").data
    assert data["outcome"] == {"result": "1/2-1/2", "termination": "repetition"}


def test_the_servers_own_rule_set_keeps_its_changes() -> None:
    with serving(Application(WXF.replace({"occurrences": 2}))) as server:
        data = ask(server, "/api/position", fen=CHECKS, moves=CYCLE).data
        assert data["outcome"]["termination"] == "perpetual_check"
        assert "changed" in get(server, "/").text


def test_a_ruling_is_that_of_the_command_and_has_words_and_arrows(
    server: WebServer, tmp_path: Path
) -> None:
    data = ask(server, "/api/ruling", fen=CHECKS, moves=CYCLE * 3).data
    assert (data["ply"], data["warned"]) == (8, 4)
    assert data["verdict"].startswith("after round 4, Black: Black wins")
    assert "gives check" in data["explanation"]["text"]
    kinds = {ply: {a["kind"] for a in arrows} for ply, arrows in data["arrows"].items()}
    assert kinds["1"] == {"check"}
    assert set(kinds) == {str(ply) for ply in range(1, 9)}
    record = tmp_path / "game.ucci"
    record.write_text(f"position fen {CHECKS} moves {' '.join(CYCLE * 3)}\n")
    printed = json.loads(CliRunner().invoke(main, ["judge", str(record), "--json"]).stdout)
    for key in set(printed) - {"source"}:
        assert data[key] == printed[key]


def test_equal_moves_of_a_cycle_are_listed_once(server: WebServer) -> None:
    data = ask(server, "/api/ruling", fen=CHECKS, moves=CYCLE * 2).data
    moves = data["explanation"]["moves"]
    assert [(one["plies"], one["rounds"], one["mark"]) for one in moves] == [
        ([0, 4], "rounds 1 and 3", "check"),
        ([1, 5], "rounds 1 and 3", "idle"),
        ([2, 6], "rounds 2 and 4", "check"),
        ([3, 7], "rounds 2 and 4", "idle"),
    ]


def test_the_sheet_of_a_game_has_its_headers_and_language(server: WebServer) -> None:
    question = {"fen": CHECKS, "moves": CYCLE * 2, "headers": {"Red": "Plum & <b>"}}
    html = ask(server, "/api/sheet", **question, lettering="letters").data["html"]
    assert "<bdi>Plum &amp; &lt;b&gt;</bdi>" in html
    assert ">R<" in html
    assert "裁决单" in ask(server, "/api/sheet", **question, lang="zh").data["html"]
    reply = ask(server, "/api/sheet", **question, lettering="runes")
    assert reply.status == 400
    assert "lettering: 'runes': expected one of" in reply.data["error"]["message"]
    assert ask(server, "/api/sheet", moves=["h2e2"], headers={"Red": 1}).status == 400


def test_a_game_that_goes_on_has_no_explanation(server: WebServer) -> None:
    data = ask(server, "/api/ruling", moves=["h2e2"]).data
    assert (data["result"], data["explanation"], data["arrows"]) == (None, None, {})


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("炮二平五 馬8進7", "h2e2 h9g7"),
        ("1. C2.5 H8+7 2. H2+3", "h2e2 h9g7 h0g2"),
        ("C2=5 h8+7", "h2e2 h9g7"),
        ("h2e2 h9g7", "h2e2 h9g7"),
        ("h3e3 h10g8", "h2e2 h9g7"),
        ("position startpos moves h2e2 h9g7", "h2e2 h9g7"),
        (f"{CHECKS} - - 0 1 moves f0e0 e8f8", "f0e0 e8f8"),
        (f"{CHECKS}\n1. R4.5 K5.6", "f0e0 e8f8"),
        ('[Red "A"]\n\n1. 炮二平五 {a comment} 马8进7 (马2进3) *', "h2e2 h9g7"),
        ("[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]", "h2e2"),
        ('{"moves": ["h2e2"]}', "h2e2"),
        (STARTING_FEN, ""),
    ],
)
def test_a_game_is_read_in_whatever_form_it_is_pasted(
    server: WebServer, text: str, moves: str
) -> None:
    data = ask(server, "/api/parse", text=text).data
    assert main_line(data) == moves.split()
    assert data["errors"] == []


def test_a_pasted_game_is_read_up_to_its_first_wrong_move(server: WebServer) -> None:
    data = ask(server, "/api/parse", text="h2e2 h9h5 b0c2").data
    assert main_line(data) == ["h2e2"]
    assert data["errors"] == [
        "Not understood from line 1, column 6 on: “h9h5” (the black horse on h9 cannot reach h5). "
        "Everything before it has been read."
    ]
    assert (data["fault"]["line"], data["fault"]["column"]) == (1, 6)


def test_of_several_pasted_games_the_first_is_taken(server: WebServer) -> None:
    one = '[Red "A"]\n\n1. h2e2 *\n\n'
    data = ask(server, "/api/parse", text=one * 3).data
    assert (data["headers"]["Red"], data["more"]) == ("A", True)


@pytest.mark.parametrize(
    "moves", [["炮二平五", "马８进７"], ["h3e3", "h10g8"], "1. C2.5 H8+7", ["P2-5", "M8.7"]]
)
def test_a_game_is_read_in_any_notation(server: WebServer, moves: object) -> None:
    assert ask(server, "/api/position", moves=moves).data["moves"] == ["h2e2", "h9g7"]


@pytest.mark.parametrize("text", ["炮二平五", "C2.5", "Pháo 2 bình 5", "h2e2", " H2-E2 "])
def test_a_move_is_read_in_any_notation(server: WebServer, text: str) -> None:
    assert ask(server, "/api/move", text=text).data == {"move": "h2e2"}


@pytest.mark.parametrize(
    ("move", "language", "notation", "reason"),
    [
        ("h2h9", "zh", "chinese", ""),
        ("h2h8", "en", "iccs", "the red cannon on h2 cannot reach h8"),
        ("h2h8", "en", "wxf", "the red cannon on file 2 cannot go there"),
        ("h2h8", "zh", "chinese", "红方二路炮走不到那里"),
        ("h2h8", "vi", "vietnamese", "Pháo đỏ ở lộ 2 không đi đến đó được"),
        ("a3a2", "zh", "chinese", "红方九路兵走不到那里"),
        ("h0", "zh", "chinese", ""),
        ("d0", "zh", "chinese", "红方六路仕无合法着法"),
        ("d0", "en", "iccs", "the red advisor on d0 has no legal move"),
    ],
)
def test_an_illegal_move_is_explained_in_the_words_of_the_notation(
    server: WebServer, move: str, language: str, notation: str, reason: str
) -> None:
    fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4N4/R1BAKABNR w"
    reply = ask(server, "/api/why", fen=fen, move=move, lang=language, notation=notation)
    assert reply.data == {"reason": reason}


def test_a_game_is_written_as_pgn_with_its_result(server: WebServer) -> None:
    headers = {"Red": '"]<script>'}
    game = {"fen": CHECKS, "nodes": as_line(CYCLE * 2), "headers": headers}
    reply = ask(server, "/api/pgn", **game, notation="iccs")
    assert '[Result "0-1"]' in reply.text
    assert '[Rules "wxf"]' in reply.text
    back = ask(server, "/api/parse", text=reply.text).data
    assert main_line(back) == CYCLE * 2
    assert back["headers"]["Red"] == headers["Red"]


def test_variations_comments_and_marks_come_back_as_they_were_pasted(server: WebServer) -> None:
    found = ask(server, "/api/parse", text=ANNOTATED).data
    assert found["nodes"][1]["marks"] == "!"
    names = [found["nodes"][1][name] for name in ("move", "wxf", "chinese", "vietnamese")]
    assert names == ["h2e2", "C2.5", "炮二平五", "P2-5"]
    saved = ask(server, "/api/pgn", **found).body
    (before,), (after,) = (
        list(read_games(io.BytesIO(text))) for text in (ANNOTATED.encode(), saved)
    )
    assert len(list(before.nodes())) == 7, "the root, four moves, and two instead of the second"
    assert (after.errors, before.errors) == ([], [])
    assert after == before


def test_a_node_that_was_taken_out_is_not_saved(server: WebServer) -> None:
    nodes = [{"next": [2]}, {"move": "nonsense", "next": []}, {"move": "h2e2", "next": []}]
    saved = ask(server, "/api/pgn", nodes=nodes)
    assert saved.status == 200
    assert main_line(ask(server, "/api/parse", text=saved.text).data) == ["h2e2"]


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("/api/position", {"fen": "rubbish"}, "'rubbish'"),
        ("/api/position", {"fen": "9/9/9/9/9/9/9/9/9/9 w"}, "no general"),
        ("/api/position", {"fen": 3}, "fen: 3: expected text"),
        ("/api/position", {"moves": 3}, "moves: 3: expected text or a list"),
        ("/api/position", {"moves": [None]}, "moves[0]: null"),
        ("/api/position", {"moves": ["h2e2", "h9h5"]}, "move 2: 'h9h5'"),
        ("/api/position", {"moves": ["h2e2"] * (MAX_PLIES + 1)}, str(MAX_PLIES)),
        ("/api/position", {"rules": "chess"}, "'chess': expected one of wxf"),
        ("/api/position", {"lang": "fr"}, "'fr': expected one of en, zh"),
        ("/api/ruling", {"fen": "x"}, "'x'"),
        ("/api/parse", {"text": ""}, "expected a game"),
        ("/api/parse", {"text": "rubbish"}, "'rubbish'"),
        ("/api/parse", {"text": "position fen x"}, "'x'"),
        ("/api/parse", {}, "text: None: expected text"),
        ("/api/move", {"text": "h2h8"}, "'h2h8'"),
        ("/api/move", {"text": "<b>"}, "'<b>'"),
        ("/api/engine", {"seconds": 1e9}, "seconds: 1000000000.0: expected a number 0.05 to 10"),
        ("/api/engine", {"seconds": float("nan")}, "seconds: nan"),
        ("/api/engine", {"seconds": True}, "seconds: True"),
        ("/api/pgn", {"headers": []}, "headers: []"),
        ("/api/pgn", {"format": "doc"}, "format: 'doc'"),
        ("/api/pgn", {"headers": {"a b": "c"}}, "a b"),
        ("/api/pgn", {"notation": "san"}, "'san'"),
        ("/api/pgn", {"nodes": []}, "nodes: []: expected a list that begins with the root"),
        ("/api/pgn", {"nodes": [3]}, "nodes: 3: expected an object"),
        ("/api/pgn", {"nodes": [{"next": 1}]}, "next: 1: expected a list"),
        ("/api/pgn", {"nodes": [{"next": [1]}]}, "next: 1: expected another node's index"),
        ("/api/pgn", {"nodes": [{"next": [0]}]}, "next: 0: expected another node's index"),
        ("/api/pgn", {"nodes": [{"next": [None]}]}, "next: None: expected another node's index"),
        ("/api/pgn", {"nodes": [{"next": [1]}, {}]}, "nodes: {}: expected a move"),
        ("/api/pgn", {"nodes": as_line(["h2e2", "h9h5"])}, "move 2: 'h9h5': the black horse"),
        ("/api/pgn", {"nodes": [{"nags": ["!"]}]}, "nags: ['!']: expected a list of numbers"),
        ("/api/pgn", {"nodes": [{"comment": 1}]}, "comment: 1: expected text"),
        ("/api/pgn", {"nodes": as_line(LONG)}, f"lines of {MAX_PLIES} moves at most"),
        ("/api/stop", {}, "search: None: expected text"),
    ],
)
def test_wrong_requests_are_reported(
    server: WebServer, path: str, data: dict[str, object], expected: str
) -> None:
    reply = ask(server, path, **data)
    assert reply.status == 400
    assert expected in reply.data["error"]["message"]
    assert is_alive(server)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"nul", b"\xff", b"[" * 60_000, b'{"moves": ' + b"9" * 5000 + b"}"]
)
def test_bodies_other_than_json_objects_are_reported(server: WebServer, body: bytes) -> None:
    reply = request(server, "POST", "/api/position", body, JSON)
    assert reply.status == 400
    assert reply.data["error"]["message"]
    assert is_alive(server)


# The engine


def test_the_engine_answers_with_a_legal_move_and_its_line(server: WebServer) -> None:
    data = ask(server, "/api/engine", moves=["h2e2"], seconds=0.1).data
    board = Board()
    board.push_iccs("h2e2")
    assert data["move"] in {move.iccs() for move in board.legal_moves}
    assert data["iccs"][0] == data["move"]
    assert len(data["iccs"]) == len(data["chinese"]) == len(data["wxf"])
    assert data["words"]


def test_the_engine_plays_by_the_rules_and_knows_the_moves_before(server: WebServer) -> None:
    """Black's king completes the third occurrence of a position in which Red always checked."""
    game = {"fen": CHECKS, "moves": (CYCLE * 2)[:-1], "seconds": 0.1}
    data = ask(server, "/api/engine", **game).data
    assert data["move"] == CYCLE[-1]
    assert data["words"] == "Black wins by the repetition rules"
    assert "rules" not in ask(server, "/api/engine", **game, rules="all-draws").data["words"]


def test_the_engine_has_no_move_when_the_game_is_over(server: WebServer) -> None:
    fen = "3k5/R8/4R4/9/9/9/9/9/9/4K4 b - - 0 1"
    assert not Board(fen).has_legal_move()
    data = ask(server, "/api/engine", fen=fen).data
    assert (data["move"], data["iccs"]) == (None, [])


def test_a_search_that_is_stopped_answers_what_it_has_found(server: WebServer) -> None:
    """A search that is stopped before it has begun still has a move."""
    answers = []

    def think() -> None:
        answers.append(ask(server, "/api/engine", seconds=10, search="mine").data)

    for is_begun in (True, False):
        thread = threading.Thread(target=think)
        if is_begun:
            thread.start()
            time.sleep(0.3)
        assert ask(server, "/api/stop", search="mine").status == 200
        if not is_begun:
            thread.start()
        assert ask(server, "/api/engine", seconds=0.05).status == 200
        thread.join()
    legal = {move.iccs() for move in Board().legal_moves}
    assert [answer["move"] in legal for answer in answers] == [True, True]


# Errors


@pytest.mark.parametrize(
    ("path", "lang", "words"),
    [
        ("/games/7/en/000001.html", "en", "its file has been closed"),
        ("/games/7/zh/index.html", "zh", "文件已关闭"),
        ("/nothing?lang=zh", "zh", "/nothing"),
        ("/[", "en", "/["),
        ("/?lang=%3Cb%3E", "en", "expected one of en, zh"),
    ],
)
def test_unknown_address_shows_a_page(server: WebServer, path: str, lang: str, words: str) -> None:
    reply = get(server, path, Accept="text/html,*/*")
    assert reply.status in (400, 404)
    assert reply.headers["Content-Type"].startswith("text/html")
    assert f'<html lang="{lang}">' in reply.text
    assert words in reply.text
    assert f'href="/?lang={lang}"' in reply.text


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("position", {"fen": "9/9 w"}, "无法读出 FEN '9/9 w'：棋子摆放：'9/9'有2条横线"),
        ("position", {"fen": "9/4k4/9/9/9/9/9/9/9/9 w"}, "：红方没有帅"),
        ("position", {"moves": ["h2h9", "h2e2"]}, "第2着：'h2e2'：h2没有棋子"),
        ("move", {"text": "车九进三"}, "第1着：'车九进三'：a3已有己方的兵"),
        ("move", {"text": "?"}, "着法 '?' 无法读懂：应为坐标、WXF、越南或中文记谱"),
        ("parse", {"text": "https://example.org/"}, "不会打开链接"),
        ("ruling", {"moves": ["h"]}, "第1着：'h'：应为"),
        ("engine", {"moves": ["h"]}, "第1着：'h'：应为"),
        ("analyse", {"fen": "9/9 w"}, "无法读出 FEN '9/9 w'：棋子摆放"),
    ],
)
def test_faults_are_reported_in_the_language_of_the_page(
    server: WebServer, path: str, data: dict[str, object], expected: str
) -> None:
    reply = ask(server, f"/api/{path}", lang="zh", **data)
    assert reply.status == 400
    assert expected in reply.data["error"]["message"]
    assert expected not in ask(server, f"/api/{path}", lang="en", **data).data["error"]["message"]


def test_a_pasted_fault_and_an_edited_fen_are_reported_in_chinese(server: WebServer) -> None:
    data = ask(server, "/api/parse", lang="zh", text="炮二平五 车9平9").data
    assert data["errors"] == [
        "自第1行第6字起未能读懂：“车9平9”（黑车不能这样走）。其前的内容已读入。"
    ]
    problems = ask(server, "/api/problems", lang="zh", fen="9/9 w").data["problems"]
    assert problems == ["棋子摆放：'9/9'有2条横线，应为10条，以“/”分隔"]
