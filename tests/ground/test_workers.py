"""Killed worker processes."""

from __future__ import annotations

import threading
import time

import pytest

from tests.support.patience import wait_until
from xiangqi.ground.workers import _kill_processes, in_processes


def test_killed_workers_leave_the_reports_of_other_threads_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The executor's thread reports nothing, all others still do."""
    reported: list[BaseException | None] = []

    def report(args: threading.ExceptHookArgs) -> None:
        reported.append(args.exc_value)

    monkeypatch.setattr(threading, "excepthook", report)
    executor = in_processes(1).start()
    future = executor.submit(time.sleep, 600)
    wait_until(future.running)
    _kill_processes(executor)
    assert threading.excepthook is report
    executor.shutdown(wait=True)
    assert future.done()
    assert reported == []
    other = threading.Thread(target=int, args=("a fault",))
    other.start()
    other.join()
    assert [type(error) for error in reported] == [ValueError]
