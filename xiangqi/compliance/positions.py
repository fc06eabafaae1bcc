"""Checks of the handshake and of positions, in UCCI and UCI.

Reasons for level ``should``: UCCI 3.0 defines the content of ``id`` lines but does not require
them; it advises engines to declare ``usemillisec`` and to accept E, H and the side ``r``; it does
not mention blanks and line ends, while UCI allows any white space between words and any line end.
Neither specifies an encoding.
"""

from __future__ import annotations

from typing import Final

from xiangqi.board import Board
from xiangqi.client.dialects import EngineAnswer, format_position
from xiangqi.client.info import read_option
from xiangqi.client.session import PROBED
from xiangqi.compliance.examiner import CheckFailedError, Checklist, Examiner
from xiangqi.ground.errors import quote

__all__ = ["CHECKS"]

CHECKS: Final = Checklist(*PROBED)

MATED: Final = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b - - 0 1"
STALEMATED: Final = "3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1"
MIDDLE: Final = "r1bakab1r/9/1cn4c1/p1p1p1p1p/6n2/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 3"
IN_CHECK: Final = ("h2h4", "a9a7", "h4e4", "c9e7", "b2b9")
CYCLE: Final = ("a0a1", "a9a8", "a1a0", "a8a9")
"""Cycle of four moves. Under all rules the game goes on at the second occurrence; at the third it
may be over."""


# The handshake


@CHECKS.add("handshake")
def _check_handshake(engine: Examiner) -> None:
    """The handshake is answered."""


@CHECKS.add("name", should=["ucci"])
def _check_name(engine: Examiner) -> None:
    """The engine reports its name."""
    if not engine.identity.id.get("name"):
        raise CheckFailedError("no line 'id name ...'")


@CHECKS.add("options")
def _check_options(engine: Examiner) -> None:
    """Each option has a known type."""
    for line in engine.handshake_lines:
        words = line.split()
        has_name = words[1:2] == ["name"]
        if words[:1] == ["option"] and (
            read_option(words[1:]) is None or has_name != (engine.protocol == "uci")
        ):
            form = (
                "option name NAME type TYPE"
                if engine.protocol == "uci"
                else "option NAME type TYPE"
            )
            raise CheckFailedError(f"cannot read {quote(line)}: expected '{form} ...'")


@CHECKS.add("usemillisec", "ucci", should=["ucci"])
def _check_usemillisec(engine: Examiner) -> None:
    """The option usemillisec is declared."""
    if "usemillisec" not in engine.identity.options:
        raise CheckFailedError("no line 'option usemillisec type check ...'")


@CHECKS.add("encoding", should=PROBED)
def _check_encoding(engine: Examiner) -> None:
    """Text is UTF-8 or GB18030."""
    engine.expect_ready()
    if engine.unreadable is not None:
        raise CheckFailedError(f"cannot read {engine.unreadable!r}")


@CHECKS.add("isready")
def _check_isready(engine: Examiner) -> None:
    """isready is answered."""
    engine.expect_ready()
    engine.expect_ready()


@CHECKS.add("newgame")
def _check_newgame(engine: Examiner) -> None:
    """The engine moves after a new game is announced."""
    engine.send(*engine.dialect.new_game_lines(engine.identity))
    engine.expect_ready()
    engine.request_move(engine.set_up())


# Positions


@CHECKS.add("startpos")
def _check_startpos(engine: Examiner) -> None:
    """'position startpos' is accepted."""
    engine.request_move(engine.set_up())


@CHECKS.add("fen")
def _check_fen(engine: Examiner) -> None:
    """'position fen' is accepted."""
    engine.set_up()
    engine.request_move(engine.set_up(fen=MIDDLE))


@CHECKS.add("moves")
def _check_moves(engine: Examiner) -> None:
    """All moves after a position are played."""
    engine.request_move(engine.set_up(*IN_CHECK))


@CHECKS.add("game")
def _check_game(engine: Examiner) -> None:
    """Ten successive moves are legal."""
    board = Board()
    for _ in range(10):
        engine.send(format_position(board, engine.dialect), "go depth 1")
        answer = engine.dialect.read_answer(engine.expect_answer()[-1])
        assert answer is not None
        board.push_iccs(engine.legal_move(answer, board))


@CHECKS.add("cycle")
def _check_cycle(engine: Examiner) -> None:
    """The engine moves after a repetition."""
    engine.request_move(engine.set_up(*CYCLE))


@CHECKS.add("letters", "ucci", should=["ucci"])
def _check_letters(engine: Examiner) -> None:
    """E and H in a FEN are elephants and horses."""
    board = engine.set_up("h0g2")
    fen = board.root_fen()
    engine.set_up()
    pieces, rest = fen.split(" ", 1)
    fen = f"{pieces.translate(str.maketrans('nNbB', 'hHeE'))} {rest}"
    engine.send(f"position fen {fen} moves h0g2")
    engine.request_move(board)


@CHECKS.add("red", "ucci", should=["ucci"])
def _check_red(engine: Examiner) -> None:
    """The side r in a FEN is Red."""
    engine.set_up("h2e2")
    board = Board()
    engine.send(f"position fen {board.fen().replace(' w ', ' r ')}")
    engine.request_move(board)


@CHECKS.add("blanks", should=["ucci"])
def _check_blanks(engine: Examiner) -> None:
    """Repeated blanks between words are accepted."""
    board = Board()
    board.push_iccs("h2e2")
    move = engine.dialect.format_move(board.peek())
    engine.send(f"  position   startpos  moves   {move} ")
    engine.request_move(board)


@CHECKS.add("crlf", should=["ucci"])
def _check_crlf(engine: Examiner) -> None:
    """Lines that end with CR LF are accepted."""
    board = Board()
    board.push_iccs("h2e2")
    engine.send(format_position(board, engine.dialect), "go depth 1", end="\r\n")
    engine.expect_move(board)


def _expect_no_move(engine: Examiner, fen: str) -> None:
    engine.set_up(fen=fen)
    engine.send("go depth 3")
    wanted = "nobestmove" if engine.protocol == "ucci" else "bestmove (none)"
    line = engine.expect_answer(wanted)[-1]
    answer = engine.dialect.read_answer(line)
    if answer != EngineAnswer() or (engine.protocol == "ucci") != (line.split() == ["nobestmove"]):
        raise CheckFailedError(f"found {quote(line)}, expected '{wanted}'")


@CHECKS.add("mated")
def _check_mated(engine: Examiner) -> None:
    """In a mated position the engine reports that there is no move."""
    _expect_no_move(engine, MATED)


@CHECKS.add("stalemated")
def _check_stalemated(engine: Examiner) -> None:
    """In a stalemated position the engine reports that there is no move."""
    _expect_no_move(engine, STALEMATED)


@CHECKS.add("bans")
def _check_bans(engine: Examiner) -> None:
    """Forbidden moves are not played."""
    board = engine.set_up()
    moves = sorted(board.legal_moves)
    for only in (moves[0], moves[-1]):
        engine.set_up()
        others = [engine.dialect.format_move(move) for move in moves if move != only]
        if engine.protocol == "ucci":
            engine.send(" ".join(["banmoves", *others]), "go depth 2")
        else:
            engine.send(f"go depth 2 searchmoves {engine.dialect.format_move(only)}")
        answer = engine.dialect.read_answer(engine.expect_answer()[-1])
        assert answer is not None
        if engine.legal_move(answer, board) != only.iccs():
            raise CheckFailedError(f"found {answer.move}, expected {only}, the only move allowed")
