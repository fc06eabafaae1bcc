"""Counts the steps of a program: lines of Python, and what its regular expressions try.

Time depends on the machine and what else it does; these counts do not. Patterns are matched a
second time, by a matcher that backtracks as that of ``re`` does and counts each character and each
choice; both must find the same. What C functions such as ``str.join`` do inside is not counted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from types import FrameType
from typing import Any

import pytest

_NEWER = sys.version_info >= (3, 11)
_parser: Any = import_module("re._parser" if _NEWER else "sre_parse")
_compiler: Any = import_module("re._compiler" if _NEWER else "sre_compile")
_ONE_CHARACTER = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
_DEEP = 60_000  # one level for each repetition of a group, and some for what is in it

Next = Callable[[int], bool]


class Steps:
    """Number found."""

    def __init__(self) -> None:
        self.count = 0


class _Matcher:
    """One attempt to match at one place."""

    def __init__(self, pattern: re.Pattern[Any], text: Any, steps: Steps) -> None:
        self.steps = steps
        self.text = text
        self.flags = pattern.flags & ~re.VERBOSE  # that one is over when the pattern is parsed
        self.groups: dict[int, Any] = {}
        self.end = -1

    def run(self, nodes: Any, place: int, *, is_full: bool) -> bool:
        def accept(end: int) -> bool:
            self.end = end
            return not is_full or end == len(self.text)

        return self.match(nodes, 0, place, accept)

    def match(self, nodes: Any, index: int, place: int, go_on: Next) -> bool:
        """Match the nodes from an index on, and then what follows."""
        self.steps.count += 1
        if index == len(nodes):
            return go_on(place)
        code, value = nodes[index]

        def rest(end: int) -> bool:
            return self.match(nodes, index + 1, end, go_on)

        name = str(code)
        if name in _ONE_CHARACTER:
            return self.is_one(code, value, place) and rest(place + 1)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, inner = value
            return self.repeat(name == "MAX_REPEAT", low, high, inner, place, rest)
        if name == "SUBPATTERN":
            return self.group(value[0], value[-1], place, rest)
        if name == "BRANCH":
            return any(self.match(one, 0, place, rest) for one in value[1])
        if name in ("ASSERT", "ASSERT_NOT"):
            return self.look(*value)(place) == (name == "ASSERT") and rest(place)
        if name == "AT":
            return self.is_at(code, value, place) and rest(place)
        if name == "GROUPREF":
            start, end = self.groups[value]
            found = self.text[start:end]
            self.steps.count += len(found)
            return self.text[place : place + len(found)] == found and rest(place + len(found))
        raise NotImplementedError(f"{name} in a pattern: expected one of those above")

    def is_one(self, code: Any, value: Any, place: int) -> bool:
        self.steps.count += 1
        character = self.text[place : place + 1]
        return bool(character) and _is_one(code, _frozen(value), character, self.flags)

    def group(self, number: int | None, nodes: Any, place: int, rest: Next) -> bool:
        before = self.groups.get(number or 0)

        def close(end: int) -> bool:
            if number is not None:
                self.groups[number] = (place, end)
            return rest(end)

        if self.match(nodes, 0, place, close):
            return True
        if number is not None:
            self.groups[number] = before
        return False

    def repeat(
        self, is_greedy: bool, low: int, high: int, nodes: Any, place: int, rest: Next
    ) -> bool:
        if len(nodes) == 1 and str(nodes[0][0]) in _ONE_CHARACTER:
            return self.repeat_one(is_greedy, low, high, nodes[0], place, rest)

        def again(count: int, place: int) -> bool:
            def more() -> bool:
                return count < high and self.match(
                    nodes,
                    0,
                    place,
                    lambda end: (end > place or count < low) and again(count + 1, end),
                )

            if count < low:
                return more()
            return (more() or rest(place)) if is_greedy else (rest(place) or more())

        return again(0, place)

    def repeat_one(
        self, is_greedy: bool, low: int, high: int, node: Any, place: int, rest: Next
    ) -> bool:
        end = place
        while end - place < (high if is_greedy else low) and self.is_one(node[0], node[1], end):
            end += 1
        if end - place < low:
            return False
        if is_greedy:
            return any(rest(one) for one in range(end, place + low - 1, -1))
        while not rest(end):
            if end - place >= high or not self.is_one(node[0], node[1], end):
                return False
            end += 1
        return True

    def look(self, direction: int, nodes: Any) -> Next:
        width = nodes.getwidth()[0]

        def found(place: int) -> bool:
            start = place if direction > 0 else place - width
            return start >= 0 and self.match(nodes, 0, start, lambda _: True)

        return found

    def is_at(self, code: Any, value: Any, place: int) -> bool:
        self.steps.count += 1
        probe = _compile(code, value, self.flags, isinstance(self.text, bytes))
        return probe.match(self.text, place) is not None


def _frozen(value: Any) -> Any:
    return tuple((code, inner) for code, inner in value) if isinstance(value, list) else value


@lru_cache(maxsize=100_000)
def _is_one(code: Any, value: Any, character: Any, flags: int) -> bool:
    node = list(value) if isinstance(value, tuple) else value
    return (
        _compile_node(code, node, flags, isinstance(character, bytes)).match(character) is not None
    )


@lru_cache(maxsize=1000)
def _compile(code: Any, value: Any, flags: int, is_bytes: bool) -> Any:
    return _compile_node(code, value, flags, is_bytes)


def _compile_node(code: Any, value: Any, flags: int, is_bytes: bool) -> Any:
    parsed = _parser.parse(b"" if is_bytes else "", flags)
    parsed.data = [(code, value)]
    return _compiler.compile(parsed, flags)


class CountingPattern:
    """A pattern that counts what it does; it finds what the real one finds."""

    def __init__(self, pattern: re.Pattern[Any], steps: Steps) -> None:
        self._real = pattern
        self._steps = steps
        self._nodes = _parser.parse(pattern.pattern, pattern.flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _count(
        self, text: Any, place: int, found: Any, *, moves: bool, is_full: bool = False
    ) -> None:
        """Look for the match as the real pattern has done, from a place on."""
        for start in range(place, len(text) + 1) if moves else (place,):
            matcher = _Matcher(self._real, text, self._steps)
            if matcher.run(self._nodes, start, is_full=is_full):
                assert found is not None, (self._real, text)
                assert found.span() == (start, matcher.end), (self._real, text, found)
                return
        assert found is None, (self._real, text, found)

    def match(self, text: Any, place: int = 0) -> Any:
        found = self._real.match(text, place)
        self._count(text, place, found, moves=False)
        return found

    def fullmatch(self, text: Any, place: int = 0) -> Any:
        found = self._real.fullmatch(text, place)
        self._count(text, place, found, moves=False, is_full=True)
        return found

    def search(self, text: Any, place: int = 0) -> Any:
        found = self._real.search(text, place)
        self._count(text, place, found, moves=True)
        return found

    def finditer(self, text: Any) -> Iterator[Any]:
        place = 0
        for found in self._real.finditer(text):
            if found.start() >= place:  # an empty match may stand where the last one ended
                self._count(text, place, found, moves=True)
            place = found.end() + (found.end() == found.start())
            yield found
        if place <= len(text):
            self._count(text, place, None, moves=True)

    def findall(self, text: Any) -> list[Any]:
        for _ in self.finditer(text):
            pass
        return self._real.findall(text)

    def sub(self, new: Any, text: Any, count: int = 0) -> Any:
        for _ in self.finditer(text):
            pass
        return self._real.sub(new, text, count)

    def split(self, text: Any, most: int = 0) -> Any:
        for _ in self.finditer(text):
            pass
        return self._real.split(text, most)


@contextmanager
def counting_patterns(*packages: str) -> Iterator[Steps]:
    """Have the patterns in the modules of some packages, and those made by the way, count."""
    steps = Steps()

    @cache
    def counted(pattern: re.Pattern[Any]) -> CountingPattern:
        return CountingPattern(pattern, steps)

    forget_patterns(packages)
    real: Any = vars(re)["_compile"]
    before = sys.getrecursionlimit()
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith(packages):
                for key, value in list(vars(module).items()):
                    if isinstance(value, re.Pattern):
                        patch.setattr(module, key, counted(value))
                    elif isinstance(value, dict):
                        for inner, one in list(value.items()):
                            if isinstance(one, re.Pattern):
                                patch.setitem(value, inner, counted(one))
        patch.setattr(re, "_compile", lambda pattern, flags: counted(real(pattern, flags)))
        sys.setrecursionlimit(_DEEP)
        try:
            yield steps
        finally:
            sys.setrecursionlimit(before)
            forget_patterns(packages)


def forget_patterns(packages: tuple[str, ...]) -> None:
    """Empty the caches of functions that compile patterns: what they keep counts, or does not."""
    for name, module in list(sys.modules.items()):
        if name.startswith(packages):
            for value in vars(module).values():
                is_cached = hasattr(value, "cache_clear") and hasattr(value, "__annotations__")
                if is_cached and "re.Pattern" in str(value.__annotations__.get("return")):
                    value.cache_clear()


def count_steps(steps: Steps, work: Callable[[], object]) -> int:
    """The lines of the package that a function runs, and what its patterns try."""
    steps.count = 0
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        return trace_lines if "/xiangqi/" in frame.f_code.co_filename else None

    def trace_lines(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        lines += 1
        return trace_lines

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines + steps.count
