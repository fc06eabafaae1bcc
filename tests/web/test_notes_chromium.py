"""Comments on a game on the page: comments, marks, drawings, names, links and pictures."""

from __future__ import annotations

import base64
import re
import struct
from functools import partial
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from tests.support.play_page import (
    Page,
    board_after,
    drag,
    forgetting,
    has_moves,
    is_saved,
    needs_driver,
    window,
)
from xiangqi.drawing.svg import View
from xiangqi.pieces import RED, parse_square

pytestmark = needs_driver

LINES = "1. h2e2 h9g7 (1... b9c7 2. h0g2) (1... b7e7) 2. h0g2 *"


def read_lines(page: Page) -> None:
    page.paste(LINES)
    page.wait(partial(has_moves, page, 6))


def test_a_variation_is_promoted_demoted_and_deleted_and_all_is_undone(
    page: Page, files: Path
) -> None:
    read_lines(page)
    before = page.moves
    assert before == ["C2.5", "H8+7", "H2+3", "H2+3", "C2.5", "H2+3"]
    second = ["C2.5", "H2+3", "H8+7", "H2+3", "C2.5", "H2+3"]
    page.run("document.querySelector('#moves .variation button').click()")
    page.wait(lambda: page.present == ["H2+3"])
    page.click("#promote")
    page.wait(lambda: page.moves == second)
    page.settle()
    assert [str(move) for move in page.save(files).moves()] == ["h2e2", "b9c7", "h0g2"]
    page.click("#demote")
    page.wait(lambda: page.moves == before)
    page.click("#delete")
    page.wait(lambda: len(page.moves) == 4)
    assert page.present == ["C2.5"]
    page.click("#undo")
    page.wait(lambda: page.moves == before)
    for moves in (second, before):
        page.click("#undo")
        page.wait(partial(lambda moves: page.moves == moves, moves))
    page.click("#redo")
    page.wait(lambda: page.moves == second)


def test_an_edit_taken_back_loses_no_move_that_is_played_then(page: Page) -> None:
    """Changes of the order are made and taken back one by one, so that none undoes another."""
    read_lines(page)
    page.run("document.querySelector('#moves .variation button').click()")
    page.click("#promote")
    page.settle()
    page.click("#moves [data-ply='1']")
    page.settle()
    page.move("c6c5")
    page.click("#undo")
    page.settle()
    page.move("g6g5")
    page.click("#undo")
    page.click("#undo")
    page.wait(lambda: "P3+1" in page.moves and page.moves[1] == "H8+7")


def test_marks_and_comments_are_edited_and_saved(page: Page, files: Path) -> None:
    page.move("h2e2")
    page.click("#marks [data-nag='1']")
    page.wait(lambda: page.moves == ["C2.5!"])
    page.click("#marks [data-nag='5']")
    page.wait(lambda: page.moves == ["C2.5!?"])
    page.press("#comment", "the central <b>cannon</b>", Keys.TAB)
    page.wait(lambda: page.all("#moves .comment"))
    assert page.find("#moves .comment").text == "the central <b>cannon</b>"
    node = page.save(files).root.variations[0]
    assert (node.nags, node.comment) == ([5], "the central <b>cannon</b>")
    page.press("#comment", " and more")
    page.click("#first")  # leaves the field, and the move that it belongs to
    page.click("#last")
    page.wait(lambda: page.value("comment") == "the central <b>cannon</b> and more")
    page.click("#undo")
    page.wait(lambda: page.value("comment") == "the central <b>cannon</b>")
    page.click("#marks [data-nag='5']")
    page.wait(lambda: page.moves == ["C2.5"])


def test_the_seal_of_an_analysis_is_kept_and_not_shown(page: Page, files: Path) -> None:
    page.paste("1. h2e2 {[%eval 0.30] [%meihua bc6a3898 2] A slip.} *")
    page.wait(lambda: page.value("comment") == "A slip.")
    page.press("#comment", " Or none?", Keys.TAB)
    page.wait(lambda: page.find("#moves .comment").text == "A slip. Or none?")
    comment = page.save(files).root.variations[0].comment
    assert comment == "[%eval 0.30] [%meihua bc6a3898 2] A slip. Or none?"


def shapes(page: Page) -> list[tuple[str, str, str]]:
    script = """return Array.from(document.querySelectorAll("#table [data-layer=drawn] .shape"),
        ({dataset}) => [dataset.color, dataset.from, dataset.to])"""
    return [tuple(shape) for shape in page.run(script)]


def test_the_menu_uncovers_the_board_when_drawing_begins(page: Page) -> None:
    with window(page, 820, 1180):
        page.click("#draw")
        assert not page.find("#menu-look").is_displayed()
        drag(page, "h0", "g2")
        page.wait(lambda: shapes(page) == [("G", "h0", "g2")])
        page.press("body", "d", "d")  # off and on
        drag(page, "b0", "c2")
        page.wait(lambda: len(shapes(page)) == 2)
        page.click("#draw")
        assert page.find("#menu-look").is_displayed(), "drawing was switched off"


def test_arrows_and_circles_are_drawn_kept_with_the_move_and_saved(page: Page, files: Path) -> None:
    page.move("h2e2")
    drag(page, "e2", "e6", "right")
    drag(page, "b0", "b0", "right")
    page.wait(lambda: sorted(shapes(page)) == [("G", "b0", "b0"), ("G", "e2", "e6")])
    page.choose("#draw-color", "R")
    page.click("#draw")
    drag(page, "h0", "g2")
    page.click("#draw")
    assert page.moves == ["C2.5"], "no piece was moved"
    comment = page.save(files).root.variations[0].comment
    assert comment == "[%csl Gb0][%cal Ge2e6,Rh0g2]"
    assert page.value("comment") == ""
    page.click("#previous")
    page.wait(lambda: shapes(page) == [])
    page.paste((files / "game.pgn").read_text(encoding="utf-8"))
    page.wait(lambda: len(shapes(page)) == 3)
    page.choose("#draw-color", "G")
    drag(page, "e2", "e6", "right")
    page.wait(lambda: shapes(page) == [("G", "b0", "b0"), ("R", "h0", "g2")])
    page.click("#undo")
    page.wait(lambda: len(shapes(page)) == 3)


def test_names_and_the_result_are_edited_and_saved_with_the_rules(page: Page, files: Path) -> None:
    page.move("h2e2")
    page.press("[data-header=Red]", "胡荣华", Keys.TAB)
    page.press("[data-header=Event]", 'The "Cup"', Keys.TAB)
    page.wait(lambda: page.text("lower-name") == "胡荣华")
    headers = page.save(files).headers
    assert (headers["Red"], headers["Event"]) == ("胡荣华", 'The "Cup"')
    assert (headers["Result"], headers["Rules"]) == ("*", "wxf")
    page.choose("[data-header=Result]", "1-0")
    page.wait(lambda: page.find("#undo").is_enabled())
    assert page.save(files).headers["Result"] == "1-0"
    page.click("#flip")
    page.wait(lambda: page.text("upper-name") == "胡荣华")


def test_a_game_that_the_rules_decide_is_saved_with_the_reason(page: Page, files: Path) -> None:
    page.paste("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w\n" + "f0e0 e8f8 e0f0 f8e8 " * 2)
    page.wait(lambda: "perpetually" in page.text("status"))
    headers = page.save(files).headers
    assert (headers["Result"], headers["Rules"]) == ("0-1", "wxf")
    assert "Red checked perpetually" in headers["Ruling"]


COPIED = """
window.copied = [];
navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
"""


def copied(page: Page, id: str) -> str:
    """Text that a button copies."""
    page.run(COPIED)
    page.click(f"#{id}")
    page.wait(lambda: page.run("return window.copied.length"))
    return str(page.run("return window.copied[0]"))


def test_links_hold_a_position_or_a_game(page: Page) -> None:
    read_lines(page)
    page.choose("#rules", "all-draws")
    page.click("#previous")
    page.wait(lambda: page.present == ["H8+7"] and page.is_settled())
    moves, fen = page.moves, page.value("fen")
    assert copied(page, "copy-fen") == fen == board_after("h2e2", "h9g7").fen()
    game, position = copied(page, "link-game"), copied(page, "link-position")
    for link in (position, game):
        page.driver.get("about:blank")
        with forgetting(page.driver):
            page.driver.get(link)
        page.wait(lambda: page.value("fen") == fen and page.is_settled())
        assert page.value("rules") == "all-draws"
    page.wait(lambda: page.moves == moves)
    assert page.present == ["H8+7"]
    assert "#" not in page.driver.current_url


def test_a_bad_link_is_reported_and_the_game_stays(page: Page) -> None:
    page.move("h2e2")
    for bad in ("#game=rubbish", "#fen=rubbish", "#fen=9&notation=none"):
        page.run("location.hash = arguments[0]", bad)
        page.wait(lambda: page.text("error"))
        assert page.moves == ["C2.5"]
        page.click("#first")
        page.click("#last")
        page.wait(lambda: not page.text("error"))


def test_the_board_is_saved_as_a_picture(page: Page, files: Path) -> None:
    page.move("h2e2")
    drag(page, "e2", "e6", "right")
    page.click("#save-svg")
    page.wait(lambda: is_saved(files / "board.svg"))
    picture = (files / "board.svg").read_text(encoding="utf-8")
    assert picture.count('class="piece"') == 32
    assert set(re.findall(r'href="#([\w-]+)"', picture)) <= set(
        re.findall(r'id="([\w-]+)"', picture)
    )
    assert "cursor" not in picture
    page.click("#save-png")
    page.wait(lambda: is_saved(files / "board.png"))
    png = (files / "board.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert width > 1000
    assert height > width
    assert len(png) > 50_000, "it is not an empty picture"


FRAMES = """
const [animation, points, done] = arguments;
const data = Uint8Array.from(atob(animation), (letter) => letter.charCodeAt(0));
const isRed = ([red, green]) => red - green > 100;
(async () => {
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const frames = [];
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {
    const { image } = await decoder.decode({ frameIndex });
    const [width, height] = [image.displayWidth, image.displayHeight];
    const context = new OffscreenCanvas(width, height)
      .getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const hasRed = points.map(([x, y]) => {
      const pixels = context.getImageData(x * width - 12, y * height - 12, 24, 24).data;
      return pixels.some((_, at) => at % 4 === 0 && isRed(pixels.subarray(at)));
    });
    frames.push([width, height, image.duration / 1000, hasRed]);
  }
  done([repetitionCount === Infinity, frames]);
})();
"""
"""Does an animation repeat for ever? Size, milliseconds and red points of its frames."""


def test_the_game_is_saved_as_an_animation(page: Page, files: Path) -> None:
    page.paste("h2e2 h9g7 h0g2")
    page.wait(partial(has_moves, page, 3))
    page.click("#save-gif")
    page.wait(lambda: is_saved(files / "game.gif"))
    view = View.with_labels(RED)
    centres = [view.centre(parse_square(square)) for square in ("h2", "e2", "h0", "g2")]
    points = [(x / view.width, y / view.height) for x, y in centres]
    animation = base64.b64encode((files / "game.gif").read_bytes()).decode()
    repeats, frames = page.answer(FRAMES, animation, points)
    assert repeats
    assert frames == [
        [480, 528, 1000, [True, False, True, False]],
        [480, 528, 1000, [False, True, True, False]],
        [480, 528, 1000, [False, True, True, False]],
        [480, 528, 4000, [False, True, False, True]],
    ]


def test_the_moves_are_saved_as_text_in_the_notation_of_the_page(page: Page, files: Path) -> None:
    page.paste("h2e2 h9g7 h0g2")
    page.wait(partial(has_moves, page, 3))
    page.choose("#notation", "chinese")
    page.click("#save-text")
    page.wait(lambda: is_saved(files / "game.txt"))
    text = (files / "game.txt").read_text(encoding="utf-8")
    assert text == "1. 炮二平五 马８进７\n2. 马二进三\n"
    page.choose("#notation", "wxf")
