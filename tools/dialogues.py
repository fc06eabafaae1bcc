"""Plays what GUIs and match runners say to the engine, with a program.

    python tools/dialogues.py dist/meihua/meihua      # or any command, with its arguments

Each file of ``tests/data/dialogues`` is one conversation, line by line:

* ``> text`` is said to the engine; ``{name}`` is what a group of that name matched before;
* ``< pattern`` is what it has to say next; the info of a search is passed over unless the pattern
  begins with ``info``, and anything else that is not expected is an error;
* ``<* pattern`` is any number of such lines;
* ``@300`` is a pause of so many milliseconds; ``#`` begins a remark.

At the end the engine is left alone, or has left, and has to end without another word. The package
that this Python has installed is what listens to the engine.
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
_TOLD: Final = re.compile(r"info (depth \d|currmove )")
"""Lines of which a search may have any number."""


class Unexpected(AssertionError):
    """The engine said what it should not have said."""


class _Player:
    """Plays one conversation."""

    def __init__(self, engine: Transcript) -> None:
        self.engine = engine
        self.found: dict[str, str] = {}
        self.waiting: deque[str] = deque()  # heard, but not looked at

    def play(self, line: str) -> None:
        mark, _, text = line.partition(" ")
        if mark == ">":
            self.engine.send(re.sub(r"\{(\w+)\}", self._fill, text))
        elif mark == "<":
            self.expect(re.compile(text))
        elif mark == "<*":
            self.pass_over(re.compile(text))
        elif mark.startswith("@"):
            time.sleep(int(mark[1:]) / 1000)
        elif not mark.startswith("#"):
            raise ValueError(f"not a line of a dialogue: {line!r}")

    def _fill(self, match: re.Match[str]) -> str:
        return self.found[match[1]]

    def expect(self, pattern: re.Pattern[str]) -> None:
        """The next line matches, or the next line of a search that does."""
        line = self._next(pattern)
        match = pattern.fullmatch(line)
        while match is None and _TOLD.match(line):
            line = self._next(pattern)
            match = pattern.fullmatch(line)
        if match is None:
            raise Unexpected(f"expected {pattern.pattern!r}, the engine said {line!r}")
        self.found.update(match.groupdict())

    def pass_over(self, pattern: re.Pattern[str]) -> None:
        line = self._next(pattern)
        while pattern.fullmatch(line):
            line = self._next(pattern)
        self.waiting.appendleft(line)

    def _next(self, pattern: re.Pattern[str]) -> str:
        if not self.waiting:
            self.waiting.extend(self.engine.read_until(lambda line: True, pattern.pattern))
        return self.waiting.popleft()

    def end(self) -> None:
        """It leaves, and says nothing that was not expected."""
        self.engine.close_input()
        code, lines = self.engine.wait_for_exit()
        more = [line for line in (*self.waiting, *lines) if not _TOLD.match(line)]
        if code or more:
            raise Unexpected(f"at the end the engine said {more}; exit code {code}")


def play(engine: Transcript, lines: Sequence[str]) -> None:
    """Play the lines of a conversation; raises Unexpected."""
    player = _Player(engine)
    for line in lines:
        player.play(line)
    player.end()


def play_file(command: Sequence[str], path: Path) -> None:
    """Play a file with a program; what was said stands in the error, whatever it is."""
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
