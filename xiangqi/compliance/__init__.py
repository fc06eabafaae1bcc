"""Checks of an engine against the specification of its protocol: UCCI 3.0, UCI or XBoard.

An engine *must* do what the specification requires, and *should* do what it recommends, or what it
leaves open but GUIs rely on: repeated blanks, CR LF, E and H for elephants and horses, ``r`` for
Red, exit at the end of input. A check takes a few seconds at most if the engine answers.
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
    """Run checks on an engine; each of its answers may take ``patience`` seconds.

    The engine is restarted after a check that fails or ends it, and killed at the end. The checks
    end if it has not answered the first handshake. Raises EngineError if it cannot be started.
    """
    with ExitStack() as stack:
        examiner: Examiner | None = None
        is_answering = False
        for check in checks:
            if dialect not in check.dialects:
                continue
            if examiner is None:
                examiner = stack.enter_context(Examiner(command, dialect, patience))
            result = _run_check(check, examiner)
            is_answering = is_answering or bool(examiner.handshake_lines)
            if examiner.has_ended or examiner.needs_restart or not result.passed:
                stack.close()
                examiner = None
            yield result
            if not is_answering:
                return


def _run_check(check: Check, examiner: Examiner) -> CheckResult:
    """Run a check, after the handshake if necessary."""
    status: Status = "passed"
    reason = ""
    start = len(examiner.transcript)
    try:
        if not examiner.handshake_lines:
            examiner.handshake()
        check.run(examiner)
    except CheckSkippedError as skipped:
        status, reason = "skipped", str(skipped)
    except (CheckFailedError, EngineError) as error:
        status, reason = "failed", str(error)
    level = check.level(examiner.protocol)
    return CheckResult(check, level, status, reason, tuple(examiner.transcript[start:]))


def find_dialect(
    command: str | Sequence[str], patience: float = 10.0, dialect: str | None = None
) -> str:
    """Protocol to check: ``dialect``, or the first of UCI, UCCI and XBoard that the engine answers.

    UCI comes first because some engines, such as Fairy-Stockfish, answer ``ucci`` but know no more
    of UCCI. Raises EngineError if none is answered within ``patience`` seconds.
    """

    async def probe(name: str | None, seconds: float) -> str:
        engine = await open_engine(command, dialect=name, timeout=seconds)
        engine.kill()
        await engine.returncode
        return engine.dialect

    found = asyncio.run(probe(dialect, patience))
    if dialect is None and found == "ucci":
        with suppress(EngineError):
            return asyncio.run(probe("uci", patience * PROBE_SHARE))
    return found
