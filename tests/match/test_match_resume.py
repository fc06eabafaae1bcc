"""A match that is killed, interrupted or cut off goes on where it stopped, and loses no game."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.matches import (
    XIANGQI,
    Played,
    files,
    play,
    resume,
    short_match,
    two,
    write_openings,
)
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.systems import hear_interrupts, with_signals
from xiangqi import RecordError
from xiangqi.games.formats.pgn_reader import read_headers
from xiangqi.match.arguments import split_words
from xiangqi.match.config import ConfigError
from xiangqi.match.journal import MatchJournal

pytestmark = pytest.mark.long

# Killed and resumed


@contextmanager
def running(folder: Path, arguments: list[str]) -> Iterator[subprocess.Popen[str]]:
    """The command as a process that is surely gone afterwards."""
    process = subprocess.Popen(
        [*XIANGQI, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if os.name == "nt" else hear_interrupts,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_arguments(folder: Path, rounds: int) -> list[str]:
    said = [word for engine in two("--think 0.005") for word in ("-engine", *engine)]
    words = f"-each tc=60 -rounds {rounds} -maxmoves 6 -srand 5 {write_openings(folder, 7)}"
    return [*said, *files(folder), *shlex.split(words)]


def wait_for_games(folder: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Until the journal has so many lines of games, however slow the machine is."""
    path = folder / "match.jsonl"
    wait_until(
        lambda: (
            process.poll() is not None
            or (path.exists() and path.read_bytes().count(b"\n") > number)
        )
    )


def check_whole(folder: Path, games: int) -> None:
    """Each game once in the journal and in the PGN, and from the right opening."""
    played = Played(0, folder)
    assert [game["game"] for game in played.games] == list(range(1, games + 1))
    with (folder / "games.pgn").open("rb") as file:
        headers = list(read_headers(file))
    assert [one["Round"] for one in headers] == [game["round"] for game in played.games]
    assert played.pgn == "".join(game["pgn"] for game in played.games)
    first = played.games[::2]
    assert [game["opening"] for game in first] == [game["opening"] for game in played.games[1::2]]
    assert len({tuple(game["opening"]) for game in first[:7]}) == 7


def test_a_killed_match_loses_no_game(tmp_path: Path) -> None:
    """Killed again and again at any moment, and resumed each time."""
    games = 16
    rng = random.Random(9)
    arguments = first_arguments(tmp_path, games // 2)
    known: list[str] = []
    for killed_after in (1, 4, 5, 9, 12):
        with running(tmp_path, arguments) as process:
            wait_for_games(tmp_path, killed_after, process)
            time.sleep(rng.random() * 0.1)
            process.kill()
            process.wait()
        lines = (tmp_path / "match.jsonl").read_text(encoding="utf-8").splitlines()
        assert lines[: len(known)] == known, "nothing that was written is lost"
        known = lines
        arguments = ["-config", "file=match.jsonl"]
    done = subprocess.run(
        [*XIANGQI, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Resumed after \d+ games$", done.stdout, re.MULTILINE)
    assert f"Games: {games}, " in done.stdout
    check_whole(tmp_path, games)


@with_signals
def test_ctrl_c_ends_in_order(tmp_path: Path) -> None:
    with running(tmp_path, first_arguments(tmp_path, 1000)) as process:
        wait_for_games(tmp_path, 2, process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    finished = output.count("Finished game")
    assert finished == len(Played(0, tmp_path).games) >= 2
    assert f"Games: {finished}, Wins:" in output


def test_a_resumed_match_may_have_more_rounds(tmp_path: Path) -> None:
    play(
        tmp_path, *two(), words=f"-each depth=1 -rounds 4 -maxmoves 1 {write_openings(tmp_path, 7)}"
    )
    done = subprocess.run(
        [*XIANGQI, "-config", "file=match.jsonl", "-rounds", "7", "-concurrency", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Resumed after 8 games" in done.stdout
    check_whole(tmp_path, 14)


def test_faults_are_counted_across_an_interruption(tmp_path: Path) -> None:
    play(tmp_path, *two("--behaviour crash"), words="-each depth=1 -rounds 1")
    done = resume(tmp_path, "-rounds", "2")
    assert "Faults of A: crash (4)" in done.stdout, done.stderr


def test_half_a_line_is_played_again(tmp_path: Path) -> None:
    """The power failed while the last line was written, and before the PGN was."""
    played = short_match(tmp_path)
    texts = [game["pgn"] for game in played.games]
    journal, pgn = tmp_path / "match.jsonl", tmp_path / "games.pgn"
    journal.write_bytes(journal.read_bytes()[:-100])
    pgn.write_text("".join(texts[:2]) + texts[2][:50], encoding="utf-8")
    done = resume(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Resumed after 3 games" in done.stdout
    assert "Faults of" not in done.stdout
    assert "Warning" not in done.stdout
    assert [game["game"] for game in played.games] == [1, 2, 3, 4]
    assert played.pgn == "".join(game["pgn"] for game in played.games)


def test_games_are_added_to_a_pgn_file(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text('[White "Old"]\n\n*\n\n', encoding="utf-8")
    played = short_match(tmp_path)
    with (tmp_path / "games.pgn").open("rb") as file:
        assert [one["White"] for one in read_headers(file)] == ["Old", "A", "B", "A", "B"]
    (tmp_path / "games.pgn").write_text("something else\n\n" * 9, encoding="utf-8")
    done = resume(tmp_path, "-rounds", "3")
    assert "holds other games than the journal" in done.stdout
    assert played.pgn.startswith("something else\n\n" * 9 + "[Game")


def test_changed_settings_cannot_be_resumed(tmp_path: Path) -> None:
    words = write_openings(tmp_path, 3)
    short_match(tmp_path, words)
    (tmp_path / "openings.txt").write_text("b2e2 h9g7\n", encoding="utf-8")
    done = resume(tmp_path)
    assert done.returncode == 2
    assert "the same openings and engines as before; game 1 has others" in done.stderr
    write_openings(tmp_path, 3)
    assert "at least the number already played" in resume(tmp_path, "-rounds", "1").stderr
    assert "expected only -concurrency" in resume(tmp_path, "-games", "1").stderr
    with pytest.raises(ConfigError, match="this one exists; -config file="):
        short_match(tmp_path)
    path = tmp_path / "match.jsonl"
    path.write_text('{"match": []}\nnonsense\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"match.jsonl:2: 'nonsense': not JSON"):
        MatchJournal.resume(path)
    path.write_text('{"match": []}\n{"game": 1}\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"match.jsonl:2: .* not a game: expected the keys"):
        MatchJournal.resume(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match="expected the journal of a match"):
        MatchJournal.resume(path)
    with pytest.raises(ConfigError, match="expected a journal: "):
        MatchJournal.resume(tmp_path / "none.jsonl")


def test_a_name_for_the_journal_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("match.jsonl", "match-2.jsonl", "match-3.jsonl"):
        journal = MatchJournal.create(None, split_words(["-rounds", "3"]), 0)
        assert str(journal.path) == name
        game = dict.fromkeys("game red black result fault fen opening pgn".split(), 1)
        journal.add(game)
        with pytest.raises(ConfigError, match="expected a journal that no other match is writing"):
            MatchJournal.resume(journal.path)
        journal.close()
        with closing(MatchJournal.resume(journal.path)) as again:
            assert again.arguments == (("-rounds", ("3",)),)
            assert again.games == [game]
