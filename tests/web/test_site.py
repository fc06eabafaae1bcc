"""The site for any web server: its files, and what answers in the browser."""

from __future__ import annotations

import asyncio
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from xiangqi.board import Board
from xiangqi.cli.main import main
from xiangqi.errors import FormatError
from xiangqi.referee.rules import WXF
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.thinking import read_question
from xiangqi.web.site.answers import Answering, PatientThinker
from xiangqi.web.site.build import RUNTIME_FILES, Site

MATE_IN_ONE = "3k5/9/9/9/9/9/9/9/4R4/R3K4 w"


def never() -> bool:
    return False


def ask(answering: Answering, path: str, data: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    body = json.dumps(data).encode()
    status, kind, found = asyncio.run(answering.answer("POST", path, body, never))
    assert kind.startswith("application/json")
    return status, json.loads(found)


@pytest.fixture(scope="module")
def answering() -> Answering:
    return Answering()


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Path, Path]:
    """Files by the names of a runtime's, and of a wheel's."""
    runtime, wheel = tmp_path / "pyodide", tmp_path / "core.whl"
    runtime.mkdir()
    for name in RUNTIME_FILES:
        (runtime / name).write_text(name)
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("xiangqi/core/board.so", b"\0asm")
    return runtime, wheel


# What answers in the browser


def test_it_answers_as_the_server_does(answering: Answering) -> None:
    status, found = ask(answering, "/api/position", {"moves": ["h2e2"]})
    assert (status, found["turn"]) == (200, "black")
    status, found = ask(answering, "/api/position", {"moves": ["h2e9"]})
    assert status == 400
    assert "h2e9" in found["error"]
    assert ask(answering, "/nowhere", {})[0] == 404


def test_the_engine_moves_and_is_stopped_by_name(answering: Answering) -> None:
    status, found = ask(answering, "/api/engine", {"fen": MATE_IN_ONE, "seconds": 0.1})
    assert (status, found["move"], found["words"]) == (200, "a0d0", "Red mates in 1")

    async def stop_soon() -> dict[str, Any]:
        question = json.dumps({"seconds": 10.0, "search": "this one"}).encode()
        thinking = asyncio.ensure_future(answering.answer("POST", "/api/engine", question, never))
        while not thinking.done():
            stopping = json.dumps({"search": "this one"}).encode()
            await answering.answer("POST", "/api/stop", stopping, never)
            await asyncio.sleep(0)
        return dict(json.loads((await thinking)[2]))

    assert Board().is_legal(Board().parse_move(asyncio.run(stop_soon())["move"]))


def test_a_search_that_nobody_waits_for_ends() -> None:
    heard: list[bool] = []

    def is_abandoned() -> bool:
        heard.append(True)
        return len(heard) > 3

    question = read_question({"seconds": 10.0}, WXF, "en")
    found = asyncio.run(PatientThinker().think(question, is_abandoned))
    assert len(heard) == 4
    assert found["depth"] > 0


def test_where_there_is_no_move_none_is_found(answering: Answering) -> None:
    mated = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b"
    assert ask(answering, "/api/engine", {"fen": mated, "seconds": 0.1})[1]["move"] is None


def test_a_question_has_a_time_and_a_name() -> None:
    with pytest.raises(Refusal, match="seconds"):
        read_question({"seconds": 1000}, WXF, "en")
    assert read_question({"search": "x"}, WXF, "zh").name == "x"


# The folder


def test_the_site_is_a_folder_of_files(tmp_path: Path, parts: tuple[Path, Path]) -> None:
    site = Site(tmp_path / "site", *parts)
    size = site.write()
    names = {str(path.relative_to(site.folder)) for path in site.folder.rglob("*.*")}
    assert {"index.html", "zh.html", "worker.js", "meihua.zip", "runtime/pyodide.js"} <= names
    assert size == sum(path.stat().st_size for path in site.folder.rglob("*.*"))
    page = (site.folder / "zh.html").read_text(encoding="utf-8")
    assert 'href="index.html"' in page
    assert "Worker" in (site.folder / "reach.js").read_text(encoding="utf-8")
    packed = (site.folder / "meihua.zip").read_bytes()
    assert {"jinja2/__init__.py", "markupsafe/__init__.py", "xiangqi/core/board.so"} <= set(
        zipfile.ZipFile(site.folder / "meihua.zip").namelist()
    )
    site.write()  # over itself
    assert (site.folder / "meihua.zip").read_bytes() == packed


def test_what_cannot_be_a_site_is_refused(tmp_path: Path, parts: tuple[Path, Path]) -> None:
    runtime, wheel = parts
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    with pytest.raises(FormatError, match="expected an empty folder"):
        Site(other, runtime, wheel).write()
    with pytest.raises(FormatError, match="expected Pyodide"):
        Site(tmp_path / "new", other, wheel).write()
    with pytest.raises(FormatError, match=r"letter\.txt"):
        Site(tmp_path / "new", runtime, other / "letter.txt").write()
    with zipfile.ZipFile(tmp_path / "empty.whl", "w"):
        pass
    with pytest.raises(FormatError, match="for WebAssembly"):
        Site(tmp_path / "new", runtime, tmp_path / "empty.whl").write()
    assert not (tmp_path / "new").exists()
    assert [path.name for path in other.iterdir()] == ["letter.txt"]


def test_the_command_tells_where_and_how_much(tmp_path: Path, parts: tuple[Path, Path]) -> None:
    folder = tmp_path / "site"
    words = ["site", "-o", folder, "--runtime", parts[0], "--core", parts[1]]
    done = CliRunner().invoke(main, list(map(str, words)))
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"{folder / 'index.html'}: ")
    done = CliRunner().invoke(main, [*map(str, words[:3]), "--runtime", "gone", "--core", "gone"])
    assert done.exit_code == 2
    assert "gone" in done.output
