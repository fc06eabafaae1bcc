"""The command ``compliance``: check an engine against its protocol."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import click

from xiangqi.cli.base import Examples
from xiangqi.counting import plural
from xiangqi.exits import EXIT_DIFFERENT, EXIT_WRONG_INPUT

if TYPE_CHECKING:
    from xiangqi.compliance import CheckResult, Level, Status

__all__ = ["compliance"]

MAX_DIALOGUE_LINES = 60
"""Of a longer one the middle is left out."""
MARKS: Final[dict[tuple[Status, Level], str]] = {
    ("failed", "must"): "FAIL",
    ("failed", "should"): "warn",
    ("skipped", "must"): "skip",
    ("skipped", "should"): "skip",
}


@click.command(
    cls=Examples,
    epilog="""
    xiangqi compliance meihua
    xiangqi compliance "python -m xiangqi engine" --protocol uci --verbose
    xiangqi compliance hoixiangqi --patience 3 --json
    """,
)
@click.argument("engine")
@click.option(
    "--protocol",
    "--proto",
    type=click.Choice(["ucci", "uci", "xboard"]),
    help="Protocol to check; default: the first of UCI, UCCI, XBoard that the engine answers.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds to wait for any answer.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Run only this check; may be repeated.")
@click.option("--verbose", is_flag=True, help="Show the dialogue of every check.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compliance(
    engine: str,
    protocol: str | None,
    patience: float,
    only: tuple[str, ...],
    verbose: bool,
    as_json: bool,
) -> None:
    """Check whether an engine keeps to its protocol.

    ENGINE is a program, or a command line in quotes. "must": the protocol demands it. "should": the
    protocol recommends it, or GUIs rely on it. A failed check prints its dialogue, with ">" before
    the lines sent. The exit code is 1 if a "must" fails, and 2 if the program does not start or
    answers no protocol.
    """
    from chess.engine import EngineError

    from xiangqi.compliance import CHECKS, check_engine, find_dialect

    names = list(dict.fromkeys(check.name for check in CHECKS))
    for name in only:
        if name not in names:
            raise click.UsageError(f"--only {name!r}: expected one of {', '.join(names)}")
    checks = [check for check in CHECKS if not only or check.name in only]
    try:
        dialect = find_dialect(engine, patience, protocol)
        checks = [check for check in checks if dialect in check.dialects]
        if not checks:
            raise click.UsageError(f"--only {', '.join(only)}: not checked in {dialect.upper()}")
        results = check_engine(engine, dialect, patience=patience, checks=checks)
        failed = (
            _write_json(engine, dialect, results)
            if as_json
            else _print(engine, dialect, results, verbose=verbose)
        )
    except EngineError as error:
        click.echo(f"xiangqi: {error}", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    if failed:
        sys.exit(EXIT_DIFFERENT)


def _print(engine: str, dialect: str, results: Iterable[CheckResult], *, verbose: bool) -> int:
    """Print results as they come; how many things that the engine must do it does not."""
    click.echo(f"{engine}: {dialect.upper()}")
    counts: Counter[Status] = Counter()
    failed: Counter[Level] = Counter()
    for result in results:
        counts[result.status] += 1
        failed[result.level] += not result.passed
        for line in _lines(result, verbose=verbose):
            click.echo(line)
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    click.echo(
        f"{plural(counts.total(), 'check')}, {counts['passed']} passed{skipped}, "
        f"{counts['failed']} failed: "
        f"{failed['must']} that it must pass, {failed['should']} that it should."
    )
    return failed["must"]


def _lines(result: CheckResult, *, verbose: bool) -> Iterator[str]:
    check = result.check
    mark = MARKS.get((result.status, result.level), "ok")
    reason = f": {result.reason}" if result.reason else ""
    yield f"{mark:4}  {result.level:6}  {check.name:16}  {check.title}{reason}"
    if verbose or not result.passed:
        for line in _shorten(result.dialogue):
            yield f"        {line}"


def _write_json(engine: str, dialect: str, results: Iterable[CheckResult]) -> int:
    """Print one object; how many things that the engine must do it does not."""
    done = list(results)
    failed = [result for result in done if not result.passed and result.level == "must"]
    told = {
        "engine": engine,
        "protocol": dialect,
        "passed": not failed,
        "checks": [
            {
                "name": result.check.name,
                "level": result.level,
                "title": result.check.title,
                "status": result.status,
                "reason": result.reason or None,
                "dialogue": list(_shorten(result.dialogue)),
            }
            for result in done
        ],
    }
    click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    return len(failed)


def _shorten(dialogue: tuple[str, ...]) -> list[str]:
    if len(dialogue) <= MAX_DIALOGUE_LINES:
        return list(dialogue)
    half = MAX_DIALOGUE_LINES // 2
    left_out = f"... {plural(len(dialogue) - 2 * half, 'line')} ..."
    return [*dialogue[:half], left_out, *dialogue[-half:]]
