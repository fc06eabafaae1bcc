"""Searches that are looked on while they go on in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from xiangqi.core.searches import SearchInfo, SearchResult
from xiangqi.engine.job import SearchJob

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Analysis", "Watched"]

T = TypeVar("T")
Begin: TypeAlias = Callable[[Callable[[T], None], Callable[[SearchResult], None]], SearchJob]
"""Begins a search in another thread, which tells what it finds, and then its answer."""


class Watched(Generic[T]):
    """A search that can be watched: iterate over it for what it finds.

    Best used with ``with``, which stops it at the end.
    """

    def __init__(self, begin: Begin[T], end: Callable[[SearchJob], object]) -> None:
        self._news: SimpleQueue[T | None] = SimpleQueue()
        self._result: SimpleQueue[SearchResult] = SimpleQueue()
        self._is_read = False
        self._end = end
        self._job = begin(self._tell, self._answer)

    def _tell(self, info: T) -> None:
        self._news.put(info)

    def _answer(self, result: SearchResult) -> None:
        self._result.put(result)
        self._news.put(None)

    def result(self) -> SearchResult:
        """Wait until it has ended: the engine's own answer."""
        result = self._result.get()
        self._result.put(result)
        return result

    def next(self) -> T | None:
        """Wait for the next info; None after the last one."""
        info = None if self._is_read else self._news.get()
        self._is_read = info is None
        return info

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end(self._job)
        self.result()


class Analysis(Watched[SearchInfo]):
    """A search of the engine to be watched, and stopped any time; made by
    :meth:`Engine.analysis <xiangqi.engine.engine.Engine.analysis>`."""

    def stop(self) -> SearchResult:
        """End the search, unless it has ended, and return what it came to."""
        self._end(self._job)
        return self.result()
