"""The game on the page as a tree: stepping, taking back, variations, comments, and saving them."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, board_after, has_moves, needs_driver, pieces_of
from xiangqi.games.formats import read_games

pytestmark = needs_driver

KEYS = """
const [key, count] = arguments;
for (let i = 0; i < count; i++) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, repeat: i > 0 }));
}
"""
SHUFFLE = "a0a1 a9a8 a1a0 a8a9 i0i1 i9i8 i1i0 i8i9 b2d2 b7d7 d2b2 d7b7 h2f2 h7f7 f2h2 f7h7".split()


def test_no_key_repeat_is_lost_while_the_server_answers(page: Page) -> None:
    page.paste(" ".join(SHUFFLE * 2))
    page.wait(partial(has_moves, page, 32))
    page.settle()
    page.click("#last")  # the ruling fell before

    def ply() -> int:
        return int(page.find("#moves [aria-current]").get_attribute("data-ply") or 0)

    page.run(KEYS, "ArrowLeft", 20)
    page.wait(lambda: ply() == 12)  # the list and the board follow with the next picture
    assert page.pieces == pieces_of(board_after(*SHUFFLE[:12]).fen())
    page.run(KEYS, "ArrowRight", 7)
    page.wait(lambda: ply() == 19)
    page.settle()
    assert ply() == 19
    assert page.value("fen").split()[0] == board_after(*(SHUFFLE * 2)[:19]).fen().split()[0]
    page.run(KEYS, "ArrowRight", 50)
    page.settle()
    assert ply() == 32


def has_left(page: Page, before: list[str]) -> bool:
    return page.present != before


def test_the_keys_step_after_a_click_on_the_board_and_beside_any_button(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2 i9h9")
    page.wait(lambda: page.present == ["R9.8"])
    page.settle()
    for selector in ("#table [data-square=e2]", "#flip", "h1", "#arrows"):
        page.click(selector)
        before = list(page.present)
        page.type(Keys.ARROW_LEFT)
        page.wait(partial(has_left, page, before))
    assert page.present == []
    page.press("#move", Keys.END)
    assert page.present == [], "the keys belong to a text field"


def test_moves_taken_back_are_put_back_where_another_one_is_played(page: Page) -> None:
    for move in ("h2e2", "h9g7", "h0g2"):
        page.move(move)
    page.click("#undo")
    page.click("#undo")
    page.click("#first")
    page.settle()
    page.move("b2e2")
    assert page.moves == ["C2.5", "C8.5", "H8+7", "H2+3"], "played before them"
    page.move("b9c7")
    page.click("#undo")
    page.settle()
    page.click("#moves [data-ply='3']")
    page.settle()
    page.move("i9h9")
    kept = ["C2.5", "C8.5", "H2+3", "H8+7", "H2+3", "R9.8"]
    assert page.moves == kept, "also where it is played elsewhere"


def test_a_move_taken_back_can_be_made_again_and_stays_as_a_variation(page: Page) -> None:
    for move in ("h2e2", "h9g7"):
        page.move(move)
    assert page.find("#redo").get_property("disabled")
    page.click("#undo")
    page.wait(lambda: page.moves == ["C2.5"])
    page.click("#redo")
    page.wait(lambda: page.moves == ["C2.5", "H8+7"])
    page.click("#undo")
    page.wait(lambda: page.moves == ["C2.5"])
    page.settle()
    page.move("b9c7")
    assert page.moves == ["C2.5", "H2+3", "H8+7"]
    assert page.find("#moves .variation").text == "(1… H8+7)"
    assert page.present == ["H2+3"], "the new move is the game's, the other one the variation"


def test_another_game_does_not_lose_the_one_before(page: Page) -> None:
    page.move("h2e2")
    page.click("#new-game")
    page.wait(lambda: page.moves == [])
    page.paste("b2e2")
    page.wait(lambda: page.moves == ["C8.5"])
    page.settle()
    page.open("?lang=zh")  # what can be taken back stays with the game
    for moves in ([], ["炮二平五"]):
        page.click("#undo")
        page.wait(partial(lambda moves: page.moves == moves, moves))
    for moves in ([], ["炮八平五"]):
        page.click("#redo")
        page.wait(partial(lambda moves: page.moves == moves, moves))


ANNOTATED = """[Event "A"]
[Red "B"]
[Result "1-0"]

{before <b>} 1. h2e2 $1 {centre} h9g7 (1... b9c7 $2 {aside} 2. h0g2 (2. b0c2)) (1... g6g5)
2. h0g2 i9h9 1-0
"""


def test_comments_marks_and_variations_are_shown_and_saved(page: Page, files: Path) -> None:
    (read,) = read_games(io.BytesIO(ANNOTATED.encode()))
    page.paste(ANNOTATED)
    page.wait(partial(has_moves, page, 8))
    assert page.moves[0] == "C2.5!"
    assert [item.text for item in page.all("#moves .comment")] == ["before <b>", "centre"]
    variations = [item.text for item in page.all("#moves .variation")]
    assert variations == ["(1… H2+3? aside 2. H2+3 (2. H8+7))", "(1… P7+1)"]
    assert page.save(files) == read
    page.click("#moves .variation button:nth-of-type(3)")
    after = board_after("h2e2", "b9c7", "b0c2")
    page.wait(lambda: page.pieces == pieces_of(after.fen()))
    page.open("?lang=zh")
    assert page.present == ["马八进七"]
    assert page.save(files) == read, "it lives through the change of the language"


def test_a_variation_leaves_the_result_and_another_end_does_not(page: Page, files: Path) -> None:
    page.paste(ANNOTATED)
    page.wait(partial(has_moves, page, 8))
    page.click("#moves button[data-ply='1']")
    page.settle()
    page.move("c6c5")
    game = page.save(files)
    assert game.headers["Result"] == "1-0"
    assert [str(node.move) for node in game.root.variations[0].variations][-1] == "c6c5"
    page.click("#last")
    page.click("#undo")
    page.click("#last")
    page.settle()
    page.move("i0h0")
    assert page.save(files).headers["Result"] == "*"
    page.click("#undo")
    page.wait(partial(has_moves, page, 9))
    assert page.save(files).headers["Result"] == "1-0"
