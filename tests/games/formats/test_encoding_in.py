"""Reading files whose encoding is named, where detection would fail."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi import Game, Move, read_games
from xiangqi.cli.main import main
from xiangqi.games.formats import FORMATS
from xiangqi.ground.errors import FormatError

NAMES = ("甲乙", "Nguyễn Thành Bảo")


def pgn(name: str, encoding: str) -> bytes:
    return f'[Red "{name}"]\n\n1. h2e2 h9g7 *\n'.encode(encoding)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [(NAMES[0], "big5"), (NAMES[0], "gb18030"), (NAMES[0], "utf-16"), (NAMES[1], "utf-8")],
)
def test_text_in_a_named_encoding(name: str, encoding: str) -> None:
    (game,) = read_games(io.BytesIO(pgn(name, encoding)), source="a.pgn", encoding=encoding)
    assert game.headers["Red"] == name
    assert game.end().ply == 2
    assert not game.errors


def test_short_text_is_guessed_wrongly_without_the_name() -> None:
    data = pgn("甲", "big5")
    (guessed,) = read_games(io.BytesIO(data))
    (named,) = read_games(io.BytesIO(data), encoding="big5")
    assert guessed.headers["Red"] != "甲" == named.headers["Red"]


def test_xqf_in_a_named_encoding() -> None:
    game = Game(headers={"Red": "ABCD"})
    game.root.add_variation(Move.from_iccs("h2e2"))
    out = io.BytesIO()
    FORMATS["xqf"].write([game], out)
    data = out.getvalue().replace(b"ABCD", "甲乙".encode("big5"))
    (named,) = read_games(io.BytesIO(data), encoding="big5")
    assert named.headers["Red"] == "甲乙"


def test_text_in_another_encoding_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"line 1.*which is not utf-8"):
        list(read_games(io.BytesIO(pgn("甲乙", "big5")), encoding="utf-8"))


def test_format_with_its_own_encoding_is_refused() -> None:
    data = b"CCBridge Record\0" + bytes(4096)
    with pytest.raises(FormatError, match="own encoding"):
        list(read_games(io.BytesIO(data), "cbr", encoding="big5"))


def test_convert_takes_the_encoding_of_its_input(tmp_path: Path) -> None:
    source, target = tmp_path / "a.pgn", tmp_path / "b.pgn"
    source.write_bytes(pgn("甲", "big5"))
    result = CliRunner().invoke(
        main, ["convert", "--encoding-in", "big5", str(source), str(target)]
    )
    assert result.exit_code == 0, result.output
    assert '[Red "甲"]' in target.read_text(encoding="utf-8")
