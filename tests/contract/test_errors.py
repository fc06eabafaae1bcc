"""Errors as data: one set of codes, and the place of the fault in the request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from xiangqi import FenError, RecordError, RuleSetError, XiangqiError
from xiangqi.contract.errors import INPUT_CODES, STATUS_CODES, FieldError, error_to_dict
from xiangqi.ground.errors import Fact, FormatError
from xiangqi.web.serve.messages import Refusal

ROOT = Path(__file__).parents[2]
MODULES = (
    "contract.errors", "engine.options", "games.formats", "ground.errors", "match.config",
    "web.api.problems",
)  # fmt: skip
"""Modules of the package that define errors, among others."""
WHY = Fact("expected", what=Fact("a_number"))


def kinds(kind: type[XiangqiError]) -> Iterator[type[XiangqiError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from kinds(child)


def test_every_error_has_a_code_of_the_contract() -> None:
    for name in MODULES:
        import_module(f"xiangqi.{name}")
    codes = {kind._CODE for kind in kinds(XiangqiError)}
    assert len(codes) > 7
    assert codes <= set(INPUT_CODES)


def test_every_refusal_has_a_code_of_the_contract() -> None:
    statuses = {
        int(status)
        for path in (ROOT / "xiangqi/web").rglob("*.py")
        for status in re.findall(r"Refusal\(\s*(\d+),", path.read_text(encoding="utf-8"))
    }
    assert len(statuses) > 10
    assert statuses <= set(STATUS_CODES)


@pytest.mark.parametrize(
    ("error", "code", "place", "ply", "quotation"),
    [
        (FenError("9", Fact("fen.placement"), WHY), "bad_fen", "fen: piece placement", None, "9"),
        (RecordError(1, "x9", WHY), "bad_move", "moves[1]", 1, "x9"),
        (RuleSetError(Fact("rule.set"), "wfx", WHY), "bad_rules", "rules", None, "wfx"),
        (FieldError("moves[1]", 7, WHY), "bad_field", "moves[1]", None, "7"),
        (FieldError("", None, WHY), "bad_field", "", None, "null"),
        (FieldError("data", b"\0", WHY), "bad_field", "data", None, '"AA=="'),
        (
            FormatError("text", Fact("place.line", line=1), WHY),
            "bad_file",
            "text: line 1",
            None,
            "",
        ),
        (Refusal(404, Fact("serve.no_page", given="/x")), "not_found", "", None, "/x"),
        (XiangqiError("odd"), "bad_input", "", None, ""),
    ],
)
def test_an_error_as_data(
    error: XiangqiError, code: str, place: str, ply: int | None, quotation: str
) -> None:
    found = error_to_dict(error)
    assert (found["code"], found["place"], found["ply"]) == (code, place, ply)
    assert found["quotation"] == quotation
    assert found["message"] == str(error)


def test_a_long_quotation_is_shortened() -> None:
    for value in ("9" * 5000, ["9" * 5000]):
        assert 100 < len(error_to_dict(FieldError("fen", value, WHY))["quotation"]) < 121
