"""The command ``book``: make, show, merge and check opening books."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import click

from xiangqi.board import Board
from xiangqi.books import BookMove, open_book
from xiangqi.books.base import Row
from xiangqi.books.checking import BookReport, check_book
from xiangqi.books.making import DEFAULT_RECIPE, BookMaker, BookMerger, Recipe
from xiangqi.books.opening import WRITABLE, find_writer
from xiangqi.cli.base import CommandGroup, Examples, handle_errors
from xiangqi.cli.options import RuleOptions, force_option, is_fen, rule_options, voice_options
from xiangqi.games.formats import find_games, read_games
from xiangqi.games.pasting import read_moves
from xiangqi.games.record import parse_position
from xiangqi.ground.errors import Fact, FormatError, plural
from xiangqi.ground.exits import EXIT_DIFFERENT, EXIT_INTERRUPTED
from xiangqi.ground.files import name_input, new_file, open_input
from xiangqi.ground.progress import show_count, show_progress
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["book"]

_OUTPUT: Final = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="BOOK",
    required=True,
    help=f"Output file, with the suffix {' or '.join(WRITABLE)}.",
)


@click.group(cls=CommandGroup)
def book() -> None:
    """Make, show, merge and check opening books.

    Formats: OBK and PengFei (read and written); BOOK.DAT of ElephantEye, and its text form with
    "move weight FEN" on each line (read).
    """


@book.command(
    cls=Examples,
    epilog="""
    xiangqi book make examples/games.pgn -o my.obk --min 1
    xiangqi book make games/ more.xqf -o my.pfBook --plies 40 --half-life 10
    """,
)
@click.argument("games", nargs=-1, required=True, metavar="GAMES...")
@_OUTPUT
@click.option(
    "--plies",
    type=click.IntRange(1, 1000),
    default=DEFAULT_RECIPE.plies,
    show_default=True,
    help="Number of plies to use of each game.",
)
@click.option(
    "--min",
    "least",
    type=click.IntRange(1),
    default=DEFAULT_RECIPE.min_games,
    show_default=True,
    metavar="N",
    help="Omit moves played in fewer than N games.",
)
@click.option(
    "--half-life",
    type=click.FloatRange(1, 1000),
    metavar="YEARS",
    help="Age relative to the newest game at which the weight of a game is halved.",
)
@click.option(
    "--names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Names for opening codes: a JSON list of {code, name}.",
)
@force_option
@handle_errors
def make(
    games: Sequence[str],
    output: Path,
    plies: int,
    least: int,
    half_life: float | None,
    names: Path | None,
    force: bool,
) -> None:
    """Make a book from GAMES: files or folders in any format that 'xiangqi convert' reads.

    A move gets weight 2 for each game that its player won, and 1 for each draw or game without a
    result; every 400 rating points double the weight. Its note is the most frequent opening name
    in the headers of its games.

    The same games and options give the same bytes, whatever the order of the games. Ctrl-C stops
    reading, and writes the book of the games read so far.
    """
    find_writer(output)
    recipe = Recipe(plies, least, half_life or 0.0, _read_names(names) if names else {})
    maker = BookMaker(recipe)
    is_interrupted = False
    try:
        faulty = _read_all(maker, find_games(games))
    except KeyboardInterrupt:
        is_interrupted, faulty = True, 0
        click.echo("xiangqi: interrupted; the book holds the games read so far", err=True)
    rows = list(maker.rows())
    _write(rows, output, force=force)
    counted = f"{plural(maker.games, 'game')}, {faulty} of them with errors"
    click.echo(f"{counted}, went into {output}" if rows else counted, err=True)
    sys.exit(EXIT_INTERRUPTED if is_interrupted else EXIT_DIFFERENT if faulty else 0)


def _read_all(maker: BookMaker, names: Sequence[str]) -> int:
    """Read all games and print their errors; return the number of faulty games and files."""
    faulty = 0
    for name in names:
        try:
            faulty += _read_file(maker, name)
        except FormatError as error:
            if len(names) == 1:
                raise
            click.echo(f"xiangqi: {error}", err=True)
            faulty += 1
    return faulty


def _read_file(maker: BookMaker, name: str) -> int:
    """Read the games of a file; return the number of games with errors."""
    faulty = 0
    with open_input(name) as data:
        games = read_games(data, source=name_input(name))
        with closing(show_progress(games, data, name, "Reading")) as shown:
            for game in shown:
                for error in game.errors:
                    click.echo(error, err=True)
                faulty += bool(game.errors)
                maker.add(game)
    return faulty


def _read_names(path: Path) -> dict[str, str]:
    """Read the names of openings by their codes; raises FormatError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(one["code"]): str(one["name"]) for one in data}
    except (ValueError, TypeError, KeyError) as error:
        why = Fact("file.openings", error=repr(error))
        raise FormatError(str(path), "", why) from error


def _write(rows: Sequence[Row], output: Path, *, force: bool) -> None:
    with new_file(output, replace=force) as out:
        if rows:
            find_writer(output).write(rows, out)
    click.echo(f"{plural(len(rows), 'row')}{'' if rows else ': no book is written'}", err=True)


@book.command(
    cls=Examples,
    epilog="""
    xiangqi book show examples/opening.obk
    xiangqi book show examples/opening.obk --moves "h2e2 b9c7"
    xiangqi book show examples/opening.obk "炮二平五" --lang zh
    """,
)
@click.argument("path", metavar="BOOK")
@click.argument("position", nargs=-1, metavar="[FEN | MOVES]")
@click.option("--moves", metavar="MOVES", help="Further moves, in any notation.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@voice_options(PLAIN_VOICE)
@handle_errors
def show(
    path: str, position: tuple[str, ...], moves: str | None, as_json: bool, voice: Voice
) -> None:
    """Show the moves of BOOK in a position, by falling weight.

    For each move: its weight, the games won, drawn and lost by its player, the score in percent,
    and its note. The position is a FEN, a 'position' command of UCCI or UCI, or moves from the
    starting position.
    """
    board = _read_position(position, moves)
    with open_book(path) as opened:
        found = opened.find(board)
    if as_json:
        rows = [
            {
                "move": one.move.iccs(),
                "weight": one.weight,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
                "note": one.note,
            }
            for one in found
        ]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    if not found:
        click.echo(f"no moves for {board.fen()}")
    for one in found:
        click.echo(_describe(board, one, voice))


def _read_position(words: tuple[str, ...], moves: str | None) -> Board:
    text = " ".join(words)
    if is_fen(words):
        board = Board(text)
    elif text.split()[:1] in (["position"], ["startpos"], ["fen"]):
        board = parse_position(text).play()
    else:
        board = Board()
        moves = " ".join(filter(None, [text, moves]))
    for move in read_moves(moves or "", board.fen()).moves:
        board.push_iccs(move)
    return board


def _describe(board: Board, found: BookMove, voice: Voice) -> str:
    names = dict.fromkeys((voice.move(board, found.move), found.move.iccs()))
    words = [*names, f"{found.weight:>8}"]
    if found.games:
        points = (found.wins + found.draws / 2) / found.games
        words += [f"+{found.wins} ={found.draws} -{found.losses}", f"{points:.1%}"]
    return "  ".join([*words, found.note]).rstrip()


@book.command(
    cls=Examples,
    epilog="""
    xiangqi book merge examples/opening.obk my.obk -o both.obk
    xiangqi book merge BOOK.DAT -o book.obk
    """,
)
@click.argument("paths", nargs=-1, required=True, metavar="BOOK...")
@_OUTPUT
@force_option
@handle_errors
def merge(paths: Sequence[str], output: Path, force: bool) -> None:
    """Merge books into one; weights and counts are added.

    A single book is converted to another format. Positions that are not reached from the starting
    position are copied unchanged, except from BOOK.DAT: since its position keys differ from those
    of the other formats, only reachable positions can be converted.
    """
    find_writer(output)
    with ExitStack() as stack:
        merger = BookMerger([stack.enter_context(open_book(path)) for path in paths])
        for _ in show_count(merger.walk(), "Positions:"):
            pass
    _write(merger.rows, output, force=force)
    if merger.left_out:
        click.echo(
            f"left out, not reached from the starting position: {plural(merger.left_out, 'row')}",
            err=True,
        )


@book.command(
    cls=Examples,
    epilog="""
    xiangqi book check examples/opening.obk
    """,
)
@click.argument("path", metavar="BOOK")
@rule_options()
@handle_errors
def check(path: str, rules: RuleOptions) -> None:
    """Check BOOK for illegal moves, negative numbers, and moves that repeat a position.

    All positions that its lines reach from the starting position are checked. Moves that repeat a
    position are counted by the ruling on that repetition. The exit code is 1 if an error was found.
    Ctrl-C prints the report so far.
    """
    rule_set = rules.choose()
    report = BookReport()
    with open_book(path) as opened, contextlib.suppress(KeyboardInterrupt):
        for _ in show_count(check_book(opened, rule_set, report), "Positions:"):
            pass
    for line in report.lines():
        click.echo(line)
    sys.exit(0 if report.is_sound else EXIT_DIFFERENT)
