"""The program ``meihua``: without arguments the engine for GUIs; ``--help``, ``--version`` and
``--check`` for users.

The first line selects UCCI, UCI or the XBoard protocol.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xiangqi.engine.conversation import run
from xiangqi.engine.options import DEFAULT
from xiangqi.ground.exits import EXIT_WRONG_INPUT, run_program
from xiangqi.ground.installed import __version__

if TYPE_CHECKING:
    from xiangqi.engine.conversation import Output
    from xiangqi.engine.engine import Engine
    from xiangqi.engine.protocol import ProtocolServer, Tools

__all__ = ["command", "main", "make_servers"]

_HELP = """\
Usage: meihua [--help | --version | --check]

Meihua, a Xiangqi (Chinese chess) engine. Give a GUI the path of this program, without arguments. It
speaks UCCI, UCI and the XBoard protocol; the first line selects one.

  --help     Show this message and exit.
  --version  Show the version and exit.
  --check    Test the engine in each protocol, as a GUI would, and exit.

docs/gui.md explains the set-up of each GUI. The program xiangqi has all other commands.
Exit codes: 0 success, 1 a failed check, 2 a wrong option."""


def command() -> None:
    """Run the program: serve a GUI, or execute an option."""
    run_program("meihua", _command)


def _command() -> None:
    words = sys.argv[1:]
    if not words:
        main()
    elif words[0] in ("--help", "-h"):
        print(_HELP)
    elif words[0] in ("--version", "-V"):
        print(f"Meihua {__version__}")
    elif words[0] == "--check":
        sys.exit(_check())
    elif words[0].startswith("-"):
        expected = "expected --help, --version, --check or nothing"
        print(f"meihua: unknown option {words[0]!r}: {expected}", file=sys.stderr)
        sys.exit(EXIT_WRONG_INPUT)
    else:  # a GUI that passes an argument still expects the dialogue
        print(f"meihua: ignored argument {words[0]!r}: expected none", file=sys.stderr)
        main()


def _check() -> int:
    """Run the self-test and print its lines; return the exit code."""
    from xiangqi.engine.check import check_lines

    passed = True
    for line, passed_so_far in check_lines():
        print(line, flush=True)
        passed = passed_so_far
    return 0 if passed else 1


def main(network: str = DEFAULT) -> None:
    """Run the dialogue on standard input and output until ``quit``.

    Raises NetworkError if ``network`` is not a network file.
    """
    run(sys.stdin.buffer, sys.stdout.buffer, lambda output: _start(output, network))


def _start(output: Output, network: str) -> Sequence[ProtocolServer]:
    """Import and make the engine and its servers, after the handshake has been answered."""
    from xiangqi.engine.bench import bench_lines
    from xiangqi.engine.engine import Engine
    from xiangqi.engine.network import format_evaluation, value_of
    from xiangqi.engine.protocol import Tools

    tools = Tools(evaluate=value_of, format_evaluation=format_evaluation, bench=bench_lines)
    return make_servers(Engine(network=network), output, tools)


def make_servers(
    engine: Engine, output: Output, tools: Tools | None = None
) -> Sequence[ProtocolServer]:
    """Make a server for each protocol, in the order of DECLARATIONS."""
    from xiangqi.engine.cecp import CecpServer
    from xiangqi.engine.protocol import Tools
    from xiangqi.engine.ucci import UcciServer
    from xiangqi.engine.uci import UciServer

    output.on_closed = engine.stop
    servers = UcciServer, CecpServer, UciServer
    return [server(engine, output, tools or Tools()) for server in servers]


if __name__ == "__main__":
    command()
