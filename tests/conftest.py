"""Profiles of hypothesis: the same examples for everybody, or many new ones on request."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.web_server import serving
from xiangqi.web.server import WebServer

settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("ci"), derandomize=False, max_examples=5000
)
settings.load_profile("ci")  # pytest --hypothesis-profile=explore looks further


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    """``xiangqi serve`` on a free port."""
    with serving() as running:
        yield running
