"""The types of the npm package are true of all answers: the TypeScript compiler reads both."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.soak import SOAK
from tools.setup.npm_tools import TOOLS
from xiangqi import Board
from xiangqi.casebook.cases import Case, find_case_folder, load_cases
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rules import RULE_SETS
from xiangqi.web.calls import CALLS, answer

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "packages/meihua/src/index.js"
TYPESCRIPT = ROOT / TOOLS / "node_modules/typescript/bin/tsc"
OPTIONS = (
    "--noEmit --strict --skipDefaultLibCheck --target es2022 --module nodenext --lib es2023,dom"
).split()
BARRED = {
    "fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w", "moves": "a1a2 d9d8 a2a1", "rules": "superko-situational",
}  # fmt: skip
ENDS: list[dict[str, Any]] = [
    {},
    {"fen": "4k4/R8/9/9/9/9/9/9/1R7/3K5 w", "moves": ["b1b9"]},
    {"fen": "3k5/9/9/9/9/9/9/9/9/4K4 w"},
    {"fen": "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 119 90", "moves": ["a1a2"]},
    {"fen": "3k5/2P1P4/9/9/9/9/9/9/9/4K4 b", "language": "zh"},
]
"""Games that go on or end without a repetition."""
SHARE = 12
"""Each rule set rules on one of so many cases, another one each; with MEIHUA_SOAK=1 on all."""
WRONG: list[tuple[str, Any]] = [
    ("judge", {"fen": "9"}),
    ("judge", {"fen": "4k4/9/9/9/9/9/9/9/9/9 w"}),
    ("judge", {"moves": ["h2e3"]}),
    ("judge", {"moves": {}}),
    ("judge", {"rules": "wfx"}),
    ("judge", 7),
    ("parseMoves", {"text": ""}),
]

pytestmark = pytest.mark.skipif(
    not (TYPESCRIPT.exists() and shutil.which("node")),
    reason="TypeScript (npm, fetched by dev.py) or Node.js is not there",
)


def values(name: str, requests: Iterable[dict[str, Any]]) -> Iterator[Any]:
    for one in json.loads(answer(name, json.dumps(list(requests)))):
        yield one["value"]


def played(case: Case) -> dict[str, Any]:
    board = case.play_until(3)
    return {"fen": board.root_fen(), "moves": [move.iccs() for move in board.move_stack]}


def features(data: Any, path: str = "") -> Iterator[str]:
    """The keys, kinds of values and short texts of an answer, each with its place."""
    if isinstance(data, dict):
        yield f"{path}:{sorted(data)}"
        for key, value in data.items():
            yield from features(value, f"{path}.{key}")
    elif isinstance(data, list):
        yield f"{path}[{bool(data)}]"
        for value in data:
            yield from features(value, path)
    else:
        yield f"{path}={data if isinstance(data, str) and data.isidentifier() else type(data)}"


def telling(answers: Iterable[Any]) -> list[Any]:
    """The answers with a feature that none before them has."""
    seen: set[str] = set()
    chosen = []
    for one in answers:
        found = {feature for feature in features(one) if not feature.startswith((".moves", ".fen"))}
        if found - seen:
            seen |= found
            chosen.append(one)
    return chosen


def all_answers() -> dict[str, list[Any]]:
    """Answers of each call, by the name of the call; rulings on the cases of three rule books."""
    cases = load_cases(map(find_case_folder, ("wxf", "cxa2020", "computer")))
    ruled = [
        {**played(case), "rules": rules}
        for number, rules in enumerate(RULE_SETS)
        for place, case in enumerate(cases)
        if SOAK or (number + place) % SHARE == 0
    ]
    moves = " ".join(move.iccs() for move in Board().legal_moves)[:4]
    return {
        "judge": telling(values("judge", [{}, *ruled])),
        "outcome": telling(values("outcome", [*ENDS, *ruled])),
        "barredMoves": list(values("barredMoves", [{}, BARRED])),
        "explain": list(values("explain", [{}])),
        "legalMoves": list(values("legalMoves", [{}, ENDS[1]])),
        "fenAfter": list(values("fenAfter", [{}])),
        "parseMoves": list(values("parseMoves", [{"text": moves}, {"text": STARTING_FEN}])),
        "formatMoves": list(values("formatMoves", [{}, ENDS[1]])),
        "draw": list(values("draw", [{}])),
    }


def program(answers: dict[str, list[Any]], errors: list[Any]) -> str:
    """TypeScript that gives every answer to a variable of the type of its call."""
    lines = [
        f'import type {{ Meihua, MeihuaError }} from "{SOURCE.as_posix()}";',
        "type Answer<F> = F extends { (one: never): Promise<infer T>; (all: never): unknown }",
        "  ? T : never;",
        'type Failure = Pick<MeihuaError, "code" | "message" | "place" | "ply" | "quotation">;',
    ]
    for name, found in answers.items():
        text = json.dumps(found, ensure_ascii=False)
        lines.append(f'export const {name}: Answer<Meihua["{name}"]>[] = {text};')
    lines.append(f"export const errors: Failure[] = {json.dumps(errors, ensure_ascii=False)};")
    return "\n".join(lines)


def compile_program(folder: Path, text: str) -> str:
    """The complaints of the compiler."""
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "answers.ts").write_text(text, encoding="utf-8")
    command = ["node", str(TYPESCRIPT), *OPTIONS, "answers.ts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=300)
    return done.stdout


def test_every_answer_has_its_type(tmp_path: Path) -> None:
    answers = all_answers()
    assert answers.keys() == CALLS.keys()
    assert len(answers["judge"]) > 20
    rulings = answers["judge"]
    answers["judge"] = [*rulings, {**rulings[-1], "unsettled": [2]}]
    errors = [json.loads(answer(name, json.dumps(data)))["error"] for name, data in WRONG]
    assert compile_program(tmp_path, program(answers, errors)) == ""


def test_each_wrong_answer_is_noticed(tmp_path: Path) -> None:
    (ruling,) = values("judge", [{}])
    changes: list[dict[str, Any]] = [
        {"verdict": "won"},
        {"more": 1},
        {"plies": [{}]},
        {"fen": None},
    ]
    head, *_ = program({}, []).split("export")
    tried = [ruling, *({**ruling, **change} for change in changes)]
    lines = [f'const _{n}: Answer<Meihua["judge"]> = {json.dumps(a)};' for n, a in enumerate(tried)]
    complaints = compile_program(tmp_path, head + "\n".join(lines))
    found = [int(line) for line in re.findall(r"^answers\.ts\((\d+),.* error TS", complaints, re.M)]
    first = head.count("\n") + 1
    assert sorted(set(found)) == [first + number for number in range(1, len(tried))]
