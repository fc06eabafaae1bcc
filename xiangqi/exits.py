"""Exit codes of the programs, and flushing of standard output at their end."""

import os
import sys
from collections.abc import Callable
from typing import Final, NoReturn

__all__ = ["EXIT_DIFFERENT", "EXIT_INTERRUPTED", "EXIT_WRONG_INPUT", "run_program"]

EXIT_DIFFERENT: Final = 1
"""The work failed in part: a ruling differs, or a game could not be read."""
EXIT_WRONG_INPUT: Final = 2
"""Wrong use or wrong input; click has this code for wrong options."""
EXIT_INTERRUPTED: Final = 130
"""Ctrl-C, as shells report it."""


def run_program(name: str, run: Callable[[], object]) -> NoReturn:
    """Run a program to its end, flush standard output, and exit.

    Python flushes standard output only after the program, where a full disk ends in exit code 120
    and a traceback. Here it is an error of the program, reported once in a line. A closed pipe ends
    the program silently.
    """
    try:
        try:
            run()
        finally:
            _flush_output()
    except BrokenPipeError:
        _discard_output()
        sys.exit(EXIT_DIFFERENT)
    except OSError as error:
        has_failed = isinstance(error.__context__, SystemExit) and error.__context__.code
        where = "standard output" if error.filename is None else error.filename
        _discard_output()
        if has_failed:  # and has said why
            sys.exit(has_failed)
        print(f"{name}: {where}: {error.strerror or error}", file=sys.stderr)
        sys.exit(EXIT_WRONG_INPUT)
    sys.exit(0)


def _flush_output() -> None:
    if sys.stdout is not None:  # it is None where the caller has closed it
        sys.stdout.flush()


def _discard_output() -> None:
    """Redirect standard output to nowhere, so that Python's own flush at exit succeeds."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
