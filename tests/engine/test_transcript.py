"""The log file of a whole dialogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engines.fake_searcher import Conversation
from xiangqi.engine import conversation
from xiangqi.engine.conversation import INPUT, OUTPUT, Transcript
from xiangqi.ground.errors import quote

ENTRY = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d) (>>|<<) (.*)", re.DOTALL)


def read_entries(path: Path) -> list[tuple[str, str]]:
    """Marks and lines of a log file, whose times must not decrease."""
    found = [ENTRY.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines()]
    entries = [match.groups() for match in found if match is not None]
    assert len(entries) == len(found)
    times = [time for time, _, _ in entries]
    assert times == sorted(times)
    return [(mark, line) for _, mark, line in entries]


@pytest.mark.parametrize(
    ("hello", "option"),
    [("uci", "setoption name Debug Log File value {}"), ("ucci", "setoption debug_log_file {}")],
)
def test_the_whole_dialogue_is_written(hello: str, option: str, tmp_path: Path) -> None:
    path = tmp_path / "a log 象棋.txt"
    with Conversation() as talk:
        talk.send(hello)
        heard = talk.until(f"{hello}ok")
        heard += talk.ask("nonsense", option.format(path))
        talk.send("isready", "go depth 2")
        heard += talk.until("bestmove")
        talk.send("quit")
        heard += talk.end()
    entries = read_entries(path)
    said = [line for mark, line in entries if mark == OUTPUT]
    assert [line for line in said if line != "readyok"] == [
        line for line in heard if line != "readyok"
    ]
    assert [line for mark, line in entries if mark == INPUT] == [
        hello,
        "nonsense",
        option.format(path),
        "isready",
        "isready",
        "go depth 2",
        "quit",
    ]


def test_an_option_without_a_value_ends_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with Conversation() as talk:
        talk.ask("uci", f"setoption name Debug Log File value {path}", "one")
        talk.ask("setoption name Debug Log File value <empty>", "two")
        assert read_entries(path)[-1] == (INPUT, "setoption name Debug Log File value <empty>")
        talk.ask(f"setoption name Debug Log File value {path}", "three")
    heard = [line for mark, line in read_entries(path) if mark == INPUT]
    assert heard.count("uci") == heard.count("one") == heard.count("three") == 1
    assert heard.index("two") < heard.index("three")


@pytest.mark.parametrize(
    ("name", "why"), [("none/log", "No such file or directory"), ("", "Is a directory")]
)
def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path, name: str, why: str) -> None:
    path, bad = tmp_path / "log", tmp_path / name
    with Conversation() as talk:
        talk.ask("uci", f"setoption name Debug Log File value {path}")
        line = f"setoption name Debug Log File value {bad}"
        answer = f"info string cannot do {quote(line)}: cannot write {quote(str(bad))} ({why})"
        assert talk.ask(line) == [answer]
        talk.ask("and it goes on")
    assert (INPUT, "and it goes on") in read_entries(path)


def test_a_full_disk_is_reported_and_ends_the_file() -> None:
    """A log file that cannot be written is refused at the start, and ended later."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with Conversation() as talk:
        heard = talk.ask("uci", "setoption name Debug Log File value /dev/full")
        assert heard[-1].endswith("cannot write '/dev/full' (No space left on device)")
    notes = Transcript()
    notes.write_to("/dev/full")
    error = notes.log(INPUT, ["uci"])
    assert isinstance(error, OSError)
    assert notes.log(INPUT, ["isready"]) is None


def test_an_error_in_writing_is_reported_to_the_gui(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(self: Transcript, mark: str, lines: object) -> OSError | None:
        return OSError(28, "No space left on device") if mark == INPUT else None

    with Conversation() as talk:
        talk.ask("uci")
        monkeypatch.setattr(Transcript, "log", fail)
        assert talk.ask() == ["info string the log file ends: [Errno 28] No space left on device"]
        monkeypatch.undo()


def test_the_number_of_kept_characters_is_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(conversation, "MAX_EARLIER_CHARACTERS", 1000)
    notes = Transcript()
    for number in range(1000):
        notes.log(OUTPUT, [f"info string {number}"])
    notes.write_to(str(tmp_path / "log"))
    notes.close()
    lines = read_entries(tmp_path / "log")
    assert 10 < len(lines) < 30
    assert lines[-1] == (OUTPUT, "info string 999")
