"""``xiangqi api``: sizes, slow clients, hostile input, searches at once, the key, other origins."""

from __future__ import annotations

import base64
import gzip
import json
import re
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from click.testing import CliRunner

from tests.support.api_server import (
    CHECKS,
    is_crowded,
    is_healthy,
    post,
    running_searches,
    searching,
    serving_api,
)
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.web_server import (
    JSON,
    connect,
    drip,
    get,
    own_host,
    read_all,
    request,
    send_raw,
    status_of,
)
from xiangqi.cli.main import main
from xiangqi.contract.errors import FieldError
from xiangqi.web.api.application import ApiSettings
from xiangqi.web.api.server import ADDRESS, ApiServer
from xiangqi.web.serve.guard import MAX_HEAD_BYTES

KEY = "a key of a test service"
MOST = 1 << 16


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with serving_api(ApiSettings(max_bytes=MOST)) as running:
        yield running


def head_of(server: ApiServer, *lines: str, name: str = "judge") -> str:
    first = f"POST /v1/{name} HTTP/1.1\r\nHost: {own_host(server)}\r\n"
    return first + "".join(f"{line}\r\n" for line in ("Content-Type: application/json", *lines))


def error_of(answer: bytes) -> str:
    """The code of the error in an answer."""
    code: str = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"]
    return code


# Sizes


def test_a_body_that_is_too_long_is_refused_before_it_comes() -> None:
    """The server would wait for it longer than the test does for the answer."""
    with serving_api(ApiSettings(max_bytes=MOST), request_seconds=1000) as server:
        for length, status in ((MOST + 1, 413), (10**18, 413), (10**30, 400)):
            answer = send_raw(server, head_of(server, f"Content-Length: {length}") + "\r\n")
            assert status_of(answer) == status
            assert b"connection: close" in answer.lower()
        assert is_healthy(server)


def test_refusal_of_a_long_body_that_was_sent_is_read(server: ApiServer) -> None:
    reply = post(server, "judge", b" " * (MOST + 1))
    assert (reply.status, reply.data["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("lines", "status", "code"),
    [
        (("Transfer-Encoding: chunked",), 411, "length_required"),
        (("Content-Length: 2", "Transfer-Encoding: chunked"), 411, "length_required"),
        ((), 411, "length_required"),
        (("Content-Length: 2", "Content-Length: 3"), 400, "bad_request"),
        (("Content-Length: -1",), 400, "bad_request"),
        (("Content-Length: two",), 400, "bad_request"),
    ],
)
def test_a_body_of_unknown_length_is_refused(
    server: ApiServer, lines: tuple[str, ...], status: int, code: str
) -> None:
    answer = send_raw(server, head_of(server, "Connection: close", *lines) + "\r\n{}")
    assert (status_of(answer), error_of(answer)) == (status, code)
    assert is_healthy(server)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_is_read(server: ApiServer, kind: str) -> None:
    reply = request(server, "POST", "/v1/judge", b"{}", {"Content-Type": kind})
    assert (reply.status, reply.data["error"]["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "text",
    [
        "GET /" + "a" * MAX_HEAD_BYTES,
        "GET / HTTP/1.1\r\nA: " + "a" * MAX_HEAD_BYTES,
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + "A: a\r\n" * 200 + "\r\n",
    ],
    ids=["line", "header", "number"],
)
def test_a_head_that_is_too_long_is_refused(server: ApiServer, text: str) -> None:
    answer = send_raw(server, text)
    assert (status_of(answer), error_of(answer)) == (431, "header_too_large")
    assert is_healthy(server)


def test_a_small_body_does_not_grow_without_bound(server: ApiServer) -> None:
    """A gzip bomb, and one packed twice, whose outer layer is small."""
    bomb = gzip.compress(b"\0" * (64 << 20))
    twice = gzip.compress(gzip.compress(b"\0" * (1 << 20)))
    for data, status in ((bomb[: MOST // 2], 413), (twice, 422)):
        asked = {"to": "pgn", "data": base64.b64encode(data).decode()}
        assert len(json.dumps(asked)) < MOST
        assert post(server, "convert", asked).status == status
    assert is_healthy(server)


# Slow clients


@pytest.mark.parametrize("is_second", [False, True])
def test_one_byte_after_another_does_not_hold_a_connection_for_ever(is_second: bool) -> None:
    """Nor does the second request of a connection."""
    with serving_api(request_seconds=0.4) as server:
        first = f"GET /v1/health HTTP/1.1\r\nHost: {own_host(server)}\r\n\r\n" if is_second else ""
        for text in ("GET / HTTP/1.1\r\nX: ", "POST /v1/judge HTTP/1.1\r\n"):
            assert 0 < drip(server, first + text) < 100
        assert is_healthy(server)


@pytest.mark.parametrize("is_second", [False, True])
def test_a_body_that_does_not_come_is_given_up(is_second: bool) -> None:
    with serving_api(request_seconds=0.3) as server:
        first = f"GET /v1/health HTTP/1.1\r\nHost: {own_host(server)}\r\n\r\n" if is_second else ""
        answer = send_raw(server, first + head_of(server, "Content-Length: 10") + "\r\n{")
        last = answer[answer.rindex(b"HTTP/1.1 ") :]
        assert (status_of(last), error_of(last)) == (408, "request_timeout")
        assert is_healthy(server)


def test_a_body_that_ends_too_soon_is_refused(server: ApiServer) -> None:
    with connect(server) as connection:
        connection.sendall((head_of(server, "Content-Length: 10") + "\r\n{}").encode())
        connection.shutdown(socket.SHUT_WR)
        assert status_of(read_all(connection)) == 400


def test_idle_connection_is_closed_without_an_answer() -> None:
    with serving_api(request_seconds=0.2) as server, connect(server) as connection:
        assert read_all(connection) == b""


def test_an_answer_that_nobody_fetches_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.web.serve.connections.ANSWER_SECONDS", 0.2)
    text = "\n".join(f"[Event {n}]\n1. C2.5 H8+7 {{{'a' * 1000}}} *\n" for n in range(3_000))
    body = json.dumps({"to": "pgn", "text": text}).encode()
    with serving_api(ApiSettings(max_bytes=len(body)), most_connections=1) as server:
        head = head_of(server, f"Content-Length: {len(body)}", name="convert") + "\r\n"
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((ADDRESS, server.server_port))
            connection.sendall(head.encode() + body)
            wait_until(lambda: not is_crowded(server))
            assert is_healthy(server)
            assert len(read_all(connection)) < len(body)


def test_only_so_many_connections_are_held_at_a_time() -> None:
    with serving_api(request_seconds=5, most_connections=3) as server:
        idle = [connect(server) for _ in range(3)]
        time.sleep(0.1)
        answer = send_raw(server, f"GET / HTTP/1.1\r\nHost: {own_host(server)}\r\n\r\n")
        assert (status_of(answer), error_of(answer)) == (503, "busy")
        assert {b"retry-after: 1", b"connection: close"} <= set(answer.lower().split(b"\r\n"))
        for connection in idle:
            connection.close()
        wait_until(lambda: not is_crowded(server))
        assert is_healthy(server)


def test_work_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.referee.judging.Referee.judge", lambda *_: time.sleep(0.5))
    with serving_api(ApiSettings(max_seconds=0.1)) as server:
        reply = post(server, "judge", CHECKS)
        assert (reply.status, reply.data["error"]["code"]) == (504, "timeout")
        assert get(server, "/v1/health").status == 200


def test_a_conversion_of_many_games_ends_in_time() -> None:
    with serving_api(ApiSettings(max_seconds=0.05, max_bytes=1 << 22)) as server:
        text = '[Event "A"]\n\n1. C2.5 H8+7 2. H2+3 R9.8 *\n\n' * 50_000
        assert post(server, "convert", {"to": "jsonl", "text": text}).status == 504
        wait_until(lambda: post(server, "moves", {}).status == 200)


# Hostile requests


@pytest.mark.parametrize(
    "text",
    [
        b"\r\n\r\n",
        b"\0\xff\xfe\r\n\r\n",
        b"GET\r\n\r\n",
        b"DELETE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET //[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /%ff%00%0a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ],
)
def test_rubbish_does_no_harm(server: ApiServer, text: bytes) -> None:
    answer = send_raw(server, text)
    assert not answer or b"200 OK" not in answer.split(b"\r\n")[0]
    assert is_healthy(server)


def test_the_rest_of_a_refused_body_is_no_request(server: ApiServer) -> None:
    """Bytes behind a head that is refused, or an unknown address, are never read as a request."""
    smuggled = f"GET /v1/health HTTP/1.1\r\nHost: {own_host(server)}\r\n\r\n"
    length = f"Content-Length: {len(smuggled)}"
    for head in (
        head_of(server, length, "Content-Type: text/plain"),  # a second one
        head_of(server, length, name="nothing"),
        head_of(server, "Transfer-Encoding: chunked"),
        head_of(server, f"Content-Length: {10**9}"),
    ):
        answer = send_raw(server, f"{head}\r\n{smuggled}")
        assert answer.count(b"HTTP/1.1 ") == 1
        assert b" 200 OK" not in answer


def test_a_connection_serves_one_request_after_another(server: ApiServer) -> None:
    connection = HTTPConnection(ADDRESS, server.server_port, timeout=PATIENCE_S)
    try:
        ports = set()
        for moves, status in ((["h2e2"], 200), (["h2e3"], 422), (["h2e2"], 200)):
            body = json.dumps({"moves": moves}).encode()
            connection.request("POST", "/v1/judge", body, JSON)
            assert connection.sock is not None
            ports.add(connection.sock.getsockname()[1])
            answer = connection.getresponse()
            assert answer.status == status
            answer.read()
        assert len(ports) == 1
    finally:
        connection.close()


def test_requests_sent_at_once_are_answered_in_their_order(server: ApiServer) -> None:
    """A search among them: its lines end before the next answer begins."""
    searching = '{"depth": 3}'
    texts = [
        head_of(server, "Content-Length: 2") + "\r\n{}",
        head_of(server, f"Content-Length: {len(searching)}", name="analyse") + "\r\n" + searching,
        f"GET /v1/health HTTP/1.1\r\nHost: {own_host(server)}\r\n\r\n",
        f"GET /nothing HTTP/1.1\r\nHost: {own_host(server)}\r\nConnection: close\r\n\r\n",
    ]
    answer = send_raw(server, "".join(texts))
    found = re.findall(
        rb'HTTP/1.1 (\d+) |("verdict"|"final":true|"status":"ok"|"not_found")', answer
    )
    assert [status or word for status, word in found] == [
        b"200", b'"verdict"', b"200", b'"final":true', b"200", b'"status":"ok"', b"404",
        b'"not_found"',
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nX : a\r\n\r\n", "\x16\x03\x01\r\n\r\n"]
)
def test_a_request_that_is_no_http_has_no_place(server: ApiServer, text: str) -> None:
    answer = send_raw(server, text)
    error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert status_of(answer) == 400
    assert (error["code"], error["quotation"], error["place"]) == ("bad_request", "", "")


def test_the_body_of_an_answer_does_not_wait_for_an_acknowledgement(server: ApiServer) -> None:
    """Connections inherit the option of the listening socket."""
    assert server.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


# Searches


def test_only_so_many_searches_run_at_a_time() -> None:
    with serving_api(ApiSettings(max_searches=1, max_seconds=30)) as server:
        with searching(server) as answer:
            assert answer.readline()
            reply = post(server, "analyse", {"depth": 1})
            assert (reply.status, reply.data["error"]["code"]) == (503, "busy")
            assert reply.headers["Retry-After"] == "1"
            assert post(server, "judge", CHECKS).status == 200
        wait_until(lambda: not running_searches(server))
        assert post(server, "analyse", {"depth": 1}).status == 200


def test_the_time_of_a_search_has_a_limit() -> None:
    with serving_api(ApiSettings(max_seconds=0.3)) as server:
        began = time.perf_counter()
        for asked in ({"seconds": 3_000}, {"depth": 100}, {"nodes": 10**9}, {}):
            assert json.loads(post(server, "analyse", asked).body.splitlines()[-1])["final"]
        assert time.perf_counter() - began < 20  # 3,000 seconds were requested


def test_a_search_ends_when_the_client_has_gone() -> None:
    with serving_api(ApiSettings(max_seconds=600)) as server:
        for _ in range(5):
            with searching(server) as answer:
                assert answer.readline()
        wait_until(lambda: not running_searches(server))
        assert is_healthy(server)


# The key and other origins


def test_requests_without_the_key_are_unauthorized() -> None:
    with serving_api(ApiSettings(key=KEY)) as server:
        for given in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {KEY}x"}):
            reply = post(server, "judge", CHECKS, **given)
            assert (reply.status, reply.data["error"]["code"]) == (401, "unauthorized")
            assert reply.headers["WWW-Authenticate"] == "Bearer"
            assert KEY not in reply.text
            assert get(server, "/metrics", **given).status == 401
        assert post(server, "judge", CHECKS, Authorization=KEY).status == 401
        assert post(server, "judge", CHECKS, Authorization=f"bearer  {KEY}").status == 200
        key = {"Authorization": f"Bearer {KEY}"}
        assert post(server, "judge", CHECKS, **key).status == 200
        assert get(server, "/metrics", **key).status == 200
        assert get(server, "/v1/health").status == 200


def test_pages_of_other_origins_ask_only_if_they_may(server: ApiServer) -> None:
    origin = {"Origin": "https://example.org"}
    wanted = origin | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    allows = "Access-Control-Allow-Origin"
    assert request(server, "OPTIONS", "/v1/judge", headers=wanted).headers[allows] is None
    assert post(server, "judge", CHECKS, **origin).headers[allows] is None
    with serving_api(ApiSettings(origins=("https://example.org",), key=KEY)) as other:
        reply = request(other, "OPTIONS", "/v1/judge", headers=wanted)
        assert (reply.status, reply.headers[allows]) == (200, "https://example.org")
        assert post(other, "judge", CHECKS, **origin).headers[allows] == "https://example.org"
        stranger = wanted | {"Origin": "https://evil.example"}
        assert request(other, "OPTIONS", "/v1/judge", headers=stranger).headers[allows] is None


def test_pages_of_other_origins_can_read_every_refusal() -> None:
    """Also those by the connection: too many, too slow, cut short, and those of the head."""
    origins = ("https://example.org", "https://example.com")
    origin = f"Origin: {origins[1]}"
    half = "Content-Length: 10", "\r\n{"
    settings = ApiSettings(origins=origins)
    with serving_api(settings, request_seconds=1, most_connections=1) as server:
        found = [(408, send_raw(server, head_of(server, origin, half[0]) + half[1]))]
        wait_until(lambda: not is_crowded(server))
        with connect(server) as connection:
            connection.sendall((head_of(server, origin, half[0]) + half[1]).encode())
            whole = head_of(server, origin, "Content-Length: 2") + "\r\n{}"
            found.append((503, send_raw(server, whole)))
            connection.shutdown(socket.SHUT_WR)
            found.append((400, read_all(connection)))
        wait_until(lambda: not is_crowded(server))
        found.append(
            (
                431,
                send_raw(
                    server, head_of(server, origin, "Connection: close", *["A: a"] * 100) + "\r\n"
                ),
            )
        )
        for status, answer in found:
            lines = answer.decode().lower().split("\r\n")
            assert status_of(answer) == status
            assert f"access-control-allow-origin: {origins[1]}" in lines, status
            assert "x-content-type-options: nosniff" in lines


def test_an_origin_that_no_page_has_is_refused() -> None:
    for good in ("*", "null", "https://example.org", "http://[::1]:8080", "capacitor://localhost"):
        assert ApiSettings(origins=(good,)).origins == (good,)
    for bad, expected in (
        ("https://example.org/", "'https://example.org'"),
        ("https://example.org/page?a=b", "'https://example.org'"),
        ("HTTPS://Example.org:443", "'https://example.org'"),
        ("http://象棋.example", "'http://xn--31v127e.example'"),
        ("example.org", "an origin"),
        ("https://", "an origin"),
        ("https://*.example.org", "an origin"),
        ("https://example.org:port", "an origin"),
        ("", "an origin"),
    ):
        with pytest.raises(FieldError, match=f"expected {expected}") as caught:
            ApiSettings(origins=("*", bad))
        assert caught.value.value == bad
        found = CliRunner().invoke(main, ["api", "--cors", bad])
        assert (found.exit_code, f"--cors {bad!r}: expected " in found.output) == (2, True)


def test_every_answer_has_the_security_headers(server: ApiServer) -> None:
    for path in ("/", "/v1/health", "/nothing", "/openapi.json"):
        headers = get(server, path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "uvicorn" not in headers["Server"]
