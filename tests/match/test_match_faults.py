"""Engines that crash, hang, cheat or do not start: the game has an end with a reason."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.matches import file_word, mock, play
from xiangqi.client.protocol import open_engine
from xiangqi.match import player
from xiangqi.match.config import EngineConfig
from xiangqi.match.player import Player, StartError

pytestmark = pytest.mark.long


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
@pytest.mark.parametrize(
    ("behaviour", "limit", "fault", "termination", "reason"),
    [
        ("crash", "depth=1", "crash", "abandoned", "has crashed, with exit code 3"),
        ("close", "depth=1", "closed pipe", "abandoned", "has closed its output"),
        ("hang", "st=0.1", "hang", "abandoned", "hangs: no answer in"),
        ("stall", "tc=0.2", "hang", "abandoned", "hangs: no answer in"),
        ("endless", "st=0.1", "hang", "abandoned", "hangs: no answer in"),
        ("illegal", "depth=1", "illegal move", "illegal move", "plays the illegal a0a9"),
        ("late", "st=0.1", "late", "time forfeit", "is late: no move in 0.400 s"),
        ("nomove", "depth=1", "no move", "abandoned", "gives no move though it has"),
    ],
)
def test_faults_cost_the_game_and_never_the_match(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    dialect: str,
    behaviour: str,
    limit: str,
    fault: str,
    termination: str,
    reason: str,
) -> None:
    """The engine has Red with the one dialect and Black with the other."""
    if fault == "hang":
        monkeypatch.setattr(player, "GRACE_S", 0.3)
    words = f"--dialect {dialect} --behaviour {behaviour} --after 2 --text a0a9 --seconds 0.8"
    bad, good = [mock(words), "name=Bad"], [mock(f"--dialect {dialect}"), "name=Good"]
    is_red = dialect == "ucci"
    played = play(
        tmp_path,
        *((bad, good) if is_red else (good, bad)),
        words=f"-each {limit} proto={dialect} timemargin=300 -rounds 1 -games 1 -noswap",
    )
    assert played.code == 0
    (game,) = played.games
    assert (game["result"], game["fault"]) == ("0-1" if is_red else "1-0", fault)
    assert game["termination"] == termination
    assert game["reason"].startswith(f"{'Red' if is_red else 'Black'} (Bad) {reason}")
    assert len(game["moves"]) == (4 if is_red else 5)
    assert f'[Termination "{termination}"]' in game["pgn"]
    assert game["reason"] in " ".join(game["pgn"].split())
    assert played.pgn == game["pgn"]


@pytest.mark.parametrize("behaviour", ["flood", "stray", "gb18030", "bad-info", "bad-pv", "bytes"])
def test_tolerated_behaviour_costs_no_game(tmp_path: Path, behaviour: str) -> None:
    odd = f"--behaviour {behaviour} --megabytes 1 --seconds 0.01"
    played = play(
        tmp_path,
        [mock(odd), "name=Odd"],
        [mock(), "name=Good"],
        words="-each depth=1 -rounds 1 -games 1 -maxmoves 2",
    )
    assert [game["termination"] for game in played.games] == ["adjudication"]


def test_a_crashed_engine_plays_the_next_game(tmp_path: Path) -> None:
    """The third search of each process is its last one."""
    played = play(
        tmp_path,
        [mock("--behaviour crash --after 2"), "name=Bad"],
        [mock(), "name=Good"],
        words="-each depth=1 -rounds 2 -maxmoves 50",
    )
    assert [game["fault"] for game in played.games] == ["crash"] * 4
    assert [len(game["moves"]) for game in played.games] == [4, 5, 4, 5]


def test_an_engine_without_a_limit_of_time_hangs_at_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "GRACE_S", 0.3)
    played = play(
        tmp_path,
        [mock("--behaviour hang"), "name=Bad"],
        [mock(), "name=Good"],
        words="-each nodes=100 timeout=0.2 -rounds 1 -games 1",
    )
    (game,) = played.games
    assert (game["fault"], game["reason"]) == ("hang", "Red (Bad) hangs: no answer in 0.200 s")


# Starting


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cmd=no-such-engine"], "engine Bad does not start: cannot start 'no-such-engine'"),
        ([mock("--behaviour silent")], "engine Bad does not start: cannot start"),
        ([mock(), "option.Knowledge=3"], "no such option: 'Knowledge'; the engine has: "),
        ([mock("--behaviour not-ready")], "engine Bad does not start"),
    ],
)
def test_an_engine_that_does_not_start_ends_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.setattr(player, "START_S", 1.0)
    with pytest.raises(StartError) as error:
        play(tmp_path, [mock(), "name=Good"], [*words, "name=Bad"], words="-each depth=1")
    assert message in str(error.value)


def test_options_reach_the_engine(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        [mock("--dialect uci"), "name=A", "option.style of play=solid"],
        [mock("--dialect ucci"), "name=B", "option.HashSize=7"],
        words="-each depth=1 -rounds 1 -games 1 -maxmoves 1",
    )
    assert "A > setoption name Style of Play value solid" in played.log
    assert "B > setoption hashsize 7" in played.log


CHARIOT = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
@pytest.mark.parametrize("heeds", [True, False])
def test_a_barred_move_is_reported_and_illegal(tmp_path: Path, dialect: str, heeds: bool) -> None:
    """Black would go back at its second move; that is forbidden, and it loses if it does."""
    (tmp_path / "openings.epd").write_text(f"{CHARIOT}\n", encoding="utf-8")
    red = [mock("--moves a1a2\\ a2a1"), "name=Good"]
    black = [mock(f"--moves d9d8\\ d8d9 {'' if heeds else '--behaviour no-bans'}"), "name=Bad"]
    played = play(
        tmp_path,
        red,
        black,
        words=f"-each depth=1 proto={dialect} -rounds 1 -games 1 -noswap -maxmoves 2"
        f" -rules superko-situational -openings {file_word(tmp_path / 'openings.epd')}",
    )
    (game,) = played.games
    expected = "banmoves d8d9" if dialect == "ucci" else "searchmoves d8d7 d8e8"
    assert expected in played.log
    assert '[Rules "superko-situational"]' in game["pgn"]
    if heeds:
        assert game["termination"] == "adjudication"
        return
    assert (game["result"], game["termination"]) == ("1-0", "illegal move")
    assert game["reason"] == (
        "Black (Bad) plays d8d9, which superko-situational bars: Black brings back the board as it "
        "stood in the first position"
    )
    assert game["reason"] in " ".join(game["pgn"].split())
    assert len(game["moves"]) == 3  # the barred move is reported, but is none of the game's


def test_processes_that_were_killed_have_ended_when_their_player_quits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Any] = []

    async def remember(*words: Any, **options: Any) -> Any:
        opened.append(await open_engine(*words, **options))
        return opened[-1]

    monkeypatch.setattr("xiangqi.match.player.open_engine", remember)

    async def live() -> list[bool]:
        one = Player(EngineConfig(cmd=mock().removeprefix("cmd="), name="Killed", depth=1))
        for _ in range(2):
            await one.prepare()
            one.kill()
        await one.quit()
        return [engine.returncode.done() for engine in opened]

    assert asyncio.run(live()) == [True, True]
