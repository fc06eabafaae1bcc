"""Workers: this process, several processes, or the machines of a cluster.

Any :class:`concurrent.futures.Executor` can be used. Work is submitted in order, a few pieces
ahead, and results are returned in that order. A piece whose worker died is repeated.
"""

from __future__ import annotations

import functools
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from xiangqi.errors import Fact, WorkersError, outside
from xiangqi.installed import how_to_install

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["Workers", "in_processes", "in_this_process", "lent", "on_cluster", "run_in_order"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")

TRIES: Final = 3
"""Maximum number of workers that a piece of work may crash before it is given up."""
HEARD_S: Final = 0.5
"""Maximum delay of a signal in seconds."""
_AHEAD: Final = 3
"""Pieces submitted for each worker: one in work, the others so that it need not wait."""


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor with its properties."""

    start: Callable[[], Executor]
    """Function that makes the executor; called again when its workers have died."""
    count: int
    """Number of pieces done at a time; 0: at once, in this process."""
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """Exceptions raised in place of a result when a worker has died."""
    is_own: bool = True
    """Is the executor shut down at the end?"""


def in_this_process() -> Workers:
    """No workers but this process, which does each piece when it is submitted."""
    return Workers(_AtOnce, 0)


def in_processes(count: int, preload: Sequence[str] = ()) -> Workers:
    """Several processes of this machine, which end with this one in any case.

    ``preload`` are modules for all of them, imported once where processes are forked.
    """
    return Workers(functools.partial(_start_processes, count, preload), count)


def lent(executor: Executor, count: int) -> Workers:
    """An executor of the caller with ``count`` workers, which is left open."""
    return Workers(lambda: executor, count, (BrokenExecutor, CancelledError), is_own=False)


@contextmanager
def on_cluster(address: str, seconds: float = 10) -> Iterator[Workers]:
    """The workers of a Dask cluster, by the address of its scheduler: ``tcp://10.0.0.1:8786``.

    ``seconds`` is how long it has to answer. The workers need this package, and none of the
    files. Raises WorkersError where Dask is not installed, the scheduler cannot be reached, or it
    has no workers.
    """
    scheduler = Fact("workers.scheduler", address=address)
    try:
        dask = import_module("distributed")
    except ImportError as error:
        why = Fact("file.needs", library="Dask", how=how_to_install("cluster"))
        raise WorkersError(scheduler, why) from error
    try:
        client = dask.Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise WorkersError(scheduler, Fact("workers.unreachable", error=str(error))) from error
    with client:
        count = sum(client.nthreads().values())
        if not count:
            raise WorkersError(scheduler, Fact("workers.none"))
        start = functools.partial(client.get_executor, pure=False)
        yield Workers(start, count, (BrokenExecutor, CancelledError, dask.KilledWorker))


class _AtOnce(Executor):
    """Executor that does its work at once, in the same thread."""

    def submit(
        self, function: Callable[..., Result], /, *arguments: Any, **named: Any
    ) -> Future[Result]:
        future: Future[Result] = Future()
        future.set_result(function(*arguments, **named))
        return future


def _start_processes(count: int, preload: Sequence[str]) -> Executor:
    """Start processes from a clean one: a fork of this one would inherit locks of its threads."""
    import multiprocessing  # only here: a browser's Python has no processes
    from concurrent.futures import ProcessPoolExecutor

    methods = multiprocessing.get_all_start_methods()
    has_server = "forkserver" in methods  # Windows has none
    context = multiprocessing.get_context("forkserver" if has_server else "spawn")
    if has_server:
        context.set_forkserver_preload(["__main__", *preload])  # once for all of them
    return ProcessPoolExecutor(count, context, _begin_process)


def _processes_of(executor: Executor) -> list[BaseProcess]:
    return list((getattr(executor, "_processes", None) or {}).values())


def _dismiss(executor: Executor, futures: Iterable[Future[Any]]) -> None:
    """Cancel pending work, and wait for running work. An executor of processes cancels by itself,
    as its thread fails on futures that others have cancelled."""
    if _processes_of(executor):
        executor.shutdown(wait=True, cancel_futures=True)
    else:
        for future in futures:
            future.cancel()
        executor.shutdown(wait=True)


def _kill_processes(executor: Executor) -> None:
    """End the processes of an executor, if it has any, as Python's kill_workers does from 3.14 on.

    Those that went on with their work would be waited for when this process ends. The executor's
    own thread reports their death as an error; it alone is silenced, by the hook that each thread
    keeps from its start.
    """
    thread = getattr(executor, "_executor_manager_thread", None)
    if thread is not None:
        thread._invoke_excepthook = _report_nothing
    for process in _processes_of(executor):
        process.kill()


def _report_nothing(thread: threading.Thread) -> None:
    """Ignore the exception that ended a thread."""


def _begin_process() -> None:
    """Ignore Ctrl-C in a worker, and end with the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing
    import multiprocessing.connection

    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def run_in_order(
    work: Callable[[tuple[Piece, ...]], Result],
    batches: Iterable[tuple[Piece, ...]],
    workers: Workers,
    give_up: Callable[[Piece], Result],
    *,
    on_done: Callable[[Result], None] | None = None,
    on_wait: Callable[[], None] = lambda: None,
    ahead: int = _AHEAD,
) -> Generator[Result, None, None]:
    """Do the work on each batch; the results in the order of the batches.

    ``ahead`` batches for each worker are taken ahead, no more. ``on_done`` gets each result as soon
    as it is there, in any order, maybe twice, and from any thread; it must not raise. Where the
    work ends early, ``on_wait`` is called, and what workers have in hand is waited for; an
    interrupt ends that, and them. Where a worker dies, all batches in work are done again, one
    after the other, so that it shows which of them it died of; of that one each piece is done
    alone, and for a piece that ends its worker time and again ``give_up`` gives the result. Raises
    WorkersError where the workers are gone and no others can be had.
    """
    line = _Line(work, workers, give_up, on_done, on_wait, ahead)
    try:
        yield from line.run(iter(batches))
    finally:
        line.close()


def _wait_for(future: Future[Result]) -> Result:
    """Wait for the result with a limit, repeatedly: a signal that arrives just before the thread
    sleeps is handled only when it wakes."""
    while not wait((future,), HEARD_S).done:
        pass
    return future.result()


class _Line(Generic[Piece, Result]):
    """Batches in work, in order."""

    def __init__(
        self,
        work: Callable[[tuple[Piece, ...]], Result],
        workers: Workers,
        give_up: Callable[[Piece], Result],
        on_done: Callable[[Result], None] | None,
        on_wait: Callable[[], None],
        ahead: int,
    ) -> None:
        self._work = work
        self._workers = workers
        self._give_up = give_up
        self._on_done = on_done
        self._on_wait = on_wait
        self._most = max(1, ahead * workers.count)
        self._executor = workers.start()
        self._waiting: deque[tuple[tuple[Piece, ...], Future[Result]]] = deque()

    def run(self, batches: Iterator[tuple[Piece, ...]]) -> Iterator[Result]:
        is_more = True
        while is_more or self._waiting:
            while is_more and len(self._waiting) < self._most:
                batch = next(batches, None)
                is_more = batch is not None
                if batch is not None:
                    self._waiting.append((batch, self._submit(batch)))
            if not self._waiting:
                return
            try:
                result = _wait_for(self._waiting[0][1])
            except self._workers.lost:
                again = [batch for batch, _ in self._waiting]
                self._waiting.clear()
                self._restart()
                for batch in again:
                    yield from self._do_alone(batch)
            else:
                self._waiting.popleft()
                yield result

    def close(self) -> None:
        if not self._workers.is_own:
            for _, future in self._waiting:
                future.cancel()
            return
        try:
            if any(future.running() for _, future in self._waiting):
                self._on_wait()
            _dismiss(self._executor, [future for _, future in self._waiting])
        except KeyboardInterrupt:
            _kill_processes(self._executor)
            raise

    def _do_alone(self, batch: tuple[Piece, ...]) -> Iterator[Result]:
        """Do a batch while nothing else is in work."""
        for _ in range(TRIES):
            try:
                result = _wait_for(self._submit(batch))
            except self._workers.lost:
                self._restart()
            else:
                yield result
                return
        if len(batch) == 1:
            yield self._give_up(batch[0])
            return
        for piece in batch:
            yield from self._do_alone((piece,))

    def _submit(self, batch: tuple[Piece, ...]) -> Future[Result]:
        try:
            future = self._executor.submit(self._work, batch)
        except self._workers.lost:
            self._restart()  # a worker died while it had nothing to do
            try:
                future = self._executor.submit(self._work, batch)
            except self._workers.lost as error:
                raise WorkersError(Fact("workers.died"), outside(error)) from error
        if self._on_done is not None:
            future.add_done_callback(self._tell)
        return future

    def _tell(self, future: Future[Result]) -> None:
        if self._on_done is not None and not future.cancelled() and future.exception() is None:
            self._on_done(future.result())

    def _restart(self) -> None:
        if self._workers.is_own:
            self._executor.shutdown(wait=False)
        self._executor = self._workers.start()
