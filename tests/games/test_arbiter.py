"""Whole games: what decides them first, and what their records say."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.format_encoders import encode_cbr, encode_xqf, line
from xiangqi import (
    ALL_DRAWS,
    BLACK,
    RED,
    RULE_SETS,
    STARTING_FEN,
    WXF,
    Board,
    Move,
    Termination,
)
from xiangqi.cli.main import main
from xiangqi.games.arbiter import GameRuling, format_game, rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.tree import Game
from xiangqi.referee.rules import RuleSet
from xiangqi.words.voice import Voice

CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8"


def played(fen: str, moves: str, result: str = "*") -> Game:
    game = Game(Board(fen).fen(), {"Red": "A", "Black": "B", "Result": result})
    game.add_line(map(Move.from_iccs, moves.split()))
    return game


def ruled(fen: str, moves: str, result: str = "*", rules: RuleSet = WXF) -> GameRuling:
    return rule_game(played(fen, moves, result), rules, source="games", number=7)


def test_a_perpetual_check_decides_at_the_third_occurrence() -> None:
    found = ruled(CHECK_FEN, " ".join([CYCLE] * 4), "1-0")
    assert found.outcome is not None
    assert found.ruling is not None
    assert found.outcome.termination is Termination.PERPETUAL_CHECK
    assert (found.ply, found.plies, found.warned) == (8, 16, 4)
    assert found.ruling.offender == RED
    assert found.agrees is False
    assert format_game(found) == (
        "games:7: A - B: after round 4, Black: Black wins: Red checked perpetually and had to "
        "change; Black: idle moves; the record says 1-0"
    )
    assert "a warning was due" in format_game(found, explain=True)
    assert "应予警告" in format_game(found, Voice("zh"), explain=True)


def test_the_rule_set_decides() -> None:
    found = ruled(CHECK_FEN, " ".join([CYCLE] * 2), "1/2-1/2", ALL_DRAWS)
    assert found.outcome is not None
    assert (found.outcome.termination, found.agrees) == (Termination.REPETITION, True)


def test_counts_are_reported_of_a_game_that_goes_on() -> None:
    found = ruled(CHECK_FEN, " ".join([CYCLE] * 2), rules=RULE_SETS["tiantian"])
    assert found.outcome is None
    assert format_game(found) == (
        "games:7: A - B: after round 4, Black: nothing is decided\n  Red: checks, 4 of 6"
    )
    ruling = found.to_dict()["ruling"]
    assert [(one["side"], one["rounds"]) for one in ruling["counters"]] == [("red", 4)]
    assert "红方：连续将军，4/6" in format_game(found, Voice("zh"), explain=True)


@pytest.mark.parametrize(
    ("fen", "moves", "termination", "words"),
    [
        ("3k5/9/9/9/9/9/9/9/4R4/4K4 w", "e1d1", Termination.CHECKMATE, "checkmate"),
        ("4k4/9/3P1P3/9/9/9/9/9/9/3K5 w", "d7d8", None, "round 1, Red: nothing is decided"),
        ("3k5/9/2P6/9/9/9/9/9/4R4/5K3 w", "c7c8", Termination.STALEMATE, "no legal move"),
    ],
)
def test_other_ends(fen: str, moves: str, termination: Termination | None, words: str) -> None:
    found = ruled(fen, moves)
    assert (found.outcome and found.outcome.termination) == termination
    assert words in format_game(found)
    assert found.agrees is None
    assert found.ruling is None


def test_a_game_that_is_decided_before_its_first_move() -> None:
    found = ruled("4k4/9/9/9/9/9/9/9/9/3K5 w - - 120 90", "")
    assert found.outcome is not None
    assert (found.outcome.termination, found.ply) == (Termination.NO_CAPTURE, 0)


def test_moves_after_the_end_are_not_ruled() -> None:
    game = played(CHECK_FEN, " ".join([CYCLE] * 2) + " f0f5")
    found = rule_game(game)
    assert (found.ply, found.plies) == (8, 9)


ENCODINGS: dict[str, str] = {
    "coordinates.jsonl": '{"result": "%s", "moves": "h2e2 h9g7 %s"}',
    "chinese.pgn": '[Result "%s"]\n\n1. 炮二平五 马８进７ 2. %s\n',
    "wxf.pgn": '[Result "%s"]\n\n1. C2.5 H8+7 2. %s {a slip?} (2. H2+3 R9.8)\n',
    "san.pgn": '[Variant "xiangqi"]\n[Result "%s"]\n\n1. Che3 Hg8 2. %s\n',
    "wxf.txt": "FORMAT\tWXF\nRESULT\t%s\nSTART{\n1. C2.5 H8+7\n2. %s\n}END\n",
    "position.ucci": "position startpos moves h2e2 h9g7 %s\n",
}
FOLLOWING: dict[str, str] = {
    "coordinates.jsonl": " h7e7 h0g2",
    "chinese.pgn": " 炮８平５ 3. 马二进三 1-0",
    "wxf.pgn": "! {so?} (2. H2+3 R9.8) C8.5 $1 3. H2+3 {and so on} 1-0",
    "san.pgn": " Che8 3. Hg3 1-0",
    "wxf.txt": " C8.5\n3. H2+3",
    "position.ucci": " h7e7 h0g2",
}
"""Two more moves for each."""


def ruled_text(name: str, move: str, result: str = "1-0") -> GameRuling:
    """The ruling on a game of a text whose third ply is a move."""
    text = ENCODINGS[name] % ((result, move) if ENCODINGS[name].count("%s") == 2 else move)
    game = next(read_games(io.BytesIO(text.encode()), source=name))
    return rule_game(game, source=name)


ILLEGAL = [
    ("coordinates.jsonl", "e2e5"),  # the piece cannot go there
    ("coordinates.jsonl", "a0a3"),  # an own piece stands there
    ("position.ucci", "e2e5"),
    ("chinese.pgn", "炮五进三"),
    ("chinese.pgn", "马二进五"),
    ("wxf.pgn", "C5+3"),
    ("wxf.txt", "C5+3"),
    ("san.pgn", "Cef6"),
]


@pytest.mark.parametrize(("name", "move"), ILLEGAL)
def test_an_illegal_move_at_the_end_loses(name: str, move: str) -> None:
    found = ruled_text(name, move)
    assert found.outcome is not None
    assert (found.outcome.termination, found.ply) == (Termination.ILLEGAL_MOVE, 3)
    assert (found.outcome.winner, found.plies) == (BLACK, 2)
    assert found.illegal is found.errors[0]
    assert f"round 2, Red: illegal move {move}: Black wins" in format_game(found)
    assert f"第2回合红方：{move}不合规则：黑胜" in format_game(found, Voice("zh"))
    assert str(found.errors[0]) in format_game(found)
    data = found.to_dict()
    assert (data["termination"], data["result"], data["ply"]) == ("illegal_move", "0-1", 3)
    if name != "position.ucci":  # it has no result
        assert found.agrees is False
        assert ruled_text(name, move, "0-1").agrees is True


@pytest.mark.parametrize(("name", "move"), ILLEGAL)
def test_an_illegal_move_behind_which_the_record_goes_on_is_a_slip(name: str, move: str) -> None:
    found = ruled_text(name, f"{move}{FOLLOWING[name]}")
    assert (found.outcome, found.ply, found.agrees) == (None, None, None)
    assert found.doubtful is not None
    assert (found.doubtful.termination, found.doubtful.winner) == (Termination.ILLEGAL_MOVE, BLACK)
    assert found.illegal is found.errors[0]
    assert (found.illegal.following, found.plies) == (2, 2)
    text = format_game(found)
    assert f"round 2, Red: illegal move {move}, yet the record has 2 moves after it" in text
    assert "a slip of the pen; if it was played, Black wins" in text
    assert "the record says" not in text
    assert str(found.errors[0]) in text
    assert f"第2回合红方：{move}不合规则，而记录其后尚有2着，疑为笔误" in format_game(
        found, Voice("zh")
    )
    assert "则黑胜" in format_game(found, Voice("zh"))
    data = found.to_dict()
    assert (data["termination"], data["result"], data["ply"]) == (None, None, None)
    assert data["errors"] == [str(found.errors[0])]


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("coordinates.jsonl", "e5e6"),  # nothing stands there
        ("coordinates.jsonl", "g7e6"),  # it is the other side's
        ("coordinates.jsonl", "e2e9x"),
        ("chinese.pgn", "炮九平八"),
        ("chinese.pgn", "前炮进一"),
        ("chinese.pgn", "炮五平五五"),
        ("wxf.pgn", "C9.8"),
        ("wxf.txt", "C9.8"),
        ("wxf.txt", "C!9"),
        ("san.pgn", "Caf6"),
        ("position.ucci", "e5e6"),
    ],
)
def test_a_slip_of_the_pen_decides_nothing(name: str, move: str) -> None:
    found = ruled_text(name, move)
    assert found.outcome is None
    assert found.illegal is None
    assert len(found.errors) == 1
    assert "after round 1, Black: nothing is decided" in format_game(found)


def test_leaving_the_general_in_check_is_illegal() -> None:
    game = GameBuilder("games", 7)
    game.set_start("4k4/9/9/9/9/9/9/4r4/4R4/4K4 w")
    game.play("e1d1", Board.parse_iccs)
    found = rule_game(game.game)
    assert found.outcome is not None
    assert (found.outcome.termination, found.ply) == (Termination.ILLEGAL_MOVE, 1)
    assert "it leaves the red general in check" in format_game(found)


def test_an_illegal_move_behind_the_end_decides_nothing() -> None:
    game = GameBuilder("games", 7)
    game.set_start("3k5/9/9/9/9/9/9/9/4R4/4K4 w")
    game.play("e1d1", Board.parse_iccs)
    game.play("d9d8", Board.parse_iccs)
    found = rule_game(game.game)
    assert len(found.errors) == 1
    assert found.outcome is not None
    assert (found.outcome.termination, found.ply) == (Termination.CHECKMATE, 1)


@pytest.mark.parametrize(
    "moves",
    [
        "1. h2e2 h9g7 (1... b9c7 2. e2e5) *",  # a ply after the last one of the main line
        "1. h2e2 h9g7 (1... h9h5) 2. h0g2 *",
    ],
)
def test_an_illegal_move_of_a_variation_decides_nothing(moves: str) -> None:
    game = next(read_games(io.BytesIO(f'[Red "A"]\n\n{moves}\n'.encode())))
    assert len(game.errors) == 1
    found = rule_game(game)
    assert found.outcome is None


def test_an_illegal_move_of_a_tree() -> None:
    for data in (encode_xqf(line("h2e2", "h9h5")), encode_cbr(line("h2e2", "h9h5"))):
        found = rule_game(next(read_games(io.BytesIO(data))))
        assert found.outcome is not None
        assert (found.outcome.termination, found.ply) == (Termination.ILLEGAL_MOVE, 2)
        assert found.outcome.winner == RED
    moves = line("h2e2", "h9h5", "b0c2", "b9c7")
    for data in (encode_xqf(moves), encode_cbr(moves)):
        found = rule_game(next(read_games(io.BytesIO(data))))
        assert found.outcome is None
        assert found.doubtful is not None
        assert found.errors[0].following == 2


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["judge", *arguments], catch_exceptions=False)


def test_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.pgn"
    moves = " ".join([CYCLE] * 2).split()
    one.write_text(json.dumps({"fen": CHECK_FEN, "moves": moves}) + "\n" + '{"moves": ["h2e2"]}\n')
    other.write_text('[Red "A"]\n\n1. C2.5 H8+7 2. H2+5 *\n')
    result = run(str(one), str(other))
    assert result.exit_code == 1  # a move of the second file is illegal
    first, second, third, error, *_ = result.output.splitlines()
    assert "after round 4, Black: Black wins" in first
    assert "after round 1, Red: nothing is decided" in second
    assert third.startswith(f"{other}:1: A - ?: round 2, Red: illegal move H2+5: Black wins")
    assert error.startswith(f"  {other}:1:3: 'H2+5'")
    data = json.loads(run(str(one), "--json").output.splitlines()[0])
    assert (data["termination"], data["ply"], data["result"]) == ("perpetual_check", 8, "0-1")
    assert data["ruling"]["offender"] == "red"


def test_a_file_that_is_no_game_does_not_stop_the_others(tmp_path: Path) -> None:
    story, game = tmp_path / "story.doc", tmp_path / "game.ucci"
    story.write_text("once upon a time")
    game.write_text("position startpos moves h2e2\n")
    result = run(str(story), str(game))
    assert result.exit_code == 1
    assert "story.doc: not a known game format" in result.output
    assert "after round 1, Red: nothing is decided" in result.output


def test_files_and_a_position_are_two_things(tmp_path: Path) -> None:
    game = tmp_path / "game.ucci"
    game.write_text("position startpos moves h2e2\n")
    assert run(str(game), "--fen", STARTING_FEN).exit_code == 2
