"""Fixtures of the tests of the set-up."""

from pathlib import Path

import pytest

from tests.support.setting_up import copy_setup


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Files of the set-up, in a folder of their own."""
    return copy_setup(tmp_path)
