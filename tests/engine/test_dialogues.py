"""What GUIs and match runners say to the engine, played to its own process.

Each file of ``tests/data/dialogues`` is one conversation, line by line:

* ``> text`` is said to the engine; ``{name}`` stands for what a group of that name matched before;
* ``< pattern`` is what it has to say next; what a search tells is passed over unless the pattern
  begins with ``info``, and anything else that is not expected is an error;
* ``<* pattern`` is any number of such lines;
* ``@300`` is a pause of so many milliseconds; ``#`` begins a remark.

At the end the engine is left alone, or has left, and has to end without another word.
"""

from __future__ import annotations

import re
import sys
import time
from collections import deque
from pathlib import Path

import pytest

from xiangqi.client.dialogue import Dialogue

FILES = sorted((Path(__file__).parents[1] / "data" / "dialogues").glob("*.txt"))
MEIHUA = [sys.executable, "-c", "from xiangqi.engine.meihua import main; main()"]
TOLD = re.compile(r"info (depth [1-9]|currmove )")
"""Of these lines a search has as many as it likes."""


class Player:
    """Plays one conversation."""

    def __init__(self, engine: Dialogue) -> None:
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
        else:
            assert mark.startswith("#"), f"not a line of a dialogue: {line!r}"

    def _fill(self, match: re.Match[str]) -> str:
        return self.found[match[1]]

    def expect(self, pattern: re.Pattern[str]) -> None:
        """The next line matches, or the next of all that a search tells."""
        line = self._next(pattern)
        match = pattern.fullmatch(line)
        while match is None and TOLD.match(line):
            line = self._next(pattern)
            match = pattern.fullmatch(line)
        assert match is not None, f"expected {pattern.pattern!r}, the engine said {line!r}"
        self.found.update(match.groupdict())

    def pass_over(self, pattern: re.Pattern[str]) -> None:
        line = self._next(pattern)
        while pattern.fullmatch(line):
            line = self._next(pattern)
        self.waiting.appendleft(line)

    def _next(self, pattern: re.Pattern[str]) -> str:
        if not self.waiting:
            self.waiting.extend(self.engine.hear_until(lambda line: True, pattern.pattern))
        return self.waiting.popleft()

    def end(self) -> None:
        """It leaves, and says nothing that was not expected."""
        self.engine.close_input()
        code, lines = self.engine.wait_for_end()
        assert code == 0
        assert not [line for line in (*self.waiting, *lines) if not TOLD.match(line)]


def play(engine: Dialogue, lines: list[str]) -> None:
    player = Player(engine)
    for line in lines:
        player.play(line)
    player.end()


def read_dialogue(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as(path: Path) -> None:
    with Dialogue(MEIHUA, patience=30) as engine:
        try:
            play(engine, read_dialogue(path))
        except Exception as error:
            raise AssertionError("\n".join([str(error), *engine.transcript[-30:]])) from error


@pytest.mark.parametrize(
    "lines",
    [
        ["> uci", "< uciok"],
        ["> uci", "<* (id|option) .*", "< uciok", "> nonsense", "> isready", "< readyok"],
        ["> uci", "<* (id|option) .*", "< uciok", "> go depth 1", "> isready", "< readyok"],
    ],
    ids=["a line before", "a message", "an answer too many"],
)
def test_what_is_not_expected_is_an_error(lines: list[str]) -> None:
    with Dialogue(MEIHUA) as engine, pytest.raises(AssertionError):
        play(engine, lines)
