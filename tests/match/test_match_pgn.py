"""PGN of a match: what is written is read again, and headers of others' files are read as well."""

from __future__ import annotations

import io
import random
import re
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from chess.engine import Cp, Mate, PovScore, Score
from hypothesis import given
from hypothesis import strategies as st

from tests.support.helpers import playout
from xiangqi import BLACK, RED, STARTING_FEN, Board, FenError, Move, RecordError
from xiangqi.games.formats import read_games
from xiangqi.games.formats.pgn_reader import read_headers
from xiangqi.match.pgn import PlayedGame, PlayedMove, write_game

START = datetime(2026, 11, 21, 9, 30, tzinfo=timezone.utc)
BLACK_BEGINS = "3k5/9/9/9/9/9/9/9/4r4/3K5 b - - 0 7"


def played(text: str, **info: Any) -> PlayedMove:
    return PlayedMove(Move.from_iccs(text), info, 1.0404)


def scored(text: str, score: Score, depth: int = 12, color: bool = RED) -> PlayedMove:
    return played(text, score=PovScore(score, color), depth=depth)


def game(*moves: PlayedMove, **changes: Any) -> PlayedGame:
    settings: dict[str, Any] = {
        "red": "Meihua",
        "black": "Fairy-Stockfish",
        "result": "1-0",
        "termination": "normal",
        "reason": "Black is mated",
        "moves": moves,
    }
    return PlayedGame(**{**settings, **changes})


def headers_of(text: str | bytes, **settings: Any) -> list[dict[str, str]]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_headers(io.BytesIO(data), **settings))


def moves_of(text: str) -> str:
    """Moves after the headers, on one line."""
    return " ".join(text.split("\n\n", 1)[1].split())


# Writing


def test_a_whole_game() -> None:
    text = write_game(
        game(
            PlayedMove(Move.from_iccs("h2e2"), is_book=True),
            PlayedMove(Move.from_iccs("h9g7"), is_book=True),
            scored("h0g2", Cp(35)),
            scored("i9h9", Cp(-20), 9, BLACK),
            event="Test",
            site="here",
            round="3.1",
            started=START,
            ended=START + timedelta(hours=1, minutes=2, seconds=3),
            red_time_control="60+0.6",
            black_time_control="60+0.6",
            rules="wxf",
        )
    )
    assert (
        text
        == """\
[Game "Chinese Chess"]
[Event "Test"]
[Site "here"]
[Date "2026.11.21"]
[Round "3.1"]
[White "Meihua"]
[Black "Fairy-Stockfish"]
[Result "1-0"]
[Red "Meihua"]
[Variant "xiangqi"]
[GameDuration "01:02:03"]
[GameStartTime "2026-11-21T09:30:00 +0000"]
[GameEndTime "2026-11-21T10:32:03 +0000"]
[PlyCount "4"]
[TimeControl "60+0.6"]
[Rules "wxf"]
[Termination "normal"]
[Format "ICCS"]

1. H2-E2 {book} H9-G7 {book} 2. H0-G2 {+0.35/12 1.040s}
I9-H9 {-0.20/9 1.040s, Black is mated} 1-0

"""
    )


def test_defaults_and_unknown_values_have_no_header() -> None:
    (found,) = headers_of(write_game(game()))
    assert not {"SetUp", "FEN", "Ruling", "Rules", "TimeControl", "GameStartTime"} & set(found)
    assert (found["Event"], found["Date"], found["Round"]) == ("?", "????.??.??", "?")


def test_other_positions_times_and_rulings_have_headers() -> None:
    text = write_game(
        game(
            fen=BLACK_BEGINS,
            red_time_control="10+0.1",
            black_time_control="40/60",
            ruling="Red checked perpetually and had to change",
            headers={"Opening": "C45", "White": "somebody else"},
        )
    )
    (found,) = headers_of(text)
    assert (found["SetUp"], found["FEN"]) == ("1", BLACK_BEGINS)
    assert (found["WhiteTimeControl"], found["BlackTimeControl"]) == ("10+0.1", "40/60")
    assert found["Ruling"].startswith("Red checked")
    assert (found["Opening"], found["White"]) == ("C45", "Meihua")
    assert list(found)[-1] == "Opening"


def test_moves_are_numbered_from_the_position() -> None:
    moves = [played("d9e9"), played("d0d1"), played("e9e8")]
    text = moves_of(write_game(game(*moves, fen=BLACK_BEGINS, reason="")))
    plain = re.sub(r" \{[^}]*\}", "", text)
    assert plain == "7... D9-E9 8. D0-D1 E9-E8 1-0"


@pytest.mark.parametrize(
    ("move", "comment"),
    [
        (scored("h2e2", Cp(0)), "{+0.00/12 1.040s}"),
        (scored("h2e2", Mate(5)), "{+M5/12 1.040s}"),
        (scored("h2e2", Mate(-2)), "{-M2/12 1.040s}"),
        (scored("h2e2", Cp(150), color=BLACK), "{-1.50/12 1.040s}"),
        (played("h2e2", score=PovScore(Cp(5), RED)), "{+0.05 1.040s}"),
        (played("h2e2", depth=3), "{1.040s}"),
        (played("h2e2"), "{1.040s}"),
    ],
)
def test_comments_are_from_the_movers_side(move: PlayedMove, comment: str) -> None:
    assert moves_of(write_game(game(move, reason=""))) == f"1. H2-E2 {comment} 1-0"


def test_details_on_request() -> None:
    pv = [Move.from_iccs("h2e2"), Move.from_iccs("h9g7")]
    info = {"score": PovScore(Cp(1), RED), "depth": 2, "nodes": 1234, "seldepth": 5, "pv": pv}
    move = PlayedMove(Move.from_iccs("h2e2"), info, 0.5, seconds_left=59.5)
    text = write_game(game(move), details=("pv", "nodes", "nps", "timeleft"))
    comment = '{+0.01/2 0.500s, tl=59.500s, n=1234, pv="H2-E2 H9-G7", Black is mated}'
    assert moves_of(text) == f"1. H2-E2 {comment} 1-0"
    with pytest.raises(ValueError, match="'speed': expected one of hashfull, nodes, nps"):
        write_game(game(move), details=("speed",))


def test_a_game_without_a_move_still_tells_its_reason() -> None:
    text = write_game(game(result="0-1", termination="abandoned", reason="Red: did not start"))
    assert moves_of(text) == "{Red: did not start} 0-1"
    assert moves_of(write_game(game(result="*", reason=""))) == "*"


def test_a_bad_opening_is_an_error() -> None:
    with pytest.raises(FenError, match="startpos"):
        write_game(game(fen="startpos"))


def test_a_reason_cannot_break_out_of_its_comment() -> None:
    reason = 'illegal move "}\n[Result \\"0-1\\"]" {x}'
    text = write_game(game(played("h2e2"), reason=reason))
    assert text.count("{") == text.count("}") == 1
    assert len(headers_of(text + text)) == 2
    assert [found["Result"] for found in headers_of(text + text)] == ["1-0", "1-0"]


def test_lines_are_shorter_than_80() -> None:
    (*_, board) = playout(random.Random(3), 120)
    moves = [played(move.iccs(), depth=5, pv=[move] * 30) for move in board.move_stack]
    reason = "as [this] or %that one " * 20
    text = write_game(game(*moves, reason=reason), details=("pv",))
    body = text.split("\n\n", 1)[1].splitlines()
    assert max(map(len, body)) <= 79
    assert not [line for line in body if line.startswith(("[", "%", " ")) or line.endswith(" ")]
    assert len(headers_of(text)) == 1


# There and back


@given(
    names=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=4),
    seed=st.integers(0, 100),
)
def test_round_trip(names: list[str], seed: int) -> None:
    """Values round-trip, even in files of many games; line ends become blanks."""
    (*_, board) = playout(random.Random(seed), 20)
    moves = [played(move.iccs()) for move in board.move_stack]
    games = [game(*moves, red=name, reason=name, ruling=name) for name in names]
    found = headers_of("".join(map(write_game, games)))
    control = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
    assert [headers["Red"] for headers in found] == [control.sub(" ", name) for name in names]
    assert [headers["Ruling"] for headers in found] == [control.sub(" ", name) for name in names]
    for written in map(write_game, games):
        replay = Board(STARTING_FEN)
        for text in re.findall(r"[A-I]\d-[A-I]\d(?= \{\S* ?1\.040s)", moves_of(written)):
            replay.push_iccs(text)
        assert replay == board


# Reading others' files


def test_marks_and_line_ends_of_windows() -> None:
    text = '\ufeff[Red "甲"]\r\n[Black "乙"]\r\n\r\n1. 炮二平五 1-0\r\n\r\n[Red "丙"]\r\n*\r\n'
    assert headers_of(text) == [{"Red": "甲", "Black": "乙"}, {"Red": "丙"}]


def test_gb18030() -> None:
    text = '[Red "胡荣华"]\n[Event "1983年全国"]\n\n{评注}\n*\n'
    assert headers_of(text.encode("gb18030")) == [{"Red": "胡荣华", "Event": "1983年全国"}]


def test_bytes_of_no_encoding() -> None:
    assert headers_of(b'[Red "\xff\xff"]\n*\n') == [{"Red": "\\xff\\xff"}]


@pytest.mark.parametrize("text", ["", "\n\n", "% a remark\n"])
def test_no_game(text: str) -> None:
    assert headers_of(text) == []


def test_games_without_moves_or_headers() -> None:
    assert headers_of('[Red "A"]\n[Black "B"]\n\n[Red "C"]\n') == [
        {"Red": "A", "Black": "B"},
        {"Red": "C"},
    ]
    assert headers_of("1. H2-E2 *\n\n[Red 'x']\n", on_error=lambda error: None) == [{}, {}]
    assert headers_of('1. H2-E2 *\n[Red "C"]') == [{}, {"Red": "C"}]


def test_brackets_in_comments_are_no_headers() -> None:
    text = '[Red "A"]\n\n1. H2-E2 {a\n[Red "B"]\n} ; {\n% {\nH9-G7 (1... {x} B9-C7) *\n[Red "C"]\n*'
    assert [found["Red"] for found in headers_of(text)] == ["A", "C"]


def test_a_game_that_breaks_off_does_not_hide_the_next() -> None:
    whole = write_game(game(played("h2e2"), red="B"))
    broken = write_game(game(played("h2e2"), red="A"))[:-20]
    assert broken.count("{") > broken.count("}")
    assert [found["Red"] for found in headers_of(broken + "\n\n" + whole)] == ["A", "B"]


def test_several_headers_on_a_line_and_escapes() -> None:
    (found,) = headers_of(r'[Red "A \"the\" \\ B" ]  [ Black "C:\x"]' + "\n*")
    assert found == {"Red": 'A "the" \\ B', "Black": "C:\\x"}


def test_lines_may_end_as_old_systems_end_them() -> None:
    found = headers_of(b'[Red "A"]\r[Black "B"]\r\r1. H2-E2 *\r\r[Red "C"]\r\r*\r')
    assert found == [{"Red": "A", "Black": "B"}, {"Red": "C"}]


def test_quotes_that_nobody_has_escaped_are_read_as_other_commands_read_them() -> None:
    text = b'[Event "The "Cup""]\n[Red "A"]\n\n*\n'
    (game,) = read_games(io.BytesIO(text), "pgn")
    (found,) = headers_of(text)
    assert found["Event"] == game.headers["Event"] == 'The "Cup"'


BROKEN = '[Event "x"]\n[Red "A\n[Black "B"]\n\n*\n\n[Red "C"]\n[Black C]\n*\n'


def test_a_broken_header_is_reported_with_file_and_line() -> None:
    with pytest.raises(RecordError) as caught:
        headers_of(BROKEN, name="league.pgn")
    assert str(caught.value) == (
        "league.pgn:2: '[Red \"A': not a header: "
        'expected [Name "value"], with \\" for a quote in the value'
    )


def test_broken_headers_can_be_left_out() -> None:
    errors: list[RecordError] = []
    found = headers_of(BROKEN, name="league.pgn", on_error=errors.append)
    assert found == [{"Event": "x", "Black": "B"}, {"Red": "C"}]
    assert [error.source for error in errors] == ["league.pgn:2", "league.pgn:8"]


def test_reading_is_streaming() -> None:
    """The first game is there before the second has been read."""

    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self.lines = 0

        def readable(self) -> bool:
            return True

        def readline(self, size: int | None = -1, /) -> bytes:
            self.lines += 1
            return (b'[Red "A"]\n', b"1. H2-E2 *\n", b"\n")[self.lines % 3 - 1]

    stream = Endless()
    games = read_headers(stream)  # type: ignore[arg-type]
    assert [next(games), next(games)] == [{"Red": "A"}, {"Red": "A"}]
    assert stream.lines <= 7
