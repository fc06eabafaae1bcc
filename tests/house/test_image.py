"""The image for the service and for workers of a cluster: only its text can be tested here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi.cli.main import main

ROOT = Path(__file__).parents[2]
FILE = ROOT / "packaging/Dockerfile"
TEXT = re.sub(r"\\\n\s*", "", FILE.read_text(encoding="utf-8"))
COMPOSE = (ROOT / "packaging/compose.yml").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")


def stages() -> list[str]:
    """The text of each stage."""
    return re.split(r"^FROM ", TEXT, flags=re.MULTILINE)[1:]


def test_final_stage_has_no_compiler_and_no_root() -> None:
    first, last = stages()
    assert "gcc" in first
    assert not re.search(r"gcc|-dev\b|pip", last)
    assert re.findall(r"^USER (\S+)", last, re.MULTILINE) == ["1000"]
    assert "useradd --create-home --uid 1000" in last


def test_local_build_outputs_are_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {"**/*.so", "**/*.pyd", ".venv*", "build", ".git"} <= set(ignored)


def dask_words(text: str) -> set[tuple[str, str]]:
    """The commands of Dask in a text, and the options that each is given."""
    found = re.findall(r"\bdask (scheduler|worker)\b([^\n`]*)", text)
    return {(name, option) for name, rest in found for option in re.findall(r"--[\w-]+", rest)}


@pytest.mark.parametrize("command", ["scheduler", "worker"])
def test_options_given_to_dask_exist(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dask", command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    wanted = {option for name, option in dask_words(COMPOSE) | dask_words(PAGE) if name == command}
    assert wanted
    assert wanted <= set(re.findall(r"--[\w-]+", done.stdout))


def test_the_ports_are_open_to_this_machine_alone() -> None:
    ports = ['"127.0.0.1:8786:8786"', '"127.0.0.1:8620:8620"']
    assert re.findall(r"ports: \[(.*?)\]", COMPOSE) == ports


def test_the_image_has_the_service_and_runs_it_as_the_page_says() -> None:
    assert '"${wheel}[api,cluster]"' in TEXT
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"command: xiangqi (api .*)", COMPOSE)
    assert f"meihua xiangqi {command}" in page
    result = CliRunner().invoke(main, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert re.search(r"default:\s+8620", result.output)


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not there (PyPI)")
def test_hadolint_accepts_the_file_and_rejects_a_wrong_one(tmp_path: Path) -> None:
    wrong = tmp_path / "Dockerfile"
    wrong.write_text(FILE.read_text(encoding="utf-8").replace("USER 1000", "USER root"))
    codes = [
        subprocess.run(["hadolint", str(path)], check=False, timeout=60).returncode
        for path in (FILE, wrong)
    ]
    assert codes == [0, 1]
