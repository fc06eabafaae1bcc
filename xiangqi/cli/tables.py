"""The command ``tables``: endgame tables that follow the repetition rules."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    Progress,
    TaskID,
    TimeElapsedColumn,
)

from xiangqi.board import Board
from xiangqi.cli.base import CommandGroup, Examples, handle_errors
from xiangqi.cli.options import WorkerOptions, worker_options
from xiangqi.cli.work import choose_workers
from xiangqi.ground.errors import Fact, TableError, XiangqiError, plural
from xiangqi.ground.exits import EXIT_DIFFERENT, EXIT_INTERRUPTED
from xiangqi.ground.progress import counting_bar
from xiangqi.referee.rules import WXF
from xiangqi.tables.classes import (
    SOLVED_RULES,
    MaterialClass,
    class_of,
    one_attacker,
    parse_class,
    require_table,
    up_to_men,
    with_captures,
)
from xiangqi.tables.files import SUFFIX, TableFile, TableHead
from xiangqi.tables.making import (
    DEFENCES,
    Playouts,
    audit_table,
    make_small,
    make_tables,
    missing_tables,
    play_out,
    random_positions,
)
from xiangqi.tables.probing import Tablebase, TableValue, compare_rules, default_folder

__all__ = ["ensure_tables", "tables"]


def ensure_tables(board: Board, folder: Path | None = None) -> None:
    """Make the missing tables of a small material class, and print a note.

    ``folder`` defaults to :func:`~xiangqi.tables.probing.default_folder`. If the tables cannot be
    written, warn and go on.
    """
    place = folder or default_folder()
    material = class_of(board)
    try:
        made = make_small(place, material)
    except (OSError, XiangqiError) as error:
        click.echo(f"no tables of {material.name} made: {error}", err=True)
        return
    if made:
        click.echo(f"{plural(made, 'table')} made in {place}, for {material.name}", err=True)


MAX_PIECES = 5

_folder = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Folder of the tables; default: {default_folder()}.",
)
_rules = click.option(
    "--rules",
    "rules",
    type=click.Choice(SOLVED_RULES),
    multiple=True,
    help=f"Rule set; may be repeated.  [default: {WXF.name}]",
)


@click.group(cls=CommandGroup)
def tables() -> None:
    """Make, probe and verify endgame tables that follow the rules.

    A position that is held only by perpetual check is a draw in ordinary tables; under the rules it
    is lost.
    """


def _choose(names: Sequence[str], men: int | None, attackers: int | None) -> list[MaterialClass]:
    """Material classes chosen by the arguments."""
    chosen = [parse_class(name) for name in names]
    if men is not None:
        chosen += up_to_men(men)
    if attackers is not None:
        chosen += one_attacker()
    return chosen


@tables.command(
    cls=Examples,
    epilog="""
    xiangqi tables make KRvKN
    xiangqi tables make --men 4 --attackers 1 --workers 2
    xiangqi tables make KRvKAABB --rules all-draws --rules wxf --folder tables
    """,
)
@click.argument("classes", metavar="[CLASS]...", nargs=-1)
@click.option(
    "--men",
    type=click.IntRange(2, MAX_PIECES),
    help="All classes with at most this many pieces, generals included.",
)
@click.option(
    "--attackers",
    type=click.IntRange(1, 1),
    help="1: all classes with one attacker against advisors and elephants.",
)
@_rules
@_folder
@worker_options(default="one")
@handle_errors
def make(
    classes: Sequence[str],
    men: int | None,
    attackers: int | None,
    rules: Sequence[str],
    folder: Path | None,
    workers: WorkerOptions,
) -> None:
    """Make the tables of each CLASS, such as KRvKN, and of the classes that captures lead to.

    Existing tables are skipped, so that the same command continues interrupted work.
    """
    chosen = _choose(classes, men, attackers)
    if not chosen:
        raise click.UsageError("Name a class, such as KRvKN, or give --men or --attackers.")
    place = folder or default_folder()
    made = 0
    try:
        bar = counting_bar(clock=TimeElapsedColumn(), transient=False)
        with choose_workers(workers, default=1) as pool, bar as progress:
            for name in rules or (WXF.name,):
                missing = missing_tables(place, chosen, name)
                task = progress.add_task(name, total=len(missing))
                on_progress = functools.partial(_show_progress, progress, task, name)
                for material in make_tables(place, chosen, name, pool, on_progress):
                    progress.update(task, advance=1, description=f"{name} {material.name}")
                    made += 1
    except KeyboardInterrupt:
        click.echo(f"{plural(made, 'table')} so far; the same command continues", err=True)
        raise SystemExit(EXIT_INTERRUPTED) from None
    click.echo(f"{plural(made, 'table')} made in {place}", err=True)


def _show_progress(
    progress: Progress, task: TaskID, rules: str, material: MaterialClass, doing: str, share: float
) -> None:
    progress.update(task, description=f"{rules} {material.name}: {doing}, {share:.0%}")


@tables.command(
    cls=Examples,
    epilog="""
    xiangqi tables probe "8R/9/4k4/9/9/9/9/8n/5K3/9 b"
    xiangqi tables probe "8R/9/4k4/9/9/9/8n/9/5K3/9 b" --folder tables
    """,
)
@click.argument("fen")
@_folder
@handle_errors
def probe(fen: str, folder: Path | None) -> None:
    """Print the value of the position FEN and of its moves under each rule set with a table.

    Missing tables of small classes (up to about four pieces) are made first.
    """
    board = Board(fen)
    ensure_tables(board, folder)
    known = Tablebase(folder or default_folder())
    material = class_of(board)
    names = known.rule_sets(material)
    if not names:
        require_table(material)
        raise click.ClickException(
            f"{known.folder} has no table of {material.name}; "
            f"make it with 'xiangqi tables make {material.name}'"
        )
    click.echo(compare_rules(known, board))
    for name in names:
        value = known.probe(board, name)
        click.echo(f"{name}: {describe(value, board.turn)}")
        for move, move_value in known.probe_moves(board, name):
            click.echo(f"    {move.iccs()}  {describe(move_value, board.turn)}")


def describe(value: TableValue | None, mover: bool) -> str:
    """Describe a value for the side to move ``mover`` in words."""
    if value is None:
        return "unknown"
    if value.value == 0:
        return "draw"
    winner = "Red" if mover == (value.value > 0) else "Black"
    end = "a ruling or mate" if value.by_rule else "mate"
    return f"{winner} wins, {end} in {plural(value.distance, 'ply')}"


@tables.command(
    cls=Examples,
    epilog="""
    xiangqi tables verify
    xiangqi tables verify KRvKN --playouts 100
    """,
)
@click.argument("classes", metavar="[CLASS]...", nargs=-1)
@click.option(
    "--playouts",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Number of random won positions of each class to play out against several defences.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Seed of the random positions."
)
@_rules
@_folder
@handle_errors
def verify(
    classes: Sequence[str], playouts: int, seed: int, rules: Sequence[str], folder: Path | None
) -> None:
    """Check each value of the tables against the values after its moves, and play positions out.

    All tables of the folder are checked, or those of each CLASS and of the classes that captures
    lead to. The exit code is 1 if an error was found.
    """
    place = folder or default_folder()
    wanted = with_captures(_choose(classes, None, None))
    is_any = has_errors = False
    for path in sorted(place.glob(f"*{SUFFIX}")):
        try:
            head = TableFile(path).head
            if (wanted and head.material not in wanted) or (rules and head.rules not in rules):
                continue
            report, is_correct = _verify(path, head, playouts, seed)
        except TableError as error:
            report, is_correct = str(error), False
        click.echo(report)
        is_any = True
        has_errors |= not is_correct
    if not is_any:
        raise TableError(str(place), Fact("table.none"))
    if has_errors:
        raise SystemExit(EXIT_DIFFERENT)


def _verify(path: Path, head: TableHead, playouts: int, seed: int) -> tuple[str, bool]:
    """Return the report on a file, and whether it is correct; raises TableError."""
    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task(path.name, total=1)
        found = audit_table(
            path.parent,
            head.material,
            head.rules,
            lambda _, share: bar.update(task, completed=share),
        )
    parts = [plural(found.positions, "position"), plural(found.violations, "violation")]
    if found.first is not None:
        parts.append(f"such as {found.first.fen()}")
    if head.doubtful:
        parts.append(f"{head.doubtful} draws that may be wins")
    played = _play(Tablebase(path.parent), head.material, head.rules, playouts, seed)
    parts += [
        f"{count} {ending.name.lower().replace('_', ' ')}"
        for ending, count in sorted(played.endings.items(), key=lambda item: item[0].name)
    ]
    parts += [f"not won: {board.root_fen()}" for board, _ in played.failures[:3]]
    return f"{path.name}: {', '.join(parts)}", not (found.violations or played.failures)


def _play(known: Tablebase, material: MaterialClass, rules: str, count: int, seed: int) -> Playouts:
    """Play out ``count`` random decided positions, or fewer if too few are found."""
    played = Playouts()
    rng = random.Random(seed)
    tried = 0
    for board in random_positions(material, rng):
        tried += 1
        if played.games == count or tried > 100 * count:
            return played
        value = known.probe(board, rules)
        if value is None or not value.value or not board.legal_moves:
            continue
        winner = board.turn if value.value > 0 else not board.turn
        outcome = play_out(known, board, rules, rng.choice(DEFENCES), rng)
        played.enter(board, outcome, winner)
    return played
