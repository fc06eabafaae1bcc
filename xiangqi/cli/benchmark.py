"""The command ``benchmark``: how much does an engine know of the repetition rules?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from xiangqi.cli.base import Examples, refusing
from xiangqi.cli.options import book_options, choose_books, language_option
from xiangqi.exits import EXIT_DIFFERENT, EXIT_WRONG_INPUT
from xiangqi.words import Language, enumerate_words, say

if TYPE_CHECKING:
    from xiangqi.compliance.repetitions import Answer, BookResult

__all__ = ["benchmark"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi benchmark meihua
    xiangqi benchmark fairy-stockfish --rules wxf,fairy-axf,computer
    xiangqi benchmark meihua --rules cxa2020 --depth 4 --json
    """,
)
@click.argument("engine")
@book_options
@click.option(
    "--protocol",
    "--proto",
    type=click.Choice(["ucci", "uci"]),
    help="The protocol; the first that is answered if left out.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 30),
    default=2,
    show_default=True,
    help="How deep each case is searched.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds that an answer may take.",
)
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@refusing
def benchmark(
    engine: str,
    rules: Sequence[str],
    occurrences: int | None,
    changes: Sequence[str],
    protocol: str | None,
    depth: int,
    patience: float,
    lang: Language,
    as_json: bool,
) -> None:
    """Ask ENGINE, a program or a command in quotes, who loses each case of the rule books.

    It gets each case one move before the position has come back as often as the book asks for, and
    may search that move alone; its score tells whom it takes to win by rule, or that it takes it
    for a draw. An engine that has an option for the book is told to play by it; any other is held
    against the book as it is. Then a table: how many cases of each book it rules as the book does,
    and below it what it misses, chapter by chapter. Books that bar moves are left out, as no score
    tells of them. The exit code is 1 if anything is missed, and 2 if the engine cannot be asked.
    """
    from chess.engine import EngineError

    from xiangqi.casebook.cases import find_case_folder, load_cases
    from xiangqi.client import SimpleEngine
    from xiangqi.compliance.repetitions import ask_book, can_be_asked

    books = choose_books(rules, occurrences, changes)
    refused = [book.name for book in books if not can_be_asked(book)]
    if len(refused) == len(books):
        raise click.UsageError(f"--rules {', '.join(refused)}: expected books that bar no moves")
    try:
        with SimpleEngine.popen(engine, dialect=protocol, timeout=patience) as asked:
            results = [
                ask_book(asked, book, load_cases([find_case_folder(book.name)]), depth=depth)
                for book in books
                if can_be_asked(book)
            ]
            name = asked.protocol.id.get("name", engine)
    except EngineError as error:
        click.echo(f"xiangqi: {error}", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    except TimeoutError:
        click.echo(f"xiangqi: {engine}: no answer within {patience} seconds", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    if as_json:
        told = {"engine": name, "depth": depth, "books": [one.to_dict() for one in results]}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        for line in format_results(name, results, lang):
            click.echo(line)
    if any(result.missed for result in results):
        sys.exit(EXIT_DIFFERENT)


def format_results(
    name: str, results: Sequence[BookResult], lang: Language = "en"
) -> Iterator[str]:
    """A table of the books, and what was missed of each by chapters."""
    from xiangqi.cli.columns import align_columns

    keys = ("books_rules", "benchmark_option", "benchmark_right", "benchmark_cases")
    rows = [tuple(say(lang, key) for key in keys)]
    for result in results:
        option = say(lang, "benchmark_told" if result.is_told else "benchmark_untold")
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
    """The cases that were missed, by chapter, those taken for the same together."""
    for chapter, members in groupby(result.answers, lambda one: one.case.chapters[lang]):
        answers = list(members)
        missed = [answer for answer in answers if not answer.is_right]
        if not missed:
            continue
        yield f"  {len(missed)}/{len(answers)}  {chapter}"
        by_told = sorted(missed, key=_told)
        for told, same in groupby(by_told, _told):
            names = enumerate_words(lang, [answer.case.id for answer in same])
            key = f"benchmark_as_{told}" if told else "benchmark_as_nothing"
            yield f"    {say(lang, key)}: {names}"


def _told(answer: Answer) -> str:
    return "" if answer.told is None else answer.told.value
