"""Position lines, JSON lines and WXF text; decoding; guessing the format."""

from __future__ import annotations

import gzip
import io
import itertools
import json
from collections.abc import Callable, Generator
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from tests.support.game_files import line, reasons, write
from tests.support.game_trees import random_game, real_games, shape
from tests.support.helpers import data_file
from xiangqi import Move
from xiangqi.games.formats import FORMATS, find_format, read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError, XiangqiError
from xiangqi.ground.lines import LineReader, find_encoding
from xiangqi.ground.texts import list_texts
from xiangqi.pieces.fen import STARTING_FEN

FEN = "4k4/9/9/9/9/9/9/4P4/9/3K5 w - - 0 1"


def read(text: str | bytes, format: str | None = None) -> list[Game]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_games(io.BytesIO(data), format, "a.txt"))


def game_of(moves: str, **headers: str) -> Game:
    game = Game(headers=headers)
    game.add_line(map(Move.from_iccs, moves.split()))
    return game


# Decoding


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_lines_of_any_system(encoding: str, end: str) -> None:
    text = end.join(["ascii", "", "红先胜", "end"])
    reader = LineReader(io.BytesIO(text.encode(encoding)), "a")
    assert list(reader) == ["ascii", "", "红先胜", "end"]
    assert reader.number == 4
    assert reader.take_faults() == []


def test_the_first_chinese_text_decides_for_the_file() -> None:
    # By itself the second line is UTF-8 as well.
    data = "中国象棋\n联通\n".encode("gb18030")
    assert list(LineReader(io.BytesIO(data), "a")) == ["中国象棋", "联通"]


def test_a_line_in_the_other_encoding_is_read_all_the_same() -> None:
    data = b"".join(("红" * 40_000 + "\n").encode() for _ in range(2)) + "黑".encode("gb18030")
    assert list(LineReader(io.BytesIO(data), "a"))[-1] == "黑"


TRADITIONAL = (
    "炮二平五　馬８進７",
    "紅方：許銀川　黑方：趙國榮",
    "全國象棋個人賽第三輪",
    "這是一局精彩的對攻戰，雙方應對都很準確。",
    "後砲平四，傌六退七",
    "和棋",
)


@pytest.mark.parametrize("text", TRADITIONAL)
@pytest.mark.parametrize("encoding", ["big5", "gb18030", "utf-8"])
def test_big5_is_distinguished_from_gb(text: str, encoding: str) -> None:
    assert list(LineReader(io.BytesIO(text.encode(encoding)), "a")) == [text]


def test_no_text_in_gb_is_taken_for_big5() -> None:
    texts = [text for text in list_texts("zh").values() if not text.isascii()]
    assert len(texts) > 400
    assert {find_encoding(text.encode("gb18030"))[0] for text in texts} <= {"gb18030", "utf-8"}


def test_a_game_in_big5_is_read() -> None:
    pgn = '[Red "許銀川"]\n[Black "趙國榮"]\n\n1. 炮二平五 {兇} 馬8進7 2. 馬二進三 1-0\n'
    text = "紅方：許銀川 黑方：趙國榮\n1. 炮二平五 馬8進7\n2. 馬二進三 紅勝\n"
    for written in (pgn, text):
        (game,) = read_games(io.BytesIO(written.encode("big5")))
        assert not game.errors
        assert game.record().moves == ("h2e2", "h9g7", "h0g2")
        assert {name: game.headers[name] for name in ("Red", "Black", "Result")} == {
            "Red": "許銀川", "Black": "趙國榮", "Result": "1-0",
        }  # fmt: skip


def test_bytes_that_are_no_big5_are_reported() -> None:
    data = "\n".join(TRADITIONAL).encode("big5") + b"\na\xff\n"
    reader = LineReader(io.BytesIO(data), "a")
    assert list(reader) == [*TRADITIONAL, "a\\xff"]
    assert reader.take_faults() == [("a\\xff", "line 7: neither UTF-8, GB18030 nor Big5")]


@pytest.mark.parametrize("size", [1, 5_000])
def test_a_stream_of_text_is_read_as_well(size: int) -> None:
    text = '{"red": "红", "moves": ["h2e2"]}\n' * size
    stream = io.StringIO(text)
    assert list(read_games(stream)) == list(read_games(io.BytesIO(text.encode())))
    assert not stream.closed
    with io.TextIOWrapper(io.BytesIO(text.encode("gb18030")), "gb18030") as wrapped:
        assert next(read_games(wrapped)).headers == {"Red": "红"}


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_file_may_be_closed_before_all_its_games_are_read(
    compress: Callable[[bytes], bytes],
) -> None:
    file = io.BytesIO(compress(b'{"moves": ["h2e2"]}\n' * 3))
    games = cast("Generator[Game]", read_games(file))
    next(games)
    file.close()
    games.close()


@pytest.mark.parametrize("file", [None, 3, b"1. h2e2", ["a.pgn"]], ids=repr)
def test_read_games_refuses_other_types(file: Any) -> None:
    with pytest.raises(TypeError, match="expected a path or an open file"):
        next(read_games(file))


def test_bytes_in_no_encoding_are_kept_and_reported() -> None:
    reader = LineReader(io.BytesIO(b"a\nb\xffc\n"), "a")
    assert list(reader) == ["a", "b\\xffc"]
    assert reader.take_faults() == [("b\\xffc", "line 2: neither UTF-8, GB18030 nor Big5")]
    assert reader.take_faults() == []


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(FormatError, match="line 2: longer than"):
        list(LineReader(io.BytesIO(b"a\n" + b"x" * (1 << 24)), "a"))


# Guessing


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ('{"moves": ["h2e2"]}', "h2e2"),
        ("position startpos moves h2e2", "h2e2"),
        (f"fen {STARTING_FEN} moves h2e2", "h2e2"),
        ("FORMAT\tWXF\nSTART{\n1. C2.5\n}END\n", "h2e2"),
        ('[Event "x"]\n\n1. C2.5 *', "h2e2"),
        ("1. 炮二平五", "h2e2"),
        ("\ufeff 1. 炮二平五", "h2e2"),
    ],
)
def test_format_is_guessed_from_the_beginning(text: str, moves: str) -> None:
    for data in (text.encode(), gzip.compress(text.encode())):
        (game,) = read(data)
        assert line(game) == moves


def test_format_is_guessed_from_the_name(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("; a comment\n1. C2.5 *", encoding="utf-8")
    (game,) = read_games(path)
    assert line(game) == "h2e2"


def test_unknown_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.doc"
    path.write_text("Dear Sir", encoding="utf-8")
    with pytest.raises(FormatError, match=r"games\.doc: .* begins with 'Dear Sir'"):
        next(read_games(path))
    with pytest.raises(FormatError, match="format 'doc': expected one of"):
        find_format("doc")
    with pytest.raises(FormatError, match="compressed file is damaged"):
        read(gzip.compress(b'{"moves": []}\n' * 100_000)[:-50])


def test_names_and_properties_of_formats() -> None:
    for name, known in FORMATS.items():
        assert known.name == name
        assert all(suffix.startswith(".") for suffix in known.suffixes)


# Position lines


def test_position_lines() -> None:
    games = read(
        "position startpos moves h2e2 h9g7\n\n"
        f"position fen {FEN} moves e2e3\n"
        "startpos moves h3e3 h10g8\n"
        "position startpos\n"
        "position nowhere\n"
        "position startpos moves h2e2 h2e2 x\n"
        "position fen 9/9 moves h2e2\n",
        "positions",
    )
    assert [line(game) for game in games] == ["h2e2 h9g7", "e2e3", "h2e2 h9g7", "", "", "h2e2", ""]
    assert games[1].fen == FEN
    assert games[6].fen == "9/9"
    assert [len(game.errors) for game in games] == [0, 0, 0, 0, 1, 1, 2]
    assert "a.txt:5: 'position nowhere': expected 'position fen" in reasons(games[4])[0]
    assert games[5].errors[0].rest == "h2e2 x"
    assert reasons(games[5]) == ["a.txt:6:2: 'h2e2': there is no piece on h2"]


def test_position_lines_are_written_if_nothing_is_lost() -> None:
    game = game_of("h2e2 h9g7")
    assert write([game], "positions") == b"position startpos moves h2e2 h9g7\n"
    assert write([game], "positions", notation="uci") == b"position startpos moves h3e3 h10g8\n"
    assert write([Game(FEN)], "positions") == f"position fen {FEN}\n".encode()
    game.headers["Red"] = "A"
    game.end().comment = "!"
    game.end().nags.append(1)
    game.root.add(Move.from_iccs("h0g2"))
    why = "the headers 'Red' and comments and marks of moves and variations"
    with pytest.raises(FormatError, match=f"positions: it would lose {why}"):
        write([game], "positions")
    assert write([game], "positions", lossy=True) == b"position startpos moves h2e2 h9g7\n"
    with pytest.raises(FormatError, match="notation 'wxf': expected one of iccs, uci"):
        write([game], "positions", notation="wxf")


def test_round_trip_of_positions() -> None:
    games = [Game(game.fen) for game in real_games(100, step=300)]
    for game, real in zip(games, real_games(100, step=300), strict=True):
        game.add_line(real.moves())
    assert read(write(games, "positions")) == games
    assert read(write(games, "positions", notation="uci")) == games


# JSON lines


def test_json_line_with_everything() -> None:
    content = {
        "id": "g1", "event": "杯", "red_team": "广东", "Red": "许银川", "threefold": True,
        "year": 2008, "nothing": None, "fen": FEN, "moves": ["e2e3", "e9e8", "e3e4"],
        "comments": {"0": "before", "2": "after"}, "nags": {"3": [1, 14]},
        "variations": [
            {"line": 0, "ply": 2, "moves": ["e9f9", "e3e4"], "comments": {"3": "or"}},
            {"line": 1, "ply": 3, "moves": ["d0d1"], "nags": {"3": [2]}},
        ],
        "headers": {"moves": "many"},
    }  # fmt: skip
    (game,) = read(json.dumps(content))
    assert not game.errors
    assert game.headers == {
        "id": "g1", "Event": "杯", "RedTeam": "广东", "Red": "许银川", "threefold": "true",
        "year": "2008", "moves": "many",
    }  # fmt: skip
    assert game.fen == FEN
    assert shape(game) == [
        (0, "None", "before", []),
        (1, "e2e3", "", []),
        (2, "e9e8", "after", []),
        (3, "e3e4", "", [1, 14]),
        (2, "e9f9", "", []),
        (3, "e3e4", "or", []),
        (3, "d0d1", "", [2]),
    ]
    assert read(write([game], "jsonl")) == [game]


def test_json_lines_in_other_notations() -> None:
    games = read(
        '{"moves": "h3e3 h10g8"}\n{"moves": ["C2=5", "h8+7"]}\n{"moves": ["炮二平五", "马8进7"]}\n'
        f'{{"start_fen": "{FEN}", "moves": ["E2-E3"]}}\n',
    )
    assert [line(game) for game in games] == ["h2e2 h9g7"] * 3 + ["e2e3"]
    assert not any(game.errors for game in games)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1]", "expected an object"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"fen": 1}', "fen: expected text"),
        ('{"fen": "x"}', "piece placement"),
        ('{"moves": 1}', "moves: expected a list of texts"),
        ('{"moves": [1]}', "moves: expected a list of texts"),
        ('{"moves": ["h2e2", "h2e2"]}', "a.txt:1:2: 'h2e2': there is no piece on h2"),
        ('{"comments": 1}', "comments: expected an object"),
        ('{"comments": {"1": "x"}}', "comments: 1: expected a ply 0 to 0"),
        ('{"comments": {"x": "x"}}', "comments: x: expected a ply 0 to 0"),
        ('{"comments": {"0": 1}}', "comments: 0: expected text"),
        ('{"nags": {"0": 1}}', "nags: 0: expected a list of numbers"),
        ('{"nags": {"0": [-1]}}', "nags: 0: expected a list of numbers"),
        ('{"headers": []}', "headers: expected an object"),
        ('{"red": "a", "Red": "b"}', "expected one header Red only"),
        ('{"variations": {}}', "variations: expected a list"),
        ('{"variations": [1]}', "variations: 1: expected an object"),
        ('{"variations": [{"line": 1, "ply": 1}]}', "variations: 1: expected an object"),
        ('{"variations": [{"line": 0, "ply": 0}]}', "variations: 1: expected an object"),
        ('{"variations": [{"line": true, "ply": 1}]}', "variations: 1: expected an object"),
        (
            '{"moves": ["h2e2"], "variations": [{"line": 0, "ply": 1, "comments": {"0": "x"}}]}',
            "variations: 1: comments: 0: expected a ply 1 to 0",
        ),
    ],
)
def test_json_faults_are_reported(text: str, why: str) -> None:
    games = read(f"{text}\n{{}}\n", "jsonl")
    assert len(games) == 2
    assert any(why in reason for reason in reasons(games[0])), games[0].errors
    assert not games[1].errors


def test_json_lines_are_written_in_iccs_only() -> None:
    assert write([game_of("h2e2", Red="红")], "jsonl") == (
        '{"red": "红", "moves": ["h2e2"]}\n'.encode()
    )
    assert write([game_of("h2e2", Red="红")], "jsonl", encoding="ascii") == (
        b'{"red": "\\u7ea2", "moves": ["h2e2"]}\n'
    )
    assert read(write([game_of("h2e2", Red="\ud800")], "jsonl"))[0].headers == {"Red": "\ud800"}
    with pytest.raises(FormatError, match="expected iccs"):
        write([Game()], "jsonl", notation="chinese")


def test_the_collection_is_read_and_written_back() -> None:
    with gzip.open(data_file("games.jsonl.gz")) as lines:
        data = b"".join(itertools.islice(lines, 0, 20_000, 101))
    games = read(data)
    for text, game in zip(data.splitlines(), games, strict=True):
        content = json.loads(text)
        assert not game.errors
        assert game.record().moves == tuple(content["moves"])
        assert game.headers["Result"] == content["result"]
        assert game.headers.get("Red") == content.get("red")
    assert read(write(games, "jsonl")) == games


# WXF text

WXF = """\
FORMAT\tWXF
GAME\tMy game
RED\tA B;1500;;
BLACK\tC;;;
RESULT\t1-0
DATE\t2008-05-01
EVENT
START{
    1. C2.5 {a comment}  h8+7
    2. H2+3!  r9.8 (2... p3+1)
}END

FORMAT WXF
RED  D
SETUP{ 4k4/9/9/9/9/9/9/4P4/9/3K5 w }
START{ 1. P5+1 }END
"""


def test_wxf_text() -> None:
    first, second = read(WXF)
    assert not first.errors
    assert not second.errors
    assert first.headers == {
        "Title": "My game", "Red": "A B", "RedElo": "1500", "Black": "C", "Result": "1-0",
        "Date": "2008-05-01", "Event": "",
    }  # fmt: skip
    assert shape(first)[1:] == [
        (1, "h2e2", "a comment", []),
        (2, "h9g7", "", []),
        (3, "h0g2", "", [1]),
        (4, "i9h9", "", []),
        (4, "c6c5", "", []),
    ]
    assert second.headers == {"Red": "D"}
    assert (second.fen, line(second)) == (FEN, "e2e3")


@pytest.mark.parametrize(
    ("form", "moves"),
    [
        ("ICCS", "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. G0-E2"),
        ("AXF", "1. C2=5 N8+7 2. N2+3 R9=8 3. P3+1"),
        ("AXF, R(C) N(H) C(O)", "1. O2=5 H8+7 2. H2+3 C9=8 3. P3+1"),
        ("LALG", "1. Ch2-e2 Nh9-g7 2. Nh0-g2 Ri9-h9 3. Pg3-g4"),
        ("SALG", "1. Che2 Ng7 2. Ng2 Rh9 3. Pg4"),
    ],
)
def test_wxf_text_of_the_draft(form: str, moves: str) -> None:
    (game,) = read(f"FORMAT {form}\nSTART{{\n{moves}\n}}END\n")
    wanted = "h2e2 h9g7 h0g2 i9h9"
    if form == "ICCS":
        assert [error.text for error in game.errors] == ["G0-E2"]
        assert line(game) == wanted
    else:
        assert not game.errors
        assert line(game) == f"{wanted} g3g4"


def test_the_drafts_own_letters() -> None:
    moves = "START{ M3+5 M3+5 G4+5 }END"
    (game,) = read(f"FORMAT AXF\n{moves}\n")
    assert line(game) == "g0e2 c9e7 f0e1"
    (game,) = read(f"FORMAT WXF\n{moves}\n")
    assert [error.text for error in game.errors] == ["M3+5"]


def test_wxf_text_as_it_is_written() -> None:
    game = game_of("h2e2 h9g7 h0g2", Title="T", Red="A", RedElo="1500", Black="C", Team="x")
    game.end().nags.append(1)
    assert write([game], "wxf").decode() == (
        "FORMAT\tWXF\nGAME\tT\nRED\tA;1500;;\nBLACK\tC;;;\nTeam\tx\n"
        "START{\n1. C2.5 h8+7\n2. H2+3 !\n}END\n\n"
    )
    assert b"FORMAT\tICCS" in write([game], "wxf", notation="iccs")
    assert read(write([game], "wxf", notation="iccs")) == [game]
    with pytest.raises(FormatError, match="expected one of wxf, iccs"):
        write([game], "wxf", notation="chinese")
    for value in ("a\nb", "\tx"):
        game.headers["Team"] = value
        with pytest.raises(FormatError, match="header 'Team' cannot have the value"):
            write([game], "wxf")
        assert line(read(write([game], "wxf", lossy=True))[0]) == line(game)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("FORMAT WXF\nSTART{ 1. C2.5\n", "the block is not closed"),
        ("FORMAT WXF\nSTART{ 1. C2.5 {x\n", "the block is not closed"),
        ("FORMAT WXF\nSTART{ 1. C2.5 }THE END\n", "expected nothing after"),
        ("FORMAT WXF\nRED A\nRED B\nSTART{ 1. C2.5 }END\n", "duplicate RED"),
        ("FORMAT WXF\nno keyword\nSTART{ 1. C2.5 }END\n", "expected a keyword and its value"),
        ("FORMAT WXF\nSETUP{ x }\nSTART{ 1. C2.5 }END\n", "starting position cannot be read"),
        ("FORMAT WXF\nSTART{ 1. C3.5 }END\n", "no red cannon on file 3"),
    ],
)
def test_wxf_faults_are_reported(text: str, why: str) -> None:
    games = read(f"{text}FORMAT WXF\nSTART{{ 1. C2.5 }}END\n")
    assert any(why in reason for reason in reasons(games[0])), games[0].errors
    assert len(games) == 2
    assert (line(games[1]), games[1].errors) == ("h2e2", [])


# Round trips and damage


def test_comments_and_diagrams_of_vietnamese_files_in_wxf() -> None:
    moves = "1. P2-5 M8.7\nDIAG{ #1 RED }\n2. M2.3\n/*hay: 2. M8.7 {a}\n2. B3.1*/\n2. … X9-8 /*b*/"
    text = f"FORMAT WXF\nRED Trắng\nSTART{{\n{moves}\n}}END\n"
    games = read(f"{text}\n{text}", "wxf")
    for game in games:
        assert shape(game) == [
            (0, "None", "", []), (1, "h2e2", "", []), (2, "h9g7", "", []),
            (3, "h0g2", "hay: 2. M8.7 (a)\n2. B3.1", []), (4, "i9h9", "b", []),
        ]  # fmt: skip
        assert (game.headers, game.errors) == ({"Red": "Trắng"}, [])
    assert len(games) == 2


def test_an_open_comment_does_not_hide_the_next_game_in_wxf() -> None:
    first, second = read(
        "FORMAT WXF\nSTART{\n1. C2.5 /*a\n}END\nFORMAT WXF\nSTART{\n1. C2.5 }END\n"
    )
    assert first.errors
    assert (line(second), second.errors) == ("h2e2", [])


def test_blanks_around_the_name_of_a_player_in_wxf() -> None:
    (game,) = read(
        "FORMAT  WXF\nRED     a b ; 1137 ;;\nBLACK   c ; ;;\nSTART{\n1. C2.5 }END\n", "wxf"
    )
    assert game.headers == {"Red": "a b", "RedElo": "1137", "Black": "c"}


@pytest.mark.parametrize("name", ["jsonl", "wxf"])
def test_round_trip_of_trees(name: str) -> None:
    games = []
    for seed in range(30):
        game = random_game(seed, tame=name == "wxf")
        for player in ("Red", "Black"):
            if player in game.headers:
                game.headers[player] = game.headers[player].replace(";", ",")
        games.append(game)
    assert read(write(games, name)) == games
    assert read(write(games, name, encoding="gb18030")) == games


def test_round_trip_of_real_games_as_wxf_text() -> None:
    games = list(real_games(200, step=170))
    assert read(write(games, "wxf")) == games


@pytest.mark.parametrize("name", ["jsonl", "wxf", "positions"])
@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_read_to_their_end(name: str, seed: int) -> None:
    rng = Random(seed)
    sound = write([random_game(number) for number in range(seed, seed + 3)], name, lossy=True)
    pieces = (b"", b"(", b"}", b"{", b"[", b"\n", b'"', b"\xff", b"1", b"START{", b"\t", b":")
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(rng.choice((1, 3, 10))):
            start = rng.randrange(len(data) + 1)
            data[start : start + rng.choice((0, 1, 5))] = rng.choice(pieces) * rng.choice((1, 200))
        try:
            games = read(bytes(data[: rng.randrange(len(data) + 1)]), name)
        except XiangqiError as error:
            pytest.fail(f"a damaged game ended the file: {error}")
        for game in games:
            assert all(str(error).startswith("a.txt:") for error in game.errors)
            write([game], name, lossy=True)
