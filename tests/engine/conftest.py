"""Conversations in UCCI, for the files that have none of their own."""

from __future__ import annotations

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.patience import PATIENCE_S

ENDLESS_MS = 1_000_000.0
"""A step that is longer than anybody waits."""


@pytest.fixture
def talk() -> Conversation:
    """A conversation after the handshake."""
    conversation = Conversation()
    conversation.send("ucci")
    conversation.expect("ucciok")
    return conversation


@pytest.fixture
def thinking() -> Conversation:
    """A conversation while the engine thinks, in a step that ends only when it is stopped."""
    conversation = Conversation(FakeSearcher(step_ms=ENDLESS_MS))
    conversation.send("ucci", "go infinite")
    conversation.expect("ucciok")
    assert conversation.searcher.listens.wait(PATIENCE_S)
    return conversation
