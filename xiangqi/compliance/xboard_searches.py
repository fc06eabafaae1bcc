"""Checks of searches and of the exit, in the XBoard protocol.

Reasons for level ``should``: an engine may "always ignore the ? command" while it thinks, and send
any number of thinking lines, but in a fixed form; XBoard kills an engine that does not read
commands during a search. The specification does not mention the end of input.
"""

from __future__ import annotations

import re
from typing import Final

from xiangqi.client.xboard import REFUSALS
from xiangqi.compliance.examiner import (
    CLOCK_S,
    QUIET_S,
    CheckFailedError,
    Checklist,
    CheckSkippedError,
    Examiner,
)
from xiangqi.compliance.searches import expect_exit
from xiangqi.compliance.xboard_positions import (
    go,
    go_depth,
    play_move,
    send_optional,
    send_required,
    set_up,
    start_game,
    synchronize,
    xboard_dialect,
)
from xiangqi.ground.errors import quote

__all__ = ["CHECKS"]

CHECKS: Final = Checklist("xboard")

LONG: Final = ("sd 99", "st 60")
"""Limits that no search reaches during a check."""
OUT_OF_BOOK: Final = ("a0a2", "i9i7")
"""Opening moves outside any book, for a search that must last."""
_THINKING: Final = re.compile(r"\s{0,3}-?\d+\s")


# Limits


@CHECKS.add("depth")
def _check_depth(engine: Examiner) -> None:
    """A depth limit ends a search."""
    go_depth(engine, set_up(engine), 2)


@CHECKS.add("new-depth")
def _check_new_depth(engine: Examiner) -> None:
    """A new game removes the depth limit."""
    go_depth(engine, set_up(engine), 1)
    set_up(engine, *OUT_OF_BOOK)
    send_optional(engine, "st 60")
    engine.send("go")
    engine.expect_no_answer("at the depth limit of the previous game")
    engine.needs_restart = True  # it would search for a minute


@CHECKS.add("movetime")
def _check_movetime(engine: Examiner) -> None:
    """A fixed time per move is kept."""
    board = set_up(engine)
    send_optional(engine, f"st {CLOCK_S}")
    engine.send("go")
    engine.expect_move_in_time(board)


@CHECKS.add("clocks")
def _check_clocks(engine: Examiner) -> None:
    """With clocks the engine moves before its time is up."""
    board = set_up(engine)
    engine.send(f"level 0 0:{CLOCK_S:02} 0")
    if xboard_dialect(engine).features.get("time") != "0":
        engine.send(f"time {CLOCK_S * 100}", f"otim {CLOCK_S * 100}")
    engine.send("go")
    engine.expect_move_in_time(board)


# Information


def _search_lines(engine: Examiner, command: str) -> list[str]:
    """Lines of a search before its move, after ``post`` or ``nopost``."""
    board = set_up(engine)
    send_optional(engine, command)
    return go_depth(engine, board, 3)[:-1]


@CHECKS.add("info", should=["xboard"])
def _check_info(engine: Examiner) -> None:
    """After post thinking lines are sent."""
    if not any(engine.dialect.read_info(line) for line in _search_lines(engine, "post")):
        raise CheckFailedError("no line 'PLY SCORE TIME NODES ...'")


@CHECKS.add("info-form")
def _check_info_form(engine: Examiner) -> None:
    """Thinking lines are well-formed: depth, score, time and nodes are numbers."""
    for line in _search_lines(engine, "post"):
        if _THINKING.match(line) and not engine.dialect.read_info(line):
            raise CheckFailedError(
                f"cannot read {quote(line)}: expected 'PLY SCORE TIME NODES ...'"
            )


@CHECKS.add("nopost")
def _check_nopost(engine: Examiner) -> None:
    """After nopost no thinking lines are sent."""
    for line in _search_lines(engine, "nopost"):
        if engine.dialect.read_info(line):
            raise CheckFailedError(f"{quote(line)} after nopost")


# Commands during a search and between searches


@CHECKS.add("move-now", should=["xboard"])
def _check_move_now(engine: Examiner) -> None:
    """? ends a search."""
    board = set_up(engine, *OUT_OF_BOOK)
    engine.send(*LONG, "go")
    engine.expect_no_answer("before '?'")
    engine.send("?")
    engine.expect_move(board)


@CHECKS.add("idle-move-now")
def _check_idle_move_now(engine: Examiner) -> None:
    """? without a search does nothing."""
    board = set_up(engine)
    engine.send("?")
    engine.expect_no_answer("without a search")
    go(engine, board)


@CHECKS.add("ping-thinking")
def _check_ping_thinking(engine: Examiner) -> None:
    """ping during a search is answered after the move."""
    board = set_up(engine)
    if xboard_dialect(engine).features.get("ping") != "1":
        raise CheckSkippedError("the engine has no feature ping=1")
    send_optional(engine, "st 1")
    engine.send("go")
    lines = engine.expect_ready()
    if not any(engine.dialect.read_answer(line) for line in lines):
        raise CheckFailedError("pong before the move")
    board.push_iccs(_last_move(engine, lines))


def _last_move(engine: Examiner, lines: list[str]) -> str:
    answers = [engine.dialect.read_answer(line) for line in lines]
    return [answer.move for answer in answers if answer is not None and answer.move][-1]


@CHECKS.add("ponder")
def _check_ponder(engine: Examiner) -> None:
    """After hard the engine makes no move on its opponent's time, and answers his."""
    board = start_game(engine, "hard")
    engine.expect_no_answer("on the opponent's time")
    play_move(engine, board, min(board.legal_moves))
    engine.send("easy")


@CHECKS.add("analyze")
def _check_analyze(engine: Examiner) -> None:
    """Analysis makes no move, and ends after exit."""
    if xboard_dialect(engine).features.get("analyze") == "0":
        raise CheckSkippedError("the engine has feature analyze=0")
    set_up(engine)
    engine.send("analyze")
    for line in engine.read_for(QUIET_S):
        if line.startswith(REFUSALS):
            raise CheckSkippedError(line.strip())
        if engine.dialect.read_answer(line) is not None:
            raise CheckFailedError(f"{quote(line)} in an analysis")
    engine.send("exit")
    synchronize(engine)
    go(engine, set_up(engine))


@CHECKS.add("draw")
def _check_draw(engine: Examiner) -> None:
    """The engine goes on after a draw offer."""
    if xboard_dialect(engine).features.get("draw") == "0":
        raise CheckSkippedError("the engine has feature draw=0")
    board = start_game(engine)
    engine.send("draw")
    synchronize(engine)  # it may refuse the command
    play_move(engine, board, min(board.legal_moves))


@CHECKS.add("result")
def _check_result(engine: Examiner) -> None:
    """After result the engine makes no move, and plays the next game."""
    start_game(engine)
    engine.send("result * {the game is stopped}")
    engine.expect_no_answer("after the end of the game")
    start_game(engine)


# Options, unknown input, and the exit


@CHECKS.add("option")
def _check_option(engine: Examiner) -> None:
    """An option can be set."""
    dialect = xboard_dialect(engine)
    for option in engine.identity.options.values():
        if option.default is not None:
            synchronize(engine)
            send_required(engine, dialect.option_line(option.name, option.default))
            return
    raise CheckSkippedError("the engine has no option with a value")


@CHECKS.add("unknown-command", should=["xboard"])
def _check_unknown_command(engine: Examiner) -> None:
    """An unknown command is answered by an error, and the engine goes on."""
    synchronize(engine)
    engine.send("xyzzy 1 2")
    lines = synchronize(engine)
    if not any(line.startswith("Error (") for line in lines):
        raise CheckFailedError(f"found {lines or 'nothing'}, expected 'Error (...): xyzzy 1 2'")
    go(engine, set_up(engine))


@CHECKS.add("quit")
def _check_quit(engine: Examiner) -> None:
    """The engine exits after quit."""
    engine.send("quit")
    expect_exit(engine)


@CHECKS.add("quit-thinking", should=["xboard"])
def _check_quit_thinking(engine: Examiner) -> None:
    """The engine exits after quit during a search."""
    set_up(engine, *OUT_OF_BOOK)
    engine.send(*LONG, "go")
    engine.read_for(QUIET_S)
    engine.send("quit")
    expect_exit(engine)


@CHECKS.add("end-of-input", should=["xboard"])
def _check_end_of_input(engine: Examiner) -> None:
    """The engine exits at the end of its input."""
    synchronize(engine)
    engine.close_input()
    engine.wait_for_exit()
