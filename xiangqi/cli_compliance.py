"""The command ``compliance``: does an engine keep to its protocol?"""

from __future__ import annotations

import sys

import click

from xiangqi.cli_base import EXIT_DIFFERENT, EXIT_WRONG_INPUT, Examples

__all__ = ["compliance"]

LONGEST_DIALOGUE = 60
"""Of a longer one the middle is left out."""


@click.command(
    cls=Examples,
    epilog="""
    xiangqi compliance meihua
    xiangqi compliance "python -m xiangqi engine" --proto uci --verbose
    """,
)
@click.argument("engine")
@click.option(
    "--proto",
    type=click.Choice(["ucci", "uci"]),
    help="The protocol; the first that is answered if left out.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds that an answer may take.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Do this check; may be repeated.")
@click.option("--verbose", is_flag=True, help="Show the dialogue of every check.")
def compliance(
    engine: str, proto: str | None, patience: float, only: tuple[str, ...], verbose: bool
) -> None:
    """Check whether ENGINE, a program or a command in quotes, keeps to its protocol.

    What was said is shown for every check that fails, ">" before what was sent. The exit code is
    1 if one fails, and 2 if there is no such program or it speaks neither protocol.
    """
    from chess.engine import EngineError

    from xiangqi.compliance import CHECKS, check_engine, find_dialect

    names = [check.name for check in CHECKS]
    for name in only:
        if name not in names:
            raise click.UsageError(f"--only {name!r}: expected one of {', '.join(names)}")
    checks = [check for check in CHECKS if not only or check.name in only]
    failed = count = 0
    try:
        dialect = proto or find_dialect(engine, patience)
        click.echo(f"{engine}: {dialect.upper()}")
        for result in check_engine(engine, dialect, patience=patience, checks=checks):
            count += 1
            failed += not result.passed
            _print(result.check.name, result.check.title, result.passed, result.reason)
            if verbose or not result.passed:
                for line in _shorten(result.dialogue):
                    click.echo(f"        {line}")
    except EngineError as error:
        click.echo(f"xiangqi: {error}", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    click.echo(f"{count} checks, {count - failed} passed, {failed} failed.")
    if failed:
        sys.exit(EXIT_DIFFERENT)


def _print(name: str, title: str, passed: bool, reason: str) -> None:
    mark = "ok  " if passed else "FAIL"
    click.echo(f"{mark}  {name:16}  {title}{f': {reason}' if reason else ''}")


def _shorten(dialogue: tuple[str, ...]) -> list[str]:
    if len(dialogue) <= LONGEST_DIALOGUE:
        return list(dialogue)
    half = LONGEST_DIALOGUE // 2
    left_out = f"... {len(dialogue) - 2 * half} lines ..."
    return [*dialogue[:half], left_out, *dialogue[-half:]]
