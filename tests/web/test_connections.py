"""Connections of both servers under load: who is admitted, who is ended, and who is refused."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import socket
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from tests.support.api_server import CHECKS, serving_api
from tests.support.patience import wait_until
from tests.support.web_server import (
    Listening,
    connect,
    get,
    own_host,
    read_all,
    send_raw,
    serving,
    status_of,
)
from xiangqi.web.api.server import ApiConnection
from xiangqi.web.serve.admission import MAX_REFUSED, MIN_WAIT_SECONDS, Admission
from xiangqi.web.serve.connections import ConnectionConfig, GuardedConnection
from xiangqi.web.serve.messages import Refusal

pytestmark = pytest.mark.long

# Parts of uvicorn


def attributes(owner: type, target: str) -> set[str]:
    """Attributes of ``self`` or ``self.cycle`` that the source of a class uses."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == target
    }


def names_of(owner: type) -> set[str]:
    """Methods of a class, and attributes that it sets."""
    return set(dir(owner)) | attributes(owner, "self")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(GuardedConnection, H11Protocol), (ApiConnection, H11Protocol), (ConnectionConfig, Config)],
)
def test_uvicorn_has_what_its_subclasses_use(ours: type, theirs: type) -> None:
    own = set(vars(ours)) | set(vars(GuardedConnection)) | set(GuardedConnection.__annotations__)
    tree = ast.parse(textwrap.dedent(inspect.getsource(GuardedConnection)))
    own |= {
        target.attr
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute) and target.attr.startswith("_")
    }
    used = attributes(ours, "self")
    if ours is ConnectionConfig:
        own |= {"request_seconds", "admission"}
    else:
        assert used & {"cycle", "transport", "loop"}
    assert used - own <= names_of(theirs)
    overridden = {name for name in vars(ours) if not name.startswith("_")} & set(dir(theirs))
    assert {name for name in overridden if not callable(getattr(theirs, name))} == set()


def test_uvicorn_has_the_state_of_a_request() -> None:
    used = attributes(GuardedConnection, "self.cycle") | attributes(ApiConnection, "self.cycle")
    assert len(used) >= 5
    assert used <= names_of(RequestResponseCycle)


@pytest.mark.parametrize(
    "event",
    "connection_made data_received eof_received connection_lost pause_writing resume_writing "
    "shutdown send_400_response on_response_complete".split(),
)
def test_uvicorn_calls_what_the_subclasses_override(event: str) -> None:
    assert callable(getattr(H11Protocol, event))
    assert event in vars(GuardedConnection) or event in vars(ApiConnection)


# Admission


@dataclass(eq=False)
class FakeConnection:
    """A connection that records how it ends."""

    idle_since: float | None = 0.0
    address: str = "a"
    ended: list[str] = field(default_factory=list)

    def end(self, refusal: Refusal) -> None:
        self.ended.append(f"{refusal.status}")

    def abort(self) -> None:
        self.ended.append("aborted")


def test_the_longest_waiting_connection_makes_room() -> None:
    admission = Admission(3)
    busy, old, older = FakeConnection(None), FakeConnection(2.0), FakeConnection(1.0)
    for connection in (busy, old, older):
        assert admission.admit(connection, 3.0) is None
    assert admission.admit(FakeConnection(9.0), 9.0) is None
    assert (busy.ended, old.ended, older.ended) == ([], [], ["503"])
    assert admission.admit(FakeConnection(9.0), 9.0) is None
    assert old.ended == ["503"]


def test_a_new_connection_is_refused_while_none_has_waited() -> None:
    admission = Admission(2)
    first = FakeConnection(5.0)
    for connection in (first, FakeConnection(None)):
        assert admission.admit(connection, 5.0) is None
    refusal = admission.admit(FakeConnection(5.0), 5.0 + MIN_WAIT_SECONDS / 2)
    assert refusal is not None
    assert refusal.status == 503
    assert first.ended == []
    assert admission.admit(FakeConnection(6.0), 5.0 + MIN_WAIT_SECONDS) is None
    assert first.ended == ["503"]


def test_a_closed_connection_is_forgotten() -> None:
    admission = Admission(1)
    first = FakeConnection(None)
    assert admission.admit(first, 0.0) is None
    assert admission.admit(FakeConnection(), 0.0) is not None
    admission.forget(first)
    assert admission.admit(FakeConnection(), 0.0) is None


def test_the_limit_of_an_address_leaves_others_alone() -> None:
    admission = Admission(10, per_address=2)
    own = [FakeConnection(0.0), FakeConnection(None)]
    other = FakeConnection(0.0, "b")
    for connection in (other, *own):
        assert admission.admit(connection, 0.0) is None
    refusal = admission.admit(FakeConnection(0.5), 0.5)
    assert refusal is not None
    assert "your address" in str(refusal)
    assert admission.admit(FakeConnection(2.0), 2.0) is None
    assert (own[0].ended, own[1].ended, other.ended) == (["503"], [], [])


def test_refused_connections_are_bounded() -> None:
    admission = Admission(1)
    admission.admit(FakeConnection(None), 0.0)
    refused = [FakeConnection() for _ in range(MAX_REFUSED + 3)]
    for connection in refused:
        assert admission.admit(connection, 0.0) is not None
    assert [connection.ended for connection in refused[:4]] == [["aborted"]] * 3 + [[]]


# On the servers


SERVERS = pytest.mark.parametrize("name", ["api", "page"])
PATHS = {"api": "/v1/health", "page": "/"}


@contextmanager
def running(name: str, **options: Any) -> Iterator[Listening]:
    """Either server."""
    if name == "api":
        with serving_api(request_seconds=60, **options) as api:
            yield api
    else:
        with serving(request_seconds=60, **options) as page:
            yield page


@SERVERS
def test_an_unfinished_request_makes_room_and_says_why(name: str) -> None:
    with running(name, most_connections=1) as server, connect(server) as first:
        first.sendall(f"GET {PATHS[name]} HTTP/1.1\r\nHost: ".encode())
        time.sleep(3 * MIN_WAIT_SECONDS)
        assert get(server, PATHS[name]).status == 200
        answer = read_all(first)
        assert status_of(answer) == 503
        assert b"retry-after: 1" in answer.lower()


@SERVERS
def test_an_idle_connection_makes_room(name: str) -> None:
    with running(name, most_connections=1) as server, connect(server) as first:
        wait_until(lambda: get(server, PATHS[name]).status == 200)
        assert read_all(first) == b""


@SERVERS
def test_one_address_has_its_own_limit(name: str) -> None:
    with running(name, per_address=1) as server, connect(server):
        request = f"GET {PATHS[name]} HTTP/1.1\r\nHost: {own_host(server)}\r\n\r\n"
        refused = send_raw(server, request)
        assert status_of(refused) == 503
        assert b"from your address" in refused
        wait_until(lambda: status_of(send_raw(server, request)) == 200)


# Attackers beside honest clients

UNFINISHED = 300
SLOW = 300
HONEST = 50
REQUESTS = 3
"""Requests of each honest client."""
TIME_LIMIT_S = 120.0


@pytest.fixture
def many_files() -> Iterator[None]:
    """Both ends of all connections are open in this process."""
    resource: Any = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def attack(server: Listening, data: bytes, ends: Counter[str]) -> None:
    """Open a connection, send some data, and read nothing; begin again when it is ended."""
    while True:
        with socket.socket() as own:
            own.setblocking(False)
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            loop = asyncio.get_running_loop()
            with suppress(OSError):
                await loop.sock_connect(own, ("127.0.0.1", server.server_port))
                await loop.sock_sendall(own, data)
                ends["connections"] += 1
                while (await loop.sock_recv(own, 1)) != b"":
                    await asyncio.sleep(1)
        await asyncio.sleep(1)


async def be_honest(server: Listening, request: bytes, statuses: Counter[int]) -> None:
    """Send requests and read the answers; after a 503 try again when the server says."""
    for _ in range(REQUESTS):
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.server_port)
            writer.write(request)
            answer = await reader.read()
            writer.close()
            status = status_of(answer)
            statuses[status] += 1
            if status == 200:
                break
            assert status == 503
            assert b"retry-after: 1\r\n" in answer.lower()
            await asyncio.sleep(1)


async def siege(server: Listening, slow: bytes, honest: bytes) -> tuple[Counter[int], Counter[str]]:
    """Run all clients; return the statuses of honest answers and the connections of attackers."""
    statuses: Counter[int] = Counter()
    ends: Counter[str] = Counter()
    unfinished = f"POST /v1/judge HTTP/1.1\r\nHost: {own_host(server)}\r\nX: ".encode()
    attackers = [
        asyncio.create_task(attack(server, data, ends))
        for data in [unfinished] * UNFINISHED + [slow] * SLOW
    ]
    await asyncio.sleep(1)
    try:
        clients = (be_honest(server, honest, statuses) for _ in range(HONEST))
        await asyncio.wait_for(asyncio.gather(*clients), TIME_LIMIT_S)
    finally:
        for task in attackers:
            task.cancel()
        await asyncio.gather(*attackers, return_exceptions=True)
    return statuses, ends


def lines(server: Listening, first: str, *more: str, body: bytes = b"") -> bytes:
    """A request of these lines."""
    head = (f"{first} HTTP/1.1", f"Host: {own_host(server)}", *more)
    return "".join(f"{line}\r\n" for line in (*head, "")).encode() + body


@pytest.mark.usefixtures("many_files")
@SERVERS
def test_every_honest_client_is_answered_among_attackers(name: str) -> None:
    """They never see a reset connection, and have each answer in the end."""
    body = json.dumps(CHECKS if name == "api" else {"moves": ["h2e2"]}).encode()
    path = "/v1/judge" if name == "api" else "/api/position"
    with running(name) as server:
        slow = lines(server, "GET /openapi.json" if name == "api" else "GET /") * 30
        more = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        honest = lines(server, f"POST {path}", *more, "Connection: close", body=body)
        statuses, ends = asyncio.run(siege(server, slow, honest))
        assert statuses[200] == HONEST * REQUESTS
        assert set(statuses) <= {200, 503}
        assert ends["connections"] >= UNFINISHED + SLOW
        print(f"{name}: {dict(statuses)}, {dict(ends)}")
