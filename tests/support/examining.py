"""Engines that misbehave, examined side by side, as most of them are waited for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeAlias

from xiangqi.compliance import CHECKS, CheckResult, check_engine

PATIENCE_S = 2.0

Case: TypeAlias = tuple[str, str, str]
"""The name of a check, the dialect, and the behaviour that must fail it."""


def run_check(
    name: str, command: Sequence[str], dialect: str, patience: float = PATIENCE_S
) -> CheckResult:
    """Do one check."""
    chosen = [check for check in CHECKS if check.name == name and dialect in check.dialects]
    return next(check_engine(command, dialect, patience=patience, checks=chosen))


def start_checks(
    pool: ThreadPoolExecutor, cases: Iterable[Case], command: Sequence[str]
) -> dict[Case, Future[CheckResult]]:
    """Begin to examine mock engines."""
    return {
        (name, dialect, behaviour): pool.submit(
            run_check, name, [*command, "--behaviour", *behaviour.split()], dialect
        )
        for name, dialect, behaviour in cases
    }
