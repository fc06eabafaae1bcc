"""Checks of searches and of the exit, in the XBoard protocol.

Recommended only, with the reasons: an engine may "always ignore the ? command" while it thinks, and
send any number of lines of thinking, but in a fixed form; XBoard ends an engine that does not read
commands during a search by a signal. The specification does not mention the end of input.
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
    ask,
    ask_deeper,
    begin,
    catch_up,
    play_on,
    set_up,
    speech_of,
    tell,
    tell_optional,
)
from xiangqi.errors import quote

__all__ = ["CHECKS"]

CHECKS: Final = Checklist("xboard")

LONG: Final = ("sd 99", "st 60")
"""Limits of a search that does not end by itself during a check."""
OUT_OF_BOOK: Final = ("a0a2", "i9i7")
"""Opening moves that are in no book, for a search that must last."""
_THINKING: Final = re.compile(r"\s{0,3}-?\d+\s")


# Limits


@CHECKS.add("depth")
def _check_depth(talk: Examiner) -> None:
    """A limit of depth ends a search."""
    ask_deeper(talk, set_up(talk), 2)


@CHECKS.add("new-depth")
def _check_new_depth(talk: Examiner) -> None:
    """A new game takes back the limit of depth."""
    ask_deeper(talk, set_up(talk), 1)
    set_up(talk, *OUT_OF_BOOK)
    tell_optional(talk, "st 60")
    talk.send("go")
    talk.expect_nothing("within the depth of the game before")
    talk.is_spent = True  # it would think for a minute


@CHECKS.add("movetime")
def _check_movetime(talk: Examiner) -> None:
    """A time for one move ends a search in this time."""
    board = set_up(talk)
    tell_optional(talk, f"st {CLOCK_S}")
    talk.send("go")
    talk.expect_move_in_time(board)


@CHECKS.add("clocks")
def _check_clocks(talk: Examiner) -> None:
    """Clocks end a search before time is up."""
    board = set_up(talk)
    talk.send(f"level 0 0:{CLOCK_S:02} 0")
    if speech_of(talk).features.get("time") != "0":
        talk.send(f"time {CLOCK_S * 100}", f"otim {CLOCK_S * 100}")
    talk.send("go")
    talk.expect_move_in_time(board)


# Information


def _search_lines(talk: Examiner, word: str) -> list[str]:
    """The lines of a search before its move, after ``post`` or ``nopost``."""
    board = set_up(talk)
    tell_optional(talk, word)
    return ask_deeper(talk, board, 3)[:-1]


@CHECKS.add("info", should=["xboard"])
def _check_info(talk: Examiner) -> None:
    """After post a search is reported."""
    if not any(talk.speech.read_info(line) for line in _search_lines(talk, "post")):
        raise CheckFailedError("no line 'PLY SCORE TIME NODES ...'")


@CHECKS.add("info-form")
def _check_info_form(talk: Examiner) -> None:
    """Lines of thinking are well-formed: depth, score, time and nodes are numbers."""
    for line in _search_lines(talk, "post"):
        if _THINKING.match(line) and not talk.speech.read_info(line):
            raise CheckFailedError(
                f"cannot read {quote(line)}: expected 'PLY SCORE TIME NODES ...'"
            )


@CHECKS.add("nopost")
def _check_nopost(talk: Examiner) -> None:
    """After nopost a search is not reported."""
    for line in _search_lines(talk, "nopost"):
        if talk.speech.read_info(line):
            raise CheckFailedError(f"{quote(line)} after nopost")


# While the engine thinks, and while it does not


@CHECKS.add("move-now", should=["xboard"])
def _check_move_now(talk: Examiner) -> None:
    """A question mark ends a search."""
    board = set_up(talk, *OUT_OF_BOOK)
    talk.send(*LONG, "go")
    talk.expect_nothing("before '?'")
    talk.send("?")
    talk.expect_move(board)


@CHECKS.add("idle-move-now")
def _check_idle_move_now(talk: Examiner) -> None:
    """A question mark without a search does nothing."""
    board = set_up(talk)
    talk.send("?")
    talk.expect_nothing("without a search")
    ask(talk, board)


@CHECKS.add("ping-thinking")
def _check_ping_thinking(talk: Examiner) -> None:
    """Ping is answered after the move, not while the engine thinks."""
    board = set_up(talk)
    if speech_of(talk).features.get("ping") != "1":
        raise CheckSkippedError("the engine has no feature ping=1")
    tell_optional(talk, "st 1")
    talk.send("go")
    said = talk.expect_ready()
    if not any(talk.speech.read_answer(line) for line in said):
        raise CheckFailedError("pong before the move")
    board.push_iccs(_last_move(talk, said))


def _last_move(talk: Examiner, said: list[str]) -> str:
    answers = [talk.speech.read_answer(line) for line in said]
    return [answer.move for answer in answers if answer is not None and answer.move][-1]


@CHECKS.add("ponder")
def _check_ponder(talk: Examiner) -> None:
    """After hard the engine makes no move in its opponent's time, and hears his."""
    board = begin(talk, "hard")
    talk.expect_nothing("in the opponent's time")
    play_on(talk, board, min(board.legal_moves))
    talk.send("easy")


@CHECKS.add("analyze")
def _check_analyze(talk: Examiner) -> None:
    """Analysis makes no move, and ends after exit."""
    if speech_of(talk).features.get("analyze") == "0":
        raise CheckSkippedError("the engine has feature analyze=0")
    set_up(talk)
    talk.send("analyze")
    for line in talk.hear_for(QUIET_S):
        if line.startswith(REFUSALS):
            raise CheckSkippedError(line.strip())
        if talk.speech.read_answer(line) is not None:
            raise CheckFailedError(f"{quote(line)} in an analysis")
    talk.send("exit")
    catch_up(talk)
    ask(talk, set_up(talk))


@CHECKS.add("draw")
def _check_draw(talk: Examiner) -> None:
    """The offer of a draw does no harm."""
    if speech_of(talk).features.get("draw") == "0":
        raise CheckSkippedError("the engine has feature draw=0")
    board = begin(talk)
    talk.send("draw")
    catch_up(talk)  # it may refuse the command
    play_on(talk, board, min(board.legal_moves))


@CHECKS.add("result")
def _check_result(talk: Examiner) -> None:
    """After the end of a game the engine makes no move, and plays the next."""
    begin(talk)
    talk.send("result * {the game is stopped}")
    talk.expect_nothing("after the end of the game")
    begin(talk)


# Options, what nobody should send, and leaving


@CHECKS.add("option")
def _check_option(talk: Examiner) -> None:
    """An option can be set."""
    speech = speech_of(talk)
    for option in talk.identity.options.values():
        if option.default is not None:
            catch_up(talk)
            tell(talk, speech.option_line(option.name, option.default))
            return
    raise CheckSkippedError("the engine has no option with a value")


@CHECKS.add("unknown-command", should=["xboard"])
def _check_unknown_command(talk: Examiner) -> None:
    """A command that is not known is answered by an error, and does no harm."""
    catch_up(talk)
    talk.send("xyzzy 1 2")
    said = catch_up(talk)
    if not any(line.startswith("Error (") for line in said):
        raise CheckFailedError(f"found {said or 'nothing'}, expected 'Error (...): xyzzy 1 2'")
    ask(talk, set_up(talk))


@CHECKS.add("quit")
def _check_quit(talk: Examiner) -> None:
    """The engine exits after quit."""
    talk.send("quit")
    expect_exit(talk)


@CHECKS.add("quit-thinking", should=["xboard"])
def _check_quit_thinking(talk: Examiner) -> None:
    """The engine exits during a search."""
    set_up(talk, *OUT_OF_BOOK)
    talk.send(*LONG, "go")
    talk.hear_for(QUIET_S)
    talk.send("quit")
    expect_exit(talk)


@CHECKS.add("end-of-input", should=["xboard"])
def _check_end_of_input(talk: Examiner) -> None:
    """The engine exits at the end of its input."""
    catch_up(talk)
    talk.close_input()
    talk.wait_for_end()
