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
from typing import Any, Final, NoReturn, TypeVar

import click

from xiangqi.errors import XiangqiError
from xiangqi.exits import EXIT_INTERRUPTED, EXIT_WRONG_INPUT

__all__ = [
    "Command",
    "CommandGroup",
    "Commands",
    "Examples",
    "LazyCommand",
    "align_columns",
    "format_os_error",
    "print_any_letter",
    "refusing",
]

_WHOLE: Final = 1000
"""More characters than any summary has."""
Command = TypeVar("Command", bound=Callable[..., Any])
"""The function of a command; a decorator keeps its type."""


def print_any_letter(system: str = os.name) -> None:
    """Print every letter, whatever the encoding of a pipe or file.

    On Windows, where a pipe has the encoding of the system's language, the output is UTF-8 unless
    PYTHONIOENCODING names another; elsewhere a letter that the encoding lacks is escaped.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if system == "nt" and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="backslashreplace")


def format_os_error(error: OSError) -> str:
    """File name and description of an error. A full disk without a name is that of standard output:
    files are opened by :func:`~xiangqi.files.open_output`, which names them.

    >>> format_os_error(OSError(errno.ENOSPC, "No space left on device"))
    'standard output: No space left on device'
    """
    name = error.filename
    if name is None and error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", -1)):
        name = "standard output"
    return f"{'' if name is None else f'{name}: '}{error.strerror or error}"


class CommandGroup(click.Group):
    """Group of commands whose list shows each summary in full, on several lines if need be."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries; click's own list cuts them at the terminal's width."""
        rows = [
            (name, command.get_short_help_str(limit=_WHOLE))
            for name, command in sorted(self.commands.items())
            if not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Commands(CommandGroup):
    """Commands of the program, which all end alike on Ctrl-C and on errors of files."""

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
            click.echo(f"xiangqi: {format_os_error(error)}", err=True)
            sys.exit(EXIT_WRONG_INPUT)


class Examples(click.Command):
    """A command whose help ends with examples, and that refuses an option given twice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; click itself would silently keep the last of two values."""
        if ctx.resilient_parsing:  # a shell completes a line that is being typed
            return super().parse_args(ctx, args)
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param, count in Counter(given).items():
            if isinstance(param, click.Option) and count > 1 and not _may_repeat(param):
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


def _may_repeat(option: click.Option) -> bool:
    return option.multiple or option.is_flag or option.count


class LazyCommand(click.Command):
    """A command whose module is imported when it is called.

    Until then it has a name and a summary, for the list of commands and for completion in a shell.
    click first gets a command's context; that is where the module is loaded.
    """

    def __init__(self, name: str, where: str, help: str) -> None:
        """``where`` is MODULE:FUNCTION."""
        super().__init__(name, help=help)
        self.where = where

    def load(self) -> click.Command:
        """Import the command."""
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
        """Context of the imported command."""
        return self.load().make_context(info_name, args, parent, **extra)


def refuse(error: XiangqiError) -> NoReturn:
    """Print the error in the language of --lang; exit with the code for wrong input."""
    context = click.get_current_context(silent=True)
    if context is not None and context.params.get("lang") == "zh":
        click.echo(f"xiangqi: {error.say('zh')}", err=True)
    else:
        click.echo(f"xiangqi: {error}", err=True)
    sys.exit(EXIT_WRONG_INPUT)


def refusing(command: Command) -> Command:
    """Decorate a command: errors about its input become a message and an exit code."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except XiangqiError as error:
            refuse(error)

    return wrapped  # type: ignore[return-value]


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align the cells of rows of equal length in columns.

    >>> list(align_columns([("a", "bc", "d"), ("ef", "\u7ea2", "g")]))
    ['a   bc  d', 'ef  \u7ea2  g']
    """
    from rich.cells import cell_len, set_cell_size

    *widths, _ = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    for row in rows:
        padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=False))
        yield "  ".join((*padded, row[-1]))
