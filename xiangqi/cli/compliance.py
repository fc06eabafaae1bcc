"""The commands ``compliance`` and ``benchmark``: test engines on protocols and repetition rules."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

import click

from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import RuleOptions, language_option, rule_options
from xiangqi.ground.errors import plural
from xiangqi.ground.exits import EXIT_DIFFERENT, EXIT_WRONG_INPUT
from xiangqi.ground.texts import Language, say
from xiangqi.words import enumerate_words

if TYPE_CHECKING:
    from xiangqi.compliance import CheckResult, Level, Status
    from xiangqi.compliance.repetitions import BookResult, RepetitionAnswer

__all__ = ["benchmark", "compliance"]

MAX_DIALOGUE_LINES = 60
"""Maximum lines of a printed dialogue; the middle of a longer one is left out."""
MARKS: Final[dict[tuple[Status, Level], str]] = {
    ("failed", "must"): "FAIL",
    ("failed", "should"): "warn",
    ("skipped", "must"): "skip",
    ("skipped", "should"): "skip",
}

_patience_option = click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Time limit of each answer, in seconds.",
)


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
@_patience_option
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
    """Check whether an engine conforms to its protocol.

    ENGINE is a program, or a command line in quotes. A "must" check is required by the protocol; a
    "should" check is recommended by it, or GUIs rely on it. A failed check prints its dialogue,
    with ">" before the lines sent. The exit code is 1 if a "must" check fails, and 2 if the program
    does not start or answers no protocol.
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
    """Print the results as they arrive; return the number of failed "must" checks."""
    click.echo(f"{engine}: {dialect.upper()}")
    counts: Counter[Status] = Counter()
    failed: Counter[Level] = Counter()
    for result in results:
        counts[result.status] += 1
        failed[result.level] += not result.passed
        check, mark = result.check, MARKS.get((result.status, result.level), "ok")
        reason = f": {result.reason}" if result.reason else ""
        click.echo(f"{mark:4}  {result.level:6}  {check.name:16}  {check.title}{reason}")
        if verbose or not result.passed:
            for line in _shorten(result.dialogue):
                click.echo(f"        {line}")
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    click.echo(
        f"{plural(counts.total(), 'check')}, {counts['passed']} passed{skipped}, "
        f"{counts['failed']} failed ({failed['must']} must, {failed['should']} should)"
    )
    return failed["must"]


def _write_json(engine: str, dialect: str, results: Iterable[CheckResult]) -> int:
    """Print the results as one JSON object; return the number of failed "must" checks."""
    done = list(results)
    failed = [result for result in done if not result.passed and result.level == "must"]
    report = {
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
    click.echo(json.dumps(report, ensure_ascii=False, indent=2))
    return len(failed)


def _shorten(dialogue: tuple[str, ...]) -> list[str]:
    if len(dialogue) <= MAX_DIALOGUE_LINES:
        return list(dialogue)
    half = MAX_DIALOGUE_LINES // 2
    left_out = f"... {plural(len(dialogue) - 2 * half, 'line')} ..."
    return [*dialogue[:half], left_out, *dialogue[-half:]]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi benchmark meihua
    xiangqi benchmark fairy-stockfish --rules wxf,fairy-axf,computer
    xiangqi benchmark meihua --rules cxa2020 --depth 4 --json
    """,
)
@click.argument("engine")
@rule_options(several=True)
@click.option(
    "--protocol",
    "--proto",
    type=click.Choice(["ucci", "uci"]),
    help="Protocol of the engine; default: the first that it answers.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 30),
    default=2,
    show_default=True,
    help="Search depth for each case.",
)
@_patience_option
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@handle_errors
def benchmark(
    engine: str,
    rules: RuleOptions,
    protocol: str | None,
    depth: int,
    patience: float,
    lang: Language,
    as_json: bool,
) -> None:
    """Test ENGINE, a program or a command in quotes, on the cases of the rule books.

    The engine gets each case up to one move before the decisive repetition, and searches that move
    alone; its score shows a win by rule or a draw. Options for the rules of the book are set if
    the engine has them; otherwise it plays by its own rules. The output is a table with the number
    of cases that it rules as each book does, and below it the missed cases by chapter. Books that
    bar moves are left out, since no score expresses a barred move. The exit code is 1 if a case is
    missed, and 2 if the engine does not answer.
    """
    from chess.engine import EngineError

    from xiangqi.casebook.cases import find_case_folder, load_cases
    from xiangqi.client import SimpleEngine
    from xiangqi.compliance.repetitions import benchmark_book, can_be_scored

    books = rules.choose_all()
    scored = [book for book in books if can_be_scored(book)]
    if not scored:
        names = ", ".join(book.name for book in books)
        raise click.UsageError(f"--rules {names}: expected books that bar no moves")
    try:
        with SimpleEngine.popen(engine, dialect=protocol, timeout=patience) as process:
            results = [
                benchmark_book(
                    process, book, load_cases([find_case_folder(book.name)]), depth=depth
                )
                for book in scored
            ]
            name = process.protocol.id.get("name", engine)
    except EngineError as error:
        click.echo(f"xiangqi: {error}", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    except TimeoutError:
        click.echo(f"xiangqi: {engine}: no answer within {patience} seconds", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    if as_json:
        report = {"engine": name, "depth": depth, "books": [one.to_dict() for one in results]}
        click.echo(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        for line in format_results(name, results, lang):
            click.echo(line)
    if any(result.missed for result in results):
        sys.exit(EXIT_DIFFERENT)


def format_results(
    name: str, results: Sequence[BookResult], lang: Language = "en"
) -> Iterator[str]:
    """Lines of a table of the books, and of the missed cases of each by chapter."""
    from xiangqi.cli.base import align_columns

    keys = ("books_rules", "benchmark_option", "benchmark_right", "benchmark_cases")
    rows = [tuple(say(lang, key) for key in keys)]
    for result in results:
        option = say(
            lang, "benchmark_by_option" if result.rules_by_option else "benchmark_without_option"
        )
        right = len(result.answers) - len(result.missed)
        rows.append((result.rules.describe(), option, str(right), str(len(result.answers))))
    yield name
    yield from align_columns(rows)
    for result in results:
        if result.missed:
            yield ""
            yield say(lang, "benchmark_missed", rules=result.rules.describe())
            yield from _missed(result, lang)


def _missed(result: BookResult, lang: Language) -> Iterator[str]:
    """Lines of the missed cases, by chapter and by the verdict that the engine claimed."""
    for chapter, members in groupby(result.answers, lambda one: one.case.chapters[lang]):
        answers = list(members)
        missed = [answer for answer in answers if not answer.is_right]
        if not missed:
            continue
        yield f"  {len(missed)}/{len(answers)}  {chapter}"
        by_claim = sorted(missed, key=_claim)
        for claim, same in groupby(by_claim, _claim):
            names = enumerate_words(lang, [answer.case.id for answer in same])
            key = f"benchmark_as_{claim}" if claim else "benchmark_as_nothing"
            yield f"    {say(lang, key)}: {names}"


def _claim(answer: RepetitionAnswer) -> str:
    return "" if answer.claimed is None else answer.claimed.value
