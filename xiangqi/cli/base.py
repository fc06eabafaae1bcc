"""How the commands are found, show their help, and end."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn, TypeVar

import click

from xiangqi.errors import XiangqiError
from xiangqi.exits import EXIT_INTERRUPTED, EXIT_WRONG_INPUT

__all__ = ["Command", "Commands", "Examples", "LazyCommand", "print_any_letter", "refusing"]

Command = TypeVar("Command", bound=Callable[..., Any])
"""The function of a command, which a decorator returns as it came."""


def print_any_letter(system: str = os.name) -> None:
    """Have every letter printed, also into a pipe or file whose encoding has not all of them.

    On Windows, where a pipe has the encoding of the system's language, all is UTF-8, unless
    PYTHONIOENCODING has another wish; elsewhere a letter that is not to be had is spelt out.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if system == "nt" and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="backslashreplace")


class Commands(click.Group):
    """Commands that report an interruption, or a file that cannot be read or written, alike."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A closed pipe is left to click, which ends silently."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("xiangqi: interrupted", err=True)
            sys.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename is not None else ""
            click.echo(f"xiangqi: {where}{error.strerror or error}", err=True)
            sys.exit(EXIT_WRONG_INPUT)


class Examples(click.Command):
    """A command whose help ends with examples, printed as they are written."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples under a heading of their own."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.strip().splitlines():
                    formatter.write(f"  {line.strip()}\n")


class LazyCommand(click.Command):
    """A command whose module is imported when it is called.

    Until then it is its name and the beginning of its help, for the list of commands and for
    completion in a shell. click asks a command for its context before anything else, and finds
    the command that is called there.
    """

    def __init__(self, name: str, where: str, help: str) -> None:
        """``where`` is MODULE:FUNCTION."""
        super().__init__(name, help=help)
        self.where = where

    def load(self) -> click.Command:
        """The command itself."""
        module, _, function = self.where.partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context of the command itself."""
        return self.load().make_context(info_name, args, parent, **extra)


def refuse(error: XiangqiError) -> NoReturn:
    """Say what is wrong with the input and end the command."""
    click.echo(f"xiangqi: {error}", err=True)
    sys.exit(EXIT_WRONG_INPUT)


def refusing(command: Command) -> Command:
    """Turn errors about the input into a message and an exit code."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except XiangqiError as error:
            refuse(error)

    return wrapped  # type: ignore[return-value]
