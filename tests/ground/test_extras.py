"""How what is not installed is got."""

from __future__ import annotations

import sys

import pytest

from xiangqi.extras import how_to_install


def test_the_python_that_runs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/a b/python")
    assert how_to_install("elo") == "'/a b/python' -m pip install 'meihua-xiangqi[elo]'"


def test_a_folder_without_python_is_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/folder/xiangqi")
    assert how_to_install("elo").startswith("pip install 'meihua-xiangqi[elo]' in a Python")
