"""Self-test for users of GUIs: ``meihua --check`` starts the engine and speaks each protocol.

A GUI often reports only "cannot load the engine". The check reports each step with its time; a
failed step ends the check of its protocol and shows the engine's last output.
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

from meihua_installation import repair_steps, require_own
from xiangqi.board import Board
from xiangqi.core.network import kernels
from xiangqi.engine.network import choose_network
from xiangqi.ground.errors import NetworkError, XiangqiError
from xiangqi.ground.installed import __version__, find_conflicts
from xiangqi.ground.lines import decode_line

__all__ = ["CheckError", "Dialogue", "check_lines", "check_protocol", "own_command"]

PATIENCE_S: Final = 30
"""Time limit for each answer; GUIs wait one to ten seconds for the first one."""


class CheckError(Exception):
    """A step has failed."""


@dataclass(frozen=True)
class Dialogue:
    """Commands of a GUI in one protocol, and the prefixes of the answers it waits for."""

    protocol: str
    handshake: tuple[str, ...]
    greeting: str
    ready: tuple[str, str]
    search: tuple[str, ...]
    best: str


_READY: Final = ("isready", "readyok")
_SEARCH: Final = ("position startpos", "go depth 8")

DIALOGUES: Final = (
    Dialogue("UCCI", ("ucci",), "ucciok", _READY, _SEARCH, "bestmove"),
    Dialogue("UCI", ("uci",), "uciok", _READY, _SEARCH, "bestmove"),
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
    """Engine process; every wait for an answer has a time limit."""

    def __init__(self, command: Sequence[str]) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._last_line = ""
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
        with suppress(OSError):  # input that the engine never read
            self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout:
            for line in stdout:
                self._lines.put(decode_line(line).strip())
        self._lines.put(None)

    def send(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError as error:
            raise CheckError(f"it no longer reads input: {error.strerror}") from error

    def wait_for(self, prefix: str) -> str:
        """Wait for a line with this prefix; raises CheckError if the engine sends none."""
        end = time.perf_counter() + PATIENCE_S
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                why = f"no {prefix!r} within {PATIENCE_S} s"
                raise CheckError(f"{why}{self._quote_last_line()}") from None
            if line is None:
                raise CheckError(f"it ended before {prefix!r}{self._quote_last_line()}")
            if line.startswith(prefix):
                return line
            self._last_line = line or self._last_line

    def _quote_last_line(self) -> str:
        return f"; its last line: {self._last_line!r}" if self._last_line else ""

    def quit(self) -> None:
        """Send ``quit`` and wait for the engine to exit; raises CheckError if it fails."""
        self.send("quit")
        try:
            code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise CheckError(f"it is still running {PATIENCE_S} s after 'quit'") from None
        if code:
            raise CheckError(f"it ended with the exit code {code}")


def own_command() -> list[str]:
    """Command that starts this engine: the running program, or Python with its module."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    program = shutil.which(sys.argv[0])
    return [program] if program else [sys.executable, "-m", "xiangqi.engine.meihua"]


def check_protocol(command: Sequence[str], dialogue: Dialogue) -> str:
    """Check one protocol and summarise the steps in a line; raises CheckError."""
    began = time.perf_counter()

    def elapsed() -> str:
        return f"{time.perf_counter() - began:.2f} s"

    try:
        engine = _Engine(command)
    except OSError as error:
        raise CheckError(f"cannot start {command[0]!r}: {error.strerror}") from error
    with engine:
        engine.send(*dialogue.handshake)
        engine.wait_for(dialogue.greeting)
        steps = [f"{dialogue.greeting!r} after {elapsed()}"]
        ping, pong = dialogue.ready
        engine.send(ping)
        engine.wait_for(pong)
        steps.append(f"{pong!r} after {elapsed()}")
        engine.send(*dialogue.search)
        words = engine.wait_for(dialogue.best).split()
        move = words[1] if len(words) > 1 else ""
        try:
            is_legal = move in {each.iccs() for each in Board().legal_moves}
        except XiangqiError as error:
            raise CheckError(f"the best move {move!r}: {error}") from error
        if not is_legal:
            raise CheckError(f"the best move {move!r} is not legal")
        steps.append(f"the best move {move} (legal) after {elapsed()}")
        engine.quit()
    return ", ".join([*steps, "exited after 'quit'"])


def check_lines(command: Sequence[str] | None = None) -> Iterator[tuple[str, bool]]:
    """Run the check; yield each line and whether all steps passed so far."""
    command = own_command() if command is None else command
    system = f"{platform.system()} {platform.machine()}"
    yield f"Meihua {__version__}, Python {platform.python_version()}, {system}", True
    yield f"Give your GUI: {' '.join(command)}", True
    network, passed = _network_line()
    yield network, passed
    package, is_alone = _package_line()
    passed = passed and is_alone
    yield package, passed
    yield f"Processors: {os.cpu_count()}; the engine uses one unless Threads is set", passed
    for dialogue in DIALOGUES:
        try:
            steps = check_protocol(command, dialogue)
        except CheckError as error:
            passed, steps = False, f"FAILED: {error}"
        yield f"{dialogue.protocol + ':':8}{steps}", passed
    yield "All checks passed." if passed else "A check failed: see above.", passed


def _network_line() -> tuple[str, bool]:
    try:
        network = choose_network()
    except NetworkError as error:
        return f"Network: FAILED: {error}", False
    return f"Network: {network.name}, {network.sha256[:8]}, computed by {kernels()[-1]}", True


def _package_line() -> tuple[str, bool]:
    """Report whether ``xiangqi`` is Meihua's package, and the only one of that name installed."""
    try:
        require_own(sys.modules["xiangqi"])
    except ImportError as error:
        return f"Package: FAILED: {error}", False
    own_folder = Path(__file__).parents[2]
    for name, folder in find_conflicts():
        steps = repair_steps(is_mixed=folder == own_folder)
        return f"Package: FAILED: {name} in {str(folder)!r} is also named 'xiangqi'; {steps}", False
    return f"Package: {str(own_folder / 'xiangqi')!r}, no other of that name", True
