"""DhtmlXQ, the UBB code of dpxq.com: read and written."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.support.game_trees import random_game, real_games, shape
from xiangqi import STARTING_FEN
from xiangqi.games.formats import WriteOptions, find_games, read_games
from xiangqi.games.formats.base import DEFAULT_OPTIONS
from xiangqi.games.formats.dhtmlxq import DHTMLXQ
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError

GAME = """[DhtmlXQ]
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]
[DhtmlXQ_init]500,350[/DhtmlXQ_init]
[DhtmlXQ_title]某甲 胜 某乙[/DhtmlXQ_title]
[DhtmlXQ_red]某队 某甲[/DhtmlXQ_red]
[DhtmlXQ_redteam]某队[/DhtmlXQ_redteam]
[DhtmlXQ_redname]某甲[/DhtmlXQ_redname]
[DhtmlXQ_black][/DhtmlXQ_black]
[DhtmlXQ_place]某地[/DhtmlXQ_place]
[DhtmlXQ_result]红胜[/DhtmlXQ_result]
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
[DhtmlXQ_movelist]77477062796780700908[/DhtmlXQ_movelist]
[DhtmlXQ_length]5[/DhtmlXQ_length]
[DhtmlXQ_move_0_2_1]10221927[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_move_1_3_2]6665[/DhtmlXQ_move_1_3_2]
[DhtmlXQ_move_0_2_3]7276[/DhtmlXQ_move_0_2_3]
[DhtmlXQ_comment0]第一行||第二行[/DhtmlXQ_comment0]
[DhtmlXQ_comment1]当头炮[/DhtmlXQ_comment1]
[DhtmlXQ_comment1_3]\\u8fdb\\u9a6c[/DhtmlXQ_comment1_3]
[DhtmlXQ_comment2_3]进兵[/DhtmlXQ_comment2_3]
[/DhtmlXQ]
"""

SHAPE: list[tuple[int, str, str, list[int]]] = [
    (0, "None", "第一行\n第二行", []),
    (1, "h2e2", "当头炮", []),
    (2, "h9g7", "", []),
    (3, "h0g2", "", []),
    (4, "i9h9", "", []),
    (5, "a0a1", "", []),
    (2, "b9c7", "", []),
    (3, "b0c2", "进马", []),
    (3, "g3g4", "进兵", []),
    (2, "h7h3", "", []),
]


def read_all(text: str | bytes) -> list[Game]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_games(io.BytesIO(data), source="a.ubb"))


def read(text: str | bytes) -> Game:
    (game,) = read_all(text)
    return game


def write(games: list[Game], options: WriteOptions = DEFAULT_OPTIONS) -> bytes:
    out = io.BytesIO()
    DHTMLXQ.write(games, out, options)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "<br>", ""])
def test_a_game_as_the_site_gives_it(encoding: str, end: str) -> None:
    game = read(GAME.replace("\n", end).encode(encoding))
    assert game.errors == []
    assert game.fen == STARTING_FEN
    assert shape(game) == SHAPE
    assert game.headers == {
        "Title": "某甲 胜 某乙", "Red": "某队 某甲", "RedTeam": "某队", "redname": "某甲",
        "Site": "某地", "Result": "1-0",
    }  # fmt: skip


def test_several_games_and_a_page_around_them() -> None:
    other = GAME.replace("[DhtmlXQ]", "[DhtmlXQiFrame]").replace("[/DhtmlXQ]\n", "[/DhtmlXQiFrame]")
    games = read_all(f"<html><title>棋谱</title>{GAME}<p>{other}</p>{GAME}</html>")
    assert [shape(game) for game in games] == [SHAPE] * 3


def test_tags_alone_are_a_game() -> None:
    game = read("[DhtmlXQ_movelist]77 47 70 62[/DhtmlXQ_movelist]")
    assert [move.iccs() for move in game.moves()] == ["h2e2", "h9g7"]


def test_a_page_of_the_site() -> None:
    page = """<div id=dhtmlxq_view>[DhtmlXQ_red]某甲[/DhtmlXQ_red]<br>
        [DhtmlXQ_movelist][/DhtmlXQ_movelist][DhtmlXQ_comment1_2]好[/DhtmlXQ_comment1_2]</div>
        <script>var DhtmlXQ_movelist = '[0_1_0]77477062[/0_1_0][0_2_1]1022[/0_2_1]';</script>"""
    game = read(page)
    assert game.errors == []
    assert [ply[:3] for ply in shape(game)] == [
        (0, "None", ""), (1, "h2e2", ""), (2, "h9g7", ""), (2, "b9c7", "好"),
    ]  # fmt: skip


NUMBERED = """<div>[DHJHtmlXQ]
[DHJHtmlXQ_10]某甲 胜 某乙[/DHJHtmlXQ_10][DHJHtmlXQ_17]某队[/DHJHtmlXQ_17]
[DHJHtmlXQ_18]某甲[/DHJHtmlXQ_18][DHJHtmlXQ_21]某乙[/DHJHtmlXQ_21]
[DHJHtmlXQ_28]红胜[/DHJHtmlXQ_28][DHJHtmlXQ_31]%s[/DHJHtmlXQ_31]
[DHJHtmlXQ_32]%d[/DHJHtmlXQ_32][DHJHtmlXQ_33]1[/DHJHtmlXQ_33]
[DHJHtmlXQ_34]%s[/DHJHtmlXQ_34][DHJHtmlXQ_99]其他[/DHJHtmlXQ_99]
[game_comment_0_0]开始[/comment_0_0][game_comment_0_2]对进卒[/comment_0_2]
[/DHJHtmlXQ]</div>"""


def test_a_page_with_numbers_for_names() -> None:
    board = "rheakaehr" + "0" * 10 + "c00000c0" + "p0p0p0p0p" + "0" * 18
    board += "P0P0P0P0P" + "0C00000C0" + "0" * 9 + "RHEAKAEHR"
    game = read(NUMBERED % (board, 0, "232466651022"))
    assert game.errors == []
    assert game.fen == STARTING_FEN
    assert [ply[:3] for ply in shape(game)] == [
        (0, "None", "开始"), (1, "c3c4", ""), (2, "g6g5", "对进卒"), (3, "b0c2", ""),
    ]  # fmt: skip
    assert game.headers == {
        "Title": "某甲 胜 某乙", "RedTeam": "某队", "Red": "某甲", "Black": "某乙",
        "Result": "1-0", "DHJHtmlXQ_99": "其他",
    }  # fmt: skip


def test_black_begins_on_a_page_with_numbers_for_names() -> None:
    board = "***k*****" + "*" * 45 + "p********" + "*" * 18 + "****K****"
    game = read(NUMBERED % (board, 1, "03024041"))
    assert game.errors == []
    assert game.fen == "3k5/9/9/9/9/9/p8/9/9/4K4 b - - 0 1"
    assert [move.iccs() for move in game.moves()] == ["a3a2", "e0e1"]
    error = read(NUMBERED % (board[1:], 1, "03024041")).errors[0]
    assert str(error).startswith("a.ubb:1: '2k6/9/9/9/9/8p/9/9/9/3K4 b': ")
    error = read(NUMBERED % (board, 1, "03924041")).errors[0]
    assert str(error) == "a.ubb:1:1: '0392': expected a move between two squares of the board"


def test_no_tags_at_all() -> None:
    with pytest.raises(FormatError, match=r"a.ubb: no game: expected tags such as"):
        list(DHTMLXQ.split(io.BytesIO(b"no game here"), "a.ubb"))


def test_side_of_the_first_move_is_to_move() -> None:
    places = "99" * 4 + "49" + "99" * 6 + "46" + "99" * 8 + "30" + "99" * 11
    for moves, turn in (("3031", "b"), ("4645", "w"), ("", "w")):
        tags = (
            f"[DhtmlXQ_binit]{places}[/DhtmlXQ_binit][DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]"
        )
        game = read(tags)
        assert game.errors == []
        assert game.fen == f"3k5/9/9/9/9/9/4P4/9/9/4K4 {turn} - - 0 1"


@pytest.mark.parametrize(
    ("old", "new", "complaint", "rest"),
    [
        ("77477062", "77477063", "a.ubb:1:2: 'h9g6': g6 is occupied by black's own soldier",
         "h9g6 (b9c7 b0c2 {进马} (g3g4 {进兵})) (h7h3) h0g2 i9h9 a0a1"),
        ("77477062", "7747xx62", "a.ubb:1:2: 'xx62': expected a move between two squares",
         "xx62 (b9c7 b0c2 {进马} (g3g4 {进兵})) (h7h3) h0g2 i9h9 a0a1"),
        ("80700908", "8070090", "a.ubb:1:5: '090': expected a move between two squares", "090"),
        ("[DhtmlXQ_move_0_2_1]1022", "[DhtmlXQ_move_0_2_1]1023",
         "a.ubb:1:2: 'b9c6': c6 is occupied by black's own soldier",
         "b9c6 b0c2 {进马} (g3g4 {进兵})"),
        ("move_0_2_3", "move_9_2_3",
         "a.ubb:1: 'move_9_2_3': it branches from a line that does not exist", "7276"),
        ("move_0_2_3", "move_0_9_3", "a.ubb:1:9: 'move_0_9_3': line 0 has no ply 9 to branch from",
         "h7h3"),
        ("move_0_2_3", "move_0_2_1", "a.ubb:1: '7276': the tag move_0_2_1 occurs twice", "7276"),
        ("move_0_2_3", "move_0_3_1", "a.ubb:1:3: 'move_0_3_1': line 1 occurs twice", "7276"),
        ("comment2_3", "comment2_8", "a.ubb:1:8: '进兵': line 2 has no ply 8", "进兵"),
        ("comment2_3", "comment7_1", "a.ubb:1:1: '进兵': line 7 has no ply 1", "进兵"),
        ("binit]8979", "binit]897", "binit: found 63 characters, expected 64 digits", ""),
        ("binit]8979", "binit]8993", "'93': binit: expected a point of the board, or 99", ""),
        ("binit]8979", "binit]7979",
         "'red horse on h0': the red chariot is already there", ""),
        ("[/DhtmlXQ_title]", "", "'[DhtmlXQ_title]': expected [/DhtmlXQ_title] after it", ""),
    ],
)  # fmt: skip
def test_faulty_tags_are_reported_and_kept(old: str, new: str, complaint: str, rest: str) -> None:
    assert old in GAME
    game = read(GAME.replace(f"{old}[/", f"{new}[/").replace(old, new))
    assert game.errors
    assert complaint in str(game.errors[0])
    assert game.errors[0].rest == rest


def test_a_position_that_cannot_be_read_keeps_its_text_and_the_moves() -> None:
    game = read("[DhtmlXQ_binit]12[/DhtmlXQ_binit][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]")
    assert game.fen == "12"
    assert [error.rest for error in game.errors] == ["", "", "h2e2"]
    with pytest.raises(FormatError, match="starting position"):
        write([game])


def test_written_as_the_site_has_it() -> None:
    text = write([read(GAME)]).decode()
    assert "[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n" in text
    assert "[DhtmlXQ_movelist]77477062796780700908[/DhtmlXQ_movelist]\n" in text
    assert "[DhtmlXQ_comment0]第一行||第二行[/DhtmlXQ_comment0]\n" in text
    assert "[DhtmlXQ_fen]" not in text
    assert read(text) == read(GAME)


def test_an_encoding_without_a_character_spells_it_out() -> None:
    game = read(GAME)
    game.root.comment = "炮 𠀀"
    text = write([game], WriteOptions(encoding="ascii")).decode("ascii")
    assert "\\u70ae \\ud840\\udc00" in text
    assert read(text) == game


def test_headers_that_cannot_be_tags() -> None:
    game = Game(headers={"White Elo": "1"})
    with pytest.raises(FormatError, match="game 1, header 'White Elo': no tag can have this name"):
        write([game])
    assert read(write([game], WriteOptions(lossy=True))).headers == {}
    with pytest.raises(FormatError, match=r"game 2: '\\ud800' is not a character"):
        write([Game(), Game(headers={"Red": "\ud800"})])


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_random_games_are_read_back_equal(encoding: str) -> None:
    games = [random_game(seed) for seed in range(60)]
    back = read_all(write(games, WriteOptions(encoding=encoding)))
    assert [game.errors for game in back] == [[]] * 60
    for game, other in zip(games, back, strict=True):
        assert shape(other) == shape(game)
        assert other.headers == game.headers
        assert other.fen == game.fen


def test_real_games_there_and_back() -> None:
    games = list(real_games(400, step=80))
    back = read_all(write(games))
    assert back == games


def test_a_folder_of_files_of_dpxq(tmp_path: Path) -> None:
    file = tmp_path / "game.dpxq"
    file.write_text("[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]")
    assert find_games([str(tmp_path)]) == [str(file)]
