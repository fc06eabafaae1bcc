"""UCCI: bad lines, and the end of the engine."""

from __future__ import annotations

import queue
import random
import string
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.patience import PATIENCE_S
from tests.support.ucci import BEST
from xiangqi.ground.lines import MAX_LINE_LENGTH

ROOT = Path(__file__).parents[2]


# Bad lines


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("xyzzy 1 2", "unknown command 'xyzzy 1 2'"),
        ("position fen x", "cannot do 'position fen x': invalid FEN 'x': piece placement"),
        ("position", "expected 'position fen F"),
        ("position startpos moves h2e2 h2e2", "move 2: 'h2e2': there is no piece on h2"),
        ("position startpos moves h2e2 ?", "move 2: '?': expected two different squares"),
        ("position fen 4k4/9/9/9/9/9/9/9/9/9 w", "red has no general"),
        ("go perft x", "cannot do 'go perft x': perft: found 'x', expected a number"),
        ("setoption", "expected the name of an option"),
        ("setoption hashsize 99999999", "invalid option hashsize '99999999'"),
        ("setoption hashsize 8192", "expected a smaller value"),
        ("setoption usemillisec 2", "invalid option usemillisec '2': expected true or false"),
        ("probe", "expected 'position fen F"),
        ("\x00\x01", "unknown command '\\x00\\x01'"),
        ("go\x00 depth 1", "unknown command"),
        ("__init__", "unknown command"),
        ("炮二平五", "unknown command '炮二平五'"),
    ],
)
def test_bad_lines_are_reported_and_change_nothing(
    talk: Conversation, line: str, part: str
) -> None:
    with talk:
        talk.ask("position startpos moves b2e2")
        heard = talk.ask(line)
        assert len(heard) == 1
        assert heard[0].startswith("info message ")
        assert part in heard[0]
        assert talk.engine.board.move_stack[0].iccs() == "b2e2"


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00garbage\x80",
        "炮二平五".encode("gb18030"),
        b"\x00" * 5000,
        b"a" * (MAX_LINE_LENGTH - 1),
        b"a" * (3 * MAX_LINE_LENGTH),
        b"position startpos moves " + b"h2e2 " * 100_000,
        b"go depth " + b"9" * 100_000,
    ],
    ids=["binary", "gb18030", "nul", "long", "too long", "moves", "number"],
)
def test_binary_and_huge_lines(talk: Conversation, line: bytes) -> None:
    with talk:
        talk.send(line)
        heard = talk.ask("stop")
        assert all(len(said) < 1000 for said in heard)
        assert talk.engine.wait(PATIENCE_S)
        talk.send("go depth 1")
        talk.expect("bestmove")


def test_unknown_options_are_ignored_and_unknown_first_lines_too() -> None:
    with Conversation() as talk:
        talk.send("hello", "", "  ", "ucci")
        assert talk.hear() == "info string unknown command 'hello'"
        talk.expect("ucciok")
        assert talk.ask("setoption nosuch 1", "setoption Clear Hash") == []


WORDS = """
    position fen startpos moves go depth nodes time increment movestogo infinite ponder draw
    ponderhit stop isready setoption hashsize threads usemillisec name value banmoves searchmoves
    probe d judge eval h2e2 h9g7 b2e2 0 1 2 -1 999999999999 true false newgame debug multipv
    opptime oppincrement mate movetime wtime btime winc repetition checkban ucci uci ucinewgame
    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w b - /
    9/4k4/9/9/9/9/9/9/2p6/3K1RBc1
""".split()


def random_line(rng: random.Random) -> bytes:
    if rng.random() < 0.1:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(40))).replace(b"\n", b"")
    words = [rng.choice(WORDS) for _ in range(rng.randrange(1, 8))]
    if rng.random() < 0.1:
        words.insert(rng.randrange(len(words)), "".join(rng.choices(string.printable, k=6)))
    return " ".join(words).encode().replace(b"\n", b"")


@pytest.mark.parametrize("handshake", ["ucci", "uci"])
def test_10000_random_lines(handshake: str) -> None:
    rng = random.Random(handshake)
    with Conversation(FakeSearcher(step_ms=0)) as talk:
        talk.send(handshake)
        for number in range(10000):
            talk.send(random_line(rng))
            if number % 50 == 0:
                talk.ask("stop")
        talk.ask("stop")
        assert talk.engine.wait(PATIENCE_S)
        talk.send("position startpos", "go depth 1")
        talk.expect("bestmove")
        assert not [line for line in talk.end() if " failed at " in line]


# The end


def test_quit_while_thinking(thinking: Conversation) -> None:
    with thinking:
        thinking.send("quit")
        lines = thinking.end()
        assert BEST.fullmatch(lines[-2])
        assert lines[-1] == "bye"


def test_a_closed_pipe_while_thinking(thinking: Conversation) -> None:
    with thinking:
        assert BEST.fullmatch(thinking.end()[-1])


class Searching(NamedTuple):
    """An engine in an endless search in another process."""

    process: subprocess.Popen[bytes]
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def send(self, line: bytes) -> None:
        self.stdin.write(line)
        self.stdin.flush()

    def leaves_in_peace(self) -> bool:
        return self.process.wait(timeout=PATIENCE_S) == 0 and self.stderr.read() == b""


@pytest.fixture
def searching() -> Iterator[Searching]:
    command = [sys.executable, "-m", "tests.engines.fake_searcher", "1"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        found = Searching(process, process.stdin, process.stdout, process.stderr)
        found.send(b"ucci\ngo infinite\n")
        said = iter(found.stdout.readline, b"")
        assert any(line.startswith(b"info depth 3") for line in said)
        yield found


@pytest.mark.parametrize("leaving", ["quit", "close", "close both"])
def test_a_process_exits_at_once(searching: Searching, leaving: str) -> None:
    if leaving == "quit":
        searching.send(b"quit\n")
    else:
        if leaving == "close both":
            searching.stdout.close()
        searching.stdin.close()
    assert searching.leaves_in_peace()
    if leaving != "close both":
        assert b"bestmove " in searching.stdout.read()


def test_closed_output(searching: Searching) -> None:
    """The next line of output stops the search and ends the process."""
    searching.stdout.close()
    time.sleep(0.2)
    assert searching.process.poll() is None
    searching.send(b"isready\n")
    assert searching.leaves_in_peace()


def test_no_output_without_a_command(talk: Conversation) -> None:
    with talk, pytest.raises(queue.Empty):
        talk.hear(timeout=0.1)
