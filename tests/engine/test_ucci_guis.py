"""UCCI: dialogues of GUIs."""

from __future__ import annotations

import re
import time

from tests.engines.fake_searcher import Conversation
from tests.support.ucci import INFO, START, best_of


def test_handshake() -> None:
    with Conversation() as talk:
        talk.send("ucci")
        lines = talk.until("ucciok")
    assert lines[0].startswith("id name Meihua ")
    assert "option hashsize type spin default 16 min 1 max 65536" in lines
    assert "option usemillisec type check default false" in lines
    assert "option newgame type button" in lines
    repetition = next(line for line in lines if line.startswith("option repetition type combo"))
    assert repetition.endswith("var asianrule var chineserule var checkban var alwaysdraw")
    for line in lines[:-1]:
        assert re.match(r"id (name|copyright|author) |option [a-z_]+ type ", line)


def test_as_xqwizard(talk: Conversation) -> None:
    """It sends options that were not declared, a missing book, and times in seconds."""
    with talk:
        (reply,) = talk.ask(
            *"setoption usemillisec true,setoption promotion false,setoption hashsize 0,"
            "setoption bookfiles C:\\XQ\\BOOK.DAT,setoption knowledge large,"
            "setoption randomness none,setoption style normal,setoption newgame".split(",")
        )
        assert "cannot use the book" in reply
        assert talk.searcher.calls == ["hash 16", "clear"]
        talk.send(f"position fen {START}")
        talk.send("go time 500 increment 0")
        best = best_of(talk.until("bestmove"))
        talk.send(f"position startpos moves {best}", "go ponder time 500 increment 0")
        time.sleep(0.03)
        talk.send("ponderhit")
        best_of(talk.until("bestmove"))
        talk.send("quit")
        assert talk.end() == ["bye"]


def test_as_sharkchess(talk: Conversation) -> None:
    with talk:
        talk.send("setoption threads 2", "setoption hashsize 64", "isready")
        talk.expect("readyok")
        talk.send(f"position fen {START} moves h2e2 h9g7", "go infinite")
        for _ in range(5):
            assert INFO.fullmatch(talk.hear())
        talk.send("stop")
        best_of(talk.until("bestmove"))


def test_as_tchess(talk: Conversation) -> None:
    """It sends ``stop`` before every analysis, and shows only infos with nps."""
    with talk:
        talk.send("setoption Threads 2", "setoption Hash 32", "stop")
        assert talk.hear() == "nobestmove"
        assert talk.searcher.calls == ["threads 2", "hash 32"]
        talk.send(f"position fen {START}", "go movetime 50")
        lines = talk.until("bestmove")
        assert len(lines) > 1
        assert all(" nps " in line for line in lines[:-1])


def test_as_the_league_simulator(talk: Conversation) -> None:
    with talk:
        talk.send("setoption ponder false", "setoption newgame", "setoption usemillisec true")
        talk.send(f"position fen {START} moves h2e2 h9g7", "banmoves b2b1 e2h2")
        talk.send("go draw time 300 increment 20 opptime 300 oppincrement 20")
        best = best_of(talk.until("bestmove"))
        assert best not in ("e2h2", "b2b1")
        allowed = [move.iccs() for move in talk.searcher.limits.moves]
        assert len(allowed) == talk.engine.board.legal_moves.count() - 2


def test_as_vinxiangqi() -> None:
    """It sends both handshakes at once, and limits time and depth."""
    with Conversation() as talk:
        talk.send("ucci", "uci")
        talk.expect("ucciok")
        assert talk.hear() == "info message unknown command 'uci'"
        talk.send("position startpos", "go movetime 10000 depth 3")
        lines = talk.until("bestmove")
        assert lines[-2].startswith("info depth 3 ")


def test_as_cchess(talk: Conversation) -> None:
    """CRLF, and options as in UCI."""
    with talk:
        talk.send(b"setoption name Hash value 8\r", b"position startpos moves H2-E2\r")
        talk.send(b"  go   depth  2 \r")
        best_of(talk.until("bestmove"))
        assert talk.searcher.calls == ["hash 8"]
