"""The engine as GUIs start it: the executable ``meihua``, no argument needed. People may ask it for
``--help``, ``--version`` and ``--check``.

The first line decides between UCCI, UCI and the XBoard protocol.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xiangqi.engine.conversation import run
from xiangqi.engine.options import DEFAULT
from xiangqi.exits import run_program
from xiangqi.version import __version__

if TYPE_CHECKING:
    from xiangqi.engine.output import Output
    from xiangqi.engine.protocol import ProtocolServer

__all__ = ["command", "main"]

_HELP = """\
Usage: meihua [--help | --version | --check]

Meihua is a Xiangqi (Chinese chess) engine for a GUI, which is given the path of this program and
speaks UCCI, UCI or the XBoard protocol with it; the first line decides. No argument is needed.

  --help     Show this and leave.
  --version  Show the version and leave.
  --check    Start the engine as a GUI does, speak each protocol with it, tell what a GUI would see.

How to put it into which GUI is told in docs/gui.md of the project; its other commands are those of
the program xiangqi."""


def command() -> None:
    """Run the executable: speak with a GUI, or print what the option asks for."""
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
    else:
        print(f"meihua: {words[0]!r} is passed over; expected --help or nothing", file=sys.stderr)
        main()


def _check() -> int:
    """Tell what a GUI would see; the exit code."""
    from xiangqi.engine.check import check_lines

    is_well = True
    for line, well in check_lines():
        print(line, flush=True)
        is_well = well
    return 0 if is_well else 1


def main(network: str = DEFAULT) -> None:
    """Speak with a GUI on standard input and output until told to quit.

    Raises NetworkError if what is to evaluate is no network.
    """
    run(sys.stdin.buffer, sys.stdout.buffer, lambda output: _start(output, network))


def _start(output: Output, network: str) -> Sequence[ProtocolServer]:
    """The engine, imported only now that the handshake has been answered."""
    from xiangqi.engine.bench import bench_lines
    from xiangqi.engine.engine import Engine
    from xiangqi.engine.protocol import Tools
    from xiangqi.engine.servers import make_servers
    from xiangqi.engine.trace import format_trace, value_of

    tools = Tools(evaluate=value_of, trace=format_trace, bench=bench_lines)
    return make_servers(Engine(network=network), output, tools)


if __name__ == "__main__":
    command()
