"""The command ``cycles``: cycles on which two rule sets disagree."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

import click

from xiangqi.casebook.disputes import (
    Contest,
    Dispute,
    Findings,
    game_disputes,
    name_cycle,
    random_disputes,
    sort_disputes,
)
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import (
    RuleOptions,
    WorkerOptions,
    force_option,
    gathered,
    rule_options,
    voice_options,
    worker_options,
)
from xiangqi.cli.work import choose_workers
from xiangqi.games.archive import Archive
from xiangqi.games.formats import find_games
from xiangqi.ground.exits import EXIT_DIFFERENT, EXIT_INTERRUPTED
from xiangqi.ground.files import new_file
from xiangqi.ground.progress import counting_bar
from xiangqi.referee.comparison import format_clauses, format_labelled_ruling, format_other_marks
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.rule_names import short_name
from xiangqi.referee.rules import RuleSet
from xiangqi.web.pages.site import SiteReport
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["cycles"]


@dataclass(frozen=True, slots=True)
class CyclesOptions:
    """Values of the options of the command, except for the language and notation."""

    count: int
    """Number of random cycles."""
    seed: int
    pieces: int | None
    """Maximum number of pieces of a cycle."""
    shrink: bool
    conducts: bool
    show: int
    """Number of cycles to print."""
    explain: bool
    out: Path | None
    """File of all cycles."""
    force: bool
    folder: Path | None
    """Folder of the pages."""
    workers: WorkerOptions
    rules: RuleOptions


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
    "--count",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Number of random cycles.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random cycles.")
@click.option(
    "--pieces",
    type=click.IntRange(2, 32),
    metavar="N",
    help="Keep only cycles with at most N pieces.",
)
@click.option(
    "--shrink/--as-found",
    default=True,
    show_default=True,
    help="Remove pieces that make no difference from random cycles.",
)
@click.option(
    "--conducts",
    is_flag=True,
    help="Also report cycles with equal verdicts and different conduct.",
)
@click.option(
    "--show",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Number of cycles to print.",
)
@click.option("--explain", is_flag=True, help="Print both rulings move by move.")
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="Write all cycles to OUT as JSON lines.",
)
@force_option
@click.option(
    "--report",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a page for each cycle into DIR: a new or empty folder, or an older report.",
)
@worker_options(default="one")
@voice_options(PLAIN_VOICE)
@rule_options(several=True)
@gathered("options", CyclesOptions)
@handle_errors
def cycles(
    files: tuple[str, ...],
    options: CyclesOptions,
    voice: Voice,
) -> None:
    """Find the smallest cycles on which two rule sets disagree.

    The two are --rules A,B, or one rule set and its change by --set or --occurrences. The cycles
    are random (reproducible by --seed), or those of the games in FILEs: all positions of the main
    lines that occur often enough for both rule sets.

    The output lists the clauses that make the difference, with counts, then the cycles with the
    fewest pieces and moves, each as a line that 'xiangqi judge' reads. Ctrl-C stops the search, and
    prints and writes the results so far.
    """
    first, second = _choose_pair(options.rules)
    contest = Contest(first, second, shrink=options.shrink, conducts=options.conducts)
    names, out = find_games(files, options.out), options.out
    count = None if names else options.count
    site = None
    if options.folder is not None:
        site = SiteReport(options.folder, replace(voice, with_board=True), contest.first)
    with ExitStack() as stack:
        file = None if out is None else stack.enter_context(new_file(out, replace=options.force))
        working = stack.enter_context(choose_workers(options.workers, default=1))
        search = _Search()
        found = (
            game_disputes(Archive(names), contest, working, search.keep)
            if names
            else random_disputes(contest, options.seed, options.count, working, search.keep)
        )
        is_complete = search.run(found, count, voice)
        disputes = sort_disputes(search.disputes)
        if options.pieces is not None:
            disputes = [dispute for dispute in disputes if dispute.pieces <= options.pieces]
        if file is not None:
            for dispute in disputes:
                line = json.dumps(dispute.to_dict(), ensure_ascii=False)
                file.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    for line in _format_results(search, contest, disputes, options, voice):
        click.echo(line)
    if site is not None:
        for _ in site.write_cycles(disputes):
            pass
        pages = site.voice.say("pages", pages=len(site.rows))
        click.echo(f"\n{site.folder / 'index.html'}: {pages}")
    if not is_complete:
        sys.exit(EXIT_INTERRUPTED)
    if search.unread:
        sys.exit(EXIT_DIFFERENT)


def _choose_pair(options: RuleOptions) -> tuple[RuleSet, RuleSet]:
    """Two rule sets with the same changes, or one rule set and its changed copy."""
    changed = options.choose_all()
    books = changed if len(changed) > 1 else (RuleOptions(options.rules).choose(), *changed)
    if len(books) != 2 or books[0] == books[1]:
        raise click.UsageError(
            "Give two rule sets, --rules A,B; or one with a changed answer, --set QUESTION=VALUE."
        )
    first, second = books
    return first, second


class _Search:
    """Collector of results, with a progress bar on a terminal."""

    def __init__(self) -> None:
        self.cycles = 0
        self.disputes: list[Dispute] = []
        self.unread = 0
        self._early: dict[str, Findings] = {}

    def keep(self, found: Findings) -> None:
        """Store a result ahead of its order, for an interrupt; callable from any thread."""
        self._early[found.part] = found

    def run(
        self, findings: Generator[Findings, None, None], total: int | None, voice: Voice
    ) -> bool:
        """Collect all results; if interrupted, return False with those that were finished."""
        with counting_bar() as progress:
            task = progress.add_task(voice.say("cycles_looking"), total=total)
            try:
                with closing(findings):
                    for each in findings:
                        self._add(each)
                        progress.update(task, completed=self.cycles)
            except KeyboardInterrupt:
                for each in list(self._early.values()):
                    self._add(each)
                click.echo(f"xiangqi: {voice.say('interrupted')}", err=True)
                return False
        return True

    def _add(self, found: Findings) -> None:
        self._early.pop(found.part, None)
        self.cycles += found.cycles
        self.disputes += found.disputes
        self.unread += len(found.unread)
        for problem in found.unread:
            click.echo(f"xiangqi: {problem}", err=True)


def _format_results(
    search: _Search,
    contest: Contest,
    disputes: Sequence[Dispute],
    options: CyclesOptions,
    voice: Voice,
) -> Iterator[str]:
    """Lines with the number of cycles, the clauses with counts, and the smallest cycles."""
    yield voice.say(
        "cycles_found",
        cycles=search.cycles,
        disputes=len(disputes),
        first=short_name(contest.first),
        second=short_name(contest.second),
    )
    facts_note = (voice.say("cycles_facts"),)  # if no clause makes the difference
    reasons = (tuple(format_clauses(one.difference, voice)) or facts_note for one in disputes)
    for clauses, count in Counter(reasons).most_common():
        yield ""
        yield voice.say("cycles_counted", count=count, clause=clauses[0])
        yield from (f"{'':8}{clause}" for clause in clauses[1:])
    for number, dispute in enumerate(disputes[: options.show], start=1):
        yield ""
        yield f"{number}. {name_cycle(dispute, voice)} ({dispute.source})"
        first, second = rulings = dispute.comparison().rulings
        yield from (f"   {format_labelled_ruling(ruling, voice)}" for ruling in rulings)
        if not dispute.difference.clauses:
            yield from (f"   {line}" for line in format_other_marks(first, second, voice))
        yield f"   position fen {dispute.record.fen} moves {' '.join(dispute.record.moves)}"
        for ruling in rulings if options.explain else ():
            yield f"\n{format_ruling(ruling, voice)}"
