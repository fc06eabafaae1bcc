"""Index page: all games, cases or cycles, with expected and actual rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from xiangqi.casebook.disputes import Dispute, name_cycle
from xiangqi.casebook.verify import CaseResult, format_ruled_as
from xiangqi.games.arbiter import GameRuling, format_verdict
from xiangqi.referee.comparison import format_labelled_ruling
from xiangqi.referee.endings import describe_termination
from xiangqi.referee.outcome import Termination
from xiangqi.web.pages.render import environment
from xiangqi.words.voice import Voice

__all__ = [
    "IndexRow",
    "Kind",
    "index_case",
    "index_cycle",
    "index_game",
    "name_reason",
    "render_index",
]

Kind: TypeAlias = Literal["games", "cases", "cycles"]
"""Subject of the pages."""
_HEADS: Final[dict[Kind, tuple[str, ...]]] = {
    "games": (
        "page_game",
        "page_players",
        "page_recorded",
        "page_ruled",
        "page_agrees",
        "page_event",
        "page_date",
        "page_rounds",
        "page_opening",
    ),
    "cases": ("page_case", "page_title", "page_expected", "page_ruled", "page_agrees"),
    "cycles": ("page_number", "page_title", "page_second", "page_first_rules", "page_agrees"),
}


_NAMED: Final = (
    Termination.PERPETUAL_CHECK,
    Termination.PERPETUAL_CHASE,
    Termination.PERPETUAL_STRIKE,
    Termination.REPETITION,
    Termination.BARRED_MOVE,
    Termination.ILLEGAL_MOVE,
)
"""Terminations with a short name in the index; elsewhere they are described by a sentence."""
_FILTERED: Final[dict[Kind, tuple[int, ...]]] = {"games": (2, 3, 4), "cases": (4,), "cycles": ()}
"""Columns that have a filter."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row of the index, with the URL of its page."""

    href: str
    name: str
    title: str
    """Players of the game, title of the case, or size of the cycle."""
    expected: str
    ruled: str
    agrees: bool | None
    reason: str = ""
    """Reason of ``ruled`` in a word or two, for sorting and filtering."""
    details: tuple[str, ...] = ()
    """Event, date, number of rounds and opening of a game."""


def index_game(ruled: GameRuling, headers: Mapping[str, str], href: str, voice: Voice) -> IndexRow:
    opening = (headers.get(name, "").strip() for name in ("ECCO", "Opening", "Variation"))
    event, date = (headers.get(name, "").strip("? .") for name in ("Event", "Date"))
    return IndexRow(
        href=href,
        name=f"{Path(ruled.source).name}:{ruled.number}",
        title=" - ".join(name or "?" for name in (ruled.red, ruled.black)),
        expected=ruled.recorded,
        ruled=format_verdict(ruled, voice),
        agrees=ruled.agrees,
        reason=name_reason(ruled, voice),
        details=(event, date, str((ruled.plies + 1) // 2), " ".join(filter(None, opening))),
    )


def name_reason(ruled: GameRuling, voice: Voice) -> str:
    """Reason for the end of a game, in a word or two."""
    outcome = ruled.outcome or ruled.doubtful
    if outcome is None:
        return voice.say("reason_undecided")
    if outcome.termination in _NAMED:
        return voice.say(f"reason_{outcome.termination.name.lower()}")
    return describe_termination(outcome.termination).say(voice)


def index_case(result: CaseResult, href: str, voice: Voice) -> IndexRow:
    return IndexRow(
        href=href,
        name=result.case.id,
        title=result.case.titles[voice.language],
        expected=format_ruled_as(result.expected, voice.language),
        ruled=format_ruled_as(result.ruled, voice.language),
        agrees=result.passed,
    )


def index_cycle(dispute: Dispute, number: int, href: str, voice: Voice) -> IndexRow:
    """Index row of a cycle on which two rule sets differ."""
    first, second = dispute.comparison().rulings
    return IndexRow(
        href=href,
        name=str(number),
        title=name_cycle(dispute, voice),
        expected=format_labelled_ruling(second, voice),
        ruled=format_labelled_ruling(first, voice),
        agrees=False,
    )


def render_index(
    rows: Sequence[IndexRow],
    voice: Voice,
    *,
    kind: Kind,
    problems: Sequence[str] = (),
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """Render the index as HTML.

    ``problems`` are the errors in the input; ``links`` are URLs with their texts.
    """
    different = sum(row.agrees is False for row in rows)
    counts = voice.say(f"page_{kind}_counts", games=len(rows), different=different)
    return (
        environment()
        .get_template("index.html")
        .render(
            rows=rows,
            lang=voice.language,
            heading=voice.say(f"page_{kind}"),
            heads=[voice.say(head) for head in _HEADS[kind]],
            counts=counts,
            problems=problems,
            links=links,
            filtered=_FILTERED[kind],
        )
    )
