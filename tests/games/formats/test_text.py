"""Texts of moves as files: titles, labels, results in words, several games, and no game at all."""

from __future__ import annotations

import io

import pytest

from xiangqi.games.formats import loose, read_games
from xiangqi.games.formats.loose import cut_texts
from xiangqi.games.formats.phrases import is_title
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError, RecordError

MOVES = "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n"
OPENING = ["h2e2", "h9g7", "h0g2", "i9h9"]


def read(text: str | bytes, source: str = "a.txt") -> list[Game]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_games(io.BytesIO(data), source=source))


def moves_of(game: Game) -> list[str]:
    return [move.iccs() for move in game.moves()]


# One reader for files and for the paste box

TITLES = {
    "某某（红方）对某某（黑方）": {"Red": "某某", "Black": "某某"},
    "第5轮 许甲 先胜 吕乙": {"Red": "许甲", "Black": "吕乙", "Result": "1-0"},
    "上海许甲  红先负  北京吕乙": {"Red": "上海许甲", "Black": "北京吕乙", "Result": "0-1"},
    "张红 先和 吕乙": {"Red": "张红", "Black": "吕乙", "Result": "1/2-1/2"},
    "红方名称：许甲": {"Red": "许甲"},
    "棋局标题：一局": {"Title": "一局"},
    "许甲（红）—吕乙（黑）": {"Red": "许甲", "Black": "吕乙"},
    "1994年全国象棋个人赛": {},
    "2023-05-06 甲级联赛": {},
    "中炮对屏风马": {},
    "五七炮进三兵对屏风马": {},
    "中炮进三兵对屏风马进7卒": {},
    "1、顺手炮": {},
    "*** 残局 ***": {},
    "《橘中秘》第三局": {},
    "【全局】第1局": {},
    "A1 vs Player2": {},
    "红方：许甲　黑方：吕乙": {"Red": "许甲", "Black": "吕乙"},
    "布局：中炮对屏风马进7卒": {"Opening": "中炮对屏风马进7卒"},
    "结果：红先胜": {"Result": "1-0"},
    "-----": {},
}
RESULTS = {
    "和棋": "1/2-1/2", "和局。": "1/2-1/2", "双方议和": "1/2-1/2", "平局": "1/2-1/2",
    "红胜": "1-0", "红先胜": "1-0", "红方胜！": "1-0", "黑方认负": "1-0", "黑方超时负": "1-0",
    "（黑勝）": "0-1", "红方告负": "0-1", "Black wins": "0-1", "０－１": "0-1",
}  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_a_title_stands_before_the_moves(title: str) -> None:
    text = f"{title}\n{MOVES}"
    (game,) = read(text)
    assert (moves_of(game), game.errors, game.headers) == (OPENING, [], TITLES[title])
    pasted = read_pasted(text)
    assert (pasted.game, pasted.fault, pasted.has_more) == (game, None, False)


@pytest.mark.parametrize("word", RESULTS)
def test_a_result_stands_behind_the_moves(word: str) -> None:
    text = f"题目\n{MOVES}{word}\n"
    (game,) = read(text)
    assert (moves_of(game), game.errors) == (OPENING, [])
    assert game.headers == {"Result": RESULTS[word]}
    assert read_pasted(text).game == game


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_text_in_any_encoding(encoding: str, end: str) -> None:
    text = f"某某（红方）对某某（黑方）\n{MOVES}和棋\n".replace("\n", end)
    (game,) = read(text.encode(encoding))
    assert (moves_of(game), game.errors) == (OPENING, [])
    assert game.headers == {"Red": "某某", "Black": "某某", "Result": "1/2-1/2"}


@pytest.mark.parametrize("source", ["a.txt", "a.pgn", "standard input", "a"])
def test_the_text_and_not_the_name_tells_the_format(source: str) -> None:
    (game,) = read(f"题目\n{MOVES}", source)
    assert (moves_of(game), game.errors) == (OPENING, [])


def test_a_pgn_with_words_of_people_is_read_like_a_text() -> None:
    head = '[Game "Chinese Chess"]\n[Red "甲"]\n\n'
    games = read(f"{head}1.炮二平五马8进7 2.马二进三车9平8 红胜\n\n{head}{MOVES}和棋\n", "a.pgn")
    assert [moves_of(game) for game in games] == [OPENING, OPENING]
    assert [game.headers["Result"] for game in games] == ["1-0", "1/2-1/2"]
    assert [game.errors for game in games] == [[], []]


# Several games

FIRST = f"第一局 许甲 先胜 吕乙\n{MOVES}"
SECOND = "第二局 胡甲 先和 柳乙\n1. 兵七进一 卒7进1\n"


@pytest.mark.parametrize("between", ["红胜\n", "红胜\n\n\n", "\n", ""])
def test_games_follow_one_another(between: str) -> None:
    text = f"{FIRST}{between}{SECOND}和棋\n\n以上两局选自某书。\n"
    first, second = read(text)
    assert (moves_of(first), moves_of(second)) == (OPENING, ["c3c4", "g6g5"])
    assert (first.headers["Red"], second.headers["Red"]) == ("许甲", "胡甲")
    assert first.errors == second.errors == []
    assert read_pasted(text).has_more
    assert not read_pasted(SECOND).has_more


def test_indented_rounds_below_a_title_begin_the_next_game() -> None:
    moves = "  1. 炮二平五  马８进７    2. 马二进三  车９平８\n"
    titles = ("第一站\n\n许甲  红先胜  吕乙\n", "\n胡甲  红先负  柳乙\n ", "\n\n徐甲 先和 李乙")
    games = read("".join(f"{title}\n{moves}" for title in titles))
    assert [game.headers["Red"] for game in games] == ["许甲", "胡甲", "徐甲"]
    assert [game.headers["Result"] for game in games] == ["1-0", "0-1", "1/2-1/2"]
    assert [moves_of(game) for game in games] == [OPENING] * 3
    assert not any(game.errors for game in games)


@pytest.mark.parametrize("remark", ["如马2进3，车九平八，红胜。", "（红胜）", "黑胜定"])
def test_a_result_within_a_remark_does_not_end_the_game(remark: str) -> None:
    (game,) = read(f"1. 炮二平五 马8进7\n{remark}\n2. 马二进三 车9平8\n和棋\n")
    assert (moves_of(game), game.headers["Result"]) == (OPENING, "1/2-1/2")


def test_fences_of_markdown_are_no_words() -> None:
    headers = '[Game "Chinese Chess"]\n[Format "ICCS"]\n'
    (game,) = read(f"```xiangqi\np:true\n{headers}1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n```\n", "a.pgn")
    assert (moves_of(game), game.errors) == (OPENING, [])


def test_games_without_numbers_of_rounds_are_reported_apart_by_their_titles() -> None:
    games = read("第一局\n炮二平五 马8进7\n\n第二局\n兵七进一 卒7进1\n")
    assert [moves_of(game) for game in games] == [OPENING[:2], ["c3c4", "g6g5"]]


def test_words_between_two_rounds_are_a_comment() -> None:
    (game,) = read("1. 炮二平五 马8进7\n平常之着。\n\n至此成中炮（如图）。\n2. 马二进三\n")
    assert moves_of(game) == OPENING[:3]
    assert game.errors == []
    assert [node.comment for node in game.nodes()][2] == ("平常之着。\n\n至此成中炮（如图）。")


def test_unreadable_words_become_a_comment_and_an_error() -> None:
    first, second = read(f"{FIRST.replace('马8进7', '马8进7 乱码')}红胜\n\n{SECOND}")
    (error,) = first.errors
    assert (moves_of(first), error.ply, error.text) == (OPENING[:4], None, "乱码")
    assert error.reason == "not understood after ply 2; kept as a comment up to the next move"
    assert [node.comment for node in first.nodes()][2] == "乱码"
    assert first.headers["Result"] == "1-0"
    assert (moves_of(second), second.errors) == (["c3c4", "g6g5"], [])


def test_lines_of_a_program_behind_the_result_are_passed_over() -> None:
    text = f"{MOVES}1-0\n======\n 欢迎访问《象棋百科全书网》\nhttp://www.xqbase.com/\n======\n"
    (game,) = read(text)
    assert (moves_of(game), game.errors, game.headers) == (OPENING, [], {"Result": "1-0"})
    assert not read_pasted(text).has_more


# No game, or none of Xiangqi

PROSE = "This program is free software.\nYou may pass it on (see below).\n\n 1. Terms\nNone: a)\n"


@pytest.mark.parametrize("suffix", ["txt", "pgn", "wxf", "ucci", "fen", "epd", "jsonl", "ubb"])
def test_a_text_without_a_game_is_one_error(suffix: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(PROSE * 50, f"licence.{suffix}")
    assert str(caught.value).startswith(f"licence.{suffix}: no")
    assert "\n" not in str(caught.value)


def test_a_file_with_one_good_line_keeps_its_errors() -> None:
    games = read("position nowhere\n" * 5 + "position startpos moves h2e2\n", "a.ucci")
    assert [len(game.errors) for game in games] == [1, 1, 1, 1, 1, 0]


def test_a_damaged_game_does_not_hide_the_next_one() -> None:
    games = read("FORMAT\tWXF\nx\ny\nz\nu\nv\nFORMAT\tWXF\nSTART{\n1. C2.5 h8+7\n}END\n", "a.wxf")
    assert [len(game.errors) for game in games] == [5, 0]
    assert moves_of(games[1]) == OPENING[:2]


WESTERN = '[Event "Casual"]\n[White "A"]\n[Black "B"]\n\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{WESTERN}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 1-0\n", "'O-O' is a move of western"),
        (f"{WESTERN}1. d4 d5 2. c4 *\n", "'d4' is a move of western chess"),
        (f"{WESTERN}1. e2e4 e7e5 *\n", "'e2e4' is a move of western chess"),
        ("1. e4 e5 2. Qh5 Nc6\n", "'Qh5' is a move of western chess"),
        (f"{WESTERN}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n", "'Nf3' is a move of western chess"),
        (f"{WESTERN}1. e4 e5 {{x}} 2. Nc3 $1 (2. Nf3) *\n", "'Nc3' is a move of western chess"),
        ("1. Nf3 Nf6 2. g3 g6\n", "'Nf3' is a move of western chess"),
        (f"{WESTERN}1. g2-g4 e7-e5 *\n", "'g2-g4' is a move of western chess"),
        ('[Variant "crazyhouse"]\n\n1. e4 e5 1-0\n', "the header Variant is 'crazyhouse'"),
        ('[Variant "Janggi"]\n\n1. h3e3 *\n', "the header Variant is 'Janggi'"),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Ke2 *\n', "8 ranks, expected 10"),
    ],
)
def test_other_games_are_one_error(text: str, why: str) -> None:
    with pytest.raises(FormatError, match=f"^a.pgn: not Xiangqi: .*{why}"):
        read(text * 5, "a.pgn")
    with pytest.raises(RecordError, match=f"not Xiangqi: .*{why}"):
        read_pasted(text)


@pytest.mark.parametrize("moves", ["h2h4 h9g7 a3a5", "h2h3 h9g7 z9z9", "炮二平五 马8进7 炮五进五"])
def test_a_slip_is_not_western_chess(moves: str) -> None:
    """Cannons go from h2 to h3 and h4 as pawns of western chess do."""
    (game,) = read(f'[Red "x"]\n\n{moves} *\n', "a.pgn")
    assert len(moves_of(game)) == 2
    assert [error.ply for error in game.errors] == [3]


@pytest.mark.parametrize("variant", ["xiangqi", "Xiangqi", "Chinese Chess", "?", "顺炮横车"])
def test_a_variant_that_is_xiangqi_or_the_name_of_an_opening(variant: str) -> None:
    (game,) = read(f'[Variant "{variant}"]\n\n1. h3e3 h10g8 *\n', "a.pgn")
    assert (moves_of(game), game.errors) == (OPENING[:2], [])


def test_other_games_among_those_of_xiangqi_are_named_one_by_one() -> None:
    other = '[Variant "crazyhouse"]\n\n1. e4 e5 1-0\n\n'
    games = read(f'{other}[Red "x"]\n\n{MOVES}\n{other}', "a.pgn")
    assert [moves_of(game) for game in games] == [[], OPENING, []]
    assert [len(game.errors) for game in games] == [1, 0, 1]
    assert games[2].errors[0].reason == "not Xiangqi: the header Variant is 'crazyhouse'"


# Long texts


@pytest.mark.parametrize(
    "piece",
    [
        "\n",
        " \n",
        "1.\n",
        "标题\n",
        "第一局\n",
        "红胜\n",
        "标题\n1. h2e2 foo\n",
        "1 ",
        "a先胜",
        "(",
    ],
)
def test_the_work_grows_with_the_text_and_not_faster(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def count(line: str) -> bool:
        nonlocal steps
        steps += 1
        return is_title(line)

    def measure(times: int) -> int:
        nonlocal steps
        steps = 0
        words = sum(len(one.words) for one in cut_texts(MOVES + piece * times))
        return steps + words

    monkeypatch.setattr(loose, "is_title", count)
    assert measure(800) <= 2 * measure(400) + 10


# Digits too many, numbers of rounds, several games


@pytest.mark.parametrize("head", ["", '[Event "A"]\n\n'])
@pytest.mark.parametrize(
    ("text", "moves", "fault"),
    [
        ("1. C2.55 H8+7 2. H2+3", [], "C2.55"),
        ("1. C2.52 H8+7 2. H2+3", [], "C2.52"),
        ("1. C2.5 H8+77 2. H2+3", ["h2e2"], "H8+77"),
        ("h2e22 h9g7", [], "h2e22"),
        ("1. h2e2 h9g77 2. h0g2", ["h2e2"], "h9g77"),
        ("P2-55 M8.7 M2.3", [], "P2-55"),
    ],
)
def test_a_move_with_digits_too_many_is_no_move(
    head: str, text: str, moves: list[str], fault: str
) -> None:
    (game,) = read(head + text)
    assert moves_of(game) == moves
    assert [error.text for error in game.errors] == [fault]


@pytest.mark.parametrize("head", ["", '[Event "A"]\n\n'])
@pytest.mark.parametrize("text", ["1. C2.5H8+72. H2+3", "1. 炮二平五马8进72. 马二进三"])
def test_the_next_round_number_may_follow_at_once(head: str, text: str) -> None:
    (game,) = read(head + text)
    assert moves_of(game) == OPENING[:3]
    assert not game.errors


@pytest.mark.parametrize("text", ["1. 炮二平五 2. 马二进三", "1. C2.5 2. H2+3", "1. h2e2 2. h0g2"])
def test_two_rounds_of_one_side_lack_a_move(text: str) -> None:
    (game,) = read(text)
    assert moves_of(game) == ["h2e2"]
    assert [error.reason for error in game.errors] == ["a move of Black is missing in round 1"]


@pytest.mark.parametrize("text", ["1. 炮二平五 2. 马8进7", "1. h2e2 2. h9g7"])
def test_two_numbers_of_both_sides_count_plies(text: str) -> None:
    (game,) = read(text)
    assert moves_of(game) == OPENING[:2]
    assert not game.errors


def test_games_that_end_with_EOD() -> None:
    first, second = read(
        f"Alice Lee - Bob\nCity Cup\n{MOVES}EOD\n\n某甲 - 某乙 / 五羊杯\n{MOVES}EOD\n"
    )
    assert moves_of(first) == moves_of(second) == OPENING
    assert first.headers == {"Red": "Alice Lee", "Black": "Bob"}
    assert second.headers == {"Red": "某甲", "Black": "某乙", "Event": "五羊杯"}
    assert "EOD" not in second.root.comment
