"""Checks of the handshake, and of the positions that an engine is given, in UCCI and UCI.

Recommended only, with the reasons: UCCI 3.0 defines the content of ``id`` lines but does not demand
them; it advises engines to declare ``usemillisec`` and to accept E, H and the side ``r``; it does
not mention blanks and line ends, while UCI allows any white space between words and any line end.
Neither names an encoding.
"""

from __future__ import annotations

from typing import Final

from xiangqi.board import Board
from xiangqi.client.dialects import EngineAnswer, format_position
from xiangqi.client.info import read_option
from xiangqi.client.session import PROBED
from xiangqi.compliance.examiner import CheckFailedError, Checklist, Examiner
from xiangqi.errors import quote

__all__ = ["CHECKS"]

CHECKS: Final = Checklist(*PROBED)

MATED: Final = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b - - 0 1"
STALEMATED: Final = "3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1"
MIDDLE: Final = "r1bakab1r/9/1cn4c1/p1p1p1p1p/6n2/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 3"
IN_CHECK: Final = ("h2h4", "a9a7", "h4e4", "c9e7", "b2b9")
CYCLE: Final = ("a0a1", "a9a8", "a1a0", "a8a9")
"""A cycle of four moves. At the third occurrence the game may be over, at the second it goes on
under all rules."""


# The handshake


@CHECKS.add("handshake")
def _check_handshake(talk: Examiner) -> None:
    """The handshake is answered."""


@CHECKS.add("name", should=["ucci"])
def _check_name(talk: Examiner) -> None:
    """The engine reports its name."""
    if not talk.identity.id.get("name"):
        raise CheckFailedError("no line 'id name ...'")


@CHECKS.add("options")
def _check_options(talk: Examiner) -> None:
    """Each option is declared with a type that there is."""
    for line in talk.greeting:
        words = line.split()
        has_name = words[1:2] == ["name"]
        if words[:1] == ["option"] and (
            read_option(words[1:]) is None or has_name != (talk.name == "uci")
        ):
            form = "option name NAME type TYPE" if talk.name == "uci" else "option NAME type TYPE"
            raise CheckFailedError(f"cannot read {quote(line)}: expected '{form} ...'")


@CHECKS.add("usemillisec", "ucci", should=["ucci"])
def _check_usemillisec(talk: Examiner) -> None:
    """The option usemillisec is declared."""
    if "usemillisec" not in talk.identity.options:
        raise CheckFailedError("no line 'option usemillisec type check ...'")


@CHECKS.add("encoding", should=PROBED)
def _check_encoding(talk: Examiner) -> None:
    """Text is UTF-8 or GB18030."""
    talk.expect_ready()
    if talk.unreadable is not None:
        raise CheckFailedError(f"cannot read {talk.unreadable!r}")


@CHECKS.add("isready")
def _check_isready(talk: Examiner) -> None:
    """The engine says when it is ready."""
    talk.expect_ready()
    talk.expect_ready()


@CHECKS.add("newgame")
def _check_newgame(talk: Examiner) -> None:
    """After a new game is announced the engine plays."""
    talk.send(*talk.speech.new_game_lines(talk.identity))
    talk.expect_ready()
    talk.play_one(talk.set_up())


# Positions


@CHECKS.add("startpos")
def _check_startpos(talk: Examiner) -> None:
    """The usual beginning is known by name."""
    talk.play_one(talk.set_up())


@CHECKS.add("fen")
def _check_fen(talk: Examiner) -> None:
    """A position is read from a FEN."""
    talk.set_up()
    talk.play_one(talk.set_up(fen=MIDDLE))


@CHECKS.add("moves")
def _check_moves(talk: Examiner) -> None:
    """All moves behind a position are played."""
    talk.play_one(talk.set_up(*IN_CHECK))


@CHECKS.add("game")
def _check_game(talk: Examiner) -> None:
    """Ten moves in a row are legal."""
    board = Board()
    for _ in range(10):
        talk.send(format_position(board, talk.speech), "go depth 1")
        answer = talk.speech.read_answer(talk.expect_answer()[-1])
        assert answer is not None
        board.push_iccs(talk.legal_move(answer, board))


@CHECKS.add("cycle")
def _check_cycle(talk: Examiner) -> None:
    """A position that occurs for the second time is played on."""
    talk.play_one(talk.set_up(*CYCLE))


@CHECKS.add("letters", "ucci", should=["ucci"])
def _check_letters(talk: Examiner) -> None:
    """E and H are elephants and horses."""
    board = talk.set_up("h0g2")
    fen = board.root_fen()
    talk.set_up()
    pieces, rest = fen.split(" ", 1)
    fen = f"{pieces.translate(str.maketrans('nNbB', 'hHeE'))} {rest}"
    talk.send(f"position fen {fen} moves h0g2")
    talk.play_one(board)


@CHECKS.add("red", "ucci", should=["ucci"])
def _check_red(talk: Examiner) -> None:
    """The side r is Red."""
    talk.set_up("h2e2")
    board = Board()
    talk.send(f"position fen {board.fen().replace(' w ', ' r ')}")
    talk.play_one(board)


@CHECKS.add("blanks", should=["ucci"])
def _check_blanks(talk: Examiner) -> None:
    """More than one blank between words does no harm."""
    board = Board()
    board.push_iccs("h2e2")
    move = talk.speech.format_move(board.peek())
    talk.send(f"  position   startpos  moves   {move} ")
    talk.play_one(board)


@CHECKS.add("crlf", should=["ucci"])
def _check_crlf(talk: Examiner) -> None:
    """Lines may end as on Windows."""
    board = Board()
    board.push_iccs("h2e2")
    talk.send(format_position(board, talk.speech), "go depth 1", end="\r\n")
    talk.expect_move(board)


def _expect_no_move(talk: Examiner, fen: str) -> None:
    talk.set_up(fen=fen)
    talk.send("go depth 3")
    wanted = "nobestmove" if talk.name == "ucci" else "bestmove (none)"
    line = talk.expect_answer(wanted)[-1]
    answer = talk.speech.read_answer(line)
    if answer != EngineAnswer() or (talk.name == "ucci") != (line.split() == ["nobestmove"]):
        raise CheckFailedError(f"found {quote(line)}, expected '{wanted}'")


@CHECKS.add("mated")
def _check_mated(talk: Examiner) -> None:
    """In a mated position the engine reports that there is no move."""
    _expect_no_move(talk, MATED)


@CHECKS.add("stalemated")
def _check_stalemated(talk: Examiner) -> None:
    """In a stalemated position the engine reports that there is no move."""
    _expect_no_move(talk, STALEMATED)


@CHECKS.add("bans")
def _check_bans(talk: Examiner) -> None:
    """Moves that are forbidden are not played."""
    board = talk.set_up()
    moves = sorted(board.legal_moves)
    for only in (moves[0], moves[-1]):
        talk.set_up()
        others = [talk.speech.format_move(move) for move in moves if move != only]
        if talk.name == "ucci":
            talk.send(" ".join(["banmoves", *others]), "go depth 2")
        else:
            talk.send(f"go depth 2 searchmoves {talk.speech.format_move(only)}")
        answer = talk.speech.read_answer(talk.expect_answer()[-1])
        assert answer is not None
        if talk.legal_move(answer, board) != only.iccs():
            raise CheckFailedError(f"found {answer.move}, expected {only}, the only move allowed")
