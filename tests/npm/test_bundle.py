"""The packs of the npm packages and the site have every module that their calls load."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.npm.test_calls import CYCLE
from tools import packs
from tools.npm import ENGINE, REFEREE, write_manifest
from tools.site import BOARD, FIRST_REQUESTS
from tools.wasm import RUNTIME_FILES
from xiangqi.ground.installed import __version__
from xiangqi.web.calls import CALLS

ROOT = Path(__file__).parents[2]
REFEREE_PROGRAM = """
import json
from xiangqi.ground.texts import LANGUAGES
from xiangqi.web.calls import answer
game, names = {game}, {names}
for language in LANGUAGES:
    for rules in ("wxf", "cxa2020"):
        data = [dict(game, language=language, rules=rules), game, dict(fen="9")]
        for name in names:
            answer(name, json.dumps(data))
texts = ("C2.5", '[Event "A"]', "DhtmlXQ", "炮二平九")
answer("parseMoves", json.dumps([dict(text=text) for text in texts]))
"""
ENGINE_PROGRAM = """
import asyncio
from xiangqi.engine.slices import Conversation
async def talk():
    conversation = Conversation(str)
    for line in ("uci", "isready", "bench 2", "position startpos moves h2e2", "go depth 2", "eval"):
        await conversation.receive(line)
    await asyncio.sleep(0.5)
asyncio.run(talk())
"""
TELL = """
import sys
print(*sorted(name for name in sys.modules if name.startswith("xiangqi")))
"""


def modules(program: str) -> set[str]:
    """The modules of the package that a program loads, as paths without their endings."""
    command = [sys.executable, "-c", program + TELL]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return {name.replace(".", "/") for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize("name", ["meihua", "meihua-engine"])
@pytest.mark.parametrize("repository", ["", "who/meihua"])
def test_the_manifest_names_the_repository_of_a_workflow(
    name: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """npm refuses a package with provenance whose repository is not that of the workflow (E422)."""
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", repository)
    folder = tmp_path / name
    folder.mkdir()
    write_manifest(folder)
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    url = f"git+https://github.com/{repository}.git"
    assert manifest.get("repository") == ({"type": "git", "url": url} if repository else None)
    assert manifest["version"] == __version__


PARTS = {
    "referee": (REFEREE_PROGRAM.format(names=list(CALLS), game=json.dumps(CYCLE)), REFEREE),
    "engine": (ENGINE_PROGRAM, (*REFEREE, *ENGINE)),
    "board of the site": (FIRST_REQUESTS, BOARD),
}
"""Programs, and the prefixes of the files in the packs that they run with."""


@pytest.mark.parametrize("part", PARTS)
def test_a_pack_has_all_modules(part: str) -> None:
    program, kept = PARTS[part]
    found = modules(program)
    assert len(found) > 20
    missing = [
        name
        for name in found
        if not any(f"{name}{end}".startswith(kept) for end in (".py", ".", "/__init__.py"))
    ]
    assert missing == []


def test_packs_are_made_anew_only_of_other_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime, folder, wheel = tmp_path / "runtime", tmp_path / "packs", tmp_path / "core.whl"
    runtime.mkdir()
    for name in RUNTIME_FILES:
        (runtime / name).write_text("1")
    made: list[Path] = []
    monkeypatch.setattr(packs, "RUNTIME", runtime)
    monkeypatch.setattr(packs, "_link", lambda modules, library: None)
    monkeypatch.setattr(packs, "_run_node", made.append)

    def make(first: str = "", text: str = "") -> int:
        with zipfile.ZipFile(wheel, "w") as core:
            core.writestr("a.py", text)
        packs.make_packs(packs.Plan("base", "more", (), first, ("a.py",), ()), wheel, folder)
        return len(made)

    assert [make(), make(), make("1"), make("1"), make("1", "2"), make("1", "2")] == [
        1, 1, 2, 2, 3, 3,
    ]  # fmt: skip
    (runtime / RUNTIME_FILES[0]).write_text("2")
    assert [make("1", "2"), make("1", "2")] == [4, 4]
    (folder / "more.pack").unlink()
    assert make("1", "2") == 5
