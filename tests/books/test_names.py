"""Names of openings: whole table, mirror images, order of moves, headers; and the own games."""

from __future__ import annotations

import gzip
import json
import os
import re
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi import Board, Move
from xiangqi.books.base import Row
from xiangqi.books.names import NAMED_PLIES, add_opening_headers, list_openings, name_opening
from xiangqi.books.own_games import OWN_GAMES, OwnGames, open_own_games, pack_rows
from xiangqi.cli.main import main
from xiangqi.games.tree import Game

LABELLED = os.environ.get("MEIHUA_LABELLED_GAMES", "")
"""A file of games with ECCO codes, as JSON lines, packed by gzip; such games cannot be shipped."""

VIETNAMESE_TERMS = {
    "仕角炮": "sĩ giác pháo",
    "士角炮": "sĩ giác pháo",
    "飞相": "phi tượng",
    "飞象": "phi tượng",
    "顺相": "thuận tượng",
    "列相": "nghịch tượng",
    "进左马": "tiến mã trái",
    "进右马": "tiến mã phải",
    "中炮": "pháo đầu",
    "过宫炮": "quá cung pháo",
    "互进七兵": "cùng tiến binh 7",
    "互进右马": "cùng tiến mã phải",
    "进７卒": "tiến tốt 7",
    "进３卒": "tiến tốt 3",
    "起马": "khởi mã",
    "边马": "biên mã",
    "单提马": "đơn đề mã",
    "左炮封车": "tả pháo phong xa",
    "屏风马": "bình phong mã",
    "反宫马": "phản cung mã",
    "五六炮": "ngũ lục pháo",
    "五七炮": "ngũ thất pháo",
    "五八炮": "ngũ bát pháo",
    "五九炮": "ngũ cửu pháo",
    "七路马": "thất lộ mã",
    "巡河炮": "tuần hà pháo",
    "巡河车": "tuần hà xa",
    "过河车": "quá hà xa",
    "两头蛇": "lưỡng đầu xà",
    "左马盘河": "tả mã bàn hà",
    "平炮兑车": "bình pháo đổi xe",
    "横车": "hoành xa",
    "直车": "trực xa",
    "顺炮": "thuận pháo",
    "列炮": "nghịch pháo",
    "转": "chuyển",
    "仙人指路": "tiên nhân chỉ lộ",
    "金钩炮": "kim câu pháo",
    "卒底炮": "tốt để pháo",
    "兵底炮": "binh để pháo",
    "对兵": "đối binh",
    "对": "đối",
    "左士角炮": "sĩ giác pháo trái",
    "右士角炮": "sĩ giác pháo phải",
    "左中炮": "pháo đầu trái",
    "右中炮": "pháo đầu phải",
    "左过宫炮": "quá cung pháo trái",
    "右过宫炮": "quá cung pháo phải",
    "左三步虎": "tam bộ hổ trái",
    "左边马": "biên mã trái",
    "右横车": "hoành xa phải",
}


def moves_of(text: str) -> list[Move]:
    return [Move.from_iccs(word) for word in text.split()]


def name_of(text: str) -> str:
    found = name_opening(moves_of(text))
    return "" if found is None else found.describe("en")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("", ""),
        ("a3a4", ""),
        ("h2e2", "B00 Central cannon"),
        ("h2e2 h7e7", "D0 Same-direction cannons"),
        ("h2e2 b7e7", "D50 Opposite-direction cannons"),
        ("h2e2 h9g7 h0g2 b9c7", "C Central cannon against the screen horses"),
        ("h2e2 b9c7 h0g2 h7f7 i0h0 h9g7", "B30 Central cannon against the sandwiched horses"),
        ("h2e2 b9c7 h0g2 h9g7 i0h0 h7f7", "C Central cannon against the screen horses"),
        ("c3c4 b7c7", "E10 Pawn opening against the soldier-bottom cannon"),
        ("g0e2 g9e7", "A11 Elephant opening, same-side elephant"),
    ],
)
def test_an_opening_is_named_by_its_moves(line: str, name: str) -> None:
    assert name_of(line) == name
    mirrored = name_opening(move.mirror() for move in moves_of(line))
    assert ("" if mirrored is None else mirrored.describe("en")) == name


def test_the_order_of_moves_does_not_matter_where_the_name_does_not_depend_on_it() -> None:
    line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7"
    other = "h2e2 b9c7 c3c4 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 h7i7"
    assert name_of(line) == name_of(other)
    assert name_of(line).startswith("C40 ")


def test_moves_after_the_named_plies_change_nothing() -> None:
    line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7" + " a0a1 a9a8 a1a0 a8a9" * 4
    assert len(line.split()) > NAMED_PLIES
    assert name_of(line + " b2c2") == name_of(line)


def test_every_opening_can_be_reached_and_has_all_names() -> None:
    for opening in list_openings():
        assert opening.code[0] in "ABCDE"
        assert opening.english.isascii()
        assert not opening.chinese.isascii()
        assert opening.describe("vi") == f"{opening.code} {opening.vietnamese}"


def test_vietnamese_names_say_the_terms_of_the_chinese_ones_in_their_order() -> None:
    term = re.compile("|".join(sorted(VIETNAMESE_TERMS, key=len, reverse=True)))
    for opening in list_openings():
        chinese = opening.chinese.removesuffix("局")
        said = " ".join(VIETNAMESE_TERMS[found] for found in term.findall(chinese))
        assert term.sub("", chinese) == "", chinese
        assert opening.vietnamese.removesuffix(" cục").lower() == said, chinese


def test_headers_are_added_to_games_from_the_starting_position_without_them() -> None:
    game = Game()
    game.add_line(moves_of("g0e2 g9e7"))
    add_opening_headers(game, "zh")
    assert game.headers == {"ECCO": "A11", "Opening": "顺相局"}
    chapter = Game()
    chapter.add_line(moves_of("h2e2 h9g7 h0g2 b9c7"))
    add_opening_headers(chapter, "en")
    assert "ECCO" not in chapter.headers, "a chapter is no code"
    assert chapter.headers["Opening"] == "Central cannon against the screen horses"
    for other in (Game("4k4/9/9/9/9/9/9/9/9/R4K3 w"), Game(headers={"Opening": "mine"})):
        before = dict(other.headers)
        add_opening_headers(other, "en")
        assert other.headers == before


def test_convert_adds_the_headers(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "a.pgn"
    source.write_text('{"moves": ["g0e2", "g9e7"]}\n')
    done = CliRunner().invoke(main, ["convert", "--openings", "en", str(source), str(target)])
    assert done.exit_code == 0, done.output
    text = target.read_text(encoding="utf-8")
    assert '[ECCO "A11"]' in text
    assert '[Opening "Elephant opening, same-side elephant"]' in text


@pytest.mark.skipif(not LABELLED, reason="MEIHUA_LABELLED_GAMES names no file of games")
def test_codes_agree_with_those_of_labelled_games() -> None:
    start = Board().root_fen().split()[0]
    found = {"named": 0, "chapter": 0, "section": 0}
    with gzip.open(LABELLED, "rt") as file:
        games = (json.loads(line) for line in file)
        labelled = (one for one in games if one.get("ecco") and one["start_fen"].startswith(start))
        for game in islice(labelled, 5000):
            opening = name_opening(map(Move.from_iccs, game["moves"]))
            found["named"] += opening is not None
            found["chapter"] += opening is not None and opening.code[0] == game["ecco"][0]
            found["section"] += opening is not None and game["ecco"].startswith(opening.code[:2])
    assert found["named"] > 4950
    assert found["chapter"] > 4850
    assert found["section"] > 3700


# The own games


def test_the_own_games_have_legal_moves_and_counts() -> None:
    book = open_own_games()
    found = book.find(Board())
    assert sum(one.games for one in found) > 2000, "mirror images are counted twice"
    assert {"h2e2", "b2e2", "c3c4"} <= {one.move.iccs() for one in found}
    board = Board()
    for _ in range(8):
        (best, *_) = book.find(board)
        assert best.weight == best.games == best.wins + best.draws + best.losses
        board.push(best.move)
    assert OWN_GAMES.stat().st_size < 60_000


def test_packed_moves_are_read_back(tmp_path: Path) -> None:
    rows = list(open_own_games().rows())
    path = tmp_path / "copy.bin"
    path.write_bytes(pack_rows(reversed(rows)))
    assert path.read_bytes() == OWN_GAMES.read_bytes()
    copy = OwnGames(path)
    assert copy.count() == len(rows) > 1000
    assert isinstance(next(copy.rows()), Row)
