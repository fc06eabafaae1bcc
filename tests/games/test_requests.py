"""The game of a request, alike for all that take one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from xiangqi.cli.judge import judge as judge_command
from xiangqi.contract.errors import FieldError
from xiangqi.games.requests import check_keys, play_request
from xiangqi.ground.errors import RecordError
from xiangqi.web.api.answers import play_game
from xiangqi.web.api.messages import GameRequest
from xiangqi.web.api.problems import read_request
from xiangqi.web.calls import answer

GAMES: list[dict[str, Any]] = [
    {"position": "position startpos moves h2e2 h9g7"},
    {"position": "startpos moves h3e3 h10g8"},
    {"moves": ["h2e2", "h9g7"]},
    {"moves": ["h3e3", "h10g8"]},
    {"moves": ["炮二平五", "馬8進7"]},
    {"moves": ["C2.5", "H8+7"]},
    {"moves": "1. 炮二平五 馬8進7"},
    {"moves": "h2e2 h9g7"},
]
END = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"


@pytest.mark.parametrize("game", GAMES)
def test_all_ways_to_give_a_game_in_every_reader(game: dict[str, Any]) -> None:
    assert play_request(game).fen() == END
    board, _, _ = play_game(read_request(json.dumps(game).encode(), GameRequest))
    assert board.fen() == END
    assert json.loads(answer("fenAfter", json.dumps(game))) == {"value": END}


@pytest.mark.parametrize(
    "game",
    [
        {"position": "startpos", "moves": []},
        {"position": "startpos", "fen": END},
        {"position": 7},
        {"position": "h2e2"},
        {"moves": 7},
        {"moves": ["h2e2", 7]},
        {"moves": ["h2e2", "h9h5"]},
        {"moves": ["h2e2", "xyzzy"]},
        {"fen": 7, "moves": "h2e2"},
    ],
)
def test_a_game_that_cannot_be_read(game: dict[str, Any]) -> None:
    with pytest.raises((RecordError, FieldError)):
        play_request(game)


def test_an_unknown_key_is_refused_with_the_known_ones() -> None:
    with pytest.raises(FieldError, match=r"move: \[\]: expected one of fen, moves, position"):
        check_keys({"fen": END, "move": []}, ("fen", "moves", "position"))


def judge(line: dict[str, Any]) -> dict[str, Any]:
    result = CliRunner().invoke(judge_command, ["--jsonl"], input=f"{json.dumps(line)}\n")
    found: dict[str, Any] = json.loads(result.output)
    assert result.exit_code == ("error" in found)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_lines_to_judge(game: dict[str, Any]) -> None:
    found = judge({"id": 1, **game, "rules": "cxa2020", "occurrences": 2})
    assert found["rules"].startswith("cxa2020")
    assert "takes 2 occurrences" in found["reason"]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ({"id": 2, "startpos": ""}, "fen, id, moves, occurrences, position, rules"),
        ({"id": 2, "rules": "nix"}, "invalid rule set 'nix'"),
        ({"id": 2, "rules": 3}, "the name of a rule set"),
        ({"id": 2, "occurrences": 0}, "occurrences"),
    ],
)
def test_faulty_lines_to_judge(line: dict[str, Any], part: str) -> None:
    found = judge(line)
    assert found["id"] == 2
    assert part in found["error"]["message"]
    assert found["error"]["place"].startswith("line 1")
