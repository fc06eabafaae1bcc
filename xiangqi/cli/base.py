"""Base classes of the commands: lazy import, help, exit codes."""

from __future__ import annotations

import errno
import functools
import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click

from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.exits import EXIT_INTERRUPTED, EXIT_WRONG_INPUT

__all__ = [
    "Command",
    "CommandGroup",
    "Commands",
    "Examples",
    "LazyCommand",
    "align_columns",
    "configure_output",
    "format_os_error",
    "handle_errors",
]

Command = TypeVar("Command", bound=Callable[..., Any])
"""Function of a command; decorators keep its type."""


def configure_output(system: str = os.name) -> None:
    """Make every character printable on standard output and standard error.

    On Windows, where pipes use the system's code page, the encoding becomes UTF-8 unless
    PYTHONIOENCODING is set. Characters that the encoding lacks are escaped.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if system == "nt" and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="backslashreplace")


def format_os_error(error: OSError) -> str:
    """Format an error as ``FILE: DESCRIPTION``.

    Errors about a full disk that name no file come from standard output:
    :func:`~xiangqi.ground.files.open_output` names all other files.

    >>> format_os_error(OSError(errno.ENOSPC, "No space left on device"))
    'standard output: No space left on device'
    """
    name = error.filename
    if name is None and error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", -1)):
        name = "standard output"
    return f"{'' if name is None else f'{name}: '}{error.strerror or error}"


class CommandGroup(click.Group):
    """Group of commands whose help wraps the summaries."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and full summaries; click's own list truncates them to one line."""
        rows = [
            (name, command.get_short_help_str(limit=1000))
            for name, command in sorted(self.commands.items())
            if not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Commands(CommandGroup):
    """Group of all commands; reports Ctrl-C and file errors, with their exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe is left to click, which exits silently."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("xiangqi: interrupted", err=True)
            sys.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            raise
        except OSError as error:
            if error.errno == errno.ENOMEM:
                raise MemoryError(format_os_error(error)) from error
            click.echo(f"xiangqi: {format_os_error(error)}", err=True)
            sys.exit(EXIT_WRONG_INPUT)


class Examples(click.Command):
    """Command whose help ends with examples, and that rejects an option given twice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; click itself would silently use the last of two values."""
        if ctx.resilient_parsing:  # shell completion of an unfinished line
            return super().parse_args(ctx, args)
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param, count in Counter(given).items():
            if count == 1 or not isinstance(param, click.Option):
                continue
            if not (param.multiple or param.is_flag or param.count):
                raise click.BadOptionUsage(
                    param.opts[-1], f"Option {param.opts[-1]}: given {count} times, expected once."
                )
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples under a heading of their own."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.strip().splitlines():
                    formatter.write(f"  {line.strip()}\n")


class LazyCommand(click.Command):
    """Command whose module is imported when it is called.

    Until then it has only a name and a summary, for the list of commands and shell completion.
    click calls :meth:`make_context` first, which imports the module.
    """

    def __init__(self, name: str, target: str, help: str) -> None:
        """``target`` is MODULE:FUNCTION."""
        super().__init__(name, help=help)
        self.target = target

    def load(self) -> click.Command:
        """Import the command."""
        module, _, function = self.target.partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Import the command, and make its context."""
        return self.load().make_context(info_name, args, parent, **extra)


def handle_errors(command: Command) -> Command:
    """Decorate a command: print errors about its input, in the language of --lang, and exit."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except XiangqiError as error:
            context = click.get_current_context(silent=True)
            language = None if context is None else context.params.get("lang")
            click.echo(f"xiangqi: {error.say(language) if language else error}", err=True)
            sys.exit(EXIT_WRONG_INPUT)

    return wrapped  # type: ignore[return-value]


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align rows with the same number of cells in columns; the last column is not padded.

    >>> list(align_columns([("a", "bc", "d"), ("ef", "\u7ea2", "g")]))
    ['a   bc  d', 'ef  \u7ea2  g']
    """
    from rich.cells import cell_len, set_cell_size

    *widths, _ = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    for row in rows:
        padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=False))
        yield "  ".join((*padded, row[-1]))
