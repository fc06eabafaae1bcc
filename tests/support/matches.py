"""Matches of mock engines, played in the process of the test."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xiangqi.match.arguments import build_config, split_words
from xiangqi.match.runner import run_match

MOCK = Path(__file__).parents[1] / "engines" / "mock_engine.py"
XIANGQI = [sys.executable, "-m", "xiangqi", "match"]
MEIHUA = f"{shlex.quote(sys.executable)} -m xiangqi engine"


def mock(words: str = "") -> str:
    """The word cmd= for a mock engine."""
    return f"cmd={shlex.quote(sys.executable)} {shlex.quote(str(MOCK))} {words}"


@dataclass
class Played:
    """Output of a match."""

    code: int
    folder: Path

    @property
    def games(self) -> list[dict[str, Any]]:
        """The games of the journal."""
        lines = (self.folder / "match.jsonl").read_text(encoding="utf-8").splitlines()
        return [record for record in map(json.loads, lines) if "game" in record]

    @property
    def pgn(self) -> str:
        """The games as text."""
        return (self.folder / "games.pgn").read_text(encoding="utf-8")

    @property
    def log(self) -> str:
        """The dialogue."""
        return (self.folder / "dialogue.log").read_text(encoding="utf-8")


def file_word(path: Path) -> str:
    """Value of an option that names a file, whose path may have blanks."""
    return shlex.quote(f"file={path}")


def files(folder: Path) -> list[str]:
    """The words that name the files of a match."""
    return [
        *("-jsonout", f"file={folder / 'match.jsonl'}"),
        *("-pgnout", f"file={folder / 'games.pgn'}"),
        *("-log", f"file={folder / 'dialogue.log'}"),
    ]


def play(folder: Path, *engines: list[str], words: str = "") -> Played:
    """Play a match; an engine is the words that follow ``-engine``."""
    said = [word for engine in engines for word in ("-engine", *engine)]
    arguments = split_words([*said, *files(folder), *shlex.split(words)])
    return Played(run_match(build_config(arguments), arguments), folder)


def two(behaviour: str = "") -> list[list[str]]:
    """Two engines, A and B; A behaves so."""
    words = {"A": f"--seed 1 {behaviour}", "B": "--seed 2"}
    return [[mock(words[name]), f"name={name}"] for name in words]


def short_match(folder: Path, words: str = "") -> Played:
    """Four games of one move each, or more if the words say so."""
    return play(folder, *two(), words=f"-each depth=1 -rounds 2 -maxmoves 1 {words}")


def resume(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Resume a match by the command."""
    return subprocess.run(
        [*XIANGQI, "-config", f"file={folder / 'match.jsonl'}", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def write_openings(folder: Path, count: int) -> str:
    """Different openings of two plies, as many as ``count``; the words that use them."""
    path = folder / "openings.txt"
    red = [f"{file}3{file}4" for file in "acegi"]
    lines = [f"{move} {reply}" for move in red for reply in ("h9g7", "b9c7", "h7e7")]
    path.write_text("\n".join(lines[:count]) + "\n", encoding="utf-8")
    return f"-openings {file_word(path)} order=random"
