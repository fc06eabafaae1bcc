"""Time limit of tests for immediate answers."""

import time
from collections.abc import Callable

PATIENCE_S = 60
"""Only a failure takes so long; what is right may come late where other tests run as well."""


def wait_until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "the condition does not hold in time"
        time.sleep(0.01)
