"""Fixtures: conversations in UCCI."""

from __future__ import annotations

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.patience import PATIENCE_S

ENDLESS_MS = 1_000_000.0
"""Duration of a search step longer than any test."""


@pytest.fixture
def talk() -> Conversation:
    """A conversation after the handshake."""
    conversation = Conversation()
    conversation.send("ucci")
    conversation.expect("ucciok")
    return conversation


@pytest.fixture
def thinking() -> Conversation:
    """A conversation during a search that ends only when it is stopped."""
    conversation = Conversation(FakeSearcher(step_ms=ENDLESS_MS))
    conversation.send("ucci", "go infinite")
    conversation.expect("ucciok")
    assert conversation.searcher.listens.wait(PATIENCE_S)
    return conversation
