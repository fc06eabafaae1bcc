"""The state of the page (``state.js``), in Node.js: phases, listeners, drawing once a frame."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.serve.entry import asset_files

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

HEAD = f"""
import {{ State }} from "./state.js";
import {{ GameHistory }} from "./history.js";
import {{ MoveTree }} from "./tree.js";
const START = {json.dumps(STARTING_FEN)};
const frames = [];
globalThis.requestAnimationFrame = (draw) => frames.push(draw);
const state = new State(START);
const game = () => new MoveTree({{ fen: START }});
state.history = new GameHistory(game());
const seen = [];
const show = (value) => console.log(JSON.stringify(value));
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules that need no page."""
    folder = tmp_path_factory.mktemp("scripts")
    for name, body in asset_files():
        if name in ("state.js", "history.js", "tree.js", "board.js"):
            (folder / name).write_bytes(body)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return folder


def run(scripts: Path, script: str) -> Any:
    """Run a script on a state with a new game; returns the value that it shows."""
    (scripts / "test.js").write_text(HEAD + script, encoding="utf-8")
    done = subprocess.run(
        ["node", "test.js"], cwd=scripts, capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


def test_a_game_goes_through_the_phases_of_a_match(scripts: Path) -> None:
    script = """
    state.watch("phase", () => seen.push(state.phase));
    const phases = [state.phase];
    state.history.play("h2e2");
    phases.push(state.phase);
    const tree = game();
    state.history.begin(tree, 0);
    state.enterPhase(tree, "match", () => 7);
    phases.push(state.phase, state.isUnaided(), state.placeOfPlay());
    state.history.undo();
    phases.push(state.phase, state.isUnaided(), state.placeOfPlay() ?? null);
    state.history.redo();
    state.enterPhase(tree, "over");
    phases.push(state.phase, state.isUnaided());
    show([phases, seen]);
    """
    phases = ["start", "review", "match", True, 7, "review", False, None, "over", False]
    assert run(scripts, script) == [phases, ["match", "over"]]


@pytest.mark.parametrize(
    ("first", "next"),
    [("match", "task"), ("match", "review"), ("over", "match"), ("review", "task")],
)
def test_a_phase_that_cannot_follow_is_refused(scripts: Path, first: str, next: str) -> None:
    script = f"""
    const {{ tree }} = state.history;
    state.enterPhase(tree, "{first}");
    try {{
      state.enterPhase(tree, "{next}");
    }} catch ({{ message }}) {{
      show([message, state.phase]);
    }}
    """
    assert run(scripts, script) == [f"phase: {first} -> {next}", first]


def test_changes_are_drawn_at_once_and_then_once_a_frame(scripts: Path) -> None:
    script = """
    state.view = {};
    state.watch("position", ({ allowsReply }) => seen.push(["position", state.view, allowsReply]));
    state.watch("draw", () => seen.push("draw"));
    state.update({ allowsReply: true });
    state.update();
    state.redraw();
    const before = seen.length;
    frames.shift()();
    frames.shift()();
    show([seen.slice(0, before), seen.slice(before), frames.length]);
    """
    positions = [["position", None, True], "draw", ["position", None, False]]
    assert run(scripts, script) == [positions, ["draw"], 0]
