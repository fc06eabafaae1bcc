"""Checks of searches and of the exit, in UCCI and UCI.

Recommended only, with the reasons: both protocols leave it to the engine which info it reports, but
not in which form. An idle ``stop`` should be answered in UCCI; in UCI it should be ignored, like
every unknown command. UCCI demands that unknown options are ignored, and mentions no other unknown
words; UCI does not mention options. ``quit`` should end a UCCI engine during a search. Neither
mentions the end of input.
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
from xiangqi.errors import XiangqiError, quote

__all__ = ["CHECKS", "expect_exit"]

CHECKS: Final = Checklist(*PROBED)

# Limits


@CHECKS.add("depth")
def _check_depth(talk: Examiner) -> None:
    """A limit of depth ends a search."""
    board = talk.set_up()
    talk.send("go depth 2")
    talk.expect_move(board)


@CHECKS.add("nodes")
def _check_nodes(talk: Examiner) -> None:
    """A limit of nodes ends a search."""
    board = talk.set_up()
    talk.send("go nodes 500")
    talk.expect_move(board)


@CHECKS.add("movetime")
def _check_movetime(talk: Examiner) -> None:
    """A time for one move ends a search in this time."""
    board = talk.set_up()
    if talk.name == "uci":
        talk.send(f"go movetime {CLOCK_S * 1000}")
    else:
        talk.send(f"go {talk.clock_words(both=False).split(' increment')[0]} movestogo 1")
    talk.expect_move_in_time(board)


def _check_clock(talk: Examiner, words: str) -> None:
    board = talk.set_up()
    talk.send(f"go {words}")
    talk.expect_move_in_time(board)


@CHECKS.add("clocks")
def _check_clocks(talk: Examiner) -> None:
    """Clocks of both sides end a search before time is up."""
    _check_clock(talk, talk.clock_words())


@CHECKS.add("clock-order", "uci")
def _check_clock_order(talk: Examiner) -> None:
    """Clocks are understood in any order."""
    _check_clock(talk, talk.clock_words(first=False))


@CHECKS.add("own-clock")
def _check_own_clock(talk: Examiner) -> None:
    """The clock of the side to move is enough."""
    _check_clock(talk, talk.clock_words(both=False))


# Information


@CHECKS.add("info", should=PROBED)
def _check_info(talk: Examiner) -> None:
    """A search is reported, with depth."""
    board = talk.set_up()
    talk.send("go depth 3")
    lines = talk.expect_move(board)
    if not any("depth" in read_info(line) for line in lines):
        raise CheckFailedError("no line 'info depth ...'")


def _told(talk: Examiner) -> list[str]:
    talk.set_up()
    talk.send("go depth 3")
    return [line for line in talk.expect_answer() if line.startswith("info ")]


_SCORE: Final = {
    "ucci": re.compile(r" score -?\d+( |$)"),
    "uci": re.compile(r" score (cp|mate) -?\d+( |$)"),
}
_NUMBER: Final = re.compile(r" (depth|seldepth|time|nodes|nps|multipv|hashfull) (?!\d+( |$))")


@CHECKS.add("info-form")
def _check_info_form(talk: Examiner) -> None:
    """Information is well-formed: numbers where numbers belong, and scores in the right unit."""
    for line in _told(talk):
        shown = re.split(r" (?:string|message)( |$)", line)[0]
        if _NUMBER.search(shown):
            raise CheckFailedError(f"cannot read {quote(line)}: expected a number")
        if " score" in shown and not _SCORE[talk.name].search(shown):
            form = "score N" if talk.name == "ucci" else "score cp N' or 'score mate N"
            raise CheckFailedError(f"cannot read {quote(line)}: expected '{form}'")


@CHECKS.add("score", should=PROBED)
def _check_score(talk: Examiner) -> None:
    """The score is reported."""
    if not any("score" in read_info(line) for line in _told(talk)):
        raise CheckFailedError("no line 'info ... score ...'")


@CHECKS.add("pv")
def _check_pv(talk: Examiner) -> None:
    """Lines of play are legal."""
    for line in _told(talk):
        board = Board()
        for text in read_info(line).get("pv", []):
            try:
                board.push(talk.speech.read_move(text, board))
            except XiangqiError as error:
                raise CheckFailedError(f"in {quote(line)}: {error}") from error


# Stopping


@CHECKS.add("one-answer")
def _check_one_answer(talk: Examiner) -> None:
    """A search has one answer."""
    talk.play_one(talk.set_up())
    _expect_no_second(talk, talk.expect_ready() + talk.hear_for(QUIET_S))


def _expect_no_second(talk: Examiner, lines: Sequence[str]) -> None:
    for line in lines:
        if line.startswith("bestmove"):
            raise CheckFailedError(f"a second answer: {quote(line)}")


@CHECKS.add("stop")
def _check_stop(talk: Examiner) -> None:
    """A search without end goes on until stop, and then is answered."""
    board = talk.set_up()
    talk.send("go infinite")
    talk.expect_nothing("before stop")
    talk.send("stop")
    talk.expect_move(board)


@CHECKS.add("stop-twice")
def _check_stop_twice(talk: Examiner) -> None:
    """A second stop brings no second move."""
    board = talk.set_up()
    talk.send("go infinite", "stop", "stop")
    talk.expect_move(board)
    _expect_no_second(talk, talk.expect_ready() + talk.hear_for(QUIET_S))


@CHECKS.add("idle-stop", should=PROBED)
def _check_idle_stop(talk: Examiner) -> None:
    """Stop without a search is answered by nobestmove in UCCI, and by nothing in UCI."""
    talk.set_up()
    talk.expect_ready()
    talk.send("stop")
    lines = talk.expect_ready()
    answers = [line for line in lines if talk.speech.read_answer(line) is not None]
    expected = ["nobestmove"] if talk.name == "ucci" else []
    if answers != expected:
        raise CheckFailedError(f"found {answers or 'nothing'}, expected {expected or 'nothing'}")


@CHECKS.add("isready-thinking")
def _check_isready_thinking(talk: Examiner) -> None:
    """The engine says while it thinks that it is alive."""
    board = talk.set_up()
    talk.send("go infinite")
    _expect_no_second(talk, talk.expect_ready())
    talk.send("stop")
    talk.expect_move(board)


def _ponder(talk: Examiner) -> Board:
    if talk.name == "uci" and "Ponder" not in talk.identity.options:
        raise CheckSkippedError("the engine has no option Ponder")
    board = talk.set_up()
    talk.send(f"go ponder {talk.clock_words()}")
    talk.expect_nothing("while pondering")
    return board


@CHECKS.add("ponderhit")
def _check_ponderhit(talk: Examiner) -> None:
    """Pondering ends in a move after ponderhit, before time is up."""
    board = _ponder(talk)
    talk.send("ponderhit")
    talk.expect_move_in_time(board)


@CHECKS.add("ponder-stop")
def _check_ponder_stop(talk: Examiner) -> None:
    """Pondering ends after stop."""
    _ponder(talk)
    talk.send("stop")
    talk.expect_answer()


# What nobody should send, and leaving


@CHECKS.add("unknown-command", should=PROBED)
def _check_unknown_command(talk: Examiner) -> None:
    """A command that is not known does no harm."""
    talk.send("xyzzy 1 2")
    talk.expect_ready()


@CHECKS.add("unknown-option", should=["uci"])
def _check_unknown_option(talk: Examiner) -> None:
    """An option that is not known does no harm."""
    talk.send(talk.speech.option_line("nosuchoption", 1))
    talk.expect_ready()


def expect_exit(talk: Examiner) -> list[str]:
    """Lines until the engine has exited in order."""
    code, lines = talk.wait_for_end()
    if code != 0:
        raise CheckFailedError(f"the exit code is {code}, expected 0")
    return lines


@CHECKS.add("quit")
def _check_quit(talk: Examiner) -> None:
    """The engine exits after quit."""
    talk.send("quit")
    expect_exit(talk)


@CHECKS.add("bye", "ucci")
def _check_bye(talk: Examiner) -> None:
    """The engine says bye."""
    talk.send("quit")
    if "bye" not in expect_exit(talk):
        raise CheckFailedError("no line 'bye'")


@CHECKS.add("quit-thinking", should=["ucci"])
def _check_quit_thinking(talk: Examiner) -> None:
    """The engine exits during a search."""
    talk.set_up()
    talk.send("go infinite")
    talk.hear_for(QUIET_S)
    talk.send("quit")
    expect_exit(talk)


@CHECKS.add("end-of-input", should=PROBED)
def _check_end_of_input(talk: Examiner) -> None:
    """The engine exits at the end of its input."""
    talk.expect_ready()
    talk.close_input()
    talk.wait_for_end()
