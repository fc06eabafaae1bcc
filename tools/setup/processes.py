"""Child processes: their environment, their exit code, their progress."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PIP_PLACES = ("PIP_PREFIX", "PIP_ROOT", "PIP_TARGET", "PIP_USER")
"""Variables by which pip would install into another place than the virtual environment."""
IN_ANY_LOCALE = {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
"""Variables with which a program reads and writes UTF-8, also in names of files."""
QUIET_SECONDS = 10
"""Seconds without a line after which one says that the work goes on."""
PROGRESS_STEP = 20
"""Modules between two lines of progress if the output is not a terminal."""


def environment(system: str = os.name, **more: str) -> dict[str, str]:
    """Environment of child processes, in which pip installs into the virtual environment.

    On Windows with Python's UTF-8 mode. A free-threaded Python has the GIL, which it would enable
    with a warning when it imports the core.
    """
    own = {name: value for name, value in os.environ.items() if name not in PIP_PLACES}
    if system == "nt":
        own.setdefault("PYTHONUTF8", "1")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        own.setdefault("PYTHON_GIL", "1")
    return {**own, "PIP_USER": "0", **more}


def run(*command: object, cwd: Path = Path(), **more: str) -> None:
    """Run a command; if it fails, end this program with its exit code.

    Ctrl-C also reaches the command; wait until it ends by itself.
    """
    sys.stdout.flush()
    words = [str(word) for word in command]
    with subprocess.Popen(words, cwd=cwd, env=environment(**more)) as process:
        while process.poll() is None:
            try:
                process.wait()
            except KeyboardInterrupt:
                continue
    code = process.returncode
    if code:
        sys.exit(code if code > 0 else 128 - code)


def run_quietly(log: Path, *command: object, doing: str = "working") -> bool:
    """Run a command and write its output to a log, which is kept if it fails; did it succeed?

    It runs IN_ANY_LOCALE, as venv and pip decode the path of this folder by the locale, and write
    it in UTF-8 into the programs that they make. Lines such as ``Compiled 23 of 59`` and
    ``Note: ...`` are shown. After QUIET_SECONDS without one, a line says what this program is
    ``doing``.
    """
    log.parent.mkdir(exist_ok=True)
    words = [str(word) for word in command]
    piped = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(**IN_ANY_LOCALE),
    )
    with log.open("wb") as file, showing_progress(doing) as show, piped as process:
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            show(line)
    if process.returncode == 0:
        log.unlink()
    return process.returncode == 0


@contextmanager
def showing_progress(doing: str) -> Iterator[Callable[[bytes], None]]:
    """Show the progress in lines of output: in place on a terminal, else every PROGRESS_STEP
    modules; and that the work goes on, in a line every QUIET_SECONDS without another."""
    begun = shown = time.monotonic()
    has_ended = threading.Event()

    def say(text: str, end: str = "\n") -> None:
        nonlocal shown
        shown = time.monotonic()
        print(text, end=end, flush=True)

    def show(line: bytes) -> None:
        compiled = re.search(rb"Compiled (\d+) of (\d+)", line)
        note = re.match(rb" *(Note: .*)", line)
        if compiled:
            done, total = int(compiled[1]), int(compiled[2])
            if sys.stdout.isatty():
                say(f"\rCompiled {done} of {total} ", "\n" if done == total else "")
            elif done % PROGRESS_STEP == 0 or done == total:
                say(f"Compiled {done} of {total}")
        elif note:
            say(note[1].decode(errors="replace"))

    def show_that_it_goes_on() -> None:
        while not has_ended.wait(max(0.0, shown + QUIET_SECONDS - time.monotonic())):
            if time.monotonic() >= shown + QUIET_SECONDS:
                say(f"... still {doing}, {time.monotonic() - begun:.0f} s")

    thread = threading.Thread(target=show_that_it_goes_on, daemon=True)
    thread.start()
    try:
        yield show
    finally:
        has_ended.set()
        thread.join()
