"""The command ``mcp``: tools for agents by the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from xiangqi.cli.base import Examples, refusing
from xiangqi.installed import how_to_install

__all__ = ["mcp"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi mcp
    xiangqi mcp --tables my-tables
    """,
)
@click.option(
    "--tables",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of endgame tables; default: the usual one.",
)
@refusing
def mcp(tables: Path | None) -> None:
    """Serve tools for agents on standard input and output (MCP).

    The tools are judge, legal_moves, analyse, tablebase, convert and draw. An agent starts this
    command by itself: give it the path of this program and the argument mcp.
    """
    try:
        from xiangqi.web.agents import make_server
    except ImportError as error:
        raise click.ClickException(f"mcp needs the MCP SDK: {how_to_install('mcp')}") from error
    make_server(tables).run()
