"""Files of games analysed by many workers, stopped and resumed, always with one outcome."""

from __future__ import annotations

import functools
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import distributed
import pytest
from click.testing import CliRunner, Result

from tests.support.patience import PATIENCE_S, wait_until
from tests.support.systems import KILL, KILLED, hear_interrupts, with_signals
from xiangqi.analysis.annotation import annotate
from xiangqi.analysis.archive import AnalysisJob, AnalysisReport, Done, analyse_archive
from xiangqi.analysis.engines import Effort
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.cli.main import main
from xiangqi.games.archive import Archive, Workers, in_processes, on_cluster, on_executor
from xiangqi.games.comments import read_eval
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError

pytestmark = pytest.mark.long

ENGINES = Path(__file__).parents[1] / "engines"
MOCK = shlex.join([sys.executable, str(ENGINES / "mock_engine.py")])
XBOARD = shlex.join([sys.executable, str(ENGINES / "mock_xboard.py")])
LINES = (
    "h2e2 h9g7 h0g2 i9h9 e2e6 g7e6",
    "c3c4 b7b5 b2c2 b9c7 c4c5 c6c5",
    "b0c2 h7e7 a0a1 e7e3 g3g4 e3e5",
    "h2e2 h7e7 e2e6 e7e3",
)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Nine games in two files, the last of them with a faulty move, and a file that is none."""
    folder = tmp_path_factory.mktemp("games")
    games = [{"red": f"红{n}", "moves": LINES[n % 4].split(), "result": "1-0"} for n in range(8)]
    lines = [json.dumps(game, ensure_ascii=False) for game in games]
    (folder / "games.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "fault.pgn").write_text('[Red "A"]\n\n1. H2-E2 h9-g7 2. A0-A9 *\n')
    (folder / "story.doc").write_text("once upon a time")
    return [str(folder / name) for name in ("games.jsonl", "story.doc", "fault.pgn")]


JOB = AnalysisJob(AnalysisSettings(effort=Effort(nodes=600)))


def written(
    names: list[str], path: Path, workers: Workers | None = None, job: AnalysisJob = JOB, **how: Any
) -> tuple[bytes, AnalysisReport]:
    report = analyse_archive(Archive(names), path, job, workers, **how)
    return path.read_bytes(), report


@pytest.fixture(scope="module")
def whole(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return written(names, tmp_path_factory.mktemp("whole") / "out.pgn")[0]


# One outcome


def test_written_games_have_marks_and_comments(
    names: list[str], tmp_path: Path, whole: bytes
) -> None:
    games = list(read_games(io.BytesIO(whole)))
    assert [len(game.moves()) for game in games] == [6, 6, 6, 4] * 2 + [2]
    for game in games:
        assert not game.errors
        assert all(read_eval(node.comment) for node in game.mainline())
    assert sum(len(node.variations) > 1 for game in games for node in game.nodes()) > 4
    _, report = written(names, tmp_path / "out.pgn")
    assert (report.games, report.plies) == (9, 46)
    assert len(report.problems) == 2
    assert "story.doc" in report.problems[0]
    assert "fault.pgn:1:3: 'A0-A9'" in report.problems[1]
    assert [path.name for path in tmp_path.iterdir()] == ["out.pgn"]


@pytest.mark.parametrize("count", [2, 3])
def test_the_number_of_processes_does_not_matter(
    names: list[str], tmp_path: Path, whole: bytes, count: int
) -> None:
    assert written(names, tmp_path / "out.pgn", in_processes(count))[0] == whole


def test_threads_will_do(names: list[str], tmp_path: Path, whole: bytes) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert written(names, tmp_path / "out.pgn", on_executor(pool, 3))[0] == whole


def test_a_cluster_that_loses_a_worker(names: list[str], tmp_path: Path, whole: bytes) -> None:
    killed: list[int] = []
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1"
    ) as cluster:

        def kill_one(_: Done) -> None:
            if not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], KILL)

        with on_cluster(cluster.scheduler_address) as workers:
            out = tmp_path / "out.pgn"
            assert written(names, out, workers, on_done=kill_one)[0] == whole
    assert killed


def test_json_lines_have_all_numbers(names: list[str], tmp_path: Path) -> None:
    job = AnalysisJob(JOB.settings, format="jsonl")
    lines, _ = written(names, tmp_path / "out.jsonl", job=job)
    rows = [json.loads(line) for line in lines.splitlines()]
    assert len(rows) == 9
    for row in rows:
        analysis = row["analysis"]
        assert [ply["move"] for ply in analysis["plies"]] == row["moves"]
        assert analysis["red"]["moves"] + analysis["black"]["moves"] == len(row["moves"])
        for ply in analysis["plies"]:
            evaluation = f"[%eval {ply['after']}]"
            assert row["comments"][str(ply["ply"])].startswith(evaluation)
            assert 0 <= ply["loss"] <= 1
    (game,) = read_games(io.BytesIO(lines.splitlines()[0]))
    assert [move.iccs() for move in game.moves()] == rows[0]["moves"]


# Stopped and resumed


class StopError(Exception):
    """In place of a kill."""


def stop_after(games: int, seen: list[Done], done: Done) -> None:
    seen.append(done)
    if len(seen) == games:
        raise StopError


def test_a_run_resumes_wherever_it_was_stopped(
    names: list[str], tmp_path: Path, whole: bytes
) -> None:
    out, part = tmp_path / "out.pgn", tmp_path / "out.pgn.part"
    with pytest.raises(StopError):
        written(names, out, on_done=functools.partial(stop_after, 6, []))
    assert not out.exists()
    journal = part.read_bytes()
    ends = [match.end() for match in re.finditer(b"\n", journal)]
    assert len(ends) == 1 + 6
    for end in (0, 5, *ends[::2], ends[-1] - 1, ends[3] + 7):
        part.write_bytes(journal[:end])
        seen: list[Done] = []
        assert written(names, out, resume=True, on_done=seen.append)[0] == whole
        assert len(seen) == 10
        assert not part.exists()
        out.unlink()


def test_a_run_that_was_killed_between_its_files_writes_them_again(
    names: list[str], tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, part = tmp_path / "out.pgn", tmp_path / "out.pgn.part"

    unlink = Path.unlink

    def stop(path: Path, missing_ok: bool = False) -> None:
        if path == part:
            raise StopError
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", stop)
    with pytest.raises(StopError):
        written(names, out)
    monkeypatch.undo()
    assert out.read_bytes() == whole
    assert part.exists()
    with pytest.raises(FormatError, match="file exists"):
        written(names, out)
    assert written(names, out, resume=True)[0] == whole
    assert not part.exists()


def test_resumed_run_analyses_no_game_twice(
    names: list[str], tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.pgn"
    with pytest.raises(StopError):
        written(names, out, on_done=functools.partial(stop_after, 9, []))
    analysed: list[Game] = []

    def watch(game: Game, *rest: Any) -> None:
        analysed.append(game)
        annotate(game, *rest)

    monkeypatch.setattr("xiangqi.analysis.archive.annotate", watch)
    assert written(names, out, resume=True)[0] == whole
    assert len(analysed) == 1


def test_existing_output_is_kept(names: list[str], tmp_path: Path) -> None:
    out, part = tmp_path / "out.pgn", tmp_path / "out.pgn.part"
    with pytest.raises(StopError):
        written(names, out, on_done=functools.partial(stop_after, 2, []))
    before = part.read_bytes()
    with pytest.raises(FormatError, match="file exists; use --resume to continue it or --force"):
        written(names, out)
    other = AnalysisJob(AnalysisSettings(effort=Effort(nodes=300)))
    with pytest.raises(FormatError, match="the interrupted run had the settings"):
        written(names, out, job=other, resume=True)
    with pytest.raises(FormatError, match=r"games.jsonl:1 at place 1, which is now .*fault.pgn:1"):
        written([names[2], *names[2:]], out, resume=True)
    assert part.read_bytes() == before
    part.write_bytes(before + b"nonsense\n")
    with pytest.raises(FormatError, match="line 4: not a line of a journal"):
        written(names, out, resume=True)
    part.unlink()
    out.write_bytes(b"mine")
    with pytest.raises(FormatError, match="file exists; use --"):
        written(names, out)
    assert out.read_bytes() == b"mine"


def test_two_runs_do_not_write_one_file(names: list[str], tmp_path: Path, whole: bytes) -> None:
    out = tmp_path / "out.pgn"

    def resume_too(_: Done) -> None:
        with pytest.raises(FormatError, match="another run is writing it"):
            written(names, out, resume=True)

    assert written(names, out, on_done=resume_too)[0] == whole


# The command


def run(*arguments: object) -> Result:
    words = ["analyse", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


def test_the_command(names: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    result = run(*names, "-o", out, "--nodes", 200, "--workers", 1)
    assert result.exit_code == 1  # not all of it could be read
    assert "9 games, 46 plies, 2 problems" in result.output
    text = out.read_text(encoding="utf-8")
    assert '[Format "WXF"]' in text
    assert "200 nodes a move; rules: wxf" in text
    chinese = tmp_path / "zh.pgn"
    result = run(names[2], "-o", chinese, "--nodes", 200, "--lang", "zh", "--rules", "all-draws")
    text = chinese.read_text(encoding="utf-8")
    assert "1. 炮二平五" in text
    assert "红方：平均损失" in text
    assert "all-draws" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "out.txt"], "unknown format of the analysis"),
        (["-o", "out.pgn", "--option", "Hash=1"], "--option needs --engine"),
        (["-o", "out.pgn", "--engine", "no-such-engine"], "cannot start 'no-such-engine'"),
        (["-o", "out.pgn", "--engine", MOCK, "--option", "Hash"], "expected NAME=VALUE"),
        (["-o", "out.pgn", "--engine", f"{MOCK} --behaviour no-score"], "without a score"),
        (["-o", "out.pgn", "--engine", f"{XBOARD}"], "XBoard cannot express Limit(nodes="),
        (["-o", "out.pgn", "--book", "no.obk"], "no.obk"),
        (["-o", "out.pgn", "--tables", "nowhere"], "nowhere"),
        (["-o", "out.pgn", "--nodes", "0"], "0 is not in the range"),
    ],
)
def test_wrong_arguments_are_reported_at_once(
    names: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(names[0], *words)
    assert result.exit_code == 2
    assert message in result.output
    assert not list(tmp_path.iterdir())


def test_other_engine_analyses(names: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    result = run(names[2], "-o", out, "--nodes", 50, "--engine", f"{MOCK} --dialect uci")
    assert "2 plies, 1 problem" in result.output
    (game,) = read_games(out)
    assert all(read_eval(node.comment) for node in game.mainline())
    assert "Meihua" not in game.headers["Annotator"]


@pytest.mark.parametrize("name", ["fairy-stockfish", "hoixiangqi"])
def test_engines_of_others(tmp_path: Path, name: str) -> None:
    """Their scores are those of the positions; no moves are forbidden to them."""
    engine = shutil.which(name) or shutil.which(name, path="/usr/games")
    if engine is None:
        pytest.skip(f"{name} is not installed")
    record, out = tmp_path / "given.pgn", tmp_path / "out.pgn"
    record.write_text("1. h2e2 h9g7 2. e2e6 g7e6 3. b2b9 a9b9 *\n")
    result = run(record, "-o", out, "--depth", 4, "--engine", engine)
    assert "6 plies, 0 problems" in result.output
    (game,) = read_games(out)
    values = [read_eval(node.comment) for node in game.mainline()]
    last = values[-1]
    assert last is not None
    assert last.cp is not None
    assert last.cp < -200, "Red has given a cannon for a soldier, and one for a horse"
    assert any(len(node.variations) > 1 for node in game.nodes())


def test_an_engine_that_dies_gets_a_second_try(names: list[str], tmp_path: Path) -> None:
    """Its searches are counted anew when it is started again, so that it dies again: the game is
    written as it was, which is reported."""
    out = tmp_path / "out.pgn"
    dying = f"{MOCK} --dialect uci --behaviour crash --after 4"
    result = run(names[2], "-o", out, "--nodes", 50, "--engine", dying)
    assert result.exit_code == 1
    assert "the engine failed" in result.output
    (game,) = read_games(out)
    assert [node.comment for node in game.mainline()] == ["", ""]


def start(*arguments: object) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "xiangqi", "analyse", *map(str, arguments)]
    return subprocess.Popen(
        words, stderr=subprocess.PIPE, preexec_fn=None if os.name == "nt" else hear_interrupts
    )


def wait_for_lines(part: Path, lines: int) -> None:
    wait_until(lambda: part.exists() and part.read_bytes().count(b"\n") >= lines)


@pytest.fixture(scope="module")
def alone(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Output of one process for ten times the first file."""
    out = tmp_path_factory.mktemp("alone") / "alone.pgn"
    run(*[names[0]] * 10, "-o", out, "--nodes", 500, "--workers", 1)
    return out.read_bytes()


@pytest.mark.parametrize("how", ["killed", pytest.param("interrupted", marks=with_signals)])
def test_a_run_that_is_stopped_loses_no_game(
    names: list[str], tmp_path: Path, how: str, alone: bytes
) -> None:
    many = [names[0]] * 10
    out, part = tmp_path / "out.pgn", tmp_path / "out.pgn.part"
    words = [*many, "-o", out, "--nodes", 500, "--workers", 2]
    process = start(*words)
    wait_for_lines(part, 8)
    process.send_signal(KILL if how == "killed" else signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_S)
    kept = part.read_bytes().count(b"\n") - 1
    assert kept >= 7
    assert not out.exists()
    assert process.returncode == (KILLED if how == "killed" else 130)
    assert (b"--resume" in said) == (how == "interrupted")
    result = run(*words, "--resume")
    assert result.exit_code == 0
    assert "80 games" in result.output
    assert out.read_bytes() == alone


@with_signals
def test_a_second_interrupt_leaves_the_games_in_work(names: list[str], tmp_path: Path) -> None:
    out, part = tmp_path / "out.pgn", tmp_path / "out.pgn.part"
    process = start(names[1], names[0], "-o", out, "--nodes", 10**12, "--workers", 2)
    wait_for_lines(part, 2)  # of the file that is none
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert b"press Ctrl-C again to abandon them" in process.stderr.readline()
    time.sleep(0.2)  # reading it takes longer
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert said == b"xiangqi: interrupted; --resume continues from here\n"
    assert part.exists()
