"""The handshake is answered before the engine is imported, and no line is lost."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest

import xiangqi
from tests.engines.fake_searcher import FakeSearcher
from tests.support.patience import PATIENCE_S
from xiangqi import Board, Move, public
from xiangqi.engine import Engine
from xiangqi.engine.conversation import Output, Server, run
from xiangqi.engine.meihua import make_servers
from xiangqi.engine.options import CECP, DECLARATIONS, UCCI, UCI, Declaration

HEAVY = ["click", "jinja2", "rich", "chess", "json", "pathlib", "urllib", "importlib.resources"]
HEAVY += [
    "sqlite3",
    "xiangqi.books",
    "xiangqi.core",
    "xiangqi.board",
    "xiangqi.engine.engine",
    "xiangqi.pieces",
    "xiangqi.drawing.svg",
]

WITHOUT_AN_ENGINE = f"""
import sys
before = set(sys.modules)
import xiangqi.engine.meihua
def start(output, network):
    print(sorted((set(sys.modules) - before).intersection({HEAVY})), file=sys.stderr)
    raise ImportError("no engine today")
xiangqi.engine.meihua._start = start
xiangqi.engine.meihua.main()
"""


def run_python(program: str, said: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, input=said, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("declaration", "word"), [(UCCI, "ucci"), (UCI, "uci"), (UCI, "ucicyclone"), (CECP, "xboard")]
)
def test_the_first_answer_needs_no_engine(declaration: Declaration, word: str) -> None:
    """It is sent before the large imports, and an engine that cannot start reports this."""
    done = run_python(WITHOUT_AN_ENGINE, f"\n{word}\nisready\n")
    *greeting, failure = done.stdout.splitlines()
    assert greeting == declaration.greeting()
    expected = "the engine cannot start: ImportError: no engine today"
    assert failure == f"{declaration.message} {expected}"
    assert done.stderr.splitlines()[0] == "[]"
    assert done.returncode == 1


def test_a_wrong_network_ends_the_command_with_its_reason() -> None:
    command = [sys.executable, "-m", "xiangqi", "engine", "--eval-file", "none.nnue"]
    done = subprocess.run(command, input="uci\n", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "info string the engine cannot start: NetworkError: " in done.stdout
    assert done.stderr.startswith("xiangqi: ")
    assert "none.nnue" in done.stderr


def test_without_a_line_there_is_no_engine() -> None:
    def start(output: Output) -> Sequence[Server]:
        raise AssertionError("no engine was requested")

    said = io.BytesIO()
    run(io.BytesIO(b"\n\r\n"), said, start)
    assert said.getvalue() == b""


def test_lines_during_the_start_are_executed_in_order() -> None:
    greeted = threading.Event()
    to_engine, from_engine = os.pipe(), os.pipe()

    def start(output: Output) -> Sequence[Server]:
        assert greeted.wait(PATIENCE_S)
        return make_servers(Engine(FakeSearcher()), output)

    with (
        os.fdopen(to_engine[0], "rb") as stdin,
        os.fdopen(from_engine[1], "wb") as stdout,
        os.fdopen(to_engine[1], "wb") as said,
        os.fdopen(from_engine[0], "rb") as heard,
    ):
        thread = threading.Thread(target=run, args=(stdin, stdout, start))
        thread.start()
        said.write(b"uci\nposition startpos moves h2e2\nisready\nxyzzy\ngo depth 1\n")
        said.flush()
        while heard.readline() != b"uciok\n":
            pass
        greeted.set()
        lines = [heard.readline().decode().strip() for _ in range(4)]
        said.write(b"quit\n")
        said.flush()
        thread.join(10)
        assert not thread.is_alive()
    assert lines[:2] == ["readyok", "info string unknown command 'xyzzy'"]
    assert lines[2].startswith("info depth 1 ")
    board = Board()
    board.push_iccs("h2e2")
    assert Move.from_iccs(lines[3].split()[1]) in board.legal_moves


def test_each_declaration_has_its_server() -> None:
    engine = Engine(FakeSearcher())
    servers = make_servers(engine, Output(io.BytesIO()))
    assert [server.DECLARATION for server in servers] == list(DECLARATIONS)
    for server in servers:
        for word in server.DECLARATION.handshakes:
            assert server.knows(word)


# The package


def test_public_names() -> None:
    offered: dict[str, object] = {}
    exec("from xiangqi import *", offered)
    assert set(public.__all__) <= set(offered)
    assert set(public.__all__) <= set(dir(xiangqi))
    for name in public.__all__:
        assert getattr(xiangqi, name) is getattr(public, name)
    with pytest.raises(AttributeError, match="module 'xiangqi' has no attribute 'Bord'"):
        xiangqi.Bord  # type: ignore[attr-defined]  # noqa: B018


def test_drawing_and_explanations_are_imported_on_use() -> None:
    program = (
        "import sys, xiangqi; assert 'xiangqi.board' not in sys.modules\n"
        "board = xiangqi.Board(); board.push_iccs('h2e2'); board.judge(); board.chinese\n"
        "slow = ('drawing', 'referee.explanation', 'referee.reasons')\n"
        "found = lambda: [m for m in slow if f'xiangqi.{m}' in sys.modules]\n"
        "print(found(), 'json' in sys.modules)\n"
        "assert board._repr_svg_().startswith('<svg')\n"
        "assert xiangqi.draw_ruling(board.judge()).startswith('<svg')\n"
        "assert xiangqi.format_ruling(board.judge())\n"
        "print(found() == list(slow))"
    )
    done = run_python(program)
    assert (done.stdout, done.stderr) == ("[] False\nTrue\n", "")
