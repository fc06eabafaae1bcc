"""The commands ``serve`` and ``site``: the board in the browser, served or as static files."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import click

from xiangqi.board.scores import EngineError
from xiangqi.books import open_book
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import RuleOptions, gathered, rule_options, voice_options
from xiangqi.client import split_command
from xiangqi.games.formats import find_games
from xiangqi.ground.errors import quote
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.engines import Engines
from xiangqi.web.serve.server import WebServer
from xiangqi.web.serve.thinking import MAX_NAME_LENGTH, OWN_ENGINE
from xiangqi.web.site.build import Site
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["serve", "site"]

_PORT: Final = 8610


class ServeOptions(NamedTuple):
    """Values of the options of the command, except for language, notation and rules."""

    port: int
    opens: bool
    host: str | None
    """Address to listen on; None for this machine alone."""
    engines: Sequence[str]
    """Further engines, NAME=CMD."""
    per_address: int
    book_file: str | None


@click.command(
    cls=Examples,
    epilog="""
    xiangqi serve
    xiangqi serve games.pgn more.xqf --lang zh
    xiangqi serve --rules checks-only --port 0 --no-open
    xiangqi serve --book my.obk
    xiangqi serve --host 0.0.0.0 --no-open
    xiangqi serve --engine "Fairy=/usr/games/fairy-stockfish" --engine "Mine=python my.py"
    """,
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=_PORT,
    show_default=True,
    help="Port to listen on; 0: any free port.",
)
@click.option(
    "--open/--no-open", "opens", default=True, show_default=True, help="Open the browser."
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Listen on this address of the machine (0.0.0.0: all), so that other machines can "
    "connect. They need the printed token.",
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME=CMD",
    help="Offer this UCI, UCCI or XBoard engine on the page; may be repeated.",
)
@click.option(
    "--per-address",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    help="Maximum number of open connections from one address; 0: no such limit.",
)
@click.option("--book", "book_file", metavar="BOOK", help="Opening book whose moves are shown.")
@voice_options(PAGE_VOICE)
@rule_options()
@gathered("options", ServeOptions)
@handle_errors
def serve(
    files: tuple[str, ...],
    options: ServeOptions,
    voice: Voice,
    rules: RuleOptions,
) -> None:
    """Open a board in the browser: play, paste, judge and explain games.

    Games are entered on the board or pasted in any notation, replayed, and continued against the
    engine. Each new position is judged, and repetitions are explained move by move. The games in
    FILEs, in any format that 'xiangqi convert' reads, get a page each; a folder means its
    files, - standard input.

    Language, notation and rules can be changed on the page. Without --host only this machine can
    connect. Ctrl-C stops the server.
    """
    rule_set = rules.choose()
    book = None if options.book_file is None else open_book(options.book_file)
    commands = _read_engines(options.engines)
    application = Application(rule_set, voice, find_games(files), book, Engines(commands))
    host, port = options.host, options.port
    try:
        server = WebServer(application, port, host=host or "", per_address=options.per_address)
    except OSError as error:
        place = f"Address {host}, port {port}" if host else f"Port {port}"
        raise click.UsageError(
            f"{place}: {error.strerror}; give another --port, or 0 for any free port."
        ) from error
    with server, suppress(KeyboardInterrupt):
        click.echo(f"{server.address}  {voice.say('ctrl_c')}")
        if options.opens:
            # In a thread, since a browser in the terminal returns only when it is closed.
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        server.serve_forever()
    click.echo()


def _read_engines(texts: Sequence[str]) -> dict[str, str]:
    """Parse NAME=CMD options into commands by engine name."""
    commands: dict[str, str] = {}
    for text in texts:
        name, equals, command = (part.strip() for part in text.partition("="))
        if not (name and equals and command):
            raise click.UsageError(f"--engine {quote(text)}: expected NAME=CMD.")
        if name == OWN_ENGINE or name in commands or len(name) > MAX_NAME_LENGTH:
            raise click.UsageError(
                f"--engine {quote(text)}: expected a unique name of at most "
                f"{MAX_NAME_LENGTH} characters."
            )
        try:
            split_command(command)
        except EngineError as error:
            raise click.UsageError(f"--engine {quote(text)}: {error}.") from error
        commands[name] = command
    return commands


_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command(
    cls=Examples,
    epilog="""
    xiangqi site -o site --packs build/packs/site
    """,
)
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=_FOLDER,
    metavar="DIR",
    help="Output folder: new, empty, or an older site.",
)
@click.option(
    "--packs",
    required=True,
    type=_FOLDER,
    metavar="DIR",
    help="Folder with Python and the package for browsers.",
)
@handle_errors
def site(folder: Path, packs: Path) -> None:
    """Write the board and the referee as a static web site.

    The browser runs the package in WebAssembly: games are entered, pasted, judged, explained and
    played against the engine without a server. In a checkout 'python dev.py site' makes the packs
    and writes build/site.
    """
    size = Site(folder, packs).write()
    click.echo(f"{folder / 'index.html'}: {size / 1e6:.1f} MB")
