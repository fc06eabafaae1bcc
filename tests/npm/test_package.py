"""The npm packages as they are published: packed, installed into an empty project, run in Node and
in Chromium without any network, and their types."""

from __future__ import annotations

import functools
import gzip
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.npm_projects import ANALYSE, BUNDLED, CYCLE, LOAD, NEXT, VITE
from tests.support.play_page import needs_driver, read_log
from tests.support.soak import SOAK
from tools.npm import build_packages, pack
from tools.setup.npm_tools import TOOLS
from tools.wasm import RUNTIME, build_core
from xiangqi import Board
from xiangqi.casebook.cases import Case, load_cases
from xiangqi.casebook.verify import RuledAs
from xiangqi.contract.answers import judge
from xiangqi.engine import Engine, Limits, SearchInfo
from xiangqi.engine.bench import run_bench
from xiangqi.ground.installed import __version__
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.rules import WXF
from xiangqi.web.calls import CALLS
from xiangqi.words.voice import PLAIN_VOICE, Voice

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "packages"
PACKAGES = {"meihua": {"python.pack", "referee.pack"}, "meihua-engine": {"engine.pack"}}
"""Packages, and their packs."""
TYPESCRIPT = ROOT / TOOLS / "node_modules/typescript/bin/tsc"
PATIENCE_S = 600
OFFLINE = re.compile("ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED")
POLICY = "default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; img-src 'self' data:"
"""The browser loads nothing from any other host."""

LEFT_TO_NODE = [
    "an analysis is iterated over, left, aborted and refused",
    "a referee and an engine load side by side, and end apart",
]
"""Checks that start five more engines; Chromium runs them with MEIHUA_SOAK=1."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not (find_spec("ziglang") and RUNTIME.exists() and shutil.which("npm")),
        reason="npm, zig (PyPI) or Pyodide (npm, fetched by dev.py) is not there",
    ),
]


def expected() -> dict[str, Any]:
    """Results of the same calls in Python."""
    board = Board(CYCLE[0])
    for move in CYCLE[1]:
        board.push_iccs(move)
    infos: list[SearchInfo] = []
    Engine().play(Board(), Limits(depth=5), infos.append)
    analysis = [[one.depth, one.score, [move.iccs() for move in one.pv]] for one in infos]
    return {
        "cases": list(map(_case, load_cases())),
        "ruling": judge(board, WXF, PLAIN_VOICE),
        "explanation": format_ruling(board.judge(), Voice("zh")),
        "signature": run_bench(5).nodes,
        "analysis": [one for place, one in enumerate(analysis) if one not in analysis[:place]],
    }


def _case(case: Case) -> dict[str, Any]:
    """A case, and how the rule book rules on it."""
    ruled = RuledAs(case.verdict, case.red, case.black)
    board = case.play_until(3)
    return {
        "id": case.id,
        "fen": board.root_fen(),
        "moves": [move.iccs() for move in board.move_stack],
        **ruled.to_dict(),
    }


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the packages installed, and their tests beside it."""
    folder = tmp_path_factory.mktemp("project")
    packages = [str(pack(one, folder)) for one in build_packages(build_core(), folder / "built")]
    shutil.copytree(SOURCE / "test", folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "expected.json").write_text(json.dumps(expected()), encoding="utf-8")
    install(folder, *packages)
    return folder


@pytest.fixture(scope="module")
def referee(project: Path) -> Path:
    """A project that has only the referee's package."""
    folder = project / "alone"
    shutil.copytree(project / "node_modules/meihua", folder / "node_modules/meihua")
    (folder / "load.mjs").write_text(LOAD, encoding="utf-8")
    return folder


def install(folder: Path, *packages: str) -> None:
    """Install packages, or skip the test without the registry."""
    options = "--prefer-offline --fetch-retries=0 --ignore-scripts --no-audit --no-fund".split()
    done = run(folder, "npm", "install", *options, *packages)
    if done.returncode and OFFLINE.search(done.stderr):
        pytest.skip("the npm registry cannot be reached")
    assert not done.returncode, done.stderr


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shutil.which(command[0]) or command[0], *command[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE_S,
    )


def without_network() -> list[str]:
    """The beginning of a command that has no network; empty where Linux does not allow that."""
    words = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") is None:
        return []
    return words if run(ROOT, *words, "true").returncode == 0 else []


# What was published


def test_the_packages_have_the_version_of_the_python_package(project: Path) -> None:
    modules = project / "node_modules"
    assert {path.name for path in modules.iterdir() if path.name[0] != "."} == {*PACKAGES}
    dependencies = []
    for name, packs in PACKAGES.items():
        manifest = json.loads((modules / name / "package.json").read_text("utf-8"))
        assert manifest["version"] == __version__
        dependencies.append(manifest.get("dependencies"))
        names = {path.name for path in (modules / name).iterdir()}
        assert {"README.md", "LICENSE", "index.d.ts", "index.js"} <= names
        assert {one for one in names if one.endswith(".pack")} == packs
    assert dependencies == [None, {"meihua": __version__}]


def test_no_file_is_in_both_packages(project: Path) -> None:
    """But for the files that each package of npm has, whose contents differ, and the licence."""
    own, engine = (
        {
            path.name: path.read_bytes()
            for path in (project / "node_modules" / name).iterdir()
            if path.is_file()
        }
        for name in PACKAGES
    )
    both = own.keys() & engine.keys()
    assert both == {"README.md", "LICENSE", "index.d.ts", "index.js", "package.json", "build.js"}
    assert [name for name in both if own[name] == engine[name]] == ["LICENSE"]


def test_each_call_has_a_type() -> None:
    text = (SOURCE / "meihua/src/index.d.ts").read_text(encoding="utf-8")
    for call in CALLS:
        assert f"  {call}(" in text


@pytest.mark.parametrize(("name", "limit"), [("meihua", 8_000_000), ("meihua-engine", 1_800_000)])
def test_installed_size(project: Path, name: str, limit: int) -> None:
    files = (project / "node_modules" / name).rglob("*")
    assert sum(path.stat().st_size for path in files if path.is_file()) <= limit


# What it does


def test_the_referee_alone_loads_within_three_cpu_seconds(referee: Path) -> None:
    """The elapsed time would depend on other programs; on a quiet machine it is shorter."""
    done = run(referee, "node", "load.mjs")
    verdict, seconds = done.stdout.split()
    assert verdict == "black_wins"
    assert float(seconds) < 3, done.stderr


# Versions


@pytest.fixture
def mixed(project: Path, tmp_path: Path) -> Path:
    """A project whose two packages can be changed, with a program that analyses."""
    for name in PACKAGES:
        shutil.copytree(project / "node_modules" / name, tmp_path / "node_modules" / name)
    (tmp_path / "analyse.mjs").write_text(ANALYSE, encoding="utf-8")
    return tmp_path


def test_an_engine_for_another_version_of_the_referee_does_not_start(mixed: Path) -> None:
    script = mixed / "node_modules/meihua-engine/build.js"
    script.write_text(script.read_text().replace(__version__, "9.8.7"))
    assert run(mixed, "node", "analyse.mjs").stdout == (
        f"load: Error: the script of the engine is of version 9.8.7, the worker of meihua of "
        f"{__version__}: install the same version of meihua and meihua-engine, and run meihua-copy "
        "again\n"
    )


def test_a_pack_of_another_version_is_refused(mixed: Path) -> None:
    file = mixed / "node_modules/meihua-engine/engine.pack"
    head, name, tail = gzip.decompress(file.read_bytes()).partition(b"packed.pyc")
    old, new = __version__.encode(), b"9" * len(__version__)
    file.write_bytes(gzip.compress(head + name + tail.replace(old, new, 1), 1))
    said = run(mixed, "node", "analyse.mjs").stdout
    assert said.startswith(f"load: Error: engine.pack is of version {new.decode()}, "), said


def test_packages_of_two_versions_are_not_copied(mixed: Path) -> None:
    manifest = mixed / "node_modules/meihua-engine/package.json"
    manifest.write_text(manifest.read_text("utf-8").replace(__version__, "9.8.7"), "utf-8")
    done = run(mixed, "node", "node_modules/meihua/copy.js", "site")
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        f"meihua is of version {__version__}, meihua-engine of 9.8.7: "
        "install the same version of both\n",
    )


# Elsewhere


@pytest.mark.parametrize("program", ["bun", "deno"])
def test_in_another_program_for_javascript(project: Path, program: str) -> None:
    command = shutil.which(program)
    if command is None and not SOAK:
        pytest.skip(f"{program} is not there; MEIHUA_SOAK=1 fetches it from npm, about 100 MB")
    (project / "load.mjs").write_text(LOAD, encoding="utf-8")
    if command is None:
        folder = project / program
        folder.mkdir()
        (folder / "package.json").write_text("{}")
        install(folder, program)
        run(folder, "npm", "rebuild", program)  # it fetches nothing else
        command = str(folder / "node_modules/.bin" / program)
    options = ["run", "-A"] if program == "deno" else []
    done = run(project, command, *options, "load.mjs")
    assert done.stdout.split()[:1] == ["black_wins"], done.stderr


@pytest.mark.skipif(not SOAK, reason="MEIHUA_SOAK=1 fetches Vite, about 40 MB")
@needs_driver
def test_bundled_by_vite(project: Path, chromium: webdriver.Chrome) -> None:
    """Vite finds the worker and the packs by itself; TypeScript is strict."""
    folder = project / "vite"
    for name, text in VITE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    install(folder, "vite@8", "typescript@7", *map(str, project.glob("meihua-*.tgz")))
    for command in ("node_modules/typescript/bin/tsc", "node_modules/vite/bin/vite.js build"):
        done = run(folder, "node", *command.split())
        assert not done.returncode, done.stdout + done.stderr
    with serve(folder / "dist", []) as address:
        chromium.get(f"{address}/index.html")
        ruled = "return document.body.dataset.ruled"
        WebDriverWait(chromium, PATIENCE_S, 0.2).until(lambda _: chromium.execute_script(ruled))
        assert chromium.execute_script(ruled) == "black_wins 1"


def test_checks_pass_in_node(project: Path) -> None:
    done = run(project, *without_network(), "node", "--test", "node.test.mjs")
    assert not done.returncode, done.stdout + done.stderr
    assert re.search(r"^# pass 13$", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.skipif(not SOAK, reason="MEIHUA_SOAK=1 fetches Next.js, about 110 MB")
def test_in_a_server_route_of_next(project: Path) -> None:
    """Next.js bundles the package's scripts; the worker must still find its neighbours."""
    folder = project / "next"
    for name, text in NEXT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    packages = map(str, project.glob("meihua-*.tgz"))
    install(folder, "next@16", "react@19", "react-dom@19", *packages)
    done = run(folder, "node", "node_modules/next/dist/bin/next", "build")
    assert not done.returncode, done.stdout + done.stderr
    (ruled,) = folder.glob(".next/server/app/ruling.body")
    assert json.loads(ruled.read_text(encoding="utf-8")) == ["black_wins", 1]


def test_types_compile_in_strict_mode(project: Path) -> None:
    if not TYPESCRIPT.exists():
        pytest.skip("TypeScript is not there (npm, fetched by dev.py)")
    options = "--noEmit --strict --target es2022 --module nodenext --lib es2023,dom".split()
    done = run(project, "node", str(TYPESCRIPT), *options, "types.test.ts")
    assert not done.returncode, done.stdout


def test_the_program_of_the_docs_prints_what_they_say(project: Path) -> None:
    page = (ROOT / "docs/javascript.md").read_text(encoding="utf-8")
    ((program, printed),) = re.findall(
        r"```js\n((?:(?!```)[\s\S])*)```\n\n```text\n([^`]*)```", page
    )
    (project / "page.mjs").write_text(program, encoding="utf-8")
    done = run(project, *without_network(), "node", "page.mjs")
    assert done.stdout == printed, done.stderr


@contextmanager
def serve(folder: Path, fetched: list[str]) -> Iterator[str]:
    """Serve a folder, and add the paths fetched to a list; yield the address."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", POLICY)
            super().end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            fetched.append(self.path)

    handler = functools.partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def site(project: Path) -> Iterator[tuple[str, list[str]]]:
    """A web server with what ``meihua-copy`` writes; its address, and the paths fetched.

    The folder ``referee`` has no engine.
    """
    folder = project / "site"
    fetched: list[str] = []
    done = run(project, "node", "node_modules/.bin/meihua-copy", str(folder))
    assert not done.returncode, done.stderr
    for name in ("page.html", "checks.mjs", "expected.json"):
        shutil.copy(project / name, folder)
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("*.pack", "worker.mjs", "pyodide.js", "python.js")
        shutil.copytree(folder / name, folder / "bundled" / name, ignore=ignored)
    shutil.copytree(folder / "meihua", folder / "referee/meihua")
    (folder / "examples").mkdir()
    shutil.copy(SOURCE / "meihua/examples/page.html", folder / "examples")
    with serve(folder, fetched) as address:
        yield address, fetched


@needs_driver
def test_checks_pass_in_chromium(site: tuple[str, list[str]], chromium: webdriver.Chrome) -> None:
    address, fetched = site
    waiting = WebDriverWait(chromium, PATIENCE_S, 0.2)
    left = [] if SOAK else LEFT_TO_NODE
    chromium.get(f"{address}/page.html?{urlencode([('without', name) for name in left])}")
    waiting.until(lambda _: chromium.title == "done")
    results = json.loads(chromium.execute_script("return document.body.dataset.results"))
    assert len(results) == 14 - len(left)
    assert {name: found for name, found in results.items() if found != "ok"} == {}
    assert {path.split("/")[1].partition("?")[0] for path in fetched} <= {
        *PACKAGES, "nowhere", "referee", "page.html", "checks.mjs", "expected.json",
    }  # fmt: skip
    read_log(chromium)
    chromium.get(f"{address}/examples/page.html")
    panel = "return document.querySelector('#panel').textContent"
    waiting.until(lambda _: "Loading" not in chromium.execute_script(panel))
    assert chromium.execute_script(panel).startswith("Black wins: Red checked perpetually")
    assert chromium.execute_script("return document.querySelectorAll('#board svg').length") == 1
    chromium.execute_script("document.querySelectorAll('#moves button')[3].click()")
    waiting.until(lambda _: chromium.execute_script(panel).startswith("If repeated: Red checked"))
    assert [line for line in read_log(chromium) if "favicon" not in line] == []
    chromium.set_script_timeout(PATIENCE_S)
    best = Engine().play(Board(), Limits(depth=1)).best
    assert best
    assert chromium.execute_async_script(BUNDLED) == best.iccs()
