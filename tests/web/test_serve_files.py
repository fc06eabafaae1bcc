"""Files and texts of strangers are read in processes that are killed where they take too long."""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children

import pytest

from tests.support.web_server import (
    JSON,
    ask,
    connect,
    get,
    is_alive,
    request,
    send_file,
    serving,
    upload,
)
from xiangqi.ground.errors import Fact, FormatError, outside
from xiangqi.ground.texts import LANGUAGES, Language, say
from xiangqi.referee.rules import WXF
from xiangqi.web.serve.library import MAX_PROCESSES, Collection, Source
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.server import WebServer
from xiangqi.web.serve.worker import Worker
from xiangqi.words.voice import PAGE_VOICE

GAME = b'[Red "A"]\n\n1. h2e2 h9g7 *\n\n'
SLOW = b'[Red "A"]\n\n1. h2e2 {' + b"\n" * (15 << 20) + b"} *\n"
"""A game that takes many seconds to read."""
SHORT_S = 0.5


class Answers:
    """An answerer of any sort of answer, for :class:`Worker`."""

    def __init__(self, ahead: int = 0) -> None:
        self.ahead = ahead

    def answer(self, *question: str) -> object:
        kind, *rest = question
        if kind == "sleep":
            time.sleep(1000)
        if kind == "die":
            os._exit(1)
        if kind == "fail":
            raise FormatError("a.pgn", outside("line 1"), outside("wrong"))
        return self.ahead if kind == "ahead" else rest

    def work_ahead(self) -> bool:
        self.ahead -= 1
        return self.ahead > 0


@contextmanager
def working(*arguments: int, seconds: float | None = None) -> Iterator[Worker]:
    worker = Worker(Answers, *arguments, seconds=seconds)
    try:
        yield worker
    finally:
        worker.close()


# The process


def test_a_worker_answers_and_passes_errors_on() -> None:
    with working() as worker:
        assert worker.call("echo", "a", "b") == ["a", "b"]
        with pytest.raises(FormatError, match=r"a\.pgn: line 1: wrong"):
            worker.call("fail")
        assert worker.call("echo") == []


def test_a_worker_works_ahead_of_the_questions() -> None:
    with working(1000) as worker:
        left = [worker.call("ahead")]
        while left[-1] > 0:
            left.append(worker.call("ahead"))
            time.sleep(0.01)
        assert left[-1] == 0


def test_an_answer_that_takes_too_long_ends_the_process() -> None:
    with working(seconds=SHORT_S) as worker:
        with pytest.raises(Refusal) as found:
            worker.call("sleep")
        assert found.value.status == 503
        assert found.value.why == Fact("serve.too_slow", seconds="0.5")


def test_after_its_process_has_died_a_worker_has_a_new_one() -> None:
    with working() as worker:
        with pytest.raises(Refusal) as found:
            worker.call("die")
        assert found.value.status == 500
        assert found.value.why == Fact("serve.worker_ended")
        assert worker.call("echo", "a") == ["a"]


# Files


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, lang: Language
) -> None:
    monkeypatch.setattr("xiangqi.web.serve.worker.MAX_SECONDS", SHORT_S)
    with serving() as server:
        where = upload(server, SLOW, lang=lang)
        reply = get(server, where)
        assert reply.status == 503
        why = Fact("serve.too_slow", seconds="0.5")
        assert reply.data["error"]["message"] == why.say(lang)
        page = request(server, "GET", where, headers={"Accept": "text/html"})
        assert page.status == 503
        assert say(lang, "page.not_made") in page.text
        assert "0.5" in page.text
        assert say(lang, "page.no_page") not in page.text
        assert is_alive(server)


def test_a_text_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.web.serve.worker.MAX_SECONDS", 0.01)
    with serving() as server:
        reply = ask(server, "/api/parse", text="炮二平五（" * 20_000)
        assert reply.status == 503
        assert is_alive(server)


def test_other_requests_are_answered_while_a_file_is_read() -> None:
    with serving() as server:
        slow, quick = upload(server, SLOW), upload(server, GAME)
        listing = f"GET /{slow.lstrip('/')} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        with connect(server) as waiting:
            waiting.sendall(listing)
            assert get(server, quick).status == 200
            assert ask(server, "/api/parse", text="炮二平五").status == 200
            waiting.setblocking(False)
            with pytest.raises(BlockingIOError):  # the slow one is still at work
                waiting.recv(1)


def test_the_list_has_the_games_read_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.web.serve.library.LIST_SECONDS", 0)
    collection = Collection([Source("a.pgn", "a.pgn", GAME * 3)], WXF, max_games=10)

    def listed() -> str:
        page = collection.answer("index.html", PAGE_VOICE, "1/en")
        assert page is not None
        return page.body.decode()

    collection.work_ahead()
    assert say("en", "page.read_so_far", games=1) in listed()
    assert "a.pgn:1<" in listed()
    assert "a.pgn:2<" not in listed()
    assert collection.answer("000002.html", PAGE_VOICE, "1/en") is not None
    while collection.work_ahead():
        pass
    assert "a.pgn:3<" in listed()
    assert "read so far" not in listed()


def test_only_some_files_have_processes_and_all_have_pages() -> None:
    before = len(active_children())
    with serving() as server:
        places = [upload(server, GAME, f"{n}.pgn") for n in range(MAX_PROCESSES + 3)]
        for place in [*places, *places]:
            assert get(server, place).status == 200
        assert len(active_children()) - before <= MAX_PROCESSES
        assert ask(server, "/api/close", file=len(places)).status == 200
        assert get(server, places[-1]).status == 404
        assert get(server, places[0]).status == 200


# Compressed files


def test_all_members_of_a_compressed_file_are_read(server: WebServer) -> None:
    index = get(server, upload(server, gzip.compress(GAME * 2) + gzip.compress(GAME * 2))).text
    assert [f"a.pgn:{number}<" in index for number in range(1, 6)] == [True] * 4 + [False]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (gzip.compress(GAME)[:-9], "damaged"),
        (gzip.compress(GAME) + gzip.compress(GAME)[:20], "damaged"),
        (gzip.compress(gzip.compress(GAME)), "compressed twice"),
    ],
    ids=["cut off", "second member cut off", "twice"],
)
def test_a_compressed_file_that_is_not_whole_is_refused(
    server: WebServer, data: bytes, expected: str
) -> None:
    reply = send_file(server, data, "a.pgn.gz")
    assert reply.status == 400
    assert expected in reply.data["error"]["message"]


# Answers are data for JSON, whichever process has found them


def test_a_text_that_cannot_be_read_is_reported_in_the_language_of_the_page(
    server: WebServer,
) -> None:
    reply = ask(server, "/api/parse", text="https://example.org/", lang="zh")
    assert reply.status == 400
    assert "不会打开链接" in reply.data["error"]["message"]
    assert request(server, "POST", "/api/parse", b"{}", JSON).status == 400
