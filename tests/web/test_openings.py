"""The openings of the levels: legal, various, and not for full strength."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.support.web_server import ask, serving
from xiangqi.board import Board
from xiangqi.referee.rules import WXF
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.engines import Engines
from xiangqi.web.serve.openings import OPENINGS, choose_opening_move


def test_every_line_is_legal_in_the_mirror_too() -> None:
    for line in OPENINGS:
        for files in ("abcdefghi", "ihgfedcba"):
            board = Board()
            for move in line.translate(str.maketrans("abcdefghi", files)).split():
                board.push_iccs(move)
            assert board.ply() >= 6


def test_first_moves_are_various_and_weighted() -> None:
    random = Random(7)
    found = Counter(str(choose_opening_move(Board(), WXF, 5, random)) for _ in range(400))
    assert len(found) >= 12
    assert found.most_common(1)[0][1] < 120
    assert found["h2e2"] > found["h2d2"] > 0
    assert "i0i1" not in found


def test_a_level_leaves_the_book_after_its_plies_and_where_it_ends() -> None:
    board = Board()
    for move in OPENINGS[1].split()[:4]:
        board.push_iccs(move)
    random = Random(1)
    assert choose_opening_move(board, WXF, 2, random) is None
    assert choose_opening_move(board, WXF, 3, random) is not None
    other = Board()
    other.push_iccs("a0a1")
    assert choose_opening_move(other, WXF, 10, random) is None


def test_two_levels_that_meet_open_differently() -> None:
    random, seen = Random(3), set()
    for _ in range(40):
        board = Board()
        while (move := choose_opening_move(board, WXF, 5, random)) is not None:
            board.push(move)
        seen.add(board.fen())
    assert len(seen) >= 20


def test_each_opening_of_the_book_has_a_name_and_lines_to_learn() -> None:
    with serving(Application()) as server:
        rows = ask(server, "/api/lines", lang="zh").data["lines"]
    assert len({row["code"] for row in rows}) == len(rows)
    assert sum(len(row["moves"]) for row in rows) == 2 * len(OPENINGS)
    names = {row["code"]: row["name"] for row in rows}
    assert names["D50"] == "中炮对列炮"
    (mirrored,) = (row["moves"] for row in rows if row["code"] == "D20")
    assert {tuple(moves[:2]) for moves in mirrored} == {("h2e2", "h7e7"), ("b2e2", "b7e7")}


def test_the_server_opens_by_the_book_at_a_level() -> None:
    with serving(Application(engines=Engines())) as server:
        moves = {ask(server, "/api/engine", level=5, seconds=0.1).data["move"] for _ in range(12)}
        assert len(moves) >= 4
        assert moves <= {str(choose_opening_move(Board(), WXF, 5, Random(i))) for i in range(300)}
