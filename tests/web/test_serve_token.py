"""``xiangqi serve --host``: other machines reach the server, and a client needs its token."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from tests.support.systems import hear_interrupts, with_signals
from tests.support.web_server import JSON, Reply, get, own_host, request, serving
from xiangqi.cli.main import main
from xiangqi.web.serve.entry import asset_folder
from xiangqi.web.serve.server import WebServer


@pytest.fixture(scope="module")
def open_server() -> Iterator[WebServer]:
    """A server that is open to other machines."""
    with serving(host="0.0.0.0") as running:
        yield running


def bearer(server: WebServer, **headers: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {server.token}", **headers}


def cookie_of(reply: Reply) -> str:
    return reply.headers["Set-Cookie"].partition(";")[0]


def test_an_open_server_tells_an_address_with_a_token(open_server: WebServer) -> None:
    assert open_server.socket.getsockname()[0] == "0.0.0.0"
    port, token = open_server.server_port, open_server.token
    pattern = rf"http://\d+\.\d+\.\d+\.\d+:{port}/\?token={re.escape(token)}"
    assert re.fullmatch(pattern, open_server.address)
    assert len(token) > 20
    with serving(host="0.0.0.0") as other:
        assert other.token != token


@pytest.mark.parametrize(
    "path", ["/", f"/{asset_folder()}play.js", "/nothing", "/games/0/en/x.html", "/?token="]
)
def test_requests_without_the_token_are_refused(open_server: WebServer, path: str) -> None:
    assert get(open_server, path).status == 403
    assert request(open_server, "POST", "/api/position", b"{}", JSON).status == 403


def test_the_token_of_the_address_becomes_a_cookie(open_server: WebServer) -> None:
    reply = get(open_server, f"/?lang=zh&token={open_server.token}&game=0%2Fen%2F000001")
    assert reply.status == 303
    assert reply.headers["Location"] == "/?lang=zh&game=0%2Fen%2F000001"
    assert "HttpOnly; SameSite=Strict" in reply.headers["Set-Cookie"]
    cookie = cookie_of(reply)
    assert get(open_server, "/", Cookie=f"other=1; {cookie}").status == 200
    asked = JSON | {"Cookie": cookie}
    assert request(open_server, "POST", "/api/position", b"{}", asked).status == 200
    for wrong in (f"{cookie}a", cookie[:-1], cookie.replace("=", "1="), cookie.upper(), "="):
        assert get(open_server, "/", Cookie=wrong).status == 403


def test_the_token_may_stand_in_a_header(open_server: WebServer) -> None:
    assert get(open_server, "/", **bearer(open_server)).status == 200
    for wrong in ("Bearer ", "Bearer x", f"Bearer {open_server.token} ä", "Basic x"):
        assert get(open_server, "/", Authorization=wrong).status == 403


def test_wrong_token_in_the_address_is_refused(open_server: WebServer) -> None:
    for token in ("x", open_server.token[:-1], f"{open_server.token}x", "%C3%A4"):
        assert get(open_server, f"/?token={token}").status == 403


@pytest.mark.parametrize("host", ["192.168.1.5:8610", "[fe80::1]:8610", "10.0.0.1", "LOCALHOST:1"])
def test_any_address_of_the_machine_is_accepted(open_server: WebServer, host: str) -> None:
    assert get(open_server, "/", **bearer(open_server, Host=host)).status == 200
    assert get(open_server, "/", Host=host).status == 403
    named = socket.gethostname()
    assert get(open_server, "/", **bearer(open_server, Host=named)).status == 200


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.5.evil.example", "[", "", "1.2.3"])
def test_foreign_host_is_refused_even_with_the_token(open_server: WebServer, host: str) -> None:
    assert get(open_server, "/", **bearer(open_server, Host=host)).status == 403


def test_cross_site_pages_are_refused_even_with_the_token(open_server: WebServer) -> None:
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert get(open_server, "/", **bearer(open_server, **headers)).status == 403
    own = bearer(open_server, Origin=f"http://{own_host(open_server)}")
    assert get(open_server, "/", **own).status == 200


def test_an_address_of_this_machine_can_have_a_token_too() -> None:
    with serving(host="127.0.0.1") as server:
        assert server.socket.getsockname()[0] == "127.0.0.1"
        assert get(server, "/").status == 403
        assert get(server, "/", **bearer(server)).status == 200


@with_signals
def test_the_command_prints_the_address_with_the_token() -> None:
    command = [sys.executable, "-m", "xiangqi", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        [*command, "--host", "localhost"],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert re.match(r"http://localhost:\d+/\?token=[\w-]{20,}  ", line), line
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.mark.parametrize("host", ["192.0.2.1", "no such name"])
def test_an_address_of_another_machine_is_reported(host: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--no-open", "--port", "0", "--host", host])
    assert result.exit_code == 2
    assert f"Address {host}, port 0" in result.stderr
