"""The journal of a run that analyses games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.patience import PATIENCE_S
from xiangqi.analysis.archive import AnalysisJournal, Done


def done(place: int) -> Done:
    return Done(place, "games.pgn", place + 1, f"game {place + 1}", [], [], 0)


def test_games_may_be_added_while_the_journal_is_read(tmp_path: Path) -> None:
    """By another thread as well, which does not wait until all has been read."""
    with AnalysisJournal(tmp_path / "out.part", {}) as journal, ThreadPoolExecutor(1) as pool:
        for place in (2, 0):
            journal.add(done(place))
        reading = journal.read()
        assert next(reading) == done(0)
        assert pool.submit(journal.add, done(1)).result(PATIENCE_S)
        assert list(reading) == [done(2)]
        assert list(journal.read()) == [done(0), done(1), done(2)]
