"""Binary files whose parts contradict each other; ``tests/fuzz/binary_files.py`` makes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.binary_files import KINDS, attempt
from tests.support.soak import SOAK
from xiangqi.ground.errors import TableError
from xiangqi.tables.classes import parse_class
from xiangqi.tables.files import PackedTable, pack_table

FILES = 10_000 if SOAK else 100


@pytest.mark.parametrize("name", KINDS)
def test_contradictory_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    outcomes = set()
    for number in range(FILES):
        outcome, problem = attempt(name, f"test {number}", tmp_path)
        assert problem is None, f"seed 'test {number}'"
        outcomes.add(outcome)
    assert "read" in outcomes, "most parts of most files are sound"


@pytest.mark.parametrize("value", ["3", "null", "[]", "1.5"])
def test_a_table_header_of_wrong_types_is_refused(value: str) -> None:
    """Found by these files: a class that was no text raised an AttributeError."""
    material = parse_class("KvK")
    sound = pack_table(material, "wxf", bytes(2 * material.cells), 0)
    start = 12 + int.from_bytes(sound[8:12], "little")
    for name, text in (("class", '"KvK"'), ("rules", '"wxf"')):
        head = sound[12:start].replace(f'"{name}": {text}'.encode(), f'"{name}": {value}'.encode())
        data = sound[:8] + len(head).to_bytes(4, "little") + head + sound[start:]
        with pytest.raises(TableError, match="its header cannot be read"):
            PackedTable(data, "a table")
