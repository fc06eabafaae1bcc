"""The scripts of the board's page: their types, and that each is part of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.setup.npm_tools import TOOLS
from xiangqi.web.serve.entry import asset_files
from xiangqi.web.site.build import own_files

ROOT = Path(__file__).parents[2]
TSC = ROOT / TOOLS / "node_modules/typescript/bin/tsc"
OPTIONS = (
    "--noEmit --allowJs --checkJs --strict false --noUnusedLocals --skipDefaultLibCheck "
    "--target es2022 --module es2022 --moduleResolution bundler --lib es2023,dom,dom.iterable"
).split()


def modules(*, of_site: bool = False) -> dict[str, str]:
    """The scripts that are modules, by their names; the static site has some of its own."""
    found = {**dict(asset_files()), **(dict(own_files()) if of_site else {})}
    files = {name: body.decode() for name, body in found.items() if name.endswith(".js")}
    return {name: text for name, text in files.items() if re.search(r"^(im|ex)port ", text, re.M)}


def imports_of(text: str) -> set[str]:
    return set(re.findall(r'^(?:import|\}) ?.*"\./([\w.]+)";$', text, re.M))


@pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None,
    reason="node or TypeScript (npm, fetched by dev.py) is not there",
)
def test_types_agree(tmp_path: Path) -> None:
    """Those of state.js and tree.js are written, others inferred; each ``state`` is a State.

    A copy of state.js with a fault, which no module imports, has the only complaint.
    """
    files = modules()
    files["faulty.js"] = files["state.js"].replace('mode = "play"', 'mode = "plays"')
    of_state = r"((?:function\*? \w+|= )\()(?=state\b)"
    for name, text in files.items():
        text = re.sub(of_state, r'\1/** @type {import("./state.js").State} */ ', text)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["node", str(TSC), *OPTIONS, *sorted(files)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    (complaint,) = done.stdout.splitlines()
    assert complaint.startswith("faulty.js(")
    assert '"plays"' in complaint, "the check finds a fault"


def parts() -> set[str]:
    """The scripts that export ``mount``."""
    return {name for name, text in modules().items() if "\nexport function mount(" in text}


def test_scripts_do_nothing_when_they_are_imported() -> None:
    """Parts add their listeners in ``mount``; only the entry point runs."""
    begins = re.compile(
        r"(import|export|const|let|async function|function\*?|class) |[ /})\]]|$", re.M
    )
    acting = {
        name: [line for line in text.splitlines() if not begins.match(line)]
        for name, text in modules().items()
    }
    assert {name for name, lines in acting.items() if lines} == {"play.js"}


def test_the_entry_point_mounts_each_part() -> None:
    entry = modules()["play.js"]
    imported = dict(re.findall(r'^import \* as (\w+) from "\./([\w.]+)";$', entry, re.M))
    found = re.search(r"^const PARTS = \[\n(.*?)^\];", entry, re.M | re.S)
    assert found is not None
    mounted = re.findall(r"\w+", found[1])
    assert len(mounted) == len(set(mounted))
    assert {imported[name] for name in mounted} == parts()


def test_every_module_is_reached_from_the_first_one() -> None:
    found = modules()
    reached, waiting = set[str](), ["play.js"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += imports_of(found[name])
    assert reached == found.keys()


@pytest.mark.parametrize("of_site", [False, True])
def test_no_module_imports_itself_through_others(of_site: bool) -> None:
    imports = {name: imports_of(text) for name, text in modules(of_site=of_site).items()}
    for name in imports:
        reached, waiting = set[str](), list(imports[name])
        while waiting:
            other = waiting.pop()
            if other not in reached:
                reached.add(other)
                waiting += imports.get(other, ())  # none of those that the build writes
        assert name not in reached, name
