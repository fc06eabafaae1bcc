"""Requirements of tests on the system, and the reason why one is skipped elsewhere."""

import os
import shutil
import signal
import sys

import pytest

KILL = signal.SIGTERM if os.name == "nt" else signal.SIGKILL
"""Ends a process at once; Windows knows one way of that."""
KILLED = KILL.value if os.name == "nt" else -KILL.value
"""The return code of a process that was ended so."""

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this")
with_signals = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
with_a_shell = pytest.mark.skipif(shutil.which("head") is None, reason="no POSIX shell")


def hear_interrupts() -> None:
    """Restore interrupts, as a ``preexec_fn``: shells start background jobs with Ctrl-C ignored,
    and children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
