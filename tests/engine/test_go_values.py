"""``go`` with values that cannot be read is answered, and says what was left out."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.soak import SOAK
from xiangqi.engine.protocol import FALLBACK_MS

PROTOCOLS = {"uci": "info string ", "ucci": "info message "}
OVERHEAD_MS = 10
NO_LIMIT = f"no limit is left: searching for {FALLBACK_MS} ms"
OTHER_CLOCK = "the clock of the side to move is missing: using the opponent's"
LIMITS = ("depth", "nodes", "movetime", "mate")
BAD = ("x", "", "-5", "1e", "1e-3", "0x10", "1,000", "nan", "inf", "½", "５", "--1", "1_000")


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def quick(protocol: str) -> Conversation:
    """A conversation after the handshake, with an engine that needs no time for a ply."""
    talk = Conversation(FakeSearcher(step_ms=0.01))
    talk.send(protocol)
    talk.expect(f"{protocol}ok")
    return talk


def answered(protocol: str, go: str, *before: str) -> tuple[Conversation, list[str]]:
    """A conversation in which ``go`` was answered, and its messages."""
    talk = quick(protocol)
    with talk:
        talk.send(*before, go)
        lines = talk.until("bestmove")
    start = PROTOCOLS[protocol]
    return talk, [line.removeprefix(start) for line in lines if line.startswith(start)]


def ends_at_stop(protocol: str, go: str) -> Conversation:
    """A conversation in which ``go`` was answered at ``stop``, without a message."""
    talk = quick(protocol)
    with talk:
        talk.send(go)
        heard = talk.ask()
        assert not [line for line in heard if "bestmove" in line or PROTOCOLS[protocol] in line]
        talk.send("stop")
        talk.expect("bestmove")
    return talk


@pytest.mark.parametrize("key", LIMITS)
@pytest.mark.parametrize("ponder", [False, True])
def test_unreadable_limit_is_left_out(protocol: str, key: str, ponder: bool) -> None:
    talk = quick(protocol)
    with talk:
        for value in BAD:
            go = f"go ponder {key} {value}" if ponder else f"go {key} {value}"
            talk.send(go, *["ponderhit"] * ponder)
            heard = "\n".join(talk.until("bestmove"))
            assert f"limit left out: {key}: found {value!r}, expected " in heard, go
            assert NO_LIMIT in heard, go
            assert talk.searcher.limits.hard_ms == FALLBACK_MS - OVERHEAD_MS, go


@pytest.mark.parametrize("value", BAD)
def test_other_limits_stay(protocol: str, value: str) -> None:
    for bad, good in itertools.permutations(LIMITS[:3], 2):
        talk, messages = answered(protocol, f"go {bad} {value} {good} 13")
        assert len(messages) == 1
        limits = talk.searcher.limits
        expected = {bad: 0, good: 13 - OVERHEAD_MS * (good == "movetime")}
        found = {"depth": limits.depth, "nodes": limits.nodes, "movetime": limits.hard_ms}
        assert found == {"depth": 0, "nodes": 0, "movetime": 0} | expected


@pytest.mark.parametrize("key", [*LIMITS, "wtime", "time"])
def test_infinite_as_a_value_is_no_limit(protocol: str, key: str) -> None:
    limits = ends_at_stop(protocol, f"go {key} infinite").searcher.limits
    assert (limits.nodes, limits.hard_ms, limits.mate) == (0, 0, 0)
    assert limits.depth in (0, 1)  # 1 if it was stopped before it began
    talk, messages = answered(protocol, f"go {key} infinite depth 2")
    if key != "depth":
        assert messages == []
        assert talk.searcher.limits.depth == 2


def test_powers_of_ten_are_read(protocol: str) -> None:
    for text, nodes in (("1e3", 1000), ("2.5e3", 2500), ("1E+3", 1000), ("1e60", 10**18)):
        talk, messages = answered(protocol, f"go nodes {text} depth 1")
        assert messages == []
        assert talk.searcher.limits.nodes == nodes


@pytest.mark.parametrize(
    ("protocol", "go"),
    [("uci", "wtime 5000 winc 10"), ("uci", "wtime 5000 btime x"), ("ucci", "opptime 5")],
)
def test_opponents_clock_replaces_a_missing_one(protocol: str, go: str) -> None:
    talk, messages = answered(protocol, f"go {go}", "position startpos moves h2e2")
    assert messages[-1] == OTHER_CLOCK
    assert 0 < talk.searcher.limits.hard_ms < 5000


@pytest.mark.parametrize("go", ["movestogo 5", "winc 100", "binc x", "dpeth 5", "5", "increment 1"])
def test_words_that_set_no_limit_are_answered(protocol: str, go: str) -> None:
    _, messages = answered(protocol, f"go {go}")
    assert messages[-1] == NO_LIMIT
    is_unknown = go in ("dpeth 5", "5")
    assert (f"not understood after go: {go!r}" in messages) == is_unknown


def test_unreadable_increment_is_left_out() -> None:
    talk, messages = answered("uci", "go wtime 60000 btime 60000 winc soon movestogo many")
    assert messages == [
        "limit left out: winc: found 'soon', expected a number",
        "limit left out: movestogo: found 'many', expected a number",
    ]
    assert 0 < talk.searcher.limits.soft_ms < 5000


def test_any_words_after_go_are_answered_or_wait_for_stop(protocol: str) -> None:
    rng = random.Random(13)
    words = [*LIMITS, *BAD, "infinite", "wtime", "btime", "time", "increment", "5", "1e2", "ponder"]
    talk = quick(protocol)
    with talk:
        for _ in range(400 if SOAK else 130):
            go = " ".join(["go", *rng.choices(words, k=rng.randrange(1, 7))])
            talk.send(go)
            if "infinite" in go or "ponder" in go:
                talk.send("isready", "stop")
            assert talk.expect("bestmove"), go
