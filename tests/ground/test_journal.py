"""Journals: appended, locked, resumed after a torn last line."""

from __future__ import annotations

from pathlib import Path

import pytest

from xiangqi.ground.errors import FormatError
from xiangqi.ground.files import Journal, LockedError, find_change, open_to_append


def test_lines_are_resumed_without_an_incomplete_last_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with Journal(path, sync=True) as journal:
        starts = [journal.append({"game": number, "name": "红"}) for number in range(3)]
    with path.open("ab") as file:
        file.write(b'{"game": 3, "na')
    with Journal(path, resume=True) as journal:
        lines = list(journal.lines())
        assert [(line.number, line.start) for line in lines] == list(enumerate(starts, start=1))
        assert journal.append({"game": 4}) == starts[-1] + len(lines[-1].data)
        assert [journal.read_at(start)["game"] for start in starts] == [0, 1, 2]
    assert path.read_bytes().endswith(b'"name":"\xe7\xba\xa2"}\n{"game":4}\n')


def test_half_of_a_surrogate_pair_is_written_as_an_escape(tmp_path: Path) -> None:
    with Journal(tmp_path / "run.jsonl") as journal:
        journal.append({"name": "\ud800"})
        assert journal.read_at(0) == {"name": "\ud800"}


def test_an_existing_file_is_kept_unless_replaced(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"{}\n")
    with pytest.raises(FormatError, match="file exists; use --resume to continue it"):
        Journal(path)
    assert path.read_bytes() == b"{}\n"
    Journal(path, replace=True).close()
    assert path.read_bytes() == b""


def test_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with Journal(path) as journal:
        with pytest.raises(LockedError, match="another run is writing it"):
            Journal(path, resume=True)
        with pytest.raises(LockedError):
            open_to_append(path, replace=True)
        journal.append({"game": 1})
    assert path.read_bytes() == b'{"game":1}\n'


def test_the_first_setting_that_changed_is_named() -> None:
    assert find_change({"a": 1, "b": 2}, {"a": 1, "b": 2}) is None
    assert find_change({"a": 1, "c": 2}, {"a": 1, "b": 2}) == "b"
