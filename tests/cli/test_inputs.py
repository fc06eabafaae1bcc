"""Inputs of games are read by all commands alike: words, files, standard input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.format_encoders import encode_cbl, encode_cbr, line
from xiangqi.cli.main import main

FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
TEXT = "某某（红方）对某某（黑方）\n1. 炮二平五 马8进7\n2. 马二进三 车9平8\n和棋\n"
ROUND = "炮二平五 马8进7 炮五平二 马7退8 "


def run(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), stdin, catch_exceptions=False)


# Pasted games


@pytest.mark.parametrize("command", ["judge", "show", "eval"])
def test_a_pasted_game_may_be_longer_than_the_name_of_a_file(command: str) -> None:
    game = ROUND * 120
    assert len(game.encode()) > 4096
    result = run(command, game)
    assert result.exit_code == 0, result.output


def test_a_long_game_with_a_bad_move_is_reported_with_its_place() -> None:
    result = run("judge", f"{ROUND * 10}炮二平午")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "move 41: '炮二平午'" in result.stderr
    result = run("judge", f"炮二平午 {ROUND * 10}", "--lang", "zh")
    assert "第1着：'炮二平午'：应为坐标" in result.stderr
    assert "move 1: '炮二平午'" in run("judge", "炮二平午").stderr


def test_a_long_text_that_is_no_game_is_no_file_either() -> None:
    result = run("judge", "no such thing " * 50)
    assert result.exit_code == 2
    assert "File name too long" not in result.stderr
    assert "expected" in result.stderr


# Files and standard input


def test_a_text_is_read_from_a_file_and_from_standard_input_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="gb18030")
    from_file, from_input = run("judge", path), run("judge", "-", stdin=TEXT)
    assert (from_file.exit_code, from_input.exit_code) == (0, 0)
    expected = "1: 某某 - 某某: after round 2, Black: nothing is decided"
    assert from_file.stdout.endswith(f"a.txt:{expected}\n")
    assert from_input.stdout == f"standard input:{expected}\n"
    pgn = run("convert", "-", "-", "--to", "pgn", stdin=TEXT)
    assert '[Result "1/2-1/2"]' in pgn.stdout


@pytest.mark.parametrize("command", ["show", "eval"])
def test_a_list_of_positions_is_answered_one_by_one(command: str, tmp_path: Path) -> None:
    path = tmp_path / "a.fen"
    path.write_text(f'{FEN}\n{FEN} - - id "the same";\n{FEN[2:]}\n', encoding="utf-8")
    result = run(command, path)
    heads = [text for text in result.stdout.splitlines() if text.startswith(str(path))]
    assert heads == [f"{path}:1", f"{path}:2: the same", f"{path}:3"]
    assert result.exit_code == 1
    assert "9 ranks, expected 10" in result.stderr
    whole = run(command, FEN).stdout
    assert result.stdout.count(whole) == 2


def test_a_list_as_data_is_a_line_each() -> None:
    result = run("show", "-", "--json", stdin=f"{FEN}\n{FEN} moves f0e0\n")
    found = [json.loads(text)["fen"] for text in result.stdout.splitlines()]
    assert found == [f"{FEN} - - 0 1", "9/4k4/9/9/9/9/9/9/2p6/3KR1Bc1 b - - 1 1"]


# What cannot be read


def test_texts_without_a_game_are_one_line_each_in_either_language(tmp_path: Path) -> None:
    (tmp_path / "licence.txt").write_text("You may pass it on.\n" * 500, encoding="utf-8")
    (tmp_path / "west.pgn").write_text('[Variant "crazyhouse"]\n\n1. e4 *\n', encoding="utf-8")
    (tmp_path / "game.txt").write_text(f"{TEXT}炮五平九\n1. 炮二平午\n", encoding="utf-8")
    english, chinese = run("judge", tmp_path), run("judge", tmp_path, "--lang", "zh")
    assert english.exit_code == chinese.exit_code == 1
    first, second, _ = english.stderr.splitlines()
    assert first.endswith("licence.txt: no game: expected moves, as in '炮二平五' or 'h2e2'")
    assert second.endswith("west.pgn: not Xiangqi: the header Variant is 'crazyhouse'")
    first, second, _ = chinese.stderr.splitlines()
    assert first.endswith("licence.txt：没有棋局：应有着法，如“炮二平五”或“h2e2”")
    assert second.endswith("west.pgn：不是中国象棋：标题 Variant 为'crazyhouse'")
    assert "there is no" in english.stdout
    assert "没有" in chinese.stdout


def test_convert_names_the_option_that_goes_on(tmp_path: Path) -> None:
    library = bytearray(encode_cbl([encode_cbr(line("h2e2")), encode_cbr(line("b2e2"))]))
    remarks = "第一行\r\n第二行".encode("utf-16-le")
    library[1088 : 1088 + len(remarks)] = remarks
    path = tmp_path / "a.cbl"
    path.write_bytes(library)
    result = run("convert", path, tmp_path / "a.pgn")
    assert result.exit_code == 1
    assert "the line breaks of the header 'LibraryRemarks' would be lost" in result.stderr
    assert "1 game left out: with --lossy it is written" in result.stderr
    result = run("convert", path, tmp_path / "b.pgn", "--lossy")
    assert (result.exit_code, "--lossy" in result.stderr) == (0, False)
    assert '"第一行 第二行"' in (tmp_path / "b.pgn").read_text(encoding="utf-8")
