"""Rule sets sent to an engine as option values."""

from __future__ import annotations

from typing import Any

import pytest
from chess.engine import EngineError, MockTransport, Option, UciOptionMap

from tests.support.client_talk import board_after, talk
from xiangqi import RULE_SETS, WXF, Board, Limit, Move, RuleSet
from xiangqi.client import XiangqiProtocol
from xiangqi.client.protocol import rule_options


def known(*words: str, limit: str = "") -> UciOptionMap[Option]:
    """Options of an engine with these values for rule sets."""
    found: UciOptionMap[Option] = UciOptionMap()
    found["repetition rule"] = Option("Repetition Rule", "combo", None, None, None, list(words))
    if limit:
        found[limit] = Option(limit, "spin", 60, 0, 500, None)
    return found


PIKAFISH = known("AsianRule", "ChineseRule", "ComputerRule", "AllowChase", "SkyRule")


@pytest.mark.parametrize(
    ("rules", "options", "expected"),
    [
        (WXF, known("axf", "wxf"), {"Repetition Rule": "wxf"}),
        (WXF, PIKAFISH, {"Repetition Rule": "AsianRule"}),
        (RULE_SETS["axf"], PIKAFISH, {"Repetition Rule": "AsianRule"}),
        (RULE_SETS["axf"], known("asianrule", "AXF"), {"Repetition Rule": "AXF"}),
        (
            WXF.replace({"no_capture_limit": 40}),
            known("wxf", limit="drawmoves"),
            {"Repetition Rule": "wxf", "drawmoves": 20},
        ),
        (
            RuleSet("club", no_capture_limit=None),
            known("wxf", limit="No Capture Rounds"),
            {"Repetition Rule": "wxf", "No Capture Rounds": 0},
        ),
    ],
)
def test_rules_that_can_be_sent(
    rules: RuleSet, options: UciOptionMap[Option], expected: dict[str, object]
) -> None:
    assert rule_options(rules, options) == expected


@pytest.mark.parametrize(
    ("rules", "options", "why"),
    [
        (WXF, UciOptionMap(), "to the rules wxf: it has no option Repetition Rule"),
        (
            RULE_SETS["tiantian"],
            PIKAFISH,
            "its option Repetition Rule is one of AsianRule, ChineseRule",
        ),
        (WXF.replace({"occurrences": 2}), known("wxf"), "wxf occurrences=2: its option Repetition"),
        (WXF.replace({"no_capture_limit": 40}), known("wxf"), "it has no option No Capture Rounds"),
        (
            WXF.replace({"no_capture_limit": 41}),
            known("wxf", limit="drawmoves"),
            "its option drawmoves counts rounds of two plies",
        ),
    ],
)
def test_rules_that_cannot(rules: RuleSet, options: UciOptionMap[Option], why: str) -> None:
    with pytest.raises(EngineError, match=why):
        rule_options(rules, options)


@pytest.mark.parametrize("is_same", [True, False])
def test_a_ponderhit_needs_the_same_rules(is_same: bool) -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("setoption name Repetition Rule value all-draws")
        transport.expect("ucinewgame")
        transport.expect("isready", ["readyok"])
        transport.expect("position startpos")
        transport.expect("go depth 5", ["bestmove h2e2 ponder h9g7"])
        transport.expect("position startpos moves h2e2 h9g7")
        transport.expect("go ponder depth 5")
        first: dict[str, Any] = {"ponder": True, "game": 1, "rules": RULE_SETS["all-draws"]}
        await engine.play(Board(), Limit(depth=5), **first)
        if is_same:
            transport.expect("ponderhit", ["bestmove b0c2"])
        else:
            transport.expect("stop", ["bestmove b0c2"])
            transport.expect("setoption name Repetition Rule value wxf")
            transport.expect("isready", ["readyok"])
            transport.expect("position startpos moves h2e2 h9g7")
            transport.expect("go depth 5", ["bestmove b0c2"])
        then = first if is_same else {"ponder": True, "game": 1}
        result = await engine.play(board_after("h2e2 h9g7"), Limit(depth=5), **then)
        assert result.move == Move.from_iccs("b0c2")

    option = "option name Repetition Rule type combo default wxf var wxf var all-draws"
    talk(script, "uci", (option,), ())
