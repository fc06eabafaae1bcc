"""``xiangqi serve``: whom and what the server turns away, its addresses, and the command."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.patience import PATIENCE_S, wait_until
from tests.support.systems import hear_interrupts, with_signals
from tests.support.web_server import (
    JSON,
    connect,
    drip,
    get,
    is_alive,
    is_full,
    own_host,
    read_all,
    request,
    send_raw,
    serving,
    status_of,
)
from xiangqi.cli.main import main
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.serve.application import MAX_GAME
from xiangqi.web.serve.entry import asset_folder
from xiangqi.web.serve.guard import MAX_HEAD_BYTES
from xiangqi.web.serve.queries import MAX_DATA
from xiangqi.web.serve.server import ADDRESS, WebServer

OWN_PAGES = ("/", *(f"/{asset_folder()}{name}" for name in ("play.js", "meihua.css")))


# Who may ask


def test_the_server_listens_on_the_loopback_address_only(server: WebServer) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST"])
def test_own_hostnames_are_accepted(server: WebServer, host: str) -> None:
    assert get(server, "/", Host=host).status == 200
    assert get(server, "/", Host=f"{host}:{server.server_port}").status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:1", "[::1]", "0.0.0.0", "", "localhost."],
)
def test_foreign_host_is_refused(server: WebServer, host: str) -> None:
    reply = get(server, "/", Host=host)
    assert reply.status == 403
    assert repr(host) in reply.data["error"]["message"]
    assert is_alive(server)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("GET / HTTP/1.0\r\n\r\n", 403),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
    ],
)
def test_missing_or_second_host_is_refused(server: WebServer, text: str, status: int) -> None:
    assert status_of(send_raw(server, text)) == status


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://{host}", "http://{host}0"]
)
def test_foreign_origin_is_refused(server: WebServer, origin: str) -> None:
    headers = JSON | {"Origin": origin.format(host=own_host(server))}
    assert request(server, "POST", "/api/position", b"{}", headers).status == 403
    assert request(server, "GET", "/", headers=headers).status == 403
    assert is_alive(server)


def test_own_origin_is_accepted(server: WebServer) -> None:
    headers = JSON | {"Origin": f"http://{own_host(server)}", "Sec-Fetch-Site": "same-origin"}
    assert request(server, "POST", "/api/position", b"{}", headers).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "strange"])
def test_cross_site_request_is_refused(server: WebServer, site: str) -> None:
    assert get(server, "/", **{"Sec-Fetch-Site": site}).status == 403


def test_a_form_of_another_site_has_the_wrong_kind_of_body(server: WebServer) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        reply = request(server, "POST", "/api/position", b"{}", {"Content-Type": kind})
        assert reply.status == 415


@pytest.mark.parametrize("path", [*OWN_PAGES, "/nothing"])
def test_every_answer_has_the_security_headers(server: WebServer, path: str) -> None:
    headers = get(server, path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Python" not in headers["Server"]


# What is too much


def test_a_body_that_is_too_long_is_refused_before_it_comes() -> None:
    """The server would wait for it longer than the test does for the answer."""
    with serving(request_seconds=1000) as server:
        head = (
            f"POST /api/position HTTP/1.1\r\nHost: {own_host(server)}\r\n"
            "Content-Type: application/json"
        )
        for length, status, why in (
            (MAX_DATA + 1, 413, str(MAX_DATA)),
            (10**18, 413, str(MAX_DATA)),
            (10**30, 400, "Content-Length"),
        ):
            answer = send_raw(server, f"{head}\r\nContent-Length: {length}\r\n\r\n")
            assert status_of(answer) == status
            assert why in answer.decode().partition("\r\n\r\n")[2]
        assert is_alive(server)


def test_refusal_of_a_long_body_that_was_sent_is_read(server: WebServer) -> None:
    reply = request(server, "POST", "/api/position", b" " * (MAX_DATA + 1), JSON)
    assert reply.status == 413


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Transfer-Encoding: chunked", 411),
        ("Content-Length: 2\r\nTransfer-Encoding: chunked", 411),
        ("Accept: */*", 411),
        ("Content-Length: 2\r\nContent-Length: 3", 400),
        ("Content-Length: -1", 400),
        ("Content-Length: +2", 400),
        ("Content-Length: two", 400),
        ("Content-Length: ٢", 400),
    ],
)
def test_a_body_of_unknown_length_is_refused(server: WebServer, headers: str, status: int) -> None:
    head = (
        f"POST /api/position HTTP/1.1\r\nHost: {own_host(server)}\r\nContent-Type: application/json"
    )
    assert status_of(send_raw(server, f"{head}\r\n{headers}\r\n\r\n{{}}")) == status
    assert is_alive(server)


@pytest.mark.parametrize(
    "text",
    [
        "GET /" + "a" * MAX_HEAD_BYTES,
        "GET / HTTP/1.1\r\nA: " + "a" * MAX_HEAD_BYTES,
        "GET / HTTP/1.1\r\n" + f"A: {'a' * 1000}\r\n" * 90,
        "GET / HTTP/1.1\r\nHost: localhost\r\n" + "A: a\r\n" * 200 + "\r\n",
    ],
    ids=["line", "header", "headers", "number"],
)
def test_a_head_that_is_too_long_is_refused(server: WebServer, text: str) -> None:
    assert status_of(send_raw(server, text)) == 431
    assert is_alive(server)


def test_one_byte_after_another_does_not_hold_a_connection_for_ever() -> None:
    with serving(request_seconds=0.4) as server:
        for body in ("GET / HTTP/1.1\r\nX: ", "POST /api/position HTTP/1.1\r\n"):
            assert 0 < drip(server, body) < 100
        assert is_alive(server)


def test_a_body_that_does_not_come_is_given_up() -> None:
    with serving(request_seconds=0.3) as server:
        head = f"POST /api/position HTTP/1.1\r\nHost: {own_host(server)}\r\n"
        lines = "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"
        assert status_of(send_raw(server, head + lines)) == 408
        assert is_alive(server)


def test_a_body_that_ends_too_soon_is_refused(server: WebServer) -> None:
    head = f"POST /api/position HTTP/1.1\r\nHost: {own_host(server)}\r\n"
    lines = "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{}"
    with connect(server) as connection:
        connection.sendall((head + lines).encode())
        connection.shutdown(socket.SHUT_WR)
        assert status_of(read_all(connection)) == 400


def test_idle_connection_is_closed_without_an_answer() -> None:
    with serving(request_seconds=0.2) as server, connect(server) as connection:
        assert read_all(connection) == b""


def test_an_answer_that_nobody_fetches_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends long before all of the answer has been sent."""
    monkeypatch.setattr("xiangqi.web.serve.connections.ANSWER_SECONDS", 0.2)
    body = json.dumps({"nodes": [{"comment": "a" * (MAX_GAME - 100)}]}).encode()
    with serving(most_connections=1) as server:
        head = (
            f"POST /api/pgn HTTP/1.1\r\nHost: {own_host(server)}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((ADDRESS, server.server_port))
            connection.sendall(head.encode() + body)
            wait_until(lambda: not is_full(server))
            assert is_alive(server)
            assert len(read_all(connection)) < len(body)


def test_only_so_many_connections_are_held_at_a_time() -> None:
    with serving(request_seconds=5, most_connections=3) as server:
        idle = [connect(server) for _ in range(3)]
        time.sleep(0.1)
        assert status_of(send_raw(server, "GET / HTTP/1.1\r\n\r\n")) == 503
        for connection in idle:
            connection.close()
        wait_until(lambda: not is_full(server))
        assert is_alive(server)


@pytest.mark.parametrize(
    "text",
    [
        b"\r\n\r\n",
        b"\0\xff\xfe\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\n\r\n",
        b"DELETE / HTTP/1.1\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\n\r\n",
        b"GET //[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_malformed_requests_do_no_harm(server: WebServer, text: bytes) -> None:
    answer = send_raw(server, text)
    assert not answer or b"200 OK" not in answer.split(b"\r\n")[0]
    assert is_alive(server)


def test_one_connection_brings_one_request(server: WebServer) -> None:
    one = f"GET / HTTP/1.1\r\nHost: {own_host(server)}\r\nConnection: keep-alive\r\n\r\n"
    assert send_raw(server, one * 2).count(b" 200 OK\r\n") == 1


# Addresses


@pytest.mark.parametrize(
    "path",
    [
        "/..%2f..%2fetc/passwd", "/../server.py", "/static", "/static/", "/templates/play.html",
        "/play.js/", "/games/", "/games/0/en/", "/games/0/en/index.html", "/games/1/en/../x",
        "/games/1/en/000001.html", "/api/", "/%2e%2e/x", "/\\..\\x",
    ],
)  # fmt: skip
def test_unknown_addresses_are_not_found(server: WebServer, path: str) -> None:
    assert get(server, path).status == 404


def test_the_wrong_method_is_reported(server: WebServer) -> None:
    assert get(server, "/api/position").status == 405
    assert request(server, "POST", "/", b"{}", JSON).status == 405


def test_a_page_can_be_asked_for_without_its_body(server: WebServer) -> None:
    reply = request(server, "HEAD", "/")
    assert (reply.status, reply.body) == (200, b"")
    assert int(reply.headers["Content-Length"]) > 1000


@pytest.mark.parametrize(("lang", "words"), [("en", "Undo"), ("zh", "悔棋")])
def test_the_page_is_there_in_both_languages(server: WebServer, lang: str, words: str) -> None:
    page = get(server, f"/?lang={lang}").text
    assert f'<html lang="{lang}">' in page
    assert words in page
    assert STARTING_FEN in page
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "onclick" not in page


def test_the_scripts_put_no_text_on_the_page_as_markup(server: WebServer) -> None:
    page = get(server, "/").text
    pattern = rf'<script src="{asset_folder()}([\w.]+)" (?:defer|type="module")></script>'
    scripts = re.findall(pattern, page)
    assert len(scripts) == page.count("<script") >= 1
    for name in scripts:  # those that a module imports are appended
        script = get(server, f"/{asset_folder()}{name}")
        assert script.headers["Content-Type"].startswith("text/javascript")
        markup = r"\b(innerHTML|outerHTML|insertAdjacent\w*|eval\(|document\.write)"
        assert re.search(markup, script.text) is None
        imported = re.findall(r'^import .*"\./([\w.]+)";$', script.text, re.MULTILINE)
        scripts += [other for other in imported if other not in scripts]
    assert "tree.js" in scripts


def test_browsers_keep_scripts_and_styles_by_their_contents(server: WebServer) -> None:
    page = get(server, "/")
    linked = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+\.(?:js|css))"', page.text)
    assert len(linked) > 50
    for address in linked:
        kept = get(server, f"/{address}")
        assert (kept.status, kept.headers["Cache-Control"]) == (200, "max-age=31536000, immutable")
    assert page.headers["Cache-Control"] == "no-store"
    assert get(server, f"/assets-0/{linked[0].partition('/')[2]}").status == 404


def test_an_unknown_language_is_reported(server: WebServer) -> None:
    reply = get(server, "/?lang=<script>")
    assert reply.status == 400
    assert "expected one of en, zh" in reply.data["error"]["message"]
    assert reply.headers["Content-Type"].startswith("application/json")


# The command


@with_signals
def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "xiangqi", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, preexec_fn=hear_interrupts
    ) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
            assert address is not None
            with socket.create_connection(
                ("127.0.0.1", int(address[1])), timeout=PATIENCE_S
            ) as connection:
                connection.sendall(
                    f"GET / HTTP/1.0\r\nHost: localhost:{address[1]}\r\n\r\n".encode()
                )
                assert status_of(read_all(connection)) == 200
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_a_port_that_is_taken_is_reported(server: WebServer) -> None:
    result = CliRunner().invoke(main, ["serve", "--no-open", "--port", str(server.server_port)])
    assert result.exit_code == 2
    assert f"Port {server.server_port}" in result.stderr
    assert "--port" in result.stderr
