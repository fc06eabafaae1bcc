"""Exit codes of the programs, and the final flush of standard output."""

import os
import sys
from collections.abc import Callable
from typing import Final, NoReturn

__all__ = ["EXIT_DIFFERENT", "EXIT_INTERRUPTED", "EXIT_WRONG_INPUT", "run_program"]

EXIT_DIFFERENT: Final = 1
"""The work failed in part: a ruling differs, or a game could not be read."""
EXIT_WRONG_INPUT: Final = 2
"""Invalid usage or input; click uses the same code for invalid options."""
EXIT_INTERRUPTED: Final = 130
"""Ctrl-C: 128 + SIGINT, as in shells."""


def run_program(name: str, run: Callable[[], object]) -> NoReturn:
    """Run a program to its end, flush standard output, and exit.

    Python's own flush comes after the program has ended: a full disk then gives a traceback and
    exit code 120. Here it gives one line and EXIT_WRONG_INPUT. A closed pipe ends the program
    silently. Lack of memory gives one line and EXIT_DIFFERENT.
    """
    try:
        try:
            run()
        finally:
            if sys.stdout is not None:  # None if the caller has closed it
                sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        sys.exit(EXIT_DIFFERENT)
    except OSError as error:
        has_failed = isinstance(error.__context__, SystemExit) and error.__context__.code
        where = "standard output" if error.filename is None else error.filename
        _discard_output()
        if has_failed:  # the reason has been printed
            sys.exit(has_failed)
        print(f"{name}: {where}: {error.strerror or error}", file=sys.stderr)
        sys.exit(EXIT_WRONG_INPUT)
    except Exception as error:
        from meihua_installation import describe_lack_of_memory

        message = describe_lack_of_memory(error)
        if not message:
            raise
        print(f"{name}: {message}", file=sys.stderr)
        sys.exit(EXIT_DIFFERENT)
    sys.exit(0)


def _discard_output() -> None:
    """Redirect standard output to the null device, so that Python's own flush at exit succeeds."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
