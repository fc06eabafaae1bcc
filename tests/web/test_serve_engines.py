"""``xiangqi serve --engine``: engines of one's choice, and what becomes of those that fail."""

from __future__ import annotations

import shlex
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.patience import wait_until
from tests.support.systems import on_linux
from tests.support.web_server import analyse, analysing, ask, get, read_lines, serving
from xiangqi.board import Board
from xiangqi.cli.main import main
from xiangqi.web.serve import searches
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.engines import Engines
from xiangqi.web.serve.server import WebServer

pytestmark = pytest.mark.long

ENGINES = Path(__file__).parents[1] / "engines"
MOCK = shlex.join([sys.executable, str(ENGINES / "mock_engine.py")])
COMMANDS = {
    "Mock": f"{MOCK} --dialect uci",
    "UCCI": f"{MOCK} --dialect ucci",
    "XBoard": shlex.join([sys.executable, str(ENGINES / "mock_xboard.py")]),
    "Ours outside": shlex.join([sys.executable, "-m", "xiangqi", "engine"]),
    "Restless": f"{MOCK} --dialect uci --behaviour no-clock,no-limit",
    "Mortal": f"{MOCK} --dialect uci --behaviour crash --after 1",
    "Stubborn": f"{MOCK} --dialect uci --behaviour stall --after 1",
    "Tired": f"{MOCK} --dialect uci --behaviour nomove",
    "Cheat": f"{MOCK} --dialect uci --behaviour illegal --text h2h8",
    "Nowhere": "/no/such/engine",
    "深思": f"{MOCK} --dialect uci --behaviour crash",
}
LEGAL = {move.iccs() for move in Board().legal_moves}


@pytest.fixture
def engines() -> Engines:
    return Engines(COMMANDS)


@pytest.fixture
def server(engines: Engines) -> Iterator[WebServer]:
    with serving(Application(engines=engines)) as running:
        yield running


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with less patience."""
    monkeypatch.setattr(searches, "OVERHEAD_S", 0.3)
    monkeypatch.setattr(searches, "PATIENCE_S", 3.0)


def test_the_engines_are_listed_ours_first(server: WebServer) -> None:
    assert get(server, "/api/engines").data == {"engines": ["Meihua", *COMMANDS]}


@pytest.mark.parametrize("name", ["Mock", "UCCI", "Ours outside"])
def test_an_engine_of_ones_choice_plays_and_analyses(server: WebServer, name: str) -> None:
    data = ask(server, "/api/engine", engine=name, seconds=0.1).data
    assert data["move"] in LEGAL
    assert data["iccs"][0] == data["move"]
    found = analyse(server, engine=name, depth=3, lines=2, moves=["h2e2"])
    assert found[-1]["final"]
    assert "error" not in found[-1]
    assert found[-1]["lines"]
    if name == "Ours outside":
        assert len(found[-1]["lines"]) == 2


@pytest.mark.parametrize("name", ["Mock", "UCCI", "Meihua"])
def test_no_engine_plays_what_the_rules_bar(server: WebServer, name: str) -> None:
    """Black's general may not go back to where it came from."""
    game = {"fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w", "moves": ["a1a2", "d9d8", "a2a1"]}
    question = {**game, "engine": name, "seconds": 0.05, "rules": "superko-positional"}
    moves = {ask(server, "/api/engine", **question).data["move"] for _ in range(8)}
    assert moves <= {"d8d7", "d8e8"}


def test_an_engine_that_can_be_forbidden_nothing_plays_while_it_may(server: WebServer) -> None:
    """By XBoard's protocol no move can be barred; one that is and is played is not taken."""
    game = {"fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w", "moves": ["a1a2", "d9d8", "a2a1"]}
    question = {**game, "engine": "XBoard", "seconds": 0.05, "rules": "superko-positional"}
    replies = [ask(server, "/api/engine", **question) for _ in range(12)]
    for reply in replies:
        if reply.status == 200:
            assert reply.data["move"] in {"d8d7", "d8e8"}
        else:
            assert "it plays d8d9, which the rules bar" in reply.data["error"]["message"]
    assert {reply.status for reply in replies} == {200, 502}


@pytest.mark.parametrize("name", ["fairy-stockfish", "hoixiangqi"])
def test_engines_of_others_play_and_analyse(name: str) -> None:
    engine = shutil.which(name) or shutil.which(name, path="/usr/games")
    if engine is None:
        pytest.skip(f"{name} is not installed")
    with serving(Application(engines=Engines({name: engine}))) as server:
        assert ask(server, "/api/engine", engine=name, seconds=0.2).data["move"] in LEGAL
        found = analyse(server, engine=name, seconds=0.2, lines=2, moves=["h2e2"])[-1]
        assert found["lines"][0]["iccs"]
        assert "error" not in found


def test_an_engine_with_clocks_gets_them(server: WebServer) -> None:
    clocks = {"red_ms": 1000, "black_ms": 2000, "red_increment_ms": 100}
    for name in ("Meihua", "Mock"):
        assert ask(server, "/api/engine", engine=name, **clocks).data["move"] in LEGAL
    reply = ask(server, "/api/engine", red_ms=1000)
    assert (reply.status, reply.data["error"]["message"][:13]) == (400, "black_ms: -1:")


def test_levels_are_for_engines_that_have_them(server: WebServer) -> None:
    for name in ("Meihua", "Ours outside"):
        assert ask(server, "/api/engine", engine=name, level=1).data["depth"] <= 3
    assert ask(server, "/api/engine", level=11).status == 400
    reply = ask(server, "/api/engine", engine="Mock", level=3)
    assert (reply.status, reply.data["error"]["message"]) == (
        502, "The engine Mock failed: it has no levels",
    )  # fmt: skip


def test_an_engine_that_has_no_end_is_stopped_by_its_name(server: WebServer) -> None:
    answers = []
    question = {"engine": "Restless", "red_ms": 10**8, "black_ms": 10**8, "search": "mine"}
    asking = threading.Thread(
        target=lambda: answers.append(ask(server, "/api/engine", **question).data)
    )
    asking.start()
    while asking.is_alive():
        ask(server, "/api/stop", search="mine")
        time.sleep(0.05)
    assert answers[0]["move"] in LEGAL


@pytest.mark.usefixtures("hasty")
def test_an_engine_that_overruns_its_time_plays_what_it_has(server: WebServer) -> None:
    question = {"engine": "Restless", "red_ms": 100, "black_ms": 100}
    assert ask(server, "/api/engine", **question).data["move"] in LEGAL
    assert analyse(server, engine="Restless", seconds=0.1)[-1]["final"]


def test_an_analysis_of_an_engine_ends_with_its_reader(server: WebServer, engines: Engines) -> None:
    with analysing(server, engine="Restless", endless=True) as answer:
        assert read_lines(answer, 1)[0]["lines"]
        assert not engines.is_idle
    wait_until(lambda: engines.is_idle)
    assert ask(server, "/api/engine", engine="Restless", seconds=0.1).status == 200


def test_an_engine_that_dies_is_reported_and_started_anew(server: WebServer) -> None:
    statuses = [ask(server, "/api/engine", engine="Mortal", seconds=0.1) for _ in range(4)]
    assert [reply.status for reply in statuses] == [200, 502, 200, 502]
    assert statuses[1].data["error"]["message"].startswith("The engine Mortal failed: ")
    assert "exit code: 3" in statuses[1].data["error"]["message"]
    found = analyse(server, engine="深思", endless=True, lang="zh")
    assert found[-1]["final"]
    assert found[-1]["error"]["message"].startswith("引擎深思出错：")
    assert found[-1]["error"]["code"] == "engine_failed"


@pytest.mark.usefixtures("hasty")
def test_an_engine_that_heeds_nothing_is_reported_and_started_anew(server: WebServer) -> None:
    replies = [ask(server, "/api/engine", engine="Stubborn", seconds=0.1) for _ in range(3)]
    assert [reply.status for reply in replies] == [200, 504, 200]
    assert replies[1].data["error"]["message"].startswith("The engine Stubborn does not answer")


@pytest.mark.parametrize(
    ("name", "expected"), [("Nowhere", "/no/such/engine"), ("Cheat", "h2h8"), ("x", "no engine x")]
)
def test_faults_of_an_engine_are_reported(server: WebServer, name: str, expected: str) -> None:
    reply = ask(server, "/api/engine", engine=name, seconds=0.1)
    assert reply.status in (404, 502)
    assert expected in reply.data["error"]["message"]
    assert expected in analyse(server, engine=name, depth=1)[-1]["error"]["message"]
    assert ask(server, "/api/engine", seconds=0.05).status == 200


def test_an_engine_that_plays_no_move_is_reported(server: WebServer) -> None:
    reply = ask(server, "/api/engine", engine="Tired", seconds=0.1)
    assert reply.status == 502
    assert reply.data["error"]["message"] == "The engine Tired failed: it plays no move"


@on_linux
def test_the_engines_end_with_the_server(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    wrapper = f"import os; open({str(pid)!r}, 'w').write(str(os.getpid()))"
    command = f"{MOCK} --dialect uci --behaviour no-limit,stays"
    program = f"{wrapper}; os.execv({sys.executable!r}, {shlex.split(command)!r})"
    engines = Engines({"One": shlex.join([sys.executable, "-c", program])})
    with serving(Application(engines=engines)) as server:
        with analysing(server, engine="One", endless=True) as answer:
            assert read_lines(answer, 1)[0]["lines"]
        process = Path("/proc") / pid.read_text()
        assert process.exists()
    wait_until(lambda: not process.exists())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing", "expected NAME=CMD"),
        ("=x", "expected NAME=CMD"),
        ("x=", "expected NAME=CMD"),
        ("Meihua=x", "expected a unique name"),
        ("x=y 'z", "y 'z"),
    ],
)
def test_wrong_engine_options_are_reported(text: str, expected: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--no-open", "--port", "0", "--engine", text])
    assert result.exit_code == 2
    assert expected in result.stderr
