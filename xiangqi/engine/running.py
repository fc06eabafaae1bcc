"""A running search: in the thread that calls the engine, or in one of its own.

:mod:`xiangqi.engine.slices` has the third way, for programs without threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import ClassVar

from xiangqi.core.searches import SearchResult
from xiangqi.engine.search import SearchJob, SearchRunner, no_search

__all__ = ["RunningSearch", "StartedSearch", "ThreadedSearch"]


class RunningSearch:
    """A search in the thread that calls the engine, which runs it.

    Its commands are called by :class:`~xiangqi.engine.engine.Engine`, which has changed the state
    of the job before. ``finish`` is to be called once with the result.
    """

    def __init__(
        self,
        job: SearchJob,
        runner: SearchRunner,
        finish: Callable[[SearchJob, SearchResult], None],
    ) -> None:
        self.job = job
        self._runner = runner
        self._finish = finish

    def stop(self) -> None:
        """End the search; it answers with the result so far."""
        self._runner.stop()

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""
        self._runner.ponderhit()


class StartedSearch(RunningSearch):
    """A search in the background."""

    HAS_THREADS: ClassVar = True
    """Can searches of this kind use several threads?"""

    def start(self) -> None:
        """Start the search."""
        raise NotImplementedError


class ThreadedSearch(StartedSearch):
    """A search in a thread of its own."""

    def start(self) -> None:
        # A daemon, since a search that does not stop must not keep the process alive.
        threading.Thread(target=self._run, name="search", daemon=True).start()

    def _run(self) -> None:
        result = no_search()
        try:
            result = self._runner.run(self.job)
        except Exception as error:  # a GUI still needs a move
            result = self._runner.play_any(self.job)
            self._runner.send(f"the search failed, playing any move: {error!r}")
        finally:  # even if the message cannot be sent
            self.job.may_answer.wait()
            self._finish(self.job, result)
