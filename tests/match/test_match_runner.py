"""Whole matches: schedules, the end by SPRT, reports, the command."""

from __future__ import annotations

import io
import json
import re
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from tests.support.matches import (
    MEIHUA,
    XIANGQI,
    Played,
    mock,
    play,
    resume,
    short_match,
    two,
    write_openings,
)
from xiangqi.match.arguments import build_config, split_words
from xiangqi.match.pgn import PlayedGame
from xiangqi.match.report import LiveReport, report_lines
from xiangqi.match.schedule import Standings, make_schedule

# Schedules


def test_the_same_seed_plays_the_same_openings(tmp_path: Path) -> None:
    orders = []
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        (tmp_path / name).mkdir()
        words = f"{write_openings(tmp_path / name, 15)} -srand {seed} -rounds 4"
        games = short_match(tmp_path / name, words).games
        orders.append([(game["red"], game["opening"]) for game in games])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_log_that_cannot_be_written_ends_no_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = short_match(tmp_path, "-rounds 2 -log file=/dev/full")
    assert len(played.games) == 4
    (warning,) = capsys.readouterr().err.splitlines()
    assert warning == (
        "Warning: /dev/full: No space left on device; the dialogue is no longer logged"
    )


def test_three_engines_and_two_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = play(
        tmp_path,
        *two(),
        [mock("--behaviour resign --dialect ucci"), "name=C"],
        words="-each depth=1 -rounds 2 -maxmoves 4 -concurrency 2 -ratinginterval 3",
    )
    games = sorted(played.games, key=lambda game: game["game"])
    assert [game["game"] for game in games] == list(range(1, 13))
    lost = [game["reason"] for game in games if "C" in (game["red"], game["black"])]
    assert len(lost) == 8
    assert all(reason.endswith("resigns") for reason in lost)
    output = capsys.readouterr().out
    assert output.count("Rank Name") == 2
    rows = re.findall(r"^ +(\d) ([ABC]) .*?(\S+)$", output.split("Rank Name")[-1], re.MULTILINE)
    assert [row[::2] for row in rows] == [("1", "75.0"), ("2", "75.0"), ("3", "0.0")]
    assert rows[2][1] == "C"


# SPRT


@pytest.mark.parametrize(("loser", "code", "bound"), [("B", 0, "LLR: [^-]"), ("A", 3, "LLR: -")])
def test_the_match_stops_when_it_is_clear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], loser: str, code: int, bound: str
) -> None:
    engines = [
        [mock("--dialect ucci " + ("--behaviour resign" if name == loser else "")), f"name={name}"]
        for name in "AB"
    ]
    words = "-each depth=1 -rounds 5000 -sprt elo0=0 elo1=100 model=logistic alpha=0.2 beta=0.2"
    played = play(tmp_path, *engines, words=words)
    assert played.code == code
    assert 2 <= len(played.games) < 60
    assert re.search(bound, capsys.readouterr().out.splitlines()[-2])
    done = resume(tmp_path)
    assert (done.returncode, done.stdout.count("Finished game")) == (code, 0)


# Reports


def test_match_prints_progress_and_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short_match(tmp_path, "-ratinginterval 1")
    output = capsys.readouterr().out
    assert "Finished game 1 (A vs B): 1/2-1/2 {1 move played by each side}" in output
    assert "Finished game 2 (B vs A): 1/2-1/2 {1 move played by each side}" in output
    assert output.count("Results of A vs B (depth 1):") == 2, "the last one is not said twice"
    assert "Ptnml(0-2): [0, 0, 2, 0, 0]" in output
    assert f"resume with -config file={tmp_path / 'match.jsonl'}" in output.replace("\n", "")


def test_the_table_on_a_terminal() -> None:
    config = build_config(split_words("-engine cmd=A st=1 -engine cmd=B st=1".split()))
    standings = Standings(["A", "B"])
    console = Console(force_terminal=True, width=100, file=io.StringIO(), record=True)
    encounter = next(make_schedule(2, rounds=1))
    finished = PlayedGame(
        red="A", black="B", result="1-0", termination="normal", reason="Black is mated"
    )
    with LiveReport(config, standings, console) as report:
        report.begin_game(1, "A", "B")
        standings.add_game(encounter, 1, "1-0")
        report.end_game(1, finished)
        report.end_match({("B", "late"): 2})
    text = console.export_text()
    assert "playing 1: A - B" in text
    assert "Finished game 1 (A vs B): 1-0 {Black is mated}" in text
    assert "1 game finished" in text
    assert "Faults of B: late (2)" in text
    assert "\n".join(report_lines(config, standings)) in text


# The command


def test_a_match_from_toml_by_the_command(tmp_path: Path) -> None:
    """Meihua against itself, by either protocol."""
    command = json.dumps(MEIHUA)
    (tmp_path / "match.toml").write_text(
        f"""
        rounds = 1
        event = "Friendly"
        each = {{ nodes = 500 }}
        pgnout = {{ file = "games.pgn", nodes = true, pv = true }}
        log = {{ file = "dialogue.log" }}
        [[engine]]
        cmd = {command}
        name = "by UCCI"
        proto = "ucci"
        option = {{ hashsize = 8 }}
        [[engine]]
        cmd = {command}
        name = "by UCI"
        proto = "uci"
        option = {{ Hash = 8 }}
        """,
        encoding="utf-8",
    )
    done = subprocess.run(
        [*XIANGQI, "match.toml", "-maxmoves", "60"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    played = Played(0, tmp_path)
    assert [game["fault"] for game in played.games] == [None, None]
    assert all(len(game["moves"]) >= 20 for game in played.games)
    assert all(depth for game in played.games for depth in game["depths"])
    assert '[Event "Friendly"]' in played.pgn
    assert '[TimeControl "nodes 500"]' in played.pgn
    assert re.search(r'n=\d+, pv="[A-I]\d-[A-I]\d', " ".join(played.pgn.split()))
    assert "by UCCI > position fen" in played.log or "by UCCI > position startpos" in played.log
    assert "by UCI > go nodes 500" in played.log


def run_words(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*XIANGQI, *words], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_match_that_cannot_start_leaves_nothing_but_the_error(tmp_path: Path) -> None:
    engines = ["-engine", *two()[0], "-engine", "cmd=no-such-engine", "-each", "st=1"]
    done = run_words(tmp_path, *engines, "-pgnout", "file=a.pgn", "-log", "file=a.log")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("xiangqi: engine no-such-engine does not start: ")
    assert not done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["a.log"], "the other one was spoken with"
    kept = tmp_path / "a.pgn"
    kept.write_text("games of another match\n")
    run_words(tmp_path, *engines, "-pgnout", "file=a.pgn")
    assert kept.read_text() == "games of another match\n"


def test_a_match_that_breaks_off_tells_what_was_played(tmp_path: Path) -> None:
    third = ["-engine", "cmd=no-such-engine", "-each", "depth=1", "-rounds", "1"]
    engines = [word for engine in two() for word in ("-engine", *engine)]
    done = run_words(tmp_path, *engines, *third, "-maxmoves", "1", "-concurrency", "1")
    assert done.returncode == 1
    assert done.stdout.count("Finished game") == 2
    assert "Rank Name" in done.stdout
    assert "engine no-such-engine does not start" in done.stderr
    assert len(Played(1, tmp_path).games) == 2
