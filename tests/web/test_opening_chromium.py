"""A file with one game opens on the board, whatever its format and way in."""

from __future__ import annotations

import base64
import io
from functools import partial
from pathlib import Path

import pytest

from tests.support.play_page import Page, has_moves, is_saved, needs_driver
from xiangqi.games.formats import FORMATS, read_games

pytestmark = needs_driver

PGN = '[Red "A"]\n[Black "B"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 *\n'
DROP = """
const [name, text] = arguments;
const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], name));
document.body.dispatchEvent(
  new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
"""
"""Drops a file with a content in base64."""


def encode(suffix: str) -> bytes:
    if suffix == "pgn":
        return PGN.encode()
    written = io.BytesIO()
    FORMATS[suffix].write(list(read_games(io.BytesIO(PGN.encode()))), written)
    return written.getvalue()


@pytest.mark.parametrize("suffix", ["pgn", "xqf", "dhtmlxq"])
@pytest.mark.parametrize("way", ["choose", "drop"])
def test_a_file_with_one_game_opens_on_the_board(
    page: Page, files: Path, suffix: str, way: str
) -> None:
    content = encode(suffix)
    if way == "choose":
        file = files / f"one.{suffix}"
        file.write_bytes(content)
        page.load("#file", file)
    else:
        text = base64.b64encode(content).decode()
        page.run(DROP, f"one.{suffix}", text)
    page.wait(partial(has_moves, page, 4))
    assert not page.find("#open-dialog").is_displayed()
    assert page.find("#panel-analyse").is_displayed()
    assert page.all("#files li") == []


@pytest.mark.parametrize(
    ("button", "name"),
    [("chinese", "game.pgn"), ("xqf", "game.xqf"), ("dhtmlxq", "game.dhtmlxq")],
)
def test_a_game_is_saved_in_other_formats(page: Page, files: Path, button: str, name: str) -> None:
    page.paste(PGN)
    page.wait(partial(has_moves, page, 4))
    saved = files / name
    saved.unlink(missing_ok=True)
    page.click(f"#save-{button}")
    page.wait(lambda: is_saved(saved))
    with saved.open("rb") as file:
        (game,) = read_games(file)
    assert [str(move) for move in game.moves()] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert game.headers["Red"] == "A"
    if button == "chinese":
        assert "炮二平五" in saved.read_text(encoding="utf-8")
