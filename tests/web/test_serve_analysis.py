"""Analyses that come line by line, and who ends them."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.support.patience import PATIENCE_S, wait_until
from tests.support.systems import hear_interrupts, with_signals
from tests.support.web_server import (
    JSON,
    analyse,
    analysing,
    ask,
    connect,
    get,
    is_alive,
    own_host,
    read_all,
    read_lines,
    serving,
)
from xiangqi import RED, Board, Move
from xiangqi.board.scores import Cp, InfoDict, PovScore
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.engines import Engines
from xiangqi.web.serve.searches import snapshot_of
from xiangqi.web.serve.server import ADDRESS, WebServer

pytestmark = pytest.mark.long

CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = ["f0e0", "e8f8", "e0f0", "f8e8"]
MATED = "3k5/R8/4R4/9/9/9/9/9/9/4K4 b - - 0 1"


@pytest.fixture(scope="module")
def engines() -> Engines:
    return Engines()


@pytest.fixture(scope="module")
def server(engines: Engines) -> Iterator[WebServer]:
    with serving(Application(engines=engines)) as running:
        yield running


# What is found


def test_an_analysis_tells_each_depth_until_its_limit(server: WebServer) -> None:
    with analysing(server, depth=9, lines=3, moves=["h2e2"], notation="wxf") as answer:
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        found = read_lines(answer)
    assert [one["final"] for one in found] == [False] * (len(found) - 1) + [True]
    last = found[-1]
    assert last["depth"] == 9
    assert last["nodes"] > 0
    assert len({line["iccs"][0] for line in last["lines"]}) == 3
    board = Board()
    board.push_iccs("h2e2")
    for line in last["lines"]:
        work = board.copy()
        for move, chinese, wxf in zip(line["iccs"], line["chinese"], line["wxf"], strict=True):
            assert work.parse_move(chinese) == work.parse_move(wxf) == work.parse_move(move)
            work.push(work.parse_move(move))
        assert line["red"] == -line["score"]["cp"]
        assert sum(line["wdl"]) == 1000
        assert line["words"]
    scores = [line["score"]["cp"] for line in last["lines"]]
    assert scores == sorted(scores, reverse=True)


def test_a_move_stands_in_one_line_while_an_engine_sends_them_one_by_one() -> None:
    """The second line is still that of the iteration before, in which its move was second best."""
    sent = [("h2e2", 40, 9), ("b2e2", 35, 8), ("h0g2", 30, 8)]
    infos: list[InfoDict] = [
        {"depth": depth, "score": PovScore(Cp(score), RED), "pv": [Move.from_iccs(move)]}
        for move, score, depth in sent
    ]
    assert [line.moves[0].iccs() for line in snapshot_of(infos).lines] == ["h2e2", "b2e2", "h0g2"]
    infos[0] = {"depth": 9, "score": PovScore(Cp(45), RED), "pv": [Move.from_iccs("b2e2")]}
    seen = snapshot_of(infos)
    assert [line.moves[0].iccs() for line in seen.lines] == ["b2e2", "h0g2"]
    assert seen.lines[0].score == 45
    assert seen.depth == 9


def test_an_analysis_knows_the_rules_and_the_moves_before(server: WebServer) -> None:
    """Black's king completes the third occurrence of a position in which Red always checked."""
    game = {"fen": CHECKS, "moves": (CYCLE * 2)[:-1], "depth": 6}
    line = analyse(server, **game)[-1]["lines"][0]
    assert line["iccs"] == CYCLE[-1:]
    assert line["score"] == {"rule": "black"}
    assert line["red"] < -20_000
    assert line["words"] == "Black wins by the repetition rules"
    line = analyse(server, **game, rules="all-draws")[-1]["lines"][0]
    assert "rule" not in line["score"]


def test_a_mate_is_reported_from_both_sides(server: WebServer) -> None:
    fen = "3k5/9/9/9/9/9/9/9/4R4/R3K4"
    line = analyse(server, fen=f"{fen} w", depth=3, lang="zh")[-1]["lines"][0]
    assert (line["score"], line["words"], line["wdl"]) == ({"mate": 1}, "红方1步内杀", [1000, 0, 0])
    threat = analyse(server, fen=f"{fen} b", threats=True, depth=3)[-1]["lines"][0]
    assert threat["score"] == {"mate": 1}
    assert threat["red"] > 29_000
    line = analyse(server, fen=MATED, depth=3)[-1]["lines"][0]
    assert (line["score"], line["words"], line["iccs"]) == ({"mate": 0}, "Red has won", [])


def test_there_are_no_threats_where_the_other_side_could_take_the_general(
    server: WebServer,
) -> None:
    found = analyse(server, fen="4k4/9/9/9/9/9/9/9/4r4/4K4 w", threats=True)
    assert [(one["lines"], one["final"]) for one in found] == [([], True)]


@pytest.mark.parametrize(
    ("data", "status", "expected"),
    [
        ({"lines": 6}, 400, "lines: 6: expected a number 1 to 5"),
        ({"lines": 0}, 400, "lines: 0"),
        ({"depth": 0}, 400, "depth: 0"),
        ({"seconds": -1}, 400, "seconds: -1"),
        ({"endless": "yes"}, 400, "endless: 'yes': expected true or false"),
        ({"threats": 1}, 400, "threats: 1"),
        ({"page": "p" * 100}, 400, "expected 64 characters at most"),
        ({"moves": ["h2e2", "a"]}, 400, "move 2"),
        ({"fen": "x"}, 400, "'x'"),
    ],
)
def test_wrong_analysis_requests_are_reported(
    server: WebServer, data: dict[str, object], status: int, expected: str
) -> None:
    reply = ask(server, "/api/analyse", **data)
    assert reply.status == status
    assert expected in reply.data["error"]["message"]


def test_the_engines_are_listed_ours_first(server: WebServer) -> None:
    assert get(server, "/api/engines").data == {"engines": ["Meihua"]}


def test_an_engine_that_nobody_has_named_is_reported(server: WebServer) -> None:
    found = analyse(server, engine="Deep Thought")
    assert [(one["error"]["message"], one["final"]) for one in found] == [
        ("There is no engine Deep Thought.", True)
    ]
    reply = ask(server, "/api/engine", engine="深思", lang="zh")
    assert (reply.status, reply.data["error"]["message"]) == (404, "没有名为深思的引擎。")


# Who ends it


def test_an_analysis_ends_when_nobody_listens(server: WebServer, engines: Engines) -> None:
    with analysing(server, endless=True, page="gone") as answer:
        assert read_lines(answer, 2)[0]["lines"]
        assert not engines.is_idle
    wait_until(lambda: engines.is_idle)


def test_a_newer_question_of_a_page_ends_the_one_before(
    server: WebServer, engines: Engines
) -> None:
    with analysing(server, endless=True, page="one") as first:
        read_lines(first, 1)
        with analysing(server, endless=True, page="one", moves=["h2e2"]) as second:
            assert read_lines(first)[-1]["final"]  # to its end
            assert not read_lines(second, 3)[-1]["final"]
    wait_until(lambda: engines.is_idle)


def test_two_pages_do_not_end_each_other(server: WebServer, engines: Engines) -> None:
    with (
        analysing(server, endless=True, page="one") as first,
        analysing(server, endless=True, page="two") as second,
    ):
        assert ask(server, "/api/engine", page="one", seconds=0.05).data["move"]
        nodes = [read_lines(answer, 1)[-1]["nodes"] for answer in (first, second)]
        for answer, before in zip((first, second), nodes, strict=True):
            while (found := read_lines(answer, 1)[0])["nodes"] <= before:
                assert not found["final"]
    wait_until(lambda: engines.is_idle)


def test_many_questions_of_a_page_leave_one_search(server: WebServer, engines: Engines) -> None:
    """A reader steps through a game without waiting: each question ends the search before it."""
    answers: list[list[Any]] = []

    def step(number: int) -> None:
        moves = ["h2e2", "h9g7", "h0g2", "i9h9"][: number % 5]
        answers.append(analyse(server, seconds=60, page="fast", moves=moves))

    steps = [threading.Thread(target=step, args=(number,)) for number in range(9)]
    for thread in steps:
        thread.start()
    wait_until(lambda: len(answers) == len(steps) - 1)
    with analysing(server, endless=True, page="fast") as last:
        read_lines(last, 1)
    for thread in steps:
        thread.join()
    assert len(answers) == 9
    assert all(found[-1]["final"] for found in answers)
    wait_until(lambda: engines.is_idle)


def test_only_so_many_pages_have_engines_and_silent_ones_give_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most, engines = 3, Engines()
    monkeypatch.setattr("xiangqi.web.serve.engines.MAX_PAGES", most)
    with serving(Application(engines=engines)) as server:
        for page in range(most + 2):
            assert analyse(server, depth=1, page=f"page {page}")[-1]["lines"]
        waiting = [analysing(server, endless=True, page=f"{page}") for page in range(most)]
        answers = [one.__enter__() for one in waiting]
        for answer in answers:
            read_lines(answer, 1)
        refused = analyse(server, depth=1, page="late")[-1]["error"]["message"]
        assert refused.startswith(f"Engines already search for {most} pages")
        assert ask(server, "/api/engine", page="late", seconds=0.05).status == 503
        for one in waiting:
            one.__exit__(None, None, None)
        wait_until(lambda: engines.is_idle)
        assert analyse(server, depth=1, page="late")[-1]["lines"]


def test_a_page_that_does_not_listen_holds_nothing_up(server: WebServer) -> None:
    """Its newer question is answered all the same."""
    body = b'{"endless": true, "lines": 5, "page": "deaf"}'
    head = (
        f"POST /api/analyse HTTP/1.1\r\nHost: {own_host(server)}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((ADDRESS, server.server_port))
        connection.sendall(head.encode() + body)
        time.sleep(0.3)
        assert analyse(server, depth=3, page="deaf")[-1]["final"]
        assert read_all(connection).rstrip().endswith(b"0")  # the end of its chunks
    assert is_alive(server)


def test_a_move_that_nobody_waits_for_is_not_looked_for(
    server: WebServer, engines: Engines
) -> None:
    body = b'{"seconds": 10}'
    head = (
        f"POST /api/engine HTTP/1.1\r\nHost: {own_host(server)}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection = connect(server)
    connection.sendall(head.encode() + body)
    wait_until(lambda: not engines.is_idle)
    connection.close()
    wait_until(lambda: engines.is_idle)


def test_a_newer_move_of_a_page_ends_the_one_before(server: WebServer, engines: Engines) -> None:
    """All of them have a move, and take no longer than the last one together."""
    moves: list[str] = []

    def think(seconds: float) -> None:
        moves.append(ask(server, "/api/engine", seconds=seconds, page="three").data["move"])

    threads = [threading.Thread(target=think, args=(10,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_until(lambda: not engines.is_idle)
    think(0.05)
    while any(thread.is_alive() for thread in threads):
        think(0.05)
    legal = {move.iccs() for move in Board().legal_moves}
    assert set(moves) <= legal


@with_signals
def test_ctrl_c_ends_the_server_while_an_analysis_goes_on() -> None:
    command = [sys.executable, "-m", "xiangqi", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=hear_interrupts,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        port = int(process.stdout.readline().split("/")[2].split(":")[1])
        connection = HTTPConnection(ADDRESS, port, timeout=PATIENCE_S)
        connection.request("POST", "/api/analyse", b'{"endless": true}', JSON)
        answer = connection.getresponse()
        assert read_lines(answer, 2)[1]["lines"]
        process.send_signal(signal.SIGINT)
        assert read_lines(answer)[-1]["final"]
        assert process.wait(20) == 0
        assert process.stderr.read() == ""
