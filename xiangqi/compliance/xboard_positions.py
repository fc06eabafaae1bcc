"""Checks of the handshake, and of moves and positions, in the XBoard protocol (CECP, version 2).

The text is https://www.gnu.org/software/xboard/engine-intf.html. Recommended only: a name and
certain features; an error message for an unknown command, while one for an illegal move is
demanded. The specification does not mention encodings and line ends.
"""

from __future__ import annotations

from typing import Final

from xiangqi.board import Board
from xiangqi.client.xboard import XBoard, read_feature_option, split_features
from xiangqi.compliance.examiner import (
    QUIET_S,
    CheckFailedError,
    Checklist,
    CheckSkippedError,
    Examiner,
)
from xiangqi.compliance.positions import CYCLE, IN_CHECK, MIDDLE
from xiangqi.core.move import Move
from xiangqi.errors import quote
from xiangqi.games.record import GameRecord
from xiangqi.pieces.fen import STARTING_FEN

__all__ = [
    "CHECKS",
    "ask",
    "ask_deeper",
    "begin",
    "catch_up",
    "play_on",
    "set_up",
    "speech_of",
    "tell",
    "tell_optional",
]

CHECKS: Final = Checklist("xboard")

RECOMMENDED: Final = {"ping": "1", "setboard": "1", "playother": "1", "colors": "0"}
"""Features whose recommended value differs from their default."""
UNKNOWN: Final = "Error ("
"""Beginning of XBoard's error line for an unknown or impossible command: ``Error (unknown command):
draw``. The specification allows it for any command except those that every game needs."""
BEFORE_MATE: Final = ("4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1", "b1b9")
BEFORE_STALEMATE: Final = ("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a8e8")


# Conversation


def speech_of(talk: Examiner) -> XBoard:
    """The dialect, with the features of the engine."""
    assert isinstance(talk.speech, XBoard)
    return talk.speech


def catch_up(talk: Examiner) -> list[str]:
    """Lines until the engine has executed all commands, or for a while if it has no ping."""
    if speech_of(talk).features.get("ping") == "1":
        return talk.expect_ready()
    return talk.hear_for(QUIET_S)


def tell(talk: Examiner, *lines: str) -> None:
    """Send lines that the engine may neither refuse nor answer by a move."""
    talk.send(*lines)
    for line in catch_up(talk):
        answer = talk.speech.read_answer(line)  # it raises EngineError for a refusal
        if answer is not None and answer.move is not None:
            raise CheckFailedError(f"{quote(line)} unasked")


def tell_optional(talk: Examiner, line: str) -> None:
    """Send a command that an engine may refuse as unknown; CheckSkippedError if it does."""
    talk.send(line)
    for said in catch_up(talk):
        if said.startswith(UNKNOWN):
            raise CheckSkippedError(said.strip())


def set_up(talk: Examiner, *moves: str, fen: str = STARTING_FEN) -> Board:
    """Set up a position in force mode; return its board."""
    speech = speech_of(talk)
    board = GameRecord(fen, moves).play()
    if fen != STARTING_FEN and speech.features.get("setboard") != "1":
        raise CheckSkippedError("the engine has no feature setboard=1")
    catch_up(talk)  # a complaint about what was said before is none about this
    tell(talk, *speech.new_game_lines(talk.identity), *speech.position_lines(board))
    return board


def limit(talk: Examiner) -> None:
    """Limit the depth to 1, or else the time to a second: either command may be refused."""
    for line in ("sd 1", "st 1"):
        talk.send(line)
        if not any(said.startswith(UNKNOWN) for said in catch_up(talk)):
            return


def ask(talk: Examiner, board: Board) -> list[str]:
    """Request a move, which must be legal; return the lines up to it."""
    limit(talk)
    talk.send("go")
    return talk.expect_move(board)


def ask_deeper(talk: Examiner, board: Board, depth: int) -> list[str]:
    """Request a move with a depth limit; CheckSkippedError if the engine has no such command."""
    tell_optional(talk, f"sd {depth}")
    talk.send("go")
    return talk.expect_move(board)


def begin(talk: Examiner, *lines: str) -> Board:
    """Start a game in which the engine has Black; its first move is on the board. Some ``lines``,
    which it may refuse, come before."""
    catch_up(talk)
    tell(talk, "new", "variant xiangqi")
    talk.send(*lines)
    catch_up(talk)
    limit(talk)
    return play_on(talk, Board(), Move.from_iccs("h2e2"))


def play_on(talk: Examiner, board: Board, move: Move) -> Board:
    """Send a move; play it and the engine's answer on the board."""
    talk.send(speech_of(talk).move_line(move))
    board.push(move)
    answer = talk.speech.read_answer(talk.expect_answer()[-1])
    assert answer is not None
    board.push_iccs(talk.legal_move(answer, board))
    return board


# The handshake


@CHECKS.add("handshake")
def _check_handshake(talk: Examiner) -> None:
    """The handshake is answered by features up to done=1."""


@CHECKS.add("name", should=["xboard"])
def _check_name(talk: Examiner) -> None:
    """The engine reports its name."""
    if not talk.identity.id.get("name"):
        raise CheckFailedError("no 'feature myname=\"...\"'")


@CHECKS.add("features")
def _check_features(talk: Examiner) -> None:
    """Features are well-formed."""
    for line in talk.greeting:
        rest = split_features(line)[1]
        if rest:
            raise CheckFailedError(f"cannot read {quote(rest)}: expected NAME=VALUE")


@CHECKS.add("options")
def _check_options(talk: Examiner) -> None:
    """Each option is declared with a type that there is."""
    for line in talk.greeting:
        for name, value in split_features(line)[0]:
            if name == "option" and read_feature_option(value) is None:
                raise CheckFailedError(f"cannot read {quote(value)}: expected 'NAME -TYPE ...'")


@CHECKS.add("variants")
def _check_variants(talk: Examiner) -> None:
    """Xiangqi is among the variants."""
    if "xiangqi" not in speech_of(talk).variants:
        raise CheckFailedError("no 'feature variants=\"xiangqi\"'")


@CHECKS.add("recommended", should=["xboard"])
def _check_recommended(talk: Examiner) -> None:
    """The features are set that are recommended."""
    features = speech_of(talk).features
    missing = [
        f"{name}={value}" for name, value in RECOMMENDED.items() if features.get(name) != value
    ]
    if missing:
        raise CheckFailedError(f"no feature {', '.join(missing)}")


@CHECKS.add("encoding", should=["xboard"])
def _check_encoding(talk: Examiner) -> None:
    """Text is UTF-8 or GB18030."""
    catch_up(talk)
    if talk.unreadable is not None:
        raise CheckFailedError(f"cannot read {talk.unreadable!r}")


@CHECKS.add("accepted")
def _check_accepted(talk: Examiner) -> None:
    """That features are accepted or rejected does no harm."""
    names = speech_of(talk).features
    talk.send(*(f"accepted {name}" for name in names), "rejected nosuchfeature")
    catch_up(talk)


@CHECKS.add("ping")
def _check_ping(talk: Examiner) -> None:
    """Ping is answered by pong with its number."""
    if speech_of(talk).features.get("ping") != "1":
        raise CheckSkippedError("the engine has no feature ping=1")
    for number in (41, 5):
        talk.send(f"ping {number}")
        line = talk.hear_until(talk.speech.is_pong, f"pong {number}")[-1]
        if line.split() != ["pong", str(number)]:
            raise CheckFailedError(f"found {quote(line)}, expected 'pong {number}'")


@CHECKS.add("variant")
def _check_variant(talk: Examiner) -> None:
    """The game may be named."""
    catch_up(talk)
    tell(talk, "new", "variant xiangqi")


@CHECKS.add("opening-words")
def _check_opening_words(talk: Examiner) -> None:
    """Commands that XBoard sends at the start of a game do no harm."""
    talk.send("new", "variant xiangqi", "random", "level 40 5 0", "post", "hard", "easy")
    talk.send("computer", "name somebody")
    ask(talk, set_up(talk))


@CHECKS.add("newgame")
def _check_newgame(talk: Examiner) -> None:
    """A new game begins as usual, with Red to move."""
    set_up(talk, "h2e2")
    ask(talk, set_up(talk))


# Moves and positions


@CHECKS.add("setboard")
def _check_setboard(talk: Examiner) -> None:
    """A position is read from a FEN."""
    ask(talk, set_up(talk, fen=MIDDLE))


@CHECKS.add("force")
def _check_force(talk: Examiner) -> None:
    """In force mode the engine makes no move."""
    set_up(talk, "h2e2", "h9g7", "h0g2")
    talk.expect_nothing("unasked")


@CHECKS.add("moves")
def _check_moves(talk: Examiner) -> None:
    """Moves of both sides are played in force mode."""
    ask(talk, set_up(talk, *IN_CHECK))


@CHECKS.add("reply")
def _check_reply(talk: Examiner) -> None:
    """Outside of force mode a move is answered by a move."""
    begin(talk)


@CHECKS.add("game")
def _check_game(talk: Examiner) -> None:
    """Six moves in a row are legal."""
    board = begin(talk)
    for _ in range(5):
        play_on(talk, board, min(board.legal_moves))


@CHECKS.add("cycle")
def _check_cycle(talk: Examiner) -> None:
    """A position that occurs for the second time is played on."""
    ask(talk, set_up(talk, *CYCLE))


@CHECKS.add("illegal-move")
def _check_illegal_move(talk: Examiner) -> None:
    """An illegal move is refused, and changes nothing."""
    set_up(talk)
    speech = speech_of(talk)
    talk.send(speech.move_line(Move.from_iccs("a0a9")))
    said = catch_up(talk)
    if not any(line.lower().startswith("illegal move") for line in said):
        raise CheckFailedError(f"found {said or 'nothing'}, expected 'Illegal move: a0a9'")
    board = Board()
    board.push_iccs("h2e2")
    tell(talk, speech.move_line(board.peek()))
    ask(talk, board)


@CHECKS.add("undo")
def _check_undo(talk: Examiner) -> None:
    """Undo takes one move back."""
    set_up(talk, *IN_CHECK)
    tell_optional(talk, "undo")
    ask(talk, GameRecord(moves=IN_CHECK[:-1]).play())


@CHECKS.add("remove")
def _check_remove(talk: Examiner) -> None:
    """Remove takes two moves back, and the engine goes on with its side."""
    board = begin(talk)
    tell_optional(talk, "remove")
    play_on(talk, Board(board.root_fen()), Move.from_iccs("h2h9"))


def _expect_end(talk: Examiner, fen: str, move: str) -> None:
    set_up(talk, fen=fen)
    talk.send(speech_of(talk).move_line(Move.from_iccs(move)), "go")
    expect_red_wins(talk)


def expect_red_wins(talk: Examiner) -> None:
    """The engine must report this end of the game."""
    wanted = "1-0 {...}"
    line = talk.expect_answer(wanted)[-1]
    if not line.startswith("1-0"):
        raise CheckFailedError(f"found {quote(line)}, expected '{wanted}'")


@CHECKS.add("mated")
def _check_mated(talk: Examiner) -> None:
    """That it is mated the engine says by the result."""
    _expect_end(talk, *BEFORE_MATE)


@CHECKS.add("stalemated")
def _check_stalemated(talk: Examiner) -> None:
    """That it is stalemated, and has lost, the engine says by the result."""
    _expect_end(talk, *BEFORE_STALEMATE)


@CHECKS.add("mates")
def _check_mates(talk: Examiner) -> None:
    """That it has mated the engine says by the result."""
    board = set_up(talk, fen=BEFORE_MATE[0])
    answer = talk.speech.read_answer(ask_deeper(talk, board, 3)[-1])
    assert answer is not None
    board.push_iccs(talk.legal_move(answer, board))
    if board.has_legal_move():
        raise CheckSkippedError("the engine does not mate in one")
    expect_red_wins(talk)


@CHECKS.add("crlf", should=["xboard"])
def _check_crlf(talk: Examiner) -> None:
    """Lines may end as on Windows."""
    board = set_up(talk)
    limit(talk)
    board.push_iccs("h2e2")
    talk.send(speech_of(talk).move_line(board.peek()), "go", end="\r\n")
    talk.expect_move(board)
