"""Does an engine keep to its protocol? Small checks, each with a name.

The text of the rules is that of UCCI 3.0 and of UCI. What they leave open and GUIs depend on is
checked as well: blanks and line ends, E and H for elephants and horses, ``r`` for Red, positions
that repeat. No check needs more than a few seconds from an engine that answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Final

from chess.engine import EngineError

from xiangqi.client.dialogue import NoAnswerError
from xiangqi.client.session import PROBED
from xiangqi.compliance import positions, searches
from xiangqi.compliance.examiner import (
    Check,
    CheckFailedError,
    CheckResult,
    CheckSkippedError,
    Examiner,
)
from xiangqi.errors import quote

__all__ = ["CHECKS", "Check", "CheckResult", "check_engine", "find_dialect"]

CHECKS: Final = (*positions.CHECKS, *searches.CHECKS)
"""All checks, in the order in which they are done."""


def check_engine(
    command: str | Sequence[str],
    dialect: str,
    *,
    patience: float = 10.0,
    checks: Iterable[Check] = CHECKS,
) -> Iterator[CheckResult]:
    """Check an engine; each of its answers may take ``patience`` seconds.

    It is started anew after a check that it fails or that ends it, and killed at the end.
    Raises EngineError if there is no such program.
    """
    with ExitStack() as stack:
        talk: Examiner | None = None
        for check in checks:
            if dialect not in check.dialects:
                continue
            if talk is None:
                talk = stack.enter_context(Examiner(command, dialect, patience))
            result = _run_check(check, talk)
            if talk.has_ended or not result.passed:
                stack.close()
                talk = None
            yield result


def _run_check(check: Check, talk: Examiner) -> CheckResult:
    """Do one check, after the handshake if that has not been done yet."""
    passed, reason = True, ""
    begin = len(talk.transcript)
    try:
        if not talk.greeting:
            talk.greet()
        check.run(talk)
    except CheckSkippedError as skipped:
        reason = f"skipped: {skipped}"
    except (CheckFailedError, EngineError) as error:
        passed, reason = False, str(error)
    return CheckResult(check, passed, reason, tuple(talk.transcript[begin:]))


def find_dialect(command: str | Sequence[str], patience: float = 10.0) -> str:
    """The first dialect that an engine answers; raises EngineError if it answers none."""
    for name in PROBED:
        with Examiner(command, name, patience) as talk:
            try:
                talk.greet()
            except NoAnswerError:
                continue
            return name
    tried = " nor ".join(PROBED)
    raise EngineError(f"{quote(command)} answers neither {tried} within {patience:g} seconds")
