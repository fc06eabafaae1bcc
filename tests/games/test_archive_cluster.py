"""Work on a Dask cluster of processes, one of which is killed in the middle."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest
from click.testing import CliRunner

from tests.support.archives import one_by_one, write_files, write_json_lines
from tests.support.systems import KILL
from train import datagen
from xiangqi.cli.main import main
from xiangqi.games.archive import Archive, Tally, judge_to_file, on_cluster
from xiangqi.ground.errors import WorkersError


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=3,
        processes=True,
        threads_per_worker=1,
        dashboard_address=None,
        host="127.0.0.1",
    ) as cluster:
        yield cluster


def test_a_cluster_that_loses_a_worker(cluster: Any, tmp_path: Path) -> None:
    names = [*write_files(tmp_path), write_json_lines(tmp_path / "many.jsonl", 400)]
    killed: list[int] = []

    def kill_one(tally: Tally) -> None:
        if tally["games"] > 150 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], KILL)

    out = tmp_path / "out.parquet"
    serial = tmp_path / "serial.parquet"
    judge_to_file(Archive(names), serial)
    with on_cluster(cluster.scheduler_address) as workers:
        assert workers.count == 3
        judge_to_file(Archive(names), out, workers=workers, batch_games=2, on_batch=kill_one)
    assert killed
    assert out.read_bytes() == serial.read_bytes()

    lines = tmp_path / "out.jsonl"
    names = [name for name in names if Path(name).exists()]
    arguments = ["judge", *names, "-o", str(lines), "--scheduler", cluster.scheduler_address]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 1  # not all of it could be read
    assert lines.read_bytes() == one_by_one(names)


def test_self_play_on_a_cluster(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    words = ["--games", "4", "--nodes", "60"]
    for path, more in ((alone, []), (shared, ["--scheduler", cluster.scheduler_address])):
        monkeypatch.setattr("sys.argv", ["datagen", str(path), *words, *more])
        assert datagen.main() == 0
    assert shared.read_bytes() == alone.read_bytes()


def test_a_scheduler_that_is_not_there() -> None:
    with (
        pytest.raises(WorkersError, match="cannot be reached"),
        on_cluster("tcp://127.0.0.1:1", seconds=0.5),
    ):
        pass
    with pytest.raises(WorkersError, match="cannot be reached"), on_cluster("nonsense://x"):
        pass
