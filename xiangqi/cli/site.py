"""The command ``site``: the board and the referee as static files."""

from __future__ import annotations

from pathlib import Path

import click

from xiangqi.cli.base import Examples, refusing
from xiangqi.web.site.build import Site

__all__ = ["site"]

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command(
    cls=Examples,
    epilog="""
    xiangqi site -o site --runtime node_modules/pyodide --core meihua.whl
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
    "--runtime",
    required=True,
    type=_FOLDER,
    metavar="DIR",
    help="Folder of the npm package of Pyodide.",
)
@click.option(
    "--core",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="WHEEL",
    help="Meihua's wheel for WebAssembly.",
)
@refusing
def site(folder: Path, runtime: Path, core: Path) -> None:
    """Write the board and the referee as files for any web server.

    The browser runs the package in WebAssembly: games are entered, pasted, judged, explained and
    played against the engine on the reader's machine. In a checkout 'python dev.py site' fetches
    Pyodide, builds the wheel and writes build/site.
    """
    size = Site(folder, runtime, core).write()
    click.echo(f"{folder / 'index.html'}: {size / 1e6:.1f} MB")
