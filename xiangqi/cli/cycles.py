"""The command ``cycles``: where do two rule sets, or two answers to a question, rule otherwise?"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from xiangqi.casebook.disputes import (
    Contest,
    Dispute,
    Findings,
    game_disputes,
    name_cycle,
    random_disputes,
    sort_disputes,
)
from xiangqi.cli.base import Examples, refusing
from xiangqi.cli.options import book_options, choose_books, voice_options, worker_options
from xiangqi.cli.workers import choose_workers
from xiangqi.exits import EXIT_DIFFERENT, EXIT_INTERRUPTED
from xiangqi.files import new_file
from xiangqi.games.archive import Archive
from xiangqi.games.formats import find_games
from xiangqi.referee.explanation import format_ruling, name_rules
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.side_by_side import format_clauses, format_other_marks, tell_ruling
from xiangqi.web.pages.site import Report
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["cycles"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi cycles --set new_threat=victim
    xiangqi cycles --rules wxf,checks-only --count 1000 --explain
    xiangqi cycles --set checking_move=check_and_chase -o disputes.jsonl --report disputes
    xiangqi cycles games.pgn more.xqf --rules wxf,all-draws
    """,
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--count", type=click.IntRange(1), default=10_000, show_default=True, help="Random cycles."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Other cycles with another.")
@click.option("--pieces", type=click.IntRange(2, 32), metavar="N", help="No more on the board.")
@click.option(
    "--shrink/--as-found",
    default=True,
    show_default=True,
    help="Take away the pieces of random cycles that make no difference.",
)
@click.option(
    "--conducts",
    is_flag=True,
    help="Compare what each side did as well, where the verdict is the same.",
)
@click.option(
    "--show", type=click.IntRange(0), default=10, show_default=True, help="So many are told."
)
@click.option("--explain", is_flag=True, help="Tell both rulings move by move.")
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="Write all of them as JSON lines.",
)
@click.option(
    "--report",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a page for each into a new or empty folder, or over an older report.",
)
@worker_options(usual="one")
@voice_options(PLAIN_VOICE)
@book_options
@refusing
def cycles(
    files: tuple[str, ...],
    count: int,
    seed: int,
    pieces: int | None,
    shrink: bool,
    conducts: bool,
    show: int,
    explain: bool,
    out: Path | None,
    folder: Path | None,
    workers: int | None,
    scheduler: str | None,
    voice: Voice,
    rules: Sequence[str],
    occurrences: int | None,
    changes: Sequence[str],
) -> None:
    """Find cycles on which two rule sets differ, the smallest first, and tell why.

    The two are named by --rules A,B, or are one and what --set or --occurrences makes of it. The
    cycles are random ones, the same for the same seed, or those of the games in FILES: every
    position of a main line that has come back often enough for both.

    First it is told which clauses make the difference, and how often; then the cycles with the
    fewest pieces, and the fewest moves, each as a line that 'xiangqi judge' reads. Ctrl-C ends it
    and keeps what was found.
    """
    contest = Contest(*_choose_pair(rules, occurrences, changes), shrink=shrink, conducts=conducts)
    names = find_games(files, out)
    site = None if folder is None else Report(folder, replace(voice, english="wxf"), contest.first)
    with ExitStack() as stack:
        file = None if out is None else stack.enter_context(new_file(out))
        working = stack.enter_context(choose_workers(workers, scheduler, usual=1))
        found = (
            game_disputes(Archive(names), contest, working)
            if names
            else random_disputes(contest, seed, count, working)
        )
        search = _Search()
        is_complete = search.run(found, None if names else count, voice)
        disputes = sort_disputes(search.disputes)
        if pieces is not None:
            disputes = [dispute for dispute in disputes if dispute.pieces <= pieces]
        for line in _tell(search, contest, disputes, show, voice, explain=explain):
            click.echo(line)
        if file is not None:
            _write_lines(file, disputes)
        if site is not None:
            _write_pages(site, disputes)
    if not is_complete:
        sys.exit(EXIT_INTERRUPTED)
    if search.unread:
        sys.exit(EXIT_DIFFERENT)


def _choose_pair(
    names: Sequence[str], occurrences: int | None, changes: Sequence[str]
) -> tuple[RuleSet, RuleSet]:
    """Two rule sets, each changed alike; or one, and what the changes make of it."""
    changed = choose_books(names, occurrences, changes)
    books = changed if len(changed) > 1 else (*choose_books(names, None, ()), *changed)
    if len(books) != 2 or books[0] == books[1]:
        raise click.UsageError(
            "Give two rule sets, --rules A,B; or one and another answer, --set RULE=VALUE."
        )
    first, second = books
    return first, second


class _Search:
    """Collects what is found, with a bar where somebody watches."""

    def __init__(self) -> None:
        self.cycles = 0
        self.disputes: list[Dispute] = []
        self.unread = 0

    def run(self, findings: Iterator[Findings], total: int | None, voice: Voice) -> bool:
        """Take all that comes; False if that was interrupted."""
        terminal = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(
            *columns, console=terminal, transient=True, disable=not terminal.is_terminal
        ) as progress:
            task = progress.add_task(voice.say("cycles_looking"), total=total)
            try:
                for each in findings:
                    self._add(each)
                    progress.update(task, completed=self.cycles)
            except KeyboardInterrupt:
                click.echo(f"xiangqi: {voice.say('interrupted')}", err=True)
                return False
        return True

    def _add(self, found: Findings) -> None:
        self.cycles += found.cycles
        self.disputes += found.disputes
        self.unread += len(found.unread)
        for why in found.unread:
            click.echo(f"xiangqi: {why}", err=True)


def _tell(
    search: _Search,
    contest: Contest,
    disputes: Sequence[Dispute],
    show: int,
    voice: Voice,
    *,
    explain: bool,
) -> Iterator[str]:
    """How many there are, which clauses make the difference how often, and the smallest."""
    yield voice.say(
        "cycles_found",
        cycles=search.cycles,
        disputes=len(disputes),
        first=name_rules(contest.first, voice),
        second=name_rules(contest.second, voice),
    )
    for clauses, count in Counter(map(_clauses_of(voice), disputes)).most_common():
        yield ""
        yield voice.say("cycles_counted", count=count, clause=clauses[0])
        yield from (f"{'':8}{clause}" for clause in clauses[1:])
    for number, dispute in enumerate(disputes[:show], start=1):
        yield ""
        yield f"{number}. {name_cycle(dispute, voice)} ({dispute.source})"
        first, second = rulings = dispute.comparison().rulings
        yield from (f"   {tell_ruling(ruling, voice)}" for ruling in rulings)
        if not dispute.difference.clauses:
            yield from (f"   {line}" for line in format_other_marks(first, second, voice))
        yield f"   position fen {dispute.record.fen} moves {' '.join(dispute.record.moves)}"
        for ruling in rulings if explain else ():
            yield f"\n{format_ruling(ruling, voice)}"


def _clauses_of(voice: Voice) -> Callable[[Dispute], tuple[str, ...]]:
    """What makes the difference: clauses, or the facts that the two go by."""
    others = (voice.say("cycles_facts"),)
    return lambda dispute: tuple(format_clauses(dispute.difference, voice)) or others


def _write_lines(file: IO[bytes], disputes: Sequence[Dispute]) -> None:
    for dispute in disputes:
        line = json.dumps(dispute.to_dict(), ensure_ascii=False)
        file.write(f"{line}\n".encode("utf-8", "backslashreplace"))


def _write_pages(site: Report, disputes: Sequence[Dispute]) -> None:
    for _ in site.write_cycles(disputes):
        pass
    pages = site.voice.say("pages", pages=len(site.rows))
    click.echo(f"\n{site.folder / 'index.html'}: {pages}")
