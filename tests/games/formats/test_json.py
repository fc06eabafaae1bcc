"""Games in JSON over several lines and in arrays, and damaged ones between them."""

from __future__ import annotations

import io
import json
from itertools import islice
from typing import Any

import pytest

from tests.support.game_trees import shape
from xiangqi.games.formats import guess_format, read_games
from xiangqi.games.formats.json_objects import split_objects
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game

GAMES = [
    {
        "red": '许{甲}"[', "black": "吕\\乙", "result": "1-0", "moves": ["h2e2", "h9g7", "h0g2"],
        "comments": {"2": "} ] ,"}, "nags": {"1": [1]},
        "variations": [
            {"line": 0, "ply": 2, "moves": ["b9c7"]}, {"line": 0, "ply": 1, "moves": ["b2e2"]},
        ],
    },
    {"position": "position startpos moves h2e2 b9c7"},
    {"moves": "炮二平五 马8进7", "note": None},
]  # fmt: skip
LINES = "".join(json.dumps(game, ensure_ascii=False) + "\n" for game in GAMES)


def read(text: str, format: str | None = None) -> list[Game]:
    return list(read_games(io.BytesIO(text.encode()), format, "a.json"))


def reasons(game: Game) -> list[str]:
    return [str(error) for error in game.errors]


@pytest.mark.parametrize("indent", [0, 1, 2, 4, "\t", None])
def test_objects_over_several_lines_are_the_games_of_json_lines(indent: int | str | None) -> None:
    texts = [json.dumps(game, ensure_ascii=False, indent=indent) for game in GAMES]
    expected = read(LINES)
    assert [len(game.moves()) for game in expected] == [3, 2, 2]
    assert not any(game.errors for game in expected)
    assert read("\n".join(texts)) == expected
    assert read("\n\n".join(texts) + "\n") == expected


@pytest.mark.parametrize("indent", [0, 2, "\t", None])
def test_the_elements_of_an_array_are_games(indent: int | str | None) -> None:
    text = json.dumps(GAMES, ensure_ascii=False, indent=indent)
    assert read(text) == read(LINES)
    assert read(text + "\n" + text) == 2 * read(LINES)
    assert guess_format(text.encode(), "a.txt").name == "jsonl"


def test_an_array_with_an_object_a_line() -> None:
    rows = [json.dumps(game) for game in GAMES]
    for separator in (",\n", "\n, ", "\n,\n"):
        assert read("[\n" + separator.join(rows) + "\n]\n") == read(LINES)
    assert read(" ".join(rows)) == read("".join(rows)) == read(LINES)
    inner = "}, {\n".join(row[1:-1] for row in rows)
    assert read("[{" + inner + "}]") == read(LINES)


def test_the_first_object_is_pasted() -> None:
    pasted = read_pasted(json.dumps(GAMES, indent=2))
    assert shape(pasted.game) == shape(read(LINES)[0])
    assert (pasted.fault, pasted.has_more) == (None, True)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            '{\n  "moves": [\n    "h2e2"\n    "h9g7"\n  ]\n}',
            "'\"h9g7\"': line 4, column 5: not JSON",
        ),
        ('{\n  "red": "A,\n  "moves": []\n}', '\'"red": "A,\': line 2, column 13: not JSON'),
        ('{\n  "moves": [', "'\"moves\": [': line 2, column 13: not JSON"),
        ('{\n  "moves": ["h2e2", "h2e2"]\n}', "a.json:1:2: 'h2e2': there is no piece on h2"),
        ('\n\n{\n  "name": "package"\n}', "line 3: expected an object with"),
        ('[\n  {"moves": []},\n  7\n]', "'7': line 3: expected an object with"),
        ('{"position": "startpos h2e2"}', "position: expected 'position fen F [moves ...]'"),
        ("{\n" + '"a": {\n' * 99_999, "not JSON"),
    ],
)
def test_faults_quote_the_line_and_give_its_number(text: str, complaint: str) -> None:
    games = read(text, "jsonl")
    assert any(complaint in reason for game in games for reason in reasons(game)), [
        *map(reasons, games)
    ]


@pytest.mark.parametrize(
    "damaged",
    [
        '{\n  "moves": [\n    "h2e2"\n  ',
        '{\n  "moves": [\n    "h2e2",',
        '{\n  "red": "A\n  "variations": [\n    {}\n  ]\n}',
        '{\n  "variations": [\n    {\n      "line": 0\n',
        '{"moves": ["h2e2"',
        '{"moves": ["h2e2", "h9',
        '{"red": "A"}}',
        "}",
        "x",
    ],
)
def test_a_damaged_object_does_not_swallow_the_next(damaged: str) -> None:
    pretty = json.dumps(GAMES[0], indent=2)
    games = read(f"{damaged}\n{pretty}\n{LINES}", "jsonl")
    assert any(game.errors for game in games[:2])
    assert [game for game in games if not game.errors][-4:] == [read(LINES)[0], *read(LINES)]


def test_an_object_is_read_before_the_file_ends() -> None:
    class Endless(io.RawIOBase):
        """The lines of one object over and over."""

        lines = 0

        def readable(self) -> bool:
            return True

        def readline(self, size: int | None = -1, /) -> bytes:
            self.lines += 1
            return (b"{\n", b'"moves": []\n', b"}\n")[self.lines % 3 - 1]

    data: Any = Endless()
    assert [cut.line for cut in islice(split_objects(data, "a"), 100)] == [*range(1, 300, 3)]
    assert data.lines == 300
