"""The commands ``api`` and ``mcp``: HTTP service and MCP server."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import click

from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import gathered
from xiangqi.ground.errors import quote
from xiangqi.ground.installed import how_to_install

__all__ = ["api", "mcp"]

_PORT: Final = 8620
_KEY: Final = "MEIHUA_API_KEY"
_REQUIRED: Final = ("msgspec", "prometheus_client")
_MIN_KEY_LENGTH: Final = 16


class ApiOptions(NamedTuple):
    """Values of the options of the command ``api``."""

    port: int
    host: str
    workers: int
    key_file: Path | None
    origins: Sequence[str]
    max_bytes: int
    max_seconds: float
    max_searches: int
    most_connections: int
    per_address: int
    tables: Path | None
    logs: bool


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
    help="Port to listen on; 0: any free port.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address of this machine to listen on; 0.0.0.0: all.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"File with the key that requests must send; default: the variable {_KEY}, or no key.",
)
@click.option(
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Origin whose pages may send requests; *: all; may be repeated.",
)
@click.option(
    "--body",
    "max_bytes",
    type=click.IntRange(1_000, 1 << 26),
    default=1 << 20,
    show_default=True,
    metavar="BYTES",
    help="Maximum size of a request body, and of a file after decompression.",
)
@click.option(
    "--seconds",
    "max_seconds",
    type=click.FloatRange(0.05, 3_600),
    default=10.0,
    show_default=True,
    help="Time limit of a search, and of any other request.",
)
@click.option(
    "--searches",
    "max_searches",
    type=click.IntRange(0, 256),
    default=2,
    show_default=True,
    help="Maximum number of concurrent searches in each worker.",
)
@click.option(
    "--connections",
    "most_connections",
    type=click.IntRange(1, 10_000),
    default=128,
    show_default=True,
    help="Maximum number of open connections in each worker.",
)
@click.option(
    "--per-address",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    help="Maximum number of open connections from one address in each worker; 0: no such limit.",
)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of endgame tables; default: that of 'xiangqi tables'.",
)
@click.option("--log/--no-log", "logs", default=True, show_default=True, help="Log each request.")
@gathered("options", ApiOptions)
def api(
    options: ApiOptions,
) -> None:
    """Run the HTTP service: rulings, moves, analysis, tables, conversion.

    The service is stateless: each request contains the whole game. The page at / documents all
    requests, /openapi.json is its OpenAPI document, and /metrics is for Prometheus. The log, on
    standard error, has the path, status, time and size of each answer, but no address and no
    content.

    The service speaks plain HTTP: on an open network use it behind a proxy with TLS. Ctrl-C or
    SIGTERM stops it.
    """
    missing = [name for name in _REQUIRED if importlib.util.find_spec(name) is None]
    if missing:
        raise click.UsageError(f"{', '.join(missing)}: not installed; {how_to_install('api')}")
    from xiangqi.contract.errors import FieldError
    from xiangqi.web.api.application import ApiSettings
    from xiangqi.web.api.server import ApiServer

    try:
        settings = ApiSettings(
            key=_read_key(options.key_file),
            origins=tuple(options.origins),
            max_bytes=options.max_bytes,
            max_seconds=options.max_seconds,
            max_searches=options.max_searches,
            tables=options.tables,
        )
    except FieldError as error:
        raise click.UsageError(f"--cors {error.value!r}: expected {error.expected}") from error
    host, port = options.host, options.port
    try:
        server = ApiServer(
            settings,
            port,
            host=host,
            workers=options.workers,
            logs=options.logs,
            most_connections=options.most_connections,
            per_address=options.per_address,
        )
    except OSError as error:
        raise click.UsageError(
            f"Address {host}, port {port}: {error.strerror}; give another --port, or 0 for any "
            "free port."
        ) from error
    with server, suppress(KeyboardInterrupt):
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"http://{shown}:{server.server_port}/  (Ctrl-C stops the service)")
        server.serve_forever()


def _read_key(path: Path | None) -> str:
    """Read the key from a file or the environment, empty for none; UsageError if invalid."""
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
    help="Folder of endgame tables; default: that of 'xiangqi tables'.",
)
@handle_errors
def mcp(tables: Path | None) -> None:
    """Run the MCP server: tools for AI agents, on standard input and output.

    The tools are judge, legal_moves, analyse, tablebase, convert and draw. An agent starts the
    server itself: configure it with the path of this program and the argument mcp.
    """
    try:
        from xiangqi.web.agents import serve
    except ImportError as error:
        raise click.ClickException(f"mcp needs the MCP SDK: {how_to_install('mcp')}") from error
    serve(tables)
