"""Games as people copy them: whatever the way they are written, they come back move for move."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from random import Random

import pytest

from tests.support.game_trees import random_game
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.formats.base import NOTATIONS, Notation, WriteOptions
from xiangqi.games.formats.pgn import PGN, WHITE_PGN
from xiangqi.games.pasting import Pasted, read_moves, read_pasted
from xiangqi.ground.errors import RecordError
from xiangqi.notation import (
    format_chinese,
    format_coordinates,
    format_iccs,
    format_san,
    format_wxf,
)
from xiangqi.pieces.fen import STARTING_FEN

Write = Callable[[Board, Move], str]

OPENING = ["h2e2", "h9g7", "h0g2", "i9h9"]
TWO_ROOKS = "3k5/9/9/9/9/9/R8/R8/9/4K4 w"


def moves_of(pasted: Pasted) -> list[str]:
    return [move.iccs() for move in pasted.game.moves()]


# Random games in many hands

WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
SYNONYMS = str.maketrans("车马炮进退", "俥傌包上下")


def in_digits(board: Board, move: Move) -> str:
    """Chinese notation with digits for both sides."""
    numerals = {**{c: str(i) for i, c in enumerate("一二三四五六七八九", start=1)}}
    text = format_chinese(board, move)
    if text[0] in numerals:  # the place of one soldier of many
        return text
    return text.translate({ord(c): digit for c, digit in numerals.items()})


def in_small_letters(board: Board, move: Move) -> str:
    return format_wxf(board, move).lower() if not board.turn else format_wxf(board, move)


HANDS: dict[str, Write] = {
    "chinese": format_chinese,
    "traditional": lambda board, move: format_chinese(board, move, traditional=True),
    "synonyms": lambda board, move: format_chinese(board, move).translate(SYNONYMS),
    "digits": in_digits,
    "spaced": lambda board, move: " ".join(format_chinese(board, move)),
    "wxf": format_wxf,
    "wxf-small": in_small_letters,
    "wxf-fairy": lambda board, move: format_wxf(board, move, "fairy"),
    "ucci": lambda _, move: move.iccs(),
    "capitals": lambda _, move: move.iccs().upper(),
    "iccs": lambda _, move: format_iccs(move),
    "iccs-spaced": lambda _, move: format_iccs(move).replace("-", " - "),
    "uci": lambda _, move: format_coordinates(move, 1),
    "san": format_san,
}
NUMBERS: dict[str, Callable[[int], str]] = {
    "none": lambda _: "",
    "dots": lambda number: f"{number}.",
    "dots-spaced": lambda number: f"{number}. ",
    "stops": lambda number: f"{number}、",
    "brackets": lambda number: f"({number}) ",
    "closing": lambda number: f"{number}) ",
    "rounds": lambda number: f"第{number}回合：",
    "circled": lambda number: CIRCLED[(number - 1) % 20],
    "lines": lambda number: f"\n{number:3}  ",
}
GAPS = {"none": "", "blank": " ", "comma": "，", "tab": "\t", "wide": "\u3000", "semicolon": "；"}
COMMENTS = ("（好棋）", "{ a good move }", "【此着新颖】", "(此处可以平车)", "<!>", "「先手」")
RESULTS = {"1-0": ("1-0", "红胜", "红方胜"), "0-1": ("0-1", "黑勝"), "1/2-1/2": ("和棋", "1/2-1/2")}


def play_at_random(rng: Random, fen: str, plies: int) -> Board:
    board = Board(fen)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def write_by_hand(rng: Random, fen: str, moves: Sequence[Move], hand: str, gap: str) -> str:
    """A game as somebody might have typed it."""
    number = NUMBERS[rng.choice(list(NUMBERS))]
    comments = rng.choice(((), COMMENTS))
    is_wide = hand not in ("iccs-spaced", "spaced") and rng.random() < 0.3
    board = Board(fen)
    text = "" if fen == STARTING_FEN else f"{fen}\n"
    for move in moves:
        if board.turn or not board.ply():
            text += number(board.fullmove_number)
        one = HANDS[hand](board, move)
        text += (one.translate(WIDE) if is_wide else one) + GAPS[gap]
        if comments and rng.random() < 0.2:
            text += rng.choice(comments)
        board.push(move)
    return text


@pytest.mark.parametrize("hand", HANDS)
def test_games_come_back_move_for_move(hand: str) -> None:
    for seed in range(len(GAPS) * 3):
        rng = Random(f"{hand} {seed}")
        fen = STARTING_FEN if seed % 3 else play_at_random(rng, STARTING_FEN, 40).fen()
        played = play_at_random(rng, fen, 60)
        moves = list(played.move_stack)
        gap = list(GAPS)[seed % len(GAPS)]
        if hand == "san" and gap == "none":
            gap = "blank"  # "Hg8e3" is the horse's move and nothing else
        text = write_by_hand(rng, fen, moves, hand, gap)
        result = rng.choice(["", *RESULTS])
        if result:
            text += f" {rng.choice(RESULTS[result])}"
        pasted = read_pasted(text)
        assert moves_of(pasted) == [move.iccs() for move in moves], text
        assert pasted.fault is None, text
        assert pasted.game.headers.get("Result", "") == result
        assert Board(pasted.game.fen).fen() == Board(fen).fen()


@pytest.mark.parametrize("notation", NOTATIONS)
def test_trees_that_programs_have_written_are_read_as_from_a_file(notation: Notation) -> None:
    """With headers, comments, marks and variations: the reader of files reads the same."""
    for seed in range(12):
        game = random_game(seed, tame=True)
        out = io.BytesIO()
        style = PGN if notation in PGN.notations else WHITE_PGN
        style.write([game], out, WriteOptions(notation=notation, lossy=True))
        (cut,) = style.split(io.BytesIO(out.getvalue()), "a")
        expected = style.build(cut, "text", 1)
        pasted = read_pasted(out.getvalue().decode())
        assert pasted.game == expected
        assert pasted.game.errors == expected.errors


# What people do besides


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. 炮二平五 马8进7 2. 马二进三 车9平8", "h2e2 h9g7 h0g2 i9h9"),
        ("红：炮二平五 黑：马8进7", "h2e2 h9g7"),
        ("红方 炮二平五\n黑方 马8进7", "h2e2 h9g7"),
        ("Red: C2.5 Black: H8+7", "h2e2 h9g7"),
        ("一、炮二平五 马8进7 二、马二进三", "h2e2 h9g7 h0g2"),
        ("Round 1: h2e2 h9g7; Round 2: h0g2", "h2e2 h9g7 h0g2"),
        ("C25 H8+7", "h2e2 h9g7"),
        ("炮二平五 -> 马8进7 | 马二进三", "h2e2 h9g7 h0g2"),
        ("炮②平⑤马⑧进⑦", "h2e2 h9g7"),
        ("1.炮二平五 (1.兵七进一 卒7进1) 1...马8进7", "h2e2 h9g7"),
        ("炮二平五！？马8进7!!", "h2e2 h9g7"),
        (f"FEN: {STARTING_FEN}\nh2e2 h9g7", "h2e2 h9g7"),
        (f"position fen {STARTING_FEN} moves h2e2 h9g7", "h2e2 h9g7"),
        ("startpos moves h3e3 h10g8", "h2e2 h9g7"),
        ("77477062", "h2e2 h9g7"),
        ("http://a.cn/b.html?DhtmlXQ_movelist=77477062&DhtmlXQ_red=x", "h2e2 h9g7"),
        ("https://a.cn/#%5BDhtmlXQ_movelist%5D7747%5B/DhtmlXQ_movelist%5D", "h2e2"),
        ("https://a.cn/play?moves=h2e2_h9g7", "h2e2 h9g7"),
        ("1.炮二平五 马8进7 和棋 http://www.xqbase.com", "h2e2 h9g7"),
        ("1. C2=5 H8+7\nRed C2=5 is common, Black C8=5 too.\n2. H2+3", "h2e2 h9g7 h0g2"),
        ("red h2e2 black h9g7", "h2e2 h9g7"),
        ("1. C2=5 check H8+7 Checkmate.", "h2e2 h9g7"),
        ("1. C2=5 H8+7\nK5=4 would not help.\n2. H2+3", "h2e2 h9g7 h0g2"),
        ("1. C2=5 H8+7\n1a. ....  H2+3  2ai. H8+7  A4+5\n2. H2+3", "h2e2 h9g7 h0g2"),
        ("(1)炮二平五,馬8進7;(2)馬二進三", "h2e2 h9g7 h0g2"),
        (
            "| 1 | 炮二平五 | 马8进7 |\n|---|:---:|---|\n| 2 | 马二进三 | 车9平8 |",
            "h2e2 h9g7 h0g2 i9h9",
        ),
    ],
)
def test_common_pasted_texts_are_read(text: str, moves: str) -> None:
    pasted = read_pasted(text)
    assert (moves_of(pasted), pasted.fault) == (moves.split(), None)


@pytest.mark.parametrize(
    "text",
    [
        "1. 炮二平五 (h2e2) 马8进7（h9g7）",
        "1. C2=5 (炮二平五) H8+7 (马8进7)",
        "1.h2e2(C2.5) h9g7(H8+7)",
    ],
)
def test_a_move_again_in_brackets_is_no_variation(text: str) -> None:
    pasted = read_pasted(text)
    assert (moves_of(pasted), pasted.fault) == (["h2e2", "h9g7"], None)
    assert len(list(pasted.game.nodes())) == 3


def test_another_move_in_brackets_is_a_variation() -> None:
    pasted = read_pasted("1. 炮二平五 (b2e2) 马8进7 (马8进7 马二进三)")
    assert (len(list(pasted.game.nodes())), pasted.fault) == (6, None)


def test_a_page_with_headers_in_chinese_is_read() -> None:
    pasted = read_pasted(
        "标题: 甲 对 乙\n赛事： 2017年第5轮\n红方: 王一\n黑方: 郑二\n结果: 和棋\n棋局类型: 全局\n"
        "【主变: 和棋】\n　　1.　炮二平五　　马８进７\n　　2.　马二进三　　车９平８\n"
    )
    assert (moves_of(pasted), pasted.fault) == (OPENING, None)
    assert pasted.game.headers == {
        "Title": "甲 对 乙", "Event": "2017年第5轮", "Red": "王一", "Black": "郑二",
        "Result": "1/2-1/2", "棋局类型": "全局",
    }  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "Red: Alice  Black: Bob",
        "red: Alice, BLACK: Bob",
        "White: Alice / Black: Bob",
        "Red : Alice\tBlack : Bob",
        "红方：Alice 黑方：Bob",
        "红方：Alice　黑方：Bob",
        "紅方:Alice,黑方:Bob",
        "红方：Alice；黑方：Bob",
        "红方：Alice黑方：Bob",
    ],
)
@pytest.mark.parametrize("gap", ["\n", " ", "\t1. "])
def test_both_players_may_be_named_on_one_line(line: str, gap: str) -> None:
    pasted = read_pasted(f"{line}{gap}炮二平五 马8进7")
    assert (moves_of(pasted), pasted.fault) == (OPENING[:2], None)
    assert pasted.game.headers == {"Red": "Alice", "Black": "Bob"}


def test_labels_on_one_line_keep_what_is_no_label() -> None:
    pasted = read_pasted(
        "Time: 10:30 Event: Red Cup Red: Black, J. Black: White, K. Result: red wins\n炮二平五"
    )
    assert pasted.game.headers == {
        "Time": "10:30", "Event": "Red Cup", "Red": "Black, J.", "Black": "White, K.",
        "Result": "1-0",
    }  # fmt: skip


def test_sides_before_moves_are_no_players() -> None:
    pasted = read_pasted("红方: 炮二平五 黑方: 马8进7")
    assert (moves_of(pasted), pasted.fault) == (OPENING[:2], None)
    assert not pasted.game.headers


def test_a_title_before_the_moves_is_kept_as_a_comment() -> None:
    pasted = read_pasted("七星聚会\n炮二平五 马8进7")
    assert (moves_of(pasted), pasted.game.root.comment) == (OPENING[:2], "七星聚会")


# What is not understood


@pytest.mark.parametrize(
    ("text", "moves", "place", "word"),
    [
        ("1. 炮二平五 马8进7\n2. 马二进三 foo 车9平8", 4, (2, 9), "foo"),
        ("炮二平五马8进7xyz马二进三", 2, (1, 9), "xyz马二进三"),
        ("炮二平五马8进4", 1, (1, 5), "马8进4"),
        ("h2e2\nh9g7\n  h0h5", 2, (3, 3), "h0h5"),
        ("C2.5H8+7 {never closed", 2, (1, 10), "{never closed"),
        ("炮二平五 (兵七进一 车", 1, (1, 12), "车"),
        ("红方: 甲\n炮二平五 马8进7 炮二平午", 2, (2, 11), "炮二平午"),
        ("炮二平五 马8进7 )", 2, (1, 11), ")"),
    ],
)
def test_the_first_word_that_is_not_understood_is_reported_with_its_place(
    text: str, moves: int, place: tuple[int, int], word: str
) -> None:
    pasted = read_pasted(text)
    assert len(moves_of(pasted)) == moves
    assert pasted.fault is not None
    assert (pasted.fault.line, pasted.fault.column) == place
    assert pasted.fault.text == word


@pytest.mark.parametrize("text", ["", " ", "rubbish <b>", "红方: ", "炮二平午", "position fen x"])
def test_a_text_without_a_game_is_refused(text: str) -> None:
    if text == "红方: ":
        assert read_pasted(text).game.headers == {"Red": ""}
        return
    with pytest.raises(RecordError):
        read_pasted(text)


def test_a_link_that_carries_no_game_is_not_followed() -> None:
    with pytest.raises(RecordError, match="links are not followed"):
        read_pasted("http://www.dpxq.com/hldcg/search/view_m_1.html")


def test_ranks_that_may_count_from_either_number_are_reported() -> None:
    pasted = read_pasted(f"{TWO_ROOKS}\na3b3")
    assert (moves_of(pasted), pasted.is_ambiguous) == (["a3b3"], True)
    assert not read_pasted("h2e2 h9g7").is_ambiguous
    assert not read_pasted("h3e3 h8e8").is_ambiguous
    assert moves_of(read_pasted("h3e3 h8e8")) == ["h2e2", "h7e7"]


def test_another_game_is_left_where_it_begins() -> None:
    two = "1. 炮二平五 马8进7 红胜\n\n1. 兵七进一 卒7进1 黑胜"
    pasted = read_pasted(two)
    assert (moves_of(pasted), pasted.has_more) == (OPENING[:2], True)
    lines = "position startpos moves h2e2\nposition startpos moves b2e2\n"
    assert (moves_of(read_pasted(lines)), read_pasted(lines).has_more) == (["h2e2"], True)


def test_moves_that_must_all_be_understood() -> None:
    assert read_moves("炮二平五马8进7").moves == ("h2e2", "h9g7")
    assert read_moves("").moves == ()
    with pytest.raises(RecordError, match=r"line 1, column 6: move 2: 'h9h5'"):
        read_moves("h2e2 h9h5")


@pytest.mark.parametrize("sign", ["(", "{", "[", "1", ".", "炮", "h2", "，", "①", "/", "-"])
def test_long_nonsense_is_read_in_no_time(sign: str) -> None:
    try:
        pasted = read_pasted(f"h2e2 {sign * 20_000}")
    except RecordError:
        return
    assert moves_of(pasted) == ["h2e2"]
