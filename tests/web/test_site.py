"""The site for any web server: its files, and what answers in the browser."""

from __future__ import annotations

import asyncio
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tools.site import try_packs
from tools.wasm import SiteError, find_missing
from xiangqi.board import Board
from xiangqi.cli.main import main
from xiangqi.ground.errors import FormatError
from xiangqi.referee.rules import WXF
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.thinking import read_play_request
from xiangqi.web.site.backend import Backend
from xiangqi.web.site.build import PACK_FILES, Site
from xiangqi.web.site.offline import write_file_list
from xiangqi.words.voice import PAGE_VOICE

MATE_IN_ONE = "3k5/9/9/8p/9/9/9/9/9/R3K4 w"


class Reply:
    """Fields of an answer."""

    def __init__(self) -> None:
        self.status, self.kind = 0, ""
        self.pieces: list[bytes] = []

    def begin(self, status: int, kind: str) -> None:
        assert not self.status
        self.status, self.kind = status, kind

    @property
    def data(self) -> Any:
        return json.loads(b"".join(self.pieces))

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in b"".join(self.pieces).splitlines()]


async def put(backend: Backend, path: str, data: dict[str, Any], number: int = 0) -> Reply:
    reply, body = Reply(), json.dumps(data).encode()
    await backend.answer(number, "POST", path, body, reply.begin, reply.pieces.append)
    return reply


def ask(backend: Backend, path: str, data: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    reply = asyncio.run(put(backend, path, data))
    assert reply.kind.startswith("application/json")
    return reply.status, reply.data


@pytest.fixture(scope="module")
def backend() -> Backend:
    return Backend()


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """Stub files named like those of a folder of packs."""
    folder = tmp_path / "packs"
    folder.mkdir()
    for name in PACK_FILES:
        (folder / name).write_text(name)
    return folder


# What answers in the browser


def test_backend_answers_as_the_server_does(backend: Backend) -> None:
    status, found = ask(backend, "/api/position", {"moves": ["h2e2"]})
    assert (status, found["turn"]) == (200, "black")
    status, found = ask(backend, "/api/position", {"moves": ["h2e9"]})
    assert status == 400
    assert "h2e9" in found["error"]["message"]
    assert ask(backend, "/nowhere", {})[0] == 404


def test_the_engine_moves_and_is_stopped_by_name(backend: Backend) -> None:
    status, found = ask(backend, "/api/engine", {"fen": MATE_IN_ONE, "seconds": 0.1})
    assert (status, found["move"], found["words"]) == (200, "a0d0", "Red mates in 1")

    async def stop_soon() -> dict[str, Any]:
        question = {"seconds": 10.0, "search": "this one"}
        thinking = asyncio.ensure_future(put(backend, "/api/engine", question))
        while not thinking.done():
            await put(backend, "/api/stop", {"search": "this one"}, 1)
            await asyncio.sleep(0)
        return dict((await thinking).data)

    assert Board().is_legal(Board().parse_move(asyncio.run(stop_soon())["move"]))


def test_an_analysis_grows_line_by_line(backend: Backend) -> None:
    question = {"depth": 8, "lines": 3, "moves": ["h2e2"], "lang": "zh"}
    reply = asyncio.run(put(backend, "/api/analyse", question))
    assert (reply.status, reply.kind) == (200, "application/x-ndjson")
    depths = [found["depth"] for found in reply.lines]
    assert depths == sorted(depths)
    assert depths[-1] == 8
    assert [found["final"] for found in reply.lines] == [False] * (len(depths) - 1) + [True]
    last = reply.lines[-1]
    assert len(last["lines"]) == 3
    assert len({line["iccs"][0] for line in last["lines"]}) == 3
    for line in last["lines"]:
        assert len(line["iccs"]) == len(line["chinese"]) == len(line["wxf"]) > 0
        assert line["red"] == -line["score"]["cp"]


def test_an_analysis_without_end_ends_when_it_is_abandoned_or_asked_anew(
    backend: Backend,
) -> None:
    async def end(how: str) -> Reply:
        reply, other = Reply(), None

        def write(piece: bytes) -> None:
            reply.pieces.append(piece)
            if how == "abandoned" and len(reply.pieces) == 3:
                backend.abandon(5)

        body = json.dumps({"endless": True}).encode()
        asked = asyncio.ensure_future(
            backend.answer(5, "POST", "/api/analyse", body, reply.begin, write)
        )
        if how == "asked":
            while not reply.pieces:
                await asyncio.sleep(0)
            other = await put(backend, "/api/analyse", {"depth": 1}, 6)
            assert other.lines[-1]["final"]
        await asked
        return reply

    assert len(asyncio.run(end("abandoned")).pieces) == 3
    reply = asyncio.run(end("asked"))
    assert reply.lines[-1]["final"]


def test_a_move_nobody_waits_for_is_not_looked_for(backend: Backend) -> None:
    async def leave() -> Reply:
        reply = Reply()
        asked = asyncio.ensure_future(
            backend.answer(7, "POST", "/api/engine", b'{"seconds": 10}', reply.begin, print)
        )
        await asyncio.sleep(0.2)
        backend.abandon(7)
        await asked
        return reply

    assert asyncio.run(leave()).status == 0


def test_position_in_check_has_no_threats(backend: Backend) -> None:
    in_check = "4k4/9/9/9/9/9/9/9/4r4/4K4 w"
    reply = asyncio.run(put(backend, "/api/analyse", {"fen": in_check, "threats": True}))
    assert [(found["lines"], found["final"]) for found in reply.lines] == [([], True)]
    asked = {"fen": MATE_IN_ONE.replace(" w", " b"), "threats": True, "depth": 3}
    reply = asyncio.run(put(backend, "/api/analyse", asked))
    assert reply.lines[-1]["lines"][0]["score"] == {"mate": 1}
    assert reply.lines[-1]["lines"][0]["words"] == "Red mates in 1"


def test_a_level_chooses_once_and_at_once(backend: Backend) -> None:
    """It sees so little that ten seconds are no matter to it."""
    status, found = ask(backend, "/api/engine", {"level": 1, "seconds": 10})
    assert status == 200
    assert found["depth"] <= 3
    assert Board().is_legal(Board().parse_move(found["move"]))


def test_mated_position_has_no_move(backend: Backend) -> None:
    mated = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b"
    assert ask(backend, "/api/engine", {"fen": mated, "seconds": 0.1})[1]["move"] is None


def test_a_question_has_a_time_and_a_name() -> None:
    with pytest.raises(Refusal, match="seconds"):
        read_play_request({"seconds": 1000}, WXF, PAGE_VOICE)
    assert read_play_request({"search": "x"}, WXF, PAGE_VOICE).name == "x"


REFEREE_ALONE = """
import sys
from xiangqi.web.site.backend import Backend
Backend()
parts = ("xiangqi.engine", "xiangqi.analysis", "xiangqi.games.formats", "jinja2")
print(*(name for name in parts if name in sys.modules))
"""


def test_a_board_with_its_referee_loads_neither_engine_nor_formats() -> None:
    command = [sys.executable, "-c", REFEREE_ALONE]
    assert subprocess.run(command, capture_output=True, check=True).stdout.strip() == b""


def test_the_rest_is_loaded_between_questions() -> None:
    async def prepare() -> tuple[int, str]:
        backend, reply = Backend(), Reply()
        await backend.answer(0, "POST", "/api/position", b"{}", reply.begin, reply.pieces.append)
        await backend.prepare()
        moved = await put(backend, "/api/engine", {"level": 1}, 1)
        return reply.status, moved.data["move"]

    status, move = asyncio.run(prepare())
    assert status == 200
    assert Board().is_legal(Board().parse_move(move))


# The folder


def test_the_site_is_a_folder_of_files(tmp_path: Path, packs: Path) -> None:
    site = Site(tmp_path / "site", packs)
    size = site.write()
    names = {str(path.relative_to(site.folder)) for path in site.folder.rglob("*.*")}
    assert {"index.html", "zh.html", "worker.js", "python.js", *PACK_FILES} <= names
    assert size == sum(path.stat().st_size for path in site.folder.rglob("*.*"))
    page = (site.folder / "zh.html").read_text(encoding="utf-8")
    assert 'href="index.html"' in page
    assert "Worker" in (site.folder / "reach.js").read_text(encoding="utf-8")
    at_once = len("python.pack") + len("board.pack")
    assert (site.folder / "size.js").read_text() == f"export const SIZE = {at_once};\n"
    listed = json.loads((site.folder / "kept.js").read_text().partition(" = ")[2].rstrip(";\n"))
    kept = {path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*.*")}
    assert set(listed["names"]) == kept - {"kept.js", "offline.js"}
    manifest = json.loads((site.folder / "manifest.json").read_text())
    assert {manifest["start_url"], *(icon["src"] for icon in manifest["icons"])} <= kept
    for icon in manifest["icons"][1:]:
        picture = (site.folder / icon["src"]).read_bytes()
        width, height = struct.unpack(">II", picture[16:24])
        assert picture.startswith(b"\x89PNG")
        assert icon["sizes"] == f"{width}x{height}"
    assert {icon["purpose"] for icon in manifest["icons"][1:]} == {"any", "maskable"}
    site.write()  # over itself
    (site.folder / "zh.html").write_text("changed")
    write_file_list(site.folder)
    assert listed["version"] not in (site.folder / "kept.js").read_text()


def test_other_folders_are_refused_as_site(tmp_path: Path, packs: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    with pytest.raises(FormatError, match="expected an empty folder"):
        Site(other, packs).write()
    with pytest.raises(FormatError, match=r"expected packs of the site, with pyodide\.js"):
        Site(tmp_path / "new", other).write()
    assert not (tmp_path / "new").exists()
    assert [path.name for path in other.iterdir()] == ["letter.txt"]


def test_the_command_tells_where_and_how_much(tmp_path: Path, packs: Path) -> None:
    folder = tmp_path / "site"
    done = CliRunner().invoke(main, ["site", "-o", str(folder), "--packs", str(packs)])
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"{folder / 'index.html'}: ")
    done = CliRunner().invoke(main, ["site", "-o", str(folder), "--packs", "gone"])
    assert done.exit_code == 2
    assert "gone" in done.output


def test_missing_build_requirements_are_listed_together(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    node, pyodide = find_missing(tmp_path)
    assert "'node'" in node
    assert str(tmp_path) in pyodide
    assert "install npm" in pyodide


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not there")
def test_packs_that_do_not_load_are_an_error(packs: Path) -> None:
    (packs / "package.json").write_text('{"type": "module"}')
    (packs / "python.js").write_text("export const makeResponse = 0, loadPython = 0, addPack = 0;")
    (packs / "pyodide.js").write_text("throw new Error('bad export type');")
    with pytest.raises(SiteError, match=r"does not load:\nbad export type"):
        try_packs(packs)
