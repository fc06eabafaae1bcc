"""The wings of the house, what stands on what, and what never happens."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GROUND = "version counting errors exits extras fen files lines pieces switches toml workers".split()
GROUND += ["chances", "squares", "__pyinstaller"]  # the latter is what PyInstaller reads
"""Modules of their own, below all wings."""
WINGS = """
    core
    notation drawing
    words scores arrays
    referee
    board pictures
    games
    books casebook tables
    engine client
    analysis
    match
    compliance selfplay
    web
    cli
""".strip().splitlines()
"""From the bottom up; a wing imports from the rows below its own. Pictures of rulings stand on the
referee and on drawing, which know nothing of each other."""
ROOMS = "system moves forcing repetition evaluation tables search".split()
"""The core's folders, from the bottom up; behind the doors, which stand above them."""
DOORS = set("board move network evaluator samples searches searcher solver tablebase".split())

LEVEL = dict.fromkeys(GROUND, 0) | {
    wing: level for level, row in enumerate(WINGS, 1) for wing in row.split()
}
CYTHON_IMPORT = re.compile(r"^\s*(?:from|cimport|import)\s+(xiangqi[\w.]*)", re.MULTILINE)


def imported_names(source: Path) -> Iterator[str]:
    """The modules that a file imports, those inside its functions as well."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def imports_of(source: Path) -> set[str]:
    """What a file imports of the package."""
    if source.suffix == ".py":
        return {name for name in imported_names(source) if name.startswith("xiangqi.")}
    return set(CYTHON_IMPORT.findall(source.read_text(encoding="utf-8")))


def name_of(source: Path) -> str:
    """The name of a file's module."""
    base = ROOT / "ext" if source.is_relative_to(ROOT / "ext") else ROOT
    parts = source.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = sorted((ROOT / "xiangqi").rglob("*.py"))
COMPILED = sorted([*(ROOT / "ext").rglob("*.pyx"), *(ROOT / "ext").rglob("*.pxd")])
MODULES = {name_of(source) for source in (*SOURCES, *COMPILED)}
PUBLIC = {"xiangqi", "xiangqi.__main__", "xiangqi.public"}
"""The package's own names, and its command: above everything."""


def wing_of(module: str) -> str:
    return module.split(".")[1]


def modules_among(names: set[str]) -> set[str]:
    return names & MODULES


def test_every_module_stands_in_a_wing() -> None:
    assert {wing_of(module) for module in MODULES - PUBLIC} == set(LEVEL)


@pytest.mark.parametrize("source", [s for s in SOURCES if name_of(s) not in PUBLIC], ids=name_of)
def test_a_wing_stands_on_those_below_it(source: Path) -> None:
    own = wing_of(name_of(source))
    for module in modules_among(imports_of(source)) - PUBLIC:
        other = wing_of(module)
        is_ground = LEVEL[own] == LEVEL[other] == 0
        assert other == own or is_ground or LEVEL[other] < LEVEL[own], module


def test_the_picture_shows_these_rows() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    wings, rooms = (
        [re.split(r" *\| ", line)[1].split() for line in picture.splitlines() if line[:1] == "|"]
        for picture in re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    )
    assert wings == [row.split() for row in reversed(WINGS)] + [["ground"]]
    assert rooms == [["doors"], *([room] for room in reversed(ROOMS))]


@pytest.mark.parametrize("source", COMPILED, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_rooms_of_the_core_stand_on_those_below_them(source: Path) -> None:
    def level(module: str) -> int:
        room = module.split(".")[2]
        return ROOMS.index(room) if room in ROOMS else len(ROOMS)

    own = name_of(source)
    for module in imports_of(source):
        if module.startswith("xiangqi.core."):
            assert level(module) <= level(own), module
        else:
            assert wing_of(module) in GROUND, module


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        name_of(source): modules_among(imports_of(source)) - {name_of(source)} for source in SOURCES
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path, module))
        if module not in done:
            for other in graph.get(module, set()) - set(packages_of(module)):
                visit(other, (*path, module))
            done.add(module)

    def packages_of(module: str) -> list[str]:
        parts = module.split(".")
        return [".".join(parts[:length]) for length in range(1, len(parts))]

    for module in graph:
        visit(module, ())


# What never happens


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_python_enters_the_core_by_its_doors(source: Path) -> None:
    entered = {
        module.split(".")[2] for module in imports_of(source) if module.startswith("xiangqi.core.")
    }
    assert entered <= DOORS


OURS = """
    engine core.searches core.searcher core.search core.evaluator core.evaluation core.network
""".split()
"""Our engine: its wing, and the core's doors and rooms that search and evaluate."""


@pytest.mark.parametrize("wing", ["client", "match", "compliance"])
def test_whoever_drives_engines_never_loads_ours(wing: str) -> None:
    modules = sorted(name for name in MODULES - PUBLIC if wing_of(name) == wing)
    ours = {f"xiangqi.{name}" for name in OURS}
    assert ours <= MODULES
    program = f"import sys, {', '.join(modules)}\nprint(sorted({ours}.intersection(sys.modules)))"
    assert run_python(program) == "[]"


def test_the_referee_never_draws() -> None:
    for source in (ROOT / "xiangqi" / "referee").rglob("*.py"):
        assert not [name for name in imports_of(source) if wing_of(name) == "drawing"], source


@pytest.mark.parametrize(
    "name", "rules rule_files rule_checks ruling replay runs judging safety".split()
)
def test_a_ruling_is_data(name: str) -> None:
    """It neither draws nor speaks: words and pictures stand on it."""
    source = ROOT / "xiangqi" / "referee" / f"{name}.py"
    assert {wing_of(module) for module in imports_of(source)} <= {"core", "referee", *GROUND}
    known = {module.split(".")[2] for module in imports_of(source) if wing_of(module) == "referee"}
    assert known <= set("rules rule_files rule_checks ruling replay runs judging cxa".split())


def test_the_search_knows_no_conduct() -> None:
    known = "cycle judge prohibition rules verdict".split()
    for source in (ROOT / "ext/xiangqi/core/search").iterdir():
        for module in imports_of(source) if source.suffix in (".pyx", ".pxd") else ():
            if module.startswith("xiangqi.core.repetition."):
                assert module.split(".")[-1] in known, (source, module)


def test_the_workers_know_no_job() -> None:
    source = ROOT / "xiangqi" / "workers.py"
    assert {wing_of(name) for name in imports_of(source)} <= set(GROUND)
    names = re.findall(r"xiangqi\.(\w+)", source.read_text(encoding="utf-8"))
    assert set(names) <= set(GROUND)


@pytest.mark.parametrize("folder", ["train", "bench"])
def test_training_and_benches_never_use_the_commands(folder: str) -> None:
    for source in (ROOT / folder).rglob("*.py"):
        assert not [name for name in imports_of(source) if wing_of(name) == "cli"], source


HOMES = {
    '"1/2-1/2": 0.5': "xiangqi/games/results.py",
    "class Dialect:": "xiangqi/client/dialects.py",
    '.decode("utf-8", "backslashreplace")': "xiangqi/lines.py",
    "perft(depth - 1)": "xiangqi/board/board.py",
    'SCORES["': "xiangqi/engine/scores.py",
    "re.compile(r'\\s*\\[\\s*(": "xiangqi/games/formats/pgn_tokens.py",
}
"""What some concepts look like in code, and the one file that knows them."""


@pytest.mark.parametrize("text", HOMES)
def test_a_concept_has_one_home(text: str) -> None:
    folders = ("xiangqi", "bench", "train")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    found = [path for path in sources if text in path.read_text(encoding="utf-8")]
    assert found == [ROOT / HOMES[text]]


@pytest.mark.parametrize("path", sorted((ROOT / "tests/oracle").glob("*.py")), ids=str)
def test_oracle_imports_nothing_of_the_package(path: Path) -> None:
    assert not [name for name in imported_names(path) if name.split(".")[0] == "xiangqi"]


HTTP = {"starlette", "uvicorn", "h11", "anyio"}
"""What speaks HTTP."""
SPEAKS_HTTP = {f"xiangqi.web.serve.{name}" for name in ("connections", "guard", "pages", "server")}


def test_the_server_alone_speaks_http() -> None:
    """What answers must run in a browser as well, and no other command waits for the import."""
    found = {
        name_of(source)
        for source in SOURCES
        if HTTP & {name.split(".")[0] for name in imported_names(source)}
    }
    assert found == SPEAKS_HTTP
    others = (name for name in MODULES - PUBLIC if wing_of(name) == "web")
    modules = sorted({*others} - SPEAKS_HTTP | {"xiangqi.cli.main"})
    program = f"import sys, {', '.join(modules)}\nprint({HTTP} & {{*sys.modules}})"
    assert run_python(program) == "set()"


def test_importing_the_package_leaves_the_slow_libraries_alone() -> None:
    """They belong to the commands; a script that wants a board must not wait for them."""
    slow = ("chess", "rich", "click", "jinja2", "numpy")
    program = f"import sys, xiangqi\nprint([name for name in {slow} if name in sys.modules])"
    assert run_python(program) == "[]"


def run_python(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
