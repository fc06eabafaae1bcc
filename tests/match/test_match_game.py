"""Games of mock engines: their time, their rulings, their adjudication."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.matches import Played, file_word, mock, play

CHECKED = "9/4k4/9/P8/9/9/9/9/2p6/3KR1Bc1 b - - 0 1"


def test_resignation_and_agreement(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        [mock("--behaviour resign --after 1 --dialect ucci"), "name=A"],
        [mock(), "name=B"],
        words="-each depth=1 -rounds 1 -games 1",
    )
    (game,) = played.games
    assert (game["result"], game["termination"], game["reason"]) == ("0-1", "normal", "Red resigns")
    (tmp_path / "draw").mkdir()
    offering = "--behaviour draw --dialect ucci"
    played = play(
        tmp_path / "draw",
        [mock(f"{offering} --after 1"), "name=A"],
        [mock(f"{offering} --after 3"), "name=B"],
        words="-each depth=1 -rounds 1 -games 1",
    )
    (game,) = played.games
    assert (game["result"], game["reason"], len(game["moves"])) == (
        "1/2-1/2",
        "Draw by agreement",
        8,
    )
    assert "go draw" in played.log


# Time


def test_the_clock_runs_out(tmp_path: Path) -> None:
    """Three tenths of a second a move: a second lasts for no more than three of them."""
    played = play(
        tmp_path,
        [mock("--think 0.3"), "name=Slow", "tc=1", "timemargin=0"],
        [mock(), "name=Fast", "tc=600"],
        words="-rounds 1 -games 1 -maxmoves 30",
    )
    (game,) = played.games
    assert (game["result"], game["termination"]) == ("0-1", "time forfeit")
    assert game["reason"].startswith("Red (Slow) is late")
    assert len(game["moves"]) <= 6
    assert all(seconds >= 0.3 for seconds in game["seconds"][::2])
    assert "go time 1000 increment 0 opptime 600000" in played.log


def test_increments_keep_the_clock_alive(tmp_path: Path) -> None:
    """A second would last for nine moves."""
    played = play(
        tmp_path,
        [mock("--think 0.1"), "name=Slow", "tc=1+1", "timemargin=0"],
        [mock(), "name=Fast", "tc=600"],
        words="-rounds 1 -games 1 -maxmoves 12",
    )
    assert [game["termination"] for game in played.games] == ["adjudication"]


def test_time_controls_are_reported(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        [mock("--dialect uci"), "name=A", "tc=2/60+1"],
        [mock("--dialect ucci"), "name=B", "st=5"],
        words=f"-rounds 1 -games 1 -maxmoves 3 -pgnout {file_word(tmp_path / 'games.pgn')}",
    )
    asked = [line.split(" go ")[1] for line in played.log.splitlines() if " A > go " in line]
    assert ["movestogo 2" in words for words in asked] == [True, False, True]
    assert "movestogo 1" in asked[1]
    assert '[WhiteTimeControl "2/60+1"]' in played.pgn
    assert '[BlackTimeControl "5/move"]' in played.pgn


# Rulings and adjudication


def play_checks(
    folder: Path, *, dialect: str = "ucci", red: str = "", black: str = "", words: str = ""
) -> Played:
    """Black is in check and runs for ever; Red would check for ever, but could move a soldier."""
    path = folder / "openings.txt"
    path.write_text(f"{CHECKED}\n", encoding="utf-8")
    return play(
        folder,
        [mock(f"--dialect {dialect} --moves 'e0f0 f0e0' {red}"), "name=Checker"],
        [mock(f"--dialect {dialect} --moves 'e8f8 f8e8' {black}"), "name=Runner"],
        words=f"-each depth=1 -rounds 1 -games 1 -maxmoves 20 -openings {file_word(path)} {words}",
    )


def test_a_perpetual_check_is_ruled(tmp_path: Path) -> None:
    played = play_checks(tmp_path)
    (game,) = played.games
    assert (game["result"], game["termination"], game["fault"]) == ("0-1", "normal", None)
    ruling = "Black wins: Red checked perpetually and had to change; Black: idle moves"
    assert game["ruling"] == f"{ruling} (round 1, Black to round 5, Red)"
    assert f'[Ruling "{ruling}' in played.pgn
    assert '[Rules "wxf"]' in played.pgn
    assert len(game["moves"]) == 8


def test_other_rules_rule_otherwise(tmp_path: Path) -> None:
    (game,) = play_checks(tmp_path, words="-rules all-draws").games
    assert game["result"] == "1/2-1/2"
    assert game["ruling"].startswith("Draw: neither weighs more: Red: perpetual check")


@pytest.mark.parametrize(
    ("dialect", "expected"), [("ucci", "banmoves f0e0"), ("uci", "searchmoves a6")]
)
def test_banned_moves_are_sent(tmp_path: Path, dialect: str, expected: str) -> None:
    """With that option the engine plays on."""
    played = play_checks(tmp_path, dialect=dialect, words="-ban on")
    (game,) = played.games
    assert expected in played.log
    assert len(game["moves"]) > 8
    assert game["moves"][7] != "f0e0"


def test_no_move_in_a_repetition_is_ruled_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine stops when the position has come back once; two more rounds are not needed."""
    played = play_checks(tmp_path, black="--behaviour no-cycle")
    (game,) = played.games
    assert (game["result"], game["termination"], game["fault"]) == ("0-1", "normal", None)
    assert game["ruling"].startswith("Black wins: Red checked perpetually")
    assert len(game["moves"]) == 4
    (warning,) = game["warnings"]
    assert warning.startswith("Runner gave no move in a repetition though it had ")
    assert f"Warning: game 1: {warning}" in capsys.readouterr().out


def test_mates_are_reported_as_mates(tmp_path: Path) -> None:
    """Mates in each protocol's way of reporting them."""
    played = play(
        tmp_path,
        [mock("--score 29997 --dialect ucci"), "name=A"],
        [mock("--score -29996 --dialect ucci"), "name=B", "scale=0.5"],
        words="-each depth=1 -rounds 1 -games 1 -maxmoves 1",
    )
    (game,) = played.games
    assert re.findall(r"\{(\S+)", played.pgn) == ["+M2/1", "-M2/1"]
    assert game["scores"] == [99_998, -99_998]


def test_moves_of_the_opening_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("h2e2 h9g7 h0g2\n", encoding="utf-8")
    played = play(
        tmp_path,
        [mock("--dialect ucci"), "name=A"],
        [mock("--dialect uci"), "name=B"],
        words=f"-each depth=1 -rounds 1 -maxmoves 3 -openings {file_word(path)} plies=2",
    )
    assert "1. H2-E2 {book} H9-G7 {book} 2. " in played.pgn
    for game in played.games:
        assert game["opening"] == game["moves"][:2] == ["h2e2", "h9g7"]
        assert game["scores"][:2] == [None, None]
    assert "moves h2e2 h9g7\n" in played.log


def test_openings_may_be_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('1. H2-E2 H9-G7 2. H0-G2 1-0\n\n[Red "A"]\n\n1. C3-C4 G6-G5 0-1\n')
    words = f"-openings {file_word(path)} format=pgn plies=2 order=sequential"
    played = play(
        tmp_path,
        *([mock(), f"name={name}"] for name in "AB"),
        words=f"-each depth=1 -rounds 2 -maxmoves 2 {words}",
    )
    openings = [game["opening"] for game in played.games]
    assert openings == [["h2e2", "h9g7"]] * 2 + [["c3c4", "g6g5"]] * 2


def test_a_lost_or_drawn_opening_is_not_played(tmp_path: Path) -> None:
    """The limit of moves without a capture is reached already."""
    path = tmp_path / "openings.txt"
    path.write_text("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 100 80\n", encoding="utf-8")
    played = play(
        tmp_path,
        [mock(), "name=A"],
        [mock(), "name=B"],
        words=f"-each depth=1 -rounds 1 -natural 50 -openings {file_word(path)}",
    )
    assert [game["reason"] for game in played.games] == ["50 rounds without a capture"] * 2
    assert [game["moves"] for game in played.games] == [[], []]


@pytest.mark.parametrize(
    ("scores", "words", "result", "reason"),
    [
        ((0, 0), "-draw movenumber=2 movecount=2 score=5", "1/2-1/2", "The scores are within 5"),
        ((-150, 0), "-resign movecount=2 score=600", "0-1", "Red is behind by 600 or more"),
        (
            (0, 150),
            "-resign movecount=2 score=500 twosided=on",
            "1/2-1/2",
            "8 moves played by each side",
        ),
    ],
)
def test_adjudication(
    tmp_path: Path, scores: tuple[int, int], words: str, result: str, reason: str
) -> None:
    """The engines count a horse as 100 and say so."""
    played = play(
        tmp_path,
        [mock(f"--score {scores[0]}"), "name=A"],
        [mock(f"--score {scores[1]}"), "name=B"],
        words=f"-each depth=1 scale=4 -rounds 1 -games 1 -maxmoves 8 {words}",
    )
    (game,) = played.games
    assert (game["result"], game["termination"]) == (result, "adjudication")
    assert game["reason"].startswith(reason)
    assert game["scores"][:2] == list(scores)
