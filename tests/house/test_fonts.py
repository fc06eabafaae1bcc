"""The sets of fonts under which the tests of the pages run at night, by ``dev.py soak``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev

SETS = {
    "dejavu": ("dejavu",),
    "liberation": ("liberation", "liberation2"),
    "noto": ("noto",),
    "wenquanyi": ("wqy", "dejavu"),
}
"""Folders of fonts that each set lets through."""


def test_each_set_of_fonts_has_a_configuration() -> None:
    assert {path.stem for path in dev.FONTS.glob("*.conf")} == set(SETS)


@pytest.mark.skipif(shutil.which("fc-list") is None, reason="fontconfig is not installed")
@pytest.mark.parametrize("name", SETS)
def test_a_set_lets_through_only_its_fonts(name: str) -> None:
    config = (dev.FONTS / f"{name}.conf").absolute()
    if not dev.lists_fonts(config):
        pytest.skip(f"the fonts of {config.name} are not installed")
    listed = subprocess.run(
        ["fc-list", ":", "file"],
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = {Path(line.strip().rstrip(":")).parent.name for line in listed.stdout.splitlines()}
    assert found
    assert found <= set(SETS[name])


def test_the_pages_are_tried_with_every_set_that_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[tuple[str, ...], dict[str, str]]] = []
    monkeypatch.setattr(dev, "fetch_tools", lambda: None)
    monkeypatch.setattr(dev, "prepare", lambda *extras: Path(sys.executable))
    monkeypatch.setattr(dev, "copy_tree", lambda: None)
    monkeypatch.setattr(dev, "run_in_copy", lambda *words: None)
    monkeypatch.setattr(dev, "lists_fonts", lambda config: config.stem != "noto")
    monkeypatch.setattr(
        dev, "run", lambda *words, cwd=None, **more: ran.append((tuple(map(str, words)), more))
    )
    dev.soak([])
    tried = {
        Path(more["FONTCONFIG_FILE"]).stem: words
        for words, more in ran
        if "FONTCONFIG_FILE" in more
    }
    assert set(tried) == set(SETS) - {"noto"}
    assert str(Path("tests/web/test_pages_look.py")) in tried["dejavu"]
    assert str(Path("tests/web/test_pages_chromium.py")) in tried["dejavu"]
    assert str(Path("tests/web/test_serve.py")) not in tried["dejavu"]
    assert "not tried with the fonts of noto, which are not installed" in capsys.readouterr().out
