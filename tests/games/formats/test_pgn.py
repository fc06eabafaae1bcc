"""PGN: files by hand, round trips, and files that are damaged."""

from __future__ import annotations

import io
from random import Random

import pytest

from tests.support.game_files import line, reasons, write
from tests.support.game_trees import random_game, real_games, shape
from tests.support.soak import SOAK
from xiangqi import Move
from xiangqi.games.formats import Notation, read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError
from xiangqi.pieces.fen import STARTING_FEN

WAYS: list[tuple[str, Notation, str]] = [
    ("pgn", "chinese", "utf-8"),
    ("pgn", "chinese", "gb18030"),
    ("pgn", "wxf", "utf-8"),
    ("pgn", "iccs", "utf-8"),
    ("white-pgn", "san", "utf-8"),
    ("white-pgn", "uci", "utf-8"),
]


def read(text: str | bytes, name: str = "a.pgn") -> list[Game]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_games(io.BytesIO(data), "pgn", name))


def read_one(text: str | bytes) -> Game:
    (game,) = read(text)
    return game


# Files by hand

XQBASE = """\
[Game "Chinese Chess"]
[Event "第一届象棋大赛"]
[Date "2008.05.01"]
[Red "许银川"]
[RedTeam "广东"]
[Black "吕钦"]
[Result "1-0"]
[ECCO "C75"]
[Format "Chinese"]

{开局评注}
  1. 炮二平五 马８进７ {应以屏风马}
  2. 马二进三 (2. 兵三进一 车9平8 {变着} (2. ... 卒７进１) 3. 马二进三) 车９平８
  3. 车一平二! $14 卒７进１?
  1-0
"""


def test_xqbase_form() -> None:
    game = read_one(XQBASE)
    assert not game.errors
    assert list(game.headers) == [
        "Event", "Date", "Red", "RedTeam", "Black", "Result", "ECCO",
    ]  # fmt: skip
    assert game.headers["RedTeam"] == "广东"
    assert shape(game) == [
        (0, "None", "开局评注", []),
        (1, "h2e2", "", []),
        (2, "h9g7", "应以屏风马", []),
        (3, "h0g2", "", []),
        (4, "i9h9", "", []),
        (5, "i0h0", "", [1, 14]),
        (6, "g6g5", "", [2]),
        (3, "g3g4", "", []),
        (4, "i9h9", "变着", []),
        (5, "h0g2", "", []),
        (4, "g6g5", "", []),
    ]
    assert read_one(XQBASE.encode("gb18030")) == game
    assert read_one(b"\xef\xbb\xbf" + XQBASE.encode()) == game
    assert read_one(XQBASE.replace("\n", "\r\n")) == game
    assert read_one(XQBASE.replace("\n", "\r")) == game


def test_written_form() -> None:
    game = Game("3k5/9/9/9/9/9/9/4P4/9/4K4 b - - 0 40", {"Red": "A", "Result": "1/2-1/2"})
    game.root.comment = "before"
    first = game.root.add(Move.from_iccs("d9d8"), "after")
    game.root.add(Move.from_iccs("d9e9"))
    first.add(Move.from_iccs("e2e3"), nags=[1])
    assert write([game]).decode() == (
        '[Game "Chinese Chess"]\n[Red "A"]\n[Result "1/2-1/2"]\n[Format "Chinese"]\n'
        '[FEN "3k5/9/9/9/9/9/9/4P4/9/4K4 b - - 0 40"]\n\n'
        "{before} 40... 将４进１ {after} (40... 将４平５)\n41. 兵五进一 $1 1/2-1/2\n\n"
    )
    assert b"41. P5+1 $1" in write([game], notation="wxf")
    assert b"40... D9-D8 {after} (40... D9-E9)" in write([game], notation="iccs")
    white = write([game], "white-pgn").decode()
    assert white.startswith('[Variant "xiangqi"]\n[White "A"]\n')
    assert '[SetUp "1"]\n[FEN "3k5' in white
    assert "40... Kd9 {after} (40... Ke10)\n41. Pe4 $1" in white
    assert b"40... d10d9 {after}" in write([game], "white-pgn", notation="uci")


@pytest.mark.parametrize(
    "moves",
    [
        "1. C2.5 H8+7 2. H2+3 R9.8", "1.C2=5 h8+7 2.H2+3 r9=8", "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "h2e2 h9g7 h0g2 i9h9", "1. h3e3 h10g8 2. h1g3 i10h10", "1. Che3 Hg8 2. Hg3 Rh10",
        "1. Che2 Hg7 2. Hg2 Rh9", "1. Ch3-e3 Hh10-g8 2. Hh1-g3 Ri10-h10",
        "1、炮二平五 马8进7 2、马二进三 车9平8",
        "1… 炮二平五 馬８進７ 傌二進三 車９平８", "1. 炮2平5 马8进7 2. 马2进3 车9平8",
        "1. C2.5 马8进7\n% a line for programs only\n2. h0g2 ; the rest\n R9.8",
    ],
)  # fmt: skip
def test_notations_are_recognized_by_their_form(moves: str) -> None:
    game = read_one(f'[Red "A"]\n\n{moves} *\n')
    assert not game.errors
    assert line(game) == "h2e2 h9g7 h0g2 i9h9"


def test_official_middle_soldier_is_no_move_number() -> None:
    fen = "4k4/9/2P3P2/6P2/2P6/6P2/9/9/9/3K5 w - - 0 1"
    game = read_one(f'[FEN "{fen}"]\n\n33. 33.4 K5+1 34.33+1\n')
    assert line(game) == "g6f6 e9e8"
    assert reasons(game) == [
        "a.pgn:1:3: '33+1': no file has as many red soldiers as the move implies"
    ]


def test_white_stands_for_red() -> None:
    game = read_one('[White "A"]\n[WhiteElo "1500"]\n[Black "B"]\n\n*\n')
    assert game.headers == {"Red": "A", "RedElo": "1500", "Black": "B", "Result": "*"}
    both = read_one('[White "A"]\n[Red "A"]\n[WhiteTeam "x"]\n[RedTeam "y"]\n\n*\n')
    assert both.headers == {"Red": "A", "WhiteTeam": "x", "RedTeam": "y", "Result": "*"}


def test_headers_with_quotes_and_several_on_a_line() -> None:
    game = read_one('[Event "The \\"Cup\\" \\\\ 1"] [Site "here"]\n[Round "a "b" c"]\n\n*')
    assert game.headers == {
        "Event": 'The "Cup" \\ 1',
        "Site": "here",
        "Round": 'a "b" c',
        "Result": "*",
    }


def test_games_without_headers_or_moves() -> None:
    games = read('1. C2.5 1-0\n\n[Red "A"]\n\n[Red "B"]\n[Black "C"]\n\n\n[Red "D"]\n\n1. H2+3\n')
    assert [game.headers.get("Red") for game in games] == [None, "A", "B", "D"]
    assert [line(game) for game in games] == ["h2e2", "", "", "h0g2"]
    assert games[0].headers["Result"] == "1-0"
    assert not any(game.errors for game in games)
    assert read("") == read("\n\n \n") == []


def test_comments_as_they_are_written() -> None:
    game = read_one(
        '[Red "A"]\n\n{ one } {two\n\nthree} 1. C2.5 {a;b(c)[x]} ; to the end } of line\n'
        "( { early } 1. H2+3 { late } ) H8+7 {} *\n"
    )
    assert shape(game) == [
        (0, "None", "one\ntwo\n\nthree", []),
        (1, "h2e2", "a;b(c)[x]\nto the end } of line", []),
        (2, "h9g7", "", []),
        (1, "h0g2", "early\nlate", []),
    ]


# Errors


def test_the_rest_of_a_line_is_kept() -> None:
    games = read(
        '[Red "A"]\n\n1. C2.5 H8+7 (1... H2+9 2. H2+3 {x} (2. R1+1)) '
        "2. H2+3 R9+5 {y} 3. R1.2 1-0\n"
        '\n[Red "B"]\n\n1. 炮二平五 马9进7 1-0\n'
    )
    first, second = games[0].errors
    assert (first.game, first.ply, first.text) == (1, 2, "H2+9")
    assert first.rest == "H2+9 2. H2+3 {x} ( 2. R1+1 )"
    assert str(second) == "a.pgn:1:4: 'R9+5': the black chariot on i9 cannot reach i4"
    assert second.rest == "R9+5 {y} 3. R1.2"
    assert games[0].headers["Result"] == "1-0"
    assert line(games[0]) == "h2e2 h9g7 h0g2"
    assert reasons(games[1]) == [
        "a.pgn:2:2: '马9进7': there is no black horse on file 9, counted from the mover's right"
    ]


BANNER = """\
============================
 欢迎访问《象棋百科全书网》 (1998)
 推荐用《象棋巫师》观赏棋谱
http://www.xqbase.com/
"""
"""Footer that XQWizard and ElephantEye write below every game."""


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
@pytest.mark.parametrize("moves", ["1. 炮二平五 马８进７", "1. C2.5 H8+7", "1. H2-E2 H9-G7"])
def test_a_programs_own_words_behind_the_result_are_passed_over(moves: str, encoding: str) -> None:
    game = f'[Game "Chinese Chess"]\n[Result "1-0"]\n\n{moves}\n 1-0\n{BANNER}'
    games = read(f"{game}\n{game}{game}".encode(encoding))
    assert [line(game) for game in games] == ["h2e2 h9g7"] * 3
    assert [game.errors for game in games] == [[]] * 3
    assert [game.headers["Result"] for game in games] == ["1-0"] * 3


@pytest.mark.parametrize(
    ("behind", "why"),
    [
        ("2. H2+5", "the red horse cannot move like this"),  # a move, though it is not legal
        ("0-1", "the header says that the result is '1-0'"),
        (") ====", "no variation is open here"),
    ],
)
def test_only_a_programs_own_words_are_passed_over(behind: str, why: str) -> None:
    (game,) = read(f'[Result "1-0"]\n\n1. C2.5 H8+7 1-0\n{behind}\n')
    assert any(why in reason for reason in reasons(game))


def test_a_comment_behind_the_result_is_kept() -> None:
    (game,) = read("1. C2.5 H8+7 1-0 {the last word}\n====\n{no word}\n")
    assert game.end().comment == "the last word"
    assert game.errors == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[Red A]\n\n1. C2.5 *", 'no header: expected [Name "value"]'),
        ('[Red "A"]\n[Red "B"]\n\n*', "duplicate header 'Red'"),
        ('[Result "1-0"]\n\n1. C2.5 0-1', "the header says that the result is '1-0'"),
        ("1. C2.5 (1. H2+3 *", "a result within a variation"),
        ("1. C2.5 (1. H2+3", "the variation is not closed"),
        ("1. C2.5 ) *", "no variation is open here"),
        ("(1. C2.5) 1. C2.5", "no move before the variation"),
        ("1. C2.5 ((1. H2+3))", "no move before the variation"),
        ("1. C2.5 {what", "the comment is not closed"),
        ("1. C2.5 } *", "expected coordinates"),
        ('[FEN "x"]\n\n1. C2.5', "piece placement"),
        ('[FEN "9/9/9/9/9/9/9/9/9/9 w"]\n\n1. C2.5', "red has no general"),
        (b'[Red "\xff\xfe"]\n\n1. C2.5 *', "neither UTF-8, GB18030 nor Big5"),
    ],
)
def test_faults_are_reported(text: str | bytes, why: str) -> None:
    games = read(text)
    assert any(why in reason for game in games for reason in reasons(game)), games[0].errors
    assert all(reason.startswith("a.pgn:1") for reason in reasons(games[0]))


def test_a_comment_that_breaks_off_does_not_hide_the_next_game() -> None:
    games = read('[Red "A"]\n\n1. C2.5 {broken\n\n[Red "B"]\n\n1. H2+3 *\n')
    assert [game.headers["Red"] for game in games] == ["A", "B"]
    assert games[0].root.variations[0].comment == "broken\n"
    assert "not closed" in str(games[0].errors[0])
    assert not games[1].errors


# Round trips


@pytest.mark.parametrize(("name", "notation", "encoding"), WAYS)
def test_round_trip_of_trees(name: str, notation: Notation, encoding: str) -> None:
    games = [random_game(seed, tame=True) for seed in range(25)]
    data = write(games, name, notation=notation, encoding=encoding)
    assert read(data) == games


@pytest.mark.parametrize("seed", range(40))
def test_comments_survive_whatever_is_in_them(seed: int) -> None:
    game = random_game(seed)
    game.headers = {"Result": "*"}
    assert read(write([game, game])) == [game, game]


@pytest.mark.parametrize(
    "comment",
    [
        "}", "a } b\nc } d", " ", "  two  ", "\nfirst line empty } ", 'x\n\n[Red "B"]\ny', "\n",
        "ends\n", "{", ";", "(", "1-0", "[%eval +0.3]", "%", "\n\n}", "a\n\n}\n",
    ],
)  # fmt: skip
def test_comments_that_could_end_early(comment: str) -> None:
    game = Game(headers={"Result": "1-0"})
    game.add_line(game.board().list_moves()[:1])
    game.end().comment = comment
    game.root.comment = comment
    assert read(write([game, game])) == [game, game]


@pytest.mark.parametrize(("name", "notation", "encoding"), WAYS)
def test_round_trip_of_real_games(name: str, notation: Notation, encoding: str) -> None:
    games = list(real_games(250 if SOAK else 60, step=139))
    data = write(games, name, notation=notation, encoding=encoding)
    assert read(data) == games


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"Event": "a\nb"}, "line breaks of the header 'Event'"),
        ({"an event": "a"}, "no header can have the name 'an event'"),
        ({"FEN": STARTING_FEN}, "the header FEN is set by the format"),
    ],
)
def test_headers_outside_pgn_are_refused(headers: dict[str, str], why: str) -> None:
    game = Game(headers={**headers, "Result": "*"})
    with pytest.raises(FormatError, match="pgn") as caught:
        write([game])
    assert why in str(caught.value)
    assert read(write([game], lossy=True))


def test_text_outside_the_encoding_is_refused() -> None:
    game = Game(headers={"Red": "许银川"})
    with pytest.raises(FormatError, match="ascii cannot write '许银川'"):
        write([game], notation="iccs", encoding="ascii")
    with pytest.raises(FormatError, match="encoding 'klingon'"):
        write([game], encoding="klingon")
    with pytest.raises(FormatError, match="expected one of chinese, wxf, vietnamese, iccs"):
        write([game], notation="san")
    assert b"\\u8bb8" in write([game], notation="iccs", encoding="ascii", lossy=True)


def test_an_unreadable_start_is_written_back_as_it_was() -> None:
    text = '[FEN "kaput"]\n\n*\n'
    game = read_one(text)
    assert b'[FEN "kaput"]' in write([game])
    assert read_one(write([game])).fen == "kaput"


# Damage


@pytest.mark.parametrize("seed", range(8))
def test_damaged_files_are_read_to_their_end(seed: int) -> None:
    rng = Random(seed)
    sound = write([random_game(number, tame=True) for number in range(seed, seed + 3)])
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(rng.choice((1, 3, 10))):
            start = rng.randrange(len(data) + 1)
            piece = rng.choice((b"", b"(", b")", b"{", b"}", b"[", b"\n\n", b'"', b"\xff", b"1."))
            data[start : start + rng.choice((0, 1, 5))] = piece * rng.choice((1, 1, 200))
        games = read(bytes(data[: rng.randrange(len(data) + 1)]))
        for game in games:
            assert read(write([game], lossy=True))[0].moves() == game.moves()
            assert all(str(error).startswith("a.pgn:") for error in game.errors)


def test_deep_nesting_is_no_danger() -> None:
    moves = "1. C2.5 " + "(1. H2+3 " * 20_000
    game = read_one(moves)
    assert len(game.root.variations) > 1
    assert "not closed" in reasons(game)[-1]
    assert read_one("1. C2.5 " + "(" * 100_000).errors
    assert len(read_one("C2.5 C2.5 " * 10_000).errors) == 1


def test_a_line_in_no_encoding_is_a_fault_of_its_own_game() -> None:
    data = b'[Red "A"]\n\n1. C2.5 *\n\n[Red "B\xff\xff"]\n\n1. C2.5 *\n'
    one, other = read_games(io.BytesIO(data))
    assert not one.errors
    assert [error.reason for error in other.errors] == ["line 5: neither UTF-8, GB18030 nor Big5"]


def test_an_escape_line_does_not_begin_a_game() -> None:
    text = '% made by a program\n\n[Red "A"]\n% between\n[Black "B"]\n\n1. h2e2 *\n'
    (game,) = read_games(io.StringIO(text), "pgn")
    assert game.headers["Red"] == "A"
    assert game.headers["Black"] == "B"
    assert len(game.moves()) == 1


def test_a_fen_without_a_general_above_a_game_from_the_start() -> None:
    fen = STARTING_FEN.replace("RNBAKABNR", "RNBA1ABNR")
    (game,) = read(f'[Game "Chinese Chess"]\n[FEN "{fen}"]\n\n1. C2.5 H8+7 *')
    assert game.fen == STARTING_FEN
    assert [move.iccs() for move in game.moves()] == ["h2e2", "h9g7"]
    (error,) = game.errors
    assert error.text == fen
    assert "red has no general; the game is read from the starting position" in str(error)


@pytest.mark.parametrize(
    "text",
    ['[FEN "{}"]\n\n1. C2.5 C2.5 2. R9+9 *', '[FEN "{}"]\n\n*', '[FEN "9/9 w"]\n\n1. C2.5 *'],
)
def test_an_impossible_fen_stays_an_error(text: str) -> None:
    (game,) = read(text.format(STARTING_FEN.replace("RNBAKABNR", "RNBA1ABNR")))
    assert not list(game.moves())
    assert not any("is read from" in str(error) for error in game.errors)


def test_the_position_may_be_a_header_in_other_letters() -> None:
    fen = "3k5/9/9/9/9/9/9/9/4C4/4K4 w"
    (game,) = read_games(io.BytesIO(f'[Fen "{fen}"]\n1. 炮五平六 *\n'.encode()), "pgn")
    assert game.fen.startswith(fen)
    assert ([move.iccs() for move in game.moves()], game.errors) == (["e1d1"], [])


def test_words_behind_the_score_of_a_header_are_its_reason() -> None:
    text = b'[Result "0-1 resignation"]\n\n1. h2e2 h9g7 0-1\n'
    (game,) = read_games(io.BytesIO(text), "pgn")
    assert (game.headers["Result"], game.errors) == ("0-1", [])
