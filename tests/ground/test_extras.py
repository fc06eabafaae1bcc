"""Commands that install an extra."""

from __future__ import annotations

import sys

import pytest

from xiangqi.ground.installed import how_to_install


def test_the_python_that_runs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/a b/python")
    assert how_to_install("elo") == "'/a b/python' -m pip install 'scipy>=1.11'"


def test_a_bundle_has_no_python_to_extend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/folder/xiangqi")
    assert how_to_install("elo") == "pip install '.[elo]' in a checkout of Meihua"
