"""Checks of the handshake, and of moves and positions, in the XBoard protocol (CECP, version 2).

Specification: https://www.gnu.org/software/xboard/engine-intf.html. It only recommends a name,
certain features, and an error message for an unknown command; the message for an illegal move is
required. It does not mention encodings and line ends.
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
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import quote
from xiangqi.pieces.fen import STARTING_FEN

__all__ = [
    "CHECKS",
    "go",
    "go_depth",
    "play_move",
    "send_optional",
    "send_required",
    "set_up",
    "start_game",
    "synchronize",
    "xboard_dialect",
]

CHECKS: Final = Checklist("xboard")

RECOMMENDED: Final = {"ping": "1", "setboard": "1", "playother": "1", "colors": "0"}
"""Features whose recommended value differs from their default."""
ERROR_PREFIX: Final = "Error ("
"""Start of the error line for an unknown or impossible command, such as ``Error (unknown command):
draw``. It is allowed for any command except those that every game needs."""
BEFORE_MATE: Final = ("4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1", "b1b9")
BEFORE_STALEMATE: Final = ("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a8e8")


# Dialogue


def xboard_dialect(engine: Examiner) -> XBoard:
    """Dialect of the engine, with its features."""
    assert isinstance(engine.dialect, XBoard)
    return engine.dialect


def synchronize(engine: Examiner) -> list[str]:
    """Lines until all commands are executed, by ping; without ping, the lines of QUIET_S."""
    if xboard_dialect(engine).features.get("ping") == "1":
        return engine.expect_ready()
    return engine.read_for(QUIET_S)


def send_required(engine: Examiner, *lines: str) -> None:
    """Send lines that the engine must neither refuse nor answer by a move."""
    engine.send(*lines)
    for line in synchronize(engine):
        answer = engine.dialect.read_answer(line)  # raises EngineError for a refusal
        if answer is not None and answer.move is not None:
            raise CheckFailedError(f"{quote(line)} without a request")


def send_optional(engine: Examiner, line: str) -> None:
    """Send a command that the engine may refuse as unknown; CheckSkippedError if it does."""
    engine.send(line)
    for answer in synchronize(engine):
        if answer.startswith(ERROR_PREFIX):
            raise CheckSkippedError(answer.strip())


def set_up(engine: Examiner, *moves: str, fen: str = STARTING_FEN) -> Board:
    """Set up a position in force mode; return its board."""
    dialect = xboard_dialect(engine)
    board = GameRecord(fen, moves).play()
    if fen != STARTING_FEN and dialect.features.get("setboard") != "1":
        raise CheckSkippedError("the engine has no feature setboard=1")
    synchronize(engine)  # discard errors about earlier commands
    send_required(engine, *dialect.new_game_lines(engine.identity), *dialect.position_lines(board))
    return board


def limit_search(engine: Examiner) -> None:
    """Limit the depth to 1, or if that is refused, the time to one second."""
    for line in ("sd 1", "st 1"):
        engine.send(line)
        if not any(answer.startswith(ERROR_PREFIX) for answer in synchronize(engine)):
            return


def go(engine: Examiner, board: Board) -> list[str]:
    """Request a move in force mode, which must be legal; return the lines up to it."""
    limit_search(engine)
    engine.send("go")
    return engine.expect_move(board)


def go_depth(engine: Examiner, board: Board, depth: int) -> list[str]:
    """Request a move with a depth limit; CheckSkippedError if the engine has no such command."""
    send_optional(engine, f"sd {depth}")
    engine.send("go")
    return engine.expect_move(board)


def start_game(engine: Examiner, *lines: str) -> Board:
    """Start a game in which the engine is Black; return the board after its first move.

    ``lines``, which the engine may refuse, are sent before the first move.
    """
    synchronize(engine)
    send_required(engine, "new", "variant xiangqi")
    engine.send(*lines)
    synchronize(engine)
    limit_search(engine)
    return play_move(engine, Board(), Move.from_iccs("h2e2"))


def play_move(engine: Examiner, board: Board, move: Move) -> Board:
    """Send a move; push it and the engine's answer to the board."""
    engine.send(xboard_dialect(engine).move_line(move))
    board.push(move)
    answer = engine.dialect.read_answer(engine.expect_answer()[-1])
    assert answer is not None
    board.push_iccs(engine.legal_move(answer, board))
    return board


# The handshake


@CHECKS.add("handshake")
def _check_handshake(engine: Examiner) -> None:
    """The handshake is answered by features up to done=1."""


@CHECKS.add("name", should=["xboard"])
def _check_name(engine: Examiner) -> None:
    """The engine reports its name."""
    if not engine.identity.id.get("name"):
        raise CheckFailedError("no 'feature myname=\"...\"'")


@CHECKS.add("features")
def _check_features(engine: Examiner) -> None:
    """Features are well-formed."""
    for line in engine.handshake_lines:
        rest = split_features(line)[1]
        if rest:
            raise CheckFailedError(f"cannot read {quote(rest)}: expected NAME=VALUE")


@CHECKS.add("options")
def _check_options(engine: Examiner) -> None:
    """Each option has a known type."""
    for line in engine.handshake_lines:
        for name, value in split_features(line)[0]:
            if name == "option" and read_feature_option(value) is None:
                raise CheckFailedError(f"cannot read {quote(value)}: expected 'NAME -TYPE ...'")


@CHECKS.add("variants")
def _check_variants(engine: Examiner) -> None:
    """Xiangqi is one of the variants."""
    if "xiangqi" not in xboard_dialect(engine).variants:
        raise CheckFailedError("no 'feature variants=\"xiangqi\"'")


@CHECKS.add("recommended", should=["xboard"])
def _check_recommended(engine: Examiner) -> None:
    """The recommended features are set."""
    features = xboard_dialect(engine).features
    missing = [
        f"{name}={value}" for name, value in RECOMMENDED.items() if features.get(name) != value
    ]
    if missing:
        raise CheckFailedError(f"no feature {', '.join(missing)}")


@CHECKS.add("encoding", should=["xboard"])
def _check_encoding(engine: Examiner) -> None:
    """Text is UTF-8 or GB18030."""
    synchronize(engine)
    if engine.unreadable is not None:
        raise CheckFailedError(f"cannot read {engine.unreadable!r}")


@CHECKS.add("accepted")
def _check_accepted(engine: Examiner) -> None:
    """The engine goes on after accepted and rejected."""
    names = xboard_dialect(engine).features
    engine.send(*(f"accepted {name}" for name in names), "rejected nosuchfeature")
    synchronize(engine)


@CHECKS.add("ping")
def _check_ping(engine: Examiner) -> None:
    """ping is answered by pong with the same number."""
    if xboard_dialect(engine).features.get("ping") != "1":
        raise CheckSkippedError("the engine has no feature ping=1")
    for number in (41, 5):
        engine.send(f"ping {number}")
        line = engine.read_until(engine.dialect.is_pong, f"pong {number}")[-1]
        if line.split() != ["pong", str(number)]:
            raise CheckFailedError(f"found {quote(line)}, expected 'pong {number}'")


@CHECKS.add("variant")
def _check_variant(engine: Examiner) -> None:
    """'variant xiangqi' is accepted."""
    synchronize(engine)
    send_required(engine, "new", "variant xiangqi")


@CHECKS.add("opening-words")
def _check_opening_words(engine: Examiner) -> None:
    """The commands that XBoard sends before a game are accepted."""
    engine.send("new", "variant xiangqi", "random", "level 40 5 0", "post", "hard", "easy")
    engine.send("computer", "name somebody")
    go(engine, set_up(engine))


@CHECKS.add("newgame")
def _check_newgame(engine: Examiner) -> None:
    """A new game begins with the starting position, Red to move."""
    set_up(engine, "h2e2")
    go(engine, set_up(engine))


# Moves and positions


@CHECKS.add("setboard")
def _check_setboard(engine: Examiner) -> None:
    """setboard sets up a position."""
    go(engine, set_up(engine, fen=MIDDLE))


@CHECKS.add("force")
def _check_force(engine: Examiner) -> None:
    """In force mode the engine makes no move."""
    set_up(engine, "h2e2", "h9g7", "h0g2")
    engine.expect_no_answer("in force mode")


@CHECKS.add("moves")
def _check_moves(engine: Examiner) -> None:
    """Moves of both sides are played in force mode."""
    go(engine, set_up(engine, *IN_CHECK))


@CHECKS.add("reply")
def _check_reply(engine: Examiner) -> None:
    """Outside force mode a move is answered by a move."""
    start_game(engine)


@CHECKS.add("game")
def _check_game(engine: Examiner) -> None:
    """Six successive moves are legal."""
    board = start_game(engine)
    for _ in range(5):
        play_move(engine, board, min(board.legal_moves))


@CHECKS.add("cycle")
def _check_cycle(engine: Examiner) -> None:
    """The engine moves after a repetition."""
    go(engine, set_up(engine, *CYCLE))


@CHECKS.add("illegal-move")
def _check_illegal_move(engine: Examiner) -> None:
    """An illegal move is rejected, and changes nothing."""
    set_up(engine)
    dialect = xboard_dialect(engine)
    engine.send(dialect.move_line(Move.from_iccs("a0a9")))
    lines = synchronize(engine)
    if not any(line.lower().startswith("illegal move") for line in lines):
        raise CheckFailedError(f"found {lines or 'nothing'}, expected 'Illegal move: a0a9'")
    board = Board()
    board.push_iccs("h2e2")
    send_required(engine, dialect.move_line(board.peek()))
    go(engine, board)


@CHECKS.add("undo")
def _check_undo(engine: Examiner) -> None:
    """undo takes back one move."""
    set_up(engine, *IN_CHECK)
    send_optional(engine, "undo")
    go(engine, GameRecord(moves=IN_CHECK[:-1]).play())


@CHECKS.add("remove")
def _check_remove(engine: Examiner) -> None:
    """remove takes back two moves, and the engine keeps its side."""
    board = start_game(engine)
    send_optional(engine, "remove")
    play_move(engine, Board(board.root_fen()), Move.from_iccs("h2h9"))


def _expect_end(engine: Examiner, fen: str, move: str) -> None:
    set_up(engine, fen=fen)
    engine.send(xboard_dialect(engine).move_line(Move.from_iccs(move)), "go")
    expect_red_wins(engine)


def expect_red_wins(engine: Examiner) -> None:
    """Check that the engine claims the win of Red."""
    wanted = "1-0 {...}"
    line = engine.expect_answer(wanted)[-1]
    if not line.startswith("1-0"):
        raise CheckFailedError(f"found {quote(line)}, expected '{wanted}'")


@CHECKS.add("mated")
def _check_mated(engine: Examiner) -> None:
    """When mated, the engine claims the result."""
    _expect_end(engine, *BEFORE_MATE)


@CHECKS.add("stalemated")
def _check_stalemated(engine: Examiner) -> None:
    """When stalemated, the engine claims the result, its loss."""
    _expect_end(engine, *BEFORE_STALEMATE)


@CHECKS.add("mates")
def _check_mates(engine: Examiner) -> None:
    """When it has mated, the engine claims the result."""
    board = set_up(engine, fen=BEFORE_MATE[0])
    answer = engine.dialect.read_answer(go_depth(engine, board, 3)[-1])
    assert answer is not None
    board.push_iccs(engine.legal_move(answer, board))
    if board.has_legal_move():
        raise CheckSkippedError("the engine does not mate in one")
    expect_red_wins(engine)


@CHECKS.add("crlf", should=["xboard"])
def _check_crlf(engine: Examiner) -> None:
    """Lines that end with CR LF are accepted."""
    board = set_up(engine)
    limit_search(engine)
    board.push_iccs("h2e2")
    engine.send(xboard_dialect(engine).move_line(board.peek()), "go", end="\r\n")
    engine.expect_move(board)
