"""The command ``verify``: judge the cases of a rule book, and compare the rulings."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import click
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.progress import track
from rich.text import Text

from xiangqi.casebook.cases import DISPUTES, find_case_folder, load_cases
from xiangqi.casebook.verify import CaseResult, format_ruled_as, verify_cases
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import RuleOptions, language_option, rule_options
from xiangqi.ground.exits import EXIT_DIFFERENT
from xiangqi.ground.texts import Language, say

__all__ = ["verify"]

_GOOD: Final = "green"
_BAD: Final = "bold red"


@click.command(
    cls=Examples,
    epilog="""
    xiangqi verify
    xiangqi verify --list wxf_cases/04_cannon_chases_chariot.toml
    xiangqi verify --disputes --rules tiantian --list
    xiangqi verify --json > report.json
    """,
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@rule_options()
@click.option(
    "--disputes",
    is_flag=True,
    help="Judge the public disputes that have a verdict for the rule set.",
)
@click.option("--list", "every", is_flag=True, help="Print all cases, not only chapters.")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@handle_errors
def verify(
    paths: tuple[Path, ...],
    rules: RuleOptions,
    disputes: bool,
    every: bool,
    lang: Language,
    as_json: bool,
) -> None:
    """Judge the cases of a rule book, and compare the rulings with the book's.

    Each case is judged from every phase of its cycle, also mirrored, with colours exchanged, and
    with one more round; it passes if all of these rulings are as expected. PATH is a file or folder
    of cases; the default is the rule set's own book, or the WXF book if it has none. If a book
    gives the mark of each move, the marks are compared, too. Under a rule set that counts rounds, a
    case is played as written until a move is barred or the game is drawn.

    The output lists the differences, then the chapters or, with --list, all cases and all variants
    that differ. The exit code is 1 if any ruling differs.
    """
    rule_set = rules.choose()
    folder = DISPUTES if disputes else rule_set.name
    loaded = load_cases(paths or [find_case_folder(folder)])
    cases = [case for written in loaded if (case := written.by_book(rule_set.name)) is not None]
    terminal = Console(stderr=True)
    results = list(
        track(
            verify_cases(cases, rule_set),
            say(lang, "verify_ruling"),
            total=len(cases),
            console=terminal,
            transient=True,
            disable=not terminal.is_terminal,
        )
    )
    if as_json:
        report = {
            "cases": len(results),
            "passed": sum(result.passed for result in results),
            "rulings": sum(result.rulings for result in results),
            "marks": sum(result.marks_compared for result in results),
            "marks_found": sum(result.marks_found for result in results),
            "results": [result.to_dict() for result in results],
        }
        click.echo(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        _Printer(results, lang).print(every=every)
    if not all(result.passed for result in results):
        sys.exit(EXIT_DIFFERENT)


class _Printer:
    """Printer of results, as wide as the terminal or as COLUMNS says."""

    def __init__(self, results: Sequence[CaseResult], lang: Language) -> None:
        self.results = results
        self.lang = lang
        self.console = Console(highlight=False)
        self.by_chapter = [
            (chapter, list(members))
            for chapter, members in groupby(results, lambda result: result.case.chapters[lang])
        ]
        heads = [result.case.id for result in results]
        heads += [f"{len(members)}/{len(members)}" for _, members in self.by_chapter]
        self.indent = max(map(cell_len, heads), default=0) + 2

    def print(self, *, every: bool) -> None:
        """Print the differences, then every case or the chapters, then the totals."""
        differing = [result for result in self.results if not result.passed]
        if differing:
            self.heading(say(self.lang, "verify_differing"))
            for result in differing:
                self.difference(result, every=every)
            self.console.print()
        if every:
            self.cases()
        else:
            self.chapters()
        self.marks()
        self.heading(
            say(
                self.lang,
                "verify_total",
                cases=len(self.results),
                rulings=sum(result.rulings for result in self.results),
                passed=len(self.results) - len(differing),
                different=len(differing),
            )
        )
        if not every:
            self.console.print(say(self.lang, "verify_more"))

    def difference(self, result: CaseResult, *, every: bool) -> None:
        """Print a case with a different ruling; with ``every`` also the variants that differ."""
        self.entry(result.case.id, self.ruled(result), _BAD)
        for way in result.differences if every else ():
            name, value = way.variant.name(self.lang), format_ruled_as(way.ruled, self.lang)
            self.entry("", say(self.lang, "pair", name=name, value=value))

    def cases(self) -> None:
        """Print all cases by chapter, with ruling and description."""
        for chapter, members in self.by_chapter:
            self.heading(chapter)
            for result in members:
                what = say(
                    self.lang,
                    "pair",
                    name=self.ruled(result),
                    value=result.case.titles[self.lang],
                )
                self.entry(result.case.id, what, _GOOD if result.passed else _BAD)
            self.console.print()

    def marks(self) -> None:
        """Print the moves whose marks differ from the book, and the number of equal marks."""
        compared = sum(result.marks_compared for result in self.results)
        if not compared:
            return
        for result in self.results:
            if result.other_marks:
                self.entry(result.case.id, self.other_marks(result))
        found = sum(result.marks_found for result in self.results)
        self.heading(say(self.lang, "verify_marks", found=found, compared=compared))

    def other_marks(self, result: CaseResult) -> str:
        return say(self.lang, "comma").join(
            say(
                self.lang,
                "verify_mark",
                move=move,
                expected=say(self.lang, f"mark_{expected.value}"),
                found=say(self.lang, f"mark_{found.value}"),
            )
            for move, expected, found in result.other_marks
        )

    def chapters(self) -> None:
        """Print the number of cases of each chapter that were ruled as expected."""
        self.heading(say(self.lang, "verify_chapters"))
        for chapter, members in self.by_chapter:
            passed = sum(result.passed for result in members)
            style = _GOOD if passed == len(members) else _BAD
            self.entry(f"{passed}/{len(members)}", chapter, style, cut=True)

    def ruled(self, result: CaseResult) -> str:
        """The ruling; if not as expected, the number of variants with each other ruling."""
        if result.error:
            return result.error
        if result.passed:
            return format_ruled_as(result.ruled, self.lang)
        counts = Counter(way.ruled_as_written for way in result.differences)
        ways = say(self.lang, "comma").join(
            say(
                self.lang,
                "verify_ways",
                ruled=format_ruled_as(ruled, self.lang),
                count=count,
                rulings=result.rulings,
            )
            for ruled, count in counts.most_common()
        )
        expected = format_ruled_as(result.expected, self.lang)
        return say(self.lang, "verify_expected", ruled=ways, expected=expected)

    def heading(self, text: str) -> None:
        for line in self.wrap(Text(text, "bold"), self.console.width):
            self.console.print(line, soft_wrap=True)

    def entry(self, head: str, text: str, style: str = "", *, cut: bool = False) -> None:
        """Print a head and a text, which is wrapped, or truncated with ``cut``."""
        body = Text(text)
        width = max(self.console.width - self.indent, 1)
        if cut:
            body.truncate(width, overflow="ellipsis")
        for line in self.wrap(body, width):
            start = (set_cell_size(head, self.indent), style)
            self.console.print(Text.assemble(start, line), soft_wrap=True)
            head = ""

    def wrap(self, text: Text, width: int) -> Iterator[Text]:
        for line in text.wrap(self.console, width):
            line.rstrip()
            yield line
