"""Self-test for users of GUIs: ``meihua --check`` starts the engine and speaks each protocol.

A GUI often says no more than "cannot load the engine". Here each step is reported with its time,
and a step that fails ends the check of its protocol with the engine's output.
"""

from __future__ import annotations

import os
import platform
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import meihua
from xiangqi.board import Board
from xiangqi.core.network import kernels
from xiangqi.engine.network import choose_network
from xiangqi.engine.options import DEFAULT
from xiangqi.errors import NetworkError, XiangqiError
from xiangqi.installed import __version__, find_conflicts
from xiangqi.lines import decode_line

__all__ = ["CheckError", "Dialogue", "check_lines", "check_protocol", "own_command"]

PATIENCE_S: Final = 30
"""Time limit of answers; GUIs wait one to ten seconds for the first one."""


class CheckError(Exception):
    """A failed step, with a description."""


@dataclass(frozen=True)
class Dialogue:
    """Commands of a GUI in one protocol and the beginnings of the answers it waits for."""

    protocol: str
    handshake: tuple[str, ...]
    greeting: str
    ready: tuple[str, str]
    search: tuple[str, ...]
    best: str


DIALOGUES: Final = (
    Dialogue(
        "UCCI",
        ("ucci",),
        "ucciok",
        ("isready", "readyok"),
        ("position startpos", "go depth 8"),
        "bestmove",
    ),
    Dialogue(
        "UCI",
        ("uci",),
        "uciok",
        ("isready", "readyok"),
        ("position startpos", "go depth 8"),
        "bestmove",
    ),
    Dialogue(
        "XBoard",
        ("xboard", "protover 2"),
        "feature done=1",
        ("ping 1", "pong 1"),
        ("new", "variant xiangqi", "sd 8", "go"),
        "move",
    ),
)


class _Engine:
    """The engine as a process, with its answers. Every wait has a limit."""

    def __init__(self, command: Sequence[str]) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._heard = ""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __enter__(self) -> _Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._listener.join(PATIENCE_S)
        assert self._process.stdin is not None
        with suppress(OSError):  # what it never read
            self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout:
            for line in stdout:
                self._lines.put(decode_line(line).strip())
        self._lines.put(None)

    def say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError as error:
            raise CheckError(f"it listens no more: {error.strerror}") from error

    def wait_for(self, beginning: str) -> str:
        """Wait for a line with this beginning; CheckError if none comes."""
        end = time.perf_counter() + PATIENCE_S
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                why = f"no {beginning!r} within {PATIENCE_S} s"
                raise CheckError(f"{why}{self._last_words()}") from None
            if line is None:
                raise CheckError(f"it ended before {beginning!r}{self._last_words()}")
            if line.startswith(beginning):
                return line
            self._heard = line or self._heard

    def _last_words(self) -> str:
        return f"; the last that it said: {self._heard!r}" if self._heard else ""

    def leave(self) -> None:
        """Let the engine quit by itself."""
        self.say("quit")
        try:
            code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise CheckError(f"it is still there {PATIENCE_S} s after 'quit'") from None
        if code:
            raise CheckError(f"it ended with the exit code {code}")


def own_command() -> list[str]:
    """Command that starts this engine: the running program, or Python with its module."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    program = shutil.which(sys.argv[0])
    return [program] if program else [sys.executable, "-m", "xiangqi.engine.meihua"]


def check_protocol(command: Sequence[str], dialogue: Dialogue) -> str:
    """Check one protocol and summarise it in a line; raises CheckError."""
    began = time.perf_counter()

    def passed() -> str:
        return f"{time.perf_counter() - began:.2f} s"

    try:
        engine = _Engine(command)
    except OSError as error:
        raise CheckError(f"cannot start {command[0]!r}: {error.strerror}") from error
    with engine:
        engine.say(*dialogue.handshake)
        engine.wait_for(dialogue.greeting)
        found = [f"{dialogue.greeting!r} after {passed()}"]
        question, answer = dialogue.ready
        engine.say(question)
        engine.wait_for(answer)
        found.append(f"{answer!r} after {passed()}")
        engine.say(*dialogue.search)
        words = engine.wait_for(dialogue.best).split()
        move = words[1] if len(words) > 1 else ""
        found.append(f"{_legal(move)} after {passed()}")
        engine.leave()
    return ", ".join([*found, "left at quit"])


def _legal(move: str) -> str:
    try:
        legal = move in {each.iccs() for each in Board().legal_moves}
    except XiangqiError as error:
        raise CheckError(f"the best move {move!r}: {error}") from error
    if not legal:
        raise CheckError(f"the best move {move!r} is not legal")
    return f"the best move {move} (legal)"


def check_lines(command: Sequence[str] | None = None) -> Iterator[tuple[str, bool]]:
    """Run the check; yield each line and whether all steps passed so far."""
    command = own_command() if command is None else command
    system = f"{platform.system()} {platform.machine()}"
    yield f"Meihua {__version__}, Python {platform.python_version()}, {system}", True
    yield f"Give your GUI: {' '.join(command)}", True
    network, well = _network_line()
    yield network, well
    package, is_alone = _package_line()
    well = well and is_alone
    yield package, well
    yield (
        f"Processors: {os.cpu_count()}; the engine uses one until the option Threads says more",
        well,
    )
    for dialogue in DIALOGUES:
        try:
            found = check_protocol(command, dialogue)
        except CheckError as error:
            well, found = False, f"FAILED: {error}"
        yield f"{dialogue.protocol + ':':8}{found}", well
    yield "All is well." if well else "Not all is well: see above.", well


def _network_line() -> tuple[str, bool]:
    try:
        network = choose_network(DEFAULT)
    except NetworkError as error:
        return f"Network: FAILED: {error}", False
    if network is None:
        return "Network: FAILED: there is none; the hand-made evaluation stands in", False
    return f"Network: {network.name}, {network.sha256[:8]}, computed by {kernels()[-1]}", True


def _package_line() -> tuple[str, bool]:
    """Report whether ``xiangqi`` is Meihua's package, and the only one of that name installed."""
    try:
        meihua.find_package()
    except ImportError as error:
        return f"Package: FAILED: {error}", False
    own_folder = Path(__file__).parents[2]
    for name, folder in find_conflicts():
        steps = meihua.repair_steps(is_mixed=folder == own_folder)
        return f"Package: FAILED: {name} in {str(folder)!r} is also named 'xiangqi'; {steps}", False
    return f"Package: {str(own_folder / 'xiangqi')!r}, no other of that name", True
