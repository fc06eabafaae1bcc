"""Examples in docstrings of compiled modules and in the README never lie, because they are run."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from xiangqi.core import board, move

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("module", [board, move], ids=lambda module: module.__name__)
def test_docstrings_of_compiled_modules(module: ModuleType) -> None:
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert tests
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert not runner.summarize(verbose=False).failed


def test_readme() -> None:
    done = doctest.testfile(str(README), module_relative=False)
    assert done.attempted > 5
    assert not done.failed


def test_readme_names_every_rule() -> None:
    from xiangqi.referee.rules import RULE_FIELDS

    text = README.read_text(encoding="utf-8")
    for rule in RULE_FIELDS:
        if rule != "offences":
            assert f"| `{rule}` |" in text
