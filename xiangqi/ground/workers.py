"""Run batches of work in this process, in several processes, or on the machines of a cluster.

Any :class:`concurrent.futures.Executor` can be used. Batches are submitted in order, a few ahead,
and their results are returned in that order. A batch whose worker died is repeated.
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
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from xiangqi.ground.errors import Fact, WorkersError, outside
from xiangqi.ground.installed import how_to_install

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = [
    "Workers",
    "in_processes",
    "in_this_process",
    "on_cluster",
    "on_executor",
    "run_in_order",
]

Item = TypeVar("Item")
Result = TypeVar("Result")

TRIES: Final = 3
"""Number of times that a batch or an item may crash its worker before it is given up."""
_POLL_S: Final = 0.5
"""Interval in seconds at which the waiting thread wakes to handle signals."""
_AHEAD: Final = 3
"""Batches submitted per worker: one running, the others queued."""


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor and its properties."""

    start: Callable[[], Executor]
    """Function that makes the executor; called again when its workers have died."""
    count: int
    """Number of workers; 0 if each batch is run by ``submit`` itself, in this process."""
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """Exceptions of a future whose worker has died."""
    is_own: bool = True
    """Is the executor shut down at the end?"""


def in_this_process() -> Workers:
    """Run each batch in this process, when it is submitted."""
    return Workers(_InlineExecutor, 0)


def in_processes(count: int, preload: Sequence[str] = ()) -> Workers:
    """Run batches in ``count`` processes of this machine, which end even if this one is killed.

    ``preload`` names modules that are imported only once where processes are forked.
    """
    return Workers(functools.partial(_start_processes, count, preload), count)


def on_executor(executor: Executor, count: int) -> Workers:
    """Run batches on the caller's executor, which has ``count`` workers and is left open."""
    return Workers(lambda: executor, count, (BrokenExecutor, CancelledError), is_own=False)


@contextmanager
def on_cluster(address: str, seconds: float = 10) -> Iterator[Workers]:
    """Run batches on the Dask cluster whose scheduler is at ``address``: ``tcp://10.0.0.1:8786``.

    ``seconds`` is the timeout for connecting. The workers need this package, but not the input
    files. Raises WorkersError if Dask is not installed, the scheduler cannot be reached, or it has
    no workers.
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


class _InlineExecutor(Executor):
    """Executor that runs each call in ``submit`` itself."""

    def submit(
        self, function: Callable[..., Result], /, *arguments: Any, **named: Any
    ) -> Future[Result]:
        future: Future[Result] = Future()
        future.set_result(function(*arguments, **named))
        return future


def _start_processes(count: int, preload: Sequence[str]) -> Executor:
    """Start processes from a fork server: a fork of this process would inherit locks of its
    threads."""
    import multiprocessing  # only here: a browser's Python has no processes
    from concurrent.futures import ProcessPoolExecutor

    methods = multiprocessing.get_all_start_methods()
    has_server = "forkserver" in methods  # Windows has none
    context = multiprocessing.get_context("forkserver" if has_server else "spawn")
    if has_server:
        context.set_forkserver_preload(["__main__", *preload])
    return ProcessPoolExecutor(count, context, _init_worker)


def _processes_of(executor: Executor) -> list[BaseProcess]:
    return list((getattr(executor, "_processes", None) or {}).values())


def _kill_processes(executor: Executor) -> None:
    """Kill the processes of an executor, if it has any, as kill_workers of Python 3.14 does.

    At its exit this process would wait for those still running. The executor's manager thread would
    print their death as an exception; only its own hook, set at the start of a thread, is replaced.
    """
    thread = getattr(executor, "_executor_manager_thread", None)
    if thread is not None:
        thread._invoke_excepthook = lambda _: None
    for process in _processes_of(executor):
        process.kill()


def _init_worker() -> None:
    """Ignore Ctrl-C in a worker process, and end it with its parent process."""
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
    work: Callable[[tuple[Item, ...]], Result],
    batches: Iterable[tuple[Item, ...]],
    workers: Workers,
    give_up: Callable[[Item], Result],
    *,
    on_done: Callable[[Result], None] | None = None,
    on_wait: Callable[[], None] = lambda: None,
    ahead: int = _AHEAD,
) -> Generator[Result, None, None]:
    """Call ``work`` on each batch in the workers; yield the results in the order of the batches.

    At most ``ahead`` batches per worker are submitted at a time. ``on_done`` gets each result as
    soon as it is available, in any order, possibly twice, and from any thread; it must not raise.
    If the generator is closed early while batches are running, ``on_wait`` is called and they are
    waited for; an interrupt then kills the worker processes.

    If a worker dies, all submitted batches are repeated one by one, to find the one that crashed
    it. The items of a batch that crashes its worker :data:`TRIES` times are repeated alone, and
    ``give_up`` makes the result of an item that does. Raises WorkersError if the workers are
    lost and cannot be restarted.
    """
    pipeline = _Pipeline(work, workers, give_up, on_done, on_wait, ahead)
    try:
        yield from pipeline.run(iter(batches))
    finally:
        pipeline.close()


def _wait_for(future: Future[Result]) -> Result:
    """Wait for the result, waking at intervals: a signal that arrives just before the thread sleeps
    is handled only when it wakes."""
    while not wait((future,), _POLL_S).done:
        pass
    return future.result()


class _Pipeline(Generic[Item, Result]):
    """Submitted batches, in order."""

    def __init__(
        self,
        work: Callable[[tuple[Item, ...]], Result],
        workers: Workers,
        give_up: Callable[[Item], Result],
        on_done: Callable[[Result], None] | None,
        on_wait: Callable[[], None],
        ahead: int,
    ) -> None:
        self._work = work
        self._workers = workers
        self._give_up = give_up
        self._on_done = on_done
        self._on_wait = on_wait
        self._capacity = max(1, ahead * workers.count)
        self._executor = workers.start()
        self._submitted: deque[tuple[tuple[Item, ...], Future[Result]]] = deque()

    def run(self, batches: Iterator[tuple[Item, ...]]) -> Iterator[Result]:
        while True:
            for batch in islice(batches, self._capacity - len(self._submitted)):
                self._submitted.append((batch, self._submit(batch)))
            if not self._submitted:
                return
            try:
                result = _wait_for(self._submitted[0][1])
            except self._workers.lost:
                repeated = [batch for batch, _ in self._submitted]
                self._submitted.clear()
                self._restart()
                for batch in repeated:
                    yield from self._run_alone(batch)
            else:
                self._submitted.popleft()
                yield result

    def close(self) -> None:
        if not self._workers.is_own:
            for _, future in self._submitted:
                future.cancel()
            return
        try:
            if any(future.running() for _, future in self._submitted):
                self._on_wait()
            if _processes_of(self._executor):
                # its manager thread fails on futures that others have cancelled
                self._executor.shutdown(wait=True, cancel_futures=True)
            else:
                for _, future in self._submitted:
                    future.cancel()
                self._executor.shutdown(wait=True)
        except KeyboardInterrupt:
            _kill_processes(self._executor)
            raise

    def _run_alone(self, batch: tuple[Item, ...]) -> Iterator[Result]:
        """Run a batch while no other one is submitted; if it keeps crashing, its items alone."""
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
        for item in batch:
            yield from self._run_alone((item,))

    def _submit(self, batch: tuple[Item, ...]) -> Future[Result]:
        try:
            future = self._executor.submit(self._work, batch)
        except self._workers.lost:
            self._restart()  # a worker died while idle
            try:
                future = self._executor.submit(self._work, batch)
            except self._workers.lost as error:
                raise WorkersError(Fact("workers.died"), outside(error)) from error
        if self._on_done is not None:
            future.add_done_callback(self._report)
        return future

    def _report(self, future: Future[Result]) -> None:
        if self._on_done is not None and not future.cancelled() and future.exception() is None:
            self._on_done(future.result())

    def _restart(self) -> None:
        if self._workers.is_own:
            self._executor.shutdown(wait=False)
        self._executor = self._workers.start()
