"""The page that lists all games or cases, what was expected beside what was ruled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xiangqi.casebook.verify import CaseResult, format_ruled_as
from xiangqi.games.arbiter import GameRuling, format_verdict
from xiangqi.web.pages.render import environment
from xiangqi.words.voice import Voice

__all__ = ["IndexRow", "index_case", "index_game", "render_index"]


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A line of the list, and where it leads."""

    href: str
    name: str
    what: str
    """The players, or what happens in the case."""
    expected: str
    ruled: str
    agrees: bool | None


def index_game(ruled: GameRuling, href: str, voice: Voice) -> IndexRow:
    """The line of a game."""
    return IndexRow(
        href=href,
        name=f"{Path(ruled.source).name}:{ruled.number}",
        what=" - ".join(name or "?" for name in (ruled.red, ruled.black)),
        expected=ruled.recorded,
        ruled=format_verdict(ruled, voice),
        agrees=ruled.agrees,
    )


def index_case(result: CaseResult, href: str, voice: Voice) -> IndexRow:
    """The line of a case."""
    return IndexRow(
        href=href,
        name=result.case.id,
        what=result.case.titles[voice.language],
        expected=format_ruled_as(result.expected, voice.language),
        ruled=format_ruled_as(result.ruled, voice.language),
        agrees=result.passed,
    )


def render_index(
    rows: Sequence[IndexRow],
    voice: Voice,
    *,
    cases: bool,
    problems: Sequence[str] = (),
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The list as HTML; ``problems`` tells which files could not be read.

    ``links`` lead elsewhere, each with its words.
    """
    different = sum(row.agrees is False for row in rows)
    counts = "page_case_counts" if cases else "page_counts"
    return (
        environment()
        .get_template("index.html")
        .render(
            rows=rows,
            lang=voice.language,
            cases=cases,
            counts=voice.say(counts, games=len(rows), different=different),
            problems=problems,
            links=links,
        )
    )
