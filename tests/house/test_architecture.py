"""Layers of the packages, imports between them, and dependencies that are forbidden."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PACKAGES = """
    ground
    pieces
    core
    notation drawing
    words
    referee
    board
    contract
    games compat
    books casebook tables
    engine client
    analysis
    match
    compliance
    web
    cli
""".strip().splitlines()
"""Layers from the bottom up; a package imports from the layers below its own."""
CORE_PACKAGES = "system moves forcing repetition evaluation tables search".split()
"""C-only packages of the core from the bottom up; the public modules are above them."""
PUBLIC_CORE = set(
    "board position_board move network evaluator samples searches searcher solver tablebase".split()
)

LEVEL = {package: level for level, row in enumerate(PACKAGES) for package in row.split()}
GROUND = {"ground", "pieces"}
"""Packages that the core and the data of a ruling may import."""
CYTHON_IMPORT = re.compile(r"^\s*(?:from|cimport|import)\s+(xiangqi[\w.]*)", re.MULTILINE)


@cache
def imported_names(source: Path) -> frozenset[str]:
    """Modules that a file imports, also inside functions and by ``import_module``."""
    return frozenset(find_imports(source))


def find_imports(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            argument = node.args[0]
            if name in ("import_module", "__import__") and isinstance(argument, ast.Constant):
                yield str(argument.value)


@cache
def imports_of(source: Path) -> frozenset[str]:
    """Modules of the package that a file imports."""
    if source.suffix == ".py":
        return frozenset(name for name in imported_names(source) if name.startswith("xiangqi."))
    return frozenset(CYTHON_IMPORT.findall(source.read_text(encoding="utf-8")))


def name_of(source: Path) -> str:
    """Name of a file's module."""
    base = ROOT / "ext" if source.is_relative_to(ROOT / "ext") else ROOT
    parts = source.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = sorted((ROOT / "xiangqi").rglob("*.py"))
COMPILED = sorted([*(ROOT / "ext").rglob("*.pyx"), *(ROOT / "ext").rglob("*.pxd")])
BESIDE = sorted([*ROOT.glob("meihua*.py"), *(ROOT / "meihua").rglob("*.py")])
"""Modules beside the package."""
MODULES = {name_of(source) for source in (*SOURCES, *COMPILED)}
PUBLIC = {"xiangqi", "xiangqi.__main__", "xiangqi.pgn", "xiangqi.public", "xiangqi.svg"}
PUBLIC |= {name for name in MODULES if name.startswith("xiangqi.__pyinstaller")}
"""The package itself, its modules for users of python-chess, its command, and its hook for
PyInstaller, above all layers."""


def package_of(module: str) -> str:
    return module.split(".")[1]


def modules_among(names: frozenset[str]) -> frozenset[str]:
    return names & MODULES


def test_imports_by_name_are_seen(tmp_path: Path) -> None:
    source = tmp_path / "hidden.py"
    source.write_text(
        "import importlib\n"
        "def load():\n"
        "    importlib.import_module('xiangqi.cli.main')\n"
        "    return import_module('xiangqi.games.tree')\n"
    )
    assert imports_of(source) == {"xiangqi.cli.main", "xiangqi.games.tree"}


def test_every_module_is_in_a_layer() -> None:
    assert {package_of(module) for module in MODULES - PUBLIC} == set(LEVEL)


def test_packages_import_from_lower_layers() -> None:
    def is_below(other: str, own: str) -> bool:
        return other == own or LEVEL[other] < LEVEL[own]

    assert not {
        (name_of(source), module)
        for source in SOURCES
        if name_of(source) not in PUBLIC
        for module in modules_among(imports_of(source)) - PUBLIC
        if not is_below(package_of(module), package_of(name_of(source)))
    }


MAX_ARROWS = 140
"""Pairs of packages of which one imports the other, at most."""


def test_number_of_importing_package_pairs_is_limited() -> None:
    arrows = {
        (package_of(name_of(source)), package_of(module))
        for source in (*SOURCES, *COMPILED)
        if name_of(source) not in PUBLIC
        for module in modules_among(imports_of(source)) - PUBLIC
    }
    assert len([own for own, other in arrows if own != other]) <= MAX_ARROWS


def test_the_picture_shows_these_layers() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    packages, core = (
        [re.split(r" *\| ", line)[1].split() for line in picture.splitlines() if line[:1] == "|"]
        for picture in re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    )
    assert packages == [row.split() for row in reversed(PACKAGES)]
    assert core == [["public"], *([package] for package in reversed(CORE_PACKAGES))]


def test_core_packages_import_from_lower_layers() -> None:
    def level(module: str) -> int:
        package = module.split(".")[2]
        return CORE_PACKAGES.index(package) if package in CORE_PACKAGES else len(CORE_PACKAGES)

    def is_below(module: str, own: str) -> bool:
        is_core = module.startswith("xiangqi.core.")
        return level(module) <= level(own) if is_core else package_of(module) in GROUND

    assert not {
        (source, module)
        for source in COMPILED
        for module in imports_of(source)
        if not is_below(module, name_of(source))
    }


def test_no_modules_import_each_other_in_a_circle() -> None:
    """In the package and beside it, compiled or not: imports in functions and for type checkers
    count, too."""
    graph: dict[str, frozenset[str]] = {}
    for source in (*SOURCES, *BESIDE, *COMPILED):
        names = imports_of(source) if source in COMPILED else imported_names(source)
        known = graph.get(name_of(source), frozenset())  # of the other file of a compiled module
        graph[name_of(source)] = known | names - {name_of(source)}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path, module))
        if module not in done:
            for other in graph.get(module, frozenset()) - set(packages_of(module)):
                visit(other, (*path, module))
            done.add(module)

    def packages_of(module: str) -> list[str]:
        parts = module.split(".")
        return [".".join(parts[:length]) for length in range(1, len(parts))]

    for module in graph:
        visit(module, ())


# What never happens


def test_python_imports_public_modules_of_the_core() -> None:
    entered = {
        (name_of(source), module.split(".")[2])
        for source in SOURCES
        for module in imports_of(source)
        if module.startswith("xiangqi.core.")
    }
    assert {module for _, module in entered} >= {"board", "searcher"}
    assert not {(name, module) for name, module in entered if module not in PUBLIC_CORE}


OURS = """
    engine core.searches core.searcher core.search core.evaluator core.evaluation core.network
""".split()
"""Our engine: its package, and the modules of the core that search and evaluate."""


@pytest.mark.parametrize("package", ["client", "match", "compliance"])
def test_engine_drivers_never_load_our_engine(package: str) -> None:
    modules = sorted(name for name in MODULES - PUBLIC if package_of(name) == package)
    ours = {f"xiangqi.{name}" for name in OURS}
    assert ours <= MODULES
    program = f"import sys, {', '.join(modules)}\nprint(sorted({ours}.intersection(sys.modules)))"
    assert run_python(program) == "[]"


def test_the_referee_never_draws() -> None:
    for source in (ROOT / "xiangqi" / "referee").rglob("*.py"):
        assert not [name for name in imports_of(source) if package_of(name) == "drawing"], source


RULING_MODULES = (
    "rules rule_checks rule_parts marks ruling counters judging grounds articles".split()
)


@pytest.mark.parametrize("name", RULING_MODULES)
def test_a_ruling_is_data(name: str) -> None:
    """Modules of rulings import neither words nor drawings."""
    source = ROOT / "xiangqi" / "referee" / f"{name}.py"
    assert {package_of(module) for module in imports_of(source)} <= {"core", "referee", *GROUND}
    known = {
        module.split(".")[2] for module in imports_of(source) if package_of(module) == "referee"
    }
    assert known <= {*RULING_MODULES, "cxa"}


def test_search_imports_no_conduct() -> None:
    known = "cycle judge prohibition rounds rules verdict".split()
    for source in (ROOT / "ext/xiangqi/core/search").iterdir():
        for module in imports_of(source) if source.suffix in (".pyx", ".pxd") else ():
            if module.startswith("xiangqi.core.repetition."):
                assert module.split(".")[-1] in known, (source, module)


def test_workers_import_no_job() -> None:
    source = ROOT / "xiangqi/ground/workers.py"
    names = re.findall(r"xiangqi\.(\w+)", source.read_text(encoding="utf-8"))
    assert set(names) == {"ground"}


@pytest.mark.parametrize("folder", ["train", "bench"])
def test_training_and_benches_never_use_the_commands(folder: str) -> None:
    for source in (ROOT / folder).rglob("*.py"):
        assert not [name for name in imports_of(source) if package_of(name) == "cli"], source


DEFINED_IN = {
    '"1/2-1/2": 0.5': "xiangqi/games/record.py",
    "class Dialect:": "xiangqi/client/dialects.py",
    '.decode("utf-8", "backslashreplace")': "xiangqi/ground/lines.py",
    "perft(depth - 1)": "xiangqi/board/board.py",
    'SCORES["': "xiangqi/engine/searcher.py",
    "re.compile(r'\\s*\\[\\s*(": "xiangqi/games/pgn.py",
}
"""Code that identifies a concept, and the one file that may contain it."""


@pytest.mark.parametrize("text", DEFINED_IN)
def test_a_concept_is_defined_once(text: str) -> None:
    folders = ("xiangqi", "bench", "train")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    found = [path for path in sources if text in path.read_text(encoding="utf-8")]
    assert found == [ROOT / DEFINED_IN[text]]


def test_oracle_imports_nothing_of_the_package() -> None:
    paths = sorted((ROOT / "tests/oracle").glob("*.py"))
    assert paths
    assert not [
        (path, name)
        for path in paths
        for name in imported_names(path)
        if name.split(".")[0] == "xiangqi"
    ]


HTTP = {"starlette", "uvicorn", "h11", "anyio"}
"""Libraries that speak HTTP, and the one for asynchronous input and output that they share."""
SPEAKS_HTTP = {f"xiangqi.web.serve.{name}" for name in ("connections", "guard", "pages", "server")}
SPEAKS_HTTP |= {f"xiangqi.web.api.{name}" for name in ("application", "gate", "server")}


def test_the_servers_alone_speak_http() -> None:
    """The code that answers also runs in a browser, and no other command waits for the import."""
    found = {
        name_of(source)
        for source in SOURCES
        if HTTP & {name.split(".")[0] for name in imported_names(source)}
    }
    by_its_sdk = {"xiangqi.web.agents"}
    assert found == SPEAKS_HTTP | by_its_sdk
    others = (name for name in MODULES - PUBLIC if package_of(name) == "web")
    modules = sorted({*others} - SPEAKS_HTTP - by_its_sdk | {"xiangqi.cli.main"})
    program = f"import sys, {', '.join(modules)}\nprint({HTTP} & {{*sys.modules}})"
    assert run_python(program) == "set()"


def test_the_service_alone_needs_its_extra() -> None:
    """msgspec and prometheus_client are installed by the extra ``api``."""
    for source in SOURCES:
        names = {name.split(".")[0] for name in imported_names(source)}
        if names & {"msgspec", "prometheus_client"}:
            assert name_of(source).startswith("xiangqi.web.api."), source


def test_the_service_never_loads_the_page() -> None:
    program = "import sys, xiangqi.web.api.server\nprint('xiangqi.web.serve.pages' in sys.modules)"
    assert run_python(program) == "False"


def test_importing_the_package_leaves_the_slow_libraries_alone() -> None:
    """Scripts that need a board do not wait for libraries of the commands."""
    slow = ("chess", "rich", "click", "jinja2", "numpy")
    program = f"import sys, xiangqi\nprint([name for name in {slow} if name in sys.modules])"
    assert run_python(program) == "[]"


def run_python(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
