"""Checks of searches and of the exit, in UCCI and UCI.

Reasons for level ``should``: both protocols leave it to the engine which info it reports, but not
in which form. An idle ``stop`` should be answered in UCCI; in UCI it should be ignored, like every
unknown command. UCCI requires that unknown options are ignored, and does not mention other unknown
words; UCI does not mention unknown options. ``quit`` should end a UCCI engine during a search.
Neither mentions the end of input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from xiangqi.board import Board
from xiangqi.client.info import read_info
from xiangqi.client.session import PROBED
from xiangqi.compliance.examiner import (
    CLOCK_S,
    QUIET_S,
    CheckFailedError,
    Checklist,
    CheckSkippedError,
    Examiner,
)
from xiangqi.ground.errors import XiangqiError, quote

__all__ = ["CHECKS", "expect_exit"]

CHECKS: Final = Checklist(*PROBED)

# Limits


@CHECKS.add("depth")
def _check_depth(engine: Examiner) -> None:
    """A depth limit ends a search."""
    board = engine.set_up()
    engine.send("go depth 2")
    engine.expect_move(board)


@CHECKS.add("nodes")
def _check_nodes(engine: Examiner) -> None:
    """A node limit ends a search."""
    board = engine.set_up()
    engine.send("go nodes 500")
    engine.expect_move(board)


@CHECKS.add("movetime")
def _check_movetime(engine: Examiner) -> None:
    """A fixed time per move is kept."""
    board = engine.set_up()
    if engine.protocol == "uci":
        engine.send(f"go movetime {CLOCK_S * 1000}")
    else:
        engine.send(f"go {engine.clock_arguments(both=False).split(' increment')[0]} movestogo 1")
    engine.expect_move_in_time(board)


def _check_clock(engine: Examiner, arguments: str) -> None:
    board = engine.set_up()
    engine.send(f"go {arguments}")
    engine.expect_move_in_time(board)


@CHECKS.add("clocks")
def _check_clocks(engine: Examiner) -> None:
    """With both clocks the engine moves before its time is up."""
    _check_clock(engine, engine.clock_arguments())


@CHECKS.add("clock-order", "uci")
def _check_clock_order(engine: Examiner) -> None:
    """Clocks are accepted in any order."""
    _check_clock(engine, engine.clock_arguments(first=False))


@CHECKS.add("own-clock")
def _check_own_clock(engine: Examiner) -> None:
    """With the clock of the side to move alone the engine moves in time."""
    _check_clock(engine, engine.clock_arguments(both=False))


# Information


@CHECKS.add("info", should=PROBED)
def _check_info(engine: Examiner) -> None:
    """The depth of a search is reported."""
    board = engine.set_up()
    engine.send("go depth 3")
    lines = engine.expect_move(board)
    if not any("depth" in read_info(line) for line in lines):
        raise CheckFailedError("no line 'info depth ...'")


def _info_lines(engine: Examiner) -> list[str]:
    engine.set_up()
    engine.send("go depth 3")
    return [line for line in engine.expect_answer() if line.startswith("info ")]


_SCORE: Final = {
    "ucci": re.compile(r" score -?\d+( |$)"),
    "uci": re.compile(r" score (cp|mate) -?\d+( |$)"),
}
_NUMBER: Final = re.compile(r" (depth|seldepth|time|nodes|nps|multipv|hashfull) (?!\d+( |$))")


@CHECKS.add("info-form")
def _check_info_form(engine: Examiner) -> None:
    """Info lines are well-formed: fields are numbers, and scores have the right unit."""
    for line in _info_lines(engine):
        shown = re.split(r" (?:string|message)( |$)", line)[0]
        if _NUMBER.search(shown):
            raise CheckFailedError(f"cannot read {quote(line)}: expected a number")
        if " score" in shown and not _SCORE[engine.protocol].search(shown):
            form = "score N" if engine.protocol == "ucci" else "score cp N' or 'score mate N"
            raise CheckFailedError(f"cannot read {quote(line)}: expected '{form}'")


@CHECKS.add("score", should=PROBED)
def _check_score(engine: Examiner) -> None:
    """The score is reported."""
    if not any("score" in read_info(line) for line in _info_lines(engine)):
        raise CheckFailedError("no line 'info ... score ...'")


@CHECKS.add("pv")
def _check_pv(engine: Examiner) -> None:
    """Principal variations are legal."""
    for line in _info_lines(engine):
        board = Board()
        for text in read_info(line).get("pv", []):
            try:
                board.push(engine.dialect.read_move(text, board))
            except XiangqiError as error:
                raise CheckFailedError(f"in {quote(line)}: {error}") from error


# Stopping


@CHECKS.add("one-answer")
def _check_one_answer(engine: Examiner) -> None:
    """A search has only one answer."""
    engine.request_move(engine.set_up())
    _expect_no_second(engine, engine.expect_ready() + engine.read_for(QUIET_S))


def _expect_no_second(engine: Examiner, lines: Sequence[str]) -> None:
    for line in lines:
        if line.startswith("bestmove"):
            raise CheckFailedError(f"a second answer: {quote(line)}")


@CHECKS.add("stop")
def _check_stop(engine: Examiner) -> None:
    """'go infinite' searches until stop, then moves."""
    board = engine.set_up()
    engine.send("go infinite")
    engine.expect_no_answer("before stop")
    engine.send("stop")
    engine.expect_move(board)


@CHECKS.add("stop-twice")
def _check_stop_twice(engine: Examiner) -> None:
    """A second stop gives no second move."""
    board = engine.set_up()
    engine.send("go infinite", "stop", "stop")
    engine.expect_move(board)
    _expect_no_second(engine, engine.expect_ready() + engine.read_for(QUIET_S))


@CHECKS.add("idle-stop", should=PROBED)
def _check_idle_stop(engine: Examiner) -> None:
    """Without a search, stop is answered by nobestmove in UCCI, and ignored in UCI."""
    engine.set_up()
    engine.expect_ready()
    engine.send("stop")
    lines = engine.expect_ready()
    answers = [line for line in lines if engine.dialect.read_answer(line) is not None]
    expected = ["nobestmove"] if engine.protocol == "ucci" else []
    if answers != expected:
        raise CheckFailedError(f"found {answers or 'nothing'}, expected {expected or 'nothing'}")


@CHECKS.add("isready-thinking")
def _check_isready_thinking(engine: Examiner) -> None:
    """isready is answered during a search."""
    board = engine.set_up()
    engine.send("go infinite")
    _expect_no_second(engine, engine.expect_ready())
    engine.send("stop")
    engine.expect_move(board)


def _ponder(engine: Examiner) -> Board:
    if engine.protocol == "uci" and "Ponder" not in engine.identity.options:
        raise CheckSkippedError("the engine has no option Ponder")
    board = engine.set_up()
    engine.send(f"go ponder {engine.clock_arguments()}")
    engine.expect_no_answer("while pondering")
    return board


@CHECKS.add("ponderhit")
def _check_ponderhit(engine: Examiner) -> None:
    """After ponderhit the engine moves before its time is up."""
    board = _ponder(engine)
    engine.send("ponderhit")
    engine.expect_move_in_time(board)


@CHECKS.add("ponder-stop")
def _check_ponder_stop(engine: Examiner) -> None:
    """After stop pondering ends."""
    _ponder(engine)
    engine.send("stop")
    engine.expect_answer()


# Unknown input, and the exit


@CHECKS.add("unknown-command", should=PROBED)
def _check_unknown_command(engine: Examiner) -> None:
    """The engine goes on after an unknown command."""
    engine.send("xyzzy 1 2")
    engine.expect_ready()


@CHECKS.add("unknown-option", should=["uci"])
def _check_unknown_option(engine: Examiner) -> None:
    """The engine goes on after an unknown option."""
    engine.send(engine.dialect.option_line("nosuchoption", 1))
    engine.expect_ready()


def expect_exit(engine: Examiner) -> list[str]:
    """Lines until the engine exits; CheckFailedError for another exit code than 0."""
    code, lines = engine.wait_for_exit()
    if code != 0:
        raise CheckFailedError(f"the exit code is {code}, expected 0")
    return lines


@CHECKS.add("quit")
def _check_quit(engine: Examiner) -> None:
    """The engine exits after quit."""
    engine.send("quit")
    expect_exit(engine)


@CHECKS.add("bye", "ucci")
def _check_bye(engine: Examiner) -> None:
    """The engine prints bye before it exits."""
    engine.send("quit")
    if "bye" not in expect_exit(engine):
        raise CheckFailedError("no line 'bye'")


@CHECKS.add("quit-thinking", should=["ucci"])
def _check_quit_thinking(engine: Examiner) -> None:
    """The engine exits after quit during a search."""
    engine.set_up()
    engine.send("go infinite")
    engine.read_for(QUIET_S)
    engine.send("quit")
    expect_exit(engine)


@CHECKS.add("end-of-input", should=PROBED)
def _check_end_of_input(engine: Examiner) -> None:
    """The engine exits at the end of its input."""
    engine.expect_ready()
    engine.close_input()
    engine.wait_for_exit()
