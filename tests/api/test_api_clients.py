"""The clients on the page about the service run as they stand there."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.api_server import serving_api
from xiangqi.web.api.server import ApiServer

PAGE = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with serving_api() as running:
        yield running


@pytest.mark.parametrize(
    ("language", "name", "command", "words"),
    [
        ("go", "main.go", ["go", "run"], "draw - draw: both sides alike: idle moves"),
        ("java", "Ruling.java", ["java"], '"verdict":"draw","red":"idle","black":"idle"'),
        ("php", "ruling.php", ["php"], "和棋：双方均闲，不变作和"),
    ],
)
def test_a_client_prints_the_ruling(
    server: ApiServer, tmp_path: Path, language: str, name: str, command: list[str], words: str
) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    file = tmp_path / name
    file.write_text(found[1].replace(":8620/", f":{server.server_port}/"), encoding="utf-8")
    done = subprocess.run(
        [*command, str(file)], capture_output=True, encoding="utf-8", check=True, timeout=120
    )
    assert words in done.stdout
