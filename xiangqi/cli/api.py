"""The commands ``api`` and ``mcp``: the referee, the engine and the tables for other programs."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from xiangqi.cli.base import Examples, refusing
from xiangqi.errors import quote
from xiangqi.installed import how_to_install

__all__ = ["api", "mcp"]

_PORT: Final = 8620
_KEY: Final = "MEIHUA_API_KEY"
_NEEDED: Final = ("msgspec", "prometheus_client")
_MIN_KEY_LENGTH: Final = 16


@click.command(
    cls=Examples,
    epilog="""
    xiangqi api
    xiangqi api --host 0.0.0.0 --key-file key.txt --workers 4
    xiangqi api --cors https://example.org --seconds 2 --searches 1
    """,
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=_PORT,
    show_default=True,
    help="Port to listen on; 0: any free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address of this machine to listen on, 0.0.0.0 for all.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes that answer.",
)
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"File with the key that requests must have; default: the variable {_KEY}, or no key.",
)
@click.option(
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Origin whose pages may send requests, * for all; may be repeated.",
)
@click.option(
    "--body",
    "max_bytes",
    type=click.IntRange(1_000, 1 << 26),
    default=1 << 20,
    show_default=True,
    metavar="BYTES",
    help="Largest request body, and largest file after unpacking.",
)
@click.option(
    "--seconds",
    "max_seconds",
    type=click.FloatRange(0.05, 3_600),
    default=10.0,
    show_default=True,
    help="Longest time of a search, and of any other answer.",
)
@click.option(
    "--searches",
    "max_searches",
    type=click.IntRange(0, 256),
    default=2,
    show_default=True,
    help="Searches at a time in each worker.",
)
@click.option(
    "--connections",
    "most_connections",
    type=click.IntRange(1, 10_000),
    default=128,
    show_default=True,
    help="Connections at a time in each worker.",
)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of endgame tables; default: the usual one.",
)
@click.option("--log/--no-log", "logs", default=True, show_default=True, help="Log each request.")
def api(
    port: int,
    host: str,
    workers: int,
    key_file: Path | None,
    origins: Sequence[str],
    max_bytes: int,
    max_seconds: float,
    max_searches: int,
    most_connections: int,
    tables: Path | None,
    logs: bool,
) -> None:
    """Run the HTTP service: rulings, moves, analysis, tables, conversion.

    Every request brings the whole game, nothing is kept. The page at / describes all requests,
    /openapi.json is the same as an OpenAPI document, /metrics is for Prometheus. The log, on
    standard error, has the path, status, time and size of each answer, no address and no content.

    Transport is plain HTTP: put a proxy with TLS before it where others can listen. Ctrl-C or
    SIGTERM stops the service.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise click.UsageError(f"{', '.join(missing)}: not installed; {how_to_install('api')}")
    from xiangqi.web.api.application import ApiSettings
    from xiangqi.web.api.problems import FieldError
    from xiangqi.web.api.server import ApiServer

    try:
        settings = ApiSettings(
            key=_read_key(key_file),
            origins=tuple(origins),
            max_bytes=max_bytes,
            max_seconds=max_seconds,
            max_searches=max_searches,
            tables=tables,
        )
    except FieldError as error:
        raise click.UsageError(f"--cors {error.value!r}: expected {error.expected}") from error
    try:
        server = ApiServer(
            settings,
            port,
            host=host,
            workers=workers,
            logs=logs,
            most_connections=most_connections,
        )
    except OSError as error:
        raise click.UsageError(
            f"Address {host}, port {port}: {error.strerror}; give another --port, or 0 for any "
            "that is free."
        ) from error
    with server, suppress(KeyboardInterrupt):
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"http://{shown}:{server.server_port}/  (Ctrl-C stops the service)")
        server.serve_forever()


def _read_key(path: Path | None) -> str:
    """The key of a file or of the environment; empty for none. Usage error for a short one."""
    source = _KEY if path is None else str(path)
    try:
        key = (os.environ.get(_KEY, "") if path is None else path.read_text("utf-8")).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"--key-file {quote(source)}: {error}") from error
    is_short = len(key) < _MIN_KEY_LENGTH and (key or path is not None)
    if is_short or not (key.isascii() and (key.isprintable() or not key)):
        raise click.UsageError(
            f"{source}: the key has {len(key)} characters; expected {_MIN_KEY_LENGTH} or more, "
            "printable ASCII"
        )
    return key


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
        from xiangqi.web.agents import serve
    except ImportError as error:
        raise click.ClickException(f"mcp needs the MCP SDK: {how_to_install('mcp')}") from error
    serve(tables)
