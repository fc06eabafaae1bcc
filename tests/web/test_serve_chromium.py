"""``xiangqi serve`` as a user meets it: in headless Chromium, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, board_after, has_moves, needs_driver, pieces_of, read_log
from tests.support.web_server import serving_pages, upload
from xiangqi.board import Board
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.serve.server import WebServer

CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8"
HOSTILE = f"""[Event "<script>document.title = 'taken'</script>"]
[Red "</script><img src=x onerror='document.title = 1'>"]
[FEN "{CHECKS}"]

1. f0e0 {{</script><script>document.title = 'taken'</script>}} e8f8 2. e0f0 f8e8 3. f0e0 e8f8 *
"""

pytestmark = needs_driver


@pytest.fixture(scope="module")
def server(files: Path) -> Iterator[WebServer]:
    (files / "games.pgn").write_text(HOSTILE, encoding="utf-8")
    with serving_pages(files=[str(files / "games.pgn")]) as running:
        yield running


# Entering a game


def test_the_pieces_stand_on_the_board_and_need_no_font(page: Page) -> None:
    assert len(page.pieces) == 32
    assert page.pieces == pieces_of(STARTING_FEN)
    assert page.text("status") == "Red to move"
    assert len(page.all("#sprite [id^=piece-]")) == 14
    assert page.all("#sprite [id^=piece-] text") == []
    assert min(piece.rect["width"] for piece in page.all("#table use.piece")) > 30


def test_a_move_is_made_by_two_clicks(page: Page) -> None:
    page.click("#table [data-square=h2]")
    targets = {mark.get_attribute("data-mark") for mark in page.all("#table .target")}
    legal = {str(move) for move in Board().legal_moves}
    assert targets == {move[2:] for move in legal if move.startswith("h2")}
    page.click("#table .target[data-mark=e2]")
    page.wait(lambda: page.moves == ["C2.5"])
    assert page.text("status") == "Black to move"
    assert page.value("fen") == board_after("h2e2").fen()
    assert page.pieces == pieces_of(board_after("h2e2").fen())
    assert len(page.all("#table .last")) == 2


def test_a_piece_that_may_not_move_cannot_be_chosen(page: Page) -> None:
    page.click("#table [data-square=h9]")
    assert page.all("#table .chosen, #table .target") == []


def test_a_move_is_made_by_keyboard(page: Page) -> None:
    page.press("#table", *[Keys.ARROW_RIGHT] * 3, *[Keys.ARROW_UP] * 2, Keys.ENTER)
    page.press("#table", *[Keys.ARROW_LEFT] * 3, Keys.ENTER)
    page.wait(lambda: page.moves == ["C2.5"])


def test_a_move_is_typed_in_any_notation(page: Page) -> None:
    for text in ("炮二平五", "h9g7", "H2+3"):
        played = len(page.moves)
        page.press("#move", text, Keys.ENTER)
        page.wait(partial(has_moves, page, played + 1))
    assert page.moves == ["C2.5", "H8+7", "H2+3"]
    page.press("#move", "h2h9", Keys.ENTER)
    page.wait(lambda: "'h2h9'" in page.text("move-error"))
    assert "/" not in page.text("move-error"), "no FEN: the position is on the board"
    assert len(page.moves) == 3
    page.click("#previous")
    page.wait(lambda: page.text("move-error") == "")


def test_a_game_is_stepped_through_by_buttons_keys_and_clicks_on_moves(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2 i9h9")
    page.wait(partial(has_moves, page, 4))

    def wait_for(ply: int) -> None:
        moves = "h2e2 h9g7 h0g2 i9h9".split()[:ply]
        page.wait(lambda: page.pieces == pieces_of(board_after(*moves).fen()))

    for button, ply in (("first", 0), ("next", 1), ("last", 4), ("previous", 3)):
        page.click(f"#{button}")
        wait_for(ply)
    for key, ply in ((Keys.ARROW_LEFT, 2), (Keys.ARROW_RIGHT, 3), (Keys.HOME, 0), (Keys.END, 4)):
        page.press("body", key)
        wait_for(ply)
    page.click("#moves button[data-ply='2']")
    wait_for(2)
    assert page.find("#moves [aria-current]").text == "H8+7"
    page.move("b2c2")
    assert page.moves == ["C2.5", "H8+7", "H2+3", "C8.7", "R9.8"]
    assert page.find("#moves .variation").text == "(2. C8.7)"


def test_undo_new_game_and_flip(page: Page) -> None:
    page.move("h2e2")
    page.move("h9g7")
    page.click("#undo")
    page.wait(lambda: page.moves == ["C2.5"])
    page.settle()
    above = page.find("#table [data-square=a9]").rect["y"]
    page.click("#flip")
    page.wait(lambda: page.find("#table [data-square=a9]").rect["y"] > above)
    page.move("b9c7")
    page.click("#new-game")
    page.wait(lambda: page.moves == [])
    assert page.pieces == pieces_of(STARTING_FEN)


def test_a_position_is_set_up_by_its_fen(page: Page) -> None:
    page.reveal("#fen").clear()
    page.press("#fen", CHECKS, Keys.ENTER)
    page.wait(lambda: len(page.pieces) == 6)
    page.settle()
    page.reveal("#fen").clear()
    page.press("#fen", "rubbish", Keys.ENTER)
    page.wait(lambda: "'rubbish'" in page.text("fen-error"))
    assert len(page.pieces) == 6


# Rulings


def test_a_perpetual_check_is_ruled_on_as_it_is_played(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE.rsplit(maxsplit=1)[0]}")
    page.wait(partial(has_moves, page, 7))
    assert "occurred twice" in page.text("warning")
    assert not page.find("#ruling").is_displayed()
    page.move("f8e8")
    page.wait(lambda: page.text("status").startswith("Black wins: Red checked perpetually"))
    assert not page.find("#warning").is_displayed()
    page.click("#case-details summary")
    assert "the red chariot on file 4 gives check" in page.text("case")
    assert len(page.all("#moves .cycle")) == 8


def test_the_cycle_is_shown_with_its_arrows(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE} {CYCLE}")
    page.wait(partial(has_moves, page, 12))
    page.wait(lambda: page.find("#moves [aria-current]").get_attribute("data-ply") == "8")
    assert "Black wins: Red checked perpetually" in page.text("status")
    page.click("#last")
    page.wait(lambda: page.text("verdict").lower().startswith("after round 4, black: black wins"))
    page.click("#to-ruling")
    page.wait(lambda: page.find("#moves [aria-current]").get_attribute("data-ply") == "8")
    page.settle()  # the panel of a new position has its own places
    page.click("#cycle")
    page.wait(lambda: page.find("#previous").get_property("disabled"))
    page.click("#next")
    page.wait(lambda: ("e0", "e8", "check") in page.arrows)
    page.click("#arrows")
    assert page.arrows == set()


def test_other_rules_rule_otherwise(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
    page.wait(lambda: "perpetually" in page.text("status"))
    page.choose("#rules", "all-draws")
    page.wait(lambda: page.text("status").startswith("Draw"))


def test_a_game_brings_its_rules(page: Page) -> None:
    page.paste(f'[Rules "all-draws"]\n[FEN "{CHECKS}"]\n\n{CYCLE} {CYCLE} *')
    page.wait(lambda: page.text("status").startswith("Draw"))
    assert page.find("#rules").get_property("value") == "all-draws"


def test_all_rules_stand_side_by_side(page: Page) -> None:
    """They follow the game while the table is open."""
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
    page.wait(lambda: "perpetually" in page.text("status"))
    page.click("#books-open")
    page.wait(lambda: "all-draws" in page.text("books"))
    assert "positions may be repeated" in page.text("differences")
    page.click("#previous")
    page.wait(lambda: "undecided" in page.text("books"))


def test_a_barred_move_cannot_be_played_and_the_reason_is_reported(page: Page) -> None:
    page.paste("3k5/9/9/9/9/9/9/9/R8/5K3 w\na1a2 d9d8 a2a1")
    page.wait(partial(has_moves, page, 3))
    page.choose("#rules", "superko-situational")
    page.wait(lambda: page.is_settled())
    page.click("#table [data-square=d8]")
    assert [mark.get_attribute("data-mark") for mark in page.all("#table .barred")] == ["d9"]
    page.click("#table .barred[data-mark=d9]")
    why = "Black brings back the board as it stood in the first position"
    page.wait(lambda: page.text("board-note") == f"K4-1 is barred: {why}.")
    assert len(page.moves) == 3
    page.press("#move", "d8d9", Keys.ENTER)
    page.wait(lambda: f"superko-situational bars it: {why}" in page.text("move-error"))
    page.move("d8d7")
    page.wait(partial(has_moves, page, 4))
    assert not page.find("#board-note").is_displayed()


def test_language_changes_to_chinese_and_the_game_stays(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
    page.wait(lambda: "perpetually" in page.text("status"))
    page.click("#menu-language-open")
    page.click("#menu-language a[lang=zh]")
    page.wait(lambda: page.text("status").startswith("黑胜：红方长将"))
    assert page.moves[:2] == ["车四平五", "将５平６"]
    assert page.find("html").get_attribute("lang") == "zh"


# The engine


def test_the_engine_answers_a_move(page: Page) -> None:
    seconds = page.reveal("#seconds")
    seconds.clear()
    seconds.send_keys("0.2")
    page.choose("#engine", "black")
    page.move("h2e2")
    page.wait(partial(has_moves, page, 2))
    assert page.text("status").startswith("Red to move")
    assert page.text("thought")
    page.settle()
    page.click("#undo")
    page.wait(lambda: page.moves == [])
    page.click("#redo")
    page.wait(partial(has_moves, page, 2))


def test_an_engine_that_is_stopped_plays_what_it_has_and_goes_on(page: Page) -> None:
    page.set_seconds("10")
    page.choose("#engine", "black")
    for count, move in enumerate(("h2e2", "h0g2"), start=1):
        page.move(move)
        page.wait(lambda: page.find("#stop").is_displayed())
        page.click("#stop")
        page.wait(partial(has_moves, page, 2 * count))
        page.settle()
    assert page.text("status").startswith("Red to move")


@pytest.mark.parametrize(
    ("typed", "corrected"), [("99", "10"), ("-3", "0.05"), ("3-", "1"), ("0.2", "0.2")]
)
def test_seconds_out_of_range_are_reported_and_corrected(
    page: Page, typed: str, corrected: str
) -> None:
    page.set_seconds(typed)
    assert page.value("seconds") == corrected
    is_reported = "Expected a number from 0.05 to 10" in page.text("seconds-note")
    assert is_reported == (typed != corrected)


def test_the_engine_moves_although_the_seconds_were_out_of_range(page: Page) -> None:
    page.run("document.getElementById('seconds').value = -1")
    page.choose("#engine", "black")
    page.move("h2e2")
    page.wait(partial(has_moves, page, 2))
    assert page.text("error") == ""


def test_the_engine_moves_for_the_user_and_can_be_stopped(page: Page) -> None:
    page.reveal("#seconds").clear()
    page.press("#seconds", "10")
    page.click("#engine-move")
    page.wait(lambda: page.find("#stop").is_displayed())
    page.click("#stop")
    page.wait(partial(has_moves, page, 1))
    page.click("#engine-move")
    page.wait(lambda: page.find("#stop").is_displayed())
    page.click("#previous")
    page.wait(lambda: not page.find("#stop").is_displayed())
    assert len(page.moves) == 1, "who goes elsewhere has no use for the move"


# Pasting and files


def test_unreadable_paste_is_reported_and_the_game_stays(page: Page) -> None:
    page.move("h2e2")
    page.paste("rubbish <b>")
    page.wait(lambda: "'rubbish <b>'" in page.text("paste-error"))
    assert page.moves == ["C2.5"]
    page.paste("h2e2 h9h5")
    page.wait(lambda: "the black horse on h9 cannot reach h5" in page.text("paste-error"))
    assert page.moves == ["C2.5"]


def test_a_hostile_record_is_shown_as_text(page: Page) -> None:
    page.paste(HOSTILE)
    page.wait(partial(has_moves, page, 6))
    assert page.driver.title.startswith("Meihua")
    page.driver.get(f"{page.server.address}games/0/en/000001.html")
    page.wait(lambda: page.all("use.piece"))
    assert "<img src=x" in page.find("h1").text
    assert page.all("img") == []
    assert "taken" not in page.driver.title


def test_the_game_is_saved_as_pgn(page: Page, files: Path) -> None:
    page.move("h2e2")
    assert [str(move) for move in page.save(files).moves()] == ["h2e2"]


def test_a_file_is_opened_and_its_games_looked_at(page: Page, files: Path) -> None:
    (files / "two.pgn").write_text(f"{HOSTILE}\n{HOSTILE}", encoding="utf-8")
    page.load("#file", files / "two.pgn")
    page.wait(lambda: page.find("#chapters-pages").is_displayed())
    page.find("#chapters-pages").click()
    page.wait(lambda: page.all("#games a"))
    page.click("#games a")
    page.wait(lambda: len(page.all("use.piece")) == 6)
    page.driver.find_element(By.LINK_TEXT, "Play on from this game").click()
    page.wait(partial(has_moves, page, 6))
    page.move("e0f0")
    assert "occurred twice" in page.text("warning")
    page.find("#source").click()
    page.wait(lambda: len(page.all("#chapters button")) == 2)


def test_every_opened_file_stays_until_it_is_closed(
    page: Page, server: WebServer, files: Path
) -> None:
    def names() -> list[str]:
        return [str(link.get_property("textContent")) for link in page.all("#files a")]

    before = names()
    lines = "position startpos moves h2e2\n" * 2
    for number in range(5):
        if 0 < number < 4:  # as the page does
            upload(server, lines.encode(), f"file{number}.txt")
            continue
        file = files / f"file{number}.txt"
        file.write_text(lines)
        page.load("#file", file)
        page.wait(lambda: page.all("#chapters button"))
        page.open()
    assert names() == [*before, *(f"file{number}.txt" for number in range(5))]
    page.reveal("#files")
    page.driver.find_element(By.LINK_TEXT, "file0.txt").click()
    page.wait(lambda: page.text("chapters-title") == "file0.txt")
    page.find("#chapters-pages").click()
    page.wait(lambda: "file0.txt:1" in page.find("#games").text)
    address = page.driver.current_url
    page.driver.find_element(By.LINK_TEXT, "Enter a game").click()
    page.wait(lambda: page.text("status"))
    page.run("""const close = document.querySelector("#files li:last-child button");
        close.click();
        close.click();""")
    page.wait(lambda: "file4.txt" not in names())
    assert page.text("error") == ""
    page.run("document.querySelectorAll('#files button')[arguments[0]].click()",
                               len(before) - 1)  # fmt: skip
    page.wait(lambda: "file0.txt" not in names())
    page.driver.get(address)
    assert "its file has been closed" in page.text("why")
    page.driver.get(f"{page.server.address}nothing")
    assert page.text("why").startswith("'/nothing'"), "an address is not capitalised"
    page.find("#to-board").click()
    page.wait(lambda: page.text("status"))
    read_log(page.driver)  # the browser notes the page that is gone


# The look


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_the_page_fits_the_window(page: Page, width: int) -> None:
    with page.tools.window(width, 800):
        widths = page.run("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert widths[1] == width
        assert widths[0] <= width
        assert page.find("#table").rect["width"] > 0.3 * width
