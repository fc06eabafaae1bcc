"""Archives: many files ruled on by many workers, stopped and resumed, always with one outcome."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.context import BaseContext
from pathlib import Path

import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from tests.support.archives import (
    die_at_17,
    die_once,
    divide_by_zero,
    one_by_one,
    write_files,
    write_json_lines,
)
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.systems import KILL, hear_interrupts, on_linux
from xiangqi import CHECKS_ONLY, WXF
from xiangqi.cli import files as cli_files
from xiangqi.cli.main import main
from xiangqi.cli.options import WorkerOptions
from xiangqi.cli.work import choose_workers
from xiangqi.games.archive import (
    Archive,
    Tally,
    Unread,
    Workers,
    in_processes,
    in_this_process,
    judge_to_file,
    on_cluster,
    on_executor,
    rule_archive,
)
from xiangqi.ground.errors import FormatError, WorkersError


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_files(tmp_path_factory.mktemp("files"))


def written(names: list[str], path: Path, workers: Workers | None = None, batch: int = 64) -> bytes:
    judge_to_file(Archive(names), path, workers=workers, batch_games=batch)
    return path.read_bytes()


# One outcome


@pytest.mark.parametrize("batch", [1, 2, 7, 64, 1000])
def test_the_size_of_batches_does_not_matter(names: list[str], tmp_path: Path, batch: int) -> None:
    expected = one_by_one(names)
    assert expected.count(b"\n") > 100
    assert written(names, tmp_path / "out.jsonl", in_this_process(), batch) == expected


@pytest.mark.parametrize(("workers", "batch"), [(2, 3), (3, 1), (3, 64)])
def test_the_number_of_workers_does_not_matter(
    names: list[str], tmp_path: Path, workers: int, batch: int
) -> None:
    expected = one_by_one(names)
    assert written(names, tmp_path / "out.jsonl", in_processes(workers), batch) == expected


def test_any_executor_will_do(names: list[str], tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert written(names, tmp_path / "out.jsonl", on_executor(pool, 3), 2) == one_by_one(names)
        assert pool.submit(int).result() == 0  # it is left open


def test_a_table_says_the_same_as_the_lines(names: list[str], tmp_path: Path) -> None:
    written(names, tmp_path / "out.jsonl")
    first = written(names, tmp_path / "one.parquet", in_this_process(), 5)
    assert written(names, tmp_path / "two.parquet", in_processes(2), 3) == first
    table = pyarrow.parquet.read_table(tmp_path / "one.parquet").to_pylist()
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert len(table) == len(rows)
    for flat, row in zip(table, rows, strict=True):
        ruling = row.pop("ruling")
        assert flat["game"] == row["game"]
        assert flat["agrees"] == row["agrees"]
        assert flat["ply"] == row["ply"]
        assert len(flat["errors"]) == len(row["errors"])
        assert (flat["ruling"] is None) == (ruling is None)
        if ruling is not None:
            assert json.loads(flat["ruling"]) == ruling
            assert (flat["offender"], flat["reason"]) == (ruling["offender"], ruling["reason"])
            assert (flat["red_conduct"], flat["black_conduct"]) == (ruling["red"], ruling["black"])
    assert sum(flat["ruling"] is not None for flat in table) == 3
    assert "\\ud800" in [flat["red"] for flat in table]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "one.parquet", "out.jsonl", "two.parquet",
    ]  # fmt: skip


def test_unreadable_games_have_their_own_lines(names: list[str], tmp_path: Path) -> None:
    tally = judge_to_file(Archive(names), tmp_path / "out.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    unread = {Path(row["source"]).name: row for row in rows if row["game"] is None}
    assert set(unread) == {"broken.pgn.gz", "missing.pgn", "story.doc"}
    assert "the compressed file is damaged" in unread["broken.pgn.gz"]["errors"][0]
    assert "No such file" in unread["missing.pgn"]["errors"][0]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}  # all have the same keys
    assert tally["games"] == len(rows) - len(unread)
    assert tally["unread"] == sum(len(row["errors"]) for row in rows)
    assert tally["repetitions"] == 3


# Workers that die


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 60)
    write = functools.partial(die_once, str(tmp_path / "marker"))
    found: list[str | Unread] = []
    for batch in rule_archive(Archive([name]), WXF, in_processes(2), write=write, batch_games=4):
        found += batch.lines
    assert (tmp_path / "marker").exists()
    assert found == one_by_one([name]).decode().splitlines()


def test_workers_of_a_system_without_a_server_of_forks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Run workers as on Windows, where each starts from nothing."""
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    monkeypatch.setattr(BaseContext, "set_forkserver_preload", None)
    names = [write_json_lines(tmp_path / "games.jsonl", 6)]
    assert written(names, tmp_path / "out.jsonl", in_processes(1), 3) == one_by_one(names)


def test_killed_from_outside(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 120)
    pools: list[ProcessPoolExecutor] = []
    killed: list[int] = []
    own = in_processes(2)

    def start() -> Executor:
        pool = own.start()
        assert isinstance(pool, ProcessPoolExecutor)
        pools.append(pool)
        return pool

    def kill_one(tally: Tally) -> None:
        if tally["games"] > 30 and not killed:
            killed.append(next(iter(pools[-1]._processes)))
            os.kill(killed[0], KILL)

    out = tmp_path / "out.jsonl"
    workers = Workers(start, own.count)
    judge_to_file(Archive([name]), out, workers=workers, batch_games=2, on_batch=kill_one)
    assert killed
    assert len(pools) > 1
    assert out.read_bytes() == one_by_one([name])


def test_a_game_that_kills_every_worker_is_reported(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 40)
    found: list[str | Unread] = []
    tally = Tally()
    for batch in rule_archive(
        Archive([name]), WXF, in_processes(2), write=die_at_17, batch_games=4
    ):
        found += batch.lines
        tally.update(batch.tally)
    expected: list[str | Unread] = list(one_by_one([name]).decode().splitlines())
    why = f"{name}:17: the process that rules on it has died, 3 times"
    expected[16] = Unread(name, 17, why)
    assert found == expected
    assert (tally["games"], tally["unread"]) == (40, 1)


def test_an_executor_that_cannot_be_replaced(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 40)
    pool = in_processes(1).start()
    workers = on_executor(pool, 2)
    with pytest.raises(WorkersError, match="the workers have died"):
        list(rule_archive(Archive([name]), workers=workers, write=die_at_17, batch_games=4))
    pool.shutdown()


def test_an_error_of_our_own_is_not_hidden(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 40)
    with pytest.raises(ZeroDivisionError):
        list(rule_archive(Archive([name]), workers=in_processes(2), write=divide_by_zero))


def test_a_cluster_needs_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(WorkersError, match=r"python\S* -m pip install 'distributed"),
        on_cluster("tcp://127.0.0.1:1"),
    ):
        pass


def test_a_table_needs_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FormatError, match=r"python\S* -m pip install 'pyarrow"):
        judge_to_file(Archive([]), tmp_path / "out.parquet")
    assert not list(tmp_path.iterdir())


# Stopped and resumed


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_run_resumes_wherever_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [write_json_lines(Path("a.jsonl"), 2), "missing.pgn"]
    out = tmp_path / f"out.{suffix}"
    tally = judge_to_file(Archive(names), out)
    whole = out.read_bytes()
    lines = one_by_one(names)
    part = out if suffix == "jsonl" else tmp_path / "out.parquet.jsonl"
    for end in range(len(lines) + 1):
        out.unlink()
        part.write_bytes(lines[:end])
        assert judge_to_file(Archive(names), out, resume=True, batch_games=2) == tally
        assert out.read_bytes() == whole


def test_only_what_is_missing_is_ruled_on(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 100)
    out = tmp_path / "out.jsonl"
    whole = one_by_one([name])
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:93]))
    seen: list[int] = []
    judge_to_file(
        Archive([name]),
        out,
        resume=True,
        batch_games=5,
        on_batch=lambda tally: seen.append(tally["games"]),
    )
    assert seen == [93, 98, 100]
    assert out.read_bytes() == whole


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 3)
    for suffix in ("jsonl", "parquet"):
        out = tmp_path / f"out.{suffix}"
        judge_to_file(Archive([name]), out)
        before = out.read_bytes()
        with pytest.raises(FormatError, match="file exists; use --"):
            judge_to_file(Archive([name]), out)
        assert out.read_bytes() == before


def test_a_run_resumes_with_the_same_games_only(tmp_path: Path) -> None:
    one = write_json_lines(tmp_path / "one.jsonl", 3)
    two = write_json_lines(tmp_path / "two.jsonl", 3)
    out = tmp_path / "out.jsonl"
    judge_to_file(Archive([one, two]), out)
    before = out.read_bytes()
    cases: list[tuple[list[str], Callable[[], object], str]] = [
        (
            [two, one],
            no_op,
            f"line 1: the ruling on {one}:1 by the rules wxf, expected that on {two}",
        ),
        ([one], no_op, "expected that on no further game"),
        ([one, two], lambda: out.write_bytes(before + b'{"game": 7}\n'), "line 7: not a ruling"),
        (
            [one, two],
            lambda: out.write_bytes(before + b"\xff\n"),
            r"line 7: not a ruling: '\\\\xff",
        ),
    ]
    for files, change, message in cases:
        change()
        with pytest.raises(FormatError, match=message):
            judge_to_file(Archive(files), out, resume=True)
    out.write_bytes(before)
    with pytest.raises(FormatError, match="by the rules checks-only"):
        judge_to_file(Archive([one, two]), out, CHECKS_ONLY, resume=True)
    other_rules = WXF.replace({"occurrences": 2})
    with pytest.raises(FormatError, match="by the rules wxf occurrences=2"):
        judge_to_file(Archive([one, two]), out, other_rules, resume=True)
    assert out.read_bytes() == before


def no_op() -> None:
    """Change nothing."""


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    name = write_json_lines(tmp_path / "games.jsonl", 3)
    out = tmp_path / "out.jsonl"

    def resume_too(_: Tally) -> None:
        with pytest.raises(FormatError, match="another run is writing it"):
            judge_to_file(Archive([name]), out, resume=True)

    judge_to_file(Archive([name]), out, on_batch=resume_too)
    assert out.read_bytes() == one_by_one([name])


# The command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["judge", *arguments], catch_exceptions=False)


def test_the_command_writes_a_file(names: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    names = [name for name in names if Path(name).exists()]
    result = run(*names, "-o", str(out), "--workers", "2")
    assert result.exit_code == 1  # not all of it could be read
    assert "repetitions: 3" in result.output
    assert out.read_bytes() == one_by_one(names)
    assert "file exists; use --" in run(*names, "-o", str(out)).output
    out.write_bytes(out.read_bytes()[:5000])
    assert run(*names, "-o", str(out), "--workers", "1", "--resume").exit_code == 1
    assert out.read_bytes() == one_by_one(names)


def test_the_command_prints_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    names = [write_json_lines(tmp_path / f"{name}.jsonl", 100) for name in "ab"]
    for more in ([], ["--explain", "--lang", "zh"], ["--json"]):
        one = run(*names, *more)
        assert one.exit_code == 0
        assert run(*names, *more, "--workers", "2").output == one.output


@pytest.mark.parametrize(("size", "count"), [(10, 1), (2 << 20, 3)])
def test_all_cores_rule_where_there_is_much_to_do(
    monkeypatch: pytest.MonkeyPatch, size: int, count: int
) -> None:
    monkeypatch.setattr(cli_files, "count_cores", lambda: 3)
    archive = Archive([])
    archive.size = size
    assert cli_files.default_workers(archive) == count


@pytest.mark.parametrize(
    ("asked", "usual", "count"), [(None, 1, 0), (None, 3, 3), (1, 3, 0), (2, 1, 2)]
)
def test_number_of_workers_is_chosen_by_option_and_cores(
    asked: int | None, usual: int, count: int
) -> None:
    with choose_workers(WorkerOptions(asked), usual) as workers:
        assert workers.count == count


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume"], "need an output file: -o OUT"),
        (["-o", "out.txt"], "expected a name that ends with one of .jsonl"),
        (["-o", "out.jsonl", "--explain"], "always writes all evidence"),
        (["-o", "no/such/folder/out.jsonl"], "No such file or directory"),
        (["--workers", "0"], "0 is not in the range"),
        (["--workers", "2", "--scheduler", "tcp://127.0.0.1:1"], "has its own workers"),
    ],
)
def test_command_refuses_wrong_arguments(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    result = run(write_json_lines(tmp_path / "games.jsonl", 1), *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_position_has_no_workers() -> None:
    result = run("--fen", "4k4/9/9/9/9/9/9/9/9/3K5 w", "--workers", "2")
    assert result.exit_code == 2
    assert "need files of games" in result.output


# Processes


def start_judging(*arguments: str) -> subprocess.Popen[str]:
    """The command as a process, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "xiangqi", "judge", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_interrupts,
    )


def members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, number, *_ = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(number) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


@on_linux
@pytest.mark.parametrize("how", [signal.SIGINT, KILL])
def test_a_run_that_is_ended_leaves_nothing_behind_and_resumes(
    tmp_path: Path, how: signal.Signals
) -> None:
    everything = Path(write_json_lines(tmp_path / "all.jsonl", 4000))
    games, out = tmp_path / "games.jsonl", tmp_path / "out.jsonl"
    os.mkfifo(games)  # a run that waits for more of its games cannot be over too soon
    arguments = [str(games), "-o", str(out), "--workers", "2"]
    with start_judging(*arguments) as process, games.open("wb", 0) as feed:
        feed.write(b"".join(everything.read_bytes().splitlines(keepends=True)[:2000]))
        wait_until(lambda: out.exists() and out.stat().st_size > 100_000)
        if how is signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does
        else:
            process.kill()
        _, errors = process.communicate(timeout=PATIENCE_S)
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert errors == "xiangqi: interrupted; --resume continues from here\n"
        assert out.read_bytes().endswith(b"\n")
    wait_until(lambda: not members(process.pid))
    everything.replace(games)
    kept = out.read_bytes()
    lines = kept.splitlines()
    assert 200 < len(lines) < 4000
    with start_judging(*arguments, "--resume") as process:
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert errors == "games: 4000, repetitions: 400, other results: 400, unread: 0\n"
    assert out.read_bytes().startswith(b"\n".join(lines[:-1]))
    assert out.read_bytes().count(b"\n") == 4000


PEAK = """
import sys
from pathlib import Path
from xiangqi.games.archive import Archive, judge_to_file, in_processes
judge_to_file(Archive(sys.argv[1:2]), Path(sys.argv[2]), workers=in_processes(2))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@on_linux
def test_memory_does_not_grow_with_the_archive(tmp_path: Path) -> None:
    peaks = []
    for games in (500, 2000):
        name = write_json_lines(tmp_path / f"{games}.jsonl", games, comment="很" * 3000)
        out = str(tmp_path / f"{games}.out.jsonl")
        program = [sys.executable, "-c", PEAK, name, out]
        done = subprocess.run(program, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
    size = (tmp_path / "2000.jsonl").stat().st_size - (tmp_path / "500.jsonl").stat().st_size
    assert size > 12_000_000
    assert peaks[1] - peaks[0] < 3_000  # kibibytes
