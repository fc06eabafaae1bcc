"""Replays dialogues of GUIs and match runners with an engine.

    python tools/dialogues.py dist/meihua/meihua      # or any command, with its arguments

Each file of ``tests/data/dialogues`` is one dialogue, line by line:

* ``> text`` is sent to the engine; ``{name}`` is replaced by the text that a group of that name has
  matched;
* ``< pattern`` must match the engine's next line; the info lines of a search are skipped unless
  they match, and any other line is an error;
* ``<* pattern`` skips any number of lines that match;
* ``@300`` waits so many milliseconds; ``#`` begins a comment.

At the end the input is closed, and the engine must exit without further output. This Python's
installed package reads the engine's output.
"""

from __future__ import annotations

import re
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from xiangqi.compliance.examiner import Transcript

__all__ = ["DIALOGUES", "Unexpected", "play", "play_file"]

DIALOGUES: Final = sorted((Path(__file__).parents[1] / "tests/data/dialogues").glob("*.txt"))
_INFO: Final = re.compile(r"info (depth \d|currmove )")
"""Lines that a search may print any number of times."""


class Unexpected(AssertionError):
    """The engine's output is not the expected one."""


class _Player:
    """Plays one dialogue."""

    def __init__(self, engine: Transcript) -> None:
        self.engine = engine
        self.found: dict[str, str] = {}
        self.waiting: deque[str] = deque()  # lines received and not matched yet

    def play(self, line: str) -> None:
        mark, _, text = line.partition(" ")
        if mark == ">":
            self.engine.send(re.sub(r"\{(\w+)\}", self._fill, text))
        elif mark == "<":
            self.expect(re.compile(text))
        elif mark == "<*":
            self.skip(re.compile(text))
        elif mark.startswith("@"):
            time.sleep(int(mark[1:]) / 1000)
        elif not mark.startswith("#"):
            raise ValueError(f"not a line of a dialogue: {line!r}")

    def _fill(self, match: re.Match[str]) -> str:
        return self.found[match[1]]

    def expect(self, pattern: re.Pattern[str]) -> None:
        """Match the next line, or the first one after info lines."""
        line = self._next(pattern)
        match = pattern.fullmatch(line)
        while match is None and _INFO.match(line):
            line = self._next(pattern)
            match = pattern.fullmatch(line)
        if match is None:
            raise Unexpected(f"expected {pattern.pattern!r}, the engine sent {line!r}")
        self.found.update(match.groupdict())

    def skip(self, pattern: re.Pattern[str]) -> None:
        line = self._next(pattern)
        while pattern.fullmatch(line):
            line = self._next(pattern)
        self.waiting.appendleft(line)

    def _next(self, pattern: re.Pattern[str]) -> str:
        if not self.waiting:
            self.waiting.extend(self.engine.read_until(lambda line: True, pattern.pattern))
        return self.waiting.popleft()

    def end(self) -> None:
        """Close the input, and check the exit code and that no output is left."""
        self.engine.close_input()
        code, lines = self.engine.wait_for_exit()
        more = [line for line in (*self.waiting, *lines) if not _INFO.match(line)]
        if code or more:
            raise Unexpected(f"at the end the engine sent {more}; exit code {code}")


def play(engine: Transcript, lines: Sequence[str]) -> None:
    """Play the lines of a dialogue; raises Unexpected."""
    player = _Player(engine)
    for line in lines:
        player.play(line)
    player.end()


def play_file(command: Sequence[str], path: Path) -> None:
    """Play a file with a program; any failure raises Unexpected with the last 30 lines."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    with Transcript(list(command), patience=30) as engine:
        try:
            play(engine, lines)
        except Exception as error:
            raise Unexpected("\n".join([str(error), *engine.transcript[-30:]])) from error


if __name__ == "__main__":
    for file in DIALOGUES:
        play_file(sys.argv[1:], file)
    print(f"{len(DIALOGUES)} dialogues with GUIs: as expected")
