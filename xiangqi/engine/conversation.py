"""The conversation with a GUI: the handshake first, then the engine.

GUIs give an engine little time for its first answer, and importing it takes longer than that on a
busy machine. So nothing is imported here before the first line has been answered; what comes
meanwhile waits in the pipe and is taken in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO, ClassVar, Protocol, TypeAlias

from xiangqi.engine.declarations import DECLARATIONS, Declaration
from xiangqi.engine.output import Output
from xiangqi.lines import read_lines

__all__ = ["Speaker", "Start", "run"]


class Speaker(Protocol):
    """Interface of a :class:`~xiangqi.engine.protocol.ProtocolServer` for a conversation."""

    DECLARATION: ClassVar[Declaration]

    def begin(self) -> None:
        """Become the one that the engine speaks to."""

    def knows(self, word: str) -> bool:
        """Is there such a command?"""

    def receive(self, line: str) -> bool:
        """Carry out a line; False if it was the last one."""

    def say(self, text: str) -> None:
        """Tell people something."""

    def leave(self) -> None:
        """Stop the search, if there is one."""


Start: TypeAlias = Callable[[Output], Sequence[Speaker]]
"""Makes an engine, and one server on top of it for each of DECLARATIONS."""


def run(stdin: BinaryIO, stdout: BinaryIO, start: Start) -> None:
    """Speak with a GUI until it quits or goes away.

    The first line that is a handshake chooses the protocol. A line that only a person or a GUI
    without manners would begin with, such as ``d`` or ``position``, is taken by the last of them.
    If the engine cannot start, a message says so and its error is raised.
    """
    output = Output(stdout)
    servers: Sequence[Speaker] = ()
    speaking: Speaker | None = None
    try:
        for line in read_lines(stdin):
            if line == "":
                continue
            if line is not None:
                output.heard(line)
            asked = _asked_for(line) if speaking is None else None
            if asked is not None:
                output.send(*asked.greeting())
            servers = servers or _start(start, output, asked or DECLARATIONS[-1])
            if speaking is None:
                speaking = _choose(servers, asked, line)
            if asked is None and not _pass_on(line, speaking or servers[-1]):
                break
            if output.is_closed:
                break
    except KeyboardInterrupt:
        pass
    finally:
        if servers:
            servers[0].leave()
        output.transcript.close()
        if output.is_closed:
            output.discard()


def _asked_for(line: str | None) -> Declaration | None:
    """The protocol that a first line asks for."""
    word = (line or "-").split()[0].lower()
    return next((one for one in DECLARATIONS if word in one.handshakes), None)


def _start(start: Start, output: Output, declaration: Declaration) -> Sequence[Speaker]:
    try:
        return start(output)
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())
        output.send(f"{declaration.message} the engine cannot start: {words}")
        raise


def _choose(
    servers: Sequence[Speaker], asked: Declaration | None, line: str | None
) -> Speaker | None:
    """The server that answers from now on; None if the line is no command at all."""
    chosen = next((one for one in servers if one.DECLARATION is asked), None)
    if chosen is None and line is not None and servers[-1].knows(line.split()[0].lower()):
        chosen = servers[-1]
    if chosen is not None:
        chosen.begin()
    return chosen


def _pass_on(line: str | None, server: Speaker) -> bool:
    """Have a line carried out; False if it was the last one."""
    if line is None:
        server.say("a line that is too long was left out")
        return True
    return server.receive(line)
