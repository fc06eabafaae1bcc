"""Small named checks of an engine against its protocol.

The specifications are those of UCCI 3.0, UCI and XBoard. An engine *must* do what they demand, and
*should* do what they recommend, or leave open and GUIs depend on: blanks and line ends, E and H for
elephants and horses, ``r`` for Red, exit at the end of input. No check needs more than a few
seconds from an engine that answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import Final

from chess.engine import EngineError

from xiangqi.client import open_engine
from xiangqi.client.protocol import PROBE_SHARE
from xiangqi.compliance import positions, searches, xboard_positions, xboard_searches
from xiangqi.compliance.examiner import (
    Check,
    CheckFailedError,
    CheckResult,
    CheckSkippedError,
    Examiner,
    Level,
    Status,
)

__all__ = [
    "CHECKS",
    "Check",
    "CheckResult",
    "Level",
    "Status",
    "check_engine",
    "find_dialect",
]

CHECKS: Final = (
    *positions.CHECKS,
    *searches.CHECKS,
    *xboard_positions.CHECKS,
    *xboard_searches.CHECKS,
)
"""All checks, in order."""


def check_engine(
    command: str | Sequence[str],
    dialect: str,
    *,
    patience: float = 10.0,
    checks: Iterable[Check] = CHECKS,
) -> Iterator[CheckResult]:
    """Check an engine; each of its answers may take ``patience`` seconds.

    It is restarted after a check that fails or ends it, and killed at the end. An engine that never
    answered the handshake gets no further commands. Raises EngineError if there is no such program.
    """
    with ExitStack() as stack:
        talk: Examiner | None = None
        has_greeted = False
        for check in checks:
            if dialect not in check.dialects:
                continue
            if talk is None:
                talk = stack.enter_context(Examiner(command, dialect, patience))
            result = _run_check(check, talk)
            has_greeted = has_greeted or bool(talk.greeting)
            if talk.has_ended or talk.is_spent or not result.passed:
                stack.close()
                talk = None
            yield result
            if not has_greeted:
                return


def _run_check(check: Check, talk: Examiner) -> CheckResult:
    """Run one check, after the handshake if necessary."""
    status: Status = "passed"
    reason = ""
    begin = len(talk.transcript)
    try:
        if not talk.greeting:
            talk.greet()
        check.run(talk)
    except CheckSkippedError as skipped:
        status, reason = "skipped", str(skipped)
    except (CheckFailedError, EngineError) as error:
        status, reason = "failed", str(error)
    level = check.level(talk.name)
    return CheckResult(check, level, status, reason, tuple(talk.transcript[begin:]))


def find_dialect(
    command: str | Sequence[str], patience: float = 10.0, dialect: str | None = None
) -> str:
    """Protocol for the examination of an engine:

    ``dialect``, or the first of UCI, UCCI and XBoard that it answers. UCI comes first because some
    engines, such as Fairy-Stockfish, answer ``ucci`` without knowing more of UCCI. Raises
    EngineError if it answers none within ``patience`` seconds.
    """

    async def ask(wanted: str | None, seconds: float) -> str:
        engine = await open_engine(command, dialect=wanted, timeout=seconds)
        engine.kill()
        await engine.returncode
        return engine.dialect

    found = asyncio.run(ask(dialect, patience))
    if dialect is None and found == "ucci":
        with suppress(EngineError):
            return asyncio.run(ask("uci", patience * PROBE_SHARE))
    return found
